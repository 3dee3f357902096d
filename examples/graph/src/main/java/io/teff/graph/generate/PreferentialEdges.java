package io.teff.graph.generate;

import io.teff.graph.edges.EdgeSink;

/**
 * Preferential attachment (Barabasi, Albert): each new vertex has edges to earlier vertices, which are chosen by their
 * degrees. So old vertices have high degrees.
 *
 * <p>Each vertex draws a place in the list of the ends of all earlier edges. The list is not kept: an even place is a
 * source and known, and an odd place is the target of an earlier edge, which is drawn again from its number. The walk
 * back has two steps on average (Sanders, Schulz: Scalable Generation of Scale-free Graphs). So any edge is computed
 * alone. There are parallel edges, and no loops.
 */
public final class PreferentialEdges extends EdgeGenerator {
    private final int edgesPerVertex;
    private final Draw targets;

    /**
     * Makes a graph.
     *
     * @param vertices at least 1
     * @param edgesPerVertex edges of each vertex except the first, at least 1
     * @param seed of the random numbers; equal seeds give equal edges
     */
    public PreferentialEdges(long vertices, int edgesPerVertex, long seed) {
        super(vertices, Math.multiplyExact(Math.max(0, vertices - 1), Math.max(0, edgesPerVertex)), seed, false);
        if (vertices < 1 || edgesPerVertex < 1) {
            throw new IllegalArgumentException("vertices=" + vertices + " or edgesPerVertex=" + edgesPerVertex
                + " is below 1");
        }
        this.edgesPerVertex = edgesPerVertex;
        this.targets = new Draw(seed);
    }

    @Override
    void generate(long slot, Draw draw, EdgeSink sink) {
        sink.edge(source(slot), target(slot), 1);
    }

    private long source(long edge) {
        return edge / edgesPerVertex + 1;
    }

    /** The target of an edge: an end of an edge of earlier vertices; for the second vertex, the first. */
    private long target(long slot) {
        long edge = slot;
        while (true) {
            long earlier = edge - edge % edgesPerVertex;        // edges of earlier vertices
            if (earlier == 0) {
                return 0;
            }
            long place = Math.unsignedMultiplyHigh(targets.at(edge), 2 * earlier);
            if ((place & 1) == 0) {
                return source(place >>> 1);
            }
            edge = place >>> 1;
        }
    }
}
