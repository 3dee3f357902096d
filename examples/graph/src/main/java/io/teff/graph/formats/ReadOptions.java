package io.teff.graph.formats;

/**
 * How a file is read, where the file itself does not tell.
 *
 * @param directed whether an edge and its reverse are different
 * @param named whether vertices are words, which get numbers in the order of their first use; otherwise numbers
 * @param separators bytes between the words of a line of a text
 * @param first number of the first vertex of the file, 0 or 1
 * @param third meaning of the third column of an edge list; if ignored, a {@code .gt} file has no weights, too
 * @param partBytes bytes of a part of a plain text, at least 1
 */
public record ReadOptions(boolean directed, boolean named, String separators, int first, ThirdColumn third,
                          long partBytes) {
    /** Blank, tab, comma and semicolon. */
    public static final String ALL_SEPARATORS = " \t,;";

    /** Meaning of the third column of an edge list. */
    public enum ThirdColumn {
        /** A weight, if the first edge has a number there; otherwise ignored. */
        AUTO,
        /** Ignored, as are all further columns. */
        IGNORED,
        /** A weight, which each edge must have. */
        WEIGHT,
        /** A label, which each edge must have. */
        LABEL
    }

    /** Checks the values. */
    public ReadOptions {
        if (first < 0 || first > 1) {
            throw new IllegalArgumentException("first=" + first + " is neither 0 nor 1");
        }
        if (partBytes < 1) {
            throw new IllegalArgumentException("partBytes=" + partBytes + " is below 1");
        }
        if (separators.isEmpty() || !separators.chars().allMatch(it -> it < 128 && it != '\n' && it != '\r')) {
            throw new IllegalArgumentException("separators are one or more ASCII characters within a line");
        }
    }

    /**
     * {@return options of undirected edges between numbers from 0 on, with {@link #ALL_SEPARATORS} and the third column
     * {@link ThirdColumn#AUTO}}
     */
    public static ReadOptions defaults() {
        return new ReadOptions(false, false, ALL_SEPARATORS, 0, ThirdColumn.AUTO, InputFile.PART_BYTES);
    }

    /**
     * {@return these options with or without directed edges}
     *
     * @param value whether an edge and its reverse are different
     */
    public ReadOptions withDirected(boolean value) {
        return new ReadOptions(value, named, separators, first, third, partBytes);
    }

    /**
     * {@return these options with names or numbers as vertices}
     *
     * @param value true for names, false for numbers
     */
    public ReadOptions withNamed(boolean value) {
        return new ReadOptions(directed, value, separators, first, third, partBytes);
    }

    /**
     * {@return these options with other separators}
     *
     * @param value one or more ASCII characters, but no line end
     * @throws IllegalArgumentException if there is no character, or another character
     */
    public ReadOptions withSeparators(String value) {
        return new ReadOptions(directed, named, value, first, third, partBytes);
    }

    /**
     * {@return these options with another first number}
     *
     * @param value number of the first vertex of the file, 0 or 1
     * @throws IllegalArgumentException if the number is neither 0 nor 1
     */
    public ReadOptions withFirst(int value) {
        return new ReadOptions(directed, named, separators, value, third, partBytes);
    }

    /**
     * {@return these options with another meaning of the third column}
     *
     * @param value the meaning in an edge list; if ignored, a {@code .gt} file has no weights, too
     */
    public ReadOptions withThird(ThirdColumn value) {
        return new ReadOptions(directed, named, separators, first, value, partBytes);
    }

    /**
     * {@return these options with parts of another size}
     *
     * @param value bytes of a part of a plain text, at least 1
     * @throws IllegalArgumentException if the size is below 1
     */
    public ReadOptions withPartBytes(long value) {
        return new ReadOptions(directed, named, separators, first, third, value);
    }
}
