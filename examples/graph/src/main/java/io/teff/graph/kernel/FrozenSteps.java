package io.teff.graph.kernel;

import io.teff.graph.frozen.FrozenGraph;
import io.teff.graph.work.Workers;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The inner loops of a search on the arrays of a frozen graph.
 *
 * <p>A vertex that was not reached has -1 minus a number of arcs in the place of its parent. A step down learns the
 * arcs of the next level from memory that it reads anyway. A step up learns the length of a run without a second place,
 * and does not look at vertices without arcs. In a directed graph the place has the number of arcs backward, which
 * stands for the number forward.
 */
final class FrozenSteps extends SearchSteps {
    private final FrozenGraph graph;
    private final @Nullable FrozenGraph back;

    FrozenSteps(FrozenGraph graph, @Nullable FrozenGraph back, Workers workers) {
        super(graph.vertexCount(), graph.arcCount(), workers);
        this.graph = graph;
        this.back = back;
    }

    @Override
    void fill(int from, int to) {
        if (back == null) {
            Arrays.fill(parents, from, to, ParentTree.NONE);
            return;
        }
        final FrozenGraph runs = back;
        long start = runs.start(from);
        for (int vertex = from; vertex < to; vertex++) {
            long end = runs.start(vertex + 1);
            parents[vertex] = ~(int) (end - start);
            start = end;
        }
    }

    @Override
    boolean canGoUp() {
        return back != null;
    }

    @Override
    long down(int[] queue, int from, int to, Found found) {
        final FrozenGraph runs = graph;
        final int[] known = parents;
        long arcs = 0;
        for (int i = from; i < to; i++) {
            final int vertex = queue[i];
            final long start = runs.start(vertex);
            final int length = (int) (runs.start(vertex + 1) - start);
            for (int at = 0; at < length; at++) {
                int neighbour = runs.target(start + at);
                int seen = known[neighbour];
                if (seen < 0 && found.take(neighbour, seen, vertex)) {
                    arcs += ~seen;
                }
            }
        }
        return arcs;
    }

    @Override
    int up(long[] front, long[] next, int fromWord, int toWord) {
        final FrozenGraph runs = Objects.requireNonNull(back);
        final int[] known = parents;
        int count = 0;
        for (int word = fromWord; word < toWord; word++) {
            final int first = word << Bits.WORD_SHIFT;
            final int end = Math.min(vertexCount - first, Long.SIZE);
            long found = 0;
            for (int bit = 0; bit < end; bit++) {
                final int length = ~known[first + bit];
                if (length > 0) {
                    final long start = runs.start(first + bit);
                    for (int at = 0; at < length; at++) {
                        int neighbour = runs.target(start + at);
                        if ((front[neighbour >>> Bits.WORD_SHIFT] >>> neighbour & 1) != 0) {
                            known[first + bit] = neighbour;
                            found |= 1L << bit;
                            break;
                        }
                    }
                }
            }
            if (found != 0) {
                next[word] = found;
                count += Long.bitCount(found);
            }
        }
        return count;
    }

    @Override
    long arcsOf(int[] queue, int from, int to, long known) {
        return known >= 0 ? known : graph.degree(queue[from]);
    }
}
