package io.teff.cluster.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LeaseTest {
    private static final LeaseTerms TERMS = new LeaseTerms(1_000_000_000L, 10);
    private static final long MS = 1_000_000L;
    private static final long STEP_MS = 20;
    /** A node that is heard before each look. */
    private static final String SPEAKER = "z";

    /** Returns the clock of a node with superpeers 0, 1 and so on. */
    static LeaseClock clock(LeaseTerms terms, int superpeers) {
        LeaseClock made = new LeaseClock(terms);
        made.superpeers((1 << superpeers) - 1);
        return made;
    }

    private final LeaseClock clock = LeaseTest.clock(TERMS, 3);

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
        look(promises, Set.of("a", SPEAKER), 1_020, 2_000);
        assertTrue(promises.answer("a", 2_000 * MS));
        assertEquals(List.of(), look(promises, Set.of("a", SPEAKER), 2_000, 3_000));
        assertEquals(List.of("a"), look(promises, Set.of("a", SPEAKER), 3_000, 3_020));
        assertFalse(promises.answer("a", 3_020 * MS));
        promises.withdrawn("a", 3_020 * MS);
        assertTrue(promises.answer("a", 3_021 * MS));
        assertEquals(List.of(), look(promises, Set.of("a", SPEAKER), 3_020, 4_020), "a term from then on");
    }

    @Test
    void answer_ofASuperpeerThatWasRestarted_comesAfterTheLongestPromise() {
        Promises<String> promises = new Promises<>(TERMS);
        assertFalse(promises.answer("a", 0));
        promises.begin(0);
        assertFalse(promises.answer("a", 1_000 * MS));
        assertEquals(List.of(), look(promises, Set.of("a", SPEAKER), 0, 1_000));
        assertTrue(promises.answer("a", 1_011 * MS));
    }

    @Test
    void overdue_aNodeThatNeverSpoke_isWatchedFromTheFirstLook() {
        Promises<String> promises = promises();
        assertEquals(List.of(), look(promises, Set.of("a", SPEAKER), 5_000, 6_020));
        assertEquals(List.of("a"), look(promises, Set.of("a", SPEAKER), 6_020, 6_040));
    }

    @Test
    void overdue_aNodeThatJoinsWhileTheSuperpeerWatches_hasSeveralTermsUntilItsFirstHeartbeat() {
        Promises<String> promises = promises();
        look(promises, Set.of(SPEAKER), 5_000, 6_000);
        assertEquals(List.of(), look(promises, Set.of("a", SPEAKER), 6_000, 11_020));
        assertTrue(promises.answer("a", 11_020 * MS));
        assertEquals(List.of(), look(promises, Set.of("a", SPEAKER), 11_020, 12_020));
        assertEquals(List.of("a"), look(promises, Set.of("a", SPEAKER), 12_020, 12_040), "then the term counts");
    }

    /** A process that was killed before its first heartbeat keeps its folder's next one waiting for no longer. */
    @Test
    void overdue_aNodeThatNeverSpoke_hasOneTerm_ifAnotherProcessWaitsForItsEnd() {
        Promises<String> promises = promises();
        look(promises, Set.of(SPEAKER), 5_000, 6_000);
        assertEquals(List.of(), look(promises, Set.of("a", SPEAKER), Set.of("a", SPEAKER), 6_000, 7_020));
        assertEquals(List.of("a"), look(promises, Set.of("a", SPEAKER), Set.of("a", SPEAKER), 7_020, 7_040),
            "one that speaks is promised its whole term");
    }

    // ---- a superpeer that does not run, or hears nothing ----

    /** The process of the only superpeer was stopped, so it seems to have heard nothing for seconds. */
    @Test
    void overdue_afterTheSuperpeerWasStopped_isNothing_untilAWholeTermWasWatched() {
        Promises<String> promises = promises();
        look(promises, Set.of("a", SPEAKER), 1_020, 2_000);
        assertTrue(promises.answer("a", 2_000 * MS));
        assertEquals(List.of(), promises.overdue(List.of("a", SPEAKER), Set.of("a"), 5_000 * MS, 5_000 * MS));
        assertEquals(List.of(), look(promises, Set.of("a", SPEAKER), Set.of("a"), 5_000, 6_000));
        look(promises, Set.of("a", SPEAKER), 6_000, 6_100);
        assertTrue(promises.answer("a", 6_100 * MS), "its link is there");
        assertEquals(List.of(), look(promises, Set.of("a", SPEAKER), 6_100, 7_100));
        assertEquals(List.of("a"), look(promises, Set.of("a", SPEAKER), 7_100, 7_140));
    }

    /** A heartbeat that waited for the superpeer may have come over a link that is lost meanwhile. */
    @Test
    void overdue_afterTheSuperpeerWasStopped_andOneHeartbeat_isNothing_forAsLongAsLinksNeedToComeBack() {
        Promises<String> promises = promises();
        look(promises, Set.of("a", SPEAKER), 1_020, 2_000);
        assertEquals(List.of(), promises.overdue(List.of("a", SPEAKER), Set.of(), 5_000 * MS, 5_000 * MS));
        assertTrue(promises.answer("a", 5_010 * MS), "it has waited");
        assertEquals(List.of(), look(promises, Set.of("a", SPEAKER), 5_000, 9_980));
        assertEquals(List.of("a"), look(promises, Set.of("a", SPEAKER), 9_980, 10_200));
    }

    @Test
    void overdue_afterAGapOfLessThanATerm_isNothing_untilAWholeTermWasWatched() {
        Promises<String> promises = promises();
        look(promises, Set.of("a", SPEAKER), 1_020, 2_000);
        assertTrue(promises.answer("a", 2_000 * MS));
        look(promises, Set.of("a", SPEAKER), 2_000, 2_800);
        assertEquals(List.of(), look(promises, Set.of("a", SPEAKER), 3_080, 4_080), "the gap was 300 ms");
        assertEquals(List.of("a"), look(promises, Set.of("a", SPEAKER), 4_080, 4_120));
    }

    @Test
    void overdue_afterTheMachineWasSuspended_isNothing_forAsLongAsLinksNeedToComeBack() {
        Promises<String> promises = promises();
        look(promises, Set.of("a", SPEAKER), 1_020, 2_000);
        assertTrue(promises.answer("a", 2_000 * MS));
        look(promises, Set.of("a", SPEAKER), 2_000, 2_980);
        promises.answer(SPEAKER, 3_000 * MS);
        assertEquals(List.of(), promises.overdue(List.of("a", SPEAKER), Set.of(), 3_020 * MS, 9_000 * MS),
            "its monotonic clock has stood still");
        assertEquals(List.of(), look(promises, Set.of("a", SPEAKER), 3_020, 7_980));
        assertEquals(List.of("a"), look(promises, Set.of("a", SPEAKER), 7_980, 8_200));
    }

    /** On a machine that is busy for ever, a dead node must be found, too. */
    @ParameterizedTest
    @ValueSource(longs = {300, 1_500})
    void overdue_aDeadNode_isFoundByASuperpeerThatHasGapsAllTheTime(long gapMs) {
        Promises<String> promises = promises();
        int looks = 0;
        List<String> overdue = List.of();
        for (long ms = 2_000; overdue.isEmpty() && looks < 200; ms += gapMs, looks++) {
            promises.answer(SPEAKER, ms * MS);
            overdue = promises.overdue(List.of("a", SPEAKER), Set.of(), ms * MS, ms * MS);
        }
        assertEquals(List.of("a"), overdue);
        assertTrue(looks > 20, looks + " looks");
    }

    @Test
    void overdue_aDeadNode_isFoundBesideOneThatHesitatesAllTheTime() {
        Promises<String> promises = promises();
        look(promises, Set.of("a", SPEAKER), 1_020, 2_000);
        assertTrue(promises.answer("a", 2_000 * MS));
        List<String> overdue = List.of();
        long ms = 2_000;
        for (; overdue.isEmpty() && ms < 60_000; ms += 1_000) {
            overdue = look(promises, Set.of("a", SPEAKER), ms, ms + 300);
            for (long silent = ms + 320; overdue.isEmpty() && silent < ms + 1_000; silent += STEP_MS) {
                overdue = promises.overdue(List.of("a", SPEAKER), Set.of(), silent * MS, silent * MS);
            }
        }
        assertEquals(List.of("a"), overdue);
        assertTrue(ms > 9_000, ms + " ms");
    }

    @Test
    void overdue_whileNoNodeIsHeard_isNothing_andThenTheTermsBeginAnew() {
        Promises<String> promises = promises();
        Set<String> mute = Set.of("a", "b", "c");
        for (String node : mute) {
            assertTrue(promises.answer(node, 1_020 * MS));
        }
        assertEquals(List.of(), look(promises, mute, 1_020, 60_000), "this superpeer is cut off");
        assertTrue(promises.answer("a", 60_000 * MS));
        assertEquals(List.of(), look(promises, mute, 60_000, 60_400));
        for (String node : mute) {
            assertTrue(promises.answer(node, 60_400 * MS), node + " comes back a little later");
        }
    }

    /** Nodes that have dialed in vain for a while dial at intervals of two seconds, each at its own moments. */
    @Test
    void overdue_nodesThatComeBackLaterThanOthersAfterACut_haveSeveralTerms() {
        Promises<String> promises = promises();
        Set<String> all = Set.of("a", "b", "c", SPEAKER);
        for (String node : all) {
            assertTrue(promises.answer(node, 1_020 * MS));
        }
        for (long ms = 1_040; ms <= 9_000; ms += STEP_MS) {
            assertEquals(List.of(), promises.overdue(all, Set.of(), ms * MS, ms * MS), "this superpeer is cut off");
        }
        for (long ms = 9_000; ms < 11_000; ms += STEP_MS) {
            promises.answer("a", ms * MS);
            promises.answer("b", ms * MS);
            assertEquals(List.of(), look(promises, all, ms, ms + STEP_MS), "at " + ms + " ms");
        }
        assertTrue(promises.answer("c", 11_000 * MS));
        promises.answer("a", 11_000 * MS);
        promises.answer("b", 11_000 * MS);
        assertEquals(List.of("a", "b", "c"), look(promises, all, 11_000, 17_000), "they are silent again");
    }

    @Test
    void overdue_ifMostNodesAreSilent_isNothingForSeveralTerms() {
        Promises<String> promises = promises();
        Set<String> all = Set.of("a", "b", SPEAKER);
        look(promises, all, 1_020, 1_980);
        assertTrue(promises.answer("a", 1_980 * MS));
        assertTrue(promises.answer("b", 2_000 * MS));
        assertEquals(List.of(), look(promises, all, 2_000, 7_020));
        assertEquals(List.of("a", "b"), look(promises, all, 7_020, 7_060));
    }

    @Test
    void overdue_ifHalfOfTheNodesAreSilent_isEachAfterItsTerm() {
        Promises<String> promises = promises();
        Set<String> all = Set.of("a", "b", "c", SPEAKER);
        for (long ms = 1_020; ms < 3_000; ms += STEP_MS) {
            promises.answer("c", ms * MS);
            look(promises, all, ms, ms + STEP_MS);
        }
        promises.answer("c", 3_000 * MS);
        assertEquals(List.of("a", "b"), look(promises, all, 3_000, 3_020));
    }

    /** A process with the folder of a dead one has spoken, so the superpeer is not cut off. */
    @Test
    void overdue_aNodeForWhoseEndAnotherProcessWaits_doesNotNeedThatOthersAreHeard() {
        Promises<String> promises = promises();
        assertTrue(promises.answer("a", 1_020 * MS));
        assertTrue(promises.answer("b", 1_020 * MS));
        assertEquals(List.of(), look(promises, Set.of("a", "b"), Set.of("a"), 1_020, 2_020));
        assertEquals(List.of("a"), look(promises, Set.of("a", "b"), Set.of("a"), 2_020, 2_060));
    }

    private static List<String> look(Promises<String> promises, Set<String> alive, long fromMs, long toMs) {
        return look(promises, alive, Set.of(), fromMs, toMs);
    }

    /**
     * Looks at nodes from a time on, until another one inclusive; the one that speaks is heard before each look.
     * Returns the nodes that the superpeer votes against at the end.
     */
    private static List<String> look(Promises<String> promises, Set<String> alive, Set<String> contested, long fromMs,
                                     long toMs) {
        List<String> overdue = List.of();
        for (long ms = fromMs + STEP_MS; ms <= toMs; ms += STEP_MS) {
            if (alive.contains(SPEAKER)) {
                promises.answer(SPEAKER, ms * MS);
            }
            overdue = promises.overdue(alive, contested, ms * MS, ms * MS);
        }
        return overdue;
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
