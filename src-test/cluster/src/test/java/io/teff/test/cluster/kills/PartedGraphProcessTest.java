package io.teff.test.cluster.kills;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.ClusterStore;
import io.teff.cluster.meta.NodeRef;
import io.teff.engine.ChunkStore;
import io.teff.engine.Store;
import io.teff.graph.cluster.PartedAlgorithms;
import io.teff.graph.cluster.PartedGraph;
import io.teff.graph.cluster.PartedLoader;
import io.teff.graph.cluster.PartedRuns;
import io.teff.graph.cluster.PartedValues;
import io.teff.graph.cluster.RunOptions.OnWorkerLoss;
import io.teff.graph.cluster.RunOptions;
import io.teff.graph.generate.GeneratorForm;
import io.teff.graph.work.WorkWatch;
import io.teff.graph.work.Workers;
import io.teff.test.kit.Threads;
import io.teff.test.kit.tier.FullTier;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: each algorithm on a graph in parts has the result of a run without a kill although the process of a worker is
 * killed by SIGKILL in the middle. Method: a cluster of processes; each program stops at a gate in its third superstep,
 * the test kills a process that has stopped there, and opens the gate. Half of the programs restart the step of the
 * lost worker, the others begin anew. Triangles lose a process between two slices.
 */
@Tag("processes")
@FullTier("a cluster of processes and seven kills; PartedGraphOnStoresTest has living peers in the gate")
@Timeout(value = 30, unit = TimeUnit.MINUTES)
final class PartedGraphProcessTest {
    private static final int ROUNDS = 10;
    private static final double DAMPING = 0.85;
    private static final double EXACT = 1e-12;
    private static final int SUPERSTEPS_MAX = 10_000;
    private static final String GRAPH = "killed";
    private static final String RANKS = "pagerank";

    @TempDir
    private Path folder;
    private final Workers threads = new Workers(2);

    /** A program, and the way to go on. */
    private record Run(String program, OnWorkerLoss onLoss, byte[] settings) {
        static Run of(String program, OnWorkerLoss onLoss, int... settings) {
            ByteBuffer bytes = ByteBuffer.allocate(settings.length * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
            for (int number : settings) {
                bytes.putInt(number);
            }
            return new Run(program, onLoss, bytes.array());
        }
    }

    private static List<Run> programs() {
        return List.of(Run.of("bfs", OnWorkerLoss.RESTART_STEP, 5),
            Run.of("components", OnWorkerLoss.RESTART_RUN),
            new Run(RANKS, OnWorkerLoss.RESTART_STEP, ByteBuffer.allocate(Integer.BYTES + Double.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN).putInt(ROUNDS).putDouble(DAMPING).array()),
            Run.of("paths", OnWorkerLoss.RESTART_RUN, 5),
            Run.of("cores", OnWorkerLoss.RESTART_STEP),
            Run.of("communities", OnWorkerLoss.RESTART_RUN, ROUNDS));
    }

    private PartedGraph load(ChunkStore into) throws IOException {
        return new PartedLoader(into, threads).load(GRAPH, GeneratorForm.parse("uniform:2000,8000", 3, true));
    }

    @Test
    void algorithms_whoseProcessesAreKilled_haveTheSameResults() throws IOException, InterruptedException {
        try (threads; LocalCluster cluster = new LocalCluster(folder.resolve("cluster"), null);
             ClusterStore store = cluster.connect(); Store local = Store.open();
             PartedRuns expected = new PartedRuns(load(local), RunOptions.DEFAULT)) {
            cluster.awaitBacked();
            PartedGraph graph = load(store);
            for (Run run : programs()) {
                killInside(cluster, graph, run, expected.run(run.program(), run.settings(), SUPERSTEPS_MAX));
            }
            killBetweenSlices(cluster, graph, PartedAlgorithms.triangles(expected));
            assertTrue(PartedGraph.drop(store, GRAPH));
        }
    }

    private void killInside(LocalCluster cluster, PartedGraph graph, Run run, PartedValues expected)
            throws IOException, InterruptedException {
        FileGate gate = new FileGate(folder.resolve("gate-" + run.program()));
        gate.close();
        AtomicReference<NodeRef> killed = new AtomicReference<>();
        AtomicReference<String> victim = new AtomicReference<>();
        Threads.Running killer = Threads.start("killer", _ -> {
            victim.set(cluster.peerOf(gate.awaitStopped()));
            killed.set(cluster.kill(victim.get()));
            gate.open();
        });
        try (PartedRuns runs = new PartedRuns(graph, RunOptions.DEFAULT.onLoss(run.onLoss()))) {
            PartedValues values = runs.run(HeldProgram.NAME, HeldProgram.settings(gate, run.program(),
                run.settings()), SUPERSTEPS_MAX);
            killer.end();
            if (run.program().equals(RANKS)) {
                assertArrayEquals(expected.doubles(0), values.doubles(0), EXACT);
            } else {
                assertArrayEquals(states(expected), states(values), run.program());
            }
            assertTrue(runs.figures().restarts() > 0, () -> run.program() + ": " + runs.figures());
        }
        startAgain(cluster, victim.get(), killed.get());
    }

    private static void killBetweenSlices(LocalCluster cluster, PartedGraph graph, long expected)
            throws IOException, InterruptedException {
        AtomicReference<NodeRef> killed = new AtomicReference<>();
        String victim = cluster.peers().getFirst();
        WorkWatch watch = new WorkWatch() {
            @Override
            public void at(String step, long done, long total) {
                if (done == 1 && killed.get() == null) {
                    killed.set(cluster.kill(victim));
                }
            }
        };
        try (PartedRuns runs = new PartedRuns(graph, RunOptions.DEFAULT.onLoss(OnWorkerLoss.RESTART_STEP), watch)) {
            assertEquals(expected, PartedAlgorithms.triangles(runs));
        }
        assertNotNull(killed.get());
        startAgain(cluster, victim, killed.get());
    }

    private static void startAgain(LocalCluster cluster, String victim, NodeRef killed)
            throws IOException, InterruptedException {
        cluster.awaitServed(killed);
        cluster.awaitTrue("the end of " + victim + " is noticed", () -> cluster.mayStart(victim));
        cluster.start(victim);
        cluster.awaitBacked();
    }

    private static byte[] states(PartedValues values) {
        ByteBuffer all = ByteBuffer.allocate(values.vertexCount() * values.rowBytes());
        for (int vertex = 0; vertex < values.vertexCount(); vertex++) {
            for (int offset = 0; offset < values.rowBytes(); offset += Integer.BYTES) {
                all.putInt(values.getInt(vertex, offset));
            }
        }
        return all.array();
    }
}
