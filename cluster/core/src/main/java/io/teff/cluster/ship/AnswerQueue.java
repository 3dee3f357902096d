package io.teff.cluster.ship;

import io.teff.cluster.operation.ZoneHost.Verdict;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Consumer;

/** Answers that wait until a counter is reached. Guarded by its {@link ZoneShipment}. */
final class AnswerQueue {
    private final PriorityQueue<Waiting> waiting = new PriorityQueue<>(Comparator.comparingLong(Waiting::counter));

    private record Waiting(long counter, Consumer<Verdict> then) {}

    void add(long counter, Consumer<Verdict> then) {
        waiting.add(new Waiting(counter, then));
    }

    /** Moves the answers whose counter is reached to a list, in the order of their counters. */
    void reached(long counter, List<Consumer<Verdict>> due) {
        for (Waiting first = waiting.peek(); first != null && first.counter() <= counter; first = waiting.peek()) {
            due.add(first.then());
            waiting.poll();
        }
    }

    int size() {
        return waiting.size();
    }
}
