package io.teff.graph.formats;

import io.teff.graph.edges.EdgeSink;
import io.teff.graph.edges.EdgeSource;
import io.teff.graph.names.VertexNames;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * A square sparse matrix of the NIST collection as a graph: an entry in row r and column c is the edge from r to c.
 *
 * <p>A {@code symmetric}, {@code skew-symmetric} or {@code hermitian} matrix is an undirected graph, a {@code general}
 * matrix a directed graph. Values of kind {@code real} and {@code integer} are weights. Of {@code complex} values the
 * real part is the weight.
 */
public final class MatrixMarket implements EdgeSource {
    private static final String SEPARATORS = " \t";
    private static final List<String> KINDS = List.of("pattern", "real", "integer", "complex");
    private static final List<String> SYMMETRIES = List.of("general", "symmetric", "skew-symmetric", "hermitian");

    private final InputFile file;
    private final boolean pattern;
    private final boolean directed;
    private final long vertexCount;
    private final long entryCount;
    private final long[] parts;
    private final PartCounts counts;

    private MatrixMarket(InputFile file, long partBytes) throws IOException {
        this.file = file;
        try (TextScanner scanner = new TextScanner(file, 0, Long.MAX_VALUE, SEPARATORS)) {
            String banner = word(scanner, List.of("%%matrixmarket"), "%%MatrixMarket");
            assert !banner.isEmpty();
            word(scanner, List.of("matrix"), "matrix");
            word(scanner, List.of("coordinate"), "coordinate: dense matrices are no graphs");
            pattern = word(scanner, KINDS, String.join(", ", KINDS)).equals("pattern");
            directed = word(scanner, SYMMETRIES, String.join(", ", SYMMETRIES)).equals("general");
            scanner.endLine();
            if (!scanner.nextLine("%")) {
                throw scanner.failure("rows, columns and entries");
            }
            long rows = scanner.number("the number of rows");
            long begin = scanner.offset();
            long columns = scanner.number("the number of columns");
            if (rows != columns) {
                throw scanner.failureAt(begin, "as many columns as the " + rows + " rows", String.valueOf(columns));
            }
            if (rows > VertexNames.COUNT_MAX) {
                throw scanner.failureAt(begin, "at most " + VertexNames.COUNT_MAX + " columns", String.valueOf(rows));
            }
            vertexCount = rows;
            entryCount = scanner.number("the number of entries");
            scanner.endLine();
            parts = file.lineParts(scanner.offset(), partBytes);
            counts = new PartCounts(parts.length - 1);
        }
    }

    private static String word(TextScanner scanner, List<String> allowed, String expected) throws IOException {
        long begin = scanner.offset();
        String word = scanner.word(expected).toLowerCase(Locale.ROOT);
        if (!allowed.contains(word)) {
            throw scanner.failureAt(begin, expected, "\"" + word + "\"");
        }
        return word;
    }

    /**
     * Opens a matrix, and reads its header.
     *
     * @param path a plain file, or a file compressed by gzip
     * @param options bytes of a part; the other options are not used
     * @return the matrix, whose entries are not read yet
     * @throws IOException if the file cannot be read, or the header is malformed; the message has the file and what
     *     is wrong
     */
    public static MatrixMarket open(Path path, ReadOptions options) throws IOException {
        return new MatrixMarket(InputFile.of(path), options.partBytes());
    }

    @Override
    public long vertexCount() {
        return vertexCount;
    }

    @Override
    public long edgeCount() {
        return entryCount;
    }

    @Override
    public boolean directed() {
        return directed;
    }

    @Override
    public boolean weighted() {
        return !pattern;
    }

    @Override
    public int parts() {
        return parts.length - 1;
    }

    @Override
    public void read(int part, EdgeSink sink) throws IOException {
        long count = 0;
        try (TextScanner scanner = new TextScanner(file, parts[part], parts[part + 1], SEPARATORS)) {
            while (scanner.nextLine("%")) {
                long row = index(scanner, "a row, 1 to ");
                long column = index(scanner, "a column, 1 to ");
                double weight = pattern ? 1 : scanner.real("a value");
                count++;
                if (count > entryCount) {
                    throw scanner.failure("the end of the file after " + entryCount + " entries");
                }
                sink.edge(row, column, weight);
                scanner.skipLine();
            }
        }
        if (counts.note(part, count) && counts.sum() != entryCount) {
            throw GraphFileException.of(file.path(), entryCount + " entries, as the header claims", String.valueOf(
                counts.sum()));
        }
    }

    private long index(TextScanner scanner, String expected) throws IOException {
        long begin = scanner.offset();
        long number = scanner.number(expected + vertexCount);
        if (number < 1 || number > vertexCount) {
            throw scanner.failureAt(begin, expected + vertexCount, String.valueOf(number));
        }
        return number - 1;
    }
}
