package io.teff.cluster.net;

import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.message.MessageType;
import io.teff.cluster.net.message.NetworkException;
import io.teff.cluster.net.message.NetworkException.Reason;
import io.teff.cluster.net.message.NetworkListener;
import io.teff.cluster.net.message.RequestType;
import io.teff.cluster.net.thread.UserCode;
import io.teff.engine.codec.Codec;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.Output;
import io.teff.engine.codec.PartialReader;
import io.teff.engine.codec.schema.Codecs;
import io.teff.test.kit.Threads;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Goal: what an application's own code does - handlers, listeners, codecs, what is chained to a future - harms no other
 * message: a network never stands still because of it.
 *
 * <p>Method: two networks with their own threads, inside of the process; the one has code that throws, interrupts, or
 * calls back into its network. Then a request must be answered. A network that stands still shows by a time limit,
 * which is far above what any machine needs.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class UserCodeTest {
    private static final long PATIENCE_S = 60;
    private static final AtomicInteger NAMES = new AtomicInteger();
    private static final MessageType<Long> NUMBERS = MessageType.of(1, Codecs.LONG);
    private static final MessageType<byte[]> BYTES = MessageType.of(2, Codecs.BYTES);
    private static final RequestType<Long, Long> SQUARES = RequestType.of(3, Codecs.LONG, Codecs.LONG);
    private static final MessageType<String> TEXTS = MessageType.of(5, Codecs.STRING);
    private static final RequestType<Long, Long> FAILING = RequestType.of(4, Codecs.LONG, Codecs.LONG);

    private final String name = "loop:user-code-test-" + NAMES.incrementAndGet() + "-";
    private final Map<Integer, String> book = new ConcurrentHashMap<>();

    private NetworkConfig.Builder config(int nid) {
        return PatientConfig.of(nid).listen(name + nid).addresses(book::get).handlerThreads(2);
    }

    private Network open(NetworkConfig.Builder config) throws IOException {
        final Network network = Network.open(config.build());
        book.put(network.nid(), network.addresses().getFirst());
        return network;
    }

    private static void answerSquares(Network network) {
        network.answer(SQUARES, (from, number) -> number * number);
    }

    private static void assertGoesOn(Network from, int to) throws Exception {
        assertEquals(9L, end(from.request(to, SQUARES, 3L)));
    }

    private static <T> T end(CompletableFuture<T> future)
        throws InterruptedException, ExecutionException, TimeoutException {
        return future.get(PATIENCE_S, TimeUnit.SECONDS);
    }

    private static Reason reason(CompletableFuture<?> future) {
        final ExecutionException thrown = assertThrows(ExecutionException.class, () -> end(future));
        return assertInstanceOf(NetworkException.class, thrown.getCause()).reason();
    }

    // ---- code that throws ----

    /** A codec that declares eight bytes, and writes as many bytes as the number says. */
    private static Codec<Long> wrongSize() {
        return new Codec<>() {
            @Override
            public void write(Long value, Output out) {
                out.putBytes(new byte[value.intValue()], 0, value.intValue());
            }

            @Override
            public Long read(Input in) {
                return in.getLong();
            }

            @Override
            public long fingerprint() {
                return 1;
            }

            @Override
            public int fixedBytes() {
                return Long.BYTES;
            }
        };
    }

    @Test
    void codecThatWritesAnotherNumberOfBytes_isRefusedAtSending() throws Exception {
        final MessageType<Long> wrong = MessageType.of(6, wrongSize());
        try (Network two = open(config(2)); Network one = open(config(1))) {
            answerSquares(two);
            two.handle(wrong, (_, _) -> { });
            for (final long bytes : new long[] {3, 9, 100_000}) {
                assertTrue(assertThrows(IllegalStateException.class, () -> one.send(2, 1, wrong, bytes)).getMessage()
                    .endsWith(" wrote " + bytes + " bytes, not 8"));
            }
            assertEquals(49L, one.request(2, SQUARES, 7L).get(PATIENCE_S, TimeUnit.SECONDS));
        }
    }

    /** More errors than there are threads, in lane 0 and in another lane. */
    @Test
    void errorOfAHandler_isAFailureAsAnother() throws Exception {
        final CountDownLatch handled = new CountDownLatch(1);
        try (Network one = open(config(1)); Network two = open(config(2))) {
            answerSquares(two);
            two.answer(FAILING, (from, number) -> {
                throw new AssertionError("error " + number);
            });
            two.handle(NUMBERS, (from, number) -> {
                if (number < 0) {
                    throw new StackOverflowError();
                }
                handled.countDown();
            });
            for (long i = 0; i < 4; i++) {
                assertEquals(Reason.FAILED, reason(one.request(2, FAILING, i)));
            }
            one.send(2, 7, NUMBERS, -1L);
            one.send(2, 7, NUMBERS, 1L);
            assertEquals(true, handled.await(PATIENCE_S, TimeUnit.SECONDS), "the lane stands still");
            assertGoesOn(one, 2);
        }
    }

    /** An exception whose own methods throw. */
    private static final class Mute extends RuntimeException {
        private static final long serialVersionUID = 1;

        @Override
        public String toString() {
            throw new IllegalStateException("who asks?");
        }

        @Override
        public String getMessage() {
            throw new IllegalStateException("who asks?");
        }
    }

    @Test
    void exceptionThatCannotBeTold_isAFailureAsAnother() throws Exception {
        final CountDownLatch handled = new CountDownLatch(1);
        final NetworkListener mute = new NetworkListener() {
            @Override
            public void failed(int nid, int type, Throwable thrown) {
                throw new Mute();
            }
        };
        try (Network one = open(config(1)); Network two = open(config(2).listener(mute))) {
            answerSquares(two);
            two.answerShort(FAILING, (from, number) -> {
                throw new Mute();
            });
            two.handle(NUMBERS, (from, number) -> {
                if (number < 0) {
                    throw new Mute();
                }
                handled.countDown();
            });
            assertEquals(Reason.FAILED, reason(one.request(2, FAILING, 1L)));
            for (long number = -4; number < 1; number++) {
                one.send(2, 7, NUMBERS, number);
            }
            assertTrue(handled.await(PATIENCE_S, TimeUnit.SECONDS), "the lane stands still");
            assertGoesOn(one, 2);
        }
    }

    @Test
    void errorOfAShortHandler_doesNotEndTheAgent() throws Exception {
        try (Network one = open(config(1)); Network two = open(config(2))) {
            answerSquares(two);
            two.answerShort(FAILING, (from, number) -> {
                throw new AssertionError("error " + number);
            });
            assertEquals(Reason.FAILED, reason(one.request(2, FAILING, 1L)));
            assertGoesOn(one, 2);
        }
    }

    /** A codec that validates its messages. */
    private record Choosy() implements Codec<Long> {
        @Override
        public void write(Long value, Output out) {
            Codecs.LONG.write(value, out);
        }

        @Override
        public Long read(Input in) {
            throw new IllegalArgumentException("not " + Codecs.LONG.read(in));
        }

        @Override
        public long fingerprint() {
            return Codecs.LONG.fingerprint();
        }
    }

    @Test
    void answerThatCannotBeRead_endsItsRequest() throws Exception {
        final RequestType<Long, Long> choosy = RequestType.of(4, Codecs.LONG, new Choosy());
        try (Network one = open(config(1)); Network two = open(config(2))) {
            answerSquares(two);
            two.answer(FAILING, (from, number) -> number);
            assertEquals(Reason.FAILED, reason(one.request(2, choosy, 1L)));
            assertGoesOn(one, 2);
        }
    }

    /** Throws the given error from every callback. */
    private static final class Rude implements NetworkListener {
        @Override
        public void up(int nid) {
            throw new IllegalStateException("up");
        }

        @Override
        public void away(int nid, @Nullable Throwable why) {
            throw new IllegalStateException("away");
        }

        @Override
        public void lost(int nid, long messages, String why) {
            throw new IllegalStateException("lost");
        }

        @Override
        public void unhandled(int nid, int type) {
            throw new IllegalStateException("unhandled");
        }

        @Override
        public void failed(int nid, int type, Throwable thrown) {
            throw new IllegalStateException("failed");
        }
    }

    @Test
    void listenerThatThrows_isHeardNoMore() throws Exception {
        try (Network one = open(config(1)); Network two = open(config(2).listener(new Rude()))) {
            answerSquares(two);
            two.answer(FAILING, (from, number) -> {
                throw new IllegalStateException("no " + number);
            });
            for (int i = 0; i < 3; i++) {
                one.send(2, 1, NUMBERS, 1L);                    // has no handler
                assertEquals(Reason.FAILED, reason(one.request(2, FAILING, 1L)));
            }
            assertGoesOn(one, 2);
            two.send(5, NUMBERS, 1L);                           // unreachable: lost
            assertGoesOn(one, 2);
        }
    }

    @Test
    void bookOfAddressesThatThrows_makesANodeUnreachable() throws Exception {
        final NetworkConfig.Builder rude = config(1).addresses(nid -> {
            if (nid == 3) {
                throw new IllegalStateException("no node " + nid);
            }
            return book.get(nid);
        });
        try (Network one = open(rude); Network two = open(config(2))) {
            answerSquares(two);
            assertEquals(Reason.UNREACHABLE, reason(one.request(3, SQUARES, 1L)));
            assertGoesOn(one, 2);
        }
    }

    /**
     * Messages of lane 0, of another lane, and a long one; when the executor accepts tasks again, everything works as
     * before.
     */
    @Test
    void executorThatRefuses_isAsAHandlerThatThrows() throws Exception {
        final AtomicBoolean refuses = new AtomicBoolean(true);
        final BlockingQueue<String> told = new LinkedBlockingQueue<>();
        final NetworkListener listener = new NetworkListener() {
            @Override
            public void failed(int nid, int type, Throwable thrown) {
                told.add(type + " " + thrown.getMessage());
            }
        };
        final BlockingQueue<Object> handled = new LinkedBlockingQueue<>();
        try (ExecutorService pool = Executors.newFixedThreadPool(2); Network one = open(config(1));
             Network two = open(config(2).listener(listener).handlers(task -> {
                 if (refuses.get()) {
                     throw new RejectedExecutionException("no");
                 }
                 pool.execute(task);
             }))) {
            answerSquares(two);
            two.handle(NUMBERS, (from, number) -> handled.add(number));
            two.handle(TEXTS, (from, text) -> handled.add(text.length()));
            for (int round = 0; round < 3; round++) {
                refuses.set(true);
                assertEquals(Reason.FAILED, reason(one.request(2, SQUARES, 1L)));
                one.send(2, 7, NUMBERS, 1L);
                one.send(2, 7, TEXTS, "a".repeat(300_000));
                assertEquals(List.of("3 no", "1 no", "5 no"), List.of(take(told), take(told), take(told)));
                refuses.set(false);
                one.send(2, 7, NUMBERS, 2L);
                one.send(2, 7, TEXTS, "a".repeat(300_001));
                assertEquals(List.of(2L, 300_001), List.of(take(handled), take(handled)));
                assertGoesOn(one, 2);
            }
        }
    }

    /** A codec that fails before it reads the first part. */
    private record NoReader(Throwable thrown) implements Codec<byte[]> {
        @Override
        public void write(byte[] value, Output out) {
            Codecs.BYTES.write(value, out);
        }

        @Override
        public byte[] read(Input in) {
            return Codecs.BYTES.read(in);
        }

        @Override
        public PartialReader<byte[]> partialReader(int bytesMax) {
            if (thrown instanceof Error e) {
                throw e;
            }
            throw (RuntimeException) thrown;
        }

        @Override
        public long fingerprint() {
            return 1;
        }
    }

    @Test
    void codecThatHasNoReader_isTheHandlersFailure() throws Exception {
        final BlockingQueue<Throwable> told = new LinkedBlockingQueue<>();
        final NetworkListener listener = new NetworkListener() {
            @Override
            public void failed(int nid, int type, Throwable thrown) {
                told.add(thrown);
            }
        };
        final BlockingQueue<Object> handled = new LinkedBlockingQueue<>();
        try (Network one = open(config(1)); Network two = open(config(2).listener(listener))) {
            answerSquares(two);
            int id = 10;
            for (Throwable thrown : List.of(new IllegalStateException("mine"), new StackOverflowError("mine"))) {
                final Codec<byte[]> codec = new NoReader(thrown);
                id += 3;
                two.handle(MessageType.of(id, codec), (from, bytes) -> handled.add(bytes.length));
                two.answer(RequestType.of(id + 1, codec, Codecs.BYTES), (from, bytes) -> bytes);
                one.send(2, 7, MessageType.of(id, Codecs.BYTES), new byte[300_000]);
                assertEquals(thrown, take(told));
                assertEquals(Reason.FAILED, reason(one.request(2, RequestType.of(id + 1, Codecs.BYTES, Codecs.BYTES),
                    new byte[300_000])));
                assertEquals(thrown, take(told));
                one.send(2, 7, MessageType.of(id, Codecs.BYTES), new byte[3]);
                assertEquals(3, take(handled));
                assertGoesOn(one, 2);
                two.answer(RequestType.of(id + 2, Codecs.LONG, Codecs.BYTES), (from, number) -> new byte[300_000]);
                assertEquals(Reason.FAILED, reason(one.request(2, RequestType.of(id + 2, Codecs.LONG, codec), 1L)));
                assertGoesOn(one, 2);
            }
        }
    }

    /**
     * An executor may queue a task and then find no thread for it: a message that has been reported as failed must not
     * be handled later.
     */
    @Test
    void executorThatRefusesAndKeeps_handlesNothingTwice() throws Exception {
        final AtomicBoolean refuses = new AtomicBoolean(true);
        final BlockingQueue<Runnable> kept = new LinkedBlockingQueue<>();
        final BlockingQueue<Object> handled = new LinkedBlockingQueue<>();
        try (ExecutorService pool = Executors.newFixedThreadPool(2); Network one = open(config(1));
             Network two = open(config(2).handlers(task -> {
                 if (refuses.get()) {
                     kept.add(task);
                     throw new StackOverflowError("planned");
                 }
                 pool.execute(task);
             }))) {
            answerSquares(two);
            two.handle(TEXTS, (from, text) -> handled.add(text));
            final String text = "b".repeat(5_000);
            for (int round = 0; round < 3; round++) {
                refuses.set(true);
                one.send(2, TEXTS, "a".repeat(5_000));
                one.send(2, 7, TEXTS, "a".repeat(5_000));
                assertEquals(Reason.FAILED, reason(one.request(2, SQUARES, 1L)));
                refuses.set(false);
                one.send(2, TEXTS, text);
                assertEquals(text, take(handled));
                for (int i = 0; i < 3; i++) {
                    take(kept).run();
                }
                one.send(2, 7, TEXTS, text);
                assertEquals(text, take(handled));
                assertGoesOn(one, 2);
            }
            assertEquals(List.of(), List.copyOf(handled));
        }
    }

    private static <T> T take(BlockingQueue<T> queue) throws InterruptedException {
        return Objects.requireNonNull(queue.poll(PATIENCE_S, TimeUnit.SECONDS), "nothing comes");
    }

    @Test
    void beginThatThrows_leavesNothingBehind() throws Exception {
        final List<Network> left = new ArrayList<>();
        assertThrows(IllegalStateException.class, () -> Network.open(config(2).build(), network -> {
            left.add(network);
            throw new IllegalStateException("no handlers");
        }));
        assertEquals(Reason.CLOSED, assertThrows(NetworkException.class,
            () -> left.getFirst().send(1, NUMBERS, 1L)).reason());
        try (Network one = open(config(1)); Network two = open(config(2))) {    // its address is free
            answerSquares(two);
            assertGoesOn(one, 2);
        }
    }

    // ---- code that calls back ----

    /** Sends another message while each message is written. */
    private record Chatty(Supplier<Network> network) implements Codec<Long> {
        @Override
        public void write(Long value, Output out) {
            out.putLong(value);
            network.get().send(2, 1, NUMBERS, -value);
            out.putLong(value);
        }

        @Override
        public Long read(Input in) {
            final long first = in.getLong();
            return first == in.getLong() ? first : Long.MIN_VALUE;
        }

        @Override
        public long fingerprint() {
            return 1;
        }
    }

    @Test
    void codecThatSends_writesBothMessages() throws Exception {
        final List<Network> sender = new ArrayList<>();
        final MessageType<Long> chatty = MessageType.of(6, new Chatty(() -> sender.getFirst()));
        final BlockingQueue<Long> handled = new LinkedBlockingQueue<>();
        try (Network one = open(config(1)); Network two = open(config(2))) {
            sender.add(one);
            two.handle(NUMBERS, (from, number) -> handled.add(number));
            two.handle(chatty, (from, number) -> handled.add(number));
            for (long number = 1; number < 100; number++) {
                one.send(2, 1, chatty, number);
                assertEquals(List.of(-number, number), List.of(take(handled), take(handled)));
            }
        }
    }

    /** Stages chained to a future run on the agent, which must not wait for itself. */
    @Test
    void sendsOfTheAgent_doNotWaitForRoom() throws Exception {
        final CountDownLatch may = new CountDownLatch(1);
        try (Network one = open(config(1).ringBytes(16 << 10, 16 << 10).windowBytes(256 << 10));
             Network two = open(config(2).windowBytes(256 << 10)); Network three = open(config(3))) {
            answerSquares(two);
            answerSquares(three);
            final CountDownLatch isChained = new CountDownLatch(1);
            two.handle(BYTES, (from, bytes) -> may.await());
            three.answer(FAILING, (from, number) -> {
                isChained.await();
                return number;
            });
            try {
                final CompletableFuture<Reason> sending = one.request(3, FAILING, 1L).thenApply(number -> {
                    while (true) {
                        try {
                            one.send(2, 1, BYTES, new byte[1000]);
                        } catch (NetworkException e) {
                            return e.reason();
                        }
                    }
                });
                final CompletableFuture<Long> calling = one.request(3, FAILING, 1L).thenApply(number -> {
                    try {
                        return one.call(3, SQUARES, number);
                    } catch (InterruptedException e) {
                        throw new IllegalArgumentException(e);
                    }
                });
                isChained.countDown();
                assertEquals(Reason.FULL, end(sending));
                assertInstanceOf(IllegalStateException.class,
                    assertThrows(ExecutionException.class, () -> end(calling)).getCause());
                assertGoesOn(one, 3);
            } finally {
                may.countDown();
            }
        }
    }

    /** A leftover interrupt would close each socket that the thread uses. */
    @Test
    void interruptThatIsLeftBehind_isForgotten() throws Exception {
        final CompletableFuture<Boolean> isInterrupted = new CompletableFuture<>();
        try (Network one = open(config(1)); Network two = open(config(2).handlerThreads(1))) {
            two.answer(SQUARES, (from, number) -> {
                isInterrupted.complete(Thread.currentThread().isInterrupted());
                return number * number;
            });
            two.answer(FAILING, (from, number) -> {
                Thread.currentThread().interrupt();
                return number;
            });
            assertEquals(4L, end(one.request(2, FAILING, 4L)));
            assertGoesOn(one, 2);
            assertEquals(false, end(isInterrupted));
        }
    }

    @Test
    void handlersThatClose_doNotWaitForEachOther() throws Exception {
        final CyclicBarrier both = new CyclicBarrier(2);
        final CountDownLatch closed = new CountDownLatch(2);
        final Network two = open(config(2));
        try (Network one = open(config(1))) {
            two.handle(NUMBERS, (from, number) -> {
                both.await();
                two.close();
                closed.countDown();
            });
            one.send(2, NUMBERS, 1L);
            one.send(2, NUMBERS, 2L);
            assertEquals(true, closed.await(PATIENCE_S, TimeUnit.SECONDS), "they wait for each other");
        }
        two.close();
    }

    // ---- what senders do ----

    /** A begun message must be completed, or the other node would keep its first part forever. */
    @Test
    void messageWhoseSenderIsInterrupted_comesToItsEnd() throws Exception {
        final CountDownLatch may = new CountDownLatch(1);
        final CompletableFuture<Integer> length = new CompletableFuture<>();
        try (Network one = open(config(1).ringBytes(16 << 10, 16 << 10).windowBytes(256 << 10));
             Network two = open(config(2).handlerThreads(1).windowBytes(256 << 10))) {
            answerSquares(two);
            two.handle(NUMBERS, (from, number) -> may.await());
            two.handle(BYTES, (from, bytes) -> length.complete(bytes.length));
            one.send(2, NUMBERS, 1L);
            final Thread sender = Thread.ofPlatform().start(() -> {
                Thread.currentThread().interrupt();
                one.send(2, BYTES, new byte[5_000_000]);
            });
            sender.join();
            may.countDown();
            assertEquals(5_000_000, end(length));
            assertGoesOn(one, 2);
        }
    }

    /** The sender gets the interruption, not a timeout, and can continue. */
    @Test
    void senderThatIsInterrupted_doesNotWait() throws Exception {
        final CountDownLatch may = new CountDownLatch(1);
        try (Network one = open(config(1).ringBytes(16 << 10, 16 << 10).windowBytes(256 << 10)
                 .sendTimeoutNs(Long.MAX_VALUE));
             Network two = open(config(2).windowBytes(256 << 10))) {
            answerSquares(two);
            two.handle(BYTES, (from, bytes) -> may.await());
            try {
                final CompletableFuture<Reason> reason = new CompletableFuture<>();
                final Thread sender = Thread.ofPlatform().start(() -> {
                    try {
                        while (true) {
                            one.send(2, 1, BYTES, new byte[1000]);
                        }
                    } catch (NetworkException e) {
                        reason.complete(Thread.currentThread().isInterrupted() ? e.reason() : Reason.FAILED);
                    }
                });
                Threads.await("the sender waits",
                    () -> sender.getState() == Thread.State.TIMED_WAITING || !sender.isAlive());
                sender.interrupt();
                assertEquals(Reason.INTERRUPTED, end(reason));
            } finally {
                may.countDown();
            }
            assertGoesOn(one, 2);
        }
    }

    @Test
    void sendToAMissingNode_isUnreachable() throws Exception {
        book.put(3, name + "nobody");
        try (Network one = open(config(1).reachNs(200_000_000).sendTimeoutNs(Long.MAX_VALUE))) {
            final NetworkException thrown = assertThrows(NetworkException.class, () -> {
                while (true) {
                    one.send(3, 1, BYTES, new byte[1000]);
                }
            });
            assertEquals(Reason.UNREACHABLE, thrown.reason(), thrown::toString);
        }
    }

    /** Two long messages at once: the first takes the credit that the remainder of the second needs. */
    @Test
    void restsOfMessages_arriveBeforeAClose() throws Exception {
        for (int round = 0; round < 6; round++) {
            final CountDownLatch may = new CountDownLatch(1);
            final AtomicInteger handled = new AtomicInteger();
            try (Network two = open(config(2).windowBytes(256 << 10))) {
                two.handle(BYTES, (from, bytes) -> {
                    may.await();
                    handled.incrementAndGet();
                });
                final Network one = open(config(1).lingerNs(600_000_000_000L).sendTimeoutNs(1));
                final CyclicBarrier both = new CyclicBarrier(2);
                final AtomicInteger sent = new AtomicInteger();
                final List<Thread> threads = new ArrayList<>();
                for (int i = 1; i <= 2; i++) {
                    final int lane = i;
                    threads.add(Thread.ofPlatform().start(() -> sendOne(one, lane, both, sent)));
                }
                for (Thread it : threads) {
                    it.join();
                }
                Threads.await("a message", () -> two.stats(1).messagesReceived() > 0);
                final Thread closing = Thread.ofPlatform().start(one::close);
                may.countDown();
                closing.join();
                Threads.await("all messages", () -> {
                    assertTrue(two.stats().sessionsLost() == 0 || two.stats(1).messagesReceived() == sent.get(),
                        () -> "round: " + two.stats());
                    return handled.get() >= sent.get();
                });
            }
        }
    }

    private static void sendOne(Network from, int lane, CyclicBarrier both, AtomicInteger sent) {
        try {
            both.await();
            from.send(2, lane, BYTES, new byte[3_000_000]);
            sent.incrementAndGet();
        } catch (NetworkException e) {
            assertEquals(Reason.TIMED_OUT, e.reason());         // before it began
        } catch (InterruptedException | BrokenBarrierException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void timeouts_areChecked() throws Exception {
        final CountDownLatch may = new CountDownLatch(1);
        try (Network one = open(config(1).requestTimeoutNs(Long.MAX_VALUE)); Network two = open(config(2))) {
            answerSquares(two);
            two.answer(FAILING, (from, number) -> {
                may.await();
                return number;
            });
            try {
                for (long wrong : new long[] {0, -1, Long.MIN_VALUE}) {
                    assertThrows(IllegalArgumentException.class, () -> one.request(2, SQUARES, 1L, wrong));
                }
                final CompletableFuture<Long> forEver = one.request(2, FAILING, 7L, Long.MAX_VALUE);
                assertEquals(9L, one.call(2, SQUARES, 3L));
                assertEquals(Reason.TIMED_OUT, reason(one.request(2, FAILING, 7L, 1)));
                may.countDown();
                assertEquals(7L, end(forEver));
            } finally {
                may.countDown();
            }
        }
    }

    /** Requests to a node that says goodbye must not wait until it is too late for a new link. */
    @Test
    void nodeThatCloses_endsItsWaitersAtOnce() throws Exception {
        final CountDownLatch isHandled = new CountDownLatch(1);
        final CountDownLatch may = new CountDownLatch(1);
        final BlockingQueue<String> told = new LinkedBlockingQueue<>();
        final NetworkListener listener = new NetworkListener() {
            @Override
            public void away(int nid, @Nullable Throwable why) {
                told.add("away");
            }

            @Override
            public void lost(int nid, long messages, String why) {
                told.add("lost");
            }
        };
        final Network two = open(config(2));
        try (Network one = open(config(1).awayNs(Long.MAX_VALUE).listener(listener))) {
            two.answer(FAILING, (from, number) -> {
                isHandled.countDown();
                may.await();
                return number;
            });
            final CompletableFuture<Long> waiting = one.request(2, FAILING, 7L, Long.MAX_VALUE);
            try {
                assertTrue(isHandled.await(PATIENCE_S, TimeUnit.SECONDS));
                Thread.ofPlatform().start(two::close);          // waits for the handler
                assertEquals(Reason.LOST, reason(waiting));
                assertEquals("lost", take(told));
            } finally {
                may.countDown();
                two.close();
            }
            try (Network again = open(config(2))) {
                answerSquares(again);
                assertGoesOn(one, 2);
            }
            assertEquals(List.of("lost"), List.of(take(told)));
        }
    }

    /** The agent may not have seen the message when the close begins. */
    @Test
    void messagesSentRightBeforeAClose_arrive() throws Exception {
        for (int i = 0; i < 50; i++) {
            final CountDownLatch handled = new CountDownLatch(1);
            try (Network two = open(config(2))) {
                two.handle(NUMBERS, (from, number) -> handled.countDown());
                try (Network one = open(config(1).lingerNs(600_000_000_000L))) {
                    one.send(2, NUMBERS, 1L);
                }
                assertEquals(true, handled.await(PATIENCE_S, TimeUnit.SECONDS), "round " + i);
            }
        }
    }

    /** The link is lost; a closing node waits until another link has delivered the sent messages. */
    @Test
    void messagesSentBetweenTwoLinks_arriveBeforeAClose() throws Exception {
        final CountDownLatch isAway = new CountDownLatch(1);
        final CountDownLatch handled = new CountDownLatch(1);
        final NetworkListener listener = new NetworkListener() {
            @Override
            public void away(int nid, @Nullable Throwable why) {
                book.put(2, name + "nobody");
                isAway.countDown();
            }
        };
        try (Network two = open(config(2).addresses(_ -> null))) {
            two.handleShort(BYTES, (from, bytes) ->
                Objects.requireNonNull(two.agent().connection(1).channel()).fail(new IOException("planned")));
            two.handle(NUMBERS, (from, number) -> handled.countDown());
            final Network one = open(config(1).listener(listener).lingerNs(600_000_000_000L));
            one.send(2, BYTES, new byte[1]);
            assertTrue(isAway.await(PATIENCE_S, TimeUnit.SECONDS));
            one.send(2, NUMBERS, 1L);
            final Thread closing = Thread.ofPlatform().start(one::close);
            final long failed = one.stats().linksFailed();
            Threads.await("two failed links", () -> one.stats().linksFailed() >= failed + 2);
            assertTrue(closing.isAlive(), "it does not wait");
            book.put(2, two.addresses().getFirst());
            assertTrue(handled.await(PATIENCE_S, TimeUnit.SECONDS));
            closing.join();
        }
    }

    /** A session that begins now would never end, nor would a request in it. */
    @Test
    void afterAClose_noSessionBegins() throws Exception {
        final Network one = open(config(1));
        one.close();
        assertEquals(true, one.agent().connection(2).session().out.isEnded());
        assertEquals(List.of(Reason.CLOSED),
            List.of(assertThrows(NetworkException.class, () -> one.send(2, NUMBERS, 1L)).reason()));
    }

    /** Every callback of a listener is guarded and covered here. */
    @Test
    void listener_isToldEverything() throws ReflectiveOperationException {
        for (Method method : NetworkListener.class.getMethods()) {
            final List<String> told = new ArrayList<>();
            final NetworkListener its = (NetworkListener) Proxy.newProxyInstance(getClass().getClassLoader(),
                new Class<?>[] {NetworkListener.class}, (proxy, called, arguments) -> {
                    told.add(called.getName());
                    throw new IllegalStateException(called.getName());
                });
            final Object[] arguments = new Object[method.getParameterCount()];
            for (int i = 0; i < arguments.length; i++) {
                final Class<?> type = method.getParameterTypes()[i];
                arguments[i] = type == int.class ? (Object) 1 : type == long.class ? (Object) 1L : null;
            }
            method.invoke(UserCode.listener(its), arguments);
            assertEquals(List.of(method.getName()), told);
        }
    }

    /** A node that returns finds the messages sent meanwhile and handles each of them. */
    @Test
    void handlersOfTheBeginning_areThereBeforeTheFirstMessage() throws Exception {
        try (Network one = open(config(1))) {
            book.put(2, name + 2);
            final CountDownLatch handled = new CountDownLatch(1);
            one.send(2, NUMBERS, 1L);
            try (Network two = Network.open(config(2).build(), network -> {
                answerSquares(network);
                network.handle(NUMBERS, (from, number) -> handled.countDown());
            })) {
                assertTrue(handled.await(PATIENCE_S, TimeUnit.SECONDS));
                assertGoesOn(one, 2);
                assertEquals(0, two.stats().messagesUnhandled());
            }
        }
    }

    @Test
    void requestOfATypeThatIsOnlyHandled_endsAtOnce() throws Exception {
        try (Network one = open(config(1)); Network two = open(config(2))) {
            answerSquares(two);
            two.handle(MessageType.of(FAILING.request().id(), Codecs.LONG), (from, number) -> { });
            assertEquals(Reason.NO_HANDLER, reason(one.request(2, FAILING, 1L)));
            assertEquals("node 2: there is no handler for type 4",
                assertThrows(NetworkException.class, () -> one.call(2, FAILING, 1L)).getMessage());
            assertGoesOn(one, 2);
        }
    }
}
