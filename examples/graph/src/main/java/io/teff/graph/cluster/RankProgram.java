package io.teff.graph.cluster;

import io.teff.graph.algorithms.program.Aggregate;
import io.teff.graph.algorithms.program.Packed;
import io.teff.graph.algorithms.program.Vertex;
import io.teff.graph.algorithms.program.VertexProgram;
import java.nio.ByteBuffer;
import java.util.List;

/** PageRank by the definition of LDBC Graphalytics; see {@link io.teff.graph.kernel.PageRank}. */
record RankProgram(int rounds, double damping) implements VertexProgram {
    static final String NAME = "pagerank";
    static final int SCORE_OFFSET = 0;

    static RankProgram of(byte[] settings) {
        ByteBuffer in = PartLayout.view(settings);
        return new RankProgram(in.getInt(), in.getDouble());
    }

    byte[] settings() {
        byte[] settings = new byte[Integer.BYTES + Double.BYTES];
        PartLayout.view(settings).putInt(rounds).putDouble(damping);
        return settings;
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
    public boolean sendsToNeighboursOnce() {
        return true;
    }

    @Override
    public void compute(Vertex vertex) {
        double score = 1.0 / vertex.vertexCount();
        if (vertex.superstep() > 0) {
            double sum = 0;
            while (vertex.nextMessage()) {
                sum += vertex.message().getDouble(0);
            }
            double lost = vertex.before().getDouble(0);
            score = (1 - damping) / vertex.vertexCount() + damping * (sum + lost / vertex.vertexCount());
        }
        vertex.state().putDouble(SCORE_OFFSET, score);
        if (vertex.superstep() == rounds) {
            vertex.halt();
        } else if (vertex.degree() == 0) {
            vertex.aggregate(0, score);
        } else {
            vertex.outgoing().putDouble(0, score / vertex.degree());
            vertex.sendToNeighbours();
        }
    }

    @Override
    public boolean combines() {
        return true;
    }

    @Override
    public void combine(Packed kept, Packed added) {
        kept.putDouble(0, kept.getDouble(0) + added.getDouble(0));
    }

    /** The scores of vertices without arcs. */
    @Override
    public List<Aggregate> aggregates() {
        return List.of(Aggregate.SUM_DOUBLE);
    }
}
