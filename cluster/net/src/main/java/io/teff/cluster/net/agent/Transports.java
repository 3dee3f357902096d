package io.teff.cluster.net.agent;

import io.teff.cluster.net.transport.AddressException;
import io.teff.cluster.net.transport.Capability;
import io.teff.cluster.net.transport.Lookups;
import io.teff.cluster.net.transport.Transport;
import io.teff.engine.os.FailureText;
import io.teff.engine.os.Threads;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The transports of an agent by the schemes of their addresses; each transport is opened when an address needs the
 * transport. By the agent only, except {@link #wakeUp}.
 */
public final class Transports implements AutoCloseable {
    /**
     * With several transports the agent can wait in none of them, so the agent polls each transport in this interval at
     * first. A writing thread that has lost its processor gets this time as well.
     */
    private static final long TURN_NS = 50_000;
    /** While nothing happens the interval doubles up to this limit. */
    private static final long TURN_NS_MAX = 1_000_000;

    private final Map<String, Supplier<Transport>> providers;
    private final Lookups lookups;
    private final boolean isForSecrets;
    private final Map<String, Transport> byScheme;
    private final CopyOnWriteArrayList<Transport> all = new CopyOnWriteArrayList<>();
    /** The current interval; by the agent. */
    private long turnNs = TURN_NS;
    private volatile @Nullable Thread waiting;
    private volatile boolean isAwake;

    /**
     * Makes transports without opening them.
     *
     * @param providers each provider opens the transport of a scheme
     * @param isForSecrets whether nothing may leave this machine unencrypted
     */
    public Transports(Map<String, Supplier<Transport>> providers, boolean isForSecrets) {
        this(providers, isForSecrets, Lookups.Resolver.SYSTEM);
    }

    /**
     * Makes transports with another source of the addresses of hosts.
     *
     * @param providers each provider opens the transport of a scheme
     * @param isForSecrets whether nothing may leave this machine unencrypted
     * @param resolver finds the addresses of hosts
     */
    public Transports(Map<String, Supplier<Transport>> providers, boolean isForSecrets, Lookups.Resolver resolver) {
        this.lookups = new Lookups(resolver, this::wakeUp);
        this.providers = Map.copyOf(providers);
        this.isForSecrets = isForSecrets;
        this.byScheme = new HashMap<>();
    }

    /**
     * Returns the transport of an address.
     *
     * @param address begins with a scheme
     * @return an open transport
     * @throws AddressException if the scheme has no transport
     * @throws IOException if the transport must not be used, or cannot be opened
     */
    public Transport of(String address) throws IOException {
        final Transport transport = opened(address);
        if (isForSecrets && !transport.capabilities().contains(Capability.ENCRYPTED) && !transport.isLocal(address)) {
            throw new IOException("TLS is asked for, and links to " + address + " have none");
        }
        return transport;
    }

    /** Returns the name of the host in an address, or null: see {@link Transport#hostName}. */
    @Nullable String hostName(String address) throws IOException {
        return opened(address).hostName(address);
    }

    /** Returns the address with the number of a host in place of the name. */
    String numbered(String address, InetAddress host) throws IOException {
        return opened(address).numbered(address, host);
    }

    /** Looks a host up: {@link #poll} hands the addresses to the waiter. */
    void lookUp(String name, Lookups.Waiter waiter) throws IOException {
        lookups.add(name, waiter);
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
            throw new IOException(FailureText.of(e), e);           // opening may succeed later, with free descriptors
        }
    }

    /** Polls all transports; returns the units of work done. */
    int poll() {
        int work = lookups.poll();
        for (int i = 0; i < all.size(); i++) {
            work += all.get(i).poll();
        }
        if (work > 0) {
            turnNs = TURN_NS;
        }
        return work;
    }

    /** Returns whether sending threads may write in place of the waiting agent. Any thread. */
    boolean areForSenders() {
        return all.size() == 1 && all.getFirst().capabilities().contains(Capability.SENDERS_WRITE);
    }

    /** Waits for an event, for {@link #wakeUp}, or for the timeout; a short time for 0. May return early. */
    void await(long timeoutNs) {
        if (all.size() == 1 && timeoutNs > 0) {
            all.getFirst().await(timeoutNs);
        } else {
            waiting = Thread.currentThread();
            if (!isAwake) {
                Threads.rest(this, all.isEmpty() ? Math.max(timeoutNs, TURN_NS)
                    : Math.clamp(timeoutNs, TURN_NS, turnNs));
                turnNs = Math.min(2 * turnNs, TURN_NS_MAX);
            }
            waiting = null;
        }
        isAwake = false;
    }

    /** Ends the agent's {@link #await}, the current or the next. Any thread. */
    void wakeUp() {
        isAwake = true;
        final Thread thread = waiting;
        if (thread != null) {
            LockSupport.unpark(thread);
        }
        all.forEach(Transport::wakeUp);
    }

    /** Returns the number of closed links whose peers may miss the last bytes. Any thread. */
    long linksCutShort() {
        long count = 0;
        for (Transport transport : all) {
            count += transport.linksCutShort();
        }
        return count;
    }

    /** Closes all open transports. */
    @Override
    public void close() {
        lookups.close();
        all.forEach(Transport::close);
    }
}
