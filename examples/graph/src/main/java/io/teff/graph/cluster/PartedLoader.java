package io.teff.graph.cluster;

import io.teff.engine.ChunkStore;
import io.teff.engine.Cid;
import io.teff.graph.algorithms.program.Partition;
import io.teff.graph.cluster.PartedHeader.State;
import io.teff.graph.cluster.StepPlan.Work;
import io.teff.graph.edges.EdgeSource;
import io.teff.graph.load.LoadOptions;
import io.teff.graph.work.WorkWatch;
import io.teff.graph.work.Workers;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Loads edges into a parted graph.
 *
 * <pre>
 *  STAGING   threads of the client read the parts of the source, and send pieces of arcs to the zones
 *  STAGED    a worker of each zone sorts the arcs of its parts, and writes their runs
 *  WHOLE     the graph can be opened
 * </pre>
 *
 * <p>The same call of {@link #load} after a load that has ended early begins anew in the state STAGING, and builds the
 * parts that are left in the state STAGED. One client at a time loads a graph. {@link PartedGraph#drop} removes what a
 * load has left. A client killed during a send may leave one unlisted piece for each thread.
 */
public final class PartedLoader {
    private static final double IMBALANCE_MAX = 1.34;
    private static final int LOCAL_PARTS = 4;
    /** More vertices than any graph has: arrays of vertices end there. */
    private static final int VERTICES_MAX = Integer.MAX_VALUE - 8;

    private final ChunkStore store;
    private final Workers workers;
    private LoadOptions options = LoadOptions.DEFAULT;
    private RunOptions building = RunOptions.DEFAULT;
    private WorkWatch watch = WorkWatch.NONE;
    private int parts;
    private int workersPerNode;

    /**
     * Prepares loads.
     *
     * @param store store for the graphs
     * @param workers threads that read
     */
    public PartedLoader(ChunkStore store, Workers workers) {
        this.store = Objects.requireNonNull(store);
        this.workers = Objects.requireNonNull(workers);
    }

    /**
     * Sets what happens to edges. A parted graph has no reverse, and sorts in the memory of the workers.
     *
     * @param chosen the options
     * @return this
     */
    public PartedLoader options(LoadOptions chosen) {
        options = chosen;
        return this;
    }

    /**
     * Sets how the workers build the parts.
     *
     * @param chosen the options
     * @return this
     */
    public PartedLoader building(RunOptions chosen) {
        building = chosen;
        return this;
    }

    /**
     * Sets the number of parts.
     *
     * @param count a power of two, at most 1,024; 0 for a number by the zones that get parts
     * @return this
     */
    public PartedLoader parts(int count) {
        if (count != 0 && (Integer.bitCount(count) != 1 || count > 1 << Partition.SHIFT_MAX)) {
            throw new IllegalArgumentException("parts=" + count + " is no power of two up to "
                + (1 << Partition.SHIFT_MAX));
        }
        parts = count;
        return this;
    }

    /**
     * Sets how many zones of each node get parts, and so how many workers of a node work at the same time. Fewer
     * workers combine more messages before these leave.
     *
     * @param count from 1; 0 for as many as the node has processors
     * @return this
     */
    public PartedLoader workersPerNode(int count) {
        if (count < 0) {
            throw new IllegalArgumentException("workersPerNode=" + count);
        }
        workersPerNode = count;
        return this;
    }

    /**
     * Sets who sees the progress.
     *
     * @param chosen the watch, which may cancel
     * @return this
     */
    public PartedLoader watch(WorkWatch chosen) {
        watch = chosen;
        return this;
    }

    /**
     * Loads a graph, or continues a load that has ended early.
     *
     * @param name name of the graph in the store
     * @param source the edges
     * @return the graph
     * @throws IOException if the source cannot be read
     * @throws IllegalArgumentException if the store has a graph of that name
     * @throws io.teff.engine.compute.JobException if a worker has failed
     * @throws java.util.concurrent.CancellationException if the watch has cancelled the load
     */
    public PartedGraph load(String name, EdgeSource source) throws IOException {
        long cid = PartedGraph.find(store, name);
        ZoneChunks chunks = ZoneChunks.of(store);
        PartedHeader header = cid == Cid.NONE ? null : PartedHeader.read(cid, chunks.get(cid));
        if (header != null && header.state() == State.WHOLE) {
            throw new IllegalArgumentException("the store has a graph " + name);
        }
        if (header == null || header.state() == State.STAGING) {
            PartedGraph.drop(store, name);
            header = begin(source);
            cid = chunks.create(header.roots()[0], header.write());
            store.names().bind(PartedGraph.boundName(name), cid);
            header = stage(chunks, header, source);
            chunks.put(cid, header.write());
        }
        long arcs = build(header, cid);
        chunks.put(cid, header.with(State.WHOLE, header.partition(), arcs).write());
        return PartedGraph.open(store, name);
    }

    private PartedHeader begin(EdgeSource source) {
        int[] zones = PartedRuns.restarting(building, () -> PartedGroup.zones(store, building, workersPerNode));
        int shift = Integer.numberOfTrailingZeros(parts == 0 ? partsFor(zones.length) : parts);
        long[] roots = new long[1 << shift];
        ZoneChunks chunks = ZoneChunks.of(store);
        for (int part = 0; part < roots.length; part++) {
            roots[part] = chunks.create(Cid.of(zones[part % zones.length], 1), PartRoot.EMPTY.write());
        }
        int flags = (source.directed() && !options.undirected() ? PartLayout.DIRECTED : 0)
            | (source.weighted() ? PartLayout.WEIGHTED : 0) | (options.keepsLoops() ? PartLayout.KEEPS_LOOPS : 0)
            | (options.keepsDuplicates() ? PartLayout.KEEPS_DUPLICATES : 0);
        return new PartedHeader(State.STAGING, flags, new Partition(0, shift), 0, roots, List.of());
    }

    /** The smallest power of two that gives all zones nearly equal numbers of parts. */
    private static int partsFor(int zones) {
        if (zones <= 1) {
            return LOCAL_PARTS;
        }
        int count = Integer.highestOneBit(2 * zones - 1);
        while (Math.ceilDiv(count, zones) * (double) zones > IMBALANCE_MAX * count
            && count < 1 << Partition.SHIFT_MAX) {
            count *= 2;
        }
        return count;
    }

    private PartedHeader stage(ZoneChunks chunks, PartedHeader header, EdgeSource source) throws IOException {
        Stage stage = new Stage(chunks, header);
        int[] highest = new int[workers.count()];
        AtomicInteger next = new AtomicInteger();
        workers.<IOException>each(worker -> {
            Stage.Writer writer = stage.writer();
            for (int part = next.getAndIncrement(); part < source.parts(); part = next.getAndIncrement()) {
                watch.check("read edges", part, source.parts());
                source.read(part, (from, to, weight) -> {
                    if (from < 0 || to < 0 || from >= VERTICES_MAX || to >= VERTICES_MAX) {
                        throw new IllegalArgumentException("an edge from " + from + " to " + to
                            + ": vertices are 0 to " + (VERTICES_MAX - 1));
                    }
                    writer.edge((int) from, (int) to, weight);
                });
            }
            writer.end();
            highest[worker] = writer.vertexCount();
        });
        long count = Math.max(Math.max(source.vertexCount(), 0), options.vertexCountMin());
        for (int each : highest) {
            count = Math.max(count, each);
        }
        return header.with(State.STAGED, new Partition(Math.toIntExact(count), header.partition().shift()), 0);
    }

    private long build(PartedHeader header, long cid) {
        int[] zones = new int[header.roots().length];
        for (int part = 0; part < zones.length; part++) {
            zones[part] = Cid.nid(header.roots()[part]);
        }
        watch.check("build parts", 0, -1);
        return PartedRuns.restarting(building, () -> {
            try (PartedGroup group = PartedGroup.of(store, zones, building)) {
                long arcs = 0;
                for (StepRow row : group.step(StepPlan.of(Work.BUILD, cid, header, group.workers()))) {
                    arcs += row.numbers()[0];
                }
                return arcs;
            }
        });
    }
}
