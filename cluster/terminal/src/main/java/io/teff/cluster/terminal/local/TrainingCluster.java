package io.teff.cluster.terminal.local;

import io.teff.cluster.ClientConfig;
import io.teff.cluster.ClusterStore;
import io.teff.cluster.admin.ClusterAdmin;
import io.teff.cluster.admin.NodeLife;
import io.teff.cluster.terminal.local.LocalNode.Started;
import io.teff.cluster.terminal.node.ProcessId;
import io.teff.engine.os.Clock;
import io.teff.engine.os.Threads;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A small cluster with all nodes in this process, and some seconds of work for the cluster. The JVM's recording of this
 * work becomes the AOT cache of nodes and commands. So the work is the work of nodes and commands: nodes start from
 * their files, a client creates, changes and reads chunks, peers are declared dead and their zones are restored.
 *
 * <p>Nothing depends on the results. The work ends after a time limit in any case.
 */
public final class TrainingCluster {
    private static final int PEERS = 3;
    private static final String MEMORY = "128m";
    private static final int CHUNKS = 40_000;
    private static final int BATCH = 1_000;
    private static final int CHUNK_BYTES = 64;
    private static final int DEATHS = 2;
    private static final long REPLY_NS = TimeUnit.SECONDS.toNanos(5);
    /** Single operations of the client, as many as fit. */
    private static final long SINGLES_NS = TimeUnit.SECONDS.toNanos(1);

    private final ClusterFolder folder;
    private final Commands commands;
    private final long[] cids = new long[CHUNKS];

    /** Runs a command line of this program in this process. */
    public interface Commands {
        /**
         * Runs a command line to its end.
         *
         * @param words the command line
         */
        void run(String... words);
    }

    private TrainingCluster(ClusterFolder folder, Commands commands) {
        this.folder = folder;
        this.commands = commands;
    }

    /**
     * Starts the cluster, does the work, and leaves the cluster running: the nodes end in order when the process exits.
     *
     * @param path a missing or empty folder
     * @param port first port of the cluster
     * @param commands runs command lines
     * @throws IOException if the folder cannot be used
     */
    public static void run(Path path, int port, Commands commands) throws IOException {
        ClusterPlan plan = new ClusterPlan(1, PEERS, port, MEMORY, ClusterPlan.HEAP_MB, ClusterPlan.TCP,
            ClusterPlan.BACKUPS);
        List<String> busy = LocalCluster.busyPorts(plan);
        if (!busy.isEmpty()) {
            throw new CommandFailure(String.join("\n", busy));
        }
        new TrainingCluster(ClusterFolder.create(path, plan), commands).run();
    }

    private void run() throws IOException {
        for (LocalNode node : folder.nodes()) {
            node.note(new Started(ProcessId.current(), null));
            Threads.SYSTEM.start("teff-" + node.name(), () -> commands.run("node", "--config",
                node.folder().resolve(LocalNode.FILE).toString()));
        }
        new Readiness(folder, _ -> { }, null).await();
        ClientConfig client = folder.entrance().client();
        try (ClusterAdmin admin = folder.entrance().connect();
             ClusterStore store = ClusterStore.connect(client)) {
            create(store);
            change(store);
            for (int i = 0; i < DEATHS; i++) {
                declareDead(admin, folder.nodes().get(1 + i));
                read(store);
            }
            change(store);
        }
        commands.run("cluster", "status", "--dir", folder.path().toString());
        commands.run("cluster", "logs", folder.entrance().name(), "--dir", folder.path().toString());
        commands.run("cluster", "up", "--dir", folder.path() + "-other", "--port",
            String.valueOf(folder.plan().port()));              // refused, as the ports are in use
    }

    private void create(ClusterStore store) {
        byte[] source = new byte[BATCH * CHUNK_BYTES];
        int[] lengths = new int[BATCH];
        Arrays.fill(lengths, CHUNK_BYTES);
        for (int at = 0; at < CHUNKS; at += BATCH) {
            var _ = store.batch().create(MemorySegment.ofArray(source), lengths, cids, at, false);
        }
    }

    private void change(ClusterStore store) {
        byte[] bytes = new byte[CHUNK_BYTES];
        long end = Clock.SYSTEM.nowNs() + SINGLES_NS;
        for (int i = 0; Clock.SYSTEM.nowNs() - end < 0; i++) {
            long cid = cids[i * 7 % CHUNKS];
            var _ = store.put(cid, bytes);
            var _ = store.get(cid, bytes);
            long fresh = store.create(bytes);
            if (i % 2 == 0) {
                var _ = store.remove(fresh);
            }
        }
    }

    private void read(ClusterStore store) {
        byte[] target = new byte[BATCH * CHUNK_BYTES];
        int[] lengths = new int[BATCH];
        for (int at = 0; at < CHUNKS; at += BATCH) {
            store.batch().get(cids, at, BATCH, target, 0, lengths);
        }
    }

    /** The running peer learns of its death, and begins a new life; the other peers restore the zones. */
    private static void declareDead(ClusterAdmin admin, LocalNode node) {
        NodeLife life = node.life();
        if (life != null) {
            var _ = admin.reportEnd(life, REPLY_NS);
        }
    }
}
