package io.teff.cluster.operation;

import io.teff.cluster.collect.ChangeRing;
import io.teff.cluster.collect.ServedMaps;
import io.teff.cluster.slot.RecordedZone;
import io.teff.cluster.slot.Slot;
import io.teff.cluster.slot.SlotLayout;
import io.teff.cluster.slot.SlotTable;
import io.teff.engine.codec.MalformedException;
import io.teff.engine.codec.Output;
import io.teff.engine.error.Status;
import io.teff.engine.error.StoreException;
import io.teff.engine.error.StoreException.Category;
import io.teff.engine.os.Clock;
import io.teff.engine.raw.RawChange;
import io.teff.engine.raw.RawFunction;
import io.teff.engine.raw.RawGroup;
import io.teff.engine.raw.RawMap;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One change of an entry of a map at the owner of the map. The result gets into the slot of the change when the entry
 * has changed in memory: then the next record has the changed chunks and the result. For one thread; used once.
 */
final class MapChange implements RawChange {
    private final MapMode mode;
    private final byte[] content;
    private final int valueFrom;
    private final byte @Nullable [] expected;
    private final int keyLength;
    private final @Nullable RawFunction function;
    private final @Nullable FunctionCall call;
    /** The form of values for which the function is. */
    private final FormTrailer guard;
    private final SlotTable slots;
    private final @Nullable Slot slot;
    private final RecordedZone zone;
    private final Clock clock;
    /** Number of the entry in a section of a batch; -1 for a single change. */
    private final int entry;

    private long result = Status.ABSENT;
    private byte @Nullable [] value;
    private boolean hasChanged;
    private boolean isTooLong;
    private int code = OperationFormat.DONE;
    private boolean wasAbsent;
    /** The value that a function has made, or null. */
    private byte @Nullable [] made;
    private final long[] read = new long[2];
    /** Takes the event of this change, while the change is made in a watched map; else null. */
    private @Nullable ChangeRing ring;

    /**
     * Begins a change.
     *
     * @param content the content of the request: key, expected value, new value
     * @param keyLength length of the key
     * @param expectedLength length of the expected value
     * @param slot the slot of the change, or null without a session
     * @param clock measures a registered function
     * @throws MalformedException if the mode needs a function, and the value is none
     */
    MapChange(MapMode mode, byte[] content, int keyLength, int expectedLength, SlotTable slots, @Nullable Slot slot,
              RecordedZone zone, Clock clock) {
        this(mode, content, keyLength, expectedLength, slots, slot, zone, clock, -1);
    }

    /**
     * Begins a change of a batch.
     *
     * @param entry number of the entry in its section
     */
    MapChange(MapMode mode, byte[] content, int keyLength, int expectedLength, SlotTable slots, @Nullable Slot slot,
              RecordedZone zone, Clock clock, int entry) {
        this.mode = mode;
        this.content = content;
        this.keyLength = keyLength;
        this.slots = slots;
        this.slot = slot;
        this.zone = zone;
        this.clock = clock;
        this.entry = entry;
        valueFrom = keyLength + expectedLength;
        guard = FormTrailer.guardOf(content, mode.isFunction() || mode == MapMode.CALL ? valueFrom : content.length);
        final int from = valueFrom + guard.guardBytes();
        function = mode.isFunction() ? RawFunction.read(content, from) : null;
        call = mode == MapMode.CALL ? FunctionCall.read(content, from) : null;
        expected = mode.isConditional() ? Arrays.copyOfRange(content, keyLength, valueFrom) : null;
    }

    @Override
    public boolean mayAdd() {
        return !mode.isRemoval();
    }

    @Override
    public Step decide(byte[] bytes, int length, long bucket, long overflow) {
        read[0] = bucket;
        read[1] = overflow;
        wasAbsent = length < 0;
        if ((function != null || call != null) && !guard.accepts(bytes, length)) {
            isTooLong = true;                                   // the client knows the form of the value
            return Step.KEEP;
        }
        if (function != null) {
            return apply(function, bytes, length);
        }
        if (call != null) {
            return run(call, length < 0 ? null : Arrays.copyOf(bytes, guard.plainLength(length)));
        }
        final byte[] wanted = expected;
        if (length < 0) {
            result = Status.ABSENT;
            return mode == MapMode.SET || mode == MapMode.PUT || mode == MapMode.PUT_IF_ABSENT ? Step.PUT : Step.KEEP;
        }
        if (wanted == null ? mode == MapMode.SET || mode == MapMode.DELETE
            : Arrays.equals(bytes, 0, length, wanted, 0, wanted.length)) {
            result = OperationFormat.MAP_DONE;
        } else if (length > SlotLayout.VALUE_BYTES_MAX) {
            isTooLong = true;
            return Step.KEEP;
        } else {
            value = Arrays.copyOf(bytes, length);
            result = length;
            if (wanted != null || mode == MapMode.PUT_IF_ABSENT) {
                return Step.KEEP;
            }
        }
        return mode.isRemoval() ? Step.REMOVE : Step.PUT;
    }

    /** Makes the new value by a function. The value itself is a result of APPLY only. */
    private Step apply(RawFunction of, byte[] bytes, int length) {
        final byte[] after;
        try {
            final byte[] plain = of.apply(bytes, guard.plainLength(length));
            after = plain == null ? null : guard.sealed(plain);
        } catch (IndexOutOfBoundsException _) {
            code = OperationFormat.OUTSIDE;
            return Step.KEEP;
        }
        if (after != null && (long) keyLength + after.length > OperationFormat.MAP_ENTRY_BYTES_MAX) {
            throw new StoreException(Category.DEGRADED, "an entry of " + ((long) keyLength + after.length)
                + " bytes: entries of a cluster are of at most " + OperationFormat.MAP_ENTRY_BYTES_MAX);
        }
        if (mode == MapMode.APPLY) {
            final int shown = after == null ? length : after.length;
            isTooLong = shown > SlotLayout.VALUE_BYTES_MAX;
            if (isTooLong || shown < 0) {
                return Step.KEEP;
            }
            value = after == null ? Arrays.copyOf(bytes, length) : after;
            result = shown;
        } else if (after != null) {
            result = OperationFormat.MAP_DONE;
        }
        made = after;
        return after == null ? Step.KEEP : Step.PUT;
    }

    /** Runs a registered function, whose result is the result of the change. */
    private Step run(FunctionCall of, byte @Nullable [] before) {
        final FunctionCall.Decision decision = RegisteredFunctions.found().run(of, Arrays.copyOf(content, keyLength),
            before, OperationFormat.MAP_ENTRY_BYTES_MAX, clock);
        code = decision.code();
        value = decision.result();
        result = value == null ? OperationFormat.MAP_DONE : value.length;
        final byte[] next = decision.value();
        made = next == null ? null : guard.sealed(next);
        return !decision.hasChange() ? Step.KEEP : made == null ? Step.REMOVE : Step.PUT;
    }

    @Override
    public void write(Output out) {
        final byte[] next = made;
        if (next != null) {
            out.putBytes(next, 0, next.length);
        } else {
            out.putBytes(content, valueFrom, content.length - valueFrom);
        }
    }

    // ---- the event of a watched map ----

    /** Makes this change, with an event if the map is watched. */
    void run(ServedMaps maps, RawMap map) {
        final byte[] key = Arrays.copyOf(content, keyLength);
        maps.enter();
        try {
            final ChangeRing watched = maps.ring(map.root());
            if (watched == null) {
                zone.changes().change(map, key, this);
            } else {
                run(watched, map, key);
            }
        } finally {
            maps.leave();
        }
    }

    private void run(ChangeRing watched, RawMap map, byte[] key) {
        watched.enter();
        try {
            ring = watched;
            zone.changes().change(map, key, this);
        } finally {
            ring = null;
            watched.leave(zone.writer().number());
        }
    }

    @Override
    public void before(boolean isPut, RawGroup group) {
        final ChangeRing of = ring;
        if (of != null) {
            final byte[] next = !isPut ? null : made == null ? content : made;
            final int from = made == null ? valueFrom : 0;
            of.before(group, content, keyLength, next, from, next == null ? 0 : next.length - from);
        }
    }

    @Override
    public void after(RawGroup group) {
        final ChangeRing of = ring;
        if (of != null) {
            of.after(group);
        }
    }

    @Override
    public void changed() {
        hasChanged = true;
        final Slot of = slot;
        if (of != null && entry >= 0) {
            zone.writer().collectionEntry(slots, of, entry);
        } else if (of != null) {
            zone.writer().collection(slots, of, result, value);
        }
    }

    // ---- how it has ended ----

    /** Returns the result: the length of the value, ABSENT, or MAP_DONE. */
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

    /** Returns whether there was no entry. */
    boolean wasAbsent() {
        return wasAbsent;
    }

    /** Returns whether nothing was done because the value has another form than the function. */
    boolean isOtherForm() {
        return isTooLong && mode == MapMode.MODIFY;
    }

    /** Returns whether nothing was done because a function needs a longer value. */
    boolean isOutside() {
        return code == OperationFormat.OUTSIDE;
    }

    /** Returns the chunks that were read. */
    long[] read() {
        return read;
    }
}
