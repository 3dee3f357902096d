package io.teff.engine.os;

/** Amounts in units that people read. */
public final class Units {
    private static final String[] BYTES = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    private static final String[] TIMES = {"ns", "us", "ms", "s"};
    private static final int BYTE_STEP_BITS = 10;
    private static final int TIME_STEP = 1000;
    private static final int TENTHS = 10;

    private Units() {}

    /**
     * Returns a number of bytes in the largest unit that gives at least 1, with a digit behind the point unless the
     * digit is 0.
     *
     * @param bytes at least 0
     * @return for example 512 B, 1.5 GiB
     */
    public static String bytes(long bytes) {
        int unit = 0;
        long whole = bytes;
        while (whole >> BYTE_STEP_BITS > 0 && unit < BYTES.length - 1) {
            whole >>= BYTE_STEP_BITS;
            unit++;
        }
        final long below = bytes - (whole << BYTE_STEP_BITS * unit);
        return text(whole, unit == 0 ? 0 : (below >> BYTE_STEP_BITS * (unit - 1)) * TENTHS >> BYTE_STEP_BITS,
            BYTES[unit]);
    }

    /**
     * Returns a time likewise, in seconds at most.
     *
     * @param ns nanoseconds, at least 0
     * @return for example 100 ms, 2.5 s; "without a limit" for {@link Long#MAX_VALUE}
     */
    public static String time(long ns) {
        if (ns == Long.MAX_VALUE) {
            return "without a limit";
        }
        int unit = 0;
        long size = 1;
        while (ns / size >= TIME_STEP && unit < TIMES.length - 1) {
            size *= TIME_STEP;
            unit++;
        }
        return text(ns / size, size == 1 ? 0 : ns % size / (size / TENTHS), TIMES[unit]);
    }

    private static String text(long whole, long tenths, String unit) {
        return whole + (tenths == 0 ? "" : "." + tenths) + ' ' + unit;
    }
}
