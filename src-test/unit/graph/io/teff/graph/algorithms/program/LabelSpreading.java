package io.teff.graph.algorithms.program;

/** Spreads the smallest label along arcs: in an undirected graph, to all vertices of a connected part. */
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
    public void begin(int vertex, Packed state) {
        state.putInt(0, vertex);
    }

    @Override
    public void compute(Vertex vertex) {
        int label = vertex.state().getInt(0);
        int smallest = label;
        while (vertex.nextMessage()) {
            smallest = Math.min(smallest, vertex.message().getInt(0));
        }
        if (smallest < label || vertex.superstep() == 0) {
            vertex.state().putInt(0, smallest);
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
