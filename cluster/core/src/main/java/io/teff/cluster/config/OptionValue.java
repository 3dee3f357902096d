package io.teff.cluster.config;

import java.nio.file.Path;
import java.util.List;

/**
 * A value of an option, as it was written.
 *
 * @param values the texts: one, or those of a list
 * @param place where it was written, for people: file and line, or the option of the command line
 * @param base the folder to which paths are relative
 */
public record OptionValue(List<String> values, String place, Path base) {
    /** Copies the list. */
    public OptionValue {
        values = List.copyOf(values);
    }

    /**
     * A value of a program.
     *
     * @param values the texts
     * @return the value
     */
    public static OptionValue of(String... values) {
        return new OptionValue(List.of(values), "", Path.of(""));
    }

    /** {@return the texts, for people} */
    public String text() {
        return values.size() == 1 ? values.getFirst() : values.toString();
    }
}
