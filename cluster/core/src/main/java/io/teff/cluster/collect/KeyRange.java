package io.teff.cluster.collect;

import io.teff.engine.codec.Codec;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.MalformedException;
import io.teff.engine.codec.Output;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A range of the keys of a sorted map, with the direction in which it is read.
 * <pre>
 *  flags 1 | length of the low bound 4 | low bound | length of the high bound 4 | high bound
 * </pre>
 *
 * @param low bytes of the lowest key, or null for no bound
 * @param isLowIn whether the lowest key belongs to the range
 * @param high bytes of the highest key, or null for no bound
 * @param isHighIn whether the highest key belongs to the range
 * @param isUpwards whether the range begins at its low end
 */
public record KeyRange(byte @Nullable [] low, boolean isLowIn, byte @Nullable [] high, boolean isHighIn,
                       boolean isUpwards) {
    private static final int HAS_LOW = 1;
    private static final int LOW_IN = 2;
    private static final int HAS_HIGH = 4;
    private static final int HIGH_IN = 8;
    private static final int UPWARDS = 16;
    private static final int FLAGS_MAX = 31;

    /** Its codec. */
    public static final Codec<KeyRange> CODEC = new Codec<>() {
        private static final long FINGERPRINT = 0x4B45_5952_0000_0001L;

        @Override
        public void write(KeyRange range, Output out) {
            out.putByte((byte) ((range.low == null ? 0 : HAS_LOW) | (range.isLowIn ? LOW_IN : 0)
                | (range.high == null ? 0 : HAS_HIGH) | (range.isHighIn ? HIGH_IN : 0)
                | (range.isUpwards ? UPWARDS : 0)));
            put(out, range.low);
            put(out, range.high);
        }

        private static void put(Output out, byte @Nullable [] key) {
            out.putInt(key == null ? 0 : key.length);
            if (key != null) {
                out.putBytes(key, 0, key.length);
            }
        }

        @Override
        public KeyRange read(Input in) {
            final int flags = in.getByte();
            if (flags < 0 || flags > FLAGS_MAX) {
                throw new MalformedException(in.offset(), "a range with flags " + flags, null);
            }
            final byte[] low = key(in);
            final byte[] high = key(in);
            return new KeyRange((flags & HAS_LOW) == 0 ? null : low, (flags & LOW_IN) != 0,
                (flags & HAS_HIGH) == 0 ? null : high, (flags & HIGH_IN) != 0, (flags & UPWARDS) != 0);
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
}
