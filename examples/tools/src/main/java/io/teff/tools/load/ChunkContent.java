package io.teff.tools.load;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * The expected content of a chunk: a function of the chunk's number, its version and the seed of the run. Any thread
 * can therefore verify a chunk byte by byte at any time, without a copy of the written bytes.
 * <pre>
 *  0               8          9              16
 * +---------------+----------+--------------+---------------------------------
 * | number        | version  | seal         | pattern, to the end
 * +---------------+----------+--------------+---------------------------------
 * </pre>
 * The load assigns the number, not the store, so a CID that leads to another chunk's memory is detected, like a flipped
 * bit. The seal mixes number, version and seed, and determines the length of the chunk and the pattern. A chunk that
 * mixes two versions therefore has a wrong pattern or length.
 *
 * <p><b>Resized chunks.</b> The seal determines a second length, {@link #resizedLength}. A chunk that was resized to it
 * has the beginning of the pattern, and zeros where it became longer; both are verified byte by byte.
 *
 * <p>Immutable; pure functions on the caller's buffers.
 */
public final class ChunkContent {
    /** Minimum length of a chunk in bytes: number, version and seal. */
    public static final int BYTES_MIN = 16;
    /** Versions count from 0 to this value and wrap around. */
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

    /**
     * Creates the content of a run, with uniformly distributed lengths.
     *
     * @param seed seed of the run
     * @param sizeMin length of the shortest chunk in bytes, at least {@link #BYTES_MIN}
     * @param sizeMax length of the longest chunk in bytes
     */
    public ChunkContent(long seed, int sizeMin, int sizeMax) {
        this.seed = mix(seed + GOLDEN);
        this.sizeMin = sizeMin;
        this.sizeCount = sizeMax - sizeMin + 1L;
    }

    /** {@return the length of the longest chunk in bytes} */
    public int sizeMax() {
        return (int) (sizeMin + sizeCount - 1);
    }

    /** Returns the length in bytes of a chunk of that number and version. */
    public int length(long number, int version) {
        return length(seal(number, version));
    }

    /** Returns the length in bytes to which a chunk of that number and version can be resized. */
    public int resizedLength(long number, int version) {
        return resizedLength(seal(number, version));
    }

    /** Writes the content of a chunk to the beginning of a buffer; returns the length in bytes. */
    public int fill(long number, int version, byte[] target) {
        return fill(number, version, target, 0);
    }

    /** Writes the content of a chunk to a buffer from index {@code from}; returns the length in bytes. */
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

    /** Reads the number in a chunk, which is meaningful only if the chunk then {@link #matches}. */
    public static long number(byte[] source, int offset) {
        return (long) LONG.get(source, offset + NUMBER_OFFSET);
    }

    /** Reads the version in a chunk, which is meaningful only if the chunk then {@link #matches}. */
    public static int version(byte[] source, int offset) {
        return source[offset + SEAL_OFFSET] & VERSION_MASK;
    }

    /** Returns whether the chunk in {@code source} from index {@code from} has the expected length and bytes. */
    public boolean matches(long number, int version, byte[] source, int from, int length) {
        final long seal = seal(number, version);
        return length == length(seal) && matches(number, seal, source, from, length);
    }

    /** Works as {@link #matches}, for a chunk that was resized to its {@link #resizedLength}. */
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

    /** Describes the first difference of a chunk that does not match. */
    public String difference(long number, int version, byte[] source, int from, int length) {
        byte[] right = new byte[length(number, version)];
        fill(number, version, right);
        return difference(right, source, from, length);
    }

    /** Works as {@link #difference}, for a chunk that was resized to its {@link #resizedLength}. */
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

    /** Returns a length that is statistically independent of the first one, because the seal is mixed once more. */
    private int resizedLength(long seal) {
        return sizeMin + (int) ((mix(seal) >>> SPREAD_BITS) * sizeCount >>> SPREAD_BITS);
    }

    /** Returns the version in the lowest byte, and above it bits that depend on number, version and seed. */
    private long seal(long number, int version) {
        return mix(mix(number ^ seed) + version * GOLDEN) & ~(long) VERSION_MASK | version;
    }

    private static long pattern(long seal, int offset) {
        return mix(seal + offset * GOLDEN);
    }

    /** The finalizer of splitmix64: every bit of the result depends on every bit of the value. */
    private static long mix(long value) {
        long mixed = (value ^ value >>> 30) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94D049BB133111EBL;
        return mixed ^ mixed >>> 31;
    }
}
