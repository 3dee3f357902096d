package io.teff.graph.store;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The bytes of a run of neighbours, little-endian.
 *
 * <pre>
 *  PLAIN    | target 0 (4) | target 1 (4) | ...  | weight 0 (8) | weight 1 (8) | ...
 *
 *  PACKED   | length (1 to 5) | weight 0 (8) | ... | target 0 (1 to 5) | distance 1 (1 to 5) | ...
 * </pre>
 *
 * <p>Only weighted graphs have weights. A vertex without neighbours has an empty chunk. A number of 1 to 5 bytes has 7
 * bits in each byte, lowest first; the top bit tells that another byte follows. A distance is the difference to the
 * target before; runs are sorted, so no distance is negative.
 */
final class RunBytes {
    static final int TARGET_BYTES = Integer.BYTES;
    static final int WEIGHT_BYTES = Double.BYTES;
    /** Most bytes of a number. */
    static final int VAR_BYTES_MAX = 5;
    static final int VAR_BITS = 7;
    static final int VAR_MORE = 1 << VAR_BITS;

    private static final VarHandle INT =
        MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG =
        MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle DOUBLE =
        MethodHandles.byteArrayViewVarHandle(double[].class, ByteOrder.LITTLE_ENDIAN);

    private RunBytes() {}

    static int getInt(byte[] bytes, int at) {
        return (int) INT.get(bytes, at);
    }

    static void putInt(byte[] bytes, int at, int value) {
        INT.set(bytes, at, value);
    }

    static long getLong(byte[] bytes, int at) {
        return (long) LONG.get(bytes, at);
    }

    static double getDouble(byte[] bytes, int at) {
        return (double) DOUBLE.get(bytes, at);
    }

    static void putDouble(byte[] bytes, int at, double value) {
        DOUBLE.set(bytes, at, value);
    }

    /** Writes a number of 1 to 5 bytes; returns the place behind it. */
    static int putVar(byte[] bytes, int at, int value) {
        int place = at;
        int rest = value;
        while ((rest & -VAR_MORE) != 0) {
            bytes[place++] = (byte) (rest | VAR_MORE);
            rest >>>= VAR_BITS;
        }
        bytes[place++] = (byte) rest;
        return place;
    }

    /**
     * Reads distances, and adds each to the target before. Pairs of distances come from one read of 8 bytes, see {@link
     * PairWord}; the last distances of the array, and pairs of more than 8 bytes, are read byte by byte.
     *
     * @param before target in front of the first distance
     * @return the place behind the last distance
     */
    static int unpack(byte[] bytes, int at, int before, int[] targets, int from, int count) {
        final int lastPlace = bytes.length - Long.BYTES;
        final int lastPair = from + count - 2;
        int place = at;
        int sum = before;
        int i = from;
        while (i <= lastPair && place <= lastPlace) {
            final long word = getLong(bytes, place);
            final long first = PairWord.ends(word);
            final long second = PairWord.behind(first);
            if (second == 0) {
                break;
            }
            final long both = PairWord.digits(word, second);
            final int bits = PairWord.digitBits(first);
            sum += PairWord.low(both, bits);
            targets[i] = sum;
            sum += PairWord.high(both, bits);
            targets[i + 1] = sum;
            place += PairWord.bytes(second);
            i += 2;
        }
        for (; i < from + count; i++) {
            int part = bytes[place++];
            int value = part & VAR_MORE - 1;
            for (int shift = VAR_BITS; part < 0; shift += VAR_BITS) {
                part = bytes[place++];
                value |= (part & VAR_MORE - 1) << shift;
            }
            sum += value;
            targets[i] = sum;
        }
        return place;
    }

    /** Most bytes of a run. */
    static long bytesMax(RunForm form, int length, boolean isWeighted) {
        long weights = isWeighted ? (long) length * WEIGHT_BYTES : 0;
        return weights + (form == RunForm.PLAIN ? (long) length * TARGET_BYTES : (length + 1L) * VAR_BYTES_MAX);
    }

    /**
     * Writes a run.
     *
     * @return the place behind the run
     */
    static int write(RunForm form, int[] targets, double[] weights, boolean isWeighted, int from, int length,
                     byte[] bytes, int at) {
        if (length == 0) {
            return at;
        }
        int place = at;
        if (form == RunForm.PLAIN) {
            for (int i = 0; i < length; i++, place += TARGET_BYTES) {
                putInt(bytes, place, targets[from + i]);
            }
            return putWeights(weights, isWeighted, from, length, bytes, place);
        }
        place = putVar(bytes, place, length);
        place = putWeights(weights, isWeighted, from, length, bytes, place);
        int before = 0;
        for (int i = 0; i < length; i++) {
            int target = targets[from + i];
            place = putVar(bytes, place, target - before);
            before = target;
        }
        return place;
    }

    private static int putWeights(double[] weights, boolean isWeighted, int from, int length, byte[] bytes, int at) {
        int place = at;
        for (int i = 0; isWeighted && i < length; i++, place += WEIGHT_BYTES) {
            putDouble(bytes, place, weights[from + i]);
        }
        return place;
    }
}
