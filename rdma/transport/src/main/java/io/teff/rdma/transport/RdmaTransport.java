package io.teff.rdma.transport;

import io.teff.cluster.net.transport.AddressException;
import io.teff.cluster.net.transport.Capability;
import io.teff.cluster.net.transport.Link;
import io.teff.cluster.net.transport.LinkEvents;
import io.teff.cluster.net.transport.Lookups;
import io.teff.cluster.net.transport.Transport;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What the transports have in common: addresses, look-ups of host names, and the wait of the agent.
 *
 * @param <L> its links
 */
public abstract class RdmaTransport<L extends RdmaLink> implements Transport {
    /** Longest time for the last bytes of a link that was closed, in nanoseconds; the agent goes on meanwhile. */
    public static final long DRAIN_NS = 5_000_000_000L;
    /** Longest time for the last bytes of all links when the transport is closed, in nanoseconds; the agent waits. */
    public static final long CLOSE_NS = 2_000_000_000L;
    /** Closed links that have last bytes, while the transport is open: one more cuts the oldest short. */
    public static final int CLOSING_MAX = 256;

    private static final Set<Capability> CAPABILITIES = Set.of(Capability.HAS_PORTS);

    private final String scheme;
    private final List<String> options;
    private final Lookups lookups;
    private final Rest rest = new Rest();
    private final AtomicLong linksCutShort = new AtomicLong();
    /** The agent sleeps in it, or is about to. */
    private volatile @Nullable Sleeper sleeper;
    private volatile boolean isAwake;

    /**
     * Makes a transport that has loaded no library.
     *
     * @param scheme of its addresses
     * @param options that addresses may have
     * @param resolver finds hosts
     */
    protected RdmaTransport(String scheme, List<String> options, Lookups.Resolver resolver) {
        this.scheme = scheme;
        this.options = options;
        lookups = new Lookups(resolver, this::wakeUp);
    }

    // ---- for transports ----

    /** {@return a link without a connection} */
    protected abstract L dialed(String peer, RdmaAddress to, LinkEvents events) throws IOException;

    /** Begins to connect a link. */
    protected abstract void dial(L link, InetSocketAddress to) throws IOException;

    /** {@return the units of work done for links} */
    protected abstract int pollLinks();

    /** {@return whether there is something to do that no descriptor reports} */
    protected abstract boolean hasWork();

    /** {@return what the agent sleeps in, or null if nothing of this transport can wake it} */
    protected abstract @Nullable Sleeper sleeper();

    /** Ends all links, and gives back what the library has. */
    protected abstract void closeLinks();

    /** Counts links that were closed, and whose peers may miss the last bytes. */
    protected final void addCutShort(long count) {
        if (count > 0) {
            linksCutShort.addAndGet(count);
        }
    }

    /** {@return the parts of an address} */
    protected final RdmaAddress parse(String address) throws AddressException {
        return RdmaAddress.parse(scheme, options, address);
    }

    // ---- the transport ----

    @Override
    public final Set<Capability> capabilities() {
        return CAPABILITIES;
    }

    @Override
    public final boolean isLocal(String address) throws IOException {
        return parse(address).resolved().getAddress().isLoopbackAddress();
    }

    @Override
    public final Link connect(String address, LinkEvents events) throws IOException {
        final RdmaAddress to = parse(address);
        final L link = dialed(address, to, events);
        try {
            if (to.isNamed()) {
                lookups.add(to.target().getHostString(), link.waiter(host -> dial(link, to.at(host))));
            } else {
                dial(link, to.target());
            }
            return link;
        } catch (IOException e) {
            link.close();                                       // without events
            throw e;
        }
    }

    @Override
    public final int poll() {
        final int work = lookups.poll() + pollLinks();
        if (work > 0) {
            rest.reset();
        }
        return work;
    }

    @Override
    public final void await(long timeoutNs) {
        final Sleeper found = sleeper();
        final Sleeper its = found == null ? rest : found;
        sleeper = its;
        if (!isAwake && timeoutNs > 0 && !lookups.hasAnswers() && !hasWork()) {
            its.sleep(timeoutNs);
        }
        sleeper = null;
        isAwake = false;
    }

    @Override
    public final void wakeUp() {
        if (!isAwake) {
            isAwake = true;
            final Sleeper sleeping = sleeper;
            if (sleeping != null) {
                sleeping.signal();
            }
        }
    }

    @Override
    public final long linksCutShort() {
        return linksCutShort.get();
    }

    @Override
    public final void close() {
        lookups.close();
        closeLinks();
    }
}
