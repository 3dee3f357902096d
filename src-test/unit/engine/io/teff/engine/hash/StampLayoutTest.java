package io.teff.engine.hash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.test.kit.Seed;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Stamps: their bytes, and comparisons beyond the end of their range. */
final class StampLayoutTest {
    @Test
    void stamps_areReadAsWritten() {
        SplittableRandom random = Seed.random(1);
        byte[] bytes = new byte[20];
        for (int i = 0; i < 1_000; i++) {
            long deadline = random.nextLong(StampLayout.NEVER + 1);
            long written = random.nextLong(StampLayout.NEVER);
            StampLayout.write(bytes, 3, StampLayout.DEADLINE, deadline);
            StampLayout.write(bytes, 3, StampLayout.WRITTEN, written);
            assertEquals(deadline, StampLayout.read(bytes, 3, StampLayout.DEADLINE));
            assertEquals(written, StampLayout.read(bytes, 3, StampLayout.WRITTEN));
        }
    }

    @Test
    void deadline_isOverFromItsTimeOn_whereverTheClockStands() {
        SplittableRandom random = Seed.random(1);
        for (int i = 0; i < 10_000; i++) {
            long nowMs = random.nextLong();
            long durationMs = random.nextLong(StampLayout.DURATION_MAX_MS);
            long deadline = StampLayout.deadline(nowMs, durationMs);
            boolean isExact = deadline == (nowMs + durationMs & StampLayout.NEVER);
            assertEquals(durationMs == 0, StampLayout.isOver(deadline, nowMs));
            assertEquals(isExact ? -durationMs : 1 - durationMs, StampLayout.age(deadline, nowMs));
            assertTrue(StampLayout.isOver(deadline, nowMs + durationMs));
            assertTrue(StampLayout.isOver(deadline, nowMs + durationMs + StampLayout.DURATION_MAX_MS - 1));
        }
    }

    @Test
    void longDuration_neverEnds() {
        long deadline = StampLayout.deadline(5, StampLayout.DURATION_MAX_MS + 1);
        assertEquals(StampLayout.NEVER, deadline);
        assertFalse(StampLayout.isOver(deadline, Long.MAX_VALUE));
    }
}
