package io.teff.graph.cluster;

import io.teff.engine.Cid;
import io.teff.engine.error.StoreException.Category;
import io.teff.engine.error.StoreException;
import io.teff.graph.algorithms.program.Partition;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The header of a parted graph. Immutable.
 *
 * @param state how far the graph is loaded
 * @param flags of {@link PartLayout}
 * @param partition which part has a vertex
 * @param arcCount arcs of all parts; 0 before the graph is whole
 * @param roots root of each part
 * @param columns values of vertices
 */
record PartedHeader(State state, int flags, Partition partition, long arcCount, long[] roots, List<Column> columns) {
    /** How far a graph is loaded. */
    enum State {
        /** Arcs come from the source; a load begins anew. */
        STAGING,
        /** All arcs are at their parts; a load continues with building. */
        STAGED,
        /** The graph is whole. */
        WHOLE
    }

    /** Kind of a column. */
    enum Kind {
        /** Values of the user. */
        VALUES,
        /** The state of a run, which ends with the run. */
        SAVED
    }

    /**
     * A column.
     *
     * @param name of the column
     * @param kind what it is
     * @param rowBytes bytes of a vertex
     * @param roots root of the column in each part
     */
    record Column(String name, Kind kind, int rowBytes, long[] roots) {}

    static PartedHeader read(long cid, byte[] bytes) {
        ByteBuffer in = PartLayout.view(bytes);
        if (bytes.length < PartLayout.ROOTS_OFFSET || in.getLong(0) != PartLayout.MAGIC) {
            throw new StoreException(Category.FATAL, "chunk " + Cid.toString(cid) + " is no header of a parted graph");
        }
        if (in.getInt(PartLayout.VERSION_OFFSET) != PartLayout.VERSION) {
            throw new StoreException(Category.FATAL, "chunk " + Cid.toString(cid) + " is of version "
                + in.getInt(PartLayout.VERSION_OFFSET) + " of parted graphs; this library reads version "
                + PartLayout.VERSION);
        }
        Partition partition = new Partition(in.getInt(PartLayout.VERTICES_OFFSET), in.getInt(PartLayout.SHIFT_OFFSET));
        in.position(PartLayout.ROOTS_OFFSET);
        long[] roots = PartLayout.longs(in, partition.parts());
        List<Column> columns = new ArrayList<>();
        for (int i = in.getInt(PartLayout.COLUMNS_OFFSET); i > 0; i--) {
            byte[] name = new byte[in.getInt()];
            Kind kind = Kind.values()[in.getInt()];
            int rowBytes = in.getInt();
            in.getInt();
            in.get(name);
            columns.add(new Column(new String(name, StandardCharsets.UTF_8), kind, rowBytes,
                PartLayout.longs(in, partition.parts())));
        }
        return new PartedHeader(State.values()[in.getInt(PartLayout.STATE_OFFSET)], in.getInt(PartLayout.FLAGS_OFFSET),
            partition, in.getLong(PartLayout.ARCS_OFFSET), roots, columns);
    }

    byte[] write() {
        int length = PartLayout.ROOTS_OFFSET + roots.length * Long.BYTES;
        for (Column column : columns) {
            length += 4 * Integer.BYTES + column.name.getBytes(StandardCharsets.UTF_8).length
                + roots.length * Long.BYTES;
        }
        byte[] bytes = new byte[length];
        ByteBuffer out = PartLayout.view(bytes);
        out.putLong(PartLayout.MAGIC);
        out.putInt(PartLayout.VERSION).putInt(state.ordinal()).putInt(flags);
        out.putInt(partition.vertexCount()).putInt(partition.shift()).putInt(columns.size());
        out.putLong(arcCount);
        PartLayout.put(out, roots);
        for (Column column : columns) {
            byte[] name = column.name.getBytes(StandardCharsets.UTF_8);
            out.putInt(name.length).putInt(column.kind.ordinal()).putInt(column.rowBytes).putInt(0).put(name);
            PartLayout.put(out, column.roots);
        }
        return bytes;
    }

    boolean isDirected() {
        return (flags & PartLayout.DIRECTED) != 0;
    }

    boolean isWeighted() {
        return (flags & PartLayout.WEIGHTED) != 0;
    }

    PartedHeader with(State changed, Partition counted, long arcs) {
        return new PartedHeader(changed, flags, counted, arcs, roots, columns);
    }

    PartedHeader with(List<Column> changed) {
        return new PartedHeader(state, flags, partition, arcCount, roots, List.copyOf(changed));
    }
}
