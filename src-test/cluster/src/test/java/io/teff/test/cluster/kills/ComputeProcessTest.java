package io.teff.test.cluster.kills;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.teff.cluster.ClusterStore;
import io.teff.cluster.meta.NodeRef;
import io.teff.engine.compute.Compute;
import io.teff.engine.compute.ComputeGroup;
import io.teff.engine.compute.GroupOptions;
import io.teff.engine.compute.JobOptions;
import io.teff.engine.compute.JobTarget;
import io.teff.engine.compute.OnLoss;
import io.teff.engine.compute.Reduction;
import io.teff.test.kit.Threads;
import io.teff.test.kit.tier.FullTier;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: jobs and groups have the results of a run without a kill although a process is killed by SIGKILL in the middle
 * of a job, and in the middle of a step. Method: a cluster of processes; the work stops at a gate, the test kills a
 * process that has stopped there, and opens the gate.
 */
@Tag("processes")
@FullTier("a cluster of processes and two kills; PeerComputeTest has jobs and groups of living peers in the gate")
@Timeout(value = 20, unit = TimeUnit.MINUTES)
final class ComputeProcessTest {
    private static final int CHUNKS = 12;
    private static final int JOBS = 240;
    private static final int HELD_JOB = JOBS / 3;
    /** Two for each peer: the heaps of the test's peers are small. */
    private static final int WORKERS = 8;
    private static final int STEPS = 5;
    private static final int HELD_STEP = 2;

    @TempDir
    private Path folder;

    /** A process that was killed. */
    private record Kill(String peer, NodeRef life) {}

    /** A thread that kills the first process that stops at a gate, and opens the gate. */
    private static Threads.Running killer(LocalCluster cluster, FileGate gate, AtomicReference<Kill> kill) {
        return Threads.start("killer", _ -> {
            String peer = cluster.peerOf(gate.awaitStopped());
            kill.set(new Kill(peer, cluster.kill(peer)));
            gate.open();
        });
    }

    @Test
    void jobsAndSteps_whoseProcessesAreKilled_haveTheSameResults() throws IOException, InterruptedException {
        try (LocalCluster cluster = new LocalCluster(folder.resolve("cluster"), null);
             ClusterStore store = cluster.connect()) {
            cluster.awaitBacked();
            FileGate gate = new FileGate(folder.resolve("gate"));
            Kill kill = jobsCountOnce(cluster, store, gate);
            cluster.awaitServed(kill.life());
            cluster.awaitTrue("the end of " + kill.peer() + " is noticed", () -> cluster.mayStart(kill.peer()));
            cluster.start(kill.peer());
            cluster.awaitBacked();
            stepsAreTheSame(cluster, store.compute(), gate);
        }
    }

    private static Kill jobsCountOnce(LocalCluster cluster, ClusterStore store, FileGate gate)
            throws IOException, InterruptedException {
        AtomicReference<Kill> kill = new AtomicReference<>();
        long[] cids = new long[CHUNKS];
        for (int i = 0; i < CHUNKS; i++) {
            cids[i] = store.create(new byte[Long.BYTES]);
        }
        gate.close();
        Threads.Running killer = killer(cluster, gate, kill);
        List<CompletableFuture<byte[]>> futures = new ArrayList<>();
        for (int i = 0; i < JOBS; i++) {
            byte[] argument = i == HELD_JOB ? HeldJob.argument(i, gate) : HeldJob.argument(i);
            futures.add(store.compute().submit(JobTarget.chunk(cids[i % CHUNKS]), HeldJob.NAME, argument,
                JobOptions.DEFAULT.once()));
        }
        futures.forEach(CompletableFuture::join);
        killer.end();
        for (int chunk = 0; chunk < CHUNKS; chunk++) {
            long expected = 0;
            for (int i = chunk; i < JOBS; i += CHUNKS) {
                expected += i;
            }
            assertEquals(expected, HeldJob.number(store.chunks().get(cids[chunk]).orElseThrow()), "chunk " + chunk);
        }
        return kill.get();
    }

    private static void stepsAreTheSame(LocalCluster cluster, Compute compute, FileGate gate)
            throws IOException, InterruptedException {
        gate.close();
        Threads.Running killer = killer(cluster, gate, new AtomicReference<>());
        try (ComputeGroup group = compute.group(GroupOptions.DEFAULT.workers(WORKERS)
            .onLoss(OnLoss.RUN_AGAIN))) {
            int workers = group.workers();
            long all = workers * (workers - 1L) / 2 * workers;
            for (int step = 1; step <= STEPS; step++) {
                byte[] argument = step == HELD_STEP ? gate.file().toString().getBytes(StandardCharsets.UTF_8)
                    : new byte[0];
                assertArrayEquals(new long[] {all * (step - 1), workers}, group.step(HeldTask.NAME, argument,
                    Reduction.SUM).reduced(), "step " + step);
            }
        }
        killer.end();
    }
}
