package io.teff.rdma.transport.ucx;

import io.teff.cluster.net.transport.Acceptor;
import io.teff.cluster.net.transport.LinkEvents;
import io.teff.engine.os.Platform;
import io.teff.rdma.transport.RdmaAddress;
import io.teff.rdma.transport.RdmaTransport;
import io.teff.rdma.transport.Sleeper;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Links over UCX, {@code ucx:host:port}, optionally with transports of UCX: {@code ucx:host:port|transports=posix,tcp}.
 *
 * <p>The first call of {@link #listen} or {@link #connect} loads the library and opens a worker. Addresses with
 * different transports have a worker each. An agent with a single worker sleeps in the descriptor of the worker. An
 * agent with several workers polls the workers.
 */
final class UcxTransport extends RdmaTransport<UcxLink> {
    static final String SCHEME = "ucx";

    private static final String TRANSPORTS = "transports";

    /** Opens workers; replaced in tests. */
    interface Opener {
        UcxLinks open(String transports) throws IOException;
    }

    private final Opener opener;
    private final List<UcxLinks> all = new ArrayList<>();

    UcxTransport(Platform platform) {
        this(transports -> UcxLinks.open(transports, platform));
    }

    UcxTransport(Opener opener) {
        super(SCHEME, List.of(TRANSPORTS));
        this.opener = opener;
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
    protected UcxLink dialed(String peer, RdmaAddress to, LinkEvents events) throws IOException {
        final UcxLinks links = links(to);
        final UcxLink link = UcxLink.dialed(links, peer, links.nextNumber(), events);
        links.add(link);
        return link;
    }

    @Override
    protected void dial(UcxLink link, InetSocketAddress to) throws IOException {
        link.dial(to);
    }

    /** Returns the number of links that have a number, for tests. */
    int linkCount() {
        return all.stream().mapToInt(UcxLinks::linkCount).sum();
    }

    /** Returns the number of send buffers in use, for tests. */
    int buffersInUse() {
        return all.stream().mapToInt(links -> links.buffers().inUse()).sum();
    }

    @Override
    protected int pollLinks() {
        int work = 0;
        for (int i = 0; i < all.size(); i++) {
            final UcxLinks links = all.get(i);
            work += links.poll();
            addCutShort(links.takeCutShort());
        }
        return work;
    }

    @Override
    protected @Nullable Sleeper sleeper() {
        return all.size() == 1 ? all.getFirst() : null;
    }

    @Override
    protected boolean hasWork() {
        boolean hasWork = false;
        for (int i = 0; i < all.size(); i++) {
            hasWork |= all.get(i).hasWork();
        }
        return hasWork;
    }

    @Override
    protected void closeLinks() {
        all.forEach(UcxLinks::beginClose);
        final long beginNs = all.isEmpty() ? 0 : all.getFirst().nowNs();
        boolean isClosing = !all.isEmpty();
        while (isClosing && all.getFirst().nowNs() - beginNs < CLOSE_NS) {
            isClosing = pollClose();
        }
        for (UcxLinks links : all) {
            links.close();
            addCutShort(links.takeCutShort());
        }
        all.clear();
    }

    /** Continues the close of all workers, so that no worker waits for a peer worker; returns whether links close. */
    private boolean pollClose() {
        int work = 0;
        @Nullable UcxLinks waiting = null;
        for (UcxLinks links : all) {
            if (links.hasClosing()) {
                work += links.pollClose();
                waiting = links;
            }
        }
        if (work == 0 && waiting != null) {
            waiting.sleepClose();
        }
        return waiting != null;
    }
}
