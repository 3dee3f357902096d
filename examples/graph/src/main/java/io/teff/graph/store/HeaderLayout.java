package io.teff.graph.store;

/**
 * The chunk that describes a graph. The name of the graph is bound to this chunk.
 *
 * <pre>
 *   0        8       12      16            20      24          32           40            48
 *  +--------+-------+-------+-------------+-------+-----------+------------+-------------+------------------+
 *  | magic  |version| flags | vertexCount | shift | arcCount  | first CID  | first CID   | buckets, 8 bytes |
 *  |        |       |       |             |       |           | forward    | backward    | each             |
 *  +--------+-------+-------+-------------+-------+-----------+------------+-------------+------------------+
 * </pre>
 *
 * <p>The chunk of vertex v has the CID {@code first + v}. A graph without direction, or without reverse, has 0 as the
 * first CID backward. Buckets are there while a load has not ended: 0, or 1 + the number of arcs of a bucket that is
 * whole; first those forward, then those backward. {@code shift} is the number of bits of a vertex in its bucket.
 */
final class HeaderLayout {
    static final int MAGIC_OFFSET = 0;
    static final int VERSION_OFFSET = MAGIC_OFFSET + Long.BYTES;
    static final int FLAGS_OFFSET = VERSION_OFFSET + Integer.BYTES;
    static final int VERTEX_COUNT_OFFSET = FLAGS_OFFSET + Integer.BYTES;
    static final int BUCKETS_OFFSET = VERTEX_COUNT_OFFSET + Integer.BYTES;
    static final int ARC_COUNT_OFFSET = BUCKETS_OFFSET + Integer.BYTES;
    static final int FORWARD_OFFSET = ARC_COUNT_OFFSET + Long.BYTES;
    static final int BACKWARD_OFFSET = FORWARD_OFFSET + Long.BYTES;
    static final int DONE_OFFSET = BACKWARD_OFFSET + Long.BYTES;

    static final long MAGIC = 0x4850_4152_4746_4654L;         // "TFFGRAPH" in the order of the bytes
    static final int VERSION = 1;

    static final int DIRECTED = 1;
    static final int WEIGHTED = 2;
    static final int PACKED = 4;
    /** A load has begun and has not ended. */
    static final int LOADING = 8;

    static {
        assert DONE_OFFSET % Long.BYTES == 0 : "buckets are fields of 8 bytes";
    }

    private HeaderLayout() {}
}
