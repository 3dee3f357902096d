package io.teff.graph.kernel;

import io.teff.graph.work.WorkWatch;
import io.teff.graph.work.Workers;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * The levels of one search. Subclasses have the two inner loops.
 *
 * <p>The vertices of all levels of steps down are in one queue; a level is a range of the queue. A step up reads the
 * last level as bits and writes the next as bits. A parent is set by one compare-and-set if there are several workers:
 * the first one wins, and puts the vertex into the queue. In a step up, the words of the bits, and the parents of their
 * vertices, belong to one worker each.
 */
abstract class SearchSteps {
    /** Arcs to look at per arc of the last level, from which on a step goes up. */
    private static final int ALPHA = 15;
    /** Vertices per vertex of the last level, up to which steps go up. */
    private static final int BETA = 18;
    /** Vertices of the queue that a worker takes at once. */
    private static final int DOWN_GRAIN = 256;
    /** Words of bits that a worker takes at once. */
    private static final int UP_GRAIN = 64;
    private static final int FILL_GRAIN = 1 << 16;
    /** Vertices that a worker collects before it puts them into the queue. */
    private static final int LOCAL_COUNT = 1024;

    private static final VarHandle INTS = MethodHandles.arrayElementVarHandle(int[].class);

    final int vertexCount;
    /** Negative for a vertex that was not reached. */
    final int[] parents;
    private final long arcCount;
    private final Workers workers;
    private final boolean isAlone;
    private final int[] queue;
    private final AtomicInteger queueEnd = new AtomicInteger();
    private final int[][] local;
    private Bits front;
    private Bits next;

    SearchSteps(int vertexCount, long arcCount, Workers workers) {
        this.vertexCount = vertexCount;
        this.arcCount = arcCount;
        this.workers = workers;
        this.isAlone = workers.count() == 1;
        parents = new int[vertexCount];
        queue = new int[vertexCount];
        local = new int[workers.count()][];
        front = new Bits(0);
        next = front;
    }

    // ---- inner loops ----

    /** Sets the parents of vertices that were not reached. */
    abstract void fill(int from, int to);

    /** Returns whether steps may go up. */
    abstract boolean canGoUp();

    /** Goes down from a range of the queue; returns the arcs of the vertices found, if known. */
    abstract long down(int[] queue, int from, int to, Found found);

    /** Goes up for a range of words; returns the number of vertices found. */
    abstract int up(long[] front, long[] next, int fromWord, int toWord);

    /** Returns the arcs of a level, exactly or nearly. */
    abstract long arcsOf(int[] queue, int from, int to, long known);

    // ---- levels ----

    int[] run(int root, WorkWatch watch) {
        workers.ranges(vertexCount, FILL_GRAIN, (from, to, worker) -> fill(from, to));
        queue[0] = root;
        queueEnd.set(1);
        parents[root] = root;
        int from = 0;
        int to = 1;
        long arcsLeft = arcCount;
        long arcsOfLevel = canGoUp() ? arcsOf(queue, from, to, -1) : 0;
        int level = 0;
        while (from < to) {
            watch.check("levels", level++, -1);
            if (canGoUp() && arcsOfLevel > arcsLeft / ALPHA) {
                toBits(from, to);
                int count = to - from;
                int before;
                do {
                    before = count;
                    count = up();
                    watch.check("levels", level++, -1);
                } while (count >= before || count > vertexCount / BETA);
                from = to;
                to = toQueue(to);
                arcsOfLevel = 1;
            } else {
                arcsLeft -= arcsOfLevel;
                LongAdder arcs = new LongAdder();
                int start = from;
                workers.ranges(to - from, DOWN_GRAIN, (first, end, worker) ->
                    arcs.add(downPart(start + first, start + end, worker)));
                from = to;
                to = queueEnd.get();
                arcsOfLevel = canGoUp() ? arcsOf(queue, from, to, arcs.sum()) : 0;
            }
        }
        return parents;
    }

    private long downPart(int from, int to, int worker) {
        Found found = new Found(worker);
        long arcs = down(queue, from, to, found);
        found.flush();
        return arcs;
    }

    private int up() {
        next.clear();
        LongAdder found = new LongAdder();
        workers.ranges(Bits.wordsFor(vertexCount), UP_GRAIN, (from, to, worker) ->
            found.add(up(front.words(), next.words(), from, to)));
        front.swap(next);
        return found.intValue();
    }

    private void toBits(int from, int to) {
        if (front == next) {
            front = new Bits(vertexCount);
            next = new Bits(vertexCount);
        } else {
            front.clear();
        }
        for (int i = from; i < to; i++) {
            front.set(queue[i]);
        }
    }

    private int toQueue(int to) {
        long[] words = front.words();
        int end = to;
        for (int word = 0; word < words.length; word++) {
            for (long rest = words[word]; rest != 0; rest &= rest - 1) {
                queue[end++] = (word << Bits.WORD_SHIFT) + Long.numberOfTrailingZeros(rest);
            }
        }
        queueEnd.set(end);
        return end;
    }

    /** Takes the vertices that one worker finds in a step down. */
    final class Found {
        private final int[] vertices;
        private int count;

        Found(int worker) {
            if (local[worker] == null) {
                local[worker] = new int[LOCAL_COUNT];
            }
            vertices = local[worker];
        }

        /** Makes a vertex the parent of another one if no worker has; returns whether this call did. */
        boolean take(int vertex, int seen, int parent) {
            if (isAlone) {
                parents[vertex] = parent;
            } else if (!INTS.compareAndSet(parents, vertex, seen, parent)) {
                return false;
            }
            if (count == LOCAL_COUNT) {
                flush();
            }
            vertices[count++] = vertex;
            return true;
        }

        private void flush() {
            System.arraycopy(vertices, 0, queue, queueEnd.getAndAdd(count), count);
            count = 0;
        }
    }
}
