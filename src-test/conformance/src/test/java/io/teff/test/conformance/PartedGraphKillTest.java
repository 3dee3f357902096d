package io.teff.test.conformance;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.ClusterStore;
import io.teff.engine.ChunkStore;
import io.teff.engine.Store;
import io.teff.engine.compute.JobException.Reason;
import io.teff.engine.compute.JobException;
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
import io.teff.test.clusters.OneProcess;
import io.teff.test.kit.Threads;
import io.teff.test.kit.tier.FullTier;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each algorithm on a graph in parts, with the kill of a peer in a superstep and between two supersteps. */
@FullTier("a cluster of four peers and a kill for each algorithm; PartedGraphOnStoresTest has living peers in the gate")
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class PartedGraphKillTest {
    private static final int PEERS = 4;
    private static final int VICTIM = 1;
    private static final int KILLED_AT = 2;
    private static final int SUPERSTEPS_MAX = 10_000;
    private static final double EXACT = 1e-12;
    private static final String GRAPH = "killed";

    @TempDir
    private Path folder;

    private final Workers threads = new Workers(2);
    private OneProcess cluster;
    private ChunkStore store;

    @BeforeEach
    void start() throws IOException {
        cluster = OneProcess.start("graph-kills-" + System.nanoTime(), folder, PEERS, 1);
        store = ClusterStore.connect(cluster.address());
        load(store);
    }

    private PartedGraph load(ChunkStore into) throws IOException {
        return new PartedLoader(into, threads).load(GRAPH, GeneratorForm.parse("uniform:300,1200", 3, true));
    }

    @AfterEach
    void close() throws IOException {
        PausedProgram.unhook();
        store.close();
        cluster.close();
        threads.close();
    }

    private static byte[] number(int... numbers) {
        ByteBuffer bytes = ByteBuffer.allocate(numbers.length * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (int number : numbers) {
            bytes.putInt(number);
        }
        return bytes.array();
    }

    private static byte[] rankSettings() {
        return ByteBuffer.allocate(Integer.BYTES + Double.BYTES).order(ByteOrder.LITTLE_ENDIAN).putInt(10)
            .putDouble(0.85).array();
    }

    /** Each program with each way to go on, and with a kill in and between supersteps. */
    static Stream<Arguments> kills() {
        List<Arguments> all = new ArrayList<>();
        for (OnWorkerLoss onLoss : List.of(OnWorkerLoss.RESTART_RUN, OnWorkerLoss.RESTART_STEP)) {
            for (boolean isInside : new boolean[] {true, false}) {
                all.add(Arguments.of("bfs", number(5), onLoss, isInside));
                all.add(Arguments.of("components", number(), onLoss, isInside));
                all.add(Arguments.of("pagerank", rankSettings(), onLoss, isInside));
                all.add(Arguments.of("paths", number(5), onLoss, isInside));
                all.add(Arguments.of("cores", number(), onLoss, isInside));
                all.add(Arguments.of("communities", number(10), onLoss, isInside));
            }
        }
        return all.stream();
    }

    private void kill() {
        try {
            cluster.kill(VICTIM);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Kills a peer in the first superstep that has this number, while each worker of the step waits. */
    private void killInside() {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch killed = new CountDownLatch(1);
        PausedProgram.hook(superstep -> {
            if (superstep == KILLED_AT) {
                begun.countDown();
                try {
                    killed.await();
                } catch (InterruptedException _) {
                    Thread.currentThread().interrupt();
                }
            }
        });
        Threads.start("killer", _ -> {
            begun.await();
            kill();
            killed.countDown();
        });
    }

    /** Counts the runs that begin, and kills a peer between two supersteps if wished. */
    private final class Watch implements WorkWatch {
        private final AtomicBoolean kills;
        private final AtomicInteger begun = new AtomicInteger();

        Watch(boolean kills) {
            this.kills = new AtomicBoolean(kills);
        }

        @Override
        public void at(String step, long done, long total) {
            if (done == 0) {
                begun.incrementAndGet();
            }
            if (done == KILLED_AT && kills.compareAndSet(true, false)) {
                kill();
            }
        }
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

    @ParameterizedTest
    @MethodSource("kills")
    void run_whosePeerIsKilled_hasTheSameResult(String program, byte[] settings, OnWorkerLoss onLoss, boolean isInside)
            throws IOException {
        PartedValues expected;
        try (Store local = Store.open(); PartedRuns runs = new PartedRuns(load(local), RunOptions.DEFAULT)) {
            expected = runs.run(program, settings, SUPERSTEPS_MAX);
        }
        if (isInside) {
            killInside();
        }
        Watch watch = new Watch(!isInside);
        try (PartedRuns runs = new PartedRuns(PartedGraph.open(store, GRAPH), RunOptions.DEFAULT.onLoss(onLoss),
            watch)) {
            PartedValues values = runs.run(PausedProgram.NAME, PausedProgram.settings(program, settings),
                SUPERSTEPS_MAX);
            if (program.equals("pagerank")) {
                assertArrayEquals(expected.doubles(0), values.doubles(0), EXACT);
            } else {
                assertArrayEquals(states(expected), states(values));
            }
            // A worker that has not begun its superstep begins at the next owner, which is no restart.
            assertTrue(runs.figures().restarts() > 0 || onLoss == OnWorkerLoss.RESTART_STEP,
                () -> runs.figures().toString());
            int begun = watch.begun.get();
            assertTrue(onLoss == OnWorkerLoss.RESTART_STEP ? begun == 1 : begun > 1, () -> begun + " runs have begun");
        }
        assertTrue(PartedGraph.drop(store, GRAPH));
    }

    @Test
    void triangles_whosePeerIsKilled_areTheSame() throws IOException {
        long expected;
        try (Store local = Store.open(); PartedRuns runs = new PartedRuns(load(local), RunOptions.DEFAULT)) {
            expected = PartedAlgorithms.triangles(runs);
        }
        AtomicBoolean isKilled = new AtomicBoolean();
        WorkWatch watch = new WorkWatch() {
            @Override
            public void at(String step, long done, long total) {
                if (done == 1 && isKilled.compareAndSet(false, true)) {
                    kill();
                }
            }
        };
        try (PartedRuns runs = new PartedRuns(PartedGraph.open(store, GRAPH),
            RunOptions.DEFAULT.onLoss(OnWorkerLoss.RESTART_STEP), watch)) {
            assertEquals(expected, PartedAlgorithms.triangles(runs));
            assertTrue(isKilled.get());
        }
    }

    @Test
    void run_thatMustNotBeginAnew_isLost() throws IOException {
        killInside();
        try (PartedRuns runs = new PartedRuns(PartedGraph.open(store, GRAPH),
            RunOptions.DEFAULT.onLoss(OnWorkerLoss.FAIL))) {
            assertEquals(Reason.LOST, assertThrows(JobException.class, () -> runs.run(PausedProgram.NAME,
                PausedProgram.settings("bfs", number(5)), SUPERSTEPS_MAX)).reason());
            PausedProgram.unhook();
            assertEquals(5, PartedAlgorithms.search(runs, 5).root(), "a further run has another group");
        }
    }
}
