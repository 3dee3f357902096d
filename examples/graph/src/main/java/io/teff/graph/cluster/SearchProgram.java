package io.teff.graph.cluster;

import io.teff.graph.algorithms.program.Packed;
import io.teff.graph.algorithms.program.Vertex;
import io.teff.graph.algorithms.program.VertexProgram;

/** Breadth-first search: the smallest neighbour of the level before is the parent. */
record SearchProgram(int root) implements VertexProgram {
    static final String NAME = "bfs";
    /** The parent, and 1; 0 for a vertex that was not reached. */
    static final int PARENT_OFFSET = 0;

    static SearchProgram of(byte[] settings) {
        return new SearchProgram(PartLayout.view(settings).getInt());
    }

    static byte[] settings(int root) {
        byte[] settings = new byte[Integer.BYTES];
        PartLayout.view(settings).putInt(root);
        return settings;
    }

    @Override
    public int stateBytes() {
        return Integer.BYTES;
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
        vertex.halt();
        if (vertex.state().getInt(PARENT_OFFSET) != 0) {
            return;
        }
        int parent = vertex.superstep() == 0 && vertex.number() == root ? root : Integer.MAX_VALUE;
        while (vertex.nextMessage()) {
            parent = Math.min(parent, vertex.message().getInt(0));
        }
        if (parent != Integer.MAX_VALUE) {
            vertex.state().putInt(PARENT_OFFSET, parent + 1);
            vertex.outgoing().putInt(0, vertex.number());
            vertex.sendToNeighbours();
        }
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
