package io.teff.cluster.terminal.local;

import io.teff.cluster.admin.NodeSettings;
import io.teff.cluster.terminal.node.LogFile;
import io.teff.cluster.terminal.node.ProcessId;
import io.teff.engine.os.Clock;
import io.teff.engine.os.FailureText;
import io.teff.engine.os.Threads;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Starts and ends whole clusters of this machine, for several commands. */
public final class LocalCluster {
    private static final long END_NS = TimeUnit.SECONDS.toNanos(60);

    private LocalCluster() {}

    /**
     * Checks all ports of a plan before anything starts: a superpeer would never lead if another process used any port
     * of the superpeer.
     *
     * @param plan nodes and ports of the cluster
     * @return busy ports with their users, as texts; empty if all ports are free
     */
    static List<String> busyPorts(ClusterPlan plan) {
        return NodeSettings.portFaults(plan.listening());
    }

    /**
     * Checks that this machine has the transport of a plan, by listening for a moment: otherwise the failure would
     * stand in the nodes' logs only.
     *
     * @param plan nodes and ports of the cluster
     * @throws CommandFailure if the transport is missing; the message names the missing software
     */
    static void checkTransport(ClusterPlan plan) {
        if (plan.transport().equals(ClusterPlan.TCP)) {
            return;
        }
        String fault = NodeSettings.transportFault(plan.transport());
        if (fault != null) {
            throw new CommandFailure("--transport " + plan.transport() + " cannot be used: " + fault
                + "\n  start it over TCP: leave out --transport");
        }
    }

    /**
     * Starts a supervisor, and waits until the nodes are ready. The supervisor starts the nodes or takes over running
     * nodes.
     *
     * @param cluster the cluster's folder
     * @param isWhole whether no node may be missing
     * @param reports receives a line for each ready node
     * @return missing nodes, and whether zones are not served
     * @throws CommandFailure if the cluster does not become ready; then everything has ended
     */
    static Readiness.Outcome start(ClusterFolder cluster, boolean isWhole, Consumer<String> reports) {
        Process supervisor;
        try {
            supervisor = NodeJvm.startSupervisor(cluster, Program.current());
        } catch (IOException e) {
            throw new CommandFailure("the supervisor cannot be started: " + FailureText.of(e), e);
        }
        AtomicBoolean isDone = new AtomicBoolean();
        Runtime.getRuntime().addShutdownHook(Threads.SYSTEM.create("teff-up-end", () -> {
            if (!isDone.get()) {
                supervisor.destroy();                           // the command was ended, so the supervisor ends
            }
        }));
        boolean isReady = false;
        try {
            Readiness readiness = new Readiness(cluster, reports, supervisor);
            Readiness.Outcome outcome = isWhole ? readiness.await() : readiness.awaitMost();
            isReady = true;
            return outcome;
        } finally {
            if (!isReady) {
                supervisor.destroy();
                supervisor.onExit().join();
            }
            isDone.set(true);
        }
    }

    /**
     * Starts a cluster in a new folder for temporary files, at the first free ports.
     *
     * @param superpeers number of superpeers
     * @param peers number of peers
     * @param reports receives a line for each ready node
     * @return the cluster
     * @throws CommandFailure if the cluster cannot be started; then no file is left
     */
    public static ClusterFolder startTemporary(int superpeers, int peers, Consumer<String> reports) {
        try {
            Path folder = Files.createTempDirectory("teff-cluster");
            ClusterFolder cluster = ClusterFolder.create(folder, freePlan(superpeers, peers));
            boolean isReady = false;
            try {
                var _ = start(cluster, true, reports);
                isReady = true;
                return cluster;
            } finally {
                if (!isReady) {
                    cluster.delete();
                    Files.delete(folder);
                }
            }
        } catch (IOException e) {
            throw new CommandFailure("a folder for the cluster cannot be made: " + FailureText.of(e), e);
        }
    }

    private static ClusterPlan freePlan(int superpeers, int peers) {
        ClusterPlan plan = ClusterPlan.of(superpeers, peers, ClusterPlan.PORT);
        int port = busyPorts(plan).isEmpty() ? plan.port() : freePort(plan);
        if (port == 0) {
            throw new CommandFailure("no ports are free for a cluster: " + String.join("\n", busyPorts(plan)));
        }
        return plan.at(port);
    }

    /** Returns a first port, behind the ports of a plan, with which all ports of the plan are free; or 0. */
    static int freePort(ClusterPlan plan) {
        for (int port = plan.port() + ClusterPlan.PORTS; port <= ClusterPlan.PORT_MAX; port += ClusterPlan.PORTS) {
            if (busyPorts(plan.at(port)).isEmpty()) {
                return port;
            }
        }
        return 0;
    }

    /**
     * {@return the cluster of a folder, if nodes of the cluster run; else null}
     *
     * @param path the folder
     */
    public static @Nullable ClusterFolder running(Path path) {
        if (!ClusterFolder.isCluster(path)) {
            return null;
        }
        ClusterFolder cluster = ClusterFolder.open(path);
        return cluster.nodes().stream().anyMatch(node -> node.process() != null) ? cluster : null;
    }

    /**
     * Ends all processes of a cluster, also nodes without a supervisor.
     *
     * @param cluster the cluster's folder
     * @return number of nodes before the end
     * @throws CommandFailure if something does not end
     */
    static int end(ClusterFolder cluster) {
        int running = (int) cluster.nodes().stream().filter(node -> node.process() != null).count();
        ProcessId supervisor = cluster.supervisor();
        if (supervisor != null) {
            supervisor.handle().ifPresent(ProcessHandle::destroy);
            if (!LocalCommand.await(() -> !supervisor.isAlive(), END_NS)) {
                supervisor.handle().ifPresent(ProcessHandle::destroyForcibly);
            }
        }
        try (LogFile log = new LogFile(cluster.path().resolve(ClusterFolder.SUPERVISOR_LOG), Clock.SYSTEM)) {
            Supervisor.endAll(cluster, log);                    // a killed supervisor leaves nodes
        } catch (IOException e) {
            throw new CommandFailure("the nodes cannot be ended: " + FailureText.of(e), e);
        }
        List<String> left = cluster.nodes().stream().filter(node -> node.process() != null)
            .map(node -> node.name() + ", " + node.process()).toList();
        if (!left.isEmpty()) {
            throw new CommandFailure("these do not end: " + String.join("; ", left));
        }
        return running;
    }

    /**
     * Ends a temporary cluster, and deletes its folder.
     *
     * @param cluster the cluster's folder
     * @throws CommandFailure if something does not end, or cannot be deleted
     */
    public static void endTemporary(ClusterFolder cluster) {
        end(cluster);
        try {
            cluster.delete();
            Files.deleteIfExists(cluster.path());
        } catch (IOException e) {
            throw new CommandFailure("the folder " + cluster.path() + " cannot be deleted: " + FailureText.of(e), e);
        }
    }
}
