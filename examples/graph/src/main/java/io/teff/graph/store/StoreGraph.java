package io.teff.graph.store;

import io.teff.engine.Chunks;
import io.teff.engine.Cid;
import io.teff.engine.Store;
import io.teff.engine.codec.Codec;
import io.teff.engine.collect.ChunkLongMap;
import io.teff.graph.Adjacency;
import io.teff.graph.Neighbours;
import io.teff.graph.load.LoadOptions;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A graph in a store. The graph has a name in the store, and is found again by this name, also after the restart of a
 * {@link io.teff.recovery.DurableStore}.
 *
 * <pre>
 *  name ──> header ──> first CID forward      chunk of vertex 0, 1, 2, ... at first + 0, first + 1, first + 2, ...
 *                 └──> first CID backward     the same for the reverse of a directed graph
 * </pre>
 *
 * <p>The content of the chunk of a vertex is its run of neighbours. Edges may be added and removed by any thread while
 * other threads read. A reader of a run sees the run as of one moment. A reader of several runs may see changes of
 * edges in between; in particular, an edge without direction may be in one of its two runs for a moment. A freeze or an
 * algorithm beside changes therefore sees a mix of moments, and ends normally.
 *
 * <p>All objects for one graph of one store may be used by several threads.
 */
public final class StoreGraph implements Adjacency {


    private final Store store;
    private final String name;
    private final long header;
    private final int vertexCount;
    private final boolean isDirected;
    private final boolean isWeighted;
    private final RunForm form;
    private final long forward;
    private final long backward;

    private StoreGraph(Store store, String name, long header, Header is) {
        this.store = store;
        this.name = name;
        this.header = header;
        this.vertexCount = is.vertexCount();
        this.isDirected = is.directed();
        this.isWeighted = is.weighted();
        this.form = is.form();
        this.forward = is.forward();
        this.backward = is.backward();
    }

    // ---- open, create and drop ----

    /**
     * Opens a graph.
     *
     * @param store store with the graph
     * @param name name of the graph
     * @return the graph
     * @throws NoSuchElementException if the store has no graph of that name
     * @throws IllegalStateException if the load of the graph has not ended; {@link GraphLoader} continues the load
     */
    public static StoreGraph open(Store store, String name) {
        long cid = GraphName.find(store, name);
        if (cid == Cid.NONE) {
            throw new NoSuchElementException("the store has no graph " + name);
        }
        Header header = Header.read(store, cid);
        if (header.isLoading()) {
            throw new IllegalStateException("the load of graph " + name + " has not ended");
        }
        return new StoreGraph(store, name, cid, header);
    }

    /**
     * Creates a graph without edges.
     *
     * @param store store for the graph
     * @param name name of the graph
     * @param vertexCount number of vertices, which cannot change later
     * @param directed whether an arc and its reverse are different; a directed graph gets a reverse
     * @param weighted whether edges have weights
     * @param form form of the runs
     * @return the graph
     * @throws IllegalArgumentException if the store has a graph of that name, or the number is out of range
     * @throws io.teff.engine.error.StoreException of category DEGRADED if the memory limit is reached
     */
    public static StoreGraph create(Store store, String name, int vertexCount, boolean directed, boolean weighted,
                                    RunForm form) {
        LoadOptions.DEFAULT.withVertices(vertexCount);
        Header header = Header.create(store, vertexCount, directed, weighted, form, directed, 0);
        long cid = header.bind(store, name);
        return new StoreGraph(store, name, cid, header);
    }

    /**
     * Removes a graph with its properties. No thread may use the graph.
     *
     * @param store store with the graph
     * @param name name of the graph
     * @return whether there was a graph of that name
     */
    public static boolean drop(Store store, String name) {
        long cid = GraphName.find(store, name);
        if (cid == Cid.NONE) {
            return false;
        }
        Header header = Header.read(store, cid);
        VertexColumn.dropAll(store, name, header.vertexCount());
        for (String other : store.names().all().keySet()) {
            if (other.startsWith(edgeName(name, ""))) {
                store.names().drop(other);
            }
        }
        store.names().drop(GraphName.of(name));
        Header.removeAll(store, header.forward(), header.vertexCount());
        if (header.backward() != Cid.NONE) {
            Header.removeAll(store, header.backward(), header.vertexCount());
        }
        store.remove(cid);
        return true;
    }

    private static String edgeName(String name, String property) {
        return GraphName.of(name) + GraphName.SEPARATOR + "edge " + property;
    }

    /** Returns a graph whose load has ended just now. */
    static StoreGraph loaded(Store store, String name, long cid) {
        return new StoreGraph(store, name, cid, Header.read(store, cid));
    }

    // ---- reading ----

    /** {@return the store with the graph} */
    public Store store() {
        return store;
    }

    /** {@return the name of the graph} */
    public String name() {
        return name;
    }

    /** {@return the form of the runs} */
    public RunForm form() {
        return form;
    }

    /**
     * Returns the chunk of a vertex.
     *
     * @param vertex the vertex
     * @return CID of the chunk with the run of the vertex
     */
    public long cid(int vertex) {
        return forward + Objects.checkIndex(vertex, vertexCount);
    }

    @Override
    public int vertexCount() {
        return vertexCount;
    }

    @Override
    public long arcCount() {
        return store.fields().getLong(header, HeaderLayout.ARC_COUNT_OFFSET, 0);
    }

    @Override
    public boolean directed() {
        return isDirected;
    }

    @Override
    public boolean weighted() {
        return isWeighted;
    }

    @Override
    public int degree(int vertex) {
        long cid = cid(vertex);
        if (form == RunForm.PACKED) {
            return new StoreNeighbours(this, forward).open(vertex);
        }
        return (int) (Chunks.check(cid, store.size(cid))
            / (RunBytes.TARGET_BYTES + (isWeighted ? RunBytes.WEIGHT_BYTES : 0)));
    }

    @Override
    public Neighbours neighbours() {
        return new StoreNeighbours(this, forward);
    }

    @Override
    public Adjacency reversed() {
        if (!isDirected) {
            return this;
        }
        if (backward == Cid.NONE) {
            throw new IllegalStateException("graph " + name + " was loaded without its reverse");
        }
        return new ReversedGraph(this, backward);
    }

    // ---- changing ----

    /**
     * Adds an edge. In a graph without direction, and in one with a reverse, two runs change, one after the other.
     *
     * @param source a vertex
     * @param target a vertex
     * @return whether the edge is new; an edge that is there stays
     * @throws IndexOutOfBoundsException if a vertex is outside of the graph
     * @throws io.teff.engine.error.StoreException of category DEGRADED if the memory limit is reached: the edge may be
     *     in one of two runs; adding or removing the edge again completes the change
     */
    public boolean addEdge(int source, int target) {
        return addEdge(source, target, 1);
    }

    /**
     * Adds an edge with a weight, or changes the weight of an edge.
     *
     * @param source a vertex
     * @param target a vertex
     * @param weight the weight; ignored in a graph without weights
     * @return whether the edge is new
     * @throws IndexOutOfBoundsException if a vertex is outside of the graph
     * @throws io.teff.engine.error.StoreException like {@link #addEdge(int, int)}
     */
    public boolean addEdge(int source, int target, double weight) {
        return change(source, target, edit -> edit.add(weight));
    }

    /**
     * Removes an edge.
     *
     * @param source a vertex
     * @param target a vertex
     * @return whether there was such an edge
     * @throws IndexOutOfBoundsException if a vertex is outside of the graph
     */
    public boolean removeEdge(int source, int target) {
        return change(source, target, RunEdit::remove);
    }

    /** A change of one run. */
    private interface Change {
        /** Returns by how much the run has become longer. */
        int apply(RunEdit edit);
    }

    private boolean change(int source, int target, Change change) {
        Objects.checkIndex(source, vertexCount);
        Objects.checkIndex(target, vertexCount);
        boolean isMirrored = source != target || isDirected;
        long other = isDirected ? backward : forward;
        long one = forward + source;
        long two = other + target;
        boolean isTwo = isMirrored && other != Cid.NONE;
        if (!isTwo) {
            return changed(locked(one, () -> change.apply(new RunEdit(this, one, target))), 0);
        }
        long low = Math.min(one, two);
        long high = Math.max(one, two);
        return locked(low, () -> locked(high, () -> {
            int here = change.apply(new RunEdit(this, one, target));
            int there = change.apply(new RunEdit(this, two, source));
            return changed(here, isDirected ? 0 : there);
        }));
    }

    private boolean changed(int here, int there) {
        if (here + there != 0) {
            Chunks.check(header, store.fields().getAndAddLong(header, HeaderLayout.ARC_COUNT_OFFSET, here + there));
        }
        return here != 0;
    }

    /** Work under the lock of a chunk. */
    private interface Locked<T> {
        T run();
    }

    private <T> T locked(long cid, Locked<T> work) {
        Chunks.check(cid, store.locks().lockWrite(cid, store.config().lockTimeoutNs()));
        try {
            return work.run();
        } finally {
            store.locks().unlock(cid);
        }
    }

    // ---- properties ----

    /**
     * Opens a property of the vertices; creates the property if it does not exist. A property takes 8 bytes for each
     * vertex, and its values.
     *
     * @param <V> type of the values
     * @param property name of the property
     * @param codec codec of the values, which writes at least one byte
     * @return the property
     */
    public <V> VertexColumn<V> column(String property, Codec<V> codec) {
        return VertexColumn.open(store, name, property, vertexCount, codec);
    }

    /**
     * Opens a property of the edges: a map from {@link #edgeKey} to a value. An edge without a value takes no memory.
     * The map does not notice that an edge is removed.
     *
     * @param <V> type of the values
     * @param property name of the property
     * @param codec codec of the values
     * @return the map
     */
    public <V> ChunkLongMap<V> edgeProperty(String property, Codec<V> codec) {
        return store.longMap(edgeName(name, property), codec);
    }

    /**
     * Returns the key of an edge in a map of {@link #edgeProperty}. In a graph without direction both directions have
     * the same key.
     *
     * @param source a vertex
     * @param target a vertex
     * @return the key
     */
    public long edgeKey(int source, int target) {
        int from = isDirected ? source : Math.min(source, target);
        int to = isDirected ? target : Math.max(source, target);
        return (long) from << Integer.SIZE | to;
    }

    // ---- checking ----

    /**
     * Checks the order and range of all runs, both runs of each edge, and the number of arcs. No thread may change
     * the graph meanwhile. Takes the time of several searches.
     *
     * @throws IllegalStateException naming the first violation
     */
    public void audit() {
        GraphAudit.check(this, backward == Cid.NONE && isDirected ? null : reversed());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof StoreGraph graph && graph.store == store && graph.header == header;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(header);
    }

    /** {@return the name and the numbers of vertices and arcs, for people} */
    @Override
    public String toString() {
        return "StoreGraph[" + name + ", " + vertexCount + " vertices, " + arcCount() + " arcs"
            + (isDirected ? ", directed" : "") + (isWeighted ? ", weighted" : "") + ", " + form + ']';
    }
}
