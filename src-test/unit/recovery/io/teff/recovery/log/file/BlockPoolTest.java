package io.teff.recovery.log.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.recovery.format.BlockBuffer;
import io.teff.test.kit.Seed;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Goal: buffers that are lent at the same time have no byte in common, and all together are bounded. Method: buffers
 * are lent and given back at random, and each begins and ends with the number of its loan.
 */
final class BlockPoolTest {
    private static final int PAGE = 4096;
    private static final int BLOCK = 8 * PAGE;
    private static final int BLOCKS = 5;
    private static final int LONG = 10 * PAGE;

    /** Memory of the heap, of which there is so much, and the number of its parts. */
    private static final class Memory {
        private int left;
        private int made;

        Memory(int left) {
            this.left = left;
        }

        ByteBuffer make(int bytes) {
            if (left == 0) {
                throw new OutOfMemoryError("planned");
            }
            left--;
            made++;
            return ByteBuffer.allocateDirect(bytes);
        }
    }

    @Test
    void take_atRandom_lendsEachPageOnce() {
        long seed = Seed.first();
        SplittableRandom random = Seed.random(seed);
        BlockPool pool = new BlockPool(BLOCK, BLOCKS, LONG, ByteBuffer::allocateDirect);
        List<BlockBuffer> lent = new ArrayList<>();
        long bytes = 0;
        int refused = 0;
        for (int step = 0; step < 20_000; step++) {
            int wanted = 1 + random.nextInt(random.nextInt(20) == 0 ? LONG : 3 * PAGE);
            if (random.nextInt(step / 1_000 % 2 == 0 ? 3 : 4) < 2 && pool.isReady(wanted)) {
                BlockBuffer next = pool.take(wanted);
                assertTrue(next.capacity() >= wanted && next.capacity() < Math.max(2 * wanted, LONG + 1), "" + wanted);
                lent.forEach(other -> assertNotSame(other, next, "reproduce: -Dseed=" + seed));
                next.bytes().clear().putLong(0, step).putLong(next.capacity() - Long.BYTES, step);
                lent.forEach(other -> assertEquals(other.bytes().getLong(0),
                    other.bytes().getLong(other.capacity() - Long.BYTES), "reproduce: -Dseed=" + seed));
                lent.add(next);
                bytes += next.capacity();
            } else if (!lent.isEmpty()) {
                refused++;
                BlockBuffer last = lent.remove(random.nextInt(lent.size()));
                bytes -= last.capacity();
                pool.give(last);
            }
            assertEquals(bytes, pool.lentBytes());
            assertTrue(pool.allocatedBytes() <= BLOCKS * BLOCK + LONG, () -> "" + pool.allocatedBytes());
        }
        assertTrue(refused > 1_000);
        lent.forEach(pool::give);
        assertEquals(0, pool.lentBytes());
        for (int i = 0; i < BLOCKS; i++) {
            assertTrue(pool.isReady(BLOCK), "whole blocks are free again");
            pool.take(BLOCK);
        }
        assertFalse(pool.isReady(1));
    }

    @Test
    void isReady_withoutMemoryForAnotherBlock_isFalse() {
        Memory memory = new Memory(3);                          // two blocks and the longer buffer
        BlockPool pool = new BlockPool(BLOCK, BLOCKS, LONG, memory::make);
        List<BlockBuffer> lent = new ArrayList<>();
        while (pool.isReady(PAGE)) {
            lent.add(pool.take(PAGE));
        }
        assertEquals(2 * BLOCK / PAGE, lent.size());
        assertEquals(3, memory.made);
        memory.left = 1;
        assertFalse(pool.isReady(PAGE), "it asks the JVM once only");
        pool.give(lent.removeLast());
        assertTrue(pool.isReady(PAGE));
        assertFalse(pool.isReady(2 * PAGE));
        assertTrue(pool.isReady(LONG));
    }
}
