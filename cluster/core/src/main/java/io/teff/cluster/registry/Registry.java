package io.teff.cluster.registry;

import io.teff.cluster.registry.QueueRow.Place;
import io.teff.cluster.registry.RegistryState.SessionRow;
import io.teff.cluster.registry.RegistryState.SlotRow;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The registry of a cluster as a deterministic state machine: steps in, results out.
 *
 * <p><b>One state.</b> A registry has names with values and versions, and queues of places. A name or place may be
 * bound to a session, and ends with the session. A lock is a queue with one permit, an election a lock whose places
 * have values, a semaphore a queue with more permits, a barrier a queue whose places are granted together, a counter a
 * name with a number.
 *
 * <p><b>Numbers.</b> Each change of a name or a queue, and each grant, has a number of its own, the revision. So a
 * token of a grant is above each token that was ever given for the name, and no two grants of a lock have one token.
 * Numbers of sessions are revisions, too, and are never used again.
 *
 * <p><b>Once.</b> A step of a session has a ticket: a slot, and a sequence that rises in the slot. The session keeps
 * the result of the newest step of each slot. A repetition of this step has the same result; an older step is refused.
 *
 * <p><b>Leases.</b> The machine has no clock. Renewals are steps. A superpeer that has seen no renewal for the lease
 * proposes {@link StepCode#END} with the number of renewals that it has seen; the step is void if there was a further
 * renewal. A superpeer applies a renewal after the client has sent it. A client counts its lease from the sending of
 * its last applied renewal. So the client knows of the end before any superpeer may propose the end.
 *
 * <p><b>Invariants</b>, checked by {@link #audit}: granted places of a queue do not exceed its permits, and precede all
 * waiting places; tokens rise in the order of the places; each bound name and each place has an open session.
 *
 * <p>Not thread-safe.
 */
public final class Registry {
    private static final int SLOT_BITS = 6;
    private static final int SLOT_MASK = (1 << SLOT_BITS) - 1;

    private long revision;
    /** Rises with each session that is opened, renewed or ended. */
    private long beats;
    private final TreeMap<Long, Session> sessions = new TreeMap<>();
    private final Map<Long, Long> numbers = new HashMap<>();
    private final TreeMap<String, NameRow> names = new TreeMap<>();
    private final TreeMap<String, QueueRow> queues = new TreeMap<>();
    private final TreeSet<String> mortal = new TreeSet<>();
    private final RegistryEvents events;
    private long bytes;
    private long temporaryBytes;
    private int places;

    /** An open session, with an index of what is bound to it. */
    private static final class Session {
        private final long number;
        private final long key;
        private final int leaseMs;
        private long renewals;
        /** The newest step of each slot, or null. */
        private @Nullable SlotRow[] slots = new SlotRow[1];
        private final TreeSet<String> names = new TreeSet<>();
        /** Number of the session's places by queue. */
        private final TreeMap<String, Integer> places = new TreeMap<>();
        private int placeCount;

        Session(long number, long key, int leaseMs) {
            this.number = number;
            this.key = key;
            this.leaseMs = leaseMs;
        }

        SessionRow row() {
            return new SessionRow(number, key, leaseMs, renewals, Arrays.stream(slots).filter(Objects::nonNull)
                .toList());
        }

        @Nullable SlotRow slot(int slot) {
            return slot < slots.length ? slots[slot] : null;
        }

        void put(SlotRow row) {
            if (row.slot() >= slots.length) {
                slots = Arrays.copyOf(slots, row.slot() + 1);
            }
            slots[row.slot()] = row;
        }
    }

    /**
     * Makes a registry in a state.
     *
     * @param state of a new cluster, or of a snapshot
     */
    public Registry(RegistryState state) {
        revision = state.revision();
        events = new RegistryEvents(revision);
        for (SessionRow row : state.sessions()) {
            final Session session = new Session(row.number(), row.key(), row.leaseMs());
            session.renewals = row.renewals();
            row.slots().forEach(session::put);
            sessions.put(row.number(), session);
            numbers.put(row.key(), row.number());
        }
        state.names().forEach(this::put);
        state.queues().forEach(this::put);
    }

    /** {@return the whole state, for a snapshot} */
    public RegistryState state() {
        return new RegistryState(revision, sessions.values().stream().map(Session::row).toList(),
            List.copyOf(names.values()), List.copyOf(queues.values()));
    }

    // ---- reading ----

    /** {@return the last number of a change} */
    public long revision() {
        return revision;
    }

    /** {@return a number that rises with each session that is opened, renewed or ended} */
    public long beats() {
        return beats;
    }

    /** {@return the open sessions, without their slots} */
    public List<SessionRow> sessions() {
        return sessions.values().stream()
            .map(it -> new SessionRow(it.number, it.key, it.leaseMs, it.renewals, List.of())).toList();
    }

    /**
     * {@return whether a session is open}
     *
     * @param number of the session
     * @param key random number by which the session was opened
     */
    public boolean isOpen(long number, long key) {
        final Session session = sessions.get(number);
        return session != null && session.key == key;
    }

    /**
     * {@return a name, or null}
     *
     * @param name of the wanted row
     */
    public @Nullable NameRow name(String name) {
        return names.get(name);
    }

    /**
     * Reads names with a prefix, in their order.
     *
     * @param prefix of the names
     * @param after the list begins behind this name; empty for the first name
     * @param most most names
     * @param bytesMax after so many bytes the list ends
     * @return the names, at least one if there is one
     */
    public List<NameRow> names(String prefix, String after, int most, long bytesMax) {
        final boolean isNext = after.compareTo(prefix) >= 0 && !after.isEmpty();
        final SortedMap<String, NameRow> tail = isNext ? names.tailMap(after, false) : names.tailMap(prefix, true);
        final List<NameRow> found = new ArrayList<>();
        long size = 0;
        for (NameRow row : tail.values()) {
            if (found.size() == most || size >= bytesMax || !row.name().startsWith(prefix)) {
                break;
            }
            found.add(row);
            size += row.bytes();
        }
        return found;
    }

    /** {@return the names with a time to live, in their order} */
    public List<NameRow> mortals() {
        return mortal.stream().map(names::get).toList();
    }

    /**
     * {@return a queue, or null}
     *
     * @param name of the queue
     */
    public @Nullable QueueRow queue(String name) {
        return queues.get(name);
    }

    /**
     * Reads changes of names.
     *
     * @param from the last known revision
     * @param prefix of the names
     * @param most most changes
     * @return the changes behind the revision; null if some may be missing here
     */
    public RegistryEvents.@Nullable Part since(long from, String prefix, int most) {
        return events.since(from, prefix, most, revision);
    }

    // ---- steps ----

    /**
     * Applies a step.
     *
     * @param step the next step in the agreed order
     * @return the result
     */
    public RegistryResult apply(RegistryStep step) {
        return switch (step.code()) {
            case StepCode.OPEN -> open(step.first(), step.second());
            case StepCode.RENEW -> renew(step.value());
            case StepCode.END -> end(step.session(), step.first());
            case StepCode.EXPIRE -> expire(step.name(), step.first());
            case StepCode.LOOK -> RegistryResult.done(revision, 0);
            case StepCode.RAISE -> raise(step.first());
            case StepCode.CLOSE, StepCode.PUT, StepCode.REMOVE, StepCode.ADD, StepCode.ENTER, StepCode.LEAVE ->
                once(step);
            default -> RegistryResult.of(RegistryResult.MALFORMED);
        };
    }

    private RegistryResult raise(long least) {
        if (least < 0 || least > RegistryLimits.RAISED_MAX) {
            return RegistryResult.of(RegistryResult.MALFORMED);
        }
        if (!names.isEmpty() || !queues.isEmpty()) {
            return new RegistryResult(RegistryResult.MISMATCH, revision, 0);
        }
        revision = Math.max(revision, least);
        return RegistryResult.done(revision, 0);
    }

    private RegistryResult open(long key, long leaseMs) {
        final Long known = numbers.get(key);
        if (known != null) {
            return RegistryResult.done(known, 0);
        }
        if (leaseMs < RegistryLimits.LEASE_MS_MIN || leaseMs > RegistryLimits.LEASE_MS_MAX) {
            return RegistryResult.of(RegistryResult.MALFORMED);
        }
        if (sessions.size() >= RegistryLimits.SESSIONS_MAX) {
            return RegistryResult.full(RegistryResult.LIMIT_SESSIONS);
        }
        final Session session = new Session(++revision, key, (int) leaseMs);
        sessions.put(session.number, session);
        numbers.put(key, session.number);
        beats++;
        return RegistryResult.done(session.number, 0);
    }

    private RegistryResult renew(byte[] value) {
        final ByteBuffer heard = ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN);
        while (heard.remaining() >= Long.BYTES) {
            final Session session = sessions.get(heard.getLong());
            if (session != null) {
                session.renewals++;
                beats++;
            }
        }
        return RegistryResult.done(0, 0);
    }

    private RegistryResult end(long number, long renewals) {
        final Session session = sessions.get(number);
        if (session == null || session.renewals != renewals) {
            return RegistryResult.of(RegistryResult.EXPIRED);
        }
        end(session);
        return RegistryResult.done(0, 0);
    }

    /** Does a step of a session, unless the slot of the step has its result, or a later step. */
    private RegistryResult once(RegistryStep step) {
        final Session session = sessions.get(step.session());
        if (session == null) {
            return RegistryResult.of(RegistryResult.EXPIRED);
        }
        final int slot = (int) step.ticket() & SLOT_MASK;
        final long sequence = step.ticket() >>> SLOT_BITS;
        final SlotRow last = session.slot(slot);
        if (last != null && sequence <= last.sequence()) {
            return sequence == last.sequence() ? last.result() : RegistryResult.of(RegistryResult.EXPIRED);
        }
        final RegistryResult result = change(session, step);
        session.put(new SlotRow(slot, sequence, result));
        return result;
    }

    private RegistryResult change(Session session, RegistryStep step) {
        if (step.code() == StepCode.CLOSE) {
            end(session);
            return RegistryResult.done(0, 0);
        }
        if (!RegistryLimits.isName(step.name())) {
            return RegistryResult.of(RegistryResult.MALFORMED);
        }
        return switch (step.code()) {
            case StepCode.PUT -> put(session, step);
            case StepCode.REMOVE -> remove(step);
            case StepCode.ADD -> add(step);
            case StepCode.ENTER -> enter(session, step);
            default -> leave(session, step);
        };
    }

    // ---- names ----

    private RegistryResult put(Session session, RegistryStep step) {
        final long ttlMs = step.third();
        if (step.value().length > RegistryLimits.VALUE_BYTES_MAX || ttlMs < 0 || ttlMs > RegistryLimits.TTL_MS_MAX) {
            return RegistryResult.of(RegistryResult.MALFORMED);
        }
        final NameRow before = names.get(step.name());
        final long present = before == null ? 0 : before.version();
        if (step.first() != StepCode.ANY && step.first() != present) {
            return new RegistryResult(RegistryResult.MISMATCH, present, 0);
        }
        final NameRow row = new NameRow(step.name(), step.value(), revision + 1,
            step.second() == 1 ? session.number : 0, ttlMs);
        final int limit = limit(before, row, session);
        if (limit != 0) {
            return RegistryResult.full(limit);
        }
        replace(before, row);
        return RegistryResult.done(row.version(), 0);
    }

    /** Returns the number of the limit that forbids a row in place of another row; 0 for none. */
    private int limit(@Nullable NameRow before, NameRow row, @Nullable Session session) {
        final long freed = before == null ? 0 : before.bytes();
        final long freedMortal = before == null || before.ttlMs() == 0 ? 0 : freed;
        if (before == null && names.size() >= RegistryLimits.NAMES_MAX) {
            return RegistryResult.LIMIT_NAMES;
        } else if (bytes - freed + row.bytes() > RegistryLimits.BYTES_MAX) {
            return RegistryResult.LIMIT_BYTES;
        } else if (row.ttlMs() > 0 && temporaryBytes - freedMortal + row.bytes() > RegistryLimits.TEMPORARY_BYTES_MAX) {
            return RegistryResult.LIMIT_TEMPORARY;
        }
        return session != null && row.session() == session.number && session.names.size() >= RegistryLimits.BOUND_MAX
            && !session.names.contains(row.name()) ? RegistryResult.LIMIT_BOUND : 0;
    }

    private void replace(@Nullable NameRow before, NameRow row) {
        if (before != null) {
            take(before);
        }
        put(row);
        revision = row.version();
        events.add(new RegistryEvents.Event(revision, row.name(), row.value()));
    }

    private RegistryResult remove(RegistryStep step) {
        final NameRow before = names.get(step.name());
        if (before == null) {
            return RegistryResult.of(RegistryResult.ABSENT);
        }
        if (step.first() != StepCode.ANY && step.first() != before.version()) {
            return new RegistryResult(RegistryResult.MISMATCH, before.version(), 0);
        }
        remove(before);
        return RegistryResult.done(revision, 0);
    }

    private void remove(NameRow row) {
        take(row);
        events.add(new RegistryEvents.Event(++revision, row.name(), null));
    }

    private RegistryResult add(RegistryStep step) {
        final NameRow before = names.get(step.name());
        if (before != null && before.value().length != Long.BYTES) {
            return RegistryResult.of(RegistryResult.MISFIT);
        }
        final long number = before == null ? 0 : buffer(before.value()).getLong(0);
        final byte[] sum = new byte[Long.BYTES];
        buffer(sum).putLong(0, number + step.first());
        final NameRow row = new NameRow(step.name(), sum, revision + 1, before == null ? 0 : before.session(),
            before == null ? 0 : before.ttlMs());
        final int limit = limit(before, row, null);
        if (limit != 0) {
            return RegistryResult.full(limit);
        }
        replace(before, row);
        return RegistryResult.done(number, row.version());
    }

    private static ByteBuffer buffer(byte[] number) {
        return ByteBuffer.wrap(number).order(ByteOrder.LITTLE_ENDIAN);
    }

    private RegistryResult expire(String name, long version) {
        final NameRow row = names.get(name);
        if (row == null || row.version() != version || row.ttlMs() == 0) {
            return RegistryResult.of(RegistryResult.ABSENT);
        }
        remove(row);
        return RegistryResult.done(revision, 0);
    }

    private void put(NameRow row) {
        names.put(row.name(), row);
        bytes += row.bytes();
        if (row.ttlMs() > 0) {
            mortal.add(row.name());
            temporaryBytes += row.bytes();
        }
        if (row.session() != 0) {
            owner(row).names.add(row.name());
        }
    }

    private Session owner(NameRow row) {
        return Objects.requireNonNull(sessions.get(row.session()));
    }

    private void take(NameRow row) {
        names.remove(row.name());
        bytes -= row.bytes();
        if (row.ttlMs() > 0) {
            mortal.remove(row.name());
            temporaryBytes -= row.bytes();
        }
        if (row.session() != 0) {
            owner(row).names.remove(row.name());
        }
    }

    // ---- queues ----

    private RegistryResult enter(Session session, RegistryStep step) {
        final boolean isBarrier = (step.third() & StepCode.BARRIER) != 0;
        final int most = isBarrier ? RegistryLimits.QUEUE_MAX : RegistryLimits.PERMITS_MAX;
        if (step.value().length > RegistryLimits.PLACE_BYTES_MAX || step.first() < 1 || step.first() > most
            || step.second() < 1 || step.second() > step.first()) {
            return RegistryResult.of(RegistryResult.MALFORMED);
        }
        final QueueRow known = queues.get(step.name());
        final QueueRow queue = known == null
            ? new QueueRow(step.name(), isBarrier, (int) step.first(), List.of()) : known;
        if (queue.isBarrier() != isBarrier || queue.permits() != step.first()) {
            return new RegistryResult(RegistryResult.MISFIT, queue.permits(), queue.isBarrier() ? 1 : 0);
        }
        final int limit = limit(session, queue, step.value());
        if (limit != 0) {
            return RegistryResult.full(limit);
        }
        final Place place = new Place(revision + 1, session.number, (int) step.second(), step.value(), 0, false);
        final QueueRow entered = queue.with(place).granting(place.number());
        final Place taken = entered.places().getLast();
        if (taken.token() == 0 && (step.third() & StepCode.NO_WAIT) != 0) {
            return RegistryResult.of(RegistryResult.BUSY);
        }
        revision = Math.max(place.number(), lastToken(entered));
        replace(known, entered);
        return RegistryResult.done(place.number(), taken.token());
    }

    private int limit(Session session, QueueRow queue, byte[] value) {
        return places >= RegistryLimits.PLACES_MAX ? RegistryResult.LIMIT_PLACES
            : queue.places().size() >= RegistryLimits.QUEUE_MAX ? RegistryResult.LIMIT_QUEUE
            : session.placeCount >= RegistryLimits.HELD_MAX ? RegistryResult.LIMIT_HELD
            : bytes + QueueRow.bytes(queue.name(), value) > RegistryLimits.BYTES_MAX ? RegistryResult.LIMIT_BYTES : 0;
    }

    private static long lastToken(QueueRow queue) {
        return queue.places().stream().mapToLong(Place::token).max().orElse(0);
    }

    private RegistryResult leave(Session session, RegistryStep step) {
        final QueueRow queue = queues.get(step.name());
        final Place place = queue == null ? null : queue.place(step.first());
        if (queue == null || place == null || place.session() != session.number || place.hasLeft()) {
            return RegistryResult.of(RegistryResult.ABSENT);
        }
        if (place.isWaiting() || step.second() == 0) {
            leave(queue, it -> it.number() == place.number());
        }
        return RegistryResult.done(0, place.token());
    }

    /** Frees places, and grants the places that wait for them. */
    private void leave(QueueRow queue, Predicate<Place> isOver) {
        final QueueRow left = queue.without(isOver).granting(++revision);
        revision = Math.max(revision, lastToken(left));
        replace(queue, left);
    }

    private void replace(@Nullable QueueRow before, QueueRow now) {
        if (before != null) {
            queues.remove(before.name());
            bytes -= before.bytes();
            count(before, -1);
        }
        if (!now.places().isEmpty()) {
            put(now);
        }
    }

    private void put(QueueRow queue) {
        queues.put(queue.name(), queue);
        bytes += queue.bytes();
        count(queue, 1);
    }

    private void count(QueueRow queue, int sign) {
        places += sign * queue.places().size();
        for (Place place : queue.places()) {
            final Session session = sessions.get(place.session());
            if (session != null && !place.hasLeft()) {
                session.placeCount += sign;
                session.places.merge(queue.name(), sign, (known, more) -> known + more == 0 ? null : known + more);
            }
        }
    }

    // ---- the end of a session ----

    /** Frees all that a session has, in the order of the names. */
    private void end(Session session) {
        beats++;
        for (String name : List.copyOf(session.names)) {
            final NameRow row = names.get(name);
            if (row != null) {
                remove(row);
            }
        }
        for (String name : List.copyOf(session.places.keySet())) {
            final QueueRow queue = queues.get(name);
            if (queue != null) {
                leave(queue, place -> place.session() == session.number);
            }
        }
        sessions.remove(session.number);
        numbers.remove(session.key);
    }

    // ---- audit ----

    /** Checks all invariants; throws {@link IllegalStateException} if an invariant is broken. */
    public void audit() {
        long size = 0;
        long mortalSize = 0;
        int count = 0;
        for (NameRow row : names.values()) {
            check(RegistryLimits.isName(row.name()) && row.version() > 0 && row.version() <= revision, row.name());
            final Session session = sessions.get(row.session());
            check(row.session() == 0 || session != null && session.names.contains(row.name()), row.name() + " bound");
            check(row.ttlMs() > 0 == mortal.contains(row.name()), row.name() + " time to live");
            size += row.bytes();
            mortalSize += row.ttlMs() > 0 ? row.bytes() : 0;
        }
        for (QueueRow queue : queues.values()) {
            audit(queue);
            size += queue.bytes();
            count += queue.places().size();
        }
        check(size == bytes && mortalSize == temporaryBytes && count == places, "sums");
        check(bytes <= RegistryLimits.BYTES_MAX && temporaryBytes <= RegistryLimits.TEMPORARY_BYTES_MAX
            && names.size() <= RegistryLimits.NAMES_MAX && places <= RegistryLimits.PLACES_MAX, "limits");
        for (Session session : sessions.values()) {
            audit(session);
        }
        check(numbers.size() == sessions.size() && mortal.size() <= names.size(), "sessions");
        check(events.isSound(revision), "changes");
    }

    private void audit(QueueRow queue) {
        final String what = "queue " + queue.name();
        check(!queue.places().isEmpty() && queue.permits() >= 1, what);
        check(queue.isBarrier() || queue.used() <= queue.permits(), what + " grants more than it has");
        final QueueRow due = queue.granting(revision);
        check(due.places().equals(queue.places()), what + " has not granted what is free");
        long number = 0;
        long token = 0;
        boolean isWaiting = false;
        for (Place place : queue.places()) {
            check(place.number() > number && place.number() <= revision, what + " order");
            check(place.token() == 0 || !isWaiting && place.token() > place.number() && place.token() <= revision,
                what + " token " + place.token());
            check(place.token() == 0 || place.token() > token || queue.isBarrier() && place.token() == token,
                what + " tokens");
            check(place.hasLeft() || sessions.containsKey(place.session()), what + " session " + place.session());
            check(!place.hasLeft() || queue.isBarrier() && place.token() > 0, what + " left");
            number = place.number();
            token = Math.max(token, place.token());
            isWaiting |= place.token() == 0;
        }
    }

    private void audit(Session session) {
        final String what = "session " + session.number;
        check(session.number <= revision && Long.valueOf(session.number).equals(numbers.get(session.key)), what);
        int held = 0;
        for (String name : session.names) {
            final NameRow row = names.get(name);
            check(row != null && row.session() == session.number, what + " name " + name);
        }
        for (Map.Entry<String, Integer> each : session.places.entrySet()) {
            final QueueRow queue = queues.get(each.getKey());
            check(queue != null && each.getValue() == queue.places().stream().filter(place ->
                place.session() == session.number && !place.hasLeft()).count(), what + " queue " + each.getKey());
            held += each.getValue();
        }
        check(held == session.placeCount && held <= RegistryLimits.HELD_MAX
            && session.names.size() <= RegistryLimits.BOUND_MAX, what + " counts");
    }

    private static void check(boolean holds, String what) {
        if (!holds) {
            throw new IllegalStateException("registry audit: " + what);
        }
    }
}
