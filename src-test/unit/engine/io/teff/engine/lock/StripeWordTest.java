package io.teff.engine.lock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;

/**
 * Goal: every transition of a stripe word does what its drawing shows and nothing else. Method: all eight combinations
 * of the flag bits, at both ends and in the middle of the version, against a second statement of the rule.
 */
final class StripeWordTest {
    private static final long FLAGS = StripeWord.WRITER | StripeWord.FROZEN | StripeWord.CLOSED;
    private static final long[] VERSIONS = {0, 1, 2, 1L << 30, 1L << 60, (1L << 61) - 2, (1L << 61) - 1};
    private static final int VERSION_SHIFT = 3;

    @Test
    void readable_everyWord_isFalseWithWriterOrClosed() {
        forEachWord(word -> {
            boolean expected = (word & StripeWord.WRITER) == 0 && (word & StripeWord.CLOSED) == 0;
            assertEquals(expected, StripeWord.readable(word), () -> show(word));
        });
    }

    @Test
    void entered_everyWord_isAllowedOnlyWithoutFlags() {
        forEachWord(word -> {
            long expected = (word & FLAGS) == 0 ? word | StripeWord.WRITER : StripeWord.REFUSED;
            assertEquals(expected, StripeWord.entered(word), () -> show(word));
        });
    }

    @Test
    void frozen_everyWord_isAllowedOnlyWithoutFlags() {
        forEachWord(word -> {
            long expected = (word & FLAGS) == 0 ? word | StripeWord.FROZEN : StripeWord.REFUSED;
            assertEquals(expected, StripeWord.frozen(word), () -> show(word));
        });
    }

    @Test
    void left_everyWord_clearsTheWriterAndMovesTheVersion() {
        forEachWord(word -> {
            if ((word & FLAGS) == (StripeWord.WRITER | StripeWord.CLOSED)) {
                assertEquals(next(word) | StripeWord.CLOSED, StripeWord.left(word), () -> show(word));
            } else {
                checkStep(word, StripeWord.WRITER, StripeWord::left, next(word));
            }
        });
    }

    @Test
    void closedAround_everyWord_staysClosedWhenTheWriterLeaves() {
        forEachWord(word -> {
            checkStep(word, StripeWord.WRITER, StripeWord::closedAround, word | StripeWord.CLOSED);
            long closed = word & ~FLAGS | StripeWord.WRITER | StripeWord.CLOSED;
            assertEquals(StripeWord.REFUSED, StripeWord.entered(closed));
            assertEquals(StripeWord.REFUSED, StripeWord.frozen(closed));
            assertFalse(StripeWord.readable(closed));
            assertTrue((StripeWord.left(closed) & FLAGS) == StripeWord.CLOSED);
        });
    }

    @Test
    void thawed_everyWord_clearsFrozenAndMovesTheVersion() {
        forEachWord(word -> checkStep(word, StripeWord.FROZEN, StripeWord::thawed, next(word)));
    }

    @Test
    void closed_everyWord_keepsTheVersionAndIsFinal() {
        forEachWord(word -> {
            checkStep(word, StripeWord.FROZEN, StripeWord::closed, word & ~FLAGS | StripeWord.CLOSED);
            long closed = word & ~FLAGS | StripeWord.CLOSED;
            assertEquals(StripeWord.REFUSED, StripeWord.entered(closed));
            assertEquals(StripeWord.REFUSED, StripeWord.frozen(closed));
            assertThrows(AssertionError.class, () -> StripeWord.left(closed));
            assertThrows(AssertionError.class, () -> StripeWord.thawed(closed));
            assertThrows(AssertionError.class, () -> StripeWord.closed(closed));
        });
    }

    @Test
    void steps_fromAnOpenWord_reachNoWordWithTwoFlags() {
        ArrayDeque<Long> open = new ArrayDeque<>(Set.of(0L));
        Set<Long> seen = new HashSet<>(open);
        while (!open.isEmpty()) {
            long word = open.remove();
            assertTrue(Long.bitCount(word & FLAGS) <= 1, () -> show(word));
            assertNotEquals(StripeWord.REFUSED, word);
            for (long after : successors(word)) {
                boolean moves = (word & (StripeWord.WRITER | StripeWord.FROZEN)) != 0 && (after & FLAGS) == 0;
                assertEquals((word >>> VERSION_SHIFT) + (moves ? 1 : 0), after >>> VERSION_SHIFT, () -> show(word));
                if (after >>> VERSION_SHIFT < 4 && seen.add(after)) {
                    open.add(after);
                }
            }
        }
        assertEquals(4 * 4, seen.size(), "four versions of an open, entered, frozen and closed word");
    }

    private static Set<Long> successors(long word) {
        Set<Long> after = new HashSet<>();
        after.add(StripeWord.entered(word));
        after.add(StripeWord.frozen(word));
        if ((word & FLAGS) == StripeWord.WRITER) {
            after.add(StripeWord.left(word));
        }
        if ((word & FLAGS) == StripeWord.FROZEN) {
            after.add(StripeWord.thawed(word));
            after.add(StripeWord.closed(word));
        }
        after.remove(StripeWord.REFUSED);
        return after;
    }

    /** The transition is legal exactly with the one flag, and a caller's mistake is an assertion error. */
    private static void checkStep(long word, long flag, LongUnaryOperator step, long expected) {
        if ((word & FLAGS) == flag) {
            assertEquals(expected, step.applyAsLong(word), () -> show(word));
        } else {
            assertThrows(AssertionError.class, () -> step.applyAsLong(word), () -> show(word));
        }
    }

    private static long next(long word) {
        return (word >>> VERSION_SHIFT) + 1 << VERSION_SHIFT;
    }

    private static void forEachWord(LongConsumer check) {
        for (long version : VERSIONS) {
            for (long flags = 0; flags <= FLAGS; flags++) {
                check.accept(version << VERSION_SHIFT | flags);
            }
        }
    }

    private static String show(long word) {
        return "word=0x" + Long.toHexString(word);
    }
}
