package io.teff.cluster.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LeaseTest {
    private static final LeaseTerms TERMS = new LeaseTerms(1_000_000_000L, 10);
    private static final long MS = 1_000_000L;

    private final LeaseClock clock = new LeaseClock(TERMS, 3);

    @Test
    void check_withAnswersOfAMajority_holdsUntilTheShortenedTermIsOver() {
        long heartbeat = clock.sent(0, 0);
        clock.answered(0, heartbeat);
        assertFalse(clock.check(1, 1));
        clock.answered(2, heartbeat);
        assertTrue(clock.check(989 * MS, 988 * MS));
        assertFalse(clock.check(990 * MS, 990 * MS));
    }

    @Test
    void check_countsFromTheSendingOfTheHeartbeat_notFromItsAnswer() {
        long early = clock.sent(0, 0);
        long late = clock.sent(500 * MS, 500 * MS);
        clock.answered(0, late);
        clock.answered(1, early);
        assertFalse(clock.check(995 * MS, 995 * MS), "the second superpeer has answered the early heartbeat only");
    }

    @Test
    void answered_outOfOrder_keepsTheNewest() {
        long early = clock.sent(0, 0);
        long late = clock.sent(500 * MS, 500 * MS);
        clock.answered(0, late);
        clock.answered(0, early);
        clock.answered(1, late);
        assertTrue(clock.check(1_400 * MS, 1_400 * MS));
    }

    @Test
    void answered_toAHeartbeatThatWasNeverSent_isIgnored() {
        clock.answered(0, 5);
        clock.answered(1, -1);
        assertFalse(clock.check(1, 1));
    }

    @Test
    void check_afterTheMachineWasSuspended_holdsNothing() {
        long heartbeat = clock.sent(0, 0);
        clock.answered(0, heartbeat);
        clock.answered(1, heartbeat);
        assertTrue(clock.check(10 * MS, 10 * MS));
        assertFalse(clock.check(20 * MS, 5_000 * MS));
        clock.answered(0, heartbeat);
        clock.answered(1, heartbeat);
        assertFalse(clock.check(21 * MS, 5_001 * MS), "answers to heartbeats before the suspension do not count");
        long next = clock.sent(22 * MS, 5_002 * MS);
        clock.answered(0, next);
        clock.answered(1, next);
        assertTrue(clock.check(23 * MS, 5_003 * MS));
    }

    @Test
    void check_afterShortSuspensions_countsAllOfThem() {
        long heartbeat = clock.sent(0, 0);
        clock.answered(0, heartbeat);
        clock.answered(1, heartbeat);
        for (long wall = 90; wall <= 900; wall += 90) {
            assertTrue(clock.check(wall / 10 * MS, wall * MS));
        }
        assertFalse(clock.check(100 * MS, 990 * MS));
    }

    @Test
    void check_afterTheWallClockWasSetForward_holdsNothing_untilTheNextAnswers() {
        long heartbeat = clock.sent(0, 0);
        clock.answered(0, heartbeat);
        clock.answered(1, heartbeat);
        assertFalse(clock.check(MS, 3_600_000 * MS));
        assertTrue(clock.check(2 * MS, -3_600_000 * MS), "set back, it says nothing");
        long next = clock.sent(3 * MS, 3_600_002 * MS);
        clock.answered(0, next);
        clock.answered(1, next);
        assertTrue(clock.check(4 * MS, 3_600_003 * MS));
    }

    @Test
    void answer_whileTheSuperpeerVotes_isRefused() {
        Promises<String> promises = promises();
        assertTrue(promises.answer("a", 2_000 * MS));
        assertEquals(List.of(), promises.overdue(List.of("a"), Set.of(), 3_000 * MS));
        assertEquals(List.of("a"), promises.overdue(List.of("a"), Set.of(), 3_011 * MS));
        assertFalse(promises.answer("a", 3_012 * MS));
        promises.withdrawn("a", 3_020 * MS);
        assertTrue(promises.answer("a", 3_021 * MS));
    }

    @Test
    void answer_ofASuperpeerThatWasRestarted_comesAfterTheLongestPromise() {
        Promises<String> promises = new Promises<>(TERMS);
        assertFalse(promises.answer("a", 0));
        promises.begin(0);
        assertFalse(promises.answer("a", 1_000 * MS));
        assertEquals(List.of(), promises.overdue(List.of("a"), Set.of(), 1_000 * MS));
        assertTrue(promises.answer("a", 1_011 * MS));
    }

    @Test
    void overdue_aNodeThatNeverSpoke_isWatchedFromTheFirstLook() {
        Promises<String> promises = promises();
        assertEquals(List.of(), promises.overdue(List.of("a"), Set.of(), 5_000 * MS));
        assertEquals(List.of(), promises.overdue(List.of("a"), Set.of(), 6_000 * MS));
        assertEquals(List.of("a"), promises.overdue(List.of("a"), Set.of(), 6_011 * MS));
    }

    @Test
    void overdue_aNodeThatJoinsWhileTheSuperpeerWatches_hasSeveralTermsUntilItsFirstHeartbeat() {
        Promises<String> promises = promises();
        promises.overdue(List.of(), Set.of(), 5_000 * MS);
        promises.overdue(List.of("a"), Set.of(), 6_000 * MS);
        assertEquals(List.of(), promises.overdue(List.of("a"), Set.of(), 11_000 * MS));
        assertTrue(promises.answer("a", 11_001 * MS));
        assertEquals(List.of("a"), promises.overdue(List.of("a"), Set.of(), 12_012 * MS), "then the term counts");
    }

    /** A process that was killed before its first heartbeat keeps its folder's next one waiting for no longer. */
    @Test
    void overdue_aNodeThatNeverSpoke_hasOneTerm_ifAnotherProcessWaitsForItsEnd() {
        Promises<String> promises = promises();
        promises.overdue(List.of(), Set.of(), 5_000 * MS);
        promises.overdue(List.of("a", "b"), Set.of(), 6_000 * MS);
        assertTrue(promises.answer("b", 6_500 * MS));
        assertEquals(List.of(), promises.overdue(List.of("a", "b"), Set.of("a", "b"), 7_000 * MS));
        assertEquals(List.of("a"), promises.overdue(List.of("a", "b"), Set.of("a", "b"), 7_011 * MS));
        assertTrue(promises.answer("b", 7_012 * MS), "one that has spoken is promised its whole term");
        assertEquals(List.of("a"), promises.overdue(List.of("a", "b"), Set.of("a", "b"), 8_000 * MS));
    }

    @Test
    void terms_outOfRange_areRefused() {
        assertThrows(IllegalArgumentException.class, () -> new LeaseTerms(1, 10));
        assertThrows(IllegalArgumentException.class, () -> new LeaseTerms(1_000_000_000L, 101));
    }

    private static Promises<String> promises() {
        Promises<String> promises = new Promises<>(TERMS);
        promises.begin(0);
        return promises;
    }
}
