package io.teff.graph.kernel;

import io.teff.graph.frozen.FrozenGraph;
import io.teff.graph.work.Workers;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The inner loops of a search on the arrays of a frozen graph.
 *
 * <p>A vertex that was not reached has minus its number of arcs in the place of its parent, or -1, so that a step down
 * learns the arcs of the next level from memory that it reads anyway.
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
        final FrozenGraph runs = graph;
        long start = runs.start(from);
        for (int vertex = from; vertex < to; vertex++) {
            long end = runs.start(vertex + 1);
            parents[vertex] = (int) Math.min(start - end, ParentTree.NONE);
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
            final long end = runs.start(vertex + 1);
            for (long place = runs.start(vertex); place < end; place++) {
                int neighbour = runs.target(place);
                int seen = known[neighbour];
                if (seen < 0 && found.take(neighbour, seen, vertex)) {
                    arcs -= seen;
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
                if (known[first + bit] < 0) {
                    final long behind = runs.start(first + bit + 1);
                    for (long place = runs.start(first + bit); place < behind; place++) {
                        int neighbour = runs.target(place);
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
