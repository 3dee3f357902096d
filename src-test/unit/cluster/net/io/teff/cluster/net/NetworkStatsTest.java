package io.teff.cluster.net;

import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.message.MessageType;
import io.teff.cluster.net.message.NetworkException;
import io.teff.cluster.net.message.NetworkException.Reason;
import io.teff.cluster.net.message.RequestType;
import io.teff.cluster.net.report.ConnectionStats;
import io.teff.cluster.net.report.ConnectionStats.State;
import io.teff.cluster.net.report.NetworkStats;
import io.teff.engine.codec.schema.Codecs;
import io.teff.test.kit.Threads;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Goal: statistics count each occurrence once, consistently on both sides. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class NetworkStatsTest {
    private static final byte[] SECRET = "sixteen bytes at".getBytes(US_ASCII);
    private static final AtomicInteger NAMES = new AtomicInteger();
    private static final MessageType<byte[]> BYTES = MessageType.of(1, Codecs.BYTES);
    private static final MessageType<byte[]> NOBODYS = MessageType.of(2, Codecs.BYTES);
    private static final RequestType<Long, Long> SQUARES = RequestType.of(3, Codecs.LONG, Codecs.LONG);
    private static final RequestType<Long, Long> FAILING = RequestType.of(4, Codecs.LONG, Codecs.LONG);
    private static final RequestType<Long, Long> SLOW = RequestType.of(5, Codecs.LONG, Codecs.LONG);
    private static final int COUNT = 1000;
    private static final int LONG_BYTES = 300_000;

    private final String name = "loop:network-stats-test-" + NAMES.incrementAndGet() + "-";
    private final Map<Integer, String> book = new ConcurrentHashMap<>();

    private NetworkConfig.Builder config(int nid) {
        book.put(nid, name + nid);
        return PatientConfig.of(nid).listen(name + nid).addresses(book::get);
    }

    @Test
    void messagesAndRequests_areCountedOnce() throws IOException, InterruptedException {
        try (Network one = Network.open(config(1).build()); Network two = Network.open(config(2).build())) {
            two.handle(BYTES, (from, bytes) -> {
                if (bytes.length == 1) {
                    throw new IllegalStateException("planned");
                }
            });
            two.answer(SQUARES, (from, number) -> number * number);
            two.answer(FAILING, (from, number) -> {
                throw new IllegalStateException("planned");
            });
            assertEquals(new ConnectionStats(2, State.NONE, 0, 0, 0, 0, 0, 0, 0, 0), one.stats(2));
            for (int i = 0; i < COUNT; i++) {
                one.send(2, BYTES, new byte[100]);
            }
            one.send(2, BYTES, new byte[LONG_BYTES]);           // in fragments
            one.send(2, BYTES, new byte[1]);
            one.send(2, NOBODYS, new byte[1]);
            assertEquals(49, one.call(2, SQUARES, 7L));
            assertThrows(NetworkException.class, () -> one.call(2, FAILING, 7L));
            Threads.await("all messages", () -> two.stats().messagesHandled() == COUNT + 2
                && two.stats().messagesUnhandled() == 1 && two.stats().handlerFailures() == 2
                && one.stats(2).unacknowledgedBytes() == 0);
            final NetworkStats stats = one.stats();
            assertEquals(COUNT + 3, stats.messagesSent());
            assertEquals(2, stats.requestsSent());
            assertEquals(1, stats.requestsAnswered());
            assertEquals(1, stats.requestsFailed());
            assertEquals(0, stats.requestsInFlight());
            assertEquals(1, stats.linksMade());
            assertEquals(1, stats.linksOpen());
            assertEquals(1, stats.sessionsBegun());
            assertTrue(stats.bytesSent() > 100 * COUNT + LONG_BYTES && stats.bytesSent() < 200 * COUNT + 2 * LONG_BYTES,
                stats::toString);
            assertTrue(stats.ringBytes() > 0 && stats.poolBytes() >= stats.ringBytes(), stats::toString);
            final ConnectionStats there = one.stats(2);
            assertEquals(State.UP, there.state());
            assertEquals(COUNT + 5, there.messagesSent());
            assertEquals(2, there.messagesReceived());
            assertEquals(stats.bytesSent(), there.bytesSent());
            assertEquals(0, there.reconnects());
            final ConnectionStats back = two.stats(1);
            assertEquals(COUNT + 5, back.messagesReceived());
            assertEquals(2, back.messagesSent());
            Threads.await("all bytes", () -> two.stats(1).bytesReceived() == one.stats(2).bytesSent());
        }
    }

    @Test
    void linksSessionsAndTimeouts_areCounted() throws IOException, InterruptedException {
        final CountDownLatch never = new CountDownLatch(1);
        try (Network one = Network.open(config(1).secret(SECRET).build());
             Network three = Network.open(config(3).build())) {
            try (Network two = Network.open(config(2).secret(SECRET).build())) {
                two.answer(SLOW, (from, number) -> {
                    never.await();
                    return number;
                });
                final CompletableFuture<Long> waiting = one.request(2, SLOW, 2L, 60_000_000_000L);
                assertEquals(1, one.stats().requestsInFlight());
                final CompletableFuture<Long> late = one.request(2, SLOW, 1L, 20_000_000);
                assertThrows(CompletionException.class, late::join);
                Threads.await("the link", () -> one.stats().linksOpen() == 1);
                never.countDown();
                assertEquals(2, waiting.join());
            }
            Threads.await("the end of the link",
                () -> one.stats().linksLost() > 0 && one.stats(2).state() == State.NONE);
            final NetworkStats stats = one.stats();
            assertEquals(1, stats.requestsTimedOut());
            assertEquals(1, stats.requestsAnswered());
            assertEquals(2, stats.requestsSent());
            try (Network two = Network.open(config(2).secret(SECRET).build())) {
                one.send(2, NOBODYS, new byte[1]);
                Threads.await("the link", () -> one.stats().linksOpen() == 1);
                final NetworkStats again = one.stats();
                assertEquals(1, again.sessionsLost());
                assertEquals(2, again.sessionsBegun());
                assertEquals(again.linksMade(), again.sessionsBegun() + again.sessionsResumed(), again::toString);
                assertEquals(again.linksMade() - 1, one.stats(2).reconnects(), again::toString);
                assertEquals(again.linksMade() - 1, again.linksLost(), again::toString);
                assertThrows(CompletionException.class, three.request(2, SLOW, 1L, 100_000_000)::join);
                Threads.await("a refusal", () -> two.stats().linksRefused().containsKey("PROOF"));
                Threads.await("a refusal there", () -> three.stats().linksRefused().containsKey("PROOF"));
                final NetworkStats atLast = one.stats();
                assertEquals(2, atLast.linksMade(), atLast::toString);
                assertEquals(1, atLast.linksOpen(), atLast::toString);
            }
        }
    }

    @Test
    void wantOfRoom_isCounted() throws IOException {
        final CountDownLatch free = new CountDownLatch(1);
        try (Network one = Network.open(config(1).sendTimeoutNs(5_000_000).ringBytes(1 << 14, 1 << 14).build());
             Network two = Network.open(config(2).windowBytes(1 << 18).build())) {
            two.handle(BYTES, (from, bytes) -> free.await());
            long sent = 0;
            long refused = 0;
            ConnectionStats there;
            do {                                                // until it is the window that leaves no room
                try {
                    one.send(2, BYTES, new byte[1000]);
                    sent++;
                } catch (NetworkException e) {
                    assertEquals(Reason.TIMED_OUT, e.reason());
                    refused++;
                }
                there = one.stats(2);
            } while (refused == 0 || there.unacknowledgedBytes() == 0);
            final NetworkStats stats = one.stats();
            free.countDown();
            assertEquals(sent, stats.messagesSent());
            assertEquals(refused, stats.refusedFull());
            assertTrue(stats.roomWaits() >= 1 && stats.roomWaitNs() >= 5_000_000, stats::toString);
            assertTrue(there.unacknowledgedBytes() > 0 && there.ringBytes() >= 1 << 14, there::toString);
        }
    }
}
