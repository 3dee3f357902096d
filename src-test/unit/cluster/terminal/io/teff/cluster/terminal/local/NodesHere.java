package io.teff.cluster.terminal.local;

import io.teff.cluster.admin.ClusterNode;
import io.teff.cluster.admin.NodeSettings;
import io.teff.cluster.admin.NodeStartException;
import io.teff.cluster.terminal.node.ProcessId;
import io.teff.cluster.terminal.node.RunFile;
import io.teff.engine.os.Chance;
import io.teff.test.kit.Starts;
import io.teff.test.kit.Threads;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A cluster of a superpeer and two peers with all nodes in this process, in a folder as of {@code cluster up}. */
public final class NodesHere implements AutoCloseable {
    private static final int PORT_FIRST = 13_000;
    private static final int PORT_COUNT = 90;
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(120);

    private final ClusterFolder folder;
    private final List<ClusterNode> nodes = new ArrayList<>();

    private NodesHere(ClusterFolder folder) {
        this.folder = folder;
    }

    /** Starts the nodes, and waits until zones are served with their backups. */
    public static NodesHere start(Path path) throws IOException, NodeStartException {
        ClusterPlan plan = plan();
        while (!LocalCluster.busyPorts(plan).isEmpty()) {
            plan = plan();
        }
        Starts.CLUSTER.count();
        NodesHere here = new NodesHere(ClusterFolder.create(path, plan));
        try {
            for (LocalNode node : here.folder.nodes()) {
                here.nodes.add(node.config().start(System.getLogger("io.teff.test")));
            }
            for (int i = 0; i < here.nodes.size(); i++) {
                here.nodes.get(i).awaitReady(PATIENCE_NS);
                LocalNode node = here.folder.nodes().get(i);
                node.note(new LocalNode.Started(ProcessId.current(), null));
                new RunFile(ProcessId.current(), here.nodes.get(i).life()).write(node.config().folder());
            }
            try (var admin = here.folder.entrance().connect()) {
                Threads.await("zones with backups", () -> {
                    var zones = admin.status().zones();
                    return !zones.isEmpty() && zones.stream().allMatch(zone -> zone.state().isServed()
                        && !zone.backups().isEmpty());
                });
            }
            return here;
        } catch (Throwable e) {
            here.close();
            throw e;
        }
    }

    private static ClusterPlan plan() {
        return new ClusterPlan(1, 2, PORT_FIRST + 100 * Chance.SYSTEM.nextInt(PORT_COUNT), "64m", ClusterPlan.HEAP_MB,
            ClusterPlan.TCP, ClusterPlan.BACKUPS);
    }

    /** Returns the folder. */
    public Path path() {
        return folder.path();
    }

    /** Returns the address of the superpeer. */
    public String address() {
        return folder.entrance().listen();
    }

    /** Returns the settings of the first peer. */
    public NodeSettings peer() {
        return folder.nodes().get(1).config();
    }

    /** Ends the last peer. */
    public void endLast() {
        nodes.removeLast().close();
    }

    @Override
    public void close() {
        nodes.reversed().forEach(ClusterNode::close);
    }
}
