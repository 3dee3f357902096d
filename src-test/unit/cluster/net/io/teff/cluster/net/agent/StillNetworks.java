package io.teff.cluster.net.agent;

import io.teff.cluster.net.Network;
import io.teff.cluster.net.NetworkAccess;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.loop.LoopProvider;
import io.teff.cluster.net.transport.TransportOptions;
import io.teff.engine.os.Clock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Networks without threads, over links in the process, with a clock set by the test; they run only when the test calls
 * them.
 */
public final class StillNetworks implements Clock, AutoCloseable {
    private static final AtomicInteger NAMES = new AtomicInteger();

    private final String name = "loop:still-networks-" + NAMES.incrementAndGet() + "-";
    /** In the order of their opening. */
    public final List<Network> all = new ArrayList<>();
    /** Runs on each reading of the clock, except within itself. */
    Runnable whenAsked = () -> { };
    public long nowNs;

    public StillNetworks(long nowNs) {
        this.nowNs = nowNs;
    }

    @Override
    public long nowNs() {
        final Runnable its = whenAsked;
        whenAsked = () -> { };
        its.run();
        whenAsked = its;
        return nowNs;
    }

    /** Returns the address at which a node listens. */
    String address(int nid) {
        return name + nid;
    }

    /**
     * Returns the configuration of a node that the others find by its NID and whose messages are handled on arrival.
     */
    public NetworkConfig.Builder config(int nid) {
        return NetworkConfig.builder(nid).listen(address(nid)).addresses(this::address).handlers(Runnable::run);
    }

    public Network open(NetworkConfig.Builder config) throws IOException {
        return open(config, new Transports(Map.of("loop", () -> new LoopProvider().open(new TransportOptions(null))),
            false));
    }

    /** Opens a network over other transports, whose addresses are configured. */
    public Network open(NetworkConfig.Builder config, Transports transports) throws IOException {
        final NetworkConfig its = config.build();
        final Network network = NetworkAccess.make(
            its, this, new SplittableRandom(its.nid()), List.of(transports), nowNs);
        all.add(network);
        return network;
    }

    public Network first() {
        return all.getFirst();
    }

    Network last() {
        return all.getLast();
    }

    /** Runs every network once; returns the amount of work done. */
    public int work() {
        int work = 0;
        for (int i = 0; i < all.size(); i++) {
            work += NetworkAccess.agent(all.get(i)).doWork();
        }
        return work;
    }

    /** Runs until the given number of steps of their time have passed in a row without work. */
    public void settle(int steps, long stepNs) {
        for (int idle = 0; idle < steps; idle = work() == 0 ? idle + 1 : 0) {
            nowNs += stepNs;
        }
    }

    /** Returns the sum of the bytes sent by all networks. */
    long bytesSent() {
        return all.stream().mapToLong(it -> it.stats().bytesSent()).sum();
    }

    /** Audits every network. */
    public void audit() {
        all.forEach(Network::audit);
    }

    /** Closes every network. */
    @Override
    public void close() {
        all.forEach(Network::close);
        all.clear();
    }
}
