package io.teff.test.bench.report;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * A number of Teff and its target.
 *
 * @param name its name
 * @param value the number
 * @param least the minimum required, or NaN if there is none
 */
public record Bar(String name, double value, double least) {
    private static final int NAME_WIDTH = 44;

    /** {@return whether there is a target} */
    public boolean isAsked() {
        return !Double.isNaN(least);
    }

    /** {@return whether the target is met} */
    public boolean isMet() {
        return !isAsked() || value >= least;
    }

    /** {@return a line of text} */
    public String text() {
        String asked = isAsked() ? String.format(Locale.ROOT, "   at least %.1f: %s", least, isMet() ? "met" : "MISSED")
            : "";
        return String.format(Locale.ROOT, "%-" + NAME_WIDTH + "s%10s%s%n", name, TextTable.figure(value), asked);
    }

    /** {@return names and values for a JSON document} */
    public Map<String, Object> fields() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("name", name);
        fields.put("value", value);
        if (isAsked()) {
            fields.put("atLeast", least);
            fields.put("met", isMet());
        }
        return fields;
    }
}
