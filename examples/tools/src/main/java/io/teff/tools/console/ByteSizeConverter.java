package io.teff.tools.console;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Converts a size in bytes from its text: {@code 4g}, {@code 64KiB}, {@code 1048576}. Units are powers of 1,024; upper
 * and lower case mean the same.
 */
public final class ByteSizeConverter implements ITypeConverter<Long> {
    private static final Pattern FORM = Pattern.compile("(\\d{1,18})([kmgt]?)(i?b)?");
    private static final String UNITS = "kmgt";
    private static final int UNIT_BITS = 10;

    @Override
    public Long convert(String text) {
        Matcher matcher = FORM.matcher(text.toLowerCase(Locale.ROOT));
        if (!matcher.matches()) {
            throw new TypeConversionException("'" + text + "' is not a size in bytes; examples: 100, 512m, 4g");
        }
        int shift = matcher.group(2).isEmpty() ? 0 : (UNITS.indexOf(matcher.group(2)) + 1) * UNIT_BITS;
        long number = Long.parseLong(matcher.group(1));
        if (number > Long.MAX_VALUE >> shift) {
            throw new TypeConversionException("'" + text + "' is too large");
        }
        return number << shift;
    }
}
