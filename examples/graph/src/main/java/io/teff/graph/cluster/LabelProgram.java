package io.teff.graph.cluster;

import io.teff.graph.algorithms.program.Packed;
import io.teff.graph.algorithms.program.Vertex;
import io.teff.graph.algorithms.program.VertexProgram;
import java.util.Arrays;

/** Communities by label propagation, as LDBC Graphalytics defines it: the most frequent label of the neighbours. */
record LabelProgram(int rounds) implements VertexProgram {
    static final String NAME = "communities";
    static final int LABEL_OFFSET = 0;

    static LabelProgram of(byte[] settings) {
        return new LabelProgram(PartLayout.view(settings).getInt());
    }

    byte[] settings() {
        return SearchProgram.settings(rounds);
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
    public void begin(int vertex, Packed state) {
        state.putInt(LABEL_OFFSET, vertex);
    }

    @Override
    public boolean sendsToNeighboursOnce() {
        return true;
    }

    @Override
    public void compute(Vertex vertex) {
        if (vertex.superstep() > 0) {
            int[] labels = new int[vertex.degree()];            // each neighbour has sent one label
            int count = 0;
            while (vertex.nextMessage()) {
                labels[count++] = vertex.message().getInt(0);
            }
            if (count > 0) {
                vertex.state().putInt(LABEL_OFFSET, mostFrequent(labels, count));
            }
        }
        if (vertex.superstep() == rounds) {
            vertex.halt();
        } else {
            vertex.outgoing().putInt(0, vertex.state().getInt(LABEL_OFFSET));
            vertex.sendToNeighbours();
        }
    }

    /** The smallest of the most frequent labels. */
    private static int mostFrequent(int[] labels, int count) {
        Arrays.sort(labels, 0, count);
        int best = labels[0];
        int bestCount = 0;
        for (int i = 0; i < count; ) {
            int end = i + 1;
            while (end < count && labels[end] == labels[i]) {
                end++;
            }
            if (end - i > bestCount) {
                bestCount = end - i;
                best = labels[i];
            }
            i = end;
        }
        return best;
    }
}
