package io.teff.cluster.client;

import io.teff.engine.codec.Input;
import io.teff.engine.codec.MalformedException;
import io.teff.engine.codec.Output;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A part of a sorted map in the row of the map.
 * <pre>
 *  flags 1 (1 low bound) | parent 8 | low: length 4, bytes
 * </pre>
 *
 * @param low bytes of the lowest key; null for the first part, and for the target of an unfinished split
 * @param parent root of the part that is being split into this part; else 0
 */
record PartRow(byte @Nullable [] low, long parent) {
    /** The part of the lowest keys. */
    static final PartRow FIRST = new PartRow(null, 0);

    private static final int HAS_LOW = 1;

    static void write(PartRow part, Output out) {
        out.putByte((byte) (part.low == null ? 0 : HAS_LOW));
        out.putLong(part.parent);
        out.putInt(part.low == null ? 0 : part.low.length);
        if (part.low != null) {
            out.putBytes(part.low, 0, part.low.length);
        }
    }

    static PartRow read(Input in) {
        final int flags = in.getByte();
        final long parent = in.getLong();
        final int length = in.getInt();
        if ((flags & ~HAS_LOW) != 0 || length < 0 || length > in.left()) {
            throw new MalformedException(in.offset(), "a part with flags " + flags + " and a bound of " + length
                + " bytes", null);
        }
        final int at = in.take(length);
        return new PartRow((flags & HAS_LOW) == 0 ? null : Arrays.copyOfRange(in.array(), at, at + length), parent);
    }

    /** Returns whether requests are sent to the part by its bound. */
    boolean hasBound() {
        return parent == 0;
    }
}
