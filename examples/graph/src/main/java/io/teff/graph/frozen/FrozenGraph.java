package io.teff.graph.frozen;

import io.teff.graph.Adjacency;
import io.teff.graph.Neighbours;
import io.teff.graph.edges.EdgeSource;
import io.teff.graph.load.EdgeSorter;
import io.teff.graph.load.LoadOptions;
import io.teff.graph.work.WorkWatch;
import io.teff.graph.work.Workers;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A graph that never changes, in two arrays: where the run of each vertex begins, on the heap, and all runs, one behind
 * the other, off the heap. A directed graph may have two further arrays for its reverse.
 *
 * <pre>
 *  starts    |  0  |  2  |  2  |  5  |            vertexCount + 1 numbers of 8 bytes
 *               |     |     |     +------------------------------+
 *               v     +-----+--------+                           v
 *  targets   |  1  |  2  |  0  |  1  |  2  |      arcCount numbers of 4 bytes
 *  weights   | 0.5 | 1.0 | ...                    arcCount numbers of 8 bytes, of a weighted graph only
 * </pre>
 *
 * <p>{@link #start} and {@link #target} read these arrays without a cursor. The memory is released after the graph has
 * become unreachable, or at the end of the arena that was given. Safe for use by several threads.
 */
public final class FrozenGraph implements Adjacency {
    /** Bytes of a neighbour. */
    static final int TARGET_BYTES = Integer.BYTES;

    /** Unaligned layouts spare the check of the alignment. */
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
    private static final ValueLayout.OfDouble DOUBLE = ValueLayout.JAVA_DOUBLE_UNALIGNED;
    private static final int GRAIN = 1 << 12;

    private final int vertexCount;
    private final long arcCount;
    private final boolean isDirected;
    /** On the heap: each step of a search reads places, and an array is faster than a segment. */
    private final long[] starts;
    private final MemorySegment targets;
    private final @Nullable MemorySegment weights;
    private @Nullable FrozenGraph reversed;

    FrozenGraph(boolean isDirected, long[] starts, MemorySegment targets, @Nullable MemorySegment weights) {
        this.vertexCount = starts.length - 1;
        this.arcCount = starts[vertexCount];
        this.isDirected = isDirected;
        this.starts = starts;
        this.targets = targets;
        this.weights = weights;
    }

    // ---- making ----

    /**
     * Copies a graph. A directed graph is copied with its reverse if it has one.
     *
     * @param graph graph that does not change meanwhile
     * @param workers threads that copy
     * @return the copy
     * @throws java.util.ConcurrentModificationException if a run has changed during the copy
     */
    public static FrozenGraph of(Adjacency graph, Workers workers) {
        return of(graph, workers, Arena.ofAuto());
    }

    /**
     * Copies a graph into memory of an arena. A directed graph is copied with its reverse if it has one.
     *
     * @param graph graph that does not change meanwhile
     * @param workers threads that copy
     * @param arena owner of the memory; shared by threads if the graph shall be
     * @return the copy
     * @throws java.util.ConcurrentModificationException if a run has changed during the copy
     */
    public static FrozenGraph of(Adjacency graph, Workers workers, Arena arena) {
        FrozenGraph copy = GraphCopy.copy(graph, workers, arena);
        if (graph.directed()) {
            Adjacency reverse;
            try {
                reverse = graph.reversed();
            } catch (IllegalStateException e) {
                return copy;
            }
            copy.pair(GraphCopy.copy(reverse, workers, arena));
        }
        return copy;
    }

    /**
     * Reads edges into a graph without a store.
     *
     * @param source the edges
     * @param options what happens to loops, duplicates and directions, and how much memory sorting takes
     * @param workers threads that read and sort
     * @param watch sees the progress
     * @return the graph
     * @throws IOException if the source cannot be read
     */
    public static FrozenGraph load(EdgeSource source, LoadOptions options, Workers workers, WorkWatch watch)
        throws IOException {
        EdgeSorter sorter = new EdgeSorter(source, options, workers, watch);
        Arena arena = Arena.ofAuto();
        FrozenGraph graph = sorted(sorter, false, arena);
        if (sorter.isDirected() && options.reverse()) {
            graph.pair(sorted(sorter, true, arena));
        }
        return graph;
    }

    private static FrozenGraph sorted(EdgeSorter sorter, boolean isBackward, Arena arena) throws IOException {
        FrozenRuns runs = new FrozenRuns(sorter, arena);
        sorter.sort(isBackward, runs);
        return runs.end();
    }

    /**
     * Takes arrays of another program: places, and neighbours of 4 bytes in the order of this machine.
     *
     * @param isDirected whether an arc and its reverse are different
     * @param starts place of each run, and the number of arcs at the end; not copied
     * @param targets the runs, each sorted
     * @return a graph over the same memory
     * @throws IllegalArgumentException if places or neighbours are out of range or out of order; the message names the
     *     vertex
     */
    public static FrozenGraph over(boolean isDirected, long[] starts, MemorySegment targets) {
        FrozenGraph graph = new FrozenGraph(isDirected, starts, targets, null);
        graph.audit();
        return graph;
    }

    /**
     * Makes two graphs the reverse of each other. The numbers of vertices and arcs are compared, the arcs are not.
     *
     * @param reverse has each arc of this graph in the other direction
     * @throws IllegalArgumentException if the graphs have different numbers of vertices or arcs
     */
    public void pair(FrozenGraph reverse) {
        if (reverse.vertexCount != vertexCount || reverse.arcCount != arcCount) {
            throw new IllegalArgumentException("a graph of " + vertexCount + " vertices and " + arcCount
                + " arcs is not the reverse of one of " + reverse.vertexCount + " and " + reverse.arcCount);
        }
        reversed = reverse;
        reverse.reversed = this;
    }

    // ---- reading ----

    @Override
    public int vertexCount() {
        return vertexCount;
    }

    @Override
    public long arcCount() {
        return arcCount;
    }

    @Override
    public boolean directed() {
        return isDirected;
    }

    @Override
    public boolean weighted() {
        return weights != null;
    }

    @Override
    public int degree(int vertex) {
        Objects.checkIndex(vertex, vertexCount);
        return (int) (start(vertex + 1) - start(vertex));
    }

    /**
     * Returns the place of the first neighbour of a vertex. Its last neighbour is in front of the first neighbour of
     * the next vertex.
     *
     * @param vertex the vertex, or {@link #vertexCount()} for the end of all runs
     * @return place for {@link #target}
     */
    public long start(int vertex) {
        return starts[vertex];
    }

    /**
     * Returns the neighbour at a place.
     *
     * @param place 0 to {@link #arcCount()} - 1
     * @return number of the neighbour
     */
    public int target(long place) {
        return targets.get(INT, place * TARGET_BYTES);
    }

    /**
     * Returns the weight of the arc at a place.
     *
     * @param place 0 to {@link #arcCount()} - 1
     * @return the weight; 1 in a graph without weights
     */
    public double weight(long place) {
        return weights == null ? 1 : weights.get(DOUBLE, place * Double.BYTES);
    }

    @Override
    public Neighbours neighbours() {
        return new FrozenNeighbours(this);
    }

    @Override
    public Adjacency reversed() {
        if (!isDirected) {
            return this;
        }
        if (reversed == null) {
            throw new IllegalStateException("the graph has no reverse");
        }
        return reversed;
    }

    /** {@return bytes of the arrays, with those of the reverse} */
    public long memoryBytes() {
        return bytes() + (reversed == null ? 0 : reversed.bytes());
    }

    private long bytes() {
        return (long) starts.length * Long.BYTES + arcCount * (TARGET_BYTES + (weights == null ? 0 : Double.BYTES));
    }

    /**
     * Checks that places and neighbours are in range, and that runs are sorted.
     *
     * @throws IllegalArgumentException naming the vertex
     */
    public void audit() {
        if (start(0) != 0 || arcCount < 0 || arcCount > targets.byteSize() / TARGET_BYTES) {
            throw new IllegalArgumentException("the runs of " + arcCount + " arcs are not inside of "
                + targets.byteSize() + " bytes");
        }
        for (int vertex = 0; vertex < vertexCount; vertex++) {
            long end = start(vertex + 1);
            if (end < start(vertex) || end > arcCount) {
                throw new IllegalArgumentException("the run of vertex " + vertex + " ends at " + end);
            }
            int before = 0;
            for (long place = start(vertex); place < end; place++) {
                int target = target(place);
                if (target < before || target >= vertexCount) {
                    throw new IllegalArgumentException("vertex " + vertex + " has the neighbour " + target + " behind "
                        + before + " in a graph of " + vertexCount + " vertices");
                }
                before = target;
            }
        }
    }

    /** {@return the numbers of vertices and arcs, for people} */
    @Override
    public String toString() {
        return "FrozenGraph[" + vertexCount + " vertices, " + arcCount + " arcs" + (isDirected ? ", directed" : "")
            + (weights == null ? "" : ", weighted") + ']';
    }

    // ---- places for those who fill arrays ----

    /** Returns the place of each run, and the number of arcs at the end. */
    static long[] starts(int[] degrees) {
        long[] starts = new long[degrees.length + 1];
        long arcs = 0;
        for (int vertex = 0; vertex < degrees.length; vertex++) {
            starts[vertex] = arcs;
            arcs += degrees[vertex];
        }
        starts[degrees.length] = arcs;
        return starts;
    }

    static void putTargets(int[] source, int from, MemorySegment targets, long place, int count) {
        MemorySegment.copy(source, from, targets, INT, place * TARGET_BYTES, count);
    }

    static void putWeights(double[] source, int from, MemorySegment weights, long place, int count) {
        MemorySegment.copy(source, from, weights, DOUBLE, place * Double.BYTES, count);
    }

    static int grain() {
        return GRAIN;
    }
}
