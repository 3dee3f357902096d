package io.teff.cluster.collect;

import io.teff.engine.codec.Codec;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.MalformedException;
import io.teff.engine.codec.Output;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The report of the owner of a part of a sorted map about the part.
 * <pre>
 *  state | entries 8 | bytes of memory 8 | token of the fence 8 | keys and values of the slice: length 4, bytes
 * </pre>
 *
 * @param state bounds and split
 * @param entries number of entries in the part
 * @param memoryBytes memory of the part
 * @param token token of the fence, or 0
 * @param slice key, value, key, value of the slice that is on its way; empty if none is, or for a request that does not
 *     ask for the slice
 */
public record PartReport(RangeState state, long entries, long memoryBytes, long token, List<byte[]> slice) {
    /** Its codec. */
    public static final Codec<PartReport> CODEC = new Codec<>() {
        private static final long FINGERPRINT = 0x5041_5241_0000_0001L;

        @Override
        public void write(PartReport answer, Output out) {
            out.putValue(RangeState.CODEC, answer.state);
            out.putLong(answer.entries);
            out.putLong(answer.memoryBytes);
            out.putLong(answer.token);
            putAll(out, answer.slice);
        }

        @Override
        public PartReport read(Input in) {
            final RangeState state = RangeState.CODEC.read(in);
            return new PartReport(state, in.getLong(), in.getLong(), in.getLong(), getAll(in));
        }

        @Override
        public long fingerprint() {
            return FINGERPRINT;
        }
    };

    /**
     * Writes arrays to the end of an output.
     *
     * @param out the output
     * @param all the arrays
     */
    public static void putAll(Output out, List<byte[]> all) {
        for (byte[] each : all) {
            out.putInt(each.length);
            out.putBytes(each, 0, each.length);
        }
    }

    /**
     * Reads the arrays up to the end of an input.
     *
     * @param in the input
     * @return the arrays
     * @throws MalformedException if the input does not end behind an array
     */
    public static List<byte[]> getAll(Input in) {
        final List<byte[]> all = new ArrayList<>();
        while (in.left() > 0) {
            final int length = in.getInt();
            if (length < 0 || length > in.left()) {
                throw new MalformedException(in.offset(), "an array of " + length + " bytes", null);
            }
            final int at = in.take(length);
            all.add(Arrays.copyOfRange(in.array(), at, at + length));
        }
        return all;
    }
}
