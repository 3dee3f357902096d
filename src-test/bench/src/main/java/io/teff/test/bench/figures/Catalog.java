package io.teff.test.bench.figures;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The rows of the table, read from docs/figures/catalog.tsv: seven columns with a tab between them, one row a line;
 * empty lines and lines that begin with {@code #} do not count.
 */
final class Catalog {
    private static final int COLUMNS = 7;

    private Catalog() {}

    /**
     * Reads a catalog.
     *
     * @param path the file
     * @return its rows, in their order
     * @throws IllegalArgumentException naming the line if a row has another number of columns
     */
    static List<Figure> read(Path path) throws IOException {
        List<String> lines = Files.readAllLines(path);
        List<Figure> figures = new ArrayList<>();
        for (int index = 0; index < lines.size(); index++) {
            String line = lines.get(index);
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            String[] columns = line.split("\t", -1);
            if (columns.length != COLUMNS) {
                throw new IllegalArgumentException("catalog line " + (index + 1) + ": " + columns.length
                    + " columns, not " + COLUMNS);
            }
            figures.add(new Figure(columns[0], columns[1], columns[2], columns[3], columns[4], columns[5], columns[6],
                index + 1));
        }
        return figures;
    }
}
