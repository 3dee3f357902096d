package io.teff.graph.formats;

import io.teff.graph.edges.EdgeSink;
import io.teff.graph.edges.EdgeSource;
import io.teff.graph.formats.ReadOptions.ThirdColumn;
import io.teff.graph.names.EdgeLabels;
import io.teff.graph.names.LabelledEdges;
import io.teff.graph.names.VertexNames;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * An edge list: a text with an edge per line, source and target first, then perhaps a weight or a label. Lines that
 * begin with {@code #} or {@code %} and blank lines are ignored, and so are further columns.
 *
 * <p>A plain text is read in parts, a compressed one as a whole. Names are numbered when the file is opened, so a text
 * with names is read twice.
 */
public final class TextEdges implements EdgeSource {
    /** Bytes that begin a comment. */
    static final String COMMENTS = "#%";

    private static final String VERTEX = "the number of a vertex, 0 to " + (VertexNames.COUNT_MAX - 1);

    private final InputFile file;
    private final ReadOptions options;
    private final boolean weighted;
    private final @Nullable VertexNames names;
    private final long[] parts;

    private TextEdges(InputFile file, ReadOptions options, @Nullable VertexNames names) throws IOException {
        this.file = file;
        this.options = options;
        this.names = names;
        this.weighted = options.third() == ThirdColumn.WEIGHT
            || options.third() == ThirdColumn.AUTO && hasNumberInThirdColumn(file, options);
        this.parts = file.lineParts(0, options.partBytes());
    }

    /**
     * Opens a list of edges between numbers; options for names and labels are ignored.
     *
     * @param path a plain file, or a file compressed by gzip
     * @param options direction of the edges, separators, first number, third column, and bytes of a part
     * @return the list, whose edges are not read yet; only the edges tell the number of vertices
     * @throws IOException if the file cannot be read, or is malformed; the message has the file and what is wrong
     */
    public static TextEdges numbered(Path path, ReadOptions options) throws IOException {
        return new TextEdges(InputFile.of(path), options, null);
    }

    /**
     * Opens a list of edges between names, and numbers the names.
     *
     * @param path a plain file, or a file compressed by gzip
     * @param options direction of the edges, separators, third column, and bytes of a part
     * @param names empty before
     * @return the list, whose vertices have numbers in the order of the first use of their names
     * @throws IOException if the file cannot be read, or is malformed; the message has the file and what is wrong
     */
    public static TextEdges named(Path path, ReadOptions options, VertexNames names) throws IOException {
        TextEdges edges = new TextEdges(InputFile.of(path), options, names);
        try (TextScanner scanner = new TextScanner(edges.file, 0, Long.MAX_VALUE, options.separators())) {
            while (scanner.nextLine(COMMENTS)) {
                edges.name(scanner, names);
                edges.name(scanner, names);
                scanner.skipLine();
            }
        }
        return edges;
    }

    private void name(TextScanner scanner, VertexNames target) throws IOException {
        String name = scanner.word("the name of a vertex");
        target.add(name);
    }

    /**
     * Reads a list of edges between names with a label in the third column.
     *
     * @param path a plain file, or a file compressed by gzip
     * @param options direction of the edges, and separators; the other options are not used
     * @param names empty before
     * @param labels empty before
     * @return all edges, with sets of labels as weights
     * @throws IOException if the file cannot be read, is malformed, or has more than {@link EdgeLabels#COUNT_MAX}
     *     labels; the message has the file and what is wrong
     */
    public static LabelledEdges labelled(Path path, ReadOptions options, VertexNames names, EdgeLabels labels)
        throws IOException {
        InputFile file = InputFile.of(path);
        LabelledEdges.Builder builder = new LabelledEdges.Builder(options.directed());
        try (TextScanner scanner = new TextScanner(file, 0, Long.MAX_VALUE, options.separators())) {
            while (scanner.nextLine(COMMENTS)) {
                int source = names.add(scanner.word("the name of a vertex"));
                int target = names.add(scanner.word("the name of a vertex"));
                String label = scanner.word("the label of an edge");
                if (!labels.hasRoomFor(label)) {
                    throw scanner.failure("at most " + EdgeLabels.COUNT_MAX + " labels, the next is " + label);
                }
                builder.add(source, labels.add(label), target);
                scanner.skipLine();
            }
        }
        return builder.build(names.count());
    }

    private static boolean hasNumberInThirdColumn(InputFile file, ReadOptions options) throws IOException {
        try (TextScanner scanner = new TextScanner(file, 0, Long.MAX_VALUE, options.separators())) {
            if (!scanner.nextLine(COMMENTS)) {
                return false;
            }
            for (int column = 0; column < 2; column++) {
                if (scanner.isLineEnd()) {
                    return false;                               // the read of the edges reports it
                }
                String _ = scanner.word("a column");
            }
            if (scanner.isLineEnd()) {
                return false;
            }
            return isNumber(scanner.word("a weight"));
        }
    }

    private static boolean isNumber(String text) {
        try {
            return Double.isFinite(Double.parseDouble(text));
        } catch (NumberFormatException e) {
            return false;
        }
    }

    @Override
    public long vertexCount() {
        return names == null ? -1 : names.count();
    }

    @Override
    public long edgeCount() {
        return -1;
    }

    @Override
    public boolean directed() {
        return options.directed();
    }

    @Override
    public boolean weighted() {
        return weighted;
    }

    @Override
    public int parts() {
        return parts.length - 1;
    }

    @Override
    public void read(int part, EdgeSink sink) throws IOException {
        try (TextScanner scanner = new TextScanner(file, parts[part], parts[part + 1], options.separators())) {
            while (scanner.nextLine(COMMENTS)) {
                long source = names == null ? vertex(scanner, options.first()) : known(scanner, names);
                long target = names == null ? vertex(scanner, options.first()) : known(scanner, names);
                sink.edge(source, target, weighted ? scanner.real("a weight") : 1);
                scanner.skipLine();
            }
        }
    }

    private static int known(TextScanner scanner, VertexNames names) throws IOException {
        int vertex = names.find(scanner.word("the name of a vertex"));
        if (vertex < 0) {
            throw scanner.failure("a name that the file had when it was opened, before this place");
        }
        return vertex;
    }

    /** Reads the number of a vertex, and returns the number as from 0. */
    static long vertex(TextScanner scanner, int first) throws IOException {
        long begin = scanner.offset();
        long number = scanner.number(VERTEX);
        if (number < first || number - first >= VertexNames.COUNT_MAX) {
            throw scanner.failureAt(begin, first == 0 ? VERTEX : "the number of a vertex, 1 to "
                + VertexNames.COUNT_MAX, String.valueOf(number));
        }
        return number - first;
    }
}
