package io.teff.graph.algorithms.program;

/** A number that all vertices of a superstep make together, for all vertices of the next superstep. */
public enum Aggregate {
    /** Sum of longs; 0 of none. */
    SUM_LONG(0),
    /** Least long; {@link Long#MAX_VALUE} of none. */
    MIN_LONG(Long.MAX_VALUE),
    /** Greatest long; {@link Long#MIN_VALUE} of none. */
    MAX_LONG(Long.MIN_VALUE),
    /** Sum of doubles; 0 of none. */
    SUM_DOUBLE(Double.doubleToRawLongBits(0)),
    /** Least double; infinite of none. */
    MIN_DOUBLE(Double.doubleToRawLongBits(Double.POSITIVE_INFINITY)),
    /** Greatest double; negative infinite of none. */
    MAX_DOUBLE(Double.doubleToRawLongBits(Double.NEGATIVE_INFINITY));

    private final long none;

    Aggregate(long none) {
        this.none = none;
    }

    /** The bits of the aggregate of no number. */
    long none() {
        return none;
    }

    boolean isDouble() {
        return ordinal() >= SUM_DOUBLE.ordinal();
    }

    /** The bits of the aggregate of two aggregates. */
    long merge(long left, long right) {
        return switch (this) {
            case SUM_LONG -> left + right;
            case MIN_LONG -> Math.min(left, right);
            case MAX_LONG -> Math.max(left, right);
            case SUM_DOUBLE -> bits(number(left) + number(right));
            case MIN_DOUBLE -> bits(Math.min(number(left), number(right)));
            case MAX_DOUBLE -> bits(Math.max(number(left), number(right)));
        };
    }

    private static long bits(double number) {
        return Double.doubleToRawLongBits(number);
    }

    private static double number(long bits) {
        return Double.longBitsToDouble(bits);
    }
}
