package io.teff.cluster.net;

import com.sun.management.ThreadMXBean;
import io.teff.cluster.net.LongKinds.Kind;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.message.Handler;
import io.teff.cluster.net.message.MessageType;
import io.teff.cluster.net.message.NetworkException;
import io.teff.cluster.net.message.NetworkException.Reason;
import io.teff.cluster.net.message.NetworkListener;
import io.teff.cluster.net.message.RequestType;
import io.teff.cluster.net.stream.FragmentTable;
import io.teff.cluster.net.wire.Frame;
import io.teff.engine.codec.Codec;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.codec.schema.Schema;
import io.teff.test.kit.Form;
import io.teff.test.kit.Threads;
import io.teff.test.kit.tier.FullTier;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Goal: messages longer than a frame arrive unchanged and in order, neither side holds a whole message as bytes, and a
 * message that breaks in the middle affects no other.
 *
 * <p>Method: two nodes of a process; values of codecs of all kinds, of lengths around the limits of a fragment, from
 * several threads, some of which give up in the middle. {@code -Dseed=S} repeats one history.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class LongMessageTest {
    private static final AtomicInteger NAMES = new AtomicInteger();
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final MessageType<byte[]> BYTES = MessageType.of(1, Codecs.BYTES);
    private static final MessageType<long[]> LONGS = MessageType.of(2, Schema.of(long[].class));
    private static final MessageType<Trap> TRAPS = MessageType.of(3, LongKinds.schema(Trap.class)
        .storeAs(Fuse.class, String.class, Fuse::burn, Fuse::of).build());
    private static final RequestType<Trap, Trap> TRAP_REQUESTS = new RequestType<>(new MessageType<>(4, TRAPS.codec(),
        1 << 24), TRAPS);
    private static final int MANY = Form.size(60, 300, 300);
    private static final int LONG = 300_000;
    /** Bytes of each of more messages than may begin. */
    private static final int BYTES_OF_MANY = Form.size(80_000, 80_000, 300_000);
    private static final int HISTORIES = Form.size(4, 12, 25);
    private static final int ROUNDS = Form.size(2, 4, 10);

    /** A message whose codec fails after its first bytes have been written or read. */
    private record Trap(byte[] front, Fuse fuse, byte[] back) {}

    private record Fuse(boolean isWritten) {
        static final Fuse AT_WRITE = new Fuse(false);
        static final Fuse AT_READ = new Fuse(true);

        String burn() {
            if (!isWritten) {
                throw new UnsupportedOperationException("planned");
            }
            return "read this";
        }

        static Fuse of(String text) {
            throw new UnsupportedOperationException("planned, " + text);
        }
    }

    private final String name = "loop:long-message-test-" + NAMES.incrementAndGet() + "-";
    private final Map<Integer, String> book = new ConcurrentHashMap<>();
    private final Queue<String> problems = new ConcurrentLinkedQueue<>();
    private final AtomicInteger failures = new AtomicInteger();
    private volatile boolean isLossPlanned;

    private NetworkConfig.Builder config(int nid) {
        book.put(nid, name + nid);
        return PatientConfig.of(nid).listen(name + nid).addresses(book::get).listener(new NetworkListener() {
            @Override
            public void lost(int other, long messages, String why) {
                if (!isLossPlanned && !why.contains("closed")) {
                    problems.add("node " + nid + " has lost its session: " + why);
                }
            }

            @Override
            public void failed(int from, int type, Throwable thrown) {
                failures.incrementAndGet();
            }
        });
    }

    // ---- histories ----

    /** A thread that sends in its own lane or in the unordered lane, with its own message types. */
    private static final class Sender implements Runnable {
        private final Network from;
        private final int index;
        private final SplittableRandom random;
        private final int ringBytes;
        private int traps;
        private int interrupts;
        private final List<Integer> sent = new ArrayList<>();
        private final List<Integer> handled = Collections.synchronizedList(new ArrayList<>());
        private final AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();

        Sender(Network from, int index, SplittableRandom random, int ringBytes) {
            this.from = from;
            this.index = index;
            this.random = random;
            this.ringBytes = ringBytes;
        }

        int lane() {
            return index % 3;
        }

        <T> MessageType<T> type(Kind<T> kind) {
            return MessageType.of(10 + index * LongKinds.ALL.size() + LongKinds.ALL.indexOf(kind), kind.codec());
        }

        <T> void expect(Network to, Kind<T> kind, boolean isShort) {
            final Handler<T> handler = (_, value) -> handled.add(Arrays.hashCode(kind.bytes(value)));
            if (isShort) {
                to.handleShort(type(kind), handler);
            } else {
                to.handle(type(kind), handler);
            }
        }

        @Override
        public void run() {
            try {
                for (int i = 0; i < 30; i++) {
                    send(LongKinds.ALL.get(random.nextInt(LongKinds.ALL.size())));
                    if (random.nextInt(4) == 0) {
                        sendTrap(new Trap(new byte[size()], Fuse.AT_WRITE, new byte[10]));
                    }
                }
            } catch (Throwable e) {
                thrown.set(e);
            }
        }

        private void sendTrap(Trap trap) {
            try {
                from.send(2, lane(), TRAPS, trap);
                throw new AssertionError("a trap was sent");
            } catch (UnsupportedOperationException e) {
                traps++;
            } catch (NetworkException e) {
                assertEquals(Reason.TIMED_OUT, e.reason());     // before it began
            }
        }

        /**
         * A size near a limit: fragments of the smallest ring, messages written in parts, the longest message; or a
         * random size.
         */
        private int size() {
            final int[] limits = {ringBytes / 8 - Frame.LONG_HEAD_BYTES, ringBytes / 4 - 2 * Frame.LONG_HEAD_BYTES,
                64 << 10, Frame.BYTES_MAX - Frame.LONG_HEAD_BYTES, 16 << 10, random.nextInt(600_000) + 20};
            return Math.max(limits[random.nextInt(limits.length)] + random.nextInt(-20, 21), 0);
        }

        private <T> void send(Kind<T> kind) {
            final T value = kind.maker().make(random, size());
            boolean isSent = true;
            switch (random.nextInt(4)) {
                case 0 -> isSent = from.offer(2, lane(), type(kind), value);
                case 1 -> {
                    Thread.currentThread().interrupt();         // interrupts its wait
                    isSent = isSent(kind, value);
                    interrupts += Thread.interrupted() ? 1 : 0;
                }
                default -> isSent = isSent(kind, value);
            }
            if (isSent) {
                sent.add(Arrays.hashCode(kind.bytes(value)));
            }
        }

        private <T> boolean isSent(Kind<T> kind, T value) {
            try {
                from.send(2, lane(), type(kind), value);
                return true;
            } catch (NetworkException e) {
                assertEquals(Thread.currentThread().isInterrupted() ? Reason.INTERRUPTED : Reason.TIMED_OUT,
                    e.reason());
                return false;
            }
        }

        void check() {
            final Throwable failure = thrown.get();
            if (failure != null) {
                throw new AssertionError("sender " + index + ", after " + traps + " traps and " + interrupts
                    + " interrupts", failure);
            }
            if (lane() == 0) {
                Collections.sort(sent);
                Collections.sort(handled);
            }
            assertEquals(sent, handled);
        }
    }

    private void history(long seed) throws IOException, InterruptedException {
        final SplittableRandom random = new SplittableRandom(seed);
        final int ringBytes = 1 << random.nextInt(14, 21);
        final NetworkConfig one = config(1).ringBytes(ringBytes, Math.max(ringBytes, 1 << random.nextInt(14, 21)))
            .sendTimeoutNs(random.nextInt(50_000_000) + 1).lingerNs(60_000_000_000L).build();
        final NetworkConfig two = config(2).windowBytes(1 << random.nextInt(18, 22))
            .handlerThreads(random.nextInt(1, 4)).build();
        try (Network to = Network.open(two); Network from = Network.open(one)) {
            final List<Sender> senders = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                final Sender sender = new Sender(from, i, random.split(), ringBytes);
                LongKinds.ALL.forEach(kind -> sender.expect(to, kind, random.nextInt(4) == 0 && sender.lane() == 0));
                senders.add(sender);
            }
            to.handle(TRAPS, (_, _) -> problems.add("a trap was handled"));
            final List<Thread> threads = senders.stream().map(it -> Thread.ofPlatform().start(it)).toList();
            for (Thread thread : threads) {
                thread.join();
            }
            Threads.await("all messages of all senders",
                () -> senders.stream().allMatch(it -> it.handled.size() >= it.sent.size()));
            senders.forEach(Sender::check);
        }
        assertEquals(List.of(), List.copyOf(problems));
        assertEquals(0, failures.get());
    }

    @Test
    void histories_ofAllKinds_comeAsTheyWereSent() throws IOException, InterruptedException {
        final long first = Long.getLong("seed", 1);
        for (long seed = first; seed < first + (Long.getLong("seed") == null ? HISTORIES : 1); seed++) {
            try {
                history(seed);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed + "; reproduce: mvn -pl cluster/net -am test "
                    + "-Dtest=LongMessageTest -Dseed=" + seed, e);
            }
        }
    }

    // ---- what breaks ----

    @Test
    void codecThatThrowsWhenItWrites_harmsNobody() throws IOException, InterruptedException {
        final AtomicInteger handled = new AtomicInteger();
        try (Network two = Network.open(config(2).build()); Network one = Network.open(config(1).build())) {
            two.handle(TRAPS, (_, _) -> problems.add("a trap was handled"));
            two.handle(LONGS, (_, longs) -> handled.addAndGet(longs.length));
            two.answer(TRAP_REQUESTS, (_, trap) -> new Trap(new byte[LONG], Fuse.AT_WRITE, trap.back));
            final Trap trap = new Trap(new byte[LONG], Fuse.AT_WRITE, new byte[10]);
            for (int i = 0; i < MANY; i++) {
                assertThrows(UnsupportedOperationException.class, () -> one.send(2, 1, TRAPS, trap));
                assertThrows(UnsupportedOperationException.class, () -> one.request(2, TRAP_REQUESTS, trap));
                one.send(2, 1, LONGS, new long[1]);
            }
            Threads.await("all messages", () -> handled.get() == MANY);
            assertEquals(MANY, one.stats().messagesSent());
            assertEquals(0, one.stats().requestsSent());
            assertEquals(0, one.stats().requestsInFlight());
        }
        assertEquals(List.of(), List.copyOf(problems));
    }

    @Test
    void answerThatCannotBeWritten_fails() throws IOException {
        final RequestType<Long, Trap> type = RequestType.of(5, Codecs.LONG, TRAPS.codec());
        try (Network two = Network.open(config(2).build()); Network one = Network.open(config(1).build())) {
            two.answer(type, (_, front) -> new Trap(new byte[front.intValue()], Fuse.AT_WRITE, new byte[10]));
            for (int i = 0; i < MANY; i++) {
                final long front = i % 3 == 0 ? LONG * 10L : LONG;
                final NetworkException e = assertThrows(NetworkException.class, () -> one.call(2, type, front));
                assertEquals(Reason.FAILED, e.reason());
                assertTrue(String.valueOf(e.getMessage()).contains("planned"), e.getMessage());
            }
            assertEquals(MANY, failures.get());
        }
        assertEquals(List.of(), List.copyOf(problems));
    }

    @Test
    void codecThatThrowsWhenItReads_isTheHandlersFailure() throws IOException, InterruptedException {
        final AtomicInteger handled = new AtomicInteger();
        try (Network two = Network.open(config(2).build()); Network one = Network.open(config(1).build())) {
            two.handle(TRAPS, (_, _) -> problems.add("a trap was handled"));
            two.handleShort(LONGS, (_, longs) -> handled.addAndGet(longs.length));
            two.answer(TRAP_REQUESTS, (_, trap) -> trap);
            final Trap trap = new Trap(new byte[LONG], Fuse.AT_READ, new byte[5 * LONG]);
            for (int i = 0; i < MANY / 10; i++) {
                one.send(2, 1, TRAPS, trap);
                assertEquals(Reason.FAILED, assertThrows(NetworkException.class,
                    () -> one.call(2, TRAP_REQUESTS, trap)).reason());
                one.send(2, 1, LONGS, new long[1]);
            }
            Threads.await("all messages and failures",
                () -> handled.get() == MANY / 10 && failures.get() == 2 * (MANY / 10));
        }
        assertEquals(List.of(), List.copyOf(problems));
    }

    @Test
    void messageThatIsTooLong_isRefusedAndNotHandled() throws IOException, InterruptedException {
        final AtomicInteger handled = new AtomicInteger();
        final MessageType<long[]> type = new MessageType<>(6, LONGS.codec(), 200_000);
        try (Network two = Network.open(config(2).build()); Network one = Network.open(config(1).build())) {
            two.handle(type, (_, longs) -> handled.addAndGet(longs.length));
            for (int i = 0; i < MANY; i++) {
                assertEquals(Reason.TOO_LARGE, assertThrows(NetworkException.class,
                    () -> one.send(2, 1, type, new long[25_001])).reason());
                one.send(2, 1, type, new long[1]);
            }
            final long[] longest = new long[24_999];
            one.send(2, 1, type, longest);
            Threads.await("all messages", () -> handled.get() >= MANY + longest.length);
            assertEquals(MANY + longest.length, handled.get());
        }
        assertEquals(List.of(), List.copyOf(problems));
    }

    @Test
    void sessionsThatEndInTheMiddle_harmNoOther() throws IOException, InterruptedException {
        isLossPlanned = true;
        final long[] longs = new long[100_000];
        Arrays.setAll(longs, it -> it);
        try (Network one = Network.open(config(1).sendTimeoutNs(200_000_000).lingerNs(0).build())) {
            for (int round = 0; round < ROUNDS; round++) {
                final AtomicInteger handled = new AtomicInteger();
                final List<Thread> threads = new ArrayList<>();
                final CountDownLatch enough = new CountDownLatch(20);
                final AtomicBoolean isOver = new AtomicBoolean();
                try (Network two = Network.open(config(2).lingerNs(0).build())) {
                    two.handle(LONGS, (_, came) -> {
                        assertArrayEquals(longs, came);
                        handled.incrementAndGet();
                        enough.countDown();
                    });
                    for (int i = 0; i < 4; i++) {
                        final int lane = i;
                        threads.add(Thread.ofPlatform().start(() -> sendAll(one, lane, longs, isOver)));
                    }
                    enough.await();
                }
                isOver.set(true);
                for (Thread thread : threads) {
                    thread.join();
                }
                assertTrue(handled.get() >= 20);
            }
        }
        assertEquals(0, failures.get());
        assertEquals(List.of(), List.copyOf(problems));
    }

    private void sendAll(Network from, int lane, long[] longs, AtomicBoolean isOver) {
        while (!isOver.get()) {
            try {
                from.send(2, lane, LONGS, longs);
            } catch (NetworkException e) {
                if (e.reason() != Reason.LOST && e.reason() != Reason.TIMED_OUT) {
                    problems.add(String.valueOf(e));
                }
            }
        }
    }

    /** There is no link yet, so the message cannot be completed. */
    @Test
    void senderThatIsInterrupted_hasSentWhatHasBegun() throws IOException {
        final AtomicInteger handled = new AtomicInteger();
        final NetworkConfig later = config(2).build();
        try (Network one = Network.open(config(1).ringBytes(1 << 14, 1 << 14).reachNs(60_000_000_000L).build())) {
            Thread.currentThread().interrupt();
            one.send(2, 1, LONGS, new long[LONG]);
            assertTrue(Thread.interrupted());
            try (Network two = Network.open(later,
                     network -> network.handle(LONGS, (_, longs) -> handled.addAndGet(longs.length)))) {
                Threads.await("the message", () -> handled.get() == LONG && two.stats().messagesHandled() == 1);
            }
        }
    }

    // ---- memory ----

    @Test
    void longMessage_isNeverInOnePiece() throws IOException, InterruptedException {
        final int words = 48 << 10;
        final long bytes = (long) words << 10;
        final String word = "x".repeat(1 << 10);
        final MessageType<Words> type = MessageType.of(6, LongKinds.schema(Words.class).build());
        final Words all = new Words(Collections.nCopies(words, word));
        final AtomicLong handled = new AtomicLong();
        try (Network two = Network.open(config(2).build()); Network one = Network.open(config(1)
            .sendTimeoutNs(60_000_000_000L).build())) {
            two.handle(type, (_, came) -> handled.addAndGet(came.words.size()));
            one.send(2, type, new Words(Collections.nCopies(100, word)));
            Threads.await("the short messages", () -> handled.get() == 100);
            final long before = THREADS.getTotalThreadAllocatedBytes();
            final long own = THREADS.getCurrentThreadAllocatedBytes();
            one.send(2, type, all);
            final long sender = THREADS.getCurrentThreadAllocatedBytes() - own;
            Threads.await("the words", () -> handled.get() == 100 + words);
            final long total = THREADS.getTotalThreadAllocatedBytes() - before;
            assertTrue(sender < bytes / 4, () -> "by the sender: " + sender);
            assertTrue(total < 3 * bytes, () -> "by all, of which the strings are " + bytes + ": " + total);
        }
    }

    private record Words(List<String> words) {}

    @Test
    void longArray_isNotCopiedByItsSender() throws IOException, InterruptedException {
        final byte[] bytes = new byte[(64 << 20) - 16];
        final AtomicLong handled = new AtomicLong();
        try (Network two = Network.open(config(2).build()); Network one = Network.open(config(1)
            .sendTimeoutNs(60_000_000_000L).build())) {
            two.handleShort(BYTES, (_, came) -> handled.addAndGet(came.length));
            one.send(2, BYTES, new byte[LONG]);
            final long own = THREADS.getCurrentThreadAllocatedBytes();
            one.send(2, BYTES, bytes);
            final long sender = THREADS.getCurrentThreadAllocatedBytes() - own;
            Threads.await("both messages", () -> handled.get() == LONG + bytes.length);
            assertTrue(sender < 1 << 20, () -> "bytes allocated: " + sender);
        }
    }

    // ---- no thread waits forever ----

    /** The window holds only a few of the first fragments. */
    @Test
    void manyAtOnce_areMoreThanTheWindow() throws IOException, InterruptedException {
        many(16, 1 << 20);
    }

    /** Senders wait for each other when a session has reached its limit of begun messages. */
    @FullTier("some 10 s of a processor for hundreds of threads; manyAtOnce_areMoreThanTheWindow has sixteen")
    @Test
    void manyThreads_areMoreThanMayBegin() throws IOException, InterruptedException {
        many(FragmentTable.COUNT_MAX, BYTES_OF_MANY);
    }

    private void many(int count, int bytes) throws IOException, InterruptedException {
        final CountDownLatch left = new CountDownLatch(2 * count);
        try (Network two = Network.open(config(2).windowBytes(1 << 18).build());
             Network one = Network.open(config(1).ringBytes(1 << 20, 1 << 20).sendTimeoutNs(600_000_000_000L)
                 .build())) {
            two.handle(BYTES, (_, came) -> left.countDown());
            two.handle(LONGS, (_, longs) -> left.countDown());
            for (int i = 0; i < count; i++) {
                final int lane = i % 3;
                Thread.ofPlatform().start(() -> one.send(2, lane, BYTES, new byte[bytes]));
                Thread.ofPlatform().start(() -> one.send(2, lane, LONGS, new long[bytes / Long.BYTES]));
            }
            left.await();
        }
        assertEquals(List.of(), List.copyOf(problems));
    }

    @Test
    void handlersThatDoNothing_doNotStopALongMessage() throws IOException {
        final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
        final AtomicInteger handled = new AtomicInteger();
        try (Network two = Network.open(config(2).handlers(tasks::add).windowBytes(1 << 18).build());
             Network one = Network.open(config(1).sendTimeoutNs(60_000_000_000L).build())) {
            two.handle(LONGS, (_, longs) -> handled.addAndGet(longs.length));
            one.send(2, 1, LONGS, new long[1 << 20]);
            Threads.await("the message", () -> two.stats(1).messagesReceived() == 1);
            assertEquals(0, handled.get());
            while (handled.get() == 0) {
                final Runnable task = tasks.poll();
                if (task != null) {
                    task.run();
                }
            }
            assertEquals(1 << 20, handled.get());
        }
    }

    @Test
    void codecWithoutParts_isWrittenAtOnce() {
        final Kind<?> blob = LongKinds.ALL.getLast();
        assertEquals("blob", blob.name());
        final Codec<?> codec = blob.codec();
        assertEquals(null, codec.partialWriter());
        assertEquals(null, codec.partialReader(1));
    }
}
