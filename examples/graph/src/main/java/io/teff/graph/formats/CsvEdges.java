package io.teff.graph.formats;

import io.teff.graph.edges.EdgeSink;
import io.teff.graph.edges.EdgeSource;
import io.teff.graph.names.EdgeLabels;
import io.teff.graph.names.GraphInput;
import io.teff.graph.names.LabelledEdges;
import io.teff.graph.names.VertexNames;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A table of edges with headings. Headings name the columns: {@code source}, {@code from}, {@code src} or {@code tail};
 * {@code target}, {@code to}, {@code dst}, {@code destination} or {@code head}; perhaps {@code weight}, {@code value}
 * or {@code cost}; perhaps {@code label}, {@code type}, {@code kind} or {@code relation}. Upper and lower case mean
 * the same. Other columns are ignored. A table with labels has no weights.
 *
 * <p>Vertices are names, which are numbered when the file is opened. The separator is the first of comma, semicolon and
 * tab in the line of headings.
 */
public final class CsvEdges implements EdgeSource {
    private static final List<String> SOURCES = List.of("source", "from", "src", "tail");
    private static final List<String> TARGETS = List.of("target", "to", "dst", "destination", "head");
    private static final List<String> WEIGHTS = List.of("weight", "value", "cost");
    private static final List<String> LABELS = List.of("label", "type", "kind", "relation");
    private static final String SEPARATORS = ",;\t";

    private final InputFile file;
    private final Columns columns;
    private final boolean directed;
    private final VertexNames names;
    private final long[] parts;
    private final long edgeCount;

    /** Places of the columns; -1 for none. */
    private record Columns(char separator, int source, int target, int weight, int label, long end) {
        int count() {
            return Math.max(Math.max(source, target), Math.max(weight, label)) + 1;
        }
    }

    private CsvEdges(InputFile file, ReadOptions options, VertexNames names, Columns columns) throws IOException {
        this.file = file;
        this.columns = columns;
        this.directed = options.directed();
        this.names = names;
        long count = 0;
        boolean isSpanning;
        try (CsvScanner scanner = new CsvScanner(file, columns.end(), Long.MAX_VALUE, columns.separator())) {
            List<String> fields = new ArrayList<>();
            while (scanner.next(fields)) {
                checkFields(scanner, fields, columns);
                names.add(fields.get(columns.source()));
                names.add(fields.get(columns.target()));
                count++;
            }
            isSpanning = scanner.isSpanning();
        }
        edgeCount = count;
        parts = isSpanning ? new long[] {columns.end(), Long.MAX_VALUE}
            : file.lineParts(columns.end(), options.partBytes());
    }

    /**
     * Opens a table; a table with a column of labels is read at once.
     *
     * @param path a plain file, or a file compressed by gzip
     * @param options direction of the edges, and bytes of a part; the other options are not used
     * @param names empty before
     * @param labels empty before
     * @return the edges with names; with labels, if the table has a column of labels
     * @throws IOException if the file cannot be read, or is malformed; the message has the file and what is wrong
     */
    public static GraphInput open(Path path, ReadOptions options, VertexNames names, EdgeLabels labels)
        throws IOException {
        InputFile file = InputFile.of(path);
        Columns columns = headings(file);
        return columns.label() < 0 ? new GraphInput(new CsvEdges(file, options, names, columns), names, null)
            : new GraphInput(labelled(file, options, names, labels, columns), names, labels);
    }

    private static Columns headings(InputFile file) throws IOException {
        char separator = ',';
        try (TextScanner scanner = new TextScanner(file, 0, Long.MAX_VALUE, "")) {
            while (!scanner.isLineEnd()) {
                if (SEPARATORS.indexOf(scanner.peek()) >= 0) {
                    separator = (char) scanner.peek();
                    break;
                }
                scanner.skip();
            }
        }
        try (CsvScanner scanner = new CsvScanner(file, 0, Long.MAX_VALUE, separator)) {
            List<String> fields = new ArrayList<>();
            boolean isThere = scanner.next(fields);
            List<String> headings = fields.stream()
                .map(it -> it.replace("\uFEFF", "").strip().toLowerCase(Locale.ROOT)).toList();
            Columns columns = new Columns(separator, place(headings, SOURCES), place(headings, TARGETS),
                place(headings, WEIGHTS), place(headings, LABELS), scanner.offset());
            if (!isThere || columns.source() < 0 || columns.target() < 0) {
                throw GraphFileException.atLine(file.path(), 1, "a column " + String.join("/", SOURCES)
                    + " and a column " + String.join("/", TARGETS), isThere ? "the headings " + excerpt(headings)
                    : "the end of the file");
            }
            return columns;
        }
    }

    private static String excerpt(List<String> headings) {
        String all = String.join(", ", headings);
        return all.length() > 80 ? all.substring(0, 80) + "..." : all;
    }

    private static int place(List<String> headings, List<String> names) {
        for (String name : names) {
            if (headings.contains(name)) {
                return headings.indexOf(name);
            }
        }
        return -1;
    }

    private static LabelledEdges labelled(InputFile file, ReadOptions options, VertexNames names, EdgeLabels labels,
                                          Columns columns) throws IOException {
        LabelledEdges.Builder builder = new LabelledEdges.Builder(options.directed());
        try (CsvScanner scanner = new CsvScanner(file, columns.end(), Long.MAX_VALUE, columns.separator())) {
            List<String> fields = new ArrayList<>();
            while (scanner.next(fields)) {
                checkFields(scanner, fields, columns);
                String label = fields.get(columns.label());
                if (!labels.hasRoomFor(label)) {
                    throw scanner.failure("at most " + EdgeLabels.COUNT_MAX + " labels", label);
                }
                builder.add(names.add(fields.get(columns.source())), labels.add(label),
                    names.add(fields.get(columns.target())));
            }
        }
        return builder.build(names.count());
    }

    private static void checkFields(CsvScanner scanner, List<String> fields, Columns columns) throws IOException {
        if (fields.size() < columns.count()) {
            throw scanner.failure("at least " + columns.count() + " fields", fields.size() + " fields");
        }
        if (fields.get(columns.source()).isEmpty() || fields.get(columns.target()).isEmpty()) {
            throw scanner.failure("the names of two vertices", "an empty field");
        }
    }

    @Override
    public long vertexCount() {
        return names.count();
    }

    @Override
    public long edgeCount() {
        return edgeCount;
    }

    @Override
    public boolean directed() {
        return directed;
    }

    @Override
    public boolean weighted() {
        return columns.weight() >= 0;
    }

    @Override
    public int parts() {
        return parts.length - 1;
    }

    @Override
    public void read(int part, EdgeSink sink) throws IOException {
        try (CsvScanner scanner = new CsvScanner(file, parts[part], parts[part + 1], columns.separator())) {
            List<String> fields = new ArrayList<>();
            while (scanner.next(fields)) {
                checkFields(scanner, fields, columns);
                int source = names.find(fields.get(columns.source()));
                int target = names.find(fields.get(columns.target()));
                if (source < 0 || target < 0) {
                    throw scanner.failure("names that the file had when it was opened", "others");
                }
                sink.edge(source, target, weighted() ? weight(scanner, fields.get(columns.weight())) : 1);
            }
        }
    }

    private static double weight(CsvScanner scanner, String text) throws IOException {
        try {
            double weight = Double.parseDouble(text);
            if (Double.isFinite(weight)) {
                return weight;
            }
        } catch (NumberFormatException e) {
            throw scanner.failure("a weight", "\"" + text + "\"");
        }
        throw scanner.failure("a weight", "\"" + text + "\"");
    }
}
