package io.teff.graph.store;

import io.teff.engine.Chunks;
import io.teff.engine.Cid;
import io.teff.engine.Store;
import io.teff.engine.error.StoreException.Category;
import io.teff.engine.error.StoreException;
import io.teff.engine.report.StoreStats;
import io.teff.graph.edges.EdgeSource;
import io.teff.graph.load.EdgeSorter;
import io.teff.graph.load.LoadOptions;
import io.teff.graph.work.WorkWatch;
import io.teff.graph.work.Workers;
import java.io.IOException;
import java.util.Objects;

/**
 * Loads edges into a graph in a store.
 *
 * <pre>{@code
 * try (Workers workers = Workers.ofProcessors()) {
 *     StoreGraph graph = new GraphLoader(store, workers).load("friends", source);
 * }
 * }</pre>
 *
 * <p>A load that ends early, also by the end of the process, leaves the buckets of vertices that are whole. Loading the
 * same source with the same options into the same name again continues behind them.
 */
public final class GraphLoader {
    /** Bytes of a chunk beside its content: its entry in the table, and metadata of its page. */
    private static final long VERTEX_BYTES = 9;
    /** Parts of a hundred that the sizes of chunks are rounded up by, at most. */
    private static final long ROUNDING_PERCENT = 4;
    /** Bytes of a distance in packed runs, for the plan: a guess on the safe side. */
    private static final long PACKED_BYTES = 3;

    private final Store store;
    private final Workers workers;
    private LoadOptions options = LoadOptions.DEFAULT;
    private RunForm form = RunForm.PLAIN;
    private WorkWatch watch = WorkWatch.NONE;

    /**
     * Prepares loads.
     *
     * @param store store for the graphs
     * @param workers threads that load
     */
    public GraphLoader(Store store, Workers workers) {
        this.store = Objects.requireNonNull(store);
        this.workers = Objects.requireNonNull(workers);
    }

    /**
     * Sets what happens to edges.
     *
     * @param chosen the options
     * @return this
     */
    public GraphLoader options(LoadOptions chosen) {
        options = chosen;
        return this;
    }

    /**
     * Sets the form of the runs.
     *
     * @param chosen the form
     * @return this
     */
    public GraphLoader form(RunForm chosen) {
        form = chosen;
        return this;
    }

    /**
     * Sets who sees the progress.
     *
     * @param chosen the watch
     * @return this
     */
    public GraphLoader watch(WorkWatch chosen) {
        watch = chosen;
        return this;
    }

    /**
     * Tells what a load will take. Reads the source if the source does not tell its numbers.
     *
     * @param source the edges
     * @return the plan
     * @throws IOException if the source cannot be read
     */
    public GraphLoadPlan plan(EdgeSource source) throws IOException {
        return plan(new EdgeSorter(source, options, workers, watch));
    }

    private GraphLoadPlan plan(EdgeSorter sorter) {
        StoreStats stats = store.stats();
        int directions = sorter.isDirected() && options.reverse() ? 2 : 1;
        long arcBytes = (form == RunForm.PLAIN ? RunBytes.TARGET_BYTES : PACKED_BYTES)
            + (sorter.isWeighted() ? RunBytes.WEIGHT_BYTES : 0);
        long content = sorter.arcCountMax() * arcBytes;
        long bytes = directions * (sorter.vertexCount() * VERTEX_BYTES + content + content * ROUNDING_PERCENT / 100);
        return new GraphLoadPlan(sorter.vertexCount(), sorter.edgeCount(), bytes,
            stats.limitBytes() - stats.usedBytes(), Math.min(sorter.stagingBytes(), options.sortBytesMax()),
            (long) sorter.vertexCount() * Long.BYTES, sorter.passes());
    }

    /**
     * Loads a graph, or continues a load that has ended early.
     *
     * @param name name of the graph in the store
     * @param source the edges
     * @return the graph
     * @throws IOException if the source cannot be read
     * @throws IllegalArgumentException if the store has a graph of that name, or a load of another shape under it
     * @throws StoreException of category DEGRADED if the store has not enough memory for the plan; nothing has changed
     * @throws java.util.concurrent.CancellationException if the watch has cancelled the load
     */
    public StoreGraph load(String name, EdgeSource source) throws IOException {
        EdgeSorter sorter = new EdgeSorter(source, options, workers, watch);
        boolean hasReverse = sorter.isDirected() && options.reverse();
        long cid = GraphName.find(store, name);
        Header header;
        if (cid == Cid.NONE) {
            GraphLoadPlan plan = plan(sorter);
            if (!plan.fits()) {
                throw new StoreException(Category.DEGRADED, "graph " + name + " needs " + plan.storeBytes()
                    + " bytes, and the store has " + plan.storeFreeBytes() + " left");
            }
            header = Header.create(store, sorter.vertexCount(), sorter.isDirected(), sorter.isWeighted(), form,
                hasReverse, sorter.bucketCount());
            cid = header.bind(store, name);
        } else {
            header = Header.read(store, cid);
            checkSame(name, header, sorter, hasReverse);
        }
        sorter.sort(false, new StoreRuns(store, cid, header, header.forward(), 0));
        if (hasReverse) {
            sorter.sort(true, new StoreRuns(store, cid, header, header.backward(), sorter.bucketCount()));
        }
        Header ended = Header.read(store, cid).ended(sorter.bucketCount());
        store.chunks().put(cid, ended.write());
        return StoreGraph.loaded(store, name, cid);
    }

    private void checkSame(String name, Header header, EdgeSorter sorter, boolean hasReverse) {
        if (!header.isLoading()) {
            throw new IllegalArgumentException("the store has a graph " + name);
        }
        int buckets = sorter.bucketCount() * (hasReverse ? 2 : 1);
        if (header.vertexCount() != sorter.vertexCount() || header.directed() != sorter.isDirected()
            || header.weighted() != sorter.isWeighted() || header.form() != form || header.done().length != buckets) {
            throw new IllegalArgumentException("the load of graph " + name + " that has ended early had "
                + header.vertexCount() + " vertices, directed=" + header.directed() + ", weighted=" + header.weighted()
                + ", form " + header.form() + "; drop the graph to begin anew");
        }
    }

    /** Throws the exception of the first refused put. */
    static void checkAll(long[] cids, int[] statuses, int count) {
        for (int i = 0; i < count; i++) {
            Chunks.check(cids[i], statuses[i]);
        }
    }
}
