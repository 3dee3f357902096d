package io.teff.graph.formats;

/**
 * The layout of a binary edge list; all numbers are little-endian.
 * <pre>
 *  0          8          12         16              24
 * +----------+----------+----------+---------------+---
 * | "TeffEdge" magic    | version  | flags         | vertices (8), edges (8), then each edge:
 * +----------+----------+----------+---------------+---
 * edge: source, target (4 or 8 bytes each), weight (8 bytes, if the flag is set)
 * </pre>
 */
final class BinaryEdgesLayout {
    /** The first 8 bytes: {@code TeffEdge}. */
    static final long MAGIC = 0x6567_6445_6666_6554L;
    static final int VERSION = 1;
    static final int VERSION_OFFSET = Long.BYTES;
    static final int FLAGS_OFFSET = VERSION_OFFSET + Integer.BYTES;
    static final int VERTICES_OFFSET = FLAGS_OFFSET + Integer.BYTES;
    static final int EDGES_OFFSET = VERTICES_OFFSET + Long.BYTES;
    static final int HEADER_BYTES = EDGES_OFFSET + Long.BYTES;

    static final int DIRECTED = 1;
    static final int WEIGHTED = 2;
    static final int WIDE = 4;

    private BinaryEdgesLayout() {}

    static int edgeBytes(long flags) {
        return 2 * idBytes(flags) + ((flags & WEIGHTED) != 0 ? Double.BYTES : 0);
    }

    static int idBytes(long flags) {
        return (flags & WIDE) != 0 ? Long.BYTES : Integer.BYTES;
    }
}
