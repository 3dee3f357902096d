package io.teff.tools.heap;

import io.teff.engine.report.HeapPlan;
import io.teff.tools.console.ByteSizeConverter;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Converts planned chunks from their text: {@code 10Mx16-128}, {@code 1000x64k}. Units of counts are powers of 1,000,
 * units of sizes powers of 1,024.
 */
final class LoadForm implements ITypeConverter<HeapPlan.Load> {
    private static final Pattern FORM = Pattern.compile("(\\d{1,13})([kmgt]?)x([0-9a-z]+)(?:-([0-9a-z]+))?");
    private static final String UNITS = "kmgt";
    private static final long THOUSAND = 1000;

    @Override
    public HeapPlan.Load convert(String text) {
        Matcher matcher = FORM.matcher(text.toLowerCase(Locale.ROOT));
        if (!matcher.matches()) {
            throw new TypeConversionException("'" + text + "' is not a load; examples: 10Mx32, 10Mx16-128");
        }
        ByteSizeConverter size = new ByteSizeConverter();
        long bytesMin = size.convert(matcher.group(3));
        long bytesMax = matcher.group(4) == null ? bytesMin : size.convert(matcher.group(4));
        try {
            return new HeapPlan.Load(count(matcher.group(1), matcher.group(2)), bytesMin, bytesMax);
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new TypeConversionException("'" + text + "' cannot be stored: " + e.getMessage());
        }
    }

    private static long count(String digits, String unit) {
        long count = Long.parseLong(digits);
        for (int i = 0; !unit.isEmpty() && i <= UNITS.indexOf(unit); i++) {
            count = Math.multiplyExact(count, THOUSAND);
        }
        return count;
    }
}
