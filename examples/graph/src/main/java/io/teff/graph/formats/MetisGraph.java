package io.teff.graph.formats;

import io.teff.graph.edges.EdgeSink;
import io.teff.graph.edges.EdgeSource;
import io.teff.graph.names.VertexNames;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * A graph for METIS: line v lists the neighbours of vertex v, which has number 1 at first. The graph is undirected, so
 * each edge is in two lines; the source gives the edge once. Sizes and weights of vertices are ignored.
 *
 * <p>The file is scanned when it is opened: the scan counts the lines, and finds parts. After all parts were read, the
 * number of edges must be the claimed number, and each edge must be in both lines: the sum of hash values of edges to
 * larger vertices equals the sum of edges to smaller vertices.
 */
public final class MetisGraph implements EdgeSource {
    private static final String SEPARATORS = " \t";
    private static final int DECIMAL = 10;
    private static final int FORMAT_MAX = 111;
    private static final int CONSTRAINTS_MAX = 1000;

    private final InputFile file;
    private final long vertexCount;
    private final long edgeCount;
    private final boolean weighted;
    private final int skippedNumbers;
    private final long[] parts;
    private final long[] firstVertices;
    private final PartCounts upward;
    private final PartCounts hashes;

    private MetisGraph(InputFile file, long partBytes) throws IOException {
        this.file = file;
        try (TextScanner scanner = new TextScanner(file, 0, Long.MAX_VALUE, SEPARATORS)) {
            if (!scanner.nextLine("%")) {
                throw scanner.failure("numbers of vertices and edges");
            }
            long begin = scanner.offset();
            vertexCount = scanner.number("the number of vertices");
            if (vertexCount > VertexNames.COUNT_MAX) {
                throw scanner.failureAt(begin, "at most " + VertexNames.COUNT_MAX + " vertices",
                    String.valueOf(vertexCount));
            }
            edgeCount = scanner.number("the number of edges");
            int format = scanner.isLineEnd() ? 0 : flags(scanner);
            weighted = format % DECIMAL == 1;
            boolean hasWeights = format / DECIMAL % DECIMAL == 1;
            long constraints = scanner.isLineEnd() ? 1 : scanner.number("the number of weights of a vertex");
            if (constraints < 1 || constraints > CONSTRAINTS_MAX) {
                throw scanner.failure("1 to " + CONSTRAINTS_MAX + " weights of a vertex before this place");
            }
            skippedNumbers = (format / (DECIMAL * DECIMAL) == 1 ? 1 : 0) + (hasWeights ? (int) constraints : 0);
            scanner.endLine();
            long[][] bounds = scan(scanner, partBytes);
            parts = bounds[0];
            firstVertices = bounds[1];
        }
        upward = new PartCounts(parts());
        hashes = new PartCounts(parts());
    }

    private static int flags(TextScanner scanner) throws IOException {
        String expected = "the format: three digits 0 or 1 for sizes, weights of vertices, and weights of edges";
        long begin = scanner.offset();
        long format = scanner.number(expected);
        boolean isRight = format <= FORMAT_MAX && String.valueOf(format).chars().allMatch(it -> it <= '1');
        if (!isRight) {
            throw scanner.failureAt(begin, expected, String.valueOf(format));
        }
        return (int) format;
    }

    /** Finds offsets and first vertices of parts; a compressed file has one. */
    private long[][] scan(TextScanner scanner, long partBytes) throws IOException {
        long[] offsets = {scanner.offset()};
        long[] first = {0};
        long vertex = 0;
        while (scanner.peek() != TextScanner.END) {
            boolean isComment = scanner.peek() == '%';
            if (!isComment && vertex == vertexCount) {
                if (scanner.nextLine("%")) {
                    throw scanner.failure("the end of the file after " + vertexCount + " lines of vertices");
                }
                break;
            }
            long begin = scanner.offset();
            if (!isComment && !file.isZipped() && begin - offsets[offsets.length - 1] >= partBytes) {
                offsets = Arrays.copyOf(offsets, offsets.length + 1);
                first = Arrays.copyOf(first, offsets.length);
                offsets[offsets.length - 1] = begin;
                first[first.length - 1] = vertex;
            }
            scanner.skipLine();
            vertex += isComment ? 0 : 1;
        }
        if (vertex != vertexCount) {
            throw scanner.failure(vertexCount + " lines of vertices, the last of which is " + vertex);
        }
        long[] ends = Arrays.copyOf(offsets, offsets.length + 1);
        ends[offsets.length] = Long.MAX_VALUE;
        return new long[][] {ends, Arrays.copyOf(first, first.length + 1)};
    }

    /**
     * Opens a graph, and counts its lines.
     *
     * @param path a plain file, or a file compressed by gzip
     * @param options bytes of a part; the other options are not used
     * @return the graph, whose edges are not read yet
     * @throws IOException if the file cannot be read, the header is malformed, or the number of lines does not fit the
     *     header; the message has the file and what is wrong
     */
    public static MetisGraph open(Path path, ReadOptions options) throws IOException {
        return new MetisGraph(InputFile.of(path), options.partBytes());
    }

    @Override
    public long vertexCount() {
        return vertexCount;
    }

    @Override
    public long edgeCount() {
        return edgeCount;
    }

    @Override
    public boolean directed() {
        return false;
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
        long vertex = firstVertices[part];
        long end = part + 1 < parts() ? firstVertices[part + 1] : vertexCount;
        long found = 0;
        long hash = 0;
        try (TextScanner scanner = new TextScanner(file, parts[part], parts[part + 1], SEPARATORS)) {
            while (vertex < end) {
                if (scanner.peek() == '%') {
                    scanner.skipLine();
                    continue;
                }
                scanner.skipSeparators();
                for (int i = 0; i < skippedNumbers; i++) {
                    scanner.number("a size or a weight of the vertex");
                }
                while (!scanner.isLineEnd()) {
                    long neighbour = neighbour(scanner, vertex);
                    double weight = weighted ? scanner.real("the weight of an edge") : 1;
                    long value = hash(Math.min(vertex, neighbour), Math.max(vertex, neighbour), weight);
                    hash += neighbour > vertex ? value : -value;
                    if (neighbour > vertex) {
                        found++;
                        sink.edge(vertex, neighbour, weight);
                    }
                }
                scanner.endLine();
                vertex++;
            }
        }
        hashes.note(part, hash);                                // before the other figure, which tells of the end
        if (upward.note(part, found)) {
            checkAll();
        }
    }

    private void checkAll() throws GraphFileException {
        if (upward.sum() != edgeCount) {
            throw GraphFileException.of(file.path(), edgeCount + " edges, as the header claims", String.valueOf(
                upward.sum()));
        }
        if (hashes.sum() != 0) {
            throw GraphFileException.of(file.path(), "each edge in the lines of both its vertices",
                "edges in one line only, or with two weights");
        }
    }

    private long neighbour(TextScanner scanner, long vertex) throws IOException {
        String expected = "a neighbour other than the vertex itself, 1 to " + vertexCount;
        long begin = scanner.offset();
        long number = scanner.number(expected);
        if (number < 1 || number > vertexCount || number - 1 == vertex) {
            throw scanner.failureAt(begin, expected, String.valueOf(number));
        }
        return number - 1;
    }

    private static long hash(long low, long high, double weight) {
        long mixed = (low << Integer.SIZE | high) * 0x9E37_79B9_7F4A_7C15L ^ Double.doubleToLongBits(weight);
        mixed = (mixed ^ mixed >>> 31) * 0xD6E8_FEB8_6659_FD93L;
        return mixed ^ mixed >>> 32;
    }
}
