package io.teff.graph.cluster;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Reads and writes the values of one part in a column. */
final class ColumnChunks {
    /** Bytes of a root without values. */
    static final int EMPTY_BYTES = PartLayout.COLUMN_HEAD_BYTES;

    private ColumnChunks() {}

    /**
     * Writes values. The root is written last, so its run and superstep are those of whole values.
     *
     * @param chunks reaches the zone
     * @param cid root of the column in the part
     * @param run number of the run
     * @param superstep of the run
     * @param blocks the values, one behind another
     */
    static void write(ZoneChunks chunks, long cid, long run, long superstep, byte[]... blocks) {
        long[] known = pieces(chunks.get(cid));
        int length = 0;
        for (byte[] block : blocks) {
            length = Math.addExact(length, block.length);
        }
        int count = Math.ceilDiv(length, PieceOutput.PIECE_BYTES);
        long[] cids = Arrays.copyOf(known, Math.max(count, known.length));
        for (int i = 0; i < count; i++) {
            int from = i * PieceOutput.PIECE_BYTES;
            byte[] piece = cut(blocks, from, Math.min(PieceOutput.PIECE_BYTES, length - from));
            if (i < known.length) {
                chunks.put(cids[i], piece);
            } else {
                cids[i] = chunks.create(cid, piece);
            }
        }
        for (int i = count; i < known.length; i++) {
            chunks.put(cids[i], new byte[0]);
        }
        byte[] root = new byte[PartLayout.COLUMN_HEAD_BYTES + cids.length * Long.BYTES];
        ByteBuffer out = PartLayout.view(root);
        out.putLong(run).putLong(superstep).putInt(cids.length).putInt(0);
        PartLayout.put(out, cids);
        chunks.commit();
        chunks.put(cid, root);
        chunks.commit();
    }

    private static byte[] cut(byte[][] blocks, int from, int length) {
        byte[] piece = new byte[length];
        int start = 0;
        for (byte[] block : blocks) {
            int first = Math.max(from, start);
            int end = Math.min(from + length, start + block.length);
            if (first < end) {
                System.arraycopy(block, first - start, piece, first - from, end - first);
            }
            start += block.length;
        }
        return piece;
    }

    private static long[] pieces(byte[] root) {
        ByteBuffer in = PartLayout.view(root);
        int count = in.getInt(PartLayout.COLUMN_PIECES_OFFSET);
        in.position(PartLayout.COLUMN_HEAD_BYTES);
        return PartLayout.longs(in, count);
    }

    /** Reads the values of a superstep of a run; null if the column has others. */
    static byte @Nullable [] read(ZoneChunks chunks, long cid, long run, long superstep, int length) {
        byte[] root = chunks.get(cid);
        ByteBuffer in = PartLayout.view(root);
        if (in.getLong(0) != run || in.getLong(PartLayout.COLUMN_SUPERSTEP_OFFSET) != superstep) {
            return null;
        }
        return read(chunks, root, length);
    }

    /** Reads the values of a column, whatever run has written them. */
    static byte[] read(ZoneChunks chunks, long cid, int length) {
        return read(chunks, chunks.get(cid), length);
    }

    private static byte[] read(ZoneChunks chunks, byte[] root, int length) {
        byte[] all = new byte[length];
        int end = 0;
        for (long piece : pieces(root)) {
            byte[] content = chunks.get(piece);
            System.arraycopy(content, 0, all, end, content.length);
            end += content.length;
        }
        if (end != length) {
            throw new IllegalStateException("a column has " + end + " bytes of a part instead of " + length);
        }
        return all;
    }

    /** Removes the values and the root. */
    static void remove(ZoneChunks chunks, long cid) {
        byte[] root = chunks.find(cid);
        if (root != null) {
            for (long piece : pieces(root)) {
                chunks.remove(piece);
            }
            chunks.remove(cid);
        }
    }
}
