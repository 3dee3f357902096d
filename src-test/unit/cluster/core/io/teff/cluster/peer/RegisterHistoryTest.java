package io.teff.cluster.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.test.kit.RegisterHistory;
import io.teff.test.kit.RegisterHistory.Condition;
import io.teff.test.kit.RegisterHistory.Step;
import io.teff.test.kit.tier.FullTier;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Goal: the checker accepts exactly the linearizable histories. Method: histories whose verdict is known, and all small
 * ones beside a checker that tries every order.
 */
class RegisterHistoryTest {
    private static final int FOUR = 4;

    private final RegisterHistory history = new RegisterHistory(0);

    private void assertLinearizable(boolean expected) {
        assertEquals(expected, history.fault().isEmpty(), () -> history.fault().orElse("accepted"));
    }

    // ---- known histories ----

    @Test
    void fault_ofReadsAfterWrites_isNothing() {
        history.read(1, 2, 0, "");
        history.write(3, 4, 1, "");
        history.read(5, 6, 1, "");
        assertLinearizable(true);
    }

    @Test
    void fault_ofAReadOfAnOverwrittenValue_isFound() {
        history.write(1, 2, 1, "");
        history.write(3, 4, 2, "");
        history.read(5, 6, 1, "");
        assertLinearizable(false);
    }

    @Test
    void fault_ofALostWrite_isFound_andNamesTheRead() {
        history.write(1, 2, 1, "client 3");
        history.read(3, 4, 0, "client 4");
        AssertionError error = assertThrows(AssertionError.class, () -> history.check("chunk 7"));
        assertTrue(error.getMessage().startsWith("chunk 7: not linearizable: no order explains\n"
            + "  3 .. 4  read 0  (client 4)\n"), error.getMessage());
        assertTrue(error.getMessage().contains("1 .. 2  write 1  (client 3)"), error.getMessage());
    }

    @Test
    void fault_ofConcurrentReads_thatSeeTheNewValueAndThenTheOldOne_isFound() {
        history.write(1, 10, 1, "");
        history.read(2, 3, 1, "");
        history.read(4, 5, 0, "");
        assertLinearizable(false);
    }

    @Test
    void fault_ofConcurrentReads_inBothOrders_isNothing() {
        history.write(1, 10, 1, "");
        history.read(2, 5, 1, "");
        history.read(3, 6, 0, "");
        history.read(7, 8, 1, "");
        assertLinearizable(true);
    }

    @Test
    void fault_ofAnUnknownWrite_thatTakesEffectLate_isNothing_butNotTwice() {
        history.unknownWrite(1, 9, "");
        history.read(2, 3, 0, "");
        history.write(4, 5, 1, "");
        history.read(6, 7, 1, "");
        history.read(8, 9, 9, "");
        assertLinearizable(true);
        history.write(10, 11, 2, "");
        assertLinearizable(true);
        history.read(12, 13, 9, "");
        assertLinearizable(false);
    }

    @Test
    void fault_ofAnUnknownWrite_thatIsSeenBeforeItsCall_isFound() {
        history.read(1, 2, 9, "");
        history.unknownWrite(3, 9, "");
        assertLinearizable(false);
    }

    @Test
    void fault_ofUpdates_thatBothReplaceOneValue_isFound() {
        history.update(1, 4, 0, 1, "");
        history.update(2, 3, 0, 2, "");
        assertLinearizable(false);
    }

    @Test
    void fault_ofUpdates_inAChain_isNothing() {
        history.update(1, 9, 1, 2, "");
        history.update(2, 8, 2, 3, "");
        history.unknownUpdate(3, 0, 1, "");
        history.read(10, 11, 3, "");
        assertLinearizable(true);
    }

    @Test
    void fault_ofOperationsThatTouch_countsThemAsConcurrent() {
        history.write(1, 2, 1, "");
        history.read(2, 3, 0, "");
        assertLinearizable(true);
    }

    @Test
    void fault_ofOperationsThatReturnAtOneTick_isNothing() {
        history.unknownWrite(1, 3, "");
        history.read(2, 5, 0, "");
        history.read(3, 5, 3, "");
        assertLinearizable(true);
    }

    @Test
    void record_ofAReturnBeforeTheCall_isRefused() {
        assertThrows(IllegalArgumentException.class, () -> history.read(2, 1, 0, ""));
        assertEquals(0, history.size());
    }

    // ---- all small histories ----

    /** One operation: its kind, and the places of its call and return among all events; 0 is no return. */
    private record Small(int kind, int called, int returned) {
        private static final List<Integer> ALL = List.of(0, 1, 2, 3, 4, 5, 6, 7, 8);
        private static final List<Integer> FEWER = List.of(0, 1, 3, 5, 6, 8);

        boolean isKnown() {
            return kind < 7;
        }

        /** Returns the value afterwards, or -1 if the operation is impossible. */
        int after(int value) {
            return switch (kind) {
                case 0, 1, 2 -> value == kind ? value : -1;
                case 3, 4 -> kind - 2;
                case 5, 7 -> value == 0 ? 1 : -1;
                case 6 -> value == 1 ? 2 : -1;
                default -> 1;
            };
        }

        void addTo(RegisterHistory history) {
            switch (kind) {
                case 0, 1, 2 -> history.read(called, returned, kind, "");
                case 3, 4 -> history.write(called, returned, kind - 2, "");
                case 5 -> history.update(called, returned, 0, 1, "");
                case 6 -> history.update(called, returned, 1, 2, "");
                case 7 -> history.unknownUpdate(called, 0, 1, "");
                default -> history.unknownWrite(called, 1, "");
            }
        }
    }

    @FullTier("11 s of a processor; fault_ofSmallHistoriesOfSteps_... compares with all orders, too")
    @Test
    void fault_ofEachSmallHistory_isFoundIffNoOrderExplainsIt() {
        long[] counts = new long[2];
        for (int size = 1; size <= FOUR; size++) {
            intervals(new int[size][2], 0, 0, 1, counts);
        }
        assertTrue(counts[0] > 10_000 && counts[1] > 10_000, counts[0] + " not linearizable, " + counts[1] + " are");
    }

    /** Draws all orders of calls and returns; the calls are in the order of the operations. */
    private static void intervals(int[][] places, int called, int returned, int at, long[] counts) {
        if (Integer.bitCount(returned) == places.length) {
            kinds(places, new ArrayList<>(), counts);
            return;
        }
        if (called < places.length) {
            places[called][0] = at;
            intervals(places, called + 1, returned, at + 1, counts);
        }
        for (int i = 0; i < called; i++) {
            if ((returned & 1 << i) == 0) {
                places[i][1] = at;
                intervals(places, called, returned | 1 << i, at + 1, counts);
            }
        }
    }

    private static void kinds(int[][] places, List<Small> chosen, long[] counts) {
        if (chosen.size() == places.length) {
            compare(chosen, counts);
            return;
        }
        int[] place = places[chosen.size()];
        for (int kind : places.length < FOUR ? Small.ALL : Small.FEWER) {
            chosen.add(new Small(kind, place[0], place[1]));
            kinds(places, chosen, counts);
            chosen.removeLast();
        }
    }

    private static void compare(List<Small> operations, long[] counts) {
        boolean expected = isExplained(operations, 0, 0);
        counts[expected ? 1 : 0]++;
        RegisterHistory history = new RegisterHistory(0);
        operations.forEach(operation -> operation.addTo(history));
        if (history.fault().isEmpty() != expected) {
            throw new AssertionError("expected " + expected + " for " + operations + ", found " + history.fault());
        }
    }

    /** Tries every operation next that has begun before each other one ends. */
    private static boolean isExplained(List<Small> operations, int done, int value) {
        boolean isOver = true;
        for (int i = 0; i < operations.size(); i++) {
            isOver &= (done & 1 << i) != 0 || !operations.get(i).isKnown();
        }
        if (isOver) {
            return true;
        }
        for (int i = 0; i < operations.size(); i++) {
            Small next = operations.get(i);
            if ((done & 1 << i) == 0 && next.after(value) >= 0 && isFree(operations, done, next)
                && isExplained(operations, done | 1 << i, next.after(value))) {
                return true;
            }
        }
        return false;
    }

    private static boolean isFree(List<Small> operations, int done, Small next) {
        for (int i = 0; i < operations.size(); i++) {
            Small other = operations.get(i);
            if ((done & 1 << i) == 0 && other.isKnown() && other.returned() < next.called()) {
                return false;
            }
        }
        return true;
    }

    // ---- several registers in one ----

    private static final long LOW = 0xF;
    private static final long HIGH = 0xF0;

    private static Condition low(long value, boolean isEqual) {
        return new Condition(LOW, value, isEqual);
    }

    private static Condition high(long value, boolean isEqual) {
        return new Condition(HIGH, value << Integer.BYTES, isEqual);
    }

    @Test
    void fault_ofAChangeOfTwoParts_ofWhichOneIsSeen_isFound() {
        history.add(1, 2, new Step(List.of(), LOW | HIGH, 0x11), "both");
        history.add(3, 4, new Step(List.of(low(1, true)), 0, 0), "");
        assertLinearizable(true);
        history.add(5, 6, new Step(List.of(high(0, true)), 0, 0), "");
        assertLinearizable(false);
    }

    @Test
    void fault_ofAnUnknownChangeOfTwoParts_isNothingIfBothOrNoneAreSeen_andElseFound() {
        history.addUnknown(1, new Step(List.of(), LOW | HIGH, 0x11), "both, perhaps");
        history.add(2, 3, new Step(List.of(high(0, true)), 0, 0), "");
        history.add(4, 5, new Step(List.of(low(1, true)), 0, 0), "");
        history.add(6, 7, new Step(List.of(high(1, true)), 0, 0), "");
        assertLinearizable(true);
        history.add(8, 9, new Step(List.of(high(0, true)), 0, 0), "");
        assertLinearizable(false);
    }

    @Test
    void fault_ofAConditionThatDidNotHold_isFound() {
        history.add(1, 2, new Step(List.of(low(0, true)), HIGH, 0x20), "");
        history.add(3, 4, new Step(List.of(low(0, false)), 0, 0), "refused");
        assertLinearizable(false);
    }

    /** Random small histories of two registers in one, beside a search that tries every order. */
    @Test
    void fault_ofSmallHistoriesOfSteps_isThatOfASearchOfAllOrders() {
        SplittableRandom random = new SplittableRandom(11);
        int faults = 0;
        for (int i = 0; i < 20_000; i++) {
            RegisterHistory steps = new RegisterHistory(0);
            List<Played> all = new ArrayList<>();
            for (int k = 0; k < FOUR; k++) {
                Played next = played(random);
                all.add(next);
                steps.add(next.called(), next.isKnown() ? next.returned() : Long.MAX_VALUE, next.step(), "");
            }
            boolean isExplained = isExplained(all, 0, 0);
            assertEquals(isExplained, steps.fault().isEmpty(), () -> all.toString());
            faults += isExplained ? 0 : 1;
        }
        assertTrue(faults > 2_000 && faults < 18_000, faults + " faults");
    }

    /** An operation with its step. */
    private record Played(long called, long returned, Step step) {
        boolean isKnown() {
            return returned > 0;
        }

        long after(long register) {
            return step.conditions().stream().allMatch(it -> (register & it.mask()) == it.value() == it.isEqual())
                ? register & ~step.mask() | step.set() : -1;
        }
    }

    private static Played played(SplittableRandom random) {
        long called = 1L + random.nextInt(12);
        List<Condition> conditions = new ArrayList<>();
        for (int part = 0; part < 2; part++) {
            if (random.nextInt(3) == 0) {
                long value = random.nextInt(3);
                boolean isEqual = random.nextInt(3) > 0;
                conditions.add(part == 0 ? low(value, isEqual) : high(value, isEqual));
            }
        }
        long mask = new long[] {0, LOW, HIGH, LOW | HIGH}[random.nextInt(4)];
        boolean isUnknown = mask != 0 && random.nextInt(4) == 0;
        return new Played(called, isUnknown ? 0 : called + random.nextInt(8),
            new Step(conditions, mask, (random.nextInt(3) | random.nextInt(3) << 4) & mask));
    }

    private static boolean isExplained(List<Played> operations, int done, long register) {
        boolean isOver = true;
        for (int i = 0; i < operations.size(); i++) {
            isOver &= (done & 1 << i) != 0 || !operations.get(i).isKnown();
        }
        for (int i = 0; i < operations.size() && !isOver; i++) {
            Played next = operations.get(i);
            boolean isFree = (done & 1 << i) == 0;
            for (int k = 0; k < operations.size(); k++) {
                Played other = operations.get(k);
                isFree &= (done & 1 << k) != 0 || !other.isKnown() || other.returned() >= next.called();
            }
            isOver = isFree && next.after(register) >= 0
                && isExplained(operations, done | 1 << i, next.after(register));
        }
        return isOver;
    }

    /** A change of some bits of what a condition names. */
    @Test
    void fault_ofAChangeOfAPartOfAValue_isThatOfTheWholeValue() {
        history.write(1, 2, 0x12, "");
        history.add(3, 4, new Step(List.of(), LOW, 3), "");
        history.read(5, 6, 0x13, "");
        assertLinearizable(true);
        history.read(7, 8, -13, "");
        assertLinearizable(false);
    }

    // ---- long histories ----

    @Test
    void fault_ofALongHistory_isNothing_andOneStaleReadInItIsFound() {
        SplittableRandom random = new SplittableRandom(7);
        RegisterHistory broken = new RegisterHistory(0);
        long value = 0;
        for (int i = 1; i <= 50_000; i++) {
            long at = i * 10L;                                  // when it takes effect
            long called = at - random.nextInt(40);
            long returned = at + random.nextInt(40);
            if (random.nextInt(3) == 0) {
                value = i;
                if (random.nextInt(4) == 0) {
                    history.unknownWrite(called, value, "");
                    broken.unknownWrite(called, value, "");
                } else {
                    history.write(called, returned, value, "");
                    broken.write(called, returned, value, "");
                }
                if (random.nextInt(10) == 0) {
                    history.unknownWrite(called, i + 1_000_000L, "");
                }
            } else {
                history.read(called, returned, value, "");
                broken.read(called, returned, i == 40_001 ? 1 : value, "");
            }
        }
        assertLinearizable(true);
        assertFalse(broken.fault().isEmpty());
    }

    /** Each subset of the unknown writes may have taken effect before the last one; the smallest is enough. */
    @Test
    @Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void fault_besideManyUnknownWritesThatAreReadLater_takesNoTimeThatDoubles() {
        final int count = 100;
        for (int i = 1; i <= count; i++) {
            history.unknownWrite(i, i, "");
        }
        history.write(110, 111, 777, "");
        history.read(112, 113, 777, "");
        for (int i = 1; i <= count; i++) {
            history.read(200 + 2 * i, 201 + 2 * i, i, "");
        }
        assertLinearizable(true);
        history.read(500, 501, 1, "");
        assertLinearizable(false);
    }

    /** Each of the unknown changes may be why a part is not zero, but which one makes no difference. */
    @Test
    @Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void fault_besideManyUnknownChangesWhoseValuesNobodyReads_takesNoTimeThatDoubles() {
        final int count = 60;
        final long low = 0xFFFF;
        final long high = low << 16;
        for (int i = 1; i <= count; i++) {
            history.addUnknown(i, new Step(List.of(new Condition(low, 0, false), new Condition(high, 0, false)),
                low | high, i | (long) i << 16), "");
            history.addUnknown(i, new Step(List.of(), i % 2 == 0 ? low : high, i % 2 == 0 ? 100 + i
                : (100L + i) << 16), "");
        }
        for (int i = 1; i <= count; i++) {
            final int at = 100 + 4 * i;
            history.add(at, at + 1, new Step(List.of(), low, 200 + i), "");
            history.add(at + 2, at + 3, new Step(List.of(new Condition(low, 0, false), new Condition(high, 0, false)),
                high, (200L + i) << 16), "");
        }
        history.add(500, 501, new Step(List.of(new Condition(high, 0, false)), 0, 0), "");
        assertLinearizable(true);
        history.add(502, 503, new Step(List.of(new Condition(high, 0, true)), 0, 0), "");
        assertLinearizable(false);
    }

    // ---- other forms ----

    @Test
    void jepsenLog_hasCallsAndReturnsInTheirOrder_andOpenProcessesOfUnknownOperations() {
        history.write(1, 4, 77, "");
        history.read(2, 3, 0, "");
        history.unknownUpdate(4, 77, 88, "");
        history.read(6, 7, 88, "");
        history.update(8, 9, 88, 77, "");
        assertEquals(List.of("0 :invoke :write 0", "0 :ok :write 0", "0 :invoke :write 1", "1 :invoke :read nil",
            "1 :ok :read 0", "1 :invoke :cas [1 2]", "0 :ok :write 1", "0 :invoke :read nil", "0 :ok :read 2",
            "0 :invoke :cas [2 1]", "0 :ok :cas [2 1]"), history.jepsenLog().stream()
            .map(line -> line.replace("INFO  jepsen.util - ", "").replace('\t', ' ')).toList());
    }
}
