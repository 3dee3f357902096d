package io.teff.graph.formats;

import io.teff.graph.Adjacency;
import io.teff.graph.Neighbours;
import io.teff.graph.frozen.FrozenGraph;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Files of the GAP benchmark suite with the ending {@code .sg}: whole graphs without weights, little-endian.
 *
 * <pre>
 *  0          1                  9                  17
 * +----------+------------------+------------------+------------------------+----------------------+
 * | directed | arcs: 8 bytes    | vertices: 8 bytes| vertices + 1 places of | neighbours of 4      |
 * | 1 byte   | (edges, if not)  |                  | 8 bytes each           | bytes each           |
 * +----------+------------------+------------------+------------------------+----------------------+
 *                                                   a directed graph has places and neighbours of its reverse behind
 * </pre>
 *
 * <p>The number of arcs of a graph without direction is the number of its edges; its runs have twice as many.
 */
public final class GapGraph {
    private static final int DIRECTED_OFFSET = 0;
    private static final int ARCS_OFFSET = 1;
    private static final int VERTICES_OFFSET = ARCS_OFFSET + Long.BYTES;
    private static final int HEAD_BYTES = VERTICES_OFFSET + Long.BYTES;
    private static final int BUFFER_BYTES = 1 << 20;
    private static final long PART_BYTES = 1 << 30;

    private static final ValueLayout.OfLong PLACE = ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);

    private GapGraph() {}

    /**
     * Reads a file.
     *
     * @param path the file
     * @return the graph, with its reverse if directed
     * @throws IOException if the file cannot be read, or is malformed; the message has the file and what is wrong
     */
    public static FrozenGraph read(Path path) throws IOException {
        return read(path, Arena.ofAuto());
    }

    /**
     * Reads a file into memory of an arena.
     *
     * @param path the file
     * @param arena owner of the memory
     * @return the graph, with its reverse if directed
     * @throws IOException if the file cannot be read, or is malformed; the message has the file and what is wrong
     */
    public static FrozenGraph read(Path path, Arena arena) throws IOException {
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ)) {
            ByteBuffer head = ByteBuffer.allocate(HEAD_BYTES).order(ByteOrder.LITTLE_ENDIAN);
            fill(file, head, path);
            boolean isDirected = head.get(DIRECTED_OFFSET) != 0;
            long edges = head.getLong(ARCS_OFFSET);
            long vertices = head.getLong(VERTICES_OFFSET);
            long arcs = isDirected ? edges : 2 * edges;
            long bytes = (vertices + 1) * Long.BYTES + arcs * Integer.BYTES;
            if (vertices < 0 || vertices > Integer.MAX_VALUE - 8 || arcs < 0 || arcs > file.size()
                || HEAD_BYTES + bytes * (isDirected ? 2 : 1) != file.size()) {
                throw new IOException(path + ": " + vertices + " vertices and " + edges + " edges do not make a file "
                    + "of " + file.size() + " bytes");
            }
            FrozenGraph graph = part(file, path, isDirected, vertices, arcs, arena);
            if (isDirected) {
                graph.pair(part(file, path, true, vertices, arcs, arena));
            }
            return graph;
        }
    }

    private static FrozenGraph part(FileChannel file, Path path, boolean isDirected, long vertices, long arcs,
                                    Arena arena) throws IOException {
        long[] starts;
        try (Arena read = Arena.ofConfined()) {
            MemorySegment places = read.allocate((vertices + 1) * Long.BYTES, Long.BYTES);
            fill(file, places, places.byteSize(), path);
            starts = places.toArray(PLACE);
        }
        MemorySegment targets = arena.allocate(Math.max(arcs, 1) * Integer.BYTES, Long.BYTES);
        fill(file, targets, arcs * Integer.BYTES, path);
        try {
            return FrozenGraph.over(isDirected, starts, targets);
        } catch (IllegalArgumentException e) {
            throw new IOException(path + ": " + e.getMessage(), e);
        }
    }

    private static void fill(FileChannel file, MemorySegment target, long bytes, Path path) throws IOException {
        for (long from = 0; from < bytes; from += PART_BYTES) {
            fill(file, target.asSlice(from, Math.min(PART_BYTES, bytes - from)).asByteBuffer(), path);
        }
    }

    private static void fill(FileChannel file, ByteBuffer target, Path path) throws IOException {
        while (target.hasRemaining()) {
            if (file.read(target) < 0) {
                throw new IOException(path + ": ends at offset " + file.position());
            }
        }
    }

    /**
     * Writes a file. Weights are left out.
     *
     * @param graph the graph; a directed graph needs its reverse
     * @param path the file, which is replaced
     * @throws IOException if the file cannot be written
     * @throws IllegalStateException if the graph is directed and has no reverse
     * @throws IllegalArgumentException if a graph without direction has an odd number of loops: the file has no number
     *     for that
     */
    public static void write(Adjacency graph, Path path) throws IOException {
        if (!graph.directed() && graph.arcCount() % 2 != 0) {
            throw new IllegalArgumentException("graph=" + graph + " has an odd number of arcs");
        }
        Adjacency reversed = graph.reversed();
        try (OutputStream raw = Files.newOutputStream(path);
             DataOutputStream out = new DataOutputStream(new BufferedOutputStream(raw, BUFFER_BYTES))) {
            out.writeByte(graph.directed() ? 1 : 0);
            out.writeLong(Long.reverseBytes(graph.directed() ? graph.arcCount() : graph.arcCount() / 2));
            out.writeLong(Long.reverseBytes(graph.vertexCount()));
            part(graph, out);
            if (graph.directed()) {
                part(reversed, out);
            }
        }
    }

    private static void part(Adjacency graph, DataOutputStream out) throws IOException {
        long place = 0;
        Neighbours cursor = graph.neighbours();
        for (int vertex = 0; vertex < graph.vertexCount(); vertex++) {
            out.writeLong(Long.reverseBytes(place));
            place += cursor.open(vertex);
        }
        out.writeLong(Long.reverseBytes(place));
        for (int vertex = 0; vertex < graph.vertexCount(); vertex++) {
            for (int left = cursor.open(vertex); left > 0; left--) {
                out.writeInt(Integer.reverseBytes(cursor.next()));
            }
        }
    }
}
