package io.teff.graph.algorithms.program;

import java.util.List;

/** Spreads the smallest label along arcs: in an undirected graph, the parts that are connected. */
final class LabelSpreading implements VertexProgram {
    @Override
    public int stateBytes() {
        return Integer.BYTES;
    }

    @Override
    public int messageBytes() {
        return Integer.BYTES;
    }

    @Override
    public List<Aggregate> aggregates() {
        return List.of(Aggregate.SUM_LONG);                   // vertices whose label has changed
    }

    @Override
    public void compute(Vertex vertex) {
        int label = vertex.superstep() == 0 ? vertex.number() : vertex.state().getInt(0);
        int smallest = label;
        while (vertex.nextMessage()) {
            smallest = Math.min(smallest, vertex.message().getInt(0));
        }
        if (vertex.superstep() == 0 || smallest < label) {
            vertex.state().putInt(0, smallest);
            vertex.outgoing().putInt(0, smallest);
            vertex.sendToNeighbours();
            vertex.aggregate(0, 1L);
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
