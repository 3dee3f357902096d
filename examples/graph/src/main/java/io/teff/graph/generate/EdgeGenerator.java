package io.teff.graph.generate;

import io.teff.graph.edges.EdgeSink;
import io.teff.graph.edges.EdgeSource;
import io.teff.graph.names.VertexNames;

/** Edges that are computed from their numbers, in parts of equal size. */
public abstract class EdgeGenerator implements EdgeSource {
    /** Largest number of edges. */
    public static final long EDGES_MAX = 1L << 40;

    private static final int PART_EDGES = 1 << 16;
    private static final int PARTS_MAX = 1 << 20;

    private final long vertexCount;
    private final long slots;
    private final long seed;
    private final boolean weighted;
    private final long partSlots;

    /**
     * Notes the size.
     *
     * @param slots numbers of edges; some numbers may give no edge
     */
    EdgeGenerator(long vertexCount, long slots, long seed, boolean weighted) {
        if (vertexCount < 0 || vertexCount > VertexNames.COUNT_MAX) {
            throw new IllegalArgumentException(vertexCount + " vertices are outside of 0.." + VertexNames.COUNT_MAX);
        }
        if (slots < 0 || slots > EDGES_MAX) {
            throw new IllegalArgumentException(slots + " edges are outside of 0.." + EDGES_MAX);
        }
        this.vertexCount = vertexCount;
        this.slots = slots;
        this.seed = seed;
        this.weighted = weighted;
        this.partSlots = Math.max(PART_EDGES, Math.ceilDiv(slots, PARTS_MAX));
    }

    /** Takes over the size and the seed of another generator. */
    EdgeGenerator(EdgeGenerator other, boolean weighted) {
        this(other.vertexCount, other.slots, other.seed, weighted);
    }

    /**
     * Gives the edge of a number, or no edge.
     *
     * @param slot 0 to the number of slots - 1
     * @param draw random numbers of this slot
     */
    abstract void generate(long slot, Draw draw, EdgeSink sink);

    @Override
    public final long vertexCount() {
        return vertexCount;
    }

    @Override
    public long edgeCount() {
        return slots;
    }

    @Override
    public boolean directed() {
        return false;
    }

    @Override
    public final boolean weighted() {
        return weighted;
    }

    @Override
    public final int parts() {
        return (int) Math.max(1, Math.ceilDiv(slots, partSlots));
    }

    @Override
    public final void read(int part, EdgeSink sink) {
        Draw draw = new Draw(seed);
        long end = Math.min(slots, (part + 1) * partSlots);
        for (long slot = part * partSlots; slot < end; slot++) {
            draw.begin(slot);
            generate(slot, draw, sink);
        }
    }
}
