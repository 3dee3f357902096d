package io.teff.cluster.net;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.net.NetworkException.Reason;
import io.teff.engine.codec.Codecs;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.junit.jupiter.api.Test;

/**
 * Goal: what an application sees of two nodes in one process: messages arrive once and in the order of their lanes,
 * requests end once, whatever their lengths.
 *
 * <p>Method: two networks over {@code loop:}, with their own threads.
 */
final class NetworkTest {
    private static final MessageType<Long> NUMBERS = MessageType.of(1, Codecs.LONG);
    private static final MessageType<byte[]> BYTES = MessageType.of(2, Codecs.BYTES);
    private static final RequestType<Long, Long> SQUARES = RequestType.of(3, Codecs.LONG, Codecs.LONG);
    private static final RequestType<byte[], byte[]> ECHO = RequestType.of(4, Codecs.BYTES, Codecs.BYTES);
    private static final RequestType<Long, Long> FAILING = RequestType.of(5, Codecs.LONG, Codecs.LONG);
    private static final RequestType<Long, Long> SLOW = RequestType.of(6, Codecs.LONG, Codecs.LONG);
    private static final AtomicInteger NAMES = new AtomicInteger();

    private static NetworkConfig.Builder config(String name, int nid) {
        return NetworkConfig.builder(nid).listen("loop:" + name + nid).addresses(to -> "loop:" + name + to);
    }

    private static String name() {
        return "network-test-" + NAMES.incrementAndGet() + "-";
    }

    private static Network open(String name, int nid) throws IOException {
        return Network.open(config(name, nid).build());
    }

    @Test
    void messages_inOrderWithinTheirLanes() throws IOException, InterruptedException {
        final String name = name();
        final int lanes = 4;
        final int count = 20_000;
        final CountDownLatch left = new CountDownLatch(lanes * count);
        final AtomicReferenceArray<List<Long>> seen = new AtomicReferenceArray<>(lanes);
        for (int lane = 0; lane < lanes; lane++) {
            seen.set(lane, Collections.synchronizedList(new ArrayList<>()));
        }
        try (Network one = open(name, 1); Network two = open(name, 2)) {
            two.handle(NUMBERS, (from, number) -> {
                assertEquals(1, from);
                seen.get((int) (number % lanes)).add(number / lanes);
                left.countDown();
            });
            final List<Thread> senders = new ArrayList<>();
            for (int lane = 0; lane < lanes; lane++) {
                final int its = lane;
                senders.add(Thread.ofPlatform().start(() -> {
                    for (long i = 0; i < count; i++) {
                        one.send(2, its, NUMBERS, i * lanes + its);
                    }
                }));
            }
            for (Thread sender : senders) {
                sender.join();
            }
            left.await();
        }
        for (int lane = 0; lane < lanes; lane++) {
            final List<Long> numbers = seen.get(lane);
            if (lane == 0) {
                Collections.sort(numbers);                      // the lane without an order
            }
            for (int i = 0; i < count; i++) {
                assertEquals(i, numbers.get(i), "lane " + lane);
            }
        }
    }

    @Test
    void requests_areAnswered() throws IOException, InterruptedException {
        final String name = name();
        try (Network one = open(name, 1); Network two = open(name, 2)) {
            two.answer(SQUARES, (from, number) -> number * number);
            two.answer(FAILING, (from, number) -> {
                throw new IllegalStateException("no " + number);
            });
            assertEquals(49, one.call(2, SQUARES, 7L));
            final List<CompletableFuture<Long>> all = new ArrayList<>();
            for (long i = 0; i < 10_000; i++) {
                all.add(one.request(2, SQUARES, i));
            }
            for (long i = 0; i < all.size(); i++) {
                assertEquals(i * i, all.get((int) i).join());
            }
            final NetworkException failed = assertThrows(NetworkException.class, () -> one.call(2, FAILING, 3L));
            assertEquals(Reason.FAILED, failed.reason());
            assertTrue(String.valueOf(failed.getMessage()).contains("no 3"), failed.getMessage());
            assertEquals(Reason.NO_HANDLER,
                assertThrows(NetworkException.class, () -> one.call(2, ECHO, new byte[1])).reason());
            two.send(1, NUMBERS, 1L);
            assertEquals(25, one.call(2, SQUARES, 5L));
        }
    }

    @Test
    void bytesOfAnyLength_comeAsTheyWere() throws IOException, InterruptedException {
        final String name = name();
        final SplittableRandom random = new SplittableRandom(1);
        try (Network one = open(name, 1); Network two = open(name, 2)) {
            two.answer(ECHO, (from, bytes) -> bytes);
            for (int length : new int[] {0, 1, 8, 100, 4000, 8160, 8192, 8200, 65_000, 1 << 20, 5_000_001}) {
                final byte[] bytes = new byte[length];
                random.nextBytes(bytes);
                assertArrayEquals(bytes, one.call(2, ECHO, bytes), "length " + length);
            }
        }
    }

    @Test
    @SuppressWarnings("try")                                    // closed twice on purpose
    void requests_endWhateverHappens() throws IOException {
        final String name = name();
        final CountDownLatch never = new CountDownLatch(1);
        try (Network one = Network.open(config(name, 1).requestTimeoutNs(50_000_000).build());
             Network two = open(name, 2)) {
            two.answer(SLOW, (from, number) -> {
                never.await();
                return number;
            });
            assertEquals(Reason.TIMED_OUT,
                assertThrows(NetworkException.class, () -> one.call(2, SLOW, 1L)).reason());
            assertEquals(Reason.UNREACHABLE, reason(one.request(3, SLOW, 1L, 10_000_000_000L)));
            final CompletableFuture<Long> waiting = one.request(2, SLOW, 1L, 10_000_000_000L);
            one.close();
            assertEquals(Reason.CLOSED, reason(waiting));
            assertEquals(Reason.CLOSED,
                assertThrows(NetworkException.class, () -> one.send(2, NUMBERS, 1L)).reason());
            never.countDown();
        }
    }

    private static Reason reason(CompletableFuture<?> future) {
        final CompletionException thrown = assertThrows(CompletionException.class, future::join);
        return ((NetworkException) thrown.getCause()).reason();
    }

    @Test
    void whatWasSentBeforeAClose_arrives() throws IOException, InterruptedException {
        final String name = name();
        final int count = 50_000;
        final CountDownLatch left = new CountDownLatch(count);
        try (Network two = open(name, 2)) {
            two.handle(NUMBERS, (from, number) -> left.countDown());
            try (Network one = open(name, 1)) {
                for (long i = 0; i < count; i++) {
                    one.send(2, NUMBERS, i);
                }
            }
            left.await();                                       // for ever if one is missing
        }
    }

    @Test
    void tooLongMessage_isRefused() throws IOException {
        final String name = name();
        final MessageType<byte[]> small = new MessageType<>(2, Codecs.BYTES, 100);
        try (Network one = open(name, 1); Network two = open(name, 2)) {
            assertEquals(Reason.TOO_LARGE,
                assertThrows(NetworkException.class, () -> one.send(2, small, new byte[200])).reason());
            assertThrows(IllegalArgumentException.class, () -> one.send(1, BYTES, new byte[1]));
            assertThrows(IllegalArgumentException.class, () -> one.send(2, 256, BYTES, new byte[1]));
            two.handle(BYTES, (from, bytes) -> { });
            assertThrows(IllegalArgumentException.class, () -> two.handle(BYTES, (from, bytes) -> { }));
        }
    }
}
