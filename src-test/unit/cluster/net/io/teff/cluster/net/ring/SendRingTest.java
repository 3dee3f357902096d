package io.teff.cluster.net.ring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.net.wire.Frame;
import io.teff.test.kit.Form;
import io.teff.test.kit.Threads;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

/**
 * Goal: a ring sends the stream of committed frames in the order of their claims, whatever is sent at once,
 * acknowledged or sent again, and free room is zero.
 *
 * <p>Method: a model of the stream as a list of bytes, with random steps; threads against one agent.
 */
final class SendRingTest {
    private static final int STEPS = Form.size(500, 2_000, 2_000);
    private static final int CAPACITY = SendRing.CAPACITY_MIN;

    private static SendRing ring(int capacity, long start) {
        return new SendRing(Arena.ofAuto().allocate(SendRing.bytes(capacity), Long.BYTES), capacity, start);
    }

    /** Writes a frame whose payload's bytes are all of one value. */
    private static byte[] write(SendRing ring, long position, int length, int value) {
        final long at = ring.offset(position);
        Frame.begin(ring.memory(), at, value, 0, 0, 0);
        ring.memory().asSlice(at + Frame.HEAD_BYTES, length - Frame.HEAD_BYTES).fill((byte) value);
        ring.commit(position, length);
        return ring.memory().asSlice(at, Frame.taken(length)).toArray(ValueLayout.JAVA_BYTE);
    }

    /** An unclaimed frame would be sent one lap later. */
    @Test
    void audit_somethingIsWrong_saysSo() {
        final int length = SendRing.bytes(CAPACITY) - CAPACITY;
        final SendRing ring = ring(CAPACITY, CAPACITY - Frame.ALIGNMENT);
        write(ring, ring.claim(length, Long.MAX_VALUE), length, 1);
        final long second = ring.claim(length, Long.MAX_VALUE);
        assertThrows(IllegalStateException.class, ring::audit);         // as during a concurrent write
        write(ring, second, length, 2);
        ring.committed();
        ring.sent(length);
        ring.audit();
        final long size = ring.memory().byteSize();
        for (long at : new long[] {ring.offset(ring.tail()), CAPACITY - 2 * Frame.ALIGNMENT, size - Frame.ALIGNMENT}) {
            ring.memory().set(ValueLayout.JAVA_BYTE, at, (byte) 1);
            assertThrows(IllegalStateException.class, ring::audit, "a byte at " + at);
            ring.memory().set(ValueLayout.JAVA_BYTE, at, (byte) 0);
        }
        ring.audit();
        assertTrue(ring.acknowledge(ring.sent()));
        ring.audit();
        ring.memory().set(ValueLayout.JAVA_BYTE, ring.offset(second), (byte) 1);
        assertThrows(IllegalStateException.class, ring::audit, "a frame of another length");
    }

    /** A write that does not return: the link may have taken all, some frames or half of one. */
    @Test
    void giving_callThatDoesNotComeBack_canBeAcknowledged() {
        final int length = Frame.HEAD_BYTES + 8;
        final int taken = Frame.taken(length);
        for (int count = 0; count <= 2; count++) {
            final SendRing ring = ring(CAPACITY, 0);
            for (int frame = 0; frame < 3; frame++) {
                write(ring, ring.claim(length, Long.MAX_VALUE), length, 1);
            }
            final long committed = ring.committed();
            assertEquals(3L * taken, committed);
            assertEquals(2 * taken, ring.runBytes(2L * taken));
            ring.giving(2 * taken);
            assertFalse(ring.acknowledge(committed), "it was not given");
            assertFalse(ring.acknowledge(taken / 2), "no end of a frame");
            final long acked = (long) count * taken;
            assertTrue(ring.acknowledge(acked));
            assertEquals(acked, ring.sent());
            assertEquals(0, ring.runBytes(acked));              // would not end on zeros
            assertEquals(committed - acked, ring.runBytes(committed));
            ring.rewind();
            assertEquals(acked, ring.sent());
            assertFalse(ring.acknowledge(acked + taken), "it is to be sent again");
        }
    }

    @Property(tries = 300)
    void steps_likeTheModel(@ForAll @LongRange(min = 0, max = Long.MAX_VALUE - 1) long seed) {
        final SplittableRandom random = new SplittableRandom(seed);
        final long start = random.nextLong(1L << 40) / 8 * 8;
        final SendRing ring = ring(CAPACITY, start);
        final List<Byte> stream = new ArrayList<>();
        final List<Long> ends = new ArrayList<>(List.of(start));
        final Queue<long[]> claimed = new ArrayDeque<>();
        long tail = start;
        long acked = start;
        for (int step = 0; step < STEPS; step++) {
            switch (random.nextInt(6)) {
                case 0, 1 -> {
                    final int length = random.nextInt(Frame.HEAD_BYTES, ring.lengthMax() + 1);
                    final long position = ring.claim(length, Long.MAX_VALUE);
                    if (tail + Frame.taken(length) > acked + CAPACITY) {
                        assertEquals(SendRing.FULL, position);
                    } else {
                        assertEquals(tail, position);
                        tail += Frame.taken(length);
                        claimed.add(new long[] {position, length});
                    }
                }
                case 2, 3 -> {
                    final long[] next = claimed.poll();
                    if (next != null) {
                        if (random.nextInt(10) == 0) {
                            ring.skip(next[0], (int) next[1]);
                            final long at = ring.offset(next[0]);
                            assertEquals(Frame.SKIPPED, Frame.flags(ring.memory(), at));
                            add(stream, ring.memory().asSlice(at, Frame.taken((int) next[1]))
                                .toArray(ValueLayout.JAVA_BYTE));
                        } else {
                            add(stream, write(ring, next[0], (int) next[1], random.nextInt(1, 100)));
                        }
                        ends.add(next[0] + Frame.taken((int) next[1]));
                    }
                }
                case 4 -> {
                    assertEquals(start + stream.size(), ring.committed());
                    if (random.nextInt(20) == 0) {
                        ring.rewind();
                    }
                    send(ring, stream, start, start + random.nextLong(stream.size() + 2000L), random);
                }
                default -> {
                    final long position = ends.get(random.nextInt(ends.size()));
                    final boolean isRight = position >= ring.acked() && position <= ring.sent();
                    assertEquals(isRight, ring.acknowledge(position));
                    assertFalse(ring.acknowledge(ring.acked() + 4));
                    acked = isRight ? position : acked;
                    assertEquals(acked, ring.acked());
                }
            }
            assertEquals(tail, ring.tail());
        }
        assertFreeIsZero(ring, claimed.isEmpty() && acked == tail);
    }

    private static void assertFreeIsZero(SendRing ring, boolean isEmpty) {
        if (isEmpty) {
            assertEquals(-1, ring.memory().mismatch(MemorySegment.ofArray(new byte[SendRing.bytes(CAPACITY)])));
        }
    }

    private static void add(List<Byte> stream, byte[] bytes) {
        for (byte it : bytes) {
            stream.add(it);
        }
    }

    private static void send(SendRing ring, List<Byte> stream, long start, long until, SplittableRandom random) {
        for (int bytes = ring.runBytes(until); bytes > 0; bytes = ring.runBytes(until)) {
            for (int i = 0; i < bytes; i++) {
                final long position = ring.sent() + i;
                assertEquals(stream.get((int) (position - start)),
                    ring.memory().get(ValueLayout.JAVA_BYTE, ring.runOffset() + i), () -> "at " + position);
            }
            if (random.nextInt(3) == 0) {
                ring.sent(random.nextInt(bytes));
                return;
            }
            ring.sent(bytes);
        }
        assertTrue(ring.sent() > Math.min(until, ring.committed()) - ring.lengthMax() - Frame.ALIGNMENT);
        assertTrue(until < ring.committed() || ring.sent() == ring.committed());
    }

    /** Everything before the end is kept; no room is given behind it. */
    @Test
    void closedRing_givesNoRoom() {
        final SendRing ring = ring(CAPACITY, 64);
        final long first = ring.claim(20, Long.MAX_VALUE);
        assertEquals(64, first);
        assertFalse(ring.closeIfEmpty());
        assertFalse(ring.isClosed());
        assertEquals(88, ring.close());
        assertEquals(88, ring.close());
        assertEquals(SendRing.CLOSED, ring.claim(20, Long.MAX_VALUE));
        assertEquals(88, ring.tail());
        assertFalse(ring.isDone());
        write(ring, first, 20, 1);
        assertEquals(88, ring.committed());
        ring.sent(ring.runBytes(Long.MAX_VALUE));
        assertTrue(ring.acknowledge(88));
        assertTrue(ring.isDone());
        final SendRing idle = ring(CAPACITY, 0);
        assertTrue(idle.closeIfEmpty());
        assertTrue(idle.isDone());
    }

    @Test
    void manyThreads_eachFrameOnceAndInItsThreadsOrder() throws InterruptedException {
        final int threads = 4;
        final int frames = 20_000;
        final SendRing ring = ring(CAPACITY, 0);
        final AtomicBoolean isOver = new AtomicBoolean();
        final List<Thread> writers = new ArrayList<>();
        for (int thread = 0; thread < threads; thread++) {
            final int id = thread;
            writers.add(Thread.ofPlatform().start(() -> {
                final SplittableRandom random = new SplittableRandom(id);
                for (int i = 0; i < frames && !isOver.get(); i++) {
                    final int length = Frame.LONG_HEAD_BYTES + random.nextInt(200);
                    long position = ring.claim(length, Long.MAX_VALUE);
                    while (position == SendRing.FULL && !isOver.get()) {
                        Thread.yield();
                        position = ring.claim(length, Long.MAX_VALUE);
                    }
                    if (position >= 0) {
                        Frame.begin(ring.memory(), ring.offset(position), id, 0, Frame.REQUEST, i);
                        ring.memory().asSlice(ring.offset(position) + Frame.LONG_HEAD_BYTES,
                            length - Frame.LONG_HEAD_BYTES).fill((byte) i);
                        ring.commit(position, length);
                    }
                }
            }));
        }
        try {
            drain(ring, new int[threads], threads * frames);
        } finally {
            isOver.set(true);
            for (Thread writer : writers) {
                writer.join();
            }
        }
    }

    private static void drain(SendRing ring, int[] next, int frames) {
        for (int seen = 0; seen < frames; ) {
            Threads.await("a frame", () -> ring.committed() > ring.sent());
            final long end = ring.committed();
            while (ring.sent() < end) {
                final long at = ring.runOffset();
                final int length = Frame.length(ring.memory(), at);
                final int thread = Frame.type(ring.memory(), at);
                assertEquals(next[thread]++, Frame.correlation(ring.memory(), at));
                for (long i = at + Frame.LONG_HEAD_BYTES; i < at + length; i++) {
                    assertEquals((byte) (next[thread] - 1), ring.memory().get(ValueLayout.JAVA_BYTE, i));
                }
                ring.sent(Frame.taken(length));
                seen++;
            }
            assertTrue(ring.acknowledge(end));
        }
        assertEquals(ring.tail(), ring.acked());
    }
}
