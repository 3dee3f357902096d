package io.teff.cluster.collect;

import io.teff.engine.codec.Codec;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.MalformedException;
import io.teff.engine.codec.Output;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Which keys a part of a sorted map serves, and how far the split of the part is. A part serves the keys from the low
 * bound, included, to the high bound, excluded. The bounds of all parts tile the keys, but for a slice on its way.
 *
 * <p><b>Split.</b> The part cuts slices off its high end, one at a time, each of some entries. A slice belongs to no
 * part from the cut until the target has taken the slice; the entries stay in the part until then. Bounds move down
 * only, so a key that a part has given away never comes back. Slices and taken slices are counted, so a step that is
 * taken again changes nothing.
 * <pre>
 *   part    [low ............... high)[ slice )          the cut: high falls, the entries of the slice stay
 *   target                            [low .... high)    the slice is taken: low falls, one record with the entries
 *   part    [low ............... high)                   the release: the entries are removed
 * </pre>
 * The encoded form:
 * <pre>
 *  version 1 | flags 1 | zero 2 | low: length 4, bytes | high: length 4, bytes | until: length 4, bytes
 *  next 8 | target 8 | slices 8 | left 8 | taken 8
 *  flags   1 low bound, 2 high bound, 4 key that ends the split, 8 the part has no key yet, 16 a slice is on its way,
 *          32 the part takes no more slices
 * </pre>
 *
 * @param low bytes of the lowest key, or null for no bound
 * @param high bytes of the lowest key behind the part, or null for no bound
 * @param isUnborn whether the part has no key yet: the low bound is the high bound
 * @param hasSlice whether the entries from the high bound on are a slice that the target may not have taken
 * @param isSettled whether the part takes no more slices
 * @param next root of the part behind the high bound; 0 without a high bound
 * @param target root of the part that takes the slices; 0 if the part is not split now
 * @param slices slices that the split has cut off
 * @param left entries that the split has still to cut off, if no key ends the split
 * @param until bytes of the key that ends the split, or null
 * @param taken slices that this part has taken
 */
public record RangeState(byte @Nullable [] low, byte @Nullable [] high, boolean isUnborn, boolean hasSlice,
                        boolean isSettled, long next, long target, long slices, long left, byte @Nullable [] until,
                        long taken) {
    /** State of a sorted map that was never split. */
    public static final RangeState WHOLE = new RangeState(null, null, false, false, true, 0, 0, 0, 0, null, 0);

    private static final int VERSION = 1;
    private static final int HAS_LOW = 1;
    private static final int HAS_HIGH = 2;
    private static final int HAS_UNTIL = 4;
    private static final int UNBORN = 8;
    private static final int SLICE = 16;
    private static final int SETTLED = 32;
    private static final int FLAGS_MAX = 63;
    private static final int ZEROS = 2;

    /** Its codec. */
    public static final Codec<RangeState> CODEC = new Codec<>() {
        private static final long FINGERPRINT = 0x5041_5254_0000_0001L;

        @Override
        public void write(RangeState state, Output out) {
            out.putByte((byte) VERSION);
            out.putByte((byte) (flag(state.low != null, HAS_LOW) | flag(state.high != null, HAS_HIGH)
                | flag(state.until != null, HAS_UNTIL) | flag(state.isUnborn, UNBORN) | flag(state.hasSlice, SLICE)
                | flag(state.isSettled, SETTLED)));
            for (int i = 0; i < ZEROS; i++) {
                out.putByte((byte) 0);
            }
            put(out, state.low);
            put(out, state.high);
            put(out, state.until);
            out.putLong(state.next);
            out.putLong(state.target);
            out.putLong(state.slices);
            out.putLong(state.left);
            out.putLong(state.taken);
        }

        private static int flag(boolean isSet, int flag) {
            return isSet ? flag : 0;
        }

        private static void put(Output out, byte @Nullable [] key) {
            out.putInt(key == null ? 0 : key.length);
            if (key != null) {
                out.putBytes(key, 0, key.length);
            }
        }

        @Override
        public RangeState read(Input in) {
            final int version = in.getByte();
            final int flags = in.getByte();
            if (version != VERSION || flags < 0 || flags > FLAGS_MAX || in.getByte() != 0 || in.getByte() != 0) {
                throw new MalformedException(in.offset(), "a part of version " + version + " with flags " + flags,
                    null);
            }
            final byte[] low = key(in);
            final byte[] high = key(in);
            final byte[] until = key(in);
            return new RangeState((flags & HAS_LOW) == 0 ? null : low, (flags & HAS_HIGH) == 0 ? null : high,
                (flags & UNBORN) != 0, (flags & SLICE) != 0, (flags & SETTLED) != 0, in.getLong(), in.getLong(),
                in.getLong(), in.getLong(), (flags & HAS_UNTIL) == 0 ? null : until, in.getLong());
        }

        private static byte[] key(Input in) {
            final int length = in.getInt();
            if (length < 0 || length > in.left()) {
                throw new MalformedException(in.offset(), "a bound of " + length + " bytes", null);
            }
            final int at = in.take(length);
            return Arrays.copyOfRange(in.array(), at, at + length);
        }

        @Override
        public long fingerprint() {
            return FINGERPRINT;
        }
    };

    /**
     * Returns a part without keys, in front of a bound.
     *
     * @param high the bound, or null for a part behind all keys
     * @param next root of the part behind the bound, or 0
     * @return the state
     */
    public static RangeState unborn(byte @Nullable [] high, long next) {
        return new RangeState(null, high, true, false, false, next, 0, 0, 0, null, 0);
    }

    /** {@return whether the part is being split} */
    public boolean isSplitting() {
        return target != 0;
    }

    /** {@return whether the number of entries is exact: the part has no entry outside of its bounds} */
    public boolean isExact() {
        return isSettled && !hasSlice;
    }

    /**
     * Returns the state behind the begin of a split. The target is the next part from now on.
     *
     * @param into root of the target
     * @param count entries to cut off
     * @param end key that ends the split in place of the number, or null
     * @return the state
     */
    public RangeState begun(long into, long count, byte @Nullable [] end) {
        return new RangeState(low, high, isUnborn, false, isSettled, into, into, 0, count, end, taken);
    }

    /**
     * Returns the state behind the cut of a slice.
     *
     * @param from the new high bound: lowest key of the slice, or the key that ends the split
     * @param count entries of the slice
     * @param isLast whether this slice ends the split
     * @return the state
     */
    public RangeState cut(byte[] from, long count, boolean isLast) {
        return new RangeState(low, from, isUnborn, true, isSettled, next, target, slices + 1,
            isLast ? 0 : left - count, isLast ? null : until, taken);
    }

    /** {@return the state behind the removal of the entries of the slice; the last slice ends the split} */
    public RangeState released() {
        final boolean isLast = until == null && left <= 0;
        return new RangeState(low, high, isUnborn, false, isSettled, next, isLast ? 0 : target, isLast ? 0 : slices,
            left, until, taken);
    }

    /**
     * Returns the state behind the arrival of a slice.
     *
     * @param from the new low bound
     * @return the state
     */
    public RangeState took(byte[] from) {
        return new RangeState(from, high, false, hasSlice, false, next, target, slices, left, until, taken + 1);
    }

    /** {@return the state of a part that takes no more slices} */
    public RangeState settled() {
        return new RangeState(low, high, isUnborn, hasSlice, true, next, target, slices, left, until, taken);
    }
}
