package io.teff.test.net;

import static io.teff.test.net.Messages.BYTES;
import static io.teff.test.net.Messages.ECHO;
import static io.teff.test.net.Messages.NUMBERS;
import static io.teff.test.net.Messages.SECOND;
import static io.teff.test.net.Messages.SECRET;
import static io.teff.test.net.Messages.SLOW;
import static io.teff.test.net.Messages.SQUARES;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.net.Network;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.message.MessageType;
import io.teff.cluster.net.message.NetworkException.Reason;
import io.teff.cluster.net.message.NetworkException;
import io.teff.engine.codec.schema.Codecs;
import io.teff.test.kit.Form;
import io.teff.test.kit.Threads;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Goal: the behaviour of two nodes as seen by an application, over any transport, beyond {@link EachTransport}:
 * requests end once, and what was sent before a close arrives. The gate has it over two transports, full over all.
 *
 * <p>Method: networks with their own threads, over the transport of the nodes.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public interface NetworkContract {
    /** Calls of a thread. */
    int CALLS = Form.size(600, 2_000);

    /** Returns the nodes of this test. */
    TestNodes nodes();

    @Test
    @SuppressWarnings("try")                                    // closed twice on purpose
    default void requests_endWhateverHappens() throws IOException {
        final CountDownLatch never = new CountDownLatch(1);
        try (Network one = nodes().open(nodes().config(1).requestTimeoutNs(50_000_000));
             Network two = nodes().open(2)) {
            two.answer(SLOW, (from, number) -> {
                never.await();
                return number;
            });
            try {
                assertEquals(Reason.TIMED_OUT,
                    assertThrows(NetworkException.class, () -> one.call(2, SLOW, 1L)).reason());
                final CompletableFuture<Long> waiting = one.request(2, SLOW, 1L, 10_000_000_000L);
                one.close();
                assertEquals(Reason.CLOSED, reason(waiting));
                assertEquals(Reason.CLOSED,
                    assertThrows(NetworkException.class, () -> one.send(2, NUMBERS, 1L)).reason());
            } finally {
                never.countDown();                              // or close would wait for the handler
            }
        }
    }

    private static Reason reason(CompletableFuture<?> future) {
        final CompletionException thrown = assertThrows(CompletionException.class, future::join);
        return ((NetworkException) thrown.getCause()).reason();
    }

    @Test
    default void whatWasSentBeforeAClose_arrives() throws IOException, InterruptedException {
        final int count = 50_000;
        final CountDownLatch left = new CountDownLatch(count);
        try (Network two = nodes().open(2)) {
            two.handle(NUMBERS, (from, number) -> left.countDown());
            try (Network one = nodes().open(nodes().config(1).lingerNs(600_000_000_000L))) {
                for (long i = 0; i < count; i++) {
                    one.send(2, NUMBERS, i);
                }
            }
            left.await();                                       // for ever if one is missing
        }
    }

    /** The agent may not have seen the message when the close begins. */
    @Test
    default void firstMessageRightBeforeAClose_arrives() throws IOException, InterruptedException {
        final int rounds = 20;
        final CountDownLatch left = new CountDownLatch(rounds);
        try (Network two = nodes().open(2)) {
            two.handle(NUMBERS, (from, number) -> left.countDown());
            for (int round = 0; round < rounds; round++) {
                try (Network one = nodes().open(nodes().config(10 + round).lingerNs(60 * SECOND))) {
                    one.send(2, NUMBERS, 1L);
                }
            }
            assertTrue(left.await(60, TimeUnit.SECONDS), left.getCount() + " of " + rounds + " are missing");
        }
    }

    /** Node 4 handles nothing until released, so there is no room for more for a while; node 2 continues. */
    @Test
    default void multicastAndOffer_sayWhoHasNoRoom() throws IOException, InterruptedException {
        final CountDownLatch may = new CountDownLatch(1);
        final Map<Integer, AtomicLong> handled = Map.of(2, new AtomicLong(), 4, new AtomicLong());
        final Map<Integer, Long> sent = new HashMap<>(Map.of(2, 0L, 4, 0L));
        final byte[] bytes = new byte[1000];
        try (Network one = nodes().open(nodes().config(1).sendTimeoutNs(0).ringBytes(16 << 10, 16 << 10)
                .windowBytes(256 << 10));
             Network two = nodes().open(2); Network four = nodes().open(nodes().config(4).windowBytes(256 << 10))) {
            two.handle(BYTES, (from, message) -> handled.get(2).incrementAndGet());
            four.handle(BYTES, (from, message) -> {
                may.await();
                handled.get(4).incrementAndGet();
            });
            try {
                Map<Integer, NetworkException> failed = Map.of();
                while (!failed.containsKey(4)) {
                    failed = one.multicast(List.of(2, 4, 2), 1, BYTES, bytes);
                    for (int nid : sent.keySet()) {
                        sent.merge(nid, failed.containsKey(nid) ? 0L : 1L, Long::sum);
                    }
                }
                assertEquals(Reason.FULL, failed.get(4).reason());
                while (one.offer(4, 1, BYTES, bytes)) {
                    sent.merge(4, 1L, Long::sum);
                }
            } finally {
                may.countDown();                                // or close would wait for the handler
            }
            Threads.await("room", () -> one.offer(4, 1, BYTES, bytes));
            sent.merge(4, 1L, Long::sum);
            Threads.await("all messages",
                () -> handled.get(2).get() >= sent.get(2) && handled.get(4).get() >= sent.get(4));
            assertThrows(IllegalArgumentException.class, () -> one.multicast(List.of(2, 1), 1, BYTES, bytes));
            assertThrows(IllegalArgumentException.class, () -> one.offer(2, -1, BYTES, bytes));
        }
        handled.forEach((nid, count) -> assertEquals(sent.get(nid), count.get(), "node " + nid));
    }

    @Test
    default void tooLongMessage_isRefused() throws IOException {
        final MessageType<byte[]> small = new MessageType<>(2, Codecs.BYTES, 100);
        try (Network one = nodes().open(1); Network two = nodes().open(2)) {
            assertEquals(Reason.TOO_LARGE,
                assertThrows(NetworkException.class, () -> one.send(2, small, new byte[200])).reason());
            assertThrows(IllegalArgumentException.class, () -> one.send(1, BYTES, new byte[1]));
            assertThrows(IllegalArgumentException.class, () -> one.send(2, 256, BYTES, new byte[1]));
            two.handle(BYTES, (from, bytes) -> { });
            assertThrows(IllegalArgumentException.class, () -> two.handle(BYTES, (from, bytes) -> { }));
        }
    }

    @Test
    default void unknownAndSilentNodes_areUnreachable() throws IOException {
        nodes().enter(3, nodes().nobody());
        try (Network one = nodes().open(nodes().config(1).reachNs(SECOND))) {
            for (int nid : new int[] {3, 4}) {
                assertEquals(Reason.UNREACHABLE, reason(one.request(nid, SLOW, 1L, 60 * SECOND)));
            }
        }
    }

    @Test
    default void wrongSecret_isRefused() throws IOException {
        final byte[] secret = "a secret of the cluster".getBytes(StandardCharsets.UTF_8);
        try (Network one = nodes().open(nodes().config(1).secret(SECRET).reachNs(SECOND));
             Network two = nodes().open(nodes().config(2).secret(secret));
             Network three = nodes().open(nodes().config(3).secret(secret))) {
            two.answer(ECHO, (from, bytes) -> bytes);
            assertArrayEquals(new byte[3], three.request(2, ECHO, new byte[3]).join());
            final CompletableFuture<byte[]> future = one.request(2, ECHO, new byte[1]);
            assertThrows(CompletionException.class, future::join);
        }
    }

    private static CompletableFuture<Void> start(Runnable task) {
        return CompletableFuture.runAsync(task, it -> Thread.ofPlatform().start(it));
    }

    @Test
    default void requestsInBothDirections_fromManyThreads() throws IOException {
        try (Network one = nodes().open(1); Network two = nodes().open(2)) {
            Messages.answerSquares(one, two);
            final List<CompletableFuture<Void>> done = new ArrayList<>();
            for (Network from : List.of(one, two, one, two)) {
                done.add(start(() -> {
                    for (long number = 0; number < CALLS; number++) {
                        assertEquals(number * number, from.request(3 - from.nid(), SQUARES, number).join());
                    }
                }));
            }
            done.forEach(CompletableFuture::join);
        }
    }

    /** A calling thread writes beside its agent, while others keep the agent busy or let it sleep. */
    @Test
    default void callsBesideMessages_fromManyThreads() throws IOException, InterruptedException {
        try (Network one = nodes().open(1); Network two = nodes().open(2)) {
            Messages.answerSquares(one, two);
            final List<Long> seen = new ArrayList<>();
            final CountDownLatch left = new CountDownLatch(CALLS);
            two.handle(NUMBERS, (from, number) -> {
                seen.add(number);
                left.countDown();
            });
            final List<CompletableFuture<Void>> done = new ArrayList<>();
            for (Network from : List.of(one, two, one)) {
                done.add(start(() -> {
                    for (long number = 0; number < CALLS; number++) {
                        assertEquals(number * number, call(from, 3 - from.nid(), number));
                    }
                }));
            }
            for (long number = 0; number < CALLS; number++) {
                one.send(2, 1, NUMBERS, number);
                if (number % 64 == 0) {
                    assertEquals(number * number, call(one, 2, number));
                }
            }
            done.forEach(CompletableFuture::join);
            left.await();
            assertEquals(LongStream.range(0, CALLS).boxed().toList(), seen);
        }
    }

    /** The interrupted thread may be the one that writes: the link does not end with its call. */
    @Test
    default void callOfInterruptedThread_keepsTheLink() throws IOException, InterruptedException {
        try (Network one = nodes().open(1); Network two = nodes().open(2)) {
            Messages.answerSquares(two);
            assertEquals(9, one.call(2, SQUARES, 3L));
            for (int i = 0; i < 100; i++) {
                Thread.currentThread().interrupt();
                try {
                    assertEquals(16, one.call(2, SQUARES, 4L));
                    assertTrue(Thread.interrupted(), "the answer was there before it could wait");
                } catch (InterruptedException _) {
                    assertFalse(Thread.currentThread().isInterrupted());
                }
                assertEquals(25, one.call(2, SQUARES, 5L));
            }
            assertEquals(1, one.stats().linksMade());
        }
    }

    private static long call(Network from, int to, long number) {
        try {
            return from.call(to, SQUARES, number);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Far more than windows and rings hold, so on both sides requests wait for room, and answers with them. Requests
     * never take the whole room, because answers are what frees it.
     */
    @Test
    default void floodsOfRequestsInBothDirections_areAnswered() throws IOException {
        final int count = 20_000;
        try (Network one = nodes().open(patient(1)); Network two = nodes().open(patient(2))) {
            one.answer(ECHO, (from, bytes) -> bytes);
            two.answer(ECHO, (from, bytes) -> bytes);
            final List<CompletableFuture<Void>> done = new ArrayList<>();
            for (Network from : List.of(one, two)) {
                done.add(start(() -> {
                    final List<CompletableFuture<byte[]>> all = new ArrayList<>();
                    for (int i = 0; i < count; i++) {
                        all.add(from.request(3 - from.nid(), ECHO, new byte[i % 200]));
                    }
                    assertEquals(count / 200 * (199L * 200 / 2), all.stream().mapToLong(it -> it.join().length).sum());
                }));
            }
            done.forEach(CompletableFuture::join);
        }
    }

    private NetworkConfig.Builder patient(int nid) {
        return nodes().config(nid).windowBytes(256 << 10).sendTimeoutNs(60 * SECOND);
    }
}
