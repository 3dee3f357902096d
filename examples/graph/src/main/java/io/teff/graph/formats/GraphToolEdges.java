package io.teff.graph.formats;

import io.teff.graph.edges.EdgeSink;
import io.teff.graph.edges.EdgeSource;
import io.teff.graph.names.GraphInput;
import io.teff.graph.names.VertexNames;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A graph in the binary format of graph-tool ({@code .gt}), version 1:
 * <pre>
 * 0        6       7            8         comment, a string: length (8), bytes
 * +--------+-------+------------+---
 * | magic  | 1     | big-endian | ...     directed (1), N: number of vertices (8)
 * +--------+-------+------------+---
 * N times: number of neighbours (8), and each of them in 1, 2, 4 or 8 bytes, as N needs
 * number of properties (8), and each of them: kind of owner (1), name, type of value (1), a value for each owner
 * </pre>
 * An edge property {@code weight} or {@code value} of numbers gives the weights. A vertex property {@code name} or
 * {@code label} of strings gives the names, with the number of the vertex added where a name occurs twice.
 *
 * <p>The file is scanned when it is opened, which finds the parts and the properties.
 */
public final class GraphToolEdges implements EdgeSource {
    private static final long MAGIC = 0x7467_20BE_9BE2L;        // 6 bytes, the first of them lowest
    private static final int MAGIC_BYTES = 6;
    private static final int PROPERTIES_MAX = 1 << 16;
    private static final long PART_EDGES = 1 << 20;
    private static final int TYPE_DOUBLE = 4;
    private static final int TYPE_STRING = 6;
    private static final int TYPE_VECTOR_FIRST = 7;
    private static final int TYPE_STRINGS = 13;
    private static final int TYPE_OBJECT = 14;
    /** Bytes of each type of number, from {@code bool} to {@code long double}. */
    private static final int[] TYPE_BYTES = {1, 2, 4, 8, 8, 16};

    private final InputFile file;
    private final boolean unweighted;
    private final boolean bigEndian;
    private final boolean directed;
    private final long vertexCount;
    private final long edgeCount;
    private final int idBytes;
    private final List<Part> parts = new ArrayList<>();
    private final boolean named;
    private long weightsOffset = -1;
    private int weightType;

    /** A run of vertices: where it begins, its first vertex and first edge. */
    private record Part(long offset, long vertex, long edge) {}

    private GraphToolEdges(InputFile file, boolean isUnweighted, @Nullable VertexNames names) throws IOException {
        this.file = file;
        this.unweighted = isUnweighted;
        try (ByteScanner scanner = new ByteScanner(file, 0)) {
            check(scanner, MAGIC_BYTES, MAGIC, "the magic bytes of a .gt file");
            check(scanner, 1, 1, "version 1");
            bigEndian = flag(scanner, "the order of bytes, 0 or 1");
            scanner.setBigEndian(bigEndian);
            scanner.skip(scanner.count(Long.MAX_VALUE, "the length of the comment"), "the comment");
            directed = flag(scanner, "whether the graph is directed, 0 or 1");
            vertexCount = scanner.count(VertexNames.COUNT_MAX, "the number of vertices");
            idBytes = vertexCount < 1 << Byte.SIZE ? 1 : vertexCount < 1 << Short.SIZE ? 2 : Integer.BYTES;
            edgeCount = scanAdjacency(scanner);
            named = scanProperties(scanner, names);
            if (!scanner.isEnd()) {
                throw scanner.failure("the end of the file", "more bytes");
            }
        }
    }

    private static void check(ByteScanner scanner, int bytes, long value, String expected) throws IOException {
        long found = 0;
        for (int i = 0; i < bytes; i++) {
            found |= scanner.number(1, expected) << i * Byte.SIZE;
        }
        if (found != value) {
            throw scanner.failure(expected + " before this place", "others");
        }
    }

    private static boolean flag(ByteScanner scanner, String expected) throws IOException {
        long value = scanner.number(1, expected);
        if (value > 1) {
            throw scanner.failure(expected + " before this place", String.valueOf(value));
        }
        return value == 1;
    }

    private long scanAdjacency(ByteScanner scanner) throws IOException {
        long edges = 0;
        long begun = -PART_EDGES;
        for (long vertex = 0; vertex < vertexCount; vertex++) {
            if (parts.isEmpty() || !file.isZipped() && edges - begun >= PART_EDGES) {
                parts.add(new Part(scanner.offset(), vertex, edges));
                begun = edges;
            }
            long degree = scanner.count(Long.MAX_VALUE / Long.BYTES - edges, "the number of neighbours");
            scanner.skip(degree * idBytes, "neighbours of vertex " + vertex);
            edges += degree;
        }
        if (parts.isEmpty()) {
            parts.add(new Part(scanner.offset(), 0, 0));
        }
        return edges;
    }

    // ---- properties ----

    private boolean scanProperties(ByteScanner scanner, @Nullable VertexNames names) throws IOException {
        long count = scanner.count(PROPERTIES_MAX, "the number of properties");
        boolean isNamed = false;
        for (long i = 0; i < count; i++) {
            long owner = scanner.number(1, "the kind of owner of a property");
            if (owner > 2) {
                throw scanner.failure("0, 1 or 2 for the owner of a property before this place",
                    String.valueOf(owner));
            }
            String name = scanner.string("the name of a property");
            int type = (int) scanner.number(1, "the type of a property");
            if (type > TYPE_OBJECT) {
                throw scanner.failure("a type from 0 to " + TYPE_OBJECT + " before this place", String.valueOf(type));
            }
            long owners = owner == 0 ? 1 : owner == 1 ? vertexCount : edgeCount;
            boolean isWeight = owner == 2 && type <= TYPE_DOUBLE && weightsOffset < 0 && !unweighted
                && (name.equals("weight") || name.equals("value"));
            if (isWeight) {
                weightsOffset = scanner.offset();
                weightType = type;
            }
            boolean isName = owner == 1 && type == TYPE_STRING && !isNamed && names != null
                && (name.equals("name") || name.equals("label"));
            if (isName && names != null) {
                readNames(scanner, names);
                isNamed = true;
            } else {
                skipValues(scanner, type, owners, name);
            }
        }
        return isNamed;
    }

    private void readNames(ByteScanner scanner, VertexNames names) throws IOException {
        Set<String> known = new HashSet<>();
        for (long vertex = 0; vertex < vertexCount; vertex++) {
            String name = scanner.string("the name of a vertex");
            String unique = name;
            for (String suffix = "#" + vertex; !known.add(unique); suffix += "#") {
                unique = name + suffix;
            }
            names.add(unique);
        }
    }

    private static void skipValues(ByteScanner scanner, int type, long owners, String name) throws IOException {
        String expected = "values of property " + name;
        if (type < TYPE_BYTES.length) {
            scanner.skip(Math.multiplyExact(owners, (long) TYPE_BYTES[type]), expected);
            return;
        }
        for (long i = 0; i < owners; i++) {
            long length = scanner.count(Long.MAX_VALUE / 16, "the length of a value");
            if (type == TYPE_STRINGS) {
                for (long k = 0; k < length; k++) {
                    scanner.skip(scanner.count(Long.MAX_VALUE, "the length of a value"), expected);
                }
            } else {
                boolean isVector = type >= TYPE_VECTOR_FIRST && type < TYPE_STRINGS;
                scanner.skip(length * (isVector ? TYPE_BYTES[type - TYPE_VECTOR_FIRST] : 1), expected);
            }
        }
    }

    // ---- edges ----

    /**
     * Opens a graph, and scans the file.
     *
     * @param path a plain file, or a file compressed by gzip
     * @param options a third column that is ignored leaves out the weights
     * @param names empty before; gets the names of the vertices, if the file has any
     * @return the edges; with names, if the file has a property of names
     * @throws IOException if the file cannot be read, or is malformed; the message has the file and what is wrong
     */
    public static GraphInput open(Path path, ReadOptions options, VertexNames names) throws IOException {
        boolean isUnweighted = options.third() == ReadOptions.ThirdColumn.IGNORED;
        GraphToolEdges edges = new GraphToolEdges(InputFile.of(path), isUnweighted, names);
        return new GraphInput(edges, edges.named ? names : null, null);
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
        return directed;
    }

    @Override
    public boolean weighted() {
        return weightsOffset >= 0;
    }

    @Override
    public int parts() {
        return parts.size();
    }

    @Override
    public void read(int part, EdgeSink sink) throws IOException {
        if (!weighted()) {
            read(part, sink, null);
            return;
        }
        long first = weightsOffset + parts.get(part).edge() * TYPE_BYTES[weightType];
        try (ByteScanner weights = new ByteScanner(file, first)) {
            weights.setBigEndian(bigEndian);
            read(part, sink, weights);
        }
    }

    private void read(int part, EdgeSink sink, @Nullable ByteScanner weights) throws IOException {
        Part begin = parts.get(part);
        long end = part + 1 < parts.size() ? parts.get(part + 1).vertex() : vertexCount;
        try (ByteScanner scanner = new ByteScanner(file, begin.offset())) {
            scanner.setBigEndian(bigEndian);
            for (long vertex = begin.vertex(); vertex < end; vertex++) {
                long degree = scanner.count(Long.MAX_VALUE, "the number of neighbours");
                for (long i = 0; i < degree; i++) {
                    long neighbour = scanner.number(idBytes, "a neighbour");
                    if (neighbour < 0 || neighbour >= vertexCount) {
                        throw scanner.failure("a neighbour below " + vertexCount + " before this place",
                            String.valueOf(neighbour));
                    }
                    sink.edge(vertex, neighbour, weights == null ? 1 : weight(weights));
                }
            }
        }
    }

    private double weight(ByteScanner weights) throws IOException {
        long bits = weights.number(TYPE_BYTES[weightType], "a weight");
        double weight = switch (weightType) {
            case 0 -> bits;
            case 1 -> (short) bits;
            case 2 -> (int) bits;
            case TYPE_DOUBLE -> Double.longBitsToDouble(bits);
            default -> bits;
        };
        if (!Double.isFinite(weight)) {
            throw weights.failure("a finite weight before this place (or read the file without weights)",
                String.valueOf(weight));
        }
        return weight;
    }
}
