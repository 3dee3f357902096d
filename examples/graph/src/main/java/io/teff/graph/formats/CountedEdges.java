package io.teff.graph.formats;

import io.teff.graph.edges.EdgeSink;
import io.teff.graph.edges.EdgeSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.stream.IntStream;

/**
 * Edges whose numbers are known after all parts were read once, by all processors.
 *
 * <p>A graph has all vertices up to the largest number. So a file with few edges and huge numbers would take much
 * memory for vertices without edges. Such a file is refused: its numbers are names.
 */
public final class CountedEdges implements EdgeSource {
    /** Vertices that a graph may have for each end of an edge; up to {@link #FREE_VERTICES} are always allowed. */
    static final long VERTICES_PER_END = 64;
    /** Vertices that a graph may always have. */
    static final long FREE_VERTICES = 1 << 22;

    private final EdgeSource source;
    private final long vertexCount;
    private final long edgeCount;

    /** Figures of one part. */
    private record Figures(long vertexCount, long edgeCount) {
        static Figures sum(Figures one, Figures two) {
            return new Figures(Math.max(one.vertexCount, two.vertexCount), one.edgeCount + two.edgeCount);
        }
    }

    private CountedEdges(EdgeSource source, Figures figures) {
        this.source = source;
        this.vertexCount = Math.max(source.vertexCount(), figures.vertexCount());
        this.edgeCount = figures.edgeCount();
    }

    /**
     * {@return a source itself if its numbers are known, otherwise its edges with numbers}
     *
     * @param source read once if a number is unknown
     * @throws IOException if the source cannot be read, or if the numbers of its vertices are much larger than the
     *     number of its edges
     */
    public static EdgeSource of(EdgeSource source) throws IOException {
        if (source.vertexCount() >= 0 && source.edgeCount() >= 0) {
            return source;
        }
        CountedEdges counted = new CountedEdges(source, count(source));
        if (source.vertexCount() < 0 && isSparse(counted.vertexCount, counted.edgeCount)) {
            throw new IOException("the largest vertex is " + (counted.vertexCount - 1) + " with " + counted.edgeCount
                + " edges: read the numbers as names");
        }
        return counted;
    }

    /** Whether numbers of vertices are so sparse that a graph would be mostly vertices without edges. */
    static boolean isSparse(long vertices, long edges) {
        return vertices > FREE_VERTICES && vertices / VERTICES_PER_END > 2 * edges;
    }

    private static Figures count(EdgeSource source) throws IOException {
        try {
            return IntStream.range(0, source.parts()).parallel().mapToObj(part -> countPart(source, part))
                .reduce(new Figures(0, 0), Figures::sum);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static Figures countPart(EdgeSource source, int part) {
        long[] figures = new long[2];
        try {
            source.read(part, (from, to, _) -> {
                figures[0] = Math.max(figures[0], Math.max(from, to) + 1);
                figures[1]++;
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new Figures(figures[0], figures[1]);
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
        return source.directed();
    }

    @Override
    public boolean weighted() {
        return source.weighted();
    }

    @Override
    public int parts() {
        return source.parts();
    }

    @Override
    public void read(int part, EdgeSink sink) throws IOException {
        source.read(part, sink);
    }
}
