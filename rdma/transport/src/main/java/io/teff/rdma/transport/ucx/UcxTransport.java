package io.teff.rdma.transport.ucx;

import io.teff.cluster.net.transport.Acceptor;
import io.teff.cluster.net.transport.AddressException;
import io.teff.cluster.net.transport.Link;
import io.teff.cluster.net.transport.LinkEvents;
import io.teff.cluster.net.transport.Lookups;
import io.teff.cluster.net.transport.Transport;
import io.teff.rdma.transport.RdmaAddress;
import io.teff.rdma.transport.Rest;
import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Links over UCX, {@code ucx:host:port}, optionally with UCX's transports: {@code ucx:host:port|transports=posix,tcp}.
 *
 * <p>The library is loaded, and a worker opened, by the first call of {@link #listen} or {@link #connect}. Addresses
 * with different transports have a worker each; an agent with one worker sleeps in its descriptor, one with several
 * polls them.
 */
final class UcxTransport implements Transport {
    static final String SCHEME = "ucx";

    private static final String TRANSPORTS = "transports";
    private static final List<String> OPTIONS = List.of(TRANSPORTS);
    /** Longest wait while links close, or others have not said HELLO. */
    private static final long LOOK_NS = 10_000_000;

    /** Opens workers; replaced in tests. */
    interface Opener {
        UcxLinks open(String transports) throws IOException;
    }

    private final Opener opener;
    private final Lookups lookups;
    private final List<UcxLinks> all = new ArrayList<>();
    private final Rest rest = new Rest();
    /** Sleeps, or is about to. */
    private volatile @Nullable UcxLinks sleeper;
    private volatile boolean isAwake;

    UcxTransport() {
        this(UcxLinks::open, InetAddress::getByName);
    }

    UcxTransport(Opener opener, Lookups.Resolver resolver) {
        this.opener = opener;
        lookups = new Lookups(resolver, this::wakeUp);
    }

    private static RdmaAddress parse(String address) throws AddressException {
        return RdmaAddress.parse(SCHEME, OPTIONS, address);
    }

    private UcxLinks links(RdmaAddress address) throws IOException {
        final String transports = address.options().getOrDefault(TRANSPORTS, "");
        for (UcxLinks links : all) {
            if (links.transports().equals(transports)) {
                return links;
            }
        }
        final UcxLinks links = opener.open(transports);
        all.add(links);
        return links;
    }

    @Override
    public String listen(String address, Acceptor acceptor) throws IOException {
        final RdmaAddress wanted = parse(address);
        return wanted.published(links(wanted).listen(wanted.resolved(), acceptor));
    }

    @Override
    public boolean isLocal(String address) throws IOException {
        return parse(address).resolved().getAddress().isLoopbackAddress();
    }

    @Override
    public Link connect(String address, LinkEvents events) throws IOException {
        final RdmaAddress to = parse(address);
        final UcxLinks links = links(to);
        final UcxLink link = UcxLink.dialed(links, address, links.nextNumber(), to, events);
        if (to.isNamed()) {
            lookups.add(to.target().getHostString(), link);
        } else {
            links.dial(link, to.target());
        }
        links.add(link);
        return link;
    }

    /** Returns the number of links that have a number, for tests. */
    int linkCount() {
        return all.stream().mapToInt(UcxLinks::linkCount).sum();
    }

    /** Returns the number of pieces that UCX has, for tests. */
    int piecesInUse() {
        return all.stream().mapToInt(it -> it.pieces().inUse()).sum();
    }

    @Override
    public int poll() {
        int work = lookups.poll();
        for (int i = 0; i < all.size(); i++) {
            work += all.get(i).poll();
        }
        if (work > 0) {
            rest.reset();
        }
        return work;
    }

    @Override
    public void await(long timeoutNs) {
        final UcxLinks only = all.size() == 1 ? all.getFirst() : null;
        sleeper = only;
        if (!isAwake && timeoutNs > 0 && !hasWork()) {
            if (only == null) {
                rest.await(timeoutNs);
            } else {
                only.sleep(only.hasDeadlines() ? Math.min(timeoutNs, LOOK_NS) : timeoutNs);
            }
        }
        sleeper = null;
        isAwake = false;
    }

    private boolean hasWork() {
        boolean hasWork = lookups.hasAnswers();
        for (int i = 0; i < all.size(); i++) {
            hasWork |= all.get(i).hasWork();
        }
        return hasWork;
    }

    @Override
    public void wakeUp() {
        if (!isAwake) {
            isAwake = true;
            final UcxLinks sleeping = sleeper;
            if (sleeping == null) {
                rest.wakeUp();
            } else {
                sleeping.signal();
            }
        }
    }

    @Override
    public void close() {
        lookups.close();
        all.forEach(UcxLinks::close);
        all.clear();
    }
}
