package io.teff.cluster.net.ring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Goal: who finds no memory for a ring is told so, and can wait. */
final class OutgoingTest {
    private static final int CAPACITY = 1 << 14;

    @Test
    void streamWithoutMemory_isFull() {
        final RingPool pool = new RingPool(SendRing.bytes(CAPACITY));
        final MemorySegment taken = Objects.requireNonNull(pool.take(CAPACITY));
        final Outgoing out = new Outgoing(pool, CAPACITY, CAPACITY);
        assertEquals(Outgoing.FULL, out.put(1, 0, 0, 0, new byte[8], 0, 8));
        assertFalse(out.grow());
        pool.giveBack(taken, CAPACITY);
        assertTrue(out.grow());
        assertEquals(Outgoing.OK, out.put(1, 0, 0, 0, new byte[8], 0, 8));
    }
}
