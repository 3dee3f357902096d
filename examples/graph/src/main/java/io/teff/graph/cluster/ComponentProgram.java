package io.teff.graph.cluster;

import io.teff.graph.algorithms.program.Packed;
import io.teff.graph.algorithms.program.Vertex;
import io.teff.graph.algorithms.program.VertexProgram;

/** Connected components: the smallest number spreads. */
record ComponentProgram() implements VertexProgram {
    static final String NAME = "components";
    static final int SMALLEST_OFFSET = 0;

    @Override
    public int stateBytes() {
        return Integer.BYTES;
    }

    @Override
    public int messageBytes() {
        return Integer.BYTES;
    }

    @Override
    public void begin(int vertex, Packed state) {
        state.putInt(SMALLEST_OFFSET, vertex);
    }

    @Override
    public boolean sendsToNeighboursOnce() {
        return true;
    }

    @Override
    public void compute(Vertex vertex) {
        int known = vertex.state().getInt(SMALLEST_OFFSET);
        int smallest = known;
        while (vertex.nextMessage()) {
            smallest = Math.min(smallest, vertex.message().getInt(0));
        }
        if (smallest < known || vertex.superstep() == 0) {
            vertex.state().putInt(SMALLEST_OFFSET, smallest);
            vertex.outgoing().putInt(0, smallest);
            vertex.sendToNeighbours();
        }
        vertex.halt();
    }

    @Override
    public boolean combines() {
        return true;
    }

    @Override
    public void combine(Packed kept, Packed added) {
        kept.putInt(0, Math.min(kept.getInt(0), added.getInt(0)));
    }
}
