package io.teff.engine.compute;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * How the results of the workers become one result. The result of a worker is a row of numbers, each a little-endian
 * {@code long} or {@code double}, and the numbers of one place in all rows are combined. A missing number is neutral.
 * The order of the workers does not count; sums of {@code double} may differ in their last bits.
 */
public enum Reduction {
    /** No reduction: the result of the step has the result of each worker. */
    GATHER,
    /** Sums of {@code long}, with overflow. */
    SUM,
    /** Smallest {@code long}. */
    MIN,
    /** Largest {@code long}. */
    MAX,
    /** Bitwise or. */
    OR,
    /** Sums of {@code double}, as bits of a {@code long}. */
    SUM_DOUBLE;

    /**
     * Combines two numbers.
     *
     * @param left a number
     * @param right another number
     * @return the combined number
     * @throws IllegalStateException if this is no reduction
     */
    public long combine(long left, long right) {
        return switch (this) {
            case SUM -> left + right;
            case MIN -> Math.min(left, right);
            case MAX -> Math.max(left, right);
            case OR -> left | right;
            case SUM_DOUBLE -> Double.doubleToRawLongBits(Double.longBitsToDouble(left)
                + Double.longBitsToDouble(right));
            case GATHER -> throw new IllegalStateException("GATHER combines nothing");
        };
    }

    /**
     * Combines two rows of numbers.
     *
     * @param left a row
     * @param right another row, perhaps of another length
     * @return a row as long as the longer row
     */
    public long[] combine(long[] left, long[] right) {
        final long[] longer = left.length >= right.length ? left : right;
        final long[] sum = longer.clone();
        for (int i = 0; i < Math.min(left.length, right.length); i++) {
            sum[i] = combine(left[i], right[i]);
        }
        return sum;
    }

    /**
     * {@return bytes of numbers, as a task returns them}
     *
     * @param numbers any numbers
     */
    public static byte[] bytes(long... numbers) {
        final ByteBuffer bytes = ByteBuffer.allocate(numbers.length * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (long number : numbers) {
            bytes.putLong(number);
        }
        return bytes.array();
    }

    /**
     * {@return the numbers of bytes}
     *
     * @param bytes result of a task
     * @throws IllegalArgumentException if the bytes are no row of numbers
     */
    public static long[] numbers(byte[] bytes) {
        if (bytes.length % Long.BYTES != 0) {
            throw new IllegalArgumentException("a result of " + bytes.length + " bytes is no row of numbers");
        }
        final long[] numbers = new long[bytes.length / Long.BYTES];
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer().get(numbers);
        return numbers;
    }
}
