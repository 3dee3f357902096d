package io.teff.test.bench.report;

import io.teff.test.bench.store.Contender;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;

/**
 * Tables with one line per contender and one column per figure. For one thread.
 *
 * @param <K> the contenders
 */
public final class TextTable<K extends Contender> {
    /** The text of a missing figure. */
    public static final String NONE = "-";

    private final StringBuilder text = new StringBuilder();
    private final int titleWidth;
    private final int width;

    /**
     * No text yet.
     *
     * @param titleWidth characters of the first column
     * @param width characters of each other column
     */
    public TextTable(int titleWidth, int width) {
        this.titleWidth = titleWidth;
        this.width = width;
    }

    /**
     * Adds text as it is.
     *
     * @param line the text
     */
    public void add(String line) {
        text.append(line);
    }

    /**
     * Begins a table.
     *
     * @param title a line above it
     * @param names of its columns
     */
    public void head(String title, List<String> names) {
        text.append(title).append('\n').append(" ".repeat(titleWidth));
        names.forEach(this::cell);
        text.append('\n');
    }

    private void cell(String content) {
        text.append(String.format("%" + width + "s", content));
    }

    /**
     * Ends a table with its lines.
     *
     * @param kinds a line for each that has any figure
     * @param names the figures
     * @param figure the text of a figure, or {@link #NONE}
     */
    public void rows(Collection<K> kinds, List<String> names, BiFunction<K, String, String> figure) {
        for (K kind : kinds) {
            List<String> cells = names.stream().map(name -> figure.apply(kind, name)).toList();
            if (cells.stream().anyMatch(cell -> !cell.equals(NONE))) {
                text.append(String.format("%-" + titleWidth + "s", kind.title()));
                cells.forEach(this::cell);
                text.append('\n');
            }
        }
        text.append('\n');
    }

    /**
     * Formats a number with three digits or more; infinite counts as missing.
     *
     * @param value the number
     * @return its text, or {@link #NONE} if it is missing
     */
    public static String figure(double value) {
        return !Double.isFinite(value) ? NONE : String.format(Locale.ROOT, value >= 100 ? "%.0f" : value >= 10 ? "%.1f"
            : "%.2f", value);
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
