package io.teff.cluster.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.ClientConfig;
import io.teff.cluster.ClusterStore;
import io.teff.cluster.WriteLevel;
import io.teff.cluster.net.Network;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.operation.OperationAnswer;
import io.teff.cluster.operation.OperationFormat;
import io.teff.cluster.operation.OperationMessages;
import io.teff.cluster.operation.OperationType;
import io.teff.cluster.operation.RequestBytes;
import io.teff.cluster.operation.ZoneHost.Verdict;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.error.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client that sends requests, and whose thread that reads the answers stands still. */
@Timeout(300)
class SilentClientTest {
    private static final int NID = 0xF123;
    private static final int BYTES = 30_000;
    private static final int REQUESTS = 1_600;
    /** What the peer may keep for the client: two of the longest answers. */
    private static final long BYTES_MAX = 2L * OperationFormat.LONG_BYTES_MAX;
    private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(60);

    private static void await(CountDownLatch latch) {
        try {
            assertTrue(latch.await(LIMIT_NS, TimeUnit.NANOSECONDS));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void client_thatReadsNoAnswers_costsABoundedMemory_andOthersAreServed() throws Exception {
        CountDownLatch isStill = new CountDownLatch(1);
        CountDownLatch over = new CountDownLatch(1);
        List<CompletableFuture<byte[]>> answers = new ArrayList<>();
        try (TestCell cell = new TestCell(); TestPeer peer = new TestPeer(cell)) {
            int zone = cell.zones(peer.node, 1);
            peer.open(zone, StoreConfig.builder().memoryLimitBytes(64L << 20).build());
            try (ClusterStore store = ClusterStore.connect(ClientConfig.builder(cell.address()).build());
                 Network silent = Network.open(NetworkConfig.builder(NID).addresses(_ -> peer.address())
                     .handlerThreads(1).lingerNs(0).reachNs(LIMIT_NS).awayNs(LIMIT_NS).build())) {
                long cid = store.create(new byte[BYTES]);
                peer.hold();                                    // no backup has the last change of the chunk yet
                for (int i = 0; i < REQUESTS; i++) {
                    RequestBytes get = RequestBytes.own().begin(OperationType.GET, WriteLevel.BACKED, 0, 0, BYTES, cid);
                    answers.add(OperationMessages.request(silent, peer.node.nid(), false, false, get, LIMIT_NS));
                }
                var _ = answers.getLast().thenAccept(_ -> {
                    isStill.countDown();
                    await(over);
                });
                await(isStill);
                peer.letGo(Verdict.SERVED);
                long kept = BYTES_MAX / BYTES + 1 + TestPeer.THREADS;   // a thread may be late with what it refuses
                assertTrue(busy(answers) >= REQUESTS - kept, busy(answers) + " were refused");
                assertEquals(Status.OK, store.put(cid, new byte[BYTES]));
                assertEquals(BYTES, store.get(cid, new byte[BYTES]));
                over.countDown();
                for (CompletableFuture<byte[]> answer : answers) {
                    int code = code(answer.get(LIMIT_NS, TimeUnit.NANOSECONDS));
                    assertTrue(code == OperationFormat.DONE || code == OperationFormat.BUSY, "code " + code);
                }
            } finally {
                over.countDown();
            }
        }
    }

    private static int code(byte[] answer) {
        return OperationAnswer.read(answer, OperationType.GET, BYTES).code();
    }

    /** Returns how many requests were answered that the peer is busy, as it keeps enough answers. */
    private static long busy(List<CompletableFuture<byte[]>> answers) {
        return answers.stream().filter(CompletableFuture::isDone)
            .filter(answer -> code(answer.join()) == OperationFormat.BUSY).count();
    }
}
