package io.teff.examples.demo;

import java.util.Locale;

/** Numbers for people: grouped, with a unit, and no more digits than they are worth. The same in every locale. */
final class Figures {
    private static final double MICRO_NS = 1e3;
    private static final double MILLI_NS = 1e6;
    private static final double SECOND_NS = 1e9;
    private static final double MEBIBYTE = 1 << 20;
    private static final double GIBIBYTE = 1 << 30;

    private Figures() {}

    /** {@code 10,000,000}. */
    static String count(long value) {
        return text("%,d", value);
    }

    /** {@code 3.27}. */
    static String two(double value) {
        return text("%,.2f", value);
    }

    /** {@code 3.3}. */
    static String one(double value) {
        return text("%,.1f", value);
    }

    /** {@code 812.4 MiB}. */
    static String bytes(double bytes) {
        return bytes < GIBIBYTE ? text("%.1f MiB", bytes / MEBIBYTE) : text("%.2f GiB", bytes / GIBIBYTE);
    }

    /** {@code 85 ns}, {@code 1.23 us}, {@code 12.3 ms}, {@code 4.56 s}. */
    static String duration(double ns) {
        if (ns < MICRO_NS) {
            return text("%.0f ns", ns);
        }
        if (ns < MILLI_NS) {
            return text("%.2f us", ns / MICRO_NS);
        }
        return ns < SECOND_NS ? text("%.1f ms", ns / MILLI_NS) : text("%.2f s", ns / SECOND_NS);
    }

    /** A format of {@link String#format} with grouping commas and decimal points, wherever the machine stands. */
    static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
