package io.teff.graph.formats;

import io.teff.graph.edges.EdgeSink;
import io.teff.graph.edges.EdgeSource;
import io.teff.graph.names.VertexNames;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;

/**
 * A data set of LDBC Graphalytics: a file {@code .v} with the id of a vertex in each line, and a file {@code .e} with
 * source, target and perhaps the weight of an edge in each line. Ids are sparse numbers. They are the names of the
 * vertices, whose numbers follow the order of the file {@code .v}.
 *
 * <p>If there is a file {@code .properties} with the same beginning, its line {@code graph.NAME.directed} tells whether
 * the graph is directed.
 */
public final class GraphalyticsEdges implements EdgeSource {
    private static final String SEPARATORS = " \t,|";

    private final InputFile edges;
    private final VertexNames names;
    private final boolean directed;
    private final boolean weighted;
    private final long[] parts;

    private GraphalyticsEdges(Path path, ReadOptions options, VertexNames names) throws IOException {
        this.names = names;
        Path vertices = sibling(path, ".v");
        edges = InputFile.of(sibling(path, ".e"));
        try (TextScanner scanner = new TextScanner(InputFile.of(vertices), 0, Long.MAX_VALUE, SEPARATORS)) {
            while (scanner.nextLine(TextEdges.COMMENTS)) {
                long begin = scanner.offset();
                String id = String.valueOf(scanner.number("the id of a vertex"));
                int before = names.count();
                if (names.add(id) != before) {
                    throw scanner.failureAt(begin, "another id in each line", id);
                }
                scanner.skipLine();
            }
        }
        directed = directed(path, options.directed());
        try (TextScanner scanner = new TextScanner(edges, 0, Long.MAX_VALUE, SEPARATORS)) {
            boolean hasWeight = false;
            if (scanner.nextLine(TextEdges.COMMENTS)) {
                scanner.number("the id of a vertex");
                scanner.number("the id of a vertex");
                hasWeight = !scanner.isLineEnd();
            }
            weighted = hasWeight;
        }
        parts = edges.lineParts(0, options.partBytes());
    }

    private static Path sibling(Path path, String suffix) {
        String name = String.valueOf(path.getFileName());
        int dot = name.lastIndexOf('.');
        return path.resolveSibling((dot < 0 ? name : name.substring(0, dot)) + suffix);
    }

    private static boolean directed(Path path, boolean otherwise) throws IOException {
        Path file = sibling(path, ".properties");
        if (!Files.isRegularFile(file)) {
            return otherwise;
        }
        Properties properties = new Properties();
        try (InputStream in = Files.newInputStream(file)) {
            properties.load(new java.io.InputStreamReader(in, StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) {
            throw GraphFileException.of(file, "a file of properties", String.valueOf(e.getMessage()));
        }
        for (String key : properties.stringPropertyNames()) {
            if (key.startsWith("graph.") && key.endsWith(".directed")) {
                String value = properties.getProperty(key).strip();
                if (!value.equals("true") && !value.equals("false")) {
                    throw GraphFileException.of(file, key + " = true or false", value);
                }
                return Boolean.parseBoolean(value);
            }
        }
        return otherwise;
    }

    /**
     * Opens a data set by one of its files, and numbers the vertices.
     *
     * @param path the file {@code .v}, {@code .e} or {@code .properties}; the other files lie beside it
     * @param options direction of the edges if no property tells the direction, and bytes of a part; the other options
     *     are not used
     * @param names empty before
     * @return the edges, whose vertices have numbers in the order of the file {@code .v}
     * @throws IOException if the file cannot be read, or is malformed; the message has the file and what is wrong
     */
    public static GraphalyticsEdges open(Path path, ReadOptions options, VertexNames names) throws IOException {
        return new GraphalyticsEdges(path, options, names);
    }

    @Override
    public long vertexCount() {
        return names.count();
    }

    @Override
    public long edgeCount() {
        return -1;
    }

    @Override
    public boolean directed() {
        return directed;
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
        try (TextScanner scanner = new TextScanner(edges, parts[part], parts[part + 1], SEPARATORS)) {
            while (scanner.nextLine(TextEdges.COMMENTS)) {
                int source = vertex(scanner);
                int target = vertex(scanner);
                sink.edge(source, target, weighted ? scanner.real("the weight of an edge") : 1);
                scanner.endLine();
            }
        }
    }

    private int vertex(TextScanner scanner) throws IOException {
        long begin = scanner.offset();
        String id = String.valueOf(scanner.number("the id of a vertex"));
        int vertex = names.find(id);
        if (vertex < 0) {
            throw scanner.failureAt(begin, "an id of the file .v", id);
        }
        return vertex;
    }
}
