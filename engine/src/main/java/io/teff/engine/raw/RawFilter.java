package io.teff.engine.raw;

import io.teff.engine.codec.Input;
import io.teff.engine.codec.MalformedException;
import io.teff.engine.codec.Output;
import io.teff.engine.view.ChunkFilter;
import io.teff.engine.view.ChunkFilter.Condition;
import io.teff.engine.view.ChunkFilter.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The conditions of a {@link ChunkFilter} as bytes, for the owners of zones. Numbers are little-endian.
 * <pre>
 *  conditions 4 | for each: kind 1 | offset 4 | least number 8 | greatest number 8 | length 4 | bytes
 * </pre>
 * The kind is a number of {@link ChunkFilter.Kind}. The zones of a filter are not in the bytes: a client asks the
 * owners of these zones.
 */
public final class RawFilter {
    /** Most bytes of a filter. */
    public static final int BYTES_MAX = Integer.BYTES + ChunkFilter.CONDITIONS_MAX
        * (1 + 2 * Integer.BYTES + 2 * Long.BYTES + ChunkFilter.BYTES_MAX);

    private static final Kind[] KINDS = Kind.values();

    private RawFilter() {}

    /**
     * Returns the bytes of the conditions of a filter.
     *
     * @param filter any filter
     * @return the bytes
     */
    public static byte[] bytes(ChunkFilter filter) {
        Output out = Output.growing(64);
        out.putInt(filter.conditions().size());
        for (Condition condition : filter.conditions()) {
            out.putByte((byte) condition.kind().ordinal());
            out.putInt(condition.offset());
            out.putLong(condition.min());
            out.putLong(condition.max());
            out.putInt(condition.bytes().length);
            out.putBytes(condition.bytes(), 0, condition.bytes().length);
        }
        return out.toByteArray();
    }

    /**
     * Reads a filter.
     *
     * @param bytes from {@link #bytes}
     * @return the filter
     * @throws MalformedException if the bytes are none
     */
    public static ChunkFilter read(byte[] bytes) {
        Input in = new Input(bytes, 0, bytes.length);
        int count = in.getInt();
        if (count < 0 || count > ChunkFilter.CONDITIONS_MAX) {
            throw in.malformed(count + " conditions");
        }
        List<Condition> conditions = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            conditions.add(condition(in));
        }
        if (in.left() > 0) {
            throw in.malformed(in.left() + " bytes behind the conditions");
        }
        return ChunkFilter.of(conditions);
    }

    private static Condition condition(Input in) {
        int kind = in.getByte();
        int offset = in.getInt();
        long min = in.getLong();
        long max = in.getLong();
        int length = in.getInt();
        if (kind < 0 || kind >= KINDS.length) {
            throw in.malformed("a condition of kind " + kind);
        }
        int from = in.take(length);
        try {
            return new Condition(KINDS[kind], offset, min, max, Arrays.copyOfRange(in.array(), from, from + length));
        } catch (IllegalArgumentException e) {
            throw new MalformedException(in.offset(), "a condition", e);
        }
    }
}
