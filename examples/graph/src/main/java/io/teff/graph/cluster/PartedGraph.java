package io.teff.graph.cluster;

import io.teff.engine.ChunkStore;
import io.teff.engine.Chunks;
import io.teff.engine.Cid;
import io.teff.engine.NamedRoot;
import io.teff.graph.algorithms.program.Partition;
import io.teff.graph.cluster.PartedHeader.Column;
import io.teff.graph.cluster.PartedHeader.Kind;
import io.teff.graph.cluster.PartedHeader.State;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;

/**
 * A graph in parts. Each part is in a zone of a cluster, with a share of the vertices and their arcs; a store of this
 * JVM has all parts in its one zone. {@link PartedLoader} makes the graph, and any client opens it by its name. {@link
 * PartedRuns} computes on the graph. The arcs do not change. Thread-safe.
 */
public final class PartedGraph {
    private static final String PREFIX = "graph in parts ";
    private static final long LOCK_NS = 10_000_000_000L;

    private final ChunkStore store;
    private final String name;
    private final long cid;
    private final PartedHeader header;

    private PartedGraph(ChunkStore store, String name, long cid, PartedHeader header) {
        this.store = store;
        this.name = name;
        this.cid = cid;
        this.header = header;
    }

    static String boundName(String name) {
        return PREFIX + name;
    }

    static long find(ChunkStore store, String name) {
        return store.names().get(boundName(name)).map(NamedRoot::cid).orElse(Cid.NONE);
    }

    /**
     * Opens a graph.
     *
     * @param store with the graph
     * @param name of the graph
     * @return the graph
     * @throws NoSuchElementException if there is no such graph
     * @throws IllegalStateException if its load has not ended
     */
    public static PartedGraph open(ChunkStore store, String name) {
        long cid = find(store, name);
        if (cid == Cid.NONE) {
            throw new NoSuchElementException("the store has no graph " + name + " in parts");
        }
        PartedHeader header = PartedHeader.read(cid, ZoneChunks.of(store).get(cid));
        if (header.state() != State.WHOLE) {
            throw new IllegalStateException("the load of graph " + name + " has not ended; the same load goes on");
        }
        return new PartedGraph(store, name, cid, header);
    }

    /**
     * Lists the graphs of a store, also those whose load has not ended.
     *
     * @param store any store
     * @return their names
     */
    public static List<String> names(ChunkStore store) {
        return store.names().all().keySet().stream().filter(each -> each.startsWith(PREFIX))
            .map(each -> each.substring(PREFIX.length())).toList();
    }

    /**
     * Removes a graph with its columns, or what a load has left.
     *
     * @param store with the graph
     * @param name of the graph
     * @return whether there was such a graph
     */
    public static boolean drop(ChunkStore store, String name) {
        long cid = find(store, name);
        if (cid == Cid.NONE) {
            return false;
        }
        ZoneChunks chunks = ZoneChunks.of(store);
        byte[] bytes = chunks.find(cid);
        if (bytes != null) {
            PartedHeader header = PartedHeader.read(cid, bytes);
            for (Column column : header.columns()) {
                for (long root : column.roots()) {
                    ColumnChunks.remove(chunks, root);
                }
            }
            for (long root : header.roots()) {
                dropPart(chunks, root);
            }
        }
        store.names().drop(boundName(name));
        chunks.remove(cid);
        return true;
    }

    private static void dropPart(ZoneChunks chunks, long cid) {
        if (chunks.find(cid) != null) {
            PartRoot root = PartRoot.read(chunks, cid);
            for (long[] pieces : new long[][] {root.staged(), root.runs(), root.degrees()}) {
                for (long piece : pieces) {
                    chunks.remove(piece);
                }
            }
            chunks.remove(cid);
        }
    }

    /** {@return the name} */
    public String name() {
        return name;
    }

    /** {@return the store with the graph} */
    public ChunkStore store() {
        return store;
    }

    /** {@return the number of vertices} */
    public int vertexCount() {
        return header.partition().vertexCount();
    }

    /** {@return the number of arcs: an edge without direction is two} */
    public long arcCount() {
        return header.arcCount();
    }

    /** {@return whether arcs have a direction} */
    public boolean directed() {
        return header.isDirected();
    }

    /** {@return whether arcs have weights} */
    public boolean weighted() {
        return header.isWeighted();
    }

    /** {@return which part has a vertex} */
    public Partition partition() {
        return header.partition();
    }

    /** {@return the zone of each part} */
    public int[] zones() {
        int[] zones = new int[header.roots().length];
        for (int part = 0; part < zones.length; part++) {
            zones[part] = Cid.nid(header.roots()[part]);
        }
        return zones;
    }

    /** {@return bytes of the arcs of all parts in the store} */
    public long arcBytes() {
        ZoneChunks chunks = ZoneChunks.of(store);
        long bytes = 0;
        for (long root : header.roots()) {
            bytes += PartRoot.read(chunks, root).runBytes();
        }
        return bytes;
    }

    long cid() {
        return cid;
    }

    PartedHeader header() {
        return header;
    }

    // ---- columns ----

    /** {@return the names of the columns with values of vertices} */
    public List<String> columns() {
        return current().columns().stream().filter(column -> column.kind() == Kind.VALUES).map(Column::name).toList();
    }

    /**
     * Reads a column.
     *
     * @param column name of the column
     * @return the values of all vertices, in memory
     * @throws NoSuchElementException if there is no such column
     */
    public PartedValues values(String column) {
        Column found = current().columns().stream().filter(each -> each.kind() == Kind.VALUES
            && each.name().equals(column)).findFirst().orElseThrow(() -> new NoSuchElementException("graph " + name
            + " has no column " + column));
        return PartedValues.read(store, header.partition(), found);
    }

    /**
     * Removes a column.
     *
     * @param column name of the column
     * @return whether there was such a column
     */
    public boolean dropColumn(String column) {
        return drop(column, Kind.VALUES);
    }

    boolean drop(String column, Kind kind) {
        List<Column> dropped = new ArrayList<>();
        change(columns -> {
            List<Column> rest = new ArrayList<>();
            for (Column each : columns) {
                (each.kind() == kind && each.name().equals(column) ? dropped : rest).add(each);
            }
            return rest;
        });
        ZoneChunks chunks = ZoneChunks.of(store);
        for (Column each : dropped) {
            for (long root : each.roots()) {
                ColumnChunks.remove(chunks, root);
            }
        }
        return !dropped.isEmpty();
    }

    /** Makes an empty column of a run. Its name has a CID, so runs of other clients have other columns. */
    Column addSaved(int rowBytes) {
        return add("", Kind.SAVED, rowBytes);
    }

    /** Makes an empty column, which replaces that of the same name. */
    Column addColumn(String column, int rowBytes) {
        drop(column, Kind.VALUES);
        return add(column, Kind.VALUES, rowBytes);
    }

    private Column add(String column, Kind kind, int rowBytes) {
        ZoneChunks chunks = ZoneChunks.of(store);
        long[] roots = new long[header.roots().length];
        for (int part = 0; part < roots.length; part++) {
            roots[part] = chunks.create(header.roots()[part], new byte[ColumnChunks.EMPTY_BYTES]);
        }
        Column made = new Column(kind == Kind.SAVED ? Cid.toString(roots[0]) : column, kind, rowBytes, roots);
        change(columns -> {
            List<Column> all = new ArrayList<>(columns);
            all.add(made);
            return all;
        });
        return made;
    }

    private PartedHeader current() {
        return PartedHeader.read(cid, ZoneChunks.of(store).get(cid));
    }

    /** A change of the list of columns. */
    private interface Change {
        List<Column> apply(List<Column> columns);
    }

    private void change(Change change) {
        Chunks.check(cid, store.locks().lockWrite(cid, LOCK_NS));
        try {
            PartedHeader now = current();
            store.chunks().put(cid, now.with(change.apply(now.columns())).write());
        } finally {
            store.locks().unlock(cid);
        }
    }
}
