package io.teff.graph.formats;

import io.teff.graph.edges.EdgeSink;
import io.teff.graph.edges.EdgeSource;
import io.teff.graph.names.VertexNames;
import java.io.IOException;
import java.nio.file.Path;

/**
 * A binary edge list: a header ({@link BinaryEdgesLayout}) and edges of equal length; or edges without a header. A
 * plain file is read in parts.
 */
public final class BinaryEdges implements EdgeSource {
    private static final long PART_EDGES = 1 << 18;

    private final InputFile file;
    private final long begin;
    private final long flags;
    private final long vertexCount;
    private final long edgeCount;

    private BinaryEdges(InputFile file, long begin, long flags, long vertexCount, long edgeCount) {
        this.file = file;
        this.begin = begin;
        this.flags = flags;
        this.vertexCount = vertexCount;
        this.edgeCount = edgeCount;
    }

    /**
     * Opens a list with a header, as {@link EdgeWriters#writeBinary} writes it.
     *
     * @param path a plain file, or a file compressed by gzip
     * @return the list, whose edges are not read yet
     * @throws IOException if the file cannot be read, the header is malformed, or the header claims another length than
     *     a plain file has; the message has the file and what is wrong
     */
    public static BinaryEdges open(Path path) throws IOException {
        InputFile file = InputFile.of(path);
        try (ByteScanner scanner = new ByteScanner(file, 0)) {
            require(scanner, scanner.number(Long.BYTES, "magic bytes") == BinaryEdgesLayout.MAGIC,
                "the magic bytes TeffEdge", "others");
            long version = scanner.number(Integer.BYTES, "a version");
            require(scanner, version == BinaryEdgesLayout.VERSION, "version 1", String.valueOf(version));
            long flags = scanner.number(Integer.BYTES, "flags");
            require(scanner, flags < 2 * BinaryEdgesLayout.WIDE, "three flags", String.valueOf(flags));
            long vertices = scanner.count(VertexNames.COUNT_MAX, "a number of vertices");
            int edgeBytes = BinaryEdgesLayout.edgeBytes(flags);
            long edges = scanner.count(Long.MAX_VALUE / edgeBytes - edgeBytes, "a number of edges");
            long size = BinaryEdgesLayout.HEADER_BYTES + edges * edgeBytes;
            if (!file.isZipped() && file.size() != size) {
                throw GraphFileException.of(path, size + " bytes for " + edges + " edges", file.size() + " bytes");
            }
            return new BinaryEdges(file, BinaryEdgesLayout.HEADER_BYTES, flags, vertices, edges);
        }
    }

    /**
     * Opens a plain list without a header: little-endian pairs.
     *
     * @param path a plain file with a whole number of edges
     * @param isWide whether numbers have 8 bytes, otherwise 4
     * @param isWeighted whether a weight of 8 bytes, a double, follows each pair
     * @param isDirected whether an edge and its reverse are different
     * @return the list, whose edges are not read yet; only the edges tell the number of vertices
     * @throws IOException if the file cannot be read, is compressed, or ends within an edge
     */
    public static BinaryEdges openRaw(Path path, boolean isWide, boolean isWeighted, boolean isDirected)
        throws IOException {
        InputFile file = InputFile.of(path);
        long flags = (isWide ? BinaryEdgesLayout.WIDE : 0) | (isWeighted ? BinaryEdgesLayout.WEIGHTED : 0)
            | (isDirected ? BinaryEdgesLayout.DIRECTED : 0);
        int edgeBytes = BinaryEdgesLayout.edgeBytes(flags);
        if (file.isZipped() || file.size() % edgeBytes != 0) {
            throw GraphFileException.of(path, "a plain file with a multiple of " + edgeBytes + " bytes",
                file.isZipped() ? "a compressed file" : file.size() + " bytes");
        }
        return new BinaryEdges(file, 0, flags, -1, file.size() / edgeBytes);
    }

    private static void require(ByteScanner scanner, boolean isRight, String expected, String found)
        throws GraphFileException {
        if (!isRight) {
            throw scanner.failure(expected + " before this place", found);
        }
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
        return (flags & BinaryEdgesLayout.DIRECTED) != 0;
    }

    @Override
    public boolean weighted() {
        return (flags & BinaryEdgesLayout.WEIGHTED) != 0;
    }

    @Override
    public int parts() {
        return file.isZipped() ? 1 : Math.clamp(Math.ceilDiv(edgeCount, PART_EDGES), 1, Integer.MAX_VALUE);
    }

    @Override
    public void read(int part, EdgeSink sink) throws IOException {
        long first = part * PART_EDGES;
        long end = file.isZipped() ? edgeCount : Math.min(edgeCount, first + PART_EDGES);
        int idBytes = BinaryEdgesLayout.idBytes(flags);
        try (ByteScanner scanner = new ByteScanner(file, begin + first * BinaryEdgesLayout.edgeBytes(flags))) {
            for (long edge = first; edge < end; edge++) {
                long source = vertex(scanner, idBytes);
                long target = vertex(scanner, idBytes);
                double weight = weighted() ? Double.longBitsToDouble(scanner.number(Long.BYTES, "a weight")) : 1;
                require(scanner, Double.isFinite(weight), "a finite weight", String.valueOf(weight));
                sink.edge(source, target, weight);
            }
            if (file.isZipped() && !scanner.isEnd()) {
                throw scanner.failure("the end of the file after " + edgeCount + " edges", "more bytes");
            }
        }
    }

    private long vertex(ByteScanner scanner, int idBytes) throws IOException {
        long number = scanner.number(idBytes, "a vertex");
        long count = vertexCount < 0 ? VertexNames.COUNT_MAX : vertexCount;
        if (number < 0 || number >= count) {
            throw scanner.failure("a vertex below " + count + " before this place", Long.toUnsignedString(number));
        }
        return number;
    }
}
