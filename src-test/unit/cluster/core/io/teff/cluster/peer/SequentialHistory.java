package io.teff.cluster.peer;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The history of an object whose state is a sequence of numbers, such as a queue, a list or a counter, and whether the
 * history is linearizable: whether each operation can have taken effect at one moment between its call and its return.
 * An operation without an answer takes effect at some moment after its call, or never.
 *
 * <p><b>Method.</b> Calls and returns are played in order. A situation is a state and the set of operations that have
 * taken effect without a return. At the return of an operation, each situation is continued by operations that are
 * under way until the operation has taken effect. If no situation is left, the history is not linearizable. The cost
 * depends on how many operations overlap. A history with too many situations is not decided, and counts as such.
 */
final class SequentialHistory {
    private static final long NEVER = Long.MAX_VALUE;
    private static final int SITUATIONS_MAX = 20_000;
    private static final int SHOWN = 12;

    private final List<Operation> operations = new ArrayList<>();
    private boolean isUndecided;

    /** What an operation does to a state. */
    @FunctionalInterface
    interface Step {
        /** Returns the state afterwards; null if the result of the operation is impossible in this state. */
        @Nullable List<Long> after(List<Long> before);
    }

    private record Operation(long calledNs, long returnedNs, Step step, String note) {}

    private record Situation(List<Long> state, Set<Integer> early) {}

    private record Event(long atNs, boolean isReturn, int operation) {}

    /** Adds an operation that was answered. */
    void add(long calledNs, long returnedNs, Step step, String note) {
        operations.add(new Operation(calledNs, returnedNs, step, note));
    }

    /** Adds an operation without an answer. */
    void addUnknown(long calledNs, Step step, String note) {
        operations.add(new Operation(calledNs, NEVER, step, note + ", unknown"));
    }

    int size() {
        return operations.size();
    }

    /** Returns whether the last check was given up. */
    boolean isUndecided() {
        return isUndecided;
    }

    /** Throws an {@link AssertionError} if the history is not linearizable. */
    void check(String what) {
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < operations.size(); i++) {
            Operation operation = operations.get(i);
            events.add(new Event(operation.calledNs, false, i));
            if (operation.returnedNs != NEVER) {
                events.add(new Event(operation.returnedNs, true, i));
            }
        }
        events.sort(Comparator.comparingLong(Event::atNs).thenComparing(Event::isReturn));
        Set<Situation> situations = Set.of(new Situation(List.of(), Set.of()));
        Set<Integer> underWay = new TreeSet<>();
        Deque<String> last = new ArrayDeque<>();
        for (Event event : events) {
            if (!event.isReturn) {
                underWay.add(event.operation);
                continue;
            }
            Set<Situation> next = continued(situations, underWay, event.operation);
            if (isUndecided) {
                return;
            }
            Operation of = operations.get(event.operation);
            last.add(of.calledNs + " to " + of.returnedNs + ": " + of.note);
            if (last.size() > SHOWN) {
                last.remove();
            }
            if (next.isEmpty()) {
                throw new AssertionError(what + " is not linearizable: " + of.note + " is impossible; before, one of "
                    + situations.stream().limit(SHOWN).map(Situation::state).toList() + "; last " + last);
            }
            situations = next;
            underWay.remove(event.operation);
        }
    }

    private Set<Situation> continued(Set<Situation> from, Set<Integer> underWay, int operation) {
        Set<Situation> seen = new HashSet<>(from);
        Deque<Situation> left = new ArrayDeque<>(from);
        Set<Situation> reached = new LinkedHashSet<>();
        while (!left.isEmpty()) {
            Situation situation = left.pop();
            if (situation.early.contains(operation)) {
                reached.add(new Situation(situation.state, without(situation.early, operation)));
                continue;
            }
            for (int each : underWay) {
                List<Long> after = situation.early.contains(each) ? null
                    : operations.get(each).step.after(situation.state);
                if (after != null) {
                    Situation next = new Situation(List.copyOf(after), with(situation.early, each));
                    if (seen.add(next)) {
                        left.push(next);
                    }
                }
            }
            if (seen.size() > SITUATIONS_MAX) {
                isUndecided = true;
                return Set.of();
            }
        }
        return reached;
    }

    private static Set<Integer> with(Set<Integer> early, int operation) {
        Set<Integer> all = new TreeSet<>(early);
        all.add(operation);
        return Collections.unmodifiableSet(all);
    }

    private static Set<Integer> without(Set<Integer> early, int operation) {
        Set<Integer> rest = new TreeSet<>(early);
        rest.remove(operation);
        return Collections.unmodifiableSet(rest);
    }
}
