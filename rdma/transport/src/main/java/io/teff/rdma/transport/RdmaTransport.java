package io.teff.rdma.transport;

import io.teff.cluster.net.transport.AddressException;
import io.teff.cluster.net.transport.Capability;
import io.teff.cluster.net.transport.Link;
import io.teff.cluster.net.transport.LinkEvents;
import io.teff.cluster.net.transport.Transport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The common parts of transports: addresses, and the wait of the agent.
 *
 * @param <L> the links of the transport
 */
public abstract class RdmaTransport<L extends RdmaLink> implements Transport {
    /** Longest time for the last bytes of a closed link, in nanoseconds. The agent does not wait. */
    public static final long DRAIN_NS = 5_000_000_000L;
    /** Longest time for the last bytes of all links when the transport is closed, in nanoseconds. The agent waits. */
    public static final long CLOSE_NS = 2_000_000_000L;
    /** Closed links with last bytes, while the transport is open: a further link cuts the oldest link short. */
    public static final int CLOSING_MAX = 256;

    private static final Set<Capability> CAPABILITIES = Set.of(Capability.HAS_PORTS);

    private final String scheme;
    private final List<String> options;
    private final Rest rest = new Rest();
    private final AtomicLong linksCutShort = new AtomicLong();
    /** The sleeper of the agent, while the agent sleeps or is about to sleep. */
    private volatile @Nullable Sleeper sleeper;
    private volatile boolean isAwake;

    /**
     * Makes a transport without loading a library.
     *
     * @param scheme of all addresses
     * @param options names of the options of addresses
     */
    protected RdmaTransport(String scheme, List<String> options) {
        this.scheme = scheme;
        this.options = options;
    }

    // ---- for transports ----

    /** {@return a link without a connection} */
    protected abstract L dialed(String peer, RdmaAddress to, LinkEvents events) throws IOException;

    /** Begins to connect a link. */
    protected abstract void dial(L link, InetSocketAddress to) throws IOException;

    /** {@return the units of work done for links} */
    protected abstract int pollLinks();

    /** {@return whether there is work without a report by a descriptor} */
    protected abstract boolean hasWork();

    /** {@return the sleeper of the agent, or null if no descriptor of this transport can wake the agent} */
    protected abstract @Nullable Sleeper sleeper();

    /** Ends all links, and closes all objects of the library. */
    protected abstract void closeLinks();

    /** Counts closed links without the last bytes at the peer. */
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
    public final @Nullable String hostName(String address) throws IOException {
        final RdmaAddress to = parse(address);
        return to.isNamed() ? to.target().getHostString() : null;
    }

    @Override
    public final String numbered(String address, InetAddress host) throws IOException {
        final RdmaAddress to = parse(address);
        return to.published(to.at(host));
    }

    @Override
    public final Link connect(String address, LinkEvents events) throws IOException {
        final RdmaAddress to = parse(address);
        if (to.isNamed()) {
            throw new IOException("unknown host of " + address + ": the name was not looked up");
        }
        final L link = dialed(address, to, events);
        try {
            dial(link, to.target());
            return link;
        } catch (IOException e) {
            link.close();                                       // without events
            throw e;
        }
    }

    @Override
    public final int poll() {
        final int work = pollLinks();
        if (work > 0) {
            rest.reset();
        }
        return work;
    }

    @Override
    public final void await(long timeoutNs) {
        final Sleeper found = sleeper();
        final Sleeper used = found == null ? rest : found;
        sleeper = used;
        if (!isAwake && timeoutNs > 0 && !hasWork()) {
            used.sleep(timeoutNs);
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
        closeLinks();
    }
}
