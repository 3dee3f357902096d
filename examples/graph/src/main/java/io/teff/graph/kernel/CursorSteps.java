package io.teff.graph.kernel;

import io.teff.graph.Adjacency;
import io.teff.graph.Neighbours;
import io.teff.graph.work.Workers;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The inner loops of a search by cursors.
 *
 * <p>The number of arcs of a vertex may cost a look-up. Therefore the arcs of a level are estimated from some of its
 * vertices. A vertex without arcs to it is marked in the first step up, and not looked at again.
 */
final class CursorSteps extends SearchSteps {
    /** In the place of the parent of a vertex that no arc leads to. */
    private static final int UNREACHABLE = -2;
    /** Vertices whose arcs are counted for an estimate. */
    private static final int SAMPLE_COUNT = 64;
    private static final int FIRST_RUN_LENGTH = 1024;

    private final Adjacency graph;
    private final @Nullable Adjacency back;

    CursorSteps(Adjacency graph, @Nullable Adjacency back, Workers workers) {
        super(graph.vertexCount(), graph.arcCount(), workers);
        this.graph = graph;
        this.back = back;
    }

    @Override
    void fill(int from, int to) {
        Arrays.fill(parents, from, to, ParentTree.NONE);
    }

    @Override
    boolean canGoUp() {
        return back != null;
    }

    @Override
    long down(int[] queue, int from, int to, Found found) {
        final Neighbours cursor = graph.neighbours();
        final int[] known = parents;
        int[] run = new int[FIRST_RUN_LENGTH];
        for (int i = from; i < to; i++) {
            final int vertex = queue[i];
            final int length = cursor.open(vertex);
            if (run.length < length) {
                run = new int[length];
            }
            cursor.next(run, length);
            for (int at = 0; at < length; at++) {
                int neighbour = run[at];
                int seen = known[neighbour];
                if (seen < 0) {
                    found.take(neighbour, seen, vertex);
                }
            }
        }
        return 0;
    }

    @Override
    int up(long[] front, long[] next, int fromWord, int toWord) {
        final Neighbours cursor = Objects.requireNonNull(back).neighbours();
        final int[] known = parents;
        int count = 0;
        for (int word = fromWord; word < toWord; word++) {
            final int first = word << Bits.WORD_SHIFT;
            final int end = Math.min(vertexCount - first, Long.SIZE);
            long found = 0;
            for (int bit = 0; bit < end; bit++) {
                if (known[first + bit] != ParentTree.NONE) {
                    continue;
                }
                int left = cursor.open(first + bit);
                if (left == 0) {
                    known[first + bit] = UNREACHABLE;
                }
                for (; left > 0; left--) {
                    int neighbour = cursor.next();
                    if ((front[neighbour >>> Bits.WORD_SHIFT] >>> neighbour & 1) != 0) {
                        known[first + bit] = neighbour;
                        found |= 1L << bit;
                        break;
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
        long arcs = 0;
        Neighbours cursor = graph.neighbours();
        int count = Math.min(to - from, SAMPLE_COUNT);
        for (int i = 0; i < count; i++) {
            arcs += cursor.open(queue[from + (int) ((long) (to - from) * i / count)]);
        }
        return count == 0 ? 0 : Math.round((double) arcs / count * (to - from));
    }
}
