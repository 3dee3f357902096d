package io.teff.cluster.peer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.teff.cluster.ClusterStore;
import io.teff.cluster.WriteLevel;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.operation.JobCommit.Outcome;
import io.teff.cluster.operation.JobCommit;
import io.teff.cluster.operation.ZoneHost.Verdict;
import io.teff.cluster.operation.ZoneHost;
import io.teff.cluster.slot.Ticket;
import io.teff.engine.Cid;
import io.teff.engine.compute.Compute;
import io.teff.engine.compute.ComputeGroup;
import io.teff.engine.compute.GroupOptions;
import io.teff.engine.compute.JobException;
import io.teff.engine.compute.JobException.Reason;
import io.teff.engine.compute.JobOptions;
import io.teff.engine.compute.JobTarget;
import io.teff.engine.compute.OnLoss;
import io.teff.engine.compute.Reduction;
import io.teff.engine.zone.ChunkChange.Change;
import io.teff.engine.zone.ChunkChange.Condition;
import io.teff.engine.zone.ChunkChange;
import io.teff.test.kit.Threads;
import io.teff.test.kit.tier.FullTier;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Jobs and steps whose peers are killed in the middle. */
@FullTier("kills of peers with real messages; PeerComputeTest has jobs and groups of living peers in the gate")
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class PeerComputeKillTest {
    /** A tree of three levels: the root, four children, and a grandchild. */
    private static final int PEERS = 6;
    private static final int ZONES = 2;
    private static final int CHUNKS = 12;
    private static final int JOBS = 300;
    /** A session that no client has. */
    private static final int SESSION = 1_000_000;
    private static final JobOptions OPTIONS = JobOptions.DEFAULT;

    @TempDir
    private Path folder;

    private PeerCluster cluster;
    private ClusterStore store;
    private Compute compute;

    @BeforeEach
    void start() throws IOException {
        ComputeWork.register();
        cluster = new PeerCluster("compute-kills-" + System.nanoTime(), folder, 1);
        for (int i = 0; i < PEERS; i++) {
            cluster.start(i, Peer.start(cluster.config(i).withZones(ZONES, 1, 200_000_000L)));
        }
        cluster.awaitServed(PEERS * ZONES);
        store = cluster.connect();
        compute = store.compute();
    }

    @AfterEach
    void close() throws IOException {
        ComputeWork.mayEnd.countDown();
        store.close();
        cluster.close();
    }

    private void killOwner(int zone) throws IOException {
        cluster.killAttested(cluster.numberOf(cluster.owner(zone)));
    }

    private static JobException failure(CompletableFuture<byte[]> future) {
        return (JobException) assertThrows(CompletionException.class, future::join).getCause();
    }

    private long value(long cid) {
        return ComputeWork.number(store.chunks().get(cid).orElseThrow());
    }

    /** The changes of each job with a ticket count once, whatever is killed, and each job has its result. */
    @Test
    void jobsWithTickets_whilePeersAreKilled_countOnce() throws IOException {
        long[] cids = new long[CHUNKS];
        for (int i = 0; i < CHUNKS; i++) {
            cids[i] = store.create(new byte[Long.BYTES]);
        }
        List<CompletableFuture<byte[]>> futures = new ArrayList<>();
        ComputeWork.RUNS.set(0);
        for (int i = 0; i < JOBS; i++) {
            futures.add(compute.submit(JobTarget.chunk(cids[i % CHUNKS]), ComputeWork.ADD, ComputeWork.number(1),
                OPTIONS.once()));
            if (i == JOBS / 3) {
                Threads.await("some runs", () -> ComputeWork.RUNS.get() > JOBS / 10);
                killOwner(Cid.nid(cids[0]));
            }
        }
        futures.forEach(CompletableFuture::join);
        for (long cid : cids) {
            assertEquals(JOBS / CHUNKS, value(cid));
        }
    }

    /** The result of a run is in the record of its changes, and so at the next owner. */
    @Test
    void ticket_ofACommittedJob_isKnownToTheNextOwner() throws IOException {
        long cid = store.create(new byte[] {1});
        int zone = Cid.nid(cid);
        List<ChunkChange> changes = List.of(new ChunkChange(cid, Condition.EQUAL, new byte[] {1}, Change.PUT,
            new byte[] {2}));
        long ticket = Ticket.of(1, 0);
        ZoneHost host = cluster.owner(zone).host();
        assertNull(JobCommit.known(host, zone, SESSION, ticket));
        assertEquals(Outcome.DONE, JobCommit.commit(host, zone, changes, SESSION, ticket, new byte[] {7}).outcome());
        assertEquals(Outcome.REPEATED, JobCommit.commit(host, zone, changes, SESSION, ticket, new byte[] {8})
            .outcome());
        assertEquals(Outcome.CONFLICT, JobCommit.commit(host, zone, changes, 0, 0, new byte[0]).outcome());
        assertEquals(Verdict.SERVED, PeerCluster.afterChange(cluster.owner(zone), zone, WriteLevel.BACKED));
        killOwner(zone);
        JobCommit.Result known = JobCommit.known(cluster.owner(zone).host(), zone, SESSION, ticket);
        assertNotNull(known);
        assertEquals(Outcome.REPEATED, known.outcome());
        assertArrayEquals(new byte[] {7}, known.value());
        assertEquals(Outcome.DEPOSED, JobCommit.commit(host, zone, changes, 0, 0, new byte[0]).outcome());
        assertArrayEquals(new byte[] {2}, store.chunks().get(cid).orElseThrow());
    }

    /** What the job of a killed peer still changes is refused, and the job runs again at the next owner. */
    @Test
    void job_whoseOwnerIsKilled_runsAgain_andTheFirstRunChangesNothing() throws Exception {
        long cid = store.create(new byte[Long.BYTES]);
        ComputeWork.begun = new CountDownLatch(2);
        ComputeWork.mayEnd = new CountDownLatch(1);
        CompletableFuture<byte[]> again = compute.submit(JobTarget.chunk(cid), ComputeWork.ADD_AND_WAIT,
            ComputeWork.number(5));
        Threads.await("the first run", () -> ComputeWork.begun.getCount() == 1);
        killOwner(Cid.nid(cid));
        ComputeWork.begun.await();
        ComputeWork.mayEnd.countDown();
        assertEquals(5, ComputeWork.number(again.join()));
        assertEquals(5, value(cid));
    }

    @Test
    void job_thatMustNotRunAgain_isLostWithItsNode() throws Exception {
        long cid = store.create(new byte[Long.BYTES]);
        ComputeWork.begun = new CountDownLatch(1);
        CompletableFuture<byte[]> future = compute.submit(JobTarget.chunk(cid), ComputeWork.WAIT, new byte[0],
            OPTIONS.onLoss(OnLoss.FAIL));
        ComputeWork.begun.await();
        killOwner(Cid.nid(cid));
        assertEquals(Reason.LOST, failure(future).reason());
    }

    /** The workers of the killed peer run the step again, with the same messages, and no message counts twice. */
    @Test
    void step_whosePeerIsKilled_hasTheSameResult() throws Exception {
        try (ComputeGroup group = compute.group(GroupOptions.DEFAULT.onLoss(OnLoss.RUN_AGAIN))) {
            int workers = group.workers();
            long all = workers * (workers - 1L) / 2;
            group.step(ComputeWork.EXCHANGE, new byte[0], Reduction.SUM);
            ComputeWork.waitingZone = compute.zones()[0];
            ComputeWork.begun = new CountDownLatch(1);
            Threads.Running killer = Threads.start("killer", _ -> {
                ComputeWork.begun.await();
                killOwner(ComputeWork.waitingZone);
            });
            assertArrayEquals(new long[] {all * workers, workers}, group.step(ComputeWork.EXCHANGE_AND_WAIT,
                new byte[0], Reduction.SUM).reduced());
            killer.end();
            for (int step = 2; step < 5; step++) {
                assertArrayEquals(new long[] {all * step * workers, workers}, group.step(ComputeWork.EXCHANGE,
                    new byte[0], Reduction.SUM).reduced(), "step " + step);
            }
        }
    }

    @Test
    void step_whosePeerIsKilled_failsIfItMustNotRunAgain() throws Exception {
        ComputeGroup group = compute.group(GroupOptions.DEFAULT);
        ComputeWork.waitingZone = compute.zones()[0];
        ComputeWork.begun = new CountDownLatch(1);
        Threads.Running killer = Threads.start("killer", _ -> {
            ComputeWork.begun.await();
            killOwner(ComputeWork.waitingZone);
        });
        assertEquals(Reason.LOST, assertThrows(JobException.class, () -> group.step(ComputeWork.EXCHANGE_AND_WAIT,
            new byte[0], Reduction.SUM)).reason());
        killer.end();
    }

    /** Between two steps a zone has another owner: the messages come from the node that had them. */
    @Test
    void step_behindAKill_hasTheMessagesOfTheLastStep() throws Exception {
        try (ComputeGroup group = compute.group(GroupOptions.DEFAULT.onLoss(OnLoss.RUN_AGAIN))) {
            int workers = group.workers();
            group.step(ComputeWork.EXCHANGE, new byte[0], Reduction.SUM);
            killOwner(compute.zones()[0]);
            for (ZoneRow row : cluster.rows()) {
                cluster.owner(row.zone());
            }
            assertArrayEquals(new long[] {workers * (workers - 1L) / 2 * workers, workers}, group.step(
                ComputeWork.EXCHANGE, new byte[0], Reduction.SUM).reduced());
        }
    }
}
