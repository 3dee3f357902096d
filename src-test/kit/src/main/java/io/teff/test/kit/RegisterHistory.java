package io.teff.test.kit;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The history of one register, for example of one chunk, and whether it is linearizable: whether each operation can
 * have taken effect at one moment between its call and its return. Several small registers that operations read and
 * change together are one whose bits are theirs: a {@link Step} has conditions of some bits, and sets some.
 *
 * <p><b>Unknown outcomes.</b> An operation without an answer takes effect at some moment after its call, or never. A
 * caller that repeats a write until it is answered records each attempt that was not answered as unknown.
 *
 * <p><b>Times</b> are of one clock, in any unit; {@code System.nanoTime()} is one for all processes of a Linux machine.
 * Operations that touch at one tick count as concurrent.
 *
 * <p><b>Method.</b> Calls and returns are played in order. A situation is the value of the register and the set of
 * operations that have taken effect although they have not returned. All possible situations are kept: at the return of
 * an operation, those in which it cannot have taken effect by now are dropped. If none is left, the history is not
 * linearizable. A read takes effect as soon as its value is there, since waiting does not help it. An unknown write
 * that no later answer needs is left out, so the cost depends on how many operations overlap, not on their number. Of
 * two situations that differ only in unknown changes, one of which has done all of the other's and more, that one is
 * dropped: whatever follows it can follow the other, too. Values that no later condition names are treated as one
 * value. Unknown changes with equal conditions and results are interchangeable; only the first of them is tried.
 *
 * <p>Recording is thread-safe.
 *
 * <p>Just-in-time linearization: G. Lowe, "Testing for linearizability", 2017.
 */
public final class RegisterHistory {
    private static final long NEVER = Long.MAX_VALUE;
    /** All bits of the register. */
    private static final long ALL = -1;
    private static final int SHOWN = 12;

    private final long initial;
    /** Guarded by this. */
    private final List<Operation> operations = new ArrayList<>();

    /**
     * What must hold of some bits of the register.
     *
     * @param mask the bits
     * @param value their value
     * @param isEqual whether they must have this value, or any other
     */
    public record Condition(long mask, long value, boolean isEqual) {
        boolean holds(long register) {
            return (register & mask) == value == isEqual;
        }

        @Override
        public String toString() {
            return (mask == ALL ? "" : Long.toHexString(mask) + ' ') + (isEqual ? "" : "not ") + value;
        }
    }

    /**
     * What an operation needs, and what it leaves.
     *
     * @param conditions all must hold
     * @param mask the bits that it sets; 0 for a read
     * @param set their new value
     */
    public record Step(List<Condition> conditions, long mask, long set) {
        /** Checks the bits. */
        public Step {
            if ((set & ~mask) != 0) {
                throw new IllegalArgumentException("sets " + set + " outside of its bits " + mask);
            }
        }

        boolean canFollow(long register) {
            for (Condition condition : conditions) {
                if (!condition.holds(register)) {
                    return false;
                }
            }
            return true;
        }

        long after(long register) {
            return register & ~mask | set;
        }

        /** Returns the value of the whole register that is needed. */
        long needed() {
            Condition condition = conditions.getFirst();
            if (conditions.size() > 1 || condition.mask != ALL || !condition.isEqual) {
                throw new IllegalStateException("only histories of one register have the other form: " + this);
            }
            return condition.value;
        }

        /** Whether it may be of use for a condition. */
        boolean helps(Condition condition) {
            boolean isAll = (mask & condition.mask) == condition.mask;
            return isAll ? (set & condition.mask) == condition.value == condition.isEqual
                : (mask & condition.mask) != 0;
        }

        @Override
        public String toString() {
            String needs = conditions.stream().map(Condition::toString).collect(Collectors.joining(", "));
            return mask == 0 ? "read " + needs
                : (needs.isEmpty() ? "write " : "update " + needs + " -> ")
                    + (mask == ALL ? "" : Long.toHexString(mask) + ' ') + set;
        }
    }

    /** An operation with the times of its call and its return. */
    private record Operation(int id, long called, long returned, Step step, String note) {
        boolean isKnown() {
            return returned != NEVER;
        }

        @Override
        public String toString() {
            return called + " .. " + (isKnown() ? String.valueOf(returned) : "?") + "  " + step
                + (note.isEmpty() ? "" : "  (" + note + ')');
        }
    }

    /** The register's value, and the slots of open operations that have taken effect. */
    private record Situation(long value, SlotSet done) {}

    /**
     * Situations none of which can do all that another one can: of those with the same value and the same known
     * operations, none has done all unknown changes of another one and more.
     */
    private static final class Situations {
        private final Map<Situation, List<SlotSet>> unknownByKnown = new HashMap<>();
        /** The slots of known operations. */
        private final SlotSet known;

        Situations(SlotSet known) {
            this.known = known;
        }

        private Situation key(Situation situation) {
            return new Situation(situation.value(), situation.done().and(known));
        }

        /** Adds a situation. Returns false if it is here, or can do nothing that one that is here cannot. */
        boolean add(Situation situation) {
            List<SlotSet> all = unknownByKnown.computeIfAbsent(key(situation), _ -> new ArrayList<>());
            SlotSet unknown = situation.done().without(known);
            for (SlotSet other : all) {
                if (other.isIn(unknown)) {
                    return false;
                }
            }
            all.removeIf(other -> unknown.isIn(other));
            all.add(unknown);
            return true;
        }

        /** Returns whether a situation that was added has not been replaced by one that can do more. */
        boolean has(Situation situation) {
            return unknownByKnown.get(key(situation)).contains(situation.done().without(known));
        }

        boolean isEmpty() {
            return unknownByKnown.isEmpty();
        }

        void forEach(Consumer<Situation> action) {
            unknownByKnown.forEach((key, all) -> all.forEach(
                unknown -> action.accept(new Situation(key.value(), key.done().or(unknown)))));
        }
    }

    /**
     * Begins a history.
     *
     * @param initial the register's first value
     */
    public RegisterHistory(long initial) {
        this.initial = initial;
    }

    // ---- recording ----

    /** Adds an operation that was answered. */
    public synchronized void add(long called, long returned, Step step, String note) {
        if (returned < called) {
            throw new IllegalArgumentException(note + ": returned at " + returned + ", called at " + called);
        }
        operations.add(new Operation(operations.size(), called, returned, step, note));
    }

    /** Adds a change that may take effect after its call, or never. */
    public void addUnknown(long called, Step step, String note) {
        add(called, NEVER, step, note);
    }

    private static List<Condition> all(long value) {
        return List.of(new Condition(ALL, value, true));
    }

    /** Adds a read that was answered. Reads without an answer say nothing, and are not recorded. */
    public void read(long called, long returned, long value, String note) {
        add(called, returned, new Step(all(value), 0, 0), note);
    }

    /** Adds a write that was answered. */
    public void write(long called, long returned, long value, String note) {
        add(called, returned, new Step(List.of(), ALL, value), note);
    }

    /** Adds a write that may take effect after its call, or never. */
    public void unknownWrite(long called, long value, String note) {
        addUnknown(called, new Step(List.of(), ALL, value), note);
    }

    /** Adds a change of one value to another that was answered, for example a successful compare-and-set. */
    public void update(long called, long returned, long from, long to, String note) {
        add(called, returned, new Step(all(from), ALL, to), note);
    }

    /** Adds a change of one value to another that may take effect after its call, or never. */
    public void unknownUpdate(long called, long from, long to, String note) {
        addUnknown(called, new Step(all(from), ALL, to), note);
    }

    /** Returns the number of operations. */
    public synchronized int size() {
        return operations.size();
    }

    /**
     * Returns the history as a log of Jepsen about a register, which other checkers read, too, Porcupine among them.
     * Values are numbered in the order of their calls, the initial one is 0 and is written first. An operation without
     * an answer has no line for its return, and its process none after it.
     */
    public List<String> jepsenLog() {
        return new JepsenLog(initial, snapshot()).lines();
    }

    // ---- checking ----

    /** Returns why the history is not linearizable, or nothing if it is. */
    public Optional<String> fault() {
        return new Check(initial, snapshot()).run();
    }

    private synchronized List<Operation> snapshot() {
        return List.copyOf(operations);
    }

    /** Throws an {@link AssertionError} with the given text and the part of the history that shows the fault. */
    public void check(String what) {
        fault().ifPresent(fault -> {
            throw new AssertionError(what + ": " + fault);
        });
    }

    /** Writes a history in another form. */
    private static final class JepsenLog {
        private final Map<Long, Integer> numbers = new HashMap<>();
        private final List<Operation> operations;
        private final Map<Operation, Integer> processes = new HashMap<>();
        private final Deque<Integer> idle = new ArrayDeque<>();
        private final List<String> lines = new ArrayList<>();
        private int nextProcess;

        private record Event(Operation operation, boolean isReturn) {
            long time() {
                return isReturn ? operation.returned() : operation.called();
            }
        }

        JepsenLog(long initial, List<Operation> operations) {
            this.operations = operations;
            number(initial);
            line(nextProcess, "invoke", "write", "0");
            line(nextProcess, "ok", "write", "0");
            idle.add(nextProcess++);
        }

        private int number(long value) {
            return numbers.computeIfAbsent(value, _ -> numbers.size());
        }

        private void line(int process, String event, String function, String value) {
            lines.add("INFO  jepsen.util - " + process + "\t:" + event + "\t:" + function + '\t' + value);
        }

        List<String> lines() {
            List<Event> events = new ArrayList<>();
            for (Operation operation : operations) {
                events.add(new Event(operation, false));
                if (operation.isKnown()) {
                    events.add(new Event(operation, true));
                }
            }
            events.sort(Comparator.comparingLong(Event::time).thenComparing(Event::isReturn));
            events.forEach(this::add);
            return lines;
        }

        private void add(Event event) {
            Operation operation = event.operation();
            int process = processes.computeIfAbsent(operation, _ -> idle.isEmpty() ? nextProcess++ : idle.remove());
            String what = event.isReturn() ? "ok" : "invoke";
            Step step = operation.step();
            if (step.mask() == 0) {
                line(process, what, "read", event.isReturn() ? "" + number(step.needed()) : "nil");
            } else if (step.conditions().isEmpty()) {
                line(process, what, "write", "" + number(step.set()));
            } else {
                line(process, what, "cas", "[" + number(step.needed()) + ' ' + number(step.set()) + ']');
            }
            if (event.isReturn()) {
                idle.add(process);
            }
        }
    }

    /** Bits of the register that conditions name together. */
    private static final class Field {
        private final long mask;
        /** Until when conditions name each value. */
        private final Map<Long, Long> named = new HashMap<>();

        Field(long mask) {
            this.mask = mask;
        }

        void name(long value, long until) {
            named.merge(value, until, Math::max);
        }

        boolean meets(long bits) {
            return (mask & bits) != 0;
        }

        boolean isIn(long bits) {
            return (mask & ~bits) == 0;
        }

        /** Returns the field's bits of a value; if no condition names them from now on, those of another such value. */
        long canonical(long value, long now) {
            long bits = value & mask;
            if (!isNamed(bits, now)) {
                bits = mask;
                while (isNamed(bits, now)) {
                    bits = bits - 1 & mask;
                }
            }
            return bits;
        }

        private boolean isNamed(long bits, long now) {
            return named.getOrDefault(bits, Long.MIN_VALUE) >= now;
        }
    }

    /** One check of a history. */
    private static final class Check {
        private final List<Operation> operations;
        /** When each condition is needed last. */
        private final Map<Condition, Long> neededUntil = new HashMap<>();
        /** Until when each unknown change is of use, where that takes long to find. */
        private final Map<Integer, Long> useful = new HashMap<>();
        /** The open operations, each in its slot; null in a slot that is free. */
        private final List<Operation> open = new ArrayList<>();
        /** For each open unknown operation the slots of those that are like it, and its own. */
        private final Map<Integer, SlotSet> likes = new HashMap<>();
        /** Whether there are conditions of other kinds than that the register has a value. */
        private boolean isDivided;
        private final List<Field> fields = new ArrayList<>();
        private Situations situations = new Situations(SlotSet.EMPTY);
        /** The return that is played. */
        private long now = Long.MIN_VALUE;

        Check(long initial, List<Operation> all) {
            operations = all;
            situations.add(new Situation(initial, SlotSet.EMPTY));
            for (Operation operation : all) {
                for (Condition condition : operation.step().conditions()) {
                    neededUntil.merge(condition, operation.returned(), Math::max);
                    isDivided |= condition.mask() != ALL || !condition.isEqual();
                }
            }
            neededUntil.forEach((condition, until) -> field(condition.mask()).name(condition.value(), until));
            boolean areApart = fields.stream().allMatch(
                it -> fields.stream().allMatch(other -> it == other || !it.meets(other.mask)));
            if (!areApart || !all.stream().allMatch(it -> setsWholeFields(it.step()))) {
                fields.clear();
            }
        }

        private Field field(long mask) {
            for (Field field : fields) {
                if (field.mask == mask) {
                    return field;
                }
            }
            fields.add(new Field(mask));
            return fields.getLast();
        }

        /** Returns the value for all values that fulfil the same conditions from now on. */
        private long canonical(long value) {
            long result = fields.isEmpty() ? value : 0;
            for (Field field : fields) {
                result |= field.canonical(value, now);
            }
            return result;
        }

        /** An unknown change is of use only while an operation that returns may need its value. */
        private long usefulUntil(Operation operation) {
            Step step = operation.step();
            if (!isDivided && step.mask() == ALL) {
                return neededUntil.getOrDefault(new Condition(ALL, step.set(), true), Long.MIN_VALUE);
            }
            return useful.computeIfAbsent(operation.id(), _ -> neededUntil.entrySet().stream()
                .filter(it -> step.helps(it.getKey())).mapToLong(Map.Entry::getValue).max().orElse(Long.MIN_VALUE));
        }

        Optional<String> run() {
            List<Operation> calls = new ArrayList<>(operations);
            calls.removeIf(it -> !it.isKnown() && usefulUntil(it) < it.called());
            calls.sort(Comparator.comparingLong(Operation::called));
            List<Operation> returns = new ArrayList<>(calls);
            returns.removeIf(it -> !it.isKnown());
            returns.sort(Comparator.comparingLong(Operation::returned));
            int called = 0;
            for (Operation operation : returns) {
                now = operation.returned();
                while (called < calls.size() && calls.get(called).called() <= operation.returned()) {
                    begin(calls.get(called++));
                }
                if (!end(operation)) {
                    return Optional.of(story(operation));
                }
                forget();
            }
            return Optional.empty();
        }

        private void begin(Operation operation) {
            int free = open.indexOf(null);
            if (free < 0) {
                open.add(operation);
            } else {
                open.set(free, operation);
            }
        }

        /** Keeps the situations in which an operation has taken effect. Returns whether there are any. */
        private boolean end(Operation operation) {
            int slot = open.indexOf(operation);
            SlotSet known = slots(Operation::isKnown);
            Situations reached = new Situations(known);
            Situations seen = new Situations(known);
            Deque<Situation> left = new ArrayDeque<>();
            findLikes();
            situations.forEach(it -> reach(withReads(new Situation(canonical(it.value()), packed(it.done()))), seen,
                left));
            while (!left.isEmpty()) {
                Situation from = left.remove();
                if (!seen.has(from)) {
                    continue;
                }
                if (from.done().has(slot)) {
                    reached.add(new Situation(from.value(), from.done().without(slot)));
                    continue;                                   // others can take effect when they must
                }
                for (int next = 0; next < open.size(); next++) {
                    Operation candidate = open.get(next);
                    if (candidate != null && !from.done().has(next) && candidate.step().canFollow(from.value())
                        && isFirst(next, from.done())) {
                        long value = canonical(candidate.step().after(from.value()));
                        reach(withReads(new Situation(value, from.done().with(next))), seen, left);
                    }
                }
            }
            open.set(slot, null);
            situations = reached;
            return !reached.isEmpty();
        }

        /** Finds the unknown operations that need and leave the same from now on: one is as good as another. */
        private void findLikes() {
            likes.clear();
            Map<Step, SlotSet> byStep = new HashMap<>();
            SlotSet unknown = slots(it -> !it.isKnown());
            unknown.forEach(slot -> byStep.merge(canonical(open.get(slot).step()), SlotSet.EMPTY.with(slot),
                SlotSet::or));
            unknown.forEach(slot -> likes.put(slot, byStep.get(canonical(open.get(slot).step()))));
        }

        /** Returns the step for all that need and leave the same from now on. */
        private Step canonical(Step step) {
            return new Step(step.conditions(), step.mask(), canonical(step.set()) & step.mask());
        }

        private boolean setsWholeFields(Step step) {
            return fields.stream().allMatch(it -> it.isIn(step.mask()) || !it.meets(step.mask()));
        }

        /** Returns operations that have taken effect, the first ones of those that are alike. */
        private SlotSet packed(SlotSet done) {
            SlotSet result = done;
            for (SlotSet alike : Set.copyOf(likes.values())) {
                int count = done.and(alike).size();
                result = result.without(alike).or(alike.first(count));
            }
            return result;
        }

        /** Of unknown operations that are alike, only the first one is tried. */
        private boolean isFirst(int slot, SlotSet done) {
            SlotSet alike = likes.get(slot);
            return alike == null || alike.without(done).first(1).has(slot);
        }

        /** Returns the slots of some open operations. */
        private SlotSet slots(Predicate<Operation> which) {
            return SlotSet.of(open.size(), slot -> open.get(slot) != null && which.test(open.get(slot)));
        }

        private static void reach(Situation situation, Situations seen, Deque<Situation> left) {
            if (seen.add(situation)) {
                left.add(situation);
            }
        }

        /** Lets all open reads take effect that can. */
        private Situation withReads(Situation situation) {
            SlotSet done = situation.done();
            for (int slot = 0; slot < open.size(); slot++) {
                Operation operation = open.get(slot);
                if (operation != null && operation.step().mask() == 0
                    && operation.step().canFollow(situation.value())) {
                    done = done.with(slot);
                }
            }
            return new Situation(situation.value(), done);
        }

        /** Ends unknown changes whose values are of no use from now on. */
        private void forget() {
            SlotSet ended = slots(it -> !it.isKnown() && usefulUntil(it) < now);
            if (!ended.equals(SlotSet.EMPTY)) {
                ended.forEach(slot -> open.set(slot, null));
                Situations kept = new Situations(slots(Operation::isKnown));
                situations.forEach(it -> kept.add(new Situation(it.value(), it.done().without(ended))));
                situations = kept;
            }
        }

        /** Returns what was going on before the operation that cannot have taken effect. */
        private String story(Operation failed) {
            List<String> lines = new ArrayList<>();
            operations.stream().filter(it -> it.called() <= failed.returned() && !it.equals(failed))
                .sorted(Comparator.comparingLong(Operation::returned).reversed()).limit(SHOWN)
                .sorted(Comparator.comparingLong(Operation::called)).forEach(it -> lines.add("  " + it));
            return "not linearizable: no order explains\n  " + failed + "\nafter or beside\n"
                + String.join("\n", lines);
        }
    }
}
