package io.teff.test.net;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.net.Network;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.message.MessageType;
import io.teff.cluster.net.message.NetworkException;
import io.teff.cluster.net.message.NetworkException.Reason;
import io.teff.cluster.net.message.RequestType;
import io.teff.engine.codec.schema.Codecs;
import io.teff.test.kit.Form;
import io.teff.test.kit.Threads;
import java.io.IOException;
import java.net.BindException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Goal: the behaviour of two nodes as seen by an application, over any transport: messages arrive once and in the order
 * of their lanes, and requests end once, whatever their lengths.
 *
 * <p>Method: networks with their own threads, over the transport of the subclass.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public abstract class NetworkContract {
    private static final byte[] SECRET = "sixteen bytes at".getBytes(US_ASCII);
    private static final MessageType<Long> NUMBERS = MessageType.of(1, Codecs.LONG);
    private static final MessageType<byte[]> BYTES = MessageType.of(2, Codecs.BYTES);
    private static final RequestType<Long, Long> SQUARES = RequestType.of(3, Codecs.LONG, Codecs.LONG);
    private static final RequestType<byte[], byte[]> ECHO = RequestType.of(4, Codecs.BYTES, Codecs.BYTES);
    private static final RequestType<Long, Long> FAILING = RequestType.of(5, Codecs.LONG, Codecs.LONG);
    private static final RequestType<Long, Long> SLOW = RequestType.of(6, Codecs.LONG, Codecs.LONG);

    private static final int CALLS = Form.size(600, 2_000);
    private static final long SECOND = 1_000_000_000;
    private static final int LENGTH_MAX = (64 << 20) - 16;

    private final Map<Integer, String> book = new ConcurrentHashMap<>();

    /** {@return the address at which a node listens} */
    protected abstract String listenAt(int nid);

    /** {@return whether a request and its answer have the maximum length once} */
    protected boolean echoesLongest() {
        return Form.isLong();
    }

    /** {@return an address without a listener} */
    protected abstract String nobody();

    /**
     * {@return a node's configuration, with long limits: a first handshake, or 64 MiB, takes long on a busy machine}
     */
    protected NetworkConfig.Builder config(int nid) {
        return NetworkConfig.builder(nid).listen(listenAt(nid)).addresses(book::get).reachNs(60 * SECOND)
            .requestTimeoutNs(120 * SECOND);
    }

    /** {@return a network that the other nodes can find} */
    protected final Network open(NetworkConfig.Builder config) throws IOException {
        final Network network = Network.open(config.build());
        book.put(network.nid(), network.addresses().getFirst());
        return network;
    }

    private Network open(int nid) throws IOException {
        return open(config(nid));
    }

    @Test
    protected void messages_inOrderWithinTheirLanes() throws IOException, InterruptedException {
        final int lanes = 4;
        final int count = 20_000;
        final CountDownLatch left = new CountDownLatch(lanes * count);
        final AtomicReferenceArray<List<Long>> seen = new AtomicReferenceArray<>(lanes);
        for (int lane = 0; lane < lanes; lane++) {
            seen.set(lane, Collections.synchronizedList(new ArrayList<>()));
        }
        try (Network one = open(1); Network two = open(2)) {
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
    protected void requests_areAnswered() throws IOException, InterruptedException {
        try (Network one = open(1); Network two = open(2)) {
            answerSquares(two);
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
    protected void bytesOfAnyLength_comeAsTheyWere() throws IOException, InterruptedException {
        final SplittableRandom random = new SplittableRandom(1);
        try (Network one = open(1); Network two = open(2)) {
            two.answer(ECHO, (from, bytes) -> bytes);
            for (int length : new int[] {0, 1, 8, 100, 4000, 8160, 8192, 8200, 65_000, 70_000, 1 << 20, 5_000_001,
                LENGTH_MAX}) {
                final byte[] bytes = new byte[length < LENGTH_MAX || echoesLongest() ? length : length / 8];
                random.nextBytes(bytes);
                assertArrayEquals(bytes, one.call(2, ECHO, bytes), "length " + bytes.length);
            }
        }
    }

    @Test
    @SuppressWarnings("try")                                    // closed twice on purpose
    protected void requests_endWhateverHappens() throws IOException {
        final CountDownLatch never = new CountDownLatch(1);
        try (Network one = open(config(1).requestTimeoutNs(50_000_000));
             Network two = open(2)) {
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
    protected void whatWasSentBeforeAClose_arrives() throws IOException, InterruptedException {
        final int count = 50_000;
        final CountDownLatch left = new CountDownLatch(count);
        try (Network two = open(2)) {
            two.handle(NUMBERS, (from, number) -> left.countDown());
            try (Network one = open(config(1).lingerNs(600_000_000_000L))) {
                for (long i = 0; i < count; i++) {
                    one.send(2, NUMBERS, i);
                }
            }
            left.await();                                       // for ever if one is missing
        }
    }

    /** The agent may not have seen the message when the close begins. */
    @Test
    protected void firstMessageRightBeforeAClose_arrives() throws IOException, InterruptedException {
        final int rounds = 20;
        final CountDownLatch left = new CountDownLatch(rounds);
        try (Network two = open(2)) {
            two.handle(NUMBERS, (from, number) -> left.countDown());
            for (int round = 0; round < rounds; round++) {
                try (Network one = open(config(10 + round).lingerNs(60 * SECOND))) {
                    one.send(2, NUMBERS, 1L);
                }
            }
            assertTrue(left.await(60, TimeUnit.SECONDS), left.getCount() + " of " + rounds + " are missing");
        }
    }

    /** Node 4 handles nothing until released, so there is no room for more for a while; node 2 continues. */
    @Test
    protected void multicastAndOffer_sayWhoHasNoRoom() throws IOException, InterruptedException {
        final CountDownLatch may = new CountDownLatch(1);
        final Map<Integer, AtomicLong> handled = Map.of(2, new AtomicLong(), 4, new AtomicLong());
        final Map<Integer, Long> sent = new HashMap<>(Map.of(2, 0L, 4, 0L));
        final byte[] bytes = new byte[1000];
        try (Network one = open(config(1).sendTimeoutNs(0).ringBytes(16 << 10, 16 << 10).windowBytes(256 << 10));
             Network two = open(2); Network four = open(config(4).windowBytes(256 << 10))) {
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
    protected void tooLongMessage_isRefused() throws IOException {
        final MessageType<byte[]> small = new MessageType<>(2, Codecs.BYTES, 100);
        try (Network one = open(1); Network two = open(2)) {
            assertEquals(Reason.TOO_LARGE,
                assertThrows(NetworkException.class, () -> one.send(2, small, new byte[200])).reason());
            assertThrows(IllegalArgumentException.class, () -> one.send(1, BYTES, new byte[1]));
            assertThrows(IllegalArgumentException.class, () -> one.send(2, 256, BYTES, new byte[1]));
            two.handle(BYTES, (from, bytes) -> { });
            assertThrows(IllegalArgumentException.class, () -> two.handle(BYTES, (from, bytes) -> { }));
        }
    }

    @Test
    protected void unknownAndSilentNodes_areUnreachable() throws IOException {
        book.put(3, nobody());
        try (Network one = open(config(1).reachNs(SECOND))) {
            for (int nid : new int[] {3, 4}) {
                assertEquals(Reason.UNREACHABLE, reason(one.request(nid, SLOW, 1L, 60 * SECOND)));
            }
        }
    }

    @Test
    protected void wrongSecret_isRefused() throws IOException {
        final byte[] secret = "a secret of the cluster".getBytes(StandardCharsets.UTF_8);
        try (Network one = open(config(1).secret(SECRET).reachNs(SECOND)); Network two = open(config(2).secret(secret));
             Network three = open(config(3).secret(secret))) {
            two.answer(ECHO, (from, bytes) -> bytes);
            assertArrayEquals(new byte[3], three.request(2, ECHO, new byte[3]).join());
            final CompletableFuture<byte[]> future = one.request(2, ECHO, new byte[1]);
            assertThrows(CompletionException.class, future::join);
        }
    }

    private static void answerSquares(Network... networks) {
        for (Network it : networks) {
            it.answer(SQUARES, (from, number) -> number * number);
        }
    }

    private static CompletableFuture<Void> start(Runnable task) {
        return CompletableFuture.runAsync(task, it -> Thread.ofPlatform().start(it));
    }

    @Test
    protected void requestsInBothDirections_fromManyThreads() throws IOException {
        try (Network one = open(1); Network two = open(2)) {
            answerSquares(one, two);
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
    protected void callsBesideMessages_fromManyThreads() throws IOException, InterruptedException {
        try (Network one = open(1); Network two = open(2)) {
            answerSquares(one, two);
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
    protected void callOfInterruptedThread_keepsTheLink() throws IOException, InterruptedException {
        try (Network one = open(1); Network two = open(2)) {
            answerSquares(two);
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
    protected void floodsOfRequestsInBothDirections_areAnswered() throws IOException {
        final int count = 20_000;
        try (Network one = open(patient(1)); Network two = open(patient(2))) {
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
        return config(nid).windowBytes(256 << 10).sendTimeoutNs(60 * SECOND);
    }

    @Test
    protected void nodeThatStartsAnew_isReached() throws IOException, InterruptedException {
        try (Network one = open(1)) {
            for (int start = 0; start < 3; start++) {
                try (Network two = open(2)) {
                    answerSquares(two);
                    assertEquals(9, callAgain(one), "start " + start);
                }
            }
        }
    }

    /** Calls until the session with the previous process is found to have ended. */
    private static long callAgain(Network from) throws InterruptedException {
        for (int tries = 0; tries < 10; tries++) {
            try {
                return from.call(2, SQUARES, 3L);
            } catch (NetworkException e) {
                assertEquals(Reason.LOST, e.reason());
            }
        }
        return -1;
    }

    @Test
    protected void addressThatIsTaken_cannotBeListenedAt() throws IOException {
        try (Network one = open(1)) {
            final NetworkConfig same = NetworkConfig.builder(2).listen(one.addresses().getFirst()).build();
            assertThrows(BindException.class, () -> Network.open(same));
        }
    }
}
