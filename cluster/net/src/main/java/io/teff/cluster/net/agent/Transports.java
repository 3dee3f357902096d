package io.teff.cluster.net.agent;

import io.teff.cluster.net.transport.AddressException;
import io.teff.cluster.net.transport.Capability;
import io.teff.cluster.net.transport.Transport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The transports of an agent by the schemes of their addresses; each is opened when an address needs it. The agent's,
 * but for {@link #wakeUp}.
 */
public final class Transports implements AutoCloseable {
    /**
     * Of several each has its turn so often at first, as the agent can wait in none of them; and so long does a thread
     * get that writes a frame and has no processor.
     */
    private static final long TURN_NS = 50_000;
    /** While nothing comes turns are rarer and rarer, to this. */
    private static final long TURN_NS_MAX = 1_000_000;

    private final Map<String, Supplier<Transport>> providers;
    private final boolean isForSecrets;
    private final Map<String, Transport> byScheme;
    private final CopyOnWriteArrayList<Transport> all = new CopyOnWriteArrayList<>();
    /** The agent's: between two turns. */
    private long turnNs = TURN_NS;
    private volatile @Nullable Thread waiting;
    private volatile boolean isAwake;

    /**
     * Transports that are not open yet.
     *
     * @param providers open one each, by scheme
     * @param isForSecrets whether nothing may leave this machine that is not encrypted
     */
    public Transports(Map<String, Supplier<Transport>> providers, boolean isForSecrets) {
        this.providers = Map.copyOf(providers);
        this.isForSecrets = isForSecrets;
        this.byScheme = new HashMap<>();
    }

    /**
     * The transport of an address.
     *
     * @param address begins with a scheme
     * @return open
     * @throws AddressException if there is none for the scheme
     * @throws IOException if there is none that may be used
     */
    public Transport of(String address) throws IOException {
        final Transport its = opened(address);
        if (isForSecrets && !its.capabilities().contains(Capability.ENCRYPTED) && !its.isLocal(address)) {
            throw new IOException("TLS is asked for, and links to " + address + " have none");
        }
        return its;
    }

    private Transport opened(String address) throws IOException {
        final String scheme = address.substring(0, Math.max(address.indexOf(':'), 0));
        final Transport open = byScheme.get(scheme);
        if (open != null) {
            return open;
        }
        final Supplier<Transport> provider = providers.get(scheme);
        if (provider == null) {
            throw new AddressException("no transport for " + address + ": there are "
                + new TreeSet<>(providers.keySet()));
        }
        final Transport opened = open(provider);
        byScheme.put(scheme, opened);
        all.add(opened);
        return opened;
    }

    private static Transport open(Supplier<Transport> provider) throws IOException {
        try {
            return provider.get();
        } catch (UncheckedIOException e) {
            throw new IOException(e.getMessage(), e);           // there may be descriptors for one later
        }
    }

    /** Does what can be done now; how much that was. */
    int poll() {
        int work = 0;
        for (int i = 0; i < all.size(); i++) {
            work += all.get(i).poll();
        }
        if (work > 0) {
            turnNs = TURN_NS;
        }
        return work;
    }

    /** Whether threads that send may write in place of the agent that waits. Any thread. */
    boolean areForSenders() {
        return all.size() == 1 && all.getFirst().capabilities().contains(Capability.SENDERS_WRITE);
    }

    /** Waits until there may be something to do, a short time for 0, or {@link #wakeUp} is called. May return early. */
    void await(long timeoutNs) {
        if (all.size() == 1 && timeoutNs > 0) {
            all.getFirst().await(timeoutNs);
        } else {
            waiting = Thread.currentThread();
            if (!isAwake) {
                LockSupport.parkNanos(this, all.isEmpty() ? Math.max(timeoutNs, TURN_NS)
                    : Math.clamp(timeoutNs, TURN_NS, turnNs));
                turnNs = Math.min(2 * turnNs, TURN_NS_MAX);
            }
            waiting = null;
        }
        isAwake = false;
    }

    /** Ends the agent's {@link #await}, now or the next. Any thread. */
    void wakeUp() {
        isAwake = true;
        final Thread thread = waiting;
        if (thread != null) {
            LockSupport.unpark(thread);
        }
        all.forEach(Transport::wakeUp);
    }

    /** Closes all that are open. */
    @Override
    public void close() {
        all.forEach(Transport::close);
    }
}
