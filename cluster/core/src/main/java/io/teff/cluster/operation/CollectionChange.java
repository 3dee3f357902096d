package io.teff.cluster.operation;

import static io.teff.cluster.operation.OperationFormat.MAP_DONE;

import io.teff.cluster.collect.ChangeRing;
import io.teff.cluster.collect.KeyRange;
import io.teff.cluster.collect.ListRevisions;
import io.teff.cluster.collect.RangeState;
import io.teff.cluster.collect.ServedCollection;
import io.teff.cluster.slot.RecordedZone;
import io.teff.cluster.slot.Slot;
import io.teff.cluster.slot.SlotLayout;
import io.teff.cluster.slot.SlotTable;
import io.teff.engine.Cid;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.MalformedException;
import io.teff.engine.collect.ChunkList;
import io.teff.engine.collect.ChunkQueue;
import io.teff.engine.collect.ChunkSortedMap;
import io.teff.engine.error.Status;
import io.teff.engine.error.StoreException;
import io.teff.engine.error.StoreException.Category;
import io.teff.engine.os.Clock;
import io.teff.engine.raw.RawFunction;
import io.teff.engine.raw.RawStep;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One change of a queue, list or sorted map at its owner, under the lock of the collection. The result gets into the
 * slot of the change when the collection has changed in memory: then the next record has the changed chunks and the
 * result. For one thread; used once.
 */
final class CollectionChange implements RawStep {
    /** Most bytes of the keys of a watched sorted map that one change removes: each has an event in the record. */
    private static final int CLEARED_BYTES_MAX = 64 << 10;

    private final ServedCollection collection;
    private final CollectionMode mode;
    private final long first;
    private final long second;
    private final byte[] content;
    private final SlotTable slots;
    private final @Nullable Slot slot;
    private final RecordedZone zone;
    private final Clock clock;

    private CollectionEvents events;
    private long result = Status.ABSENT;
    private byte @Nullable [] value;
    private boolean hasChanged;
    private boolean isTooLong;
    private int code = OperationFormat.DONE;
    private long lastNumber;

    /**
     * Begins a change.
     *
     * @param request names the change
     * @param slot the slot of the change, or null without a session
     * @param clock measures a registered function
     */
    CollectionChange(ServedCollection collection, OperationRequest request, SlotTable slots, @Nullable Slot slot,
                     RecordedZone zone, Clock clock) {
        this.collection = collection;
        this.slots = slots;
        this.slot = slot;
        this.zone = zone;
        this.clock = clock;
        events = new CollectionEvents(collection.content(), null);
        mode = CollectionMode.of(request.argument(0));
        first = request.argument(1);
        second = request.argument(2);
        content = request.content();
        if (mode.adds() && content.length - expectedLength() > OperationFormat.ELEMENT_BYTES_MAX) {
            throw new IllegalArgumentException("an element of " + content.length + " bytes");
        }
    }

    private long expectedLength() {
        return mode.change() == null ? 0 : second;
    }

    /** Has the change store its events in a ring. */
    void watchedBy(ChangeRing ring) {
        events = new CollectionEvents(collection.content(), ring);
    }

    @Override
    public boolean mayAdd() {
        return mode.adds();
    }

    @Override
    public boolean run() {
        final RangeState part = collection.part();
        if (part != null && !PartRange.isInside(part, collection.content(), mode, first, content)) {
            code = OperationFormat.ELSEWHERE;
            value = PartRange.bytes(part);
            result = value.length;
            return false;
        }
        final MapMode change = mode.change();
        hasChanged = switch (collection.content().content()) {
            case ChunkQueue<?> queue -> run(RawContents.of(queue));
            case ChunkList<?> list -> run(RawContents.of(list), collection.revisions());
            case ChunkSortedMap<?, ?> map when change != null -> run(RawContents.of(map), change);
            case ChunkSortedMap<?, ?> map when mode == CollectionMode.SORTED_SET_ALL -> setAll(RawContents.of(map));
            case ChunkSortedMap<?, ?> map when mode == CollectionMode.SORTED_DELETE_ALL ->
                deleteAll(RawContents.of(map));
            case ChunkSortedMap<?, ?> map -> remove(RawContents.of(map));
            default -> throw RawContents.wrong(mode);
        };
        return hasChanged;
    }

    @Override
    public void changed() {
        final Slot of = slot;
        if (of != null) {
            zone.writer().collection(slots, of, result, value);
        }
    }

    @Override
    public void recorded() {
        collection.recorded(zone.writer().number());
        lastNumber = collection.lastNumber();
    }

    /** Sets a value as the result; returns false, for nothing may change, if a slot has no room for the value. */
    private boolean returns(byte[] before) {
        if (before.length > SlotLayout.VALUE_BYTES_MAX) {
            isTooLong = true;
            return false;
        }
        value = before;
        result = before.length;
        return true;
    }

    private boolean done() {
        result = MAP_DONE;
        return true;
    }

    /** Returns how many elements one change removes of a wished number. */
    private static int most(long wished) {
        return Math.clamp(wished, 0, CollectionMode.REMOVED_MAX);
    }

    /** Adds the elements of the content; their number is the result. */
    private boolean addAll(Consumer<byte[]> adder) {
        final List<byte[]> elements = RawContents.split(content);
        return repeat(elements.size(), index -> adder.accept(elements.get((int) index)));
    }

    /**
     * Takes steps, each of which changes something; the result is how many. A step that fails behind others ends the
     * change: these steps are recorded with the result, so that a repetition does not take them again.
     */
    private boolean repeat(long count, LongConsumer step) {
        for (result = 0; result < count; result++) {
            try {
                step.accept(result);
            } catch (StoreException e) {
                if (result == 0) {
                    throw e;
                }
                return true;
            }
        }
        return count > 0;
    }

    // ---- queues ----

    private boolean run(ChunkQueue<byte[]> queue) {
        switch (mode) {
            case QUEUE_OFFER -> {
                events.add(queue, content);
                return done();
            }
            case QUEUE_OFFER_ALL -> {
                return addAll(element -> events.add(queue, element));
            }
            case QUEUE_POLL -> {
                final byte[] head = queue.peek();
                return head != null && returns(head) && events.isFirstRemoved(queue);
            }
            case QUEUE_SKIP -> {
                return repeat(Math.min(queue.longSize(), most(first)), _ -> events.isFirstRemoved(queue));
            }
            case QUEUE_REMOVE -> {
                return Cid.nid(first) == slots.zone() && events.isRemoved(queue, first, (int) second) && done();
            }
            default -> throw RawContents.wrong(mode);
        }
    }

    // ---- lists ----

    private boolean run(ChunkList<byte[]> list, ListRevisions revisions) {
        return switch (mode) {
            case LIST_ADD, LIST_INSERT -> insert(list, revisions);
            case LIST_SET, LIST_PUT, LIST_SET_SAME, LIST_SET_SHOWN -> replace(list, revisions);
            case LIST_REMOVE, LIST_REMOVE_SAME, LIST_REMOVE_LAST, LIST_REMOVE_SHOWN -> remove(list, revisions);
            case LIST_ADD_ALL -> addAll(element -> {
                list.add(element);
                revisions.inserted(list.longSize() - 1);
            });
            case LIST_TRUNCATE -> removeAll(list, revisions, Math.max(list.longSize() - most(first), 0), first);
            case LIST_REMOVE_RANGE -> removeAll(list, revisions, first, second);
            default -> throw RawContents.wrong(mode);
        };
    }

    private boolean insert(ChunkList<byte[]> list, ListRevisions revisions) {
        final long size = list.longSize();
        final long index = mode == CollectionMode.LIST_ADD ? size
            : second == 0 ? first : revisions.position(second, first);
        if (index == ListRevisions.UNKNOWN) {
            result = OperationFormat.UNKNOWN_REVISION;
            return false;
        }
        if (index < 0 || index > size || index > Integer.MAX_VALUE && index < size) {
            return false;
        }
        if (index == size) {
            list.add(content);
        } else {
            list.add((int) index, content);
        }
        revisions.inserted(index);
        if (mode == CollectionMode.LIST_ADD || second == 0) {
            return done();
        }
        return shows(revisions, index);
    }

    /** Sets the revision and an index as the result. */
    private boolean shows(ListRevisions revisions, long index) {
        return returns(RawContents.shown(revisions.now(), index));
    }

    private boolean replace(ChunkList<byte[]> list, ListRevisions revisions) {
        final long index = index(list, revisions);
        if (index < 0 || mode == CollectionMode.LIST_SET && !returns(list.getAt(index))) {
            return false;
        }
        list.setAt(index, content);
        revisions.replaced(index);
        return switch (mode) {
            case LIST_SET -> true;
            case LIST_SET_SHOWN -> shows(revisions, index);
            default -> done();
        };
    }

    private boolean remove(ChunkList<byte[]> list, ListRevisions revisions) {
        final long index = index(list, revisions);
        if (index < 0 || mode == CollectionMode.LIST_REMOVE && !returns(list.getAt(index))) {
            return false;
        }
        remove(list, revisions, index);
        return mode == CollectionMode.LIST_REMOVE || done();
    }

    /** Removes elements from an index on, the last one first; their number is the result. */
    private boolean removeAll(ChunkList<byte[]> list, ListRevisions revisions, long from, long most) {
        final long size = list.longSize();
        final boolean isInside = from >= 0 && from < size;
        final long count = isInside ? Math.min(size - from, most(most)) : 0;
        final boolean isReached = from + count == size || from + count <= Integer.MAX_VALUE;
        return repeat(isReached ? count : 0, step -> remove(list, revisions, from + count - 1 - step));
    }

    private static void remove(ChunkList<byte[]> list, ListRevisions revisions, long index) {
        if (index == list.longSize() - 1) {
            list.removeLast();
        } else {
            list.remove((int) index);
        }
        revisions.removed(index);
    }

    /** Returns the present index of the element of the change; negative, with the result, if there is none. */
    private long index(ChunkList<byte[]> list, ListRevisions revisions) {
        final long size = list.longSize();
        final boolean isOfNow = mode == CollectionMode.LIST_SET || mode == CollectionMode.LIST_PUT
            || mode == CollectionMode.LIST_REMOVE;
        final long index = !isOfNow ? revisions.element(second, first)
            : first == CollectionMode.LAST ? size - 1 : first;
        if (index == ListRevisions.UNKNOWN) {
            result = OperationFormat.UNKNOWN_REVISION;
            return index;
        }
        final boolean isThere = index < size && switch (mode) {
            case LIST_SET_SAME, LIST_REMOVE_SAME -> index == first;
            case LIST_REMOVE_LAST -> index == size - 1;
            default -> true;
        };
        return isThere && (index <= Integer.MAX_VALUE || index == size - 1) ? index : ListRevisions.GONE;
    }

    // ---- sorted maps ----

    private boolean run(ChunkSortedMap<Object, byte[]> map, MapMode change) {
        final int valueFrom = (int) (first + second);
        final Object key = RawContents.key(collection.content(), content, (int) first);
        final byte[] before = map.get(key);
        if (change.isFunction()) {
            return apply(map, key, before, change == MapMode.APPLY);
        }
        if (change == MapMode.CALL) {
            return call(map, key, before);
        }
        if (before == null) {
            if (change == MapMode.SET || change == MapMode.PUT || change == MapMode.PUT_IF_ABSENT) {
                events.put(map, key, Arrays.copyOfRange(content, valueFrom, content.length));
                return true;
            }
            return false;
        }
        final boolean isSame = change.isConditional()
            && Arrays.equals(before, 0, before.length, content, (int) first, valueFrom);
        if (isSame || change == MapMode.SET || change == MapMode.DELETE) {
            result = MAP_DONE;
        } else if (!returns(before) || change.isConditional() || change == MapMode.PUT_IF_ABSENT) {
            return false;
        }
        if (change.isRemoval()) {
            return events.isRemoved(map, key);
        }
        events.put(map, key, Arrays.copyOfRange(content, valueFrom, content.length));
        return true;
    }

    /** Makes the new value by a ready-made function. The value itself is a result of APPLY only. */
    private boolean apply(ChunkSortedMap<Object, byte[]> map, Object key, byte @Nullable [] before, boolean isShown) {
        final int from = (int) (first + second);
        final FormTrailer guard = FormTrailer.guardOf(content, from);
        if (!isAccepted(guard, before)) {
            return false;
        }
        final RawFunction function = RawFunction.read(content, from + guard.guardBytes());
        final byte[] after;
        try {
            final byte[] plain = before == null ? function.apply(content, -1)
                : function.apply(before, guard.plainLength(before.length));
            after = plain == null ? null : guard.sealed(plain);
        } catch (IndexOutOfBoundsException _) {
            code = OperationFormat.OUTSIDE;
            return false;
        }
        if (after != null) {
            checkEntry(first + after.length);
        }
        if (isShown) {
            final byte[] shown = after == null ? before : after;
            if (shown == null || !returns(shown)) {
                return false;
            }
        } else if (after != null) {
            result = MAP_DONE;
        }
        if (after == null) {
            return false;
        }
        events.put(map, key, after);
        return true;
    }

    /** Returns whether a function is for a value; if not, the client knows the form of the value. */
    private boolean isAccepted(FormTrailer guard, byte @Nullable [] before) {
        isTooLong = before != null && !guard.accepts(before, before.length);
        return !isTooLong;
    }

    /** Runs a registered function, whose result is the result of the change. */
    private boolean call(ChunkSortedMap<Object, byte[]> map, Object key, byte @Nullable [] before) {
        final int from = (int) (first + second);
        final FormTrailer guard = FormTrailer.guardOf(content, from);
        if (!isAccepted(guard, before)) {
            return false;
        }
        final FunctionCall.Decision decision = RegisteredFunctions.found().run(
            FunctionCall.read(content, from + guard.guardBytes()), Arrays.copyOf(content, (int) first),
            before == null ? null : Arrays.copyOf(before, guard.plainLength(before.length)),
            OperationFormat.ELEMENT_BYTES_MAX, clock);
        code = decision.code();
        value = decision.result();
        result = value == null ? MAP_DONE : value.length;
        final byte[] next = decision.value();
        if (decision.hasChange() && next != null) {
            events.put(map, key, guard.sealed(next));
        }
        return decision.hasChange() && (next != null || events.isRemoved(map, key));
    }

    private static void checkEntry(long length) {
        if (length > OperationFormat.ELEMENT_BYTES_MAX) {
            throw new StoreException(Category.DEGRADED, "an entry of " + length + " bytes: entries of sorted maps of a"
                + " cluster are of at most " + OperationFormat.ELEMENT_BYTES_MAX);
        }
    }

    /** Puts the entries of the content, whose forms are checked before the first change. */
    private boolean setAll(ChunkSortedMap<Object, byte[]> map) {
        final List<byte[]> parts = RawContents.split(content);
        final List<Object> keys = new ArrayList<>();
        for (int i = 0; i < parts.size(); i += 2) {
            if (i + 1 == parts.size()) {
                throw new MalformedException(content.length, "a key without a value", null);
            }
            keys.add(RawContents.key(collection.content(), parts.get(i), parts.get(i).length));
            checkEntry((long) parts.get(i).length + parts.get(i + 1).length);
        }
        return repeat(Math.min(keys.size(), CollectionMode.SORTED_MANY_MAX), index ->
            events.put(map, keys.get((int) index), parts.get(2 * (int) index + 1)));
    }

    /** Removes the entries of the keys in the content; their number is the result. */
    private boolean deleteAll(ChunkSortedMap<Object, byte[]> map) {
        final List<Object> keys = new ArrayList<>();
        for (byte[] key : RawContents.split(content)) {
            keys.add(RawContents.key(collection.content(), key, key.length));
        }
        if (keys.size() > CollectionMode.SORTED_MANY_MAX) {
            throw new MalformedException(0, keys.size() + " keys", null);
        }
        result = keys.stream().filter(key -> events.isRemoved(map, key)).count();
        return result > 0;
    }

    private boolean remove(ChunkSortedMap<Object, byte[]> map) {
        final NavigableMap<Object, byte[]> part = RawContents.in(collection.content(), map, KeyRange.CODEC.read(
            new Input(content, 0, content.length)));
        if (mode == CollectionMode.SORTED_CLEAR) {
            final List<Object> keys = new ArrayList<>();
            int bytes = 0;
            for (Object key : part.navigableKeySet()) {
                if (keys.size() == most(first) || bytes > CLEARED_BYTES_MAX) {
                    break;
                }
                keys.add(key);
                bytes += events.bytesOf(key);
            }
            return repeat(keys.size(), index -> events.isRemoved(map, keys.get((int) index)));
        }
        if (mode != CollectionMode.SORTED_POLL) {
            throw RawContents.wrong(mode);
        }
        final Map.Entry<Object, byte[]> entry = part.firstEntry();
        return entry != null && returns(RawContents.entry(collection.content(), entry))
            && events.isRemoved(map, entry.getKey());
    }

    // ---- how it has ended ----

    /** Returns the result: the length of the value, a number, ABSENT, MAP_DONE, or UNKNOWN_REVISION. */
    long result() {
        return result;
    }

    /** Returns the value that is the result, or null. */
    byte @Nullable [] value() {
        return value;
    }

    boolean hasChanged() {
        return hasChanged;
    }

    /** Returns the code of the answer: DONE, or why nothing was done. */
    int code() {
        return isTooLong ? OperationFormat.LONG_RESULT : code;
    }

    /** Returns the number of the last change of the collection until now. */
    long lastNumber() {
        return lastNumber;
    }
}
