package io.teff.cluster.peer;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The histories of the queues, lists, counters and entries of maps that all clients of a simulated cluster use. */
final class SimObjects {
    /** Entries of maps, each as a register. */
    final Histories registers = new Histories();
    private final Map<String, SequentialHistory> sequences = new TreeMap<>();

    /** Returns the history of a queue, list or counter. */
    SequentialHistory of(String name) {
        return sequences.computeIfAbsent(name, _ -> new SequentialHistory());
    }

    /** Adds a read of a whole queue or list at the end of a run. */
    void content(String name, List<Long> elements, long nowNs) {
        of(name).add(nowNs, nowNs, before -> before.equals(elements) ? before : null, "the content at the end, "
            + elements);
    }

    long size() {
        return registers.size() + sequences.values().stream().mapToLong(SequentialHistory::size).sum();
    }

    /** Returns the number of histories with too many situations. */
    long undecided() {
        return sequences.values().stream().filter(SequentialHistory::isUndecided).count();
    }

    /** Throws an {@link AssertionError} if a history is not linearizable. */
    void check() {
        registers.check();
        sequences.forEach((name, history) -> history.check(name));
    }
}
