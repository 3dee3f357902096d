package io.teff.cluster.admin;

import io.teff.cluster.config.Address;
import io.teff.cluster.config.ByteSize;
import java.nio.file.Path;
import java.util.List;

/**
 * A value of an option, as written.
 *
 * @param values the texts: a single text, or the texts of a list
 * @param place of the value in its source, for people: file and line, or the option of the command line
 * @param base the folder for relative paths
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

    /**
     * {@return the size in bytes named by the value, such as 67,108,864 for {@code 64m}; -1 if the value is no size}
     * Units are powers of 1,024.
     */
    public long bytes() {
        return values.size() == 1 ? ByteSize.parse(values.getFirst()) : -1;
    }

    /** {@return whether the value is an address, such as {@code 127.0.0.1:7400} or {@code ucx:host:7400}} */
    public boolean isAddress() {
        return values.size() == 1 && Address.parse(values.getFirst()) != null;
    }

    /** {@return the texts, for people} */
    public String text() {
        return values.size() == 1 ? values.getFirst() : values.toString();
    }
}
