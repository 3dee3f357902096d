package io.teff.cluster.operation;

import io.teff.cluster.slot.RecordedZone;
import io.teff.cluster.slot.Slot;
import io.teff.cluster.slot.SlotLayout;
import io.teff.cluster.slot.SlotTable;
import io.teff.engine.codec.Output;
import io.teff.engine.error.Status;
import io.teff.engine.raw.RawChange;
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
    private final SlotTable slots;
    private final @Nullable Slot slot;
    private final RecordedZone zone;

    private long result = Status.ABSENT;
    private byte @Nullable [] value;
    private boolean hasChanged;
    private boolean isTooLong;
    private final long[] read = new long[2];

    /**
     * Begins a change.
     *
     * @param content the content of the request: key, expected value, new value
     * @param keyLength length of the key
     * @param expectedLength length of the expected value
     * @param slot the slot of the change, or null without a session
     */
    MapChange(MapMode mode, byte[] content, int keyLength, int expectedLength, SlotTable slots, @Nullable Slot slot,
              RecordedZone zone) {
        this.mode = mode;
        this.content = content;
        this.slots = slots;
        this.slot = slot;
        this.zone = zone;
        valueFrom = keyLength + expectedLength;
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

    @Override
    public void write(Output out) {
        out.putBytes(content, valueFrom, content.length - valueFrom);
    }

    @Override
    public void changed() {
        hasChanged = true;
        final Slot of = slot;
        if (of != null) {
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

    /** Returns whether nothing was done because a slot has no room for the result. */
    boolean isTooLong() {
        return isTooLong;
    }

    /** Returns the chunks that were read. */
    long[] read() {
        return read;
    }
}
