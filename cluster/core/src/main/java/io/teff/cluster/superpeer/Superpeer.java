package io.teff.cluster.superpeer;

import io.teff.cluster.cell.CellClient;
import io.teff.cluster.consensus.SuperpeerLog;
import io.teff.cluster.lease.LeaseTerms;
import io.teff.cluster.log.NodeEvent;
import io.teff.cluster.log.NodeLog;
import io.teff.cluster.message.CellMessages;
import io.teff.cluster.meta.MetadataMachine;
import io.teff.cluster.net.Network;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.identity.ClusterId;
import io.teff.cluster.net.message.NetworkException;
import io.teff.cluster.net.message.RequestType;
import io.teff.cluster.net.report.NetworkStats;
import io.teff.engine.os.Clock;
import io.teff.engine.os.Platform;
import io.teff.engine.os.Threads;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A superpeer: a member of the replicated log, the promises to nodes, the answers to messages, and a thread that
 * repeats the remaining work ({@link SuperpeerDuty}). Thread-safe.
 */
public final class Superpeer implements AutoCloseable {
    /** The lane of the replicated log. */
    private static final int RAFT_LANE = 1;
    private static final long CYCLE_NS = TimeUnit.MILLISECONDS.toNanos(20);

    private final SuperpeerLog log;
    private final Clock clock;
    private final Network network;
    private final SuperpeerDuty duty;
    private final NodeLog events;
    private final CellAnswers answers;
    private final Thread thread;
    private volatile boolean isClosed;

    private Superpeer(int number, String address, SuperpeerLog log, Platform platform, CellAnswers answers,
                      Network network, NodeLog events) {
        this.log = log;
        clock = platform.clock();
        this.network = network;
        this.events = events;
        this.answers = answers;
        duty = new SuperpeerDuty(number, address, log, network.cluster(), clock, platform.chance(), answers,
            new CellClient(network::request, () -> log.read(MetadataMachine::superpeers), number));
        thread = platform.threads().create("teff-superpeer", this::run);
    }

    /**
     * Starts a superpeer.
     *
     * @param number of the superpeer, from 0
     * @param config of the superpeer's network, with the NID of the superpeer and handlers that may wait
     * @param log the superpeer's member of the replicated log; closed with the superpeer
     * @param terms the terms of leases
     * @param platform clock for leases, promises and intervals; threads and chance
     * @return the superpeer
     * @throws IOException if the network cannot be opened; the log is left open
     */
    public static Superpeer start(int number, NetworkConfig config, SuperpeerLog log, LeaseTerms terms,
                                  Platform platform) throws IOException {
        return start(number, "", config, log, terms, platform, false, _ -> {}, NodeLog.NONE);
    }

    /**
     * Starts a superpeer that answers further messages.
     *
     * @param number of the superpeer, from 0
     * @param address of the superpeer, for the tables of other nodes; empty for none
     * @param config of the superpeer's network, with the NID of the superpeer and handlers that may wait
     * @param log the superpeer's member of the replicated log; closed with the superpeer
     * @param terms the terms of leases
     * @param platform clock for leases, promises and intervals; threads and chance
     * @param isRebuilding whether the metadata are to be rebuilt: until then nodes and clients have no answers
     * @param handlers registers further handlers
     * @param events receives the events of the superpeer
     * @return the superpeer
     * @throws IOException if the network cannot be opened; the log is left open
     */
    public static Superpeer start(int number, String address, NetworkConfig config, SuperpeerLog log, LeaseTerms terms,
                                  Platform platform, boolean isRebuilding, Consumer<Network> handlers, NodeLog events)
        throws IOException {
        CellAnswers answers = new CellAnswers(number, log, terms, platform.clock(), isRebuilding);
        Network network = Network.open(config, opened -> {
            answers.register(opened);
            handlers.accept(opened);
        });
        Superpeer superpeer = new Superpeer(number, address, log, platform, answers, network, events);
        superpeer.thread.start();
        return superpeer;
    }

    private void run() {
        boolean wasLeading = false;
        boolean wasFull = false;
        while (!isClosed) {
            try {
                if (isOfThisCluster()) {
                    duty.cycle();
                }
            } catch (RuntimeException e) {                      // the next cycle looks at the tables anew
                events.fault("the duty of the superpeer", e);
            }
            if (log.isLeading() != wasLeading) {
                wasLeading = !wasLeading;
                events.log(NodeEvent.LEADER, wasLeading ? "leads the superpeers" : "does not lead any more");
            }
            if (log.needsRoom() != wasFull) {
                wasFull = !wasFull;
                events.log(wasFull ? NodeEvent.DISK_FULL : NodeEvent.DISK_ROOM, wasFull
                    ? "the disk of this superpeer is full: it takes no part in decisions until there is room"
                    : "the disk of this superpeer has room again");
            }
            clock.park(this, CYCLE_NS);
        }
    }

    /**
     * Returns whether this superpeer and the replicated log are of one cluster, and tells the network the identity of a
     * new cluster. A superpeer of another cluster, by its folder or configuration, does nothing.
     */
    private boolean isOfThisCluster() {
        final ClusterId cluster = log.read(MetadataMachine::cluster);
        if (answers.misfit() != null || !cluster.isKnown()) {
            return answers.misfit() == null;
        }
        if (network.cluster().fits(cluster)) {
            network.identify(cluster);
            answers.serve();
            return true;
        }
        final String misfit = "this superpeer is of " + network.cluster() + ", and the other superpeers are of "
            + cluster + ": its folder is that of another cluster";
        answers.stop(misfit);
        events.log(NodeEvent.NODE_FAILED, misfit);
        return false;
    }

    /** {@return the identity of the cluster; unknown until the cluster is founded} */
    public ClusterId cluster() {
        return network.cluster();
    }

    /** {@return why this superpeer belongs to another cluster than the other superpeers, or null} */
    public @Nullable String misfit() {
        return answers.misfit();
    }

    /**
     * Reads the metadata between two commands.
     *
     * @param reader reads; must not keep the machine, and must not block
     * @return the reader's result
     * @param <T> type of the result
     */
    public <T> T read(Function<MetadataMachine, T> reader) {
        return log.read(reader);
    }

    /**
     * Sends a request over the superpeer's network. See {@link Network#request(int, RequestType, Object, long)}.
     *
     * @param nid the node
     * @param type the type of request and answer
     * @param request content of the request
     * @param timeoutNs longest time until the answer
     * @return ends with the answer, or fails without an answer
     * @param <Q> type of the request
     * @param <R> type of the answer
     */
    public <Q, R> CompletableFuture<R> request(int nid, RequestType<Q, R> type, Q request, long timeoutNs) {
        return network.request(nid, type, request, timeoutNs);
    }

    /**
     * Sends a message of the replicated log, or loses the message if there is no room: the log repeats it.
     *
     * @param superpeer number of another superpeer
     * @param bytes of the message
     */
    public void send(int superpeer, byte[] bytes) {
        try {
            var _ = network.offer(CellMessages.nid(superpeer), RAFT_LANE, CellMessages.RAFT, bytes);
        } catch (NetworkException _) {
            return;                                             // the other superpeer cannot be reached
        }
    }

    /** {@return statistics of the superpeer's network} */
    public NetworkStats stats() {
        return network.stats();
    }

    /** {@return whether this superpeer leads} */
    public boolean isLeading() {
        return log.isLeading();
    }

    /** {@return whether the cell has applied the announcement of this superpeer's current life} */
    public boolean isAnnounced() {
        return duty.isAnnounced();
    }

    /** Ends the superpeer. Idempotent. */
    @Override
    public void close() {
        isClosed = true;
        Threads.join(thread);
        network.close();
        log.close();
    }
}
