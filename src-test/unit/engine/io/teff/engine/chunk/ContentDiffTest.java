package io.teff.engine.chunk;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.journal.ChangedBytes;
import io.teff.engine.memory.Memory;
import io.teff.engine.memory.Region;
import io.teff.engine.memory.RegionLayout;
import io.teff.engine.os.Threads;
import io.teff.test.kit.Seed;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Goal: the bytes that are written make the new content of the old one, and are few. Method: random changes of random
 * contents, and the slots of a tree node that move by one slot.
 */
final class ContentDiffTest {
    private static final int ROUNDS = 3000;
    private static final int BYTES_MAX = 3000;
    private static final int SLOT_BYTES = 12;
    private static final int SLOTS = 200;

    private final Region region = new Region(2L * RegionLayout.BLOCK_BYTES, false, Threads.SYSTEM);
    private final Memory memory = region.memory();
    private final long address = RegionLayout.blockAddress(region.grow(1));
    private final ContentDiff diff = new ContentDiff();

    @AfterEach
    void close() {
        region.close();
    }

    /** Compares, writes, and applies what was written; returns the bytes of the entry. */
    private int check(byte[] before, byte[] now) {
        byte[] padded = new byte[7 + now.length];
        System.arraycopy(before, 0, padded, 7, Math.min(before.length, now.length));
        int bytes = diff.compare(padded, 7, now, now.length, Integer.MAX_VALUE);
        memory.copyIn(now, 0, address, now.length);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment entry = arena.allocate(bytes);
            diff.write(memory, address, now.length, 5, entry, 0);
            assertTrue(ChangedBytes.isPossible(entry, 0, bytes));
            assertArrayEquals(now, ChangedBytes.changed(before, entry, 0, bytes));
        }
        return bytes;
    }

    @Test
    void anyChange_isMadeByItsBytes() {
        SplittableRandom random = Seed.random(Seed.first());
        for (int round = 0; round < ROUNDS; round++) {
            byte[] before = new byte[random.nextInt(BYTES_MAX)];
            random.nextBytes(before);
            byte[] now = Arrays.copyOf(before, random.nextInt(4) == 0 ? 1 + random.nextInt(BYTES_MAX)
                : Math.max(before.length, 1));
            for (int part = random.nextInt(round % 10 == 0 ? 200 : 8); part > 0; part--) {
                int from = random.nextInt(now.length);
                for (int at = from; at < Math.min(from + random.nextInt(20), now.length); at++) {
                    now[at] = (byte) random.nextInt(256);
                }
            }
            check(before, now);
        }
    }

    @Test
    void oneByte_takesFewBytes() {
        byte[] before = new byte[1000];
        byte[] now = before.clone();
        now[500] = 1;
        assertEquals(ChangedBytes.HEAD_BYTES + ChangedBytes.partBytes(500, 1), check(before, now));
        now[520] = 1;
        assertEquals(ChangedBytes.HEAD_BYTES + ChangedBytes.partBytes(500, 1) + ChangedBytes.partBytes(19, 1),
            check(before, now));
        assertEquals(ChangedBytes.HEAD_BYTES, check(now, now.clone()));
    }

    /** Each slot begins with the bytes that the slots beside it have, too. */
    @Test
    void slotsThatMove_takeTheirBytes_howeverManyTheyAre() {
        SplittableRandom random = Seed.random(Seed.first());
        byte[] before = new byte[(SLOTS + 1) * SLOT_BYTES];
        for (int slot = 0; slot < SLOTS; slot++) {
            for (int at = 4; at < SLOT_BYTES; at++) {
                before[slot * SLOT_BYTES + at] = (byte) random.nextInt(256);
            }
        }
        byte[] now = before.clone();
        System.arraycopy(before, SLOT_BYTES * 50, now, SLOT_BYTES * 51, SLOT_BYTES * (SLOTS - 50));
        int bytes = check(before, now);
        assertTrue(bytes <= (SLOTS - 50) * SLOT_BYTES + 40, () -> bytes + " bytes");
    }

    @Test
    void farParts_areOnePart_behindTheLastOneThatHasRoom() {
        byte[] before = new byte[2000];
        byte[] now = before.clone();
        for (int at = 0; at < now.length; at += 20) {
            now[at] = 1;
        }
        assertTrue(check(before, now) < now.length);
    }
}
