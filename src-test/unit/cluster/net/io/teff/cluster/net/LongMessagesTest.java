package io.teff.cluster.net;

import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.message.MessageType;
import io.teff.cluster.net.message.NetworkException;
import io.teff.cluster.net.message.NetworkException.Reason;
import io.teff.cluster.net.message.RequestType;
import io.teff.engine.codec.schema.Codecs;
import io.teff.test.kit.Form;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Goal: the memory for waiting messages of many frames is bounded on both sides, and a message that is no longer wanted
 * affects no other.
 *
 * <p>Method: two networks with their own threads, within the process, with small send buffers, so that a message has
 * many frames; handlers that wait, or that a sender outruns.
 */
@Timeout(300)
final class LongMessagesTest {
    private static final AtomicInteger NAMES = new AtomicInteger();
    private static final MessageType<byte[]> BYTES = MessageType.of(2, Codecs.BYTES);
    private static final RequestType<Long, Long> SQUARES = RequestType.of(3, Codecs.LONG, Codecs.LONG);
    private static final int LENGTH = 1 << 20;
    private static final int RING = 64 << 10;
    private static final int OFFERS = Form.size(100, 200, 1_000);

    private final String name = "loop:long-messages-test-" + NAMES.incrementAndGet() + "-";
    private final Map<Integer, String> book = new ConcurrentHashMap<>();

    private NetworkConfig.Builder config(int nid) {
        return PatientConfig.of(nid).listen(name + nid).addresses(book::get).handlerThreads(1)
            .ringBytes(RING, RING).windowBytes(256 << 10);
    }

    private Network open(NetworkConfig.Builder config) throws IOException {
        final Network network = Network.open(config.build());
        book.put(network.nid(), network.addresses().getFirst());
        return network;
    }

    /** A quarter of a message fits into the window, so few unhandled messages are accepted. */
    @Test
    void messagesThatWaitForTheirHandler_closeTheWindow() throws IOException {
        final CountDownLatch may = new CountDownLatch(1);
        try (Network one = open(config(1).sendTimeoutNs(500_000_000)); Network two = open(config(2))) {
            two.handle(BYTES, (from, bytes) -> may.await());
            try {
                final int most = 5;
                final byte[] bytes = new byte[LENGTH];
                final int taken = assertThrowsAfter(one, bytes, most * 10);
                assertTrue(taken <= most, taken + " messages were taken");
            } finally {
                may.countDown();                                // or close would wait for the handler
            }
        }
    }

    private static int assertThrowsAfter(Network from, byte[] bytes, int most) {
        int sent = 0;
        try {
            while (sent < most) {
                from.send(2, BYTES, bytes);
                sent++;
            }
        } catch (NetworkException e) {
            assertEquals(Reason.TIMED_OUT, e.reason());
        }
        return sent;
    }

    /** However many messages are offered, only a few are begun whose remaining bytes wait on the heap. */
    @Test
    void messagesThatAreOffered_doNotPileUp() throws IOException {
        final AtomicLong handled = new AtomicLong();
        long sent = 0;
        long most = 0;
        try (Network one = open(config(1)); Network two = open(config(2))) {
            two.handle(BYTES, (from, bytes) -> handled.incrementAndGet());
            final byte[] bytes = new byte[LENGTH / 8];
            while (sent < OFFERS) {
                sent += one.offer(2, 0, BYTES, bytes) ? 1 : 0;
                most = Math.max(most, sent - handled.get());
            }
        }
        assertTrue(most <= 8, most + " messages were on their way at once");
    }

    /** The request has ended, so the maximum length of its answer is no longer known. */
    @Test
    void longAnswerThatComesLate_isDropped() throws Exception {
        final RequestType<Long, byte[]> large = new RequestType<>(MessageType.of(5, Codecs.LONG),
            new MessageType<>(5, Codecs.BYTES, 100 << 20));
        final CountDownLatch asked = new CountDownLatch(1);
        final CountDownLatch may = new CountDownLatch(1);
        try (Network one = open(config(1)); Network two = open(config(2).handlerThreads(2))) {
            two.answer(SQUARES, (from, number) -> number * number);
            two.answer(large, (from, number) -> {
                asked.countDown();
                may.await();
                return new byte[80 << 20];
            });
            try {
                long deadlineNs = 1_000_000;
                do {                                            // a request that was given up unsent never arrives
                    final CompletableFuture<byte[]> answer = one.request(2, large, 1L, deadlineNs);
                    assertThrows(ExecutionException.class, () -> answer.get(60, TimeUnit.SECONDS));
                    deadlineNs *= 2;
                } while (!asked.await(1, TimeUnit.SECONDS));
            } finally {
                may.countDown();
            }
            while (one.stats(2).bytesReceived() < 80 << 20) {
                assertEquals(4L, one.call(2, SQUARES, 2L));     // LOST if the session has ended
            }
            assertEquals(4L, one.call(2, SQUARES, 2L));
            assertEquals(0, one.stats().sessionsLost());
        }
    }
}
