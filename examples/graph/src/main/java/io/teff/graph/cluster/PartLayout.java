package io.teff.graph.cluster;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The layouts of the chunks of a parted graph; all numbers are little-endian.
 *
 * <pre>
 *  header    magic 8 | version 4 | state 4 | flags 4 | vertices 4 | shift 4 | columns 4 | arcs 8
 *            root of each part, 8 each
 *            of each column: bytes of the name 4, kind 4, bytes of a vertex 4, zero 4, the name, its roots 8 each
 *
 *  root      built 8 | arcs 8 | degrees 4 | runs 4 | staged 4 | zero 4 | bytes 8
 *            pieces of degrees, of runs, and of staged arcs, 8 each
 *
 *  degrees   length of the run of each vertex, a number of 1 to 5 bytes
 *  runs      of each vertex: the first neighbour, and the distance of each further neighbour from the one before, 1 to
 *            5 bytes; then the weights, 8 each
 *  staged    index of the source 4 | target 4 | weight 8, if the graph has weights; then the next arc
 *
 *  column    run 8 | superstep 8 | pieces 4 | zero 4, then the pieces, 8 each: values of each vertex, and of a saved
 *            state a byte for each vertex, 1 if it has halted
 * </pre>
 */
final class PartLayout {
    /** The first 8 bytes of a header: {@code TeffPart}. */
    static final long MAGIC = 0x7472_6150_6666_6554L;
    static final int VERSION = 1;

    static final int VERSION_OFFSET = Long.BYTES;
    static final int STATE_OFFSET = VERSION_OFFSET + Integer.BYTES;
    static final int FLAGS_OFFSET = STATE_OFFSET + Integer.BYTES;
    static final int VERTICES_OFFSET = FLAGS_OFFSET + Integer.BYTES;
    static final int SHIFT_OFFSET = VERTICES_OFFSET + Integer.BYTES;
    static final int COLUMNS_OFFSET = SHIFT_OFFSET + Integer.BYTES;
    static final int ARCS_OFFSET = COLUMNS_OFFSET + Integer.BYTES;
    static final int ROOTS_OFFSET = ARCS_OFFSET + Long.BYTES;

    static final int ROOT_ARCS_OFFSET = Long.BYTES;
    static final int ROOT_DEGREES_OFFSET = ROOT_ARCS_OFFSET + Long.BYTES;
    static final int ROOT_RUNS_OFFSET = ROOT_DEGREES_OFFSET + Integer.BYTES;
    static final int ROOT_STAGED_OFFSET = ROOT_RUNS_OFFSET + Integer.BYTES;
    static final int ROOT_BYTES_OFFSET = ROOT_STAGED_OFFSET + 2 * Integer.BYTES;
    static final int ROOT_HEAD_BYTES = ROOT_BYTES_OFFSET + Long.BYTES;

    static final int COLUMN_SUPERSTEP_OFFSET = Long.BYTES;
    static final int COLUMN_PIECES_OFFSET = COLUMN_SUPERSTEP_OFFSET + Long.BYTES;
    static final int COLUMN_HEAD_BYTES = COLUMN_PIECES_OFFSET + 2 * Integer.BYTES;

    static final int DIRECTED = 1;
    static final int WEIGHTED = 2;
    static final int KEEPS_LOOPS = 4;
    static final int KEEPS_DUPLICATES = 8;

    private PartLayout() {}

    static int stagedBytes(int flags) {
        return 2 * Integer.BYTES + ((flags & WEIGHTED) != 0 ? Double.BYTES : 0);
    }

    /** Bytes as a buffer of little-endian numbers. */
    static ByteBuffer view(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    static long[] longs(ByteBuffer in, int count) {
        long[] numbers = new long[count];
        for (int i = 0; i < count; i++) {
            numbers[i] = in.getLong();
        }
        return numbers;
    }

    static void put(ByteBuffer out, long[] numbers) {
        for (long number : numbers) {
            out.putLong(number);
        }
    }
}
