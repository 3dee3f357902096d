package io.teff.cluster.config;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sizes in bytes as texts: {@code 4g}, {@code 64MiB}, {@code 1048576}. Units are powers of 1,024. */
public final class ByteSize {
    private static final Pattern FORM = Pattern.compile("(\\d{1,18})([kmgt]?)(i?b)?");
    private static final String UNITS = "kmgt";
    private static final int UNIT_BITS = 10;

    private ByteSize() {}

    /**
     * Reads a size.
     *
     * @param text the text; upper and lower case mean the same
     * @return bytes; -1 if the text is no size
     */
    public static long parse(String text) {
        Matcher matcher = FORM.matcher(text.toLowerCase(Locale.ROOT));
        if (!matcher.matches()) {
            return -1;
        }
        int shift = matcher.group(2).isEmpty() ? 0 : (UNITS.indexOf(matcher.group(2)) + 1) * UNIT_BITS;
        long number = Long.parseLong(matcher.group(1));
        return number > Long.MAX_VALUE >> shift ? -1 : number << shift;
    }
}
