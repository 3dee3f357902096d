package io.teff.graph.formats;

import io.teff.graph.edges.EdgeSink;
import io.teff.graph.edges.EdgeSource;
import io.teff.graph.names.EdgeLabels;
import io.teff.graph.names.VertexNames;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;
import org.jspecify.annotations.Nullable;

/**
 * Writes edges to files that the readers of this package read: edge lists, Matrix Market, GraphML. A name that ends
 * with {@code .gz} is compressed.
 */
public final class EdgeWriters {
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int BUFFER_BYTES = 1 << 16;

    private EdgeWriters() {}

    /** Takes an edge, and may fail. */
    private interface Step {
        void edge(long source, long target, double weight) throws IOException, XMLStreamException;
    }

    private static OutputStream open(Path path) throws IOException {
        OutputStream plain = new BufferedOutputStream(Files.newOutputStream(path), BUFFER_BYTES);
        if (!path.toString().endsWith(".gz")) {
            return plain;
        }
        try {
            return new GZIPOutputStream(plain, BUFFER_BYTES);
        } catch (IOException | RuntimeException e) {
            plain.close();
            throw e;
        }
    }

    private static void forEach(EdgeSource edges, Step step) throws IOException {
        EdgeSink sink = (source, target, weight) -> {
            try {
                step.edge(source, target, weight);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (XMLStreamException e) {
                throw new UncheckedIOException(new IOException(e));
            }
        };
        try {
            for (int part = 0; part < edges.parts(); part++) {
                edges.read(part, sink);
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /** The largest vertex plus 1, or the number that the source knows. */
    private static long vertexCount(EdgeSource edges) throws IOException {
        long[] count = {edges.vertexCount()};
        if (count[0] < 0) {
            forEach(edges, (source, target, _) -> count[0] = Math.max(count[0], Math.max(source, target) + 1));
        }
        return Math.max(0, count[0]);
    }

    private static long edgeCount(EdgeSource edges) throws IOException {
        long[] count = {edges.edgeCount()};
        if (count[0] < 0) {
            count[0] = 0;
            forEach(edges, (_, _, _) -> count[0]++);
        }
        return count[0];
    }

    /**
     * Writes a text with an edge per line, separated by tabs.
     *
     * @param edges read once
     * @param names names to write instead of numbers, or null
     * @param path made, or written anew
     * @throws IOException if the file cannot be written, the edges cannot be read, or a name is empty or has a tab, a
     *     line end or a first byte of comments
     */
    public static void writeText(EdgeSource edges, @Nullable VertexNames names, Path path) throws IOException {
        try (Writer out = new OutputStreamWriter(open(path), StandardCharsets.UTF_8)) {
            StringBuilder line = new StringBuilder();
            forEach(edges, (source, target, weight) -> {
                line.setLength(0);
                append(line, source, names).append('\t');
                append(line, target, names);
                if (edges.weighted()) {
                    line.append('\t').append(weight);
                }
                out.append(line.append('\n'));
            });
        }
    }

    private static StringBuilder append(StringBuilder line, long vertex, @Nullable VertexNames names)
        throws IOException {
        if (names == null) {
            return line.append(vertex);
        }
        String name = names.name((int) vertex);
        boolean isPlain = !name.isEmpty() && name.chars().noneMatch(it -> it == '\t' || it == '\n' || it == '\r');
        if (!isPlain || TextEdges.COMMENTS.indexOf(name.charAt(0)) >= 0) {
            throw new IOException("the name \"" + name + "\" cannot be a column of a text");
        }
        return line.append(name);
    }

    /**
     * Writes a binary list with a header ({@link BinaryEdgesLayout}): 4 bytes for a vertex, 8 bytes for a weight.
     *
     * @param edges read once, and once more for each of the numbers of vertices and edges, if unknown
     * @param path made, or written anew
     * @throws IOException if the file cannot be written, or the edges cannot be read
     */
    public static void writeBinary(EdgeSource edges, Path path) throws IOException {
        int flags = (edges.directed() ? BinaryEdgesLayout.DIRECTED : 0)
            | (edges.weighted() ? BinaryEdgesLayout.WEIGHTED : 0);
        byte[] bytes = new byte[BinaryEdgesLayout.HEADER_BYTES];
        LONG.set(bytes, 0, BinaryEdgesLayout.MAGIC);
        INT.set(bytes, BinaryEdgesLayout.VERSION_OFFSET, BinaryEdgesLayout.VERSION);
        INT.set(bytes, BinaryEdgesLayout.FLAGS_OFFSET, flags);
        LONG.set(bytes, BinaryEdgesLayout.VERTICES_OFFSET, vertexCount(edges));
        LONG.set(bytes, BinaryEdgesLayout.EDGES_OFFSET, edgeCount(edges));
        try (OutputStream out = open(path)) {
            out.write(bytes);
            int length = BinaryEdgesLayout.edgeBytes(flags);
            forEach(edges, (source, target, weight) -> {
                INT.set(bytes, 0, (int) source);
                INT.set(bytes, Integer.BYTES, (int) target);
                if (edges.weighted()) {
                    LONG.set(bytes, 2 * Integer.BYTES, Double.doubleToRawLongBits(weight));
                }
                out.write(bytes, 0, length);
            });
        }
    }

    /**
     * Writes a matrix in coordinates. An undirected edge is written below the diagonal, as the format demands.
     *
     * @param edges read once, and once more for each of the numbers of vertices and edges, if unknown
     * @param path made, or written anew
     * @throws IOException if the file cannot be written, or the edges cannot be read
     */
    public static void writeMatrixMarket(EdgeSource edges, Path path) throws IOException {
        long vertices = vertexCount(edges);
        try (Writer out = new OutputStreamWriter(open(path), StandardCharsets.US_ASCII)) {
            out.append("%%MatrixMarket matrix coordinate ").append(edges.weighted() ? "real " : "pattern ")
                .append(edges.directed() ? "general\n" : "symmetric\n");
            out.append(vertices + " " + vertices + " " + edgeCount(edges) + "\n");
            StringBuilder line = new StringBuilder();
            forEach(edges, (source, target, weight) -> {
                boolean isSwapped = !edges.directed() && source < target;
                line.setLength(0);
                line.append((isSwapped ? target : source) + 1).append(' ').append((isSwapped ? source : target) + 1);
                if (edges.weighted()) {
                    line.append(' ').append(weight);
                }
                out.append(line.append('\n'));
            });
        }
    }

    /**
     * Writes GraphML.
     *
     * @param edges read once, and once more for the number of vertices, if unknown
     * @param names ids of the nodes, or null for their numbers
     * @param labels the meaning of the weights, or null if weights are weights; an edge with several labels is written
     *     once for each
     * @param path made, or written anew
     * @throws IOException if the file cannot be written, the edges cannot be read, or a name has characters that XML
     *     does not keep
     */
    public static void writeGraphMl(EdgeSource edges, @Nullable VertexNames names, @Nullable EdgeLabels labels,
                                    Path path) throws IOException {
        try (OutputStream out = open(path)) {
            XMLStreamWriter xml = XMLOutputFactory.newDefaultFactory().createXMLStreamWriter(out, "UTF-8");
            xml.writeStartDocument("UTF-8", "1.0");
            xml.writeStartElement("graphml");
            xml.writeDefaultNamespace("http://graphml.graphdrawing.org/xmlns");
            if (edges.weighted()) {
                xml.writeEmptyElement("key");
                xml.writeAttribute("id", "d0");
                xml.writeAttribute("for", "edge");
                xml.writeAttribute("attr.name", labels == null ? "weight" : "label");
                xml.writeAttribute("attr.type", labels == null ? "double" : "string");
            }
            xml.writeStartElement("graph");
            xml.writeAttribute("edgedefault", edges.directed() ? "directed" : "undirected");
            long vertices = vertexCount(edges);
            for (long vertex = 0; vertex < vertices; vertex++) {
                xml.writeCharacters("\n");
                xml.writeEmptyElement("node");
                xml.writeAttribute("id", id(vertex, names));
            }
            forEach(edges, (source, target, weight) -> {
                List<String> data = !edges.weighted() ? List.of() : labels == null ? List.of(String.valueOf(weight))
                    : labels.of(weight);
                if (data.isEmpty()) {
                    writeEdge(xml, id(source, names), id(target, names), null);
                }
                for (String value : data) {
                    writeEdge(xml, id(source, names), id(target, names), value);
                }
            });
            xml.writeCharacters("\n");
            xml.writeEndDocument();
            xml.flush();
            xml.close();
        } catch (XMLStreamException e) {
            throw new IOException(path + " cannot be written", e);
        }
    }

    private static void writeEdge(XMLStreamWriter xml, String source, String target, @Nullable String value)
        throws XMLStreamException {
        xml.writeCharacters("\n");
        xml.writeStartElement("edge");
        xml.writeAttribute("source", source);
        xml.writeAttribute("target", target);
        if (value != null) {
            xml.writeStartElement("data");
            xml.writeAttribute("key", "d0");
            xml.writeCharacters(value);
            xml.writeEndElement();
        }
        xml.writeEndElement();
    }

    /** The id of a node; characters that XML does not allow, or changes, cannot be written. */
    private static String id(long vertex, @Nullable VertexNames names) throws IOException {
        String id = names == null ? String.valueOf(vertex) : names.name((int) vertex);
        boolean isAllowed = id.codePoints().allMatch(it -> it >= ' ' && it < Character.MIN_SURROGATE
            || it > Character.MAX_SURROGATE && it < 0xFFFE || it > 0xFFFF);
        if (!isAllowed) {
            throw new IOException("the name \"" + id + "\" has characters that XML does not keep");
        }
        return id;
    }
}
