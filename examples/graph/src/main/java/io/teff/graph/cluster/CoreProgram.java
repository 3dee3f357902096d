package io.teff.graph.cluster;

import io.teff.graph.algorithms.program.Aggregate;
import io.teff.graph.algorithms.program.Packed;
import io.teff.graph.algorithms.program.Vertex;
import io.teff.graph.algorithms.program.VertexProgram;
import java.util.List;

/**
 * Core numbers by peeling: vertices with at most k neighbours left leave, and tell their neighbours. When a superstep
 * has let no vertex leave, k becomes the smallest number of neighbours left. All vertices that are left know k.
 */
record CoreProgram() implements VertexProgram {
    static final String NAME = "cores";
    static final int CORE_OFFSET = 0;
    private static final int LEFT_OFFSET = CORE_OFFSET + Integer.BYTES;
    private static final int GONE_OFFSET = LEFT_OFFSET + Integer.BYTES;
    private static final int STATE_BYTES = GONE_OFFSET + Integer.BYTES;
    /** Smallest number of neighbours of the vertices that are left. */
    private static final int SMALLEST = 0;
    /** Vertices that have left in the superstep. */
    private static final int LEAVING = 1;

    @Override
    public int stateBytes() {
        return STATE_BYTES;
    }

    @Override
    public int messageBytes() {
        return Integer.BYTES;
    }

    @Override
    public boolean sendsToNeighboursOnce() {
        return true;
    }

    @Override
    public void compute(Vertex vertex) {
        Packed state = vertex.state();
        if (state.getInt(GONE_OFFSET) != 0) {
            vertex.halt();
            return;
        }
        int left = vertex.superstep() == 0 ? vertex.degree() : state.getInt(LEFT_OFFSET);
        while (vertex.nextMessage()) {
            left -= vertex.message().getInt(0);
        }
        state.putInt(LEFT_OFFSET, left);
        if (vertex.superstep() > 0 && vertex.before().getLong(LEAVING) == 0) {
            state.putInt(CORE_OFFSET, Math.max(state.getInt(CORE_OFFSET), (int) vertex.before().getLong(SMALLEST)));
        }
        if (vertex.superstep() > 0 && left <= state.getInt(CORE_OFFSET)) {
            state.putInt(GONE_OFFSET, 1);
            vertex.aggregate(LEAVING, 1L);
            vertex.outgoing().putInt(0, 1);
            vertex.sendToNeighbours();
            vertex.halt();
        } else {
            vertex.aggregate(SMALLEST, (long) left);
        }
    }

    @Override
    public boolean combines() {
        return true;
    }

    @Override
    public void combine(Packed kept, Packed added) {
        kept.putInt(0, kept.getInt(0) + added.getInt(0));
    }

    @Override
    public List<Aggregate> aggregates() {
        return List.of(Aggregate.MIN_LONG, Aggregate.SUM_LONG);
    }
}
