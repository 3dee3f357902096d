package io.teff.graph.formats;

import io.teff.engine.ChunkStore;
import io.teff.graph.formats.ReadOptions.ThirdColumn;
import io.teff.graph.names.EdgeLabels;
import io.teff.graph.names.GraphInput;
import io.teff.graph.names.VertexNames;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * Chooses the reader of a file by the end of its name:
 * <table>
 * <caption>Formats</caption>
 * <tr><th>End<th>Format
 * <tr><td>{@code .mtx}<td>{@link MatrixMarket}
 * <tr><td>{@code .metis}, {@code .graph}<td>{@link MetisGraph}
 * <tr><td>{@code .graphml}, {@code .xml}<td>{@link GraphMlEdges}
 * <tr><td>{@code .gt}<td>{@link GraphToolEdges}
 * <tr><td>{@code .csv}, {@code .tsv}<td>{@link CsvEdges}
 * <tr><td>{@code .v}, {@code .e}<td>{@link GraphalyticsEdges}
 * <tr><td>{@code .bin}, {@code .edges.bin}<td>{@link BinaryEdges} with a header
 * <tr><td>anything else<td>{@link TextEdges}
 * </table>
 * A further end {@code .gz} is ignored; compressed content is found by its first bytes.
 */
public final class GraphFiles {
    /** The formats, as names for options. */
    public enum Format {
        /** A text edge list. */
        EDGES,
        /** A binary edge list with a header. */
        BINARY,
        /** A table with headings. */
        CSV,
        /** Matrix Market. */
        MTX,
        /** METIS. */
        METIS,
        /** GraphML. */
        GRAPHML,
        /** The binary format of graph-tool. */
        GT,
        /** LDBC Graphalytics. */
        GRAPHALYTICS
    }

    private record End(Format format, List<String> ends) {}

    private static final List<End> ENDS = List.of(
        new End(Format.MTX, List.of(".mtx")),
        new End(Format.METIS, List.of(".metis", ".graph")),
        new End(Format.GRAPHML, List.of(".graphml", ".xml")),
        new End(Format.GT, List.of(".gt")),
        new End(Format.CSV, List.of(".csv", ".tsv")),
        new End(Format.GRAPHALYTICS, List.of(".v", ".e")),
        new End(Format.BINARY, List.of(".bin")));

    private GraphFiles() {}

    /**
     * {@return the format that the name of a file tells; {@link Format#EDGES} for an unknown end}
     *
     * @param path only the name is read, without regard to case
     */
    public static Format formatOf(Path path) {
        String name = path.toString().toLowerCase(Locale.ROOT);
        String plain = name.endsWith(".gz") ? name.substring(0, name.length() - ".gz".length()) : name;
        for (End end : ENDS) {
            if (end.ends().stream().anyMatch(plain::endsWith)) {
                return end.format();
            }
        }
        return Format.EDGES;
    }

    /**
     * Opens a file.
     *
     * @param path a plain file, or a file compressed by gzip
     * @param format of the content, whatever the name of the file
     * @param options what the file itself does not tell
     * @param store gets names and labels, if the file has any
     * @param graph begins the names of their maps, which are empty before
     * @return the edges, with names and labels if the file has any
     * @throws IOException if the file cannot be read, or is malformed; the message has the file and what is wrong
     */
    public static GraphInput open(Path path, Format format, ReadOptions options, ChunkStore store, String graph)
        throws IOException {
        return switch (format) {
            case MTX -> numbered(MatrixMarket.open(path, options));
            case METIS -> numbered(MetisGraph.open(path, options));
            case BINARY -> numbered(BinaryEdges.open(path));
            case GT -> GraphToolEdges.open(path, options, new VertexNames(store, graph));
            case GRAPHML -> GraphMlEdges.open(path, new VertexNames(store, graph), new EdgeLabels(store, graph));
            case CSV -> CsvEdges.open(path, options, new VertexNames(store, graph), new EdgeLabels(store, graph));
            case GRAPHALYTICS -> {
                VertexNames names = new VertexNames(store, graph);
                yield new GraphInput(GraphalyticsEdges.open(path, options, names), names, null);
            }
            case EDGES -> openText(path, options, store, graph);
        };
    }

    private static GraphInput numbered(io.teff.graph.edges.EdgeSource edges) {
        return new GraphInput(edges, null, null);
    }

    private static GraphInput openText(Path path, ReadOptions options, ChunkStore store, String graph)
        throws IOException {
        if (options.third() == ThirdColumn.LABEL) {
            VertexNames names = new VertexNames(store, graph);
            EdgeLabels labels = new EdgeLabels(store, graph);
            return new GraphInput(TextEdges.labelled(path, options, names, labels), names, labels);
        }
        if (options.named()) {
            VertexNames names = new VertexNames(store, graph);
            return new GraphInput(TextEdges.named(path, options, names), names, null);
        }
        return numbered(TextEdges.numbered(path, options));
    }
}
