package io.teff.tools.console;

import java.util.Locale;

/** Formats numbers for people: grouped digits, a unit, few decimal places. Independent of the locale. */
public final class Figures {
    private static final String UNITS = "kMGTP";
    private static final double THOUSAND = 1000;
    /** A value within this distance of 1,000 is written as 1.0 of the next unit. */
    private static final double THOUSAND_ROUNDING = 0.5;
    private static final double TEN_ROUNDED = 9.95;
    private static final double HUNDRED = 100;
    private static final double MICRO_NS = 1e3;
    private static final double MILLI_NS = 1e6;
    private static final double SECOND_NS = 1e9;
    private static final double KIBIBYTE = 1 << 10;
    private static final double MEBIBYTE = 1 << 20;
    private static final double GIBIBYTE = 1 << 30;

    private Figures() {}

    /** Formats a count as {@code 10,000,000}. */
    public static String count(long value) {
        return text("%,d", value);
    }

    /** Formats a count for a narrow column: {@code 812}, {@code 2.4k}, {@code 31M}; units are powers of 1,000. */
    public static String compact(long value) {
        String unit = "";
        double rest = value;
        for (int i = 0; i < UNITS.length() && rest >= THOUSAND - THOUSAND_ROUNDING; i++) {
            rest /= THOUSAND;
            unit = UNITS.substring(i, i + 1);
        }
        return unit.isEmpty() || rest >= TEN_ROUNDED ? text("%.0f%s", rest, unit) : text("%.1f%s", rest, unit);
    }

    /** Formats a share from 0 to 1 as {@code 47.1 %}. */
    public static String percent(double share) {
        return text("%.1f %%", share * HUNDRED);
    }

    /** Formats a number with one decimal place: {@code 3.3}. */
    public static String one(double value) {
        return text("%,.1f", value);
    }

    /** Formats bytes: {@code 812 B}, {@code 812.4 KiB}, {@code 812.4 MiB}, {@code 3.27 GiB}. */
    public static String bytes(double bytes) {
        if (bytes < MEBIBYTE) {
            return bytes < KIBIBYTE ? text("%.0f B", bytes) : text("%.1f KiB", bytes / KIBIBYTE);
        }
        return bytes < GIBIBYTE ? text("%.1f MiB", bytes / MEBIBYTE) : text("%.2f GiB", bytes / GIBIBYTE);
    }

    /** Formats nanoseconds: {@code 85 ns}, {@code 1.23 us}, {@code 12.3 ms}, {@code 4.56 s}. */
    public static String duration(double ns) {
        if (ns < MICRO_NS) {
            return text("%.0f ns", ns);
        }
        if (ns < MILLI_NS) {
            return text("%.2f us", ns / MICRO_NS);
        }
        return ns < SECOND_NS ? text("%.1f ms", ns / MILLI_NS) : text("%.2f s", ns / SECOND_NS);
    }

    /** Formats as {@link String#format} does, in the root locale: grouping commas and a decimal point. */
    public static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
