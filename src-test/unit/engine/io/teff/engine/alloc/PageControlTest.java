package io.teff.engine.alloc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/**
 * Goal: a page is never lost, given back twice, or accessed after it was given back. Method: first every transition
 * from every state and count against the drawing; then all interleavings of an owner and up to three freers on a tiny
 * page, with the real rules and with weakened ones, which must be caught.
 */
final class PageControlTest {
    private static final int SMALL = 3;
    private static final int REAL = PageLayout.capacity(0);
    private static final int USED_MAX = (1 << 16) - 1;

    @Test
    void pack_everyStateAndCount_givesThemBack() {
        for (int state = PageControl.ACTIVE; state <= PageControl.GONE; state++) {
            for (int used = 0; used <= USED_MAX; used++) {
                long word = PageControl.pack(state, used);
                if (PageControl.state(word) != state || PageControl.used(word) != used || word < 0) {
                    throw new AssertionError("state=" + state + " used=" + used);
                }
            }
        }
        assertThrows(AssertionError.class, () -> PageControl.pack(PageControl.GONE + 1, 0));
        assertThrows(AssertionError.class, () -> PageControl.pack(PageControl.ACTIVE, USED_MAX + 1));
        assertThrows(AssertionError.class, () -> PageControl.pack(PageControl.ACTIVE, -1));
    }

    @Test
    void freed_everyStateAndCount_followsTheDrawing() {
        forEachWord((state, used, capacity) -> {
            long after = PageControl.freed(PageControl.pack(state, used));
            if (used == 0 || state == PageControl.GONE) {
                assertEquals(PageControl.REFUSED, after);
                return;
            }
            int expected = switch (state) {
                case PageControl.ACTIVE -> PageControl.ACTIVE;
                case PageControl.LISTED -> used == 1 ? PageControl.GONE : PageControl.LISTED;
                default -> PageControl.LISTING;
            };
            assertEquals(PageControl.pack(expected, used - 1), after);
        });
    }

    @Test
    void claimed_everyStateAndCount_addsToAnActivePageOnly() {
        forEachWord((state, used, capacity) -> {
            for (int count : new int[] {1, 2, Long.SIZE, -used}) {
                check(state == PageControl.ACTIVE, PageControl.pack(PageControl.ACTIVE, used + count),
                    () -> PageControl.claimed(PageControl.pack(state, used), count));
            }
        });
    }

    @Test
    void exhausted_everyStateAndCount_needsEverySlotUsed() {
        forEachWord((state, used, capacity) -> check(state == PageControl.ACTIVE,
            used == capacity ? PageControl.pack(PageControl.FULL, used) : PageControl.REFUSED,
            () -> PageControl.exhausted(PageControl.pack(state, used), capacity)));
    }

    @Test
    void abandoned_everyStateAndCount_leavesAnActivePageOnly() {
        forEachWord((state, used, capacity) -> check(state == PageControl.ACTIVE,
            PageControl.pack(PageControl.LISTING, used), () -> PageControl.abandoned(PageControl.pack(state, used))));
    }

    @Test
    void listed_everyStateAndCount_listsOrEndsAPageThatIsBeingListed() {
        forEachWord((state, used, capacity) -> check(state == PageControl.LISTING,
            PageControl.pack(used == 0 ? PageControl.GONE : PageControl.LISTED, used),
            () -> PageControl.listed(PageControl.pack(state, used))));
    }

    @Test
    void adopted_everyStateAndCount_takesAListedPageOnly() {
        forEachWord((state, used, capacity) -> assertEquals(
            state == PageControl.LISTED ? PageControl.pack(PageControl.ACTIVE, used) : PageControl.REFUSED,
            PageControl.adopted(PageControl.pack(state, used))));
    }

    @ParameterizedTest
    @CsvSource({"1,1", "2,1", "2,2", "3,1", "3,2", "2,3"})
    void explore_allInterleavings_neverLoseThePage(int slots, int freers) {
        PageExploration all = new PageExploration(new PageModel(PageModel.Weakness.NONE, slots, freers));
        assertNull(all.problem());
        assertTrue(all.stateCount() > 20, "only " + all.stateCount() + " states");
        System.out.println("page exploration: " + slots + " slots, " + freers + " freers, " + all.stateCount()
            + " states");
    }

    @ParameterizedTest
    @EnumSource(value = PageModel.Weakness.class, mode = Mode.EXCLUDE, names = "NONE")
    void explore_weakenedRule_isCaught(PageModel.Weakness weakness) {
        PageExploration all = new PageExploration(new PageModel(weakness, 3, 2));
        assertNotNull(all.problem(), () -> weakness + " was not seen in " + all.stateCount() + " states");
        System.out.println("page exploration: " + weakness + ": " + all.problem());
    }

    private static void check(boolean legal, long expected, LongSupplier step) {
        if (legal) {
            assertEquals(expected, step.getAsLong());
        } else {
            assertThrows(AssertionError.class, step::getAsLong);
        }
    }

    /** A check of one word. */
    @FunctionalInterface
    private interface Check {
        void word(int state, int used, int capacity);
    }

    /**
     * Visits all counts, up to one bitmap word too many: slots that were claimed again before their freers have
     * counted.
     */
    private static void forEachWord(Check check) {
        for (int capacity : new int[] {SMALL, REAL}) {
            for (int state = PageControl.ACTIVE; state <= PageControl.GONE; state++) {
                for (int used = 0; used <= capacity + Long.SIZE; used++) {
                    check.word(state, used, capacity);
                }
            }
        }
    }
}
