package io.teff.engine.work;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.teff.engine.work.Inbox.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** All short sequences of batches of two senders with two attempts, and the bounds of an inbox. */
final class InboxTest {
    private static final int SENDERS = 2;
    private static final int ATTEMPTS = 2;
    private static final int NUMBERS = 2;
    private static final int KINDS = SENDERS * ATTEMPTS * NUMBERS;
    private static final int LENGTH = 5;

    /** Whatever comes in any order and twice: the batches of the last attempt of each sender, each once. */
    @Test
    void open_afterEachSequence_hasTheLastAttemptsOnce() {
        int sequences = (int) Math.pow(KINDS, LENGTH);
        for (int sequence = 0; sequence < sequences; sequence++) {
            ByteBudget budget = new ByteBudget(1_000);
            Inbox inbox = new Inbox(1_000, budget);
            TreeMap<Integer, Integer> attempts = new TreeMap<>();
            TreeMap<Integer, TreeSet<Integer>> numbers = new TreeMap<>();
            for (int step = 0, rest = sequence; step < LENGTH; step++, rest /= KINDS) {
                int kind = rest % KINDS;
                int from = kind % SENDERS;
                int attempt = kind / SENDERS % ATTEMPTS;
                int number = kind / SENDERS / ATTEMPTS;
                boolean isStale = attempts.getOrDefault(from, 0) > attempt;
                assertEquals(isStale ? Verdict.STALE : Verdict.TAKEN, inbox.put(7, from, attempt, number,
                    new byte[] {(byte) kind}));
                if (!isStale) {
                    if (attempts.put(from, attempt) instanceof Integer before && before < attempt) {
                        numbers.remove(from);
                    }
                    numbers.computeIfAbsent(from, _ -> new TreeSet<>()).add(number);
                }
                inbox.audit();
            }
            List<String> expected = new ArrayList<>();
            numbers.forEach((from, all) -> all.forEach(number -> expected.add(from + "/" + attempts.get(from) + "/"
                + number)));
            assertEquals(expected, inbox.open(7).stream().map(batch -> batch.from() + "/" + batch.attempt() + "/"
                + batch.number()).toList(), "sequence " + sequence);
            assertEquals(expected.size(), budget.used());
            inbox.close();
            assertEquals(0, budget.used());
        }
    }

    @Test
    void put_aboveTheBound_isFull_untilTheStepIsForgotten() {
        Inbox inbox = new Inbox(10, new ByteBudget(100));
        assertEquals(Verdict.TAKEN, inbox.put(1, 0, 1, 0, new byte[6]));
        assertEquals(Verdict.FULL, inbox.put(2, 0, 1, 0, new byte[6]));
        assertEquals(Verdict.TAKEN, inbox.put(2, 0, 1, 1, new byte[4]));
        assertEquals(Verdict.TAKEN, inbox.put(1, 0, 1, 0, new byte[6]), "sent twice");
        assertEquals(1, inbox.open(2).size());
        assertEquals(4, inbox.bytes());
        assertEquals(Verdict.STALE, inbox.put(1, 0, 1, 1, new byte[1]));
        assertEquals(Verdict.TAKEN, inbox.put(2, 0, 1, 0, new byte[6]));
        assertEquals(2, inbox.open(2).size(), "a step can be opened again");
        inbox.audit();
    }

    @Test
    void put_aboveTheBudgetOfAllInboxes_isFull() {
        ByteBudget budget = new ByteBudget(10);
        Inbox first = new Inbox(10, budget);
        Inbox second = new Inbox(10, budget);
        assertEquals(Verdict.TAKEN, first.put(1, 0, 1, 0, new byte[6]));
        assertEquals(Verdict.FULL, second.put(1, 0, 1, 0, new byte[6]));
        first.close();
        assertEquals(Verdict.STALE, first.put(9, 0, 1, 0, new byte[6]));
        assertEquals(Verdict.TAKEN, second.put(1, 0, 1, 0, new byte[6]));
        second.audit();
    }
}
