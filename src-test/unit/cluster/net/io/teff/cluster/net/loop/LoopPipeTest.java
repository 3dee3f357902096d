package io.teff.cluster.net.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.test.kit.Form;
import io.teff.test.kit.Seed;
import io.teff.test.kit.Threads;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * Goal: every byte arrives once and in order while the ring is resized; a link with little traffic has a small ring.
 */
final class LoopPipeTest {
    private static final int SMALL = LoopPipe.CAPACITY_SMALL;
    private static final int LARGE = LoopPipe.CAPACITY;
    private static final long SEED = Seed.first();
    private static final int WRITES = Form.size(1_000, 5_000, 20_000);
    private static final int BURST = 16;
    private static final int PRIME = 251;

    private final LoopPipe pipe = new LoopPipe();
    private LoopRings rings = new LoopRings();
    private final MemorySegment pattern = MemorySegment.ofArray(new byte[LARGE + PRIME]);
    private long written;
    private long read;

    LoopPipeTest() {
        for (int i = 0; i < pattern.byteSize(); i++) {
            pattern.set(ValueLayout.JAVA_BYTE, i, (byte) (i % PRIME));
        }
    }

    private int write(int bytes) {
        final int taken = pipe.write(pattern, written % PRIME, bytes, rings);
        written += taken;
        return taken;
    }

    /** Reads one piece. */
    private int read(int most) {
        final int bytes = Math.min(most, pipe.readable());
        for (int i = 0; i < bytes; i++) {
            final byte found = pipe.memory().get(ValueLayout.JAVA_BYTE, pipe.readOffset() + i);
            if (found != (byte) ((read + i) % PRIME)) {
                throw new AssertionError("byte " + (read + i) + " is " + found + ", seed " + SEED);
            }
        }
        pipe.release(bytes);
        read += bytes;
        return bytes;
    }

    private void readAll() {
        while (!pipe.isEmpty()) {
            read(LARGE);
        }
        assertEquals(written, read);
    }

    private long capacity() {
        return pipe.memory().byteSize();
    }

    @Test
    void write_moreThanASmallRingHas_takesALargeOneWhenAllIsRead() {
        assertEquals(SMALL, capacity());
        assertEquals(SMALL - 1, write(SMALL - 1));
        assertEquals(1, write(1));
        assertEquals(0, write(1));
        assertFalse(pipe.hasRoom());
        read(SMALL / 2);
        assertEquals(0, write(SMALL));
        assertFalse(pipe.hasRoom(), "not before all is read");
        readAll();
        assertTrue(pipe.hasRoom());
        assertEquals(LARGE, write(LARGE + 1));
        assertEquals(LARGE, capacity());
        assertFalse(pipe.hasRoom());
        read(1);
        assertTrue(pipe.hasRoom());
        assertEquals(1, write(2));
        readAll();
    }

    @Test
    void rest_someIsUnread_keepsTheRing() {
        write(LARGE);
        pipe.rest(rings);
        assertEquals(LARGE, capacity());
        readAll();
        pipe.rest(rings);
        assertEquals(SMALL, capacity());
        write(SMALL / 2);
        pipe.rest(rings);
        readAll();
        assertEquals(SMALL, capacity());
    }

    /** If there is no memory for a larger ring, the pipe continues with the current one and retries seldom. */
    @Test
    void write_noMemoryForALargeRing_goesThroughTheSmallOne() {
        final int[] asked = new int[1];
        final long[] now = {Long.MAX_VALUE - 1};
        rings = new LoopRings(_ -> {
            if (++asked[0] < 3) {
                throw new OutOfMemoryError("planned");
            }
            return MemorySegment.ofArray(new byte[LARGE]);
        }, () -> now[0]);
        for (int i = 1; i < 3; i++) {
            for (int writes = 0; writes < 3; writes++) {
                assertEquals(SMALL, write(SMALL + 1));
                assertFalse(pipe.hasRoom());
                readAll();
                assertTrue(pipe.hasRoom());
            }
            assertEquals(i, asked[0]);
            now[0] += 2_000_000_000;
        }
        for (int i = 0; i < 3; i++) {
            assertEquals(SMALL + 1, write(SMALL + 1));
            readAll();
            pipe.rest(rings);
        }
        assertEquals(3, asked[0], "it is used again");
    }

    @Test
    void twoThreads_ringsOfBothKinds_carryEveryByteOnceAndInOrder() throws Exception {
        final Random random = new Random(SEED);
        final CompletableFuture<Void> reader = CompletableFuture.runAsync(() -> {
            final Random lengths = new Random(SEED + 1);
            while (!(pipe.isClosed() && pipe.isEmpty())) {
                if (read(1 + lengths.nextInt(LARGE / 2)) == 0) {
                    Thread.onSpinWait();
                }
            }
        });
        int larger = 0;
        try {
            for (int i = 0; i < WRITES && !reader.isDone(); i++) {
                final int bytes = 1 + (random.nextInt(8) == 0 ? random.nextInt(LARGE) : random.nextInt(64));
                for (int left = bytes; left > 0 && !reader.isDone(); ) {
                    final int taken = write(left);
                    left -= taken;
                    if (taken == 0) {
                        Threads.await("room", () -> pipe.hasRoom() || reader.isDone());
                    }
                }
                larger += capacity() == LARGE ? 1 : 0;
                if (i % BURST == 0) {                           // otherwise a slow reader would keep every ring
                    Threads.await("the reader", () -> pipe.isEmpty() || reader.isDone());
                }
                pipe.rest(rings);
            }
        } finally {
            pipe.close();                                       // ends the reader
        }
        reader.get();
        assertEquals(written, read);
        assertTrue(larger > 0 && larger < WRITES, larger + " of " + WRITES + " in large rings");
    }
}
