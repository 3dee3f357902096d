package io.teff.tools.load;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * What a chunk of a load must contain: a function of the chunk's number, its version and the seed of the run, so that a
 * chunk can be checked byte by byte by anybody at any time, without a copy of what was written.
 * <pre>
 *  0               8          9              16
 * +---------------+----------+--------------+---------------------------------
 * | number        | version  | seal         | pattern, to the end
 * +---------------+----------+--------------+---------------------------------
 * </pre>
 * The number is counted by the load and not issued by the store, so a CID that leads to another chunk's memory is
 * found as surely as a flipped bit is. The seal mixes number, version and seed; the length of the chunk and the
 * pattern follow from it. A chunk that is put together from two versions therefore has a wrong pattern or length.
 *
 * <p><b>Resized chunks.</b> The seal names a second length too, {@link #resizedLength}. A chunk that was resized to it
 * has the front of the pattern, and zeros where it became longer; that is checked as exactly as the original.
 *
 * <p>Immutable; pure functions on the caller's buffers.
 */
public final class ChunkContent {
    /** Shortest chunk that number, version and seal fit into, in bytes. */
    public static final int BYTES_MIN = 16;
    /** Versions count from 0 to this and begin again. */
    public static final int VERSION_MASK = 0xFF;

    private static final int NUMBER_OFFSET = 0;
    private static final int SEAL_OFFSET = NUMBER_OFFSET + Long.BYTES;
    private static final int PATTERN_OFFSET = SEAL_OFFSET + Long.BYTES;
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;
    private static final int SPREAD_BITS = 32;
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    static {
        assert PATTERN_OFFSET == BYTES_MIN;
    }

    private final long seed;
    private final int sizeMin;
    private final long sizeCount;

    /** Content for sizes from one to another, both included, evenly spread; at least {@link #BYTES_MIN}. */
    public ChunkContent(long seed, int sizeMin, int sizeMax) {
        this.seed = mix(seed + GOLDEN);
        this.sizeMin = sizeMin;
        this.sizeCount = sizeMax - sizeMin + 1L;
    }

    /** {@return bytes of the longest chunk} */
    public int sizeMax() {
        return (int) (sizeMin + sizeCount - 1);
    }

    /** Bytes of a chunk of that number and version. */
    public int length(long number, int version) {
        return length(seal(number, version));
    }

    /** Bytes that a chunk of that number and version may be resized to. */
    public int resizedLength(long number, int version) {
        return resizedLength(seal(number, version));
    }

    /** Writes a whole chunk to the front of a buffer; returns its length. */
    public int fill(long number, int version, byte[] target) {
        return fill(number, version, target, 0);
    }

    /** Writes a whole chunk to a buffer, from an index on; returns its length. */
    public int fill(long number, int version, byte[] target, int from) {
        final long seal = seal(number, version);
        final int length = length(seal);
        LONG.set(target, from + NUMBER_OFFSET, number);
        LONG.set(target, from + SEAL_OFFSET, seal);
        int offset = PATTERN_OFFSET;
        for (; offset <= length - Long.BYTES; offset += Long.BYTES) {
            LONG.set(target, from + offset, pattern(seal, offset));
        }
        for (long rest = pattern(seal, offset); offset < length; offset++, rest >>>= Byte.SIZE) {
            target[from + offset] = (byte) rest;
        }
        return length;
    }

    /** The number that a chunk says it has; only meaningful if the chunk then {@link #matches}. */
    public static long number(byte[] source, int offset) {
        return (long) LONG.get(source, offset + NUMBER_OFFSET);
    }

    /** The version that a chunk says it is; only meaningful if the chunk then {@link #matches}. */
    public static int version(byte[] source, int offset) {
        return source[offset + SEAL_OFFSET] & VERSION_MASK;
    }

    /** True if a chunk that was read to some offset of a buffer has the right length and bytes. */
    public boolean matches(long number, int version, byte[] source, int from, int length) {
        final long seal = seal(number, version);
        return length == length(seal) && matches(number, seal, source, from, length);
    }

    /** The same for a chunk that was resized to its {@link #resizedLength}. */
    public boolean matchesResized(long number, int version, byte[] source, int from, int length) {
        final long seal = seal(number, version);
        final int kept = Math.min(length, length(seal));
        if (length != resizedLength(seal) || !matches(number, seal, source, from, kept)) {
            return false;
        }
        for (int offset = kept; offset < length; offset++) {
            if (source[from + offset] != 0) {
                return false;
            }
        }
        return true;
    }

    private static boolean matches(long number, long seal, byte[] source, int from, int length) {
        if (number(source, from) != number || (long) LONG.get(source, from + SEAL_OFFSET) != seal) {
            return false;
        }
        int offset = PATTERN_OFFSET;
        for (; offset <= length - Long.BYTES; offset += Long.BYTES) {
            if ((long) LONG.get(source, from + offset) != pattern(seal, offset)) {
                return false;
            }
        }
        for (long rest = pattern(seal, offset); offset < length; offset++, rest >>>= Byte.SIZE) {
            if (source[from + offset] != (byte) rest) {
                return false;
            }
        }
        return true;
    }

    /** Says where a chunk that does not match differs. */
    public String difference(long number, int version, byte[] source, int from, int length) {
        byte[] right = new byte[length(number, version)];
        fill(number, version, right);
        return difference(right, source, from, length);
    }

    /** The same for a chunk that was resized. */
    public String differenceResized(long number, int version, byte[] source, int from, int length) {
        byte[] right = new byte[length(number, version)];
        fill(number, version, right);
        return difference(Arrays.copyOf(right, resizedLength(number, version)), source, from, length);
    }

    private static String difference(byte[] right, byte[] source, int from, int length) {
        for (int i = 0; i < Math.min(length, right.length); i++) {
            if (source[from + i] != right[i]) {
                HexFormat hex = HexFormat.of();
                return "byte " + i + " of " + length + " is 0x" + hex.toHexDigits(source[from + i])
                    + " instead of 0x" + hex.toHexDigits(right[i]);
            }
        }
        return "it has " + length + " bytes instead of " + right.length;
    }

    private int length(long seal) {
        return sizeMin + (int) ((seal >>> SPREAD_BITS) * sizeCount >>> SPREAD_BITS);
    }

    /** Independent of the length, because the seal is mixed once more. */
    private int resizedLength(long seal) {
        return sizeMin + (int) ((mix(seal) >>> SPREAD_BITS) * sizeCount >>> SPREAD_BITS);
    }

    /** The version in the lowest byte, and above it bits that depend on all three. */
    private long seal(long number, int version) {
        return mix(mix(number ^ seed) + version * GOLDEN) & ~(long) VERSION_MASK | version;
    }

    private static long pattern(long seal, int offset) {
        return mix(seal + offset * GOLDEN);
    }

    /** Every bit of the result depends on every bit of the value (the finalizer of splitmix64). */
    private static long mix(long value) {
        long mixed = (value ^ value >>> 30) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94D049BB133111EBL;
        return mixed ^ mixed >>> 31;
    }
}
