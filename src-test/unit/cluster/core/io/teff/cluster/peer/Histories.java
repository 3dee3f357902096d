package io.teff.cluster.peer;

import io.teff.cluster.WriteLevel;
import io.teff.engine.Cid;
import io.teff.engine.zone.ChunkChange;
import io.teff.engine.zone.ChunkChange.Change;
import io.teff.test.kit.RegisterHistory;
import io.teff.test.kit.RegisterHistory.Condition;
import io.teff.test.kit.RegisterHistory.Step;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The history of each chunk of a simulated cluster. Each value is written once, apart from repetitions. The chunks of a
 * zone that groups change have one history together, as parts of one register.
 *
 * <p>A zone that was restored from copies which a power cut has shortened has an earlier state. That is a write of all
 * chunks, and must not be older than what was synced.
 */
final class Histories {
    /** Stands for no chunk. */
    static final long ABSENT = 0;

    private static final int FIELD_BITS = 21;
    private static final long FIELD_MASK = (1L << FIELD_BITS) - 1;
    private static final long NEVER = Long.MAX_VALUE;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final Map<Long, RegisterHistory> byCid = new TreeMap<>();
    private final Map<Long, Long> newest = new TreeMap<>();
    private final Map<Long, List<Value>> sets = new TreeMap<>();
    private final Set<Long> cids = new TreeSet<>();
    private final List<Rollback> rollbacks = new ArrayList<>();
    private final Map<Integer, QueueHistory> queues = new TreeMap<>();
    private long values;
    private long groups;
    private long groupsRefused;

    /** A change of one chunk. */
    private record Value(long calledNs, long returnedNs, long value, boolean isSynced) {}

    /** A zone is served again with what a power cut has left of it. */
    private record Rollback(int zone, long fromNs, long untilNs, Map<Long, Long> values) {}

    /** When a call began and ended, for the history; an end that never comes is that of an unknown outcome. */
    record Span(long calledNs, long returnedNs, WriteLevel level, String note) {
        /** Whether a failure may take back what was done. */
        boolean isUnknown() {
            return returnedNs == NEVER || level == WriteLevel.OWNER;
        }
    }

    static Span unknown(long calledNs, WriteLevel level, String note) {
        return new Span(calledNs, NEVER, level, note);
    }

    long nextValue() {
        return ++values;
    }

    /** Returns a value that the chunk may have. */
    long guess(long cid) {
        return newest.getOrDefault(cid, 1L);
    }

    static byte[] bytes(long value) {
        byte[] bytes = new byte[Long.BYTES];
        MemorySegment.ofArray(bytes).set(LONG, 0, value);
        return bytes;
    }

    // ---- registers ----

    private static boolean isOfGroups(long cid) {
        long index = Cid.index(cid);
        return index >= ModelZones.GROUP && index < ModelZones.GROUP + ModelZones.GROUP_CHUNKS;
    }

    private RegisterHistory of(long cid) {
        cids.add(cid);
        long register = isOfGroups(cid) ? Cid.of(Cid.nid(cid), ModelZones.GROUP) : cid;
        return byCid.computeIfAbsent(register, _ -> new RegisterHistory(ABSENT));
    }

    private static int shift(long cid) {
        return isOfGroups(cid) ? FIELD_BITS * (int) (Cid.index(cid) - ModelZones.GROUP) : 0;
    }

    private static long mask(long cid) {
        return isOfGroups(cid) ? FIELD_MASK << shift(cid) : -1;
    }

    private static Condition is(long cid, long value) {
        return new Condition(mask(cid), value << shift(cid), true);
    }

    private static Condition isNot(long cid, long value) {
        return new Condition(mask(cid), value << shift(cid), false);
    }

    /** Adds a change to a register; one that spans a power cut may have been made twice, the first time in vain. */
    private void add(long cid, Span span, Step step) {
        RegisterHistory history = of(cid);
        if (span.isUnknown()) {
            history.addUnknown(span.calledNs, step, span.note);
        } else {
            history.add(span.calledNs, span.returnedNs, step, span.note);
        }
        if (rollbacks.stream().anyMatch(it -> it.zone == Cid.nid(cid) && it.untilNs >= span.calledNs)) {
            history.addUnknown(span.calledNs, step, span.note + ", before a power cut");
        }
    }

    private void set(long cid, Span span, long value) {
        sets.computeIfAbsent(cid, _ -> new ArrayList<>()).add(new Value(span.calledNs, span.isUnknown() ? NEVER
            : span.returnedNs, value, span.level == WriteLevel.BACKED_SYNCED && span.returnedNs != NEVER));
        if (span.returnedNs != NEVER && value != ABSENT) {
            newest.put(cid, value);
        }
    }

    /** Returns the history of the queue of a zone. */
    QueueHistory queue(int zone) {
        return queues.computeIfAbsent(zone, _ -> new QueueHistory());
    }

    // ---- single chunks ----

    /** Returns the second chunk of a pair, which is changed with the first one; or the chunk itself. */
    private static long twin(long cid) {
        return Cid.index(cid) == ModelZones.PAIR ? cid + 1 : cid;
    }

    void read(long cid, long called, long returned, long value, String note) {
        of(cid).add(called, returned, new Step(List.of(is(cid, value)), 0, 0), note);
        if (value != ABSENT) {
            newest.put(cid, value);
        }
    }

    /** Adds a write, or the removal of a chunk. At level OWNER a failure may take it back. */
    void write(long cid, Span span, long value) {
        for (long each : twin(cid) == cid ? new long[] {cid} : new long[] {cid, twin(cid)}) {
            add(each, span, new Step(List.of(), mask(each), value << shift(each)));
            set(each, span, value);
        }
    }

    void update(long cid, Span span, long from, long to) {
        add(cid, span, new Step(List.of(is(cid, from)), mask(cid), to << shift(cid)));
        set(cid, span, to);
    }

    // ---- groups ----

    /** Adds a group that was made, or perhaps. */
    void group(List<ChunkChange> changes, Span span) {
        List<Condition> conditions = new ArrayList<>();
        long mask = 0;
        long set = 0;
        for (ChunkChange change : changes) {
            long cid = change.cid();
            of(cid);
            switch (change.condition()) {
                case EQUAL -> conditions.add(is(cid, value(change.expected())));
                case ABSENT -> conditions.add(is(cid, ABSENT));
                default -> {
                    if (change.condition() == ChunkChange.Condition.PRESENT || change.change() != Change.NONE) {
                        conditions.add(isNot(cid, ABSENT));
                    }
                }
            }
            if (change.change() != Change.NONE) {
                long value = change.change() == Change.PUT ? value(change.content()) : ABSENT;
                mask |= mask(cid);
                set |= value << shift(cid);
                set(cid, span, value);
            }
        }
        groups++;
        add(changes.getFirst().cid(), mask == 0 ? new Span(span.calledNs, span.returnedNs, WriteLevel.BACKED, span.note)
            : span, new Step(conditions, mask, set));
    }

    /** Adds a group that was not made because of a condition of one of its chunks. */
    void groupRefused(ChunkChange by, long called, long returned, String note) {
        Condition opposite = switch (by.condition()) {
            case EQUAL -> isNot(by.cid(), value(by.expected()));
            case ABSENT -> isNot(by.cid(), ABSENT);
            default -> is(by.cid(), ABSENT);
        };
        groupsRefused++;
        of(by.cid()).add(called, returned, new Step(List.of(opposite), 0, 0), note + ", refused");
    }

    static long value(byte @Nullable [] content) {
        return MemorySegment.ofArray(Objects.requireNonNull(content)).get(LONG, 0);
    }

    // ---- power cuts ----

    /**
     * Adds that a zone is served again with what a power cut has left of it.
     *
     * @param zone the zone
     * @param fromNs when it was served no more
     * @param untilNs now
     * @param values its chunks
     */
    void rolledBack(int zone, long fromNs, long untilNs, Map<Long, Long> values) {
        Set<Long> all = new TreeSet<>(values.keySet());
        cids.stream().filter(cid -> Cid.nid(cid) == zone).forEach(all::add);
        Map<Long, Long> left = new TreeMap<>();
        for (long cid : all) {
            long value = values.getOrDefault(cid, ABSENT);
            left.put(cid, value);
            of(cid).add(fromNs, untilNs, new Step(List.of(), mask(cid), value << shift(cid)), "power cut");
        }
        rollbacks.add(new Rollback(zone, fromNs, untilNs, left));
    }

    /** A disk that has a change has all earlier ones of the zone. */
    private void checkNotOlder(Rollback rollback) {
        long syncedNs = sets.entrySet().stream().filter(it -> Cid.nid(it.getKey()) == rollback.zone)
            .flatMap(it -> it.getValue().stream()).filter(it -> it.isSynced && it.returnedNs < rollback.untilNs)
            .mapToLong(Value::calledNs).max().orElse(-1);
        rollback.values.forEach((cid, value) -> {
            List<Value> all = new ArrayList<>(sets.getOrDefault(cid, List.of()));
            rollbacks.stream().filter(it -> it.zone == rollback.zone && it.untilNs < rollback.untilNs).forEach(it ->
                all.add(new Value(it.fromNs, it.untilNs, it.values.getOrDefault(cid, ABSENT), false)));
            long floorNs = all.stream().filter(it -> it.isSynced && it.returnedNs < rollback.untilNs
                || it.returnedNs < syncedNs).mapToLong(Value::calledNs).max().orElse(-1);
            boolean isThere = value == ABSENT && floorNs < 0 || all.stream().anyMatch(it -> it.value == value
                && it.calledNs < rollback.untilNs && it.returnedNs >= floorNs);
            if (!isThere) {
                throw new AssertionError("a synced change is lost: chunk " + Cid.toString(cid) + " has " + value
                    + " after a power cut, at " + rollback.untilNs + ", what was called until " + floorNs
                    + " was synced, and in the zone until " + syncedNs + ": " + all);
            }
        });
    }

    // ---- all ----

    Set<Long> cids() {
        return cids;
    }

    long size() {
        return byCid.values().stream().mapToLong(RegisterHistory::size).sum();
    }

    /** Returns the number of groups that were made, or perhaps. */
    long groups() {
        return groups;
    }

    long groupsRefused() {
        return groupsRefused;
    }

    int rollbacks() {
        return rollbacks.size();
    }

    /** Throws an {@link AssertionError} if the history of a chunk is not linearizable. */
    void check() {
        rollbacks.forEach(this::checkNotOlder);
        byCid.forEach((cid, history) -> history.check("chunk " + Cid.toString(cid)));
    }
}
