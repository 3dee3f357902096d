package io.teff.cluster.node;

import io.teff.cluster.admin.Figure;
import io.teff.cluster.admin.NodeFigures;
import io.teff.cluster.admin.NodeRole;
import io.teff.cluster.admin.NodeStartException;
import io.teff.cluster.admin.NodeStatus;
import io.teff.cluster.figure.FigureKeeper;
import io.teff.cluster.figure.ProcessFigures;
import io.teff.cluster.log.NodeEvent;
import io.teff.cluster.log.NodeLog;
import io.teff.cluster.message.StatusRequest;
import io.teff.cluster.meta.NodeRef;
import io.teff.engine.os.Clock;
import io.teff.engine.os.FailureText;
import io.teff.engine.os.Platform;
import io.teff.engine.os.PrivateFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A running node. Thread-safe. */
public abstract class Node implements AutoCloseable {
    private static final long POLL_NS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final String PEER_FILE = "node";

    private final NodeConfig config;
    private final Clock clock;
    private final FigureKeeper figures;
    private final ProcessFigures process;
    private final long startedNs;

    Node(NodeConfig config, Platform platform, NodeLog log) {
        this.config = config;
        clock = platform.clock();
        startedNs = clock.nowNs();
        process = new ProcessFigures(config.folder());
        figures = new FigureKeeper(this::collect, log, platform, config.access()::text);
    }

    /** Begins to keep figures. */
    FigureKeeper keepFigures() {
        figures.start();
        return figures;
    }

    /** Collects the figures of now: those of all roles, then those of the role. */
    private void collect(NodeFigures.Builder to) {
        process.read(to);
        to.set(Figure.PROCESS_UPTIME, TimeUnit.NANOSECONDS.toMillis(clock.nowNs() - startedNs))
            .set(Figure.LEASE_TERM, TimeUnit.NANOSECONDS.toMillis(config.lease().heldNs()));
        Instant now = Instant.ofEpochMilli(clock.epochMs());
        config.tls().ends().stream().map(end -> now.until(end.end(), ChronoUnit.SECONDS)).min(Long::compare)
            .ifPresent(left -> to.set(Figure.CERTIFICATE_LEFT, Math.max(left, 0)));
        addFigures(to);
    }

    /** Adds the figures of the role. */
    abstract void addFigures(NodeFigures.Builder to);

    /** {@return the figures and the log of the node} */
    public FigureKeeper figures() {
        return figures;
    }

    /**
     * Starts a node: locks the folder, checks the ports, and starts the parts needed by the role. Does not wait until
     * the node is ready: see {@link #awaitReady}.
     *
     * @param config the configuration
     * @param log receives the events of the node
     * @return the node, to be closed
     * @throws NodeStartException if something is in the way; nothing is left running
     */
    public static Node begin(NodeConfig config, NodeLog log) throws NodeStartException {
        config.access().logTo(log);
        checkFolder(config);
        try {
            PrivateFolder.make(config.folder());
        } catch (IOException e) {
            throw new NodeStartException("the folder " + config.folder() + " cannot be used: " + FailureText.of(e), e);
        }
        return switch (config.role()) {
            case SUPERPEER -> SuperpeerNode.start(config, Platform.SYSTEM, log);
            case PEER -> PeerNode.start(config, Platform.SYSTEM, log);
        };
    }

    /** A folder belongs to one role for ever. */
    private static void checkFolder(NodeConfig config) throws NodeStartException {
        boolean isSuperpeer = config.role() == NodeRole.SUPERPEER;
        String others = isSuperpeer ? PEER_FILE : SuperpeerFolder.CELL;
        if (Files.exists(config.folder().resolve(others))) {
            throw new NodeStartException("the folder " + config.folder() + " belongs to a "
                + (isSuperpeer ? NodeRole.PEER : NodeRole.SUPERPEER).text() + ", and this node is a "
                + config.role().text() + "; name another folder", null);
        }
    }

    static void checkPort(NodeConfig config) throws NodeStartException {
        List<String> faults = PortCheck.checkTcp(config.listen());
        if (!faults.isEmpty()) {
            throw new NodeStartException(String.join("\n", faults), null);
        }
    }

    /**
     * Waits until the node is ready: a superpeer is ready when the cell has a leader and the superpeer has applied its
     * own announcement, a peer when the peer holds its lease. A superpeer waits without a limit for superpeers that do
     * not run, and logs the wait: the superpeers of a majority may be started hours apart.
     *
     * @param log receives a line now and then
     * @param patienceNs how long a peer waits; for a superpeer the time between two lines of the log
     * @throws NodeStartException if the node has failed or waited for long enough; the caller must close the node
     */
    public void awaitReady(NodeLog log, long patienceNs) throws NodeStartException {
        long end = clock.nowNs() + patienceNs;
        while (!isReady()) {
            String failure = failure();
            if (failure != null) {
                throw new NodeStartException(config.name() + " has failed: " + failure, null);
            }
            if (clock.nowNs() - end >= 0) {
                String late = config.name() + " is not ready after " + TimeUnit.NANOSECONDS.toSeconds(patienceNs)
                    + " s: " + missing();
                if (config.role() == NodeRole.PEER) {
                    throw new NodeStartException(late, null);
                }
                log.log(NodeEvent.NODE, late + "; it waits on");
                end = clock.nowNs() + patienceNs;
            }
            clock.pause(this, POLL_NS);
        }
    }

    /** {@return the configuration} */
    public NodeConfig config() {
        return config;
    }

    /** {@return whether the node does its work now} */
    public abstract boolean isReady();

    /** {@return the node's current life; incarnation 0 for superpeers} */
    public abstract NodeRef reference();

    /**
     * {@return the node's status}
     *
     * @param request what to include in the status
     */
    public abstract NodeStatus status(StatusRequest request);

    /**
     * {@return why the node has ended its work for good, for people; null while it has not. Such a node is to be
     * closed, and its process ended}
     */
    public @Nullable String failure() {
        return null;
    }

    /** {@return what a node that is not ready waits for, for people} */
    abstract String missing();

    /** Ends the node: a peer leaves the cluster. Idempotent. */
    @Override
    public final void close() {
        figures.close();
        end();
    }

    /** Ends the parts of the role. Idempotent. */
    abstract void end();
}
