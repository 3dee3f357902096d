package io.teff.engine.work;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** All short sequences of adds and takes of two workers with two priorities, against lists. */
final class JobQueuesTest {
    private static final int WORKERS = 2;
    private static final int PRIORITIES = 2;
    private static final int KINDS = WORKERS * PRIORITIES + WORKERS;
    private static final int LENGTH = 6;

    /** Lists of waiting tasks by worker and priority. */
    private final List<List<Integer>> model = new ArrayList<>();

    private Integer taken(int worker) {
        for (int priority = 0; priority < PRIORITIES; priority++) {
            List<Integer> own = model.get(worker * PRIORITIES + priority);
            if (!own.isEmpty()) {
                return own.removeFirst();
            }
            List<Integer> other = model.get((1 - worker) * PRIORITIES + priority);
            if (!other.isEmpty()) {
                return other.removeLast();
            }
        }
        return null;
    }

    @Test
    void take_ofEachSequence_isThatOfTheModel() {
        int sequences = (int) Math.pow(KINDS, LENGTH);
        for (int sequence = 0; sequence < sequences; sequence++) {
            JobQueues<Integer> queues = new JobQueues<>(WORKERS, PRIORITIES, 100);
            model.clear();
            for (int i = 0; i < WORKERS * PRIORITIES; i++) {
                model.add(new ArrayList<>());
            }
            for (int step = 0, rest = sequence; step < LENGTH; step++, rest /= KINDS) {
                int kind = rest % KINDS;
                if (kind < WORKERS * PRIORITIES) {
                    assertTrue(queues.add(kind / PRIORITIES, kind % PRIORITIES, step));
                    model.get(kind).add(step);
                } else {
                    int worker = kind - WORKERS * PRIORITIES;
                    assertEquals(taken(worker), queues.take(worker), "sequence " + sequence + ", step " + step);
                }
            }
            assertEquals(model.stream().mapToInt(List::size).sum(), queues.size());
        }
    }

    /** High tasks come all the time, and the low task runs nevertheless. */
    @Test
    void take_withManyHighTasks_takesALowTaskWithinSixteen() {
        JobQueues<String> queues = new JobQueues<>(1, 3, 100);
        queues.add(0, 2, "low");
        int takes = 0;
        String taken = "";
        while (!taken.equals("low")) {
            queues.add(0, 0, "high");
            taken = queues.take(0);
            takes++;
        }
        assertEquals(JobQueues.FAIR_TAKES, takes);
    }

    @Test
    void add_aboveTheBound_isRefused() {
        JobQueues<String> queues = new JobQueues<>(1, 1, 2);
        assertTrue(queues.add(0, "a"));
        assertTrue(queues.add(0, "b"));
        assertFalse(queues.add(0, "c"));
        assertEquals("a", queues.take(0));
        assertTrue(queues.add(0, "d"));
        assertEquals("b", queues.take(0));
        assertEquals("d", queues.take(0));
        assertNull(queues.take(0));
    }
}
