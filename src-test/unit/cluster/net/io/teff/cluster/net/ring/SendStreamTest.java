package io.teff.cluster.net.ring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.net.wire.Frame;
import io.teff.test.kit.Form;
import io.teff.test.kit.Threads;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Goal: a caller that finds no memory for a ring, or no credit, gets that as a result and can wait; answers need no
 * credit.
 */
final class SendStreamTest {
    private static final int CAPACITY = 1 << 14;
    private static final int STACK_ROUNDS = Form.size(40, 200, 200);
    private static final int MANY_STACK_ROUNDS = Form.size(6, 30, 30);
    private static final int PUTS = 100;
    private static final int THREADS = 4;
    private static final int THREAD_PUTS = 1000;
    private static final int WARM_UP = 50_000;
    private static final long SMALL_STACK_BYTES = 256 << 10;
    private static final int ROUNDS = 50;
    private static final byte[] PAYLOAD = new byte[200];
    private static final MemorySegment MEMORY = Arena.ofAuto().allocate(PAYLOAD.length);
    /** Frames of 40 bytes, without a correlation and with one. */
    private static final int SHORT = Frame.HEAD_BYTES + 40;
    private static final int LONG = Frame.LONG_HEAD_BYTES + 40;

    @Test
    void streamWithoutMemory_isFull() {
        final RingPool pool = new RingPool(SendRing.bytes(CAPACITY), () -> 0);
        final MemorySegment taken = Objects.requireNonNull(pool.take(CAPACITY));
        final SendStream out = new SendStream(pool, CAPACITY, CAPACITY, Long.MAX_VALUE);
        assertEquals(SendStream.FULL, out.put(1, 0, 0, 0, new byte[8], 0, 8));
        assertFalse(out.grow(64, false));
        pool.giveBack(taken, CAPACITY);
        assertTrue(out.grow(64, false));
        assertEquals(SendStream.OK, out.put(1, 0, 0, 0, new byte[8], 0, 8));
    }

    /** Fails where memory or the stack ends in between: here the second ring would be larger than allowed. */
    @Test
    void ringThatCannotBeMade_leavesTheOneBeforeItOpen() {
        final RingPool pool = new RingPool(8 << 20, () -> 0);
        final SendStream out = new SendStream(pool, SendRing.CAPACITY_MAX, 2 * SendRing.CAPACITY_MAX, Long.MAX_VALUE);
        while (putLongest(out) == SendStream.OK) {
            assertTrue(out.ringBytes() > 0);
        }
        assertThrows(AssertionError.class, () -> out.grow(Frame.BYTES_MAX, false));
        assertTimeoutPreemptively(Duration.ofSeconds(20), () -> assertEquals(SendStream.FULL, putLongest(out)));
        assertEquals(SendRing.bytes(SendRing.CAPACITY_MAX), pool.takenBytes());
        final SendRing ring = Objects.requireNonNull(out.sending());
        ring.sent(ring.runBytes(Long.MAX_VALUE));
        assertTrue(out.acknowledge(ring.sent()));
        assertEquals(SendStream.OK, putLongest(out));
        assertEquals(SendRing.CAPACITY_MAX + Frame.BYTES_MAX, ring.tail());
    }

    private static int putLongest(SendStream out) {
        final int bytes = Frame.BYTES_MAX - Frame.HEAD_BYTES;
        return out.put(1, 0, 0, 0, new byte[bytes], 0, bytes);
    }

    /** The network closes while threads put: their memory is freed after the last of them. */
    @Test
    void putWhileTheMemoryIsClosed_findsTheStreamEnded() throws InterruptedException {
        for (int round = 0; round < ROUNDS; round++) {
            final RingPool pool = new RingPool(2 << 20, () -> 0);
            final SendStream out = new SendStream(pool, SendRing.CAPACITY_MAX, SendRing.CAPACITY_MAX, Long.MAX_VALUE);
            final AtomicLong result = new AtomicLong(-1);
            final Thread putting = Thread.ofPlatform().start(() -> {
                int last = put(out, 0);
                while (last != SendStream.ENDED) {
                    last = put(out, 0);
                }
                result.set(last);
            });
            Threads.await("the first message", () -> out.unacknowledgedBytes() > 0);
            out.end();
            pool.close();
            putting.join();
            assertEquals(SendStream.ENDED, result.get());
        }
    }

    private static int put(SendStream out, int flags) {
        return out.put(1, 0, flags, 7, new byte[40], 0, 40);
    }

    @Test
    void onlyAnswers_goBeyondTheLimit() {
        final SendStream out = new SendStream(new RingPool(1 << 20, () -> 0), CAPACITY, 2 * CAPACITY, 2 * SHORT + 10);
        assertEquals(SendStream.OK, put(out, 0));
        assertEquals(SendStream.OK, put(out, 0));
        assertEquals(SendStream.FULL, put(out, 0));
        assertFalse(out.grow(SHORT, false), "more room is of no use");
        assertEquals(SendStream.FULL, put(out, Frame.REQUEST));
        assertEquals(SendStream.OK, put(out, Frame.RESPONSE));
        out.allow(2 * SHORT + LONG + SHORT);
        assertEquals(SendStream.OK, put(out, 0));
        assertEquals(SendStream.FULL, put(out, 0));
        int answers = 0;
        while (put(out, Frame.RESPONSE) == SendStream.OK) {
            answers++;
        }
        assertEquals((CAPACITY - 3 * SHORT - LONG) / LONG, answers);
        assertEquals(CAPACITY + CAPACITY / 8, out.ringBytes());
        assertTrue(out.grow(LONG, true));
        assertEquals(SendStream.OK, put(out, Frame.RESPONSE));
        assertTrue(out.ringBytes() > 2 * CAPACITY);
    }

    /**
     * A thread that was signalled waits no longer, at once, however busy the machine; one without a signal waits for
     * 10 ms before it checks again.
     */
    @Test
    void senderThatWaitsForCredit_isWoken() throws InterruptedException {
        int told = 0;
        for (int round = 0; round < ROUNDS; round++) {
            final SendStream out = new SendStream(new RingPool(1 << 20, () -> 0), CAPACITY, CAPACITY, SHORT);
            assertEquals(SendStream.OK, put(out, 0));
            assertTrue(out.awaitRoom(1, SHORT) <= 0);
            final Thread waiter = Thread.ofPlatform().start(() -> {
                try {
                    out.awaitRoom(1_000_000_000, SHORT);
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            Threads.await("it waits", () -> waiter.getState() == Thread.State.TIMED_WAITING || !waiter.isAlive());
            out.allow(2 * SHORT);
            told += waiter.getState() == Thread.State.TIMED_WAITING ? 0 : 1;
            waiter.join();
            assertEquals(SendStream.OK, put(out, 0));
        }
        assertEquals(ROUNDS, told);
    }

    /** For example, a thread whose stack overflows in the middle must not stop those behind it. */
    @Test
    void claimThatIsNotFilled_isSkipped() {
        final SendStream out = new SendStream(new RingPool(1 << 20, () -> 0), CAPACITY, CAPACITY, Long.MAX_VALUE);
        assertEquals(SendStream.OK, put(out, 0));
        assertThrows(IndexOutOfBoundsException.class, () -> out.put(1, 0, 0, 0, new byte[4], 0, 40));
        assertEquals(SendStream.OK, put(out, 0));
        final SendRing ring = Objects.requireNonNull(out.sending());
        assertEquals(3 * SHORT, ring.committed());
        assertEquals(2, ring.messages(), "what is skipped is no message");
        assertEquals(Frame.SKIPPED, Frame.flags(ring.memory(), ring.offset(SHORT)));
        assertEquals(SHORT, Frame.length(ring.memory(), ring.offset(SHORT)));
        assertEquals(3 * SHORT, ring.runBytes(Long.MAX_VALUE));
    }

    /** At each depth, from where not even a call is possible to where the whole operation fits. */
    @Test
    void stackThatEnds_inWhateverStep_stopsNobody() throws InterruptedException {
        int ended = 0;
        final SendStream warm = new SendStream(new RingPool(8 << 20, () -> 0), 1 << 20, 1 << 20, Long.MAX_VALUE);
        for (int i = 0; i < WARM_UP; i++) {
            put(warm, 0);
            final SendRing its = Objects.requireNonNull(warm.sending());
            its.sent(its.runBytes(Long.MAX_VALUE));
            assertTrue(warm.acknowledge(its.sent()));
        }
        for (int round = 0; round < STACK_ROUNDS; round++) {
            final SendStream out = new SendStream(new RingPool(8 << 20, () -> 0), 1 << 20, 1 << 20, Long.MAX_VALUE);
            assertEquals(SendStream.OK, put(out, 0));
            final int[] counts = new int[2];
            final Thread thread = new Thread(null, () -> dive(out, counts, Integer.MAX_VALUE), "small-stack",
                SMALL_STACK_BYTES);
            thread.start();
            thread.join();
            ended += counts[1];
            assertEquals(SendStream.OK, put(out, 0));
            final SendRing ring = Objects.requireNonNull(out.sending());
            assertEquals(ring.tail(), ring.committed(), "a claim was left behind");
            assertTrue(ring.messages() >= 2 + counts[0], ring.messages() + " messages of " + counts[0]);
        }
        final int all = ended;
        assertTrue(all > STACK_ROUNDS, () -> "only " + all + " puts had no stack");
    }

    /** Many threads leave claims behind while the agent looks for committed frames; one look skips them all. */
    @Test
    void putsThatThrow_inManyThreads_leaveNoClaim() throws InterruptedException {
        final SendStream out = new SendStream(new RingPool(8 << 20, () -> 0), 1 << 20, 1 << 20, Long.MAX_VALUE);
        final AtomicLong sent = new AtomicLong(1);
        assertEquals(SendStream.OK, put(out, 0));
        final SendRing ring = Objects.requireNonNull(out.sending());
        final List<Threads.Running> threads = new ArrayList<>();
        for (int number = 0; number < THREADS; number++) {
            threads.add(Threads.start("putting-" + number, _ -> {
                for (int i = 0; i < THREAD_PUTS; i++) {
                    if (i % 4 == 0) {
                        assertEquals(SendStream.OK, put(out, 0));
                        sent.incrementAndGet();
                    } else {
                        assertThrows(IndexOutOfBoundsException.class, () -> out.put(1, 0, 0, 7, new byte[40], 1, 40));
                    }
                }
            }));
        }
        while (threads.stream().anyMatch(it -> it.thread().isAlive())) {
            assertTrue(ring.committed() <= ring.tail());
        }
        for (Threads.Running it : threads) {
            it.end();
        }
        assertThrows(IndexOutOfBoundsException.class, () -> out.put(1, 0, 0, 7, new byte[40], 1, 40));
        assertThrows(IndexOutOfBoundsException.class, () -> out.put(1, 0, 0, 7, new byte[40], 2, 40));
        assertEquals(ring.tail(), ring.committed(), "a claim was left behind");
        assertEquals(sent.get(), ring.messages());
    }

    /**
     * Many stacks end at once, in frames of many lengths from arrays and from other memory, while rings fill up, grow
     * and are freed: all that was put leaves, and the stream can end. The first rounds are interpreted, so that there
     * are calls between a claim and its commit; compiled code has few.
     */
    @Test
    @Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void stacksThatEndAtOnce_inManyThreads_stopNobody() throws InterruptedException {
        final SendStream warm = new SendStream(new RingPool(8 << 20, () -> 0), SendRing.CAPACITY_MIN, 1 << 16,
            Long.MAX_VALUE);
        for (int i = 0; i < THREAD_PUTS; i++) {                 // loads all classes, and compiles little
            putMixed(warm, new int[3], i);
            if (i % PUTS == 0) {
                sendAll(warm);
            }
        }
        int ended = 0;
        for (int round = 0; round < MANY_STACK_ROUNDS; round++) {
            final RingPool pool = new RingPool(8 << 20, () -> 0);
            final SendStream out = new SendStream(pool, CAPACITY, 1 << 16, Long.MAX_VALUE);
            if (round % 2 == 0) {
                assertEquals(SendStream.OK, put(out, 0));       // else there is no stack to make a ring
            }
            final List<int[]> counts = new ArrayList<>();
            final List<Thread> threads = new ArrayList<>();
            for (int number = 0; number < THREADS; number++) {
                final int[] its = {0, 0, number};
                counts.add(its);
                threads.add(new Thread(null, () -> diveMixed(out, its), "small-stack", SMALL_STACK_BYTES));
            }
            threads.forEach(Thread::start);
            while (threads.stream().anyMatch(Thread::isAlive)) {
                sendAll(out);
            }
            for (Thread thread : threads) {
                thread.join();
            }
            sendAll(out);
            assertTrue(out.isEmpty(), "a claim was left behind");
            assertTrue(out.messages() >= counts.stream().mapToInt(it -> it[0]).sum(), "a message is missing");
            assertEquals(SendStream.OK, put(out, 0));
            sendAll(out);
            out.audit();
            out.end();
            assertTrue(out.giveBack());
            assertEquals(0, pool.takenBytes());
            pool.audit();
            ended += counts.stream().mapToInt(it -> it[1]).sum();
        }
        final int all = ended;
        assertTrue(all > MANY_STACK_ROUNDS * THREADS, () -> "only " + all + " puts had no stack");
    }

    /** Does what the agent does, with a peer that takes all. */
    private static void sendAll(SendStream out) {
        for (SendRing its = out.sending(); its != null && its.committed() > its.sent(); its = out.sending()) {
            final int bytes = its.runBytes(Long.MAX_VALUE);
            its.giving(bytes);
            its.sent(bytes);
            assertTrue(out.acknowledge(its.sent()));
        }
    }

    /** Recurses until the stack overflows, and puts frames of many lengths on the way back. */
    @SuppressWarnings("InfiniteRecursion")
    private static void diveMixed(SendStream out, int[] counts) {
        try {
            diveMixed(out, counts);
        } catch (StackOverflowError e) {
            counts[1]++;
        }
        if (counts[0] + counts[1] < PUTS) {
            counts[2]++;
            try {
                putMixed(out, counts, counts[2]);
            } catch (StackOverflowError e) {
                counts[1]++;
            }
        }
    }

    private static void putMixed(SendStream out, int[] counts, int number) {
        final int bytes = number * 7 % PAYLOAD.length;
        final int result = number % 2 == 0 ? out.put(1, 0, 0, 0, PAYLOAD, 0, bytes)
            : out.put(1, 0, 0, 0, MEMORY, 0, bytes);
        counts[0] += result == SendStream.OK ? 1 : 0;
        if (result == SendStream.FULL) {
            out.grow(Frame.HEAD_BYTES + bytes, false);
        }
    }

    /** Recurses until the stack overflows, and puts on the way back. */
    private static void dive(SendStream out, int[] counts, int levels) {
        try {
            if (levels > 0) {
                dive(out, counts, levels - 1);
            }
        } catch (StackOverflowError e) {
            counts[1]++;
        }
        if (counts[0] < PUTS) {
            try {
                counts[0] += put(out, 0) == SendStream.OK ? 1 : 0;
            } catch (StackOverflowError e) {
                counts[1]++;
            }
        }
    }
}
