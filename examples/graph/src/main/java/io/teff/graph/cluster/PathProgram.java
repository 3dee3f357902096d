package io.teff.graph.cluster;

import io.teff.graph.algorithms.program.Packed;
import io.teff.graph.algorithms.program.Vertex;
import io.teff.graph.algorithms.program.VertexProgram;

/** Lengths of the shortest paths from one vertex: a shorter length spreads along each arc. */
record PathProgram(int source) implements VertexProgram {
    static final String NAME = "paths";
    static final int LENGTH_OFFSET = 0;

    static PathProgram of(byte[] settings) {
        return new PathProgram(PartLayout.view(settings).getInt());
    }

    static byte[] settings(int source) {
        return SearchProgram.settings(source);
    }

    @Override
    public int stateBytes() {
        return Double.BYTES;
    }

    @Override
    public int messageBytes() {
        return Double.BYTES;
    }

    @Override
    public void begin(int vertex, Packed state) {
        state.putDouble(LENGTH_OFFSET, Double.POSITIVE_INFINITY);
    }

    @Override
    public void compute(Vertex vertex) {
        double known = vertex.state().getDouble(LENGTH_OFFSET);
        double length = vertex.superstep() == 0 && vertex.number() == source ? 0 : known;
        while (vertex.nextMessage()) {
            length = Math.min(length, vertex.message().getDouble(0));
        }
        if (length < known) {
            vertex.state().putDouble(LENGTH_OFFSET, length);
            while (vertex.nextArc()) {
                double weight = vertex.arcWeight();
                if (!(weight >= 0 && weight < Double.POSITIVE_INFINITY)) {
                    throw new IllegalArgumentException("the arc from " + vertex.number() + " to " + vertex.arcTarget()
                        + " has the weight " + weight);
                }
                vertex.outgoing().putDouble(0, length + weight);
                vertex.send(vertex.arcTarget());
            }
        }
        vertex.halt();
    }

    @Override
    public boolean combines() {
        return true;
    }

    @Override
    public void combine(Packed kept, Packed added) {
        kept.putDouble(0, Math.min(kept.getDouble(0), added.getDouble(0)));
    }
}
