package io.teff.engine.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

/**
 * Goal: counting free and dead indexes of a page never spills from one field into another. Method: every pair of counts
 * that a page can have, built up step by step the way the engine does it.
 */
final class FreeWordTest {
    @Test
    void pushed_everyCountAndDead_addsOneAndKeepsTheRest() {
        for (int dead = 0; dead <= FreeWord.SLOTS; dead++) {
            long word = dead(dead);
            for (int count = 0; count < FreeWord.SLOTS - dead; count++) {
                int slot = FreeWord.SLOTS - 1 - count;
                word = FreeWord.pushed(word, slot, 1);
                if (FreeWord.head(word) != slot + 1 || FreeWord.count(word) != count + 1
                    || FreeWord.dead(word) != dead || FreeWord.queued(word) != (count + 1 >= FreeWord.REUSE_MIN)) {
                    throw new AssertionError("count=" + count + " dead=" + dead + " word=0x" + Long.toHexString(word));
                }
            }
        }
    }

    @Test
    void pushed_fullPage_isRefused() {
        for (int dead : new int[] {0, 1, FreeWord.SLOTS / 2, FreeWord.SLOTS}) {
            long full = filled(FreeWord.SLOTS - dead, dead);
            assertThrows(AssertionError.class, () -> FreeWord.pushed(full, 0, 1));
        }
    }

    @Test
    void pushed_severalAtOnce_equalsOneByOne() {
        for (int first = 0; first <= FreeWord.SLOTS; first += 61) {
            for (int count = 1; count <= FreeWord.SLOTS - first; count += 7) {
                long oneByOne = filled(first, 0);
                for (int i = count - 1; i >= 0; i--) {
                    oneByOne = FreeWord.pushed(oneByOne, first + i, 1);
                }
                assertEquals(oneByOne, FreeWord.pushed(filled(first, 0), first, count));
            }
        }
    }

    @Test
    void taken_everyCount_isThePushBackwards() {
        for (int dead : new int[] {0, 1, 2047, FreeWord.SLOTS - 1}) {
            for (int count = 0; count < FreeWord.SLOTS - dead; count++) {
                long word = FreeWord.withQueued(filled(count, dead));
                assertEquals(word, FreeWord.taken(FreeWord.pushed(word, 4095, 1), FreeWord.head(word)));
            }
        }
    }

    @Test
    void released_anyWord_keepsTheQueuedBitOnly() {
        assertEquals(0, FreeWord.released(filled(FreeWord.REUSE_MIN - 1, 5)));
        assertEquals(FreeWord.withQueued(0), FreeWord.released(filled(FreeWord.SLOTS - 5, 5)));
    }

    @Test
    void died_everyCount_addsOneAndKeepsTheRest() {
        for (int count = 0; count < FreeWord.SLOTS; count++) {
            long word = filled(count, 0);
            long died = FreeWord.died(word);
            assertEquals(1, FreeWord.dead(died));
            assertEquals(FreeWord.head(word), FreeWord.head(died));
            assertEquals(count, FreeWord.count(died));
            assertEquals(FreeWord.queued(word), FreeWord.queued(died));
        }
    }

    @Test
    void detached_everyCount_keepsTheDeadOnly() {
        for (int dead : new int[] {0, 1, 2047, 2048, FreeWord.SLOTS - 1}) {
            for (int count = 0; count <= FreeWord.SLOTS - dead; count++) {
                long word = FreeWord.withQueued(filled(count, dead));
                assertEquals(dead(dead), FreeWord.detached(word));
            }
        }
    }

    @Test
    void withQueued_anyWord_setsOneBit() {
        for (int count = 0; count <= FreeWord.SLOTS; count++) {
            long word = filled(count, 0);
            long queued = FreeWord.withQueued(word);
            assertEquals(true, FreeWord.queued(queued));
            assertEquals(count, FreeWord.count(queued));
            assertEquals(0, FreeWord.dead(queued));
            assertEquals(FreeWord.head(word), FreeWord.head(queued));
        }
    }

    @Test
    void releasable_everyCountAndDead_isTrueIfNoIndexIsInUse() {
        for (int dead = 0; dead <= FreeWord.SLOTS; dead++) {
            assertEquals(true, FreeWord.releasable(filled(FreeWord.SLOTS - dead, dead), FreeWord.SLOTS));
            if (dead < FreeWord.SLOTS) {
                assertEquals(false, FreeWord.releasable(filled(FreeWord.SLOTS - dead - 1, dead), FreeWord.SLOTS));
            }
        }
    }

    @Test
    void pushed_afterDetach_isQueuedAgainAtTheThreshold() {
        long word = FreeWord.detached(filled(FreeWord.REUSE_MIN, 3));
        assertEquals(false, FreeWord.queued(word));
        for (int i = 1; i < FreeWord.REUSE_MIN; i++) {
            word = FreeWord.pushed(word, i, 1);
            assertEquals(false, FreeWord.queued(word));
        }
        assertEquals(true, FreeWord.queued(FreeWord.pushed(word, 0, 1)));
    }

    private static long dead(int count) {
        long word = 0;
        for (int i = 0; i < count; i++) {
            word = FreeWord.died(word);
        }
        return word;
    }

    private static long filled(int count, int dead) {
        long word = dead(dead);
        for (int i = 0; i < count; i++) {
            word = FreeWord.pushed(word, i, 1);
        }
        return word;
    }
}
