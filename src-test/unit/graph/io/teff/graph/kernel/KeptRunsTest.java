package io.teff.graph.kernel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.graph.Adjacency;
import io.teff.graph.EdgeList;
import io.teff.graph.GraphForms;
import io.teff.graph.load.LoadOptions;
import io.teff.graph.work.WorkWatch;
import io.teff.graph.work.Workers;
import io.teff.test.kit.Seed;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/**
 * Goal: ranks are equal bit by bit, whether all, some or none of the runs are kept. Method: a graph of several blocks
 * in all forms, with limits for no block, for some and for all.
 */
final class KeptRunsTest {
    private static final int VERTICES = 20_000;
    private static final int EDGES = 60_000;
    private static final int ROUNDS = 4;
    private static final long SOME_BYTES = 2 * EDGES * Integer.BYTES / 2;

    /** The ranks of a graph, with a limit for the kept runs. */
    private static double[] ranks(Adjacency graph, Workers workers, long bytesMax, boolean isWide) {
        try (RankSteps steps = isWide ? new WideCursorRank(graph, graph.reversed(), workers, bytesMax)
            : new NarrowCursorRank(graph, graph.reversed(), workers, bytesMax)) {
            assertEquals(ROUNDS, steps.run(ROUNDS, -1, PageRank.DAMPING, isWide, WorkWatch.NONE).count());
            return steps.scores;
        }
    }

    @Test
    void ranks_withEachLimit_areEqual() throws IOException {
        for (boolean isDirected : new boolean[] {false, true}) {
            try (GraphForms forms = new GraphForms()) {
                EdgeList edges = EdgeList.random(Seed.random(3), VERTICES, EDGES, isDirected, false);
                for (Adjacency graph : forms.all(edges, LoadOptions.DEFAULT)) {
                    for (boolean isWide : new boolean[] {false, true}) {
                        double[] expected = ranks(graph, forms.workers().getFirst(), 0, isWide);
                        for (Workers workers : forms.workers()) {
                            for (long bytesMax : new long[] {SOME_BYTES, KeptRuns.BYTES_MAX}) {
                                assertArrayEquals(expected, ranks(graph, workers, bytesMax, isWide),
                                    graph + " " + bytesMax + " " + isWide);
                            }
                        }
                    }
                }
            }
        }
    }

    @Test
    void read_blocksBeyondTheLimit_areNotKept() throws IOException {
        try (GraphForms forms = new GraphForms()) {
            EdgeList edges = EdgeList.random(Seed.random(3), VERTICES, EDGES, false, false);
            Adjacency graph = forms.all(edges, LoadOptions.DEFAULT).getFirst();
            int block = 1 << RankSteps.BLOCK_SHIFT;
            int[] lengths = new int[VERTICES];
            try (KeptRuns runs = new KeptRuns(graph, RankSteps.BLOCK_SHIFT, SOME_BYTES)) {
                long bytes = 0;
                int kept = 0;
                for (int from = 0; from < VERTICES; from += block) {
                    int to = Math.min(from + block, VERTICES);
                    runs.read(from, to, lengths);
                    KeptRuns.Block found = runs.block(from);
                    if (found != null) {
                        kept++;
                        bytes += found.targets().byteSize();
                        assertEquals(found.ends()[to - from - 1] * (long) Integer.BYTES, found.targets().byteSize());
                    }
                }
                assertTrue(kept > 0 && kept < Math.ceilDiv(VERTICES, block) && bytes <= SOME_BYTES, kept
                    + " blocks of " + bytes + " bytes");
                for (int vertex = 0; vertex < VERTICES; vertex++) {
                    assertEquals(graph.degree(vertex), lengths[vertex]);
                }
            }
        }
    }
}
