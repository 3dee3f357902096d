package io.teff.cluster.terminal.shell.value;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Rows with columns of equal width. Columns are divided by two spaces; numbers are at the right. */
public final class TextTable {
    private final List<List<String>> rows = new ArrayList<>();

    /**
     * Begins a table.
     *
     * @param head names of the columns
     */
    public TextTable(String... head) {
        rows.add(List.of(head));
    }

    /**
     * Adds a row.
     *
     * @param cells as many as the table has columns
     * @return this
     */
    public TextTable row(Object... cells) {
        rows.add(Arrays.stream(cells).map(String::valueOf).toList());
        return this;
    }

    /** {@return the number of rows without the head} */
    public int rows() {
        return rows.size() - 1;
    }

    @Override
    public String toString() {
        int columns = rows.getFirst().size();
        StringBuilder text = new StringBuilder();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < columns; i++) {
                String padding = " ".repeat(width(i) - row.get(i).length());
                line.append(isNumbers(i) ? padding + row.get(i) : row.get(i) + padding).append("  ");
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }

    private int width(int column) {
        return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
    }

    private boolean isNumbers(int column) {
        return rows.size() > 1 && rows.stream().skip(1).allMatch(row -> row.get(column).matches("-|[0-9,]+"));
    }
}
