package io.teff.graph.cluster;

import java.nio.ByteBuffer;

/**
 * The root of a part: where its arcs are.
 *
 * @param isBuilt whether the runs are whole; otherwise only the staged arcs count
 * @param arcCount arcs of all runs
 * @param runBytes bytes of all degrees and runs
 * @param degrees chunks with the lengths of the runs
 * @param runs chunks with the runs
 * @param staged chunks with arcs that are not sorted yet, or that are to be removed
 */
record PartRoot(boolean isBuilt, long arcCount, long runBytes, long[] degrees, long[] runs, long[] staged) {
    /** A part without arcs. */
    static final PartRoot EMPTY = new PartRoot(false, 0, 0, new long[0], new long[0], new long[0]);

    static PartRoot read(ZoneChunks chunks, long cid) {
        ByteBuffer in = PartLayout.view(chunks.get(cid));
        int degrees = in.getInt(PartLayout.ROOT_DEGREES_OFFSET);
        int runs = in.getInt(PartLayout.ROOT_RUNS_OFFSET);
        int staged = in.getInt(PartLayout.ROOT_STAGED_OFFSET);
        in.position(PartLayout.ROOT_HEAD_BYTES);
        return new PartRoot(in.getLong(0) != 0, in.getLong(PartLayout.ROOT_ARCS_OFFSET),
            in.getLong(PartLayout.ROOT_BYTES_OFFSET), PartLayout.longs(in, degrees), PartLayout.longs(in, runs),
            PartLayout.longs(in, staged));
    }

    byte[] write() {
        byte[] bytes = new byte[PartLayout.ROOT_HEAD_BYTES
            + (degrees.length + runs.length + staged.length) * Long.BYTES];
        ByteBuffer out = PartLayout.view(bytes);
        out.putLong(0, isBuilt ? 1 : 0);
        out.putLong(PartLayout.ROOT_ARCS_OFFSET, arcCount);
        out.putLong(PartLayout.ROOT_BYTES_OFFSET, runBytes);
        out.putInt(PartLayout.ROOT_DEGREES_OFFSET, degrees.length);
        out.putInt(PartLayout.ROOT_RUNS_OFFSET, runs.length);
        out.putInt(PartLayout.ROOT_STAGED_OFFSET, staged.length);
        out.position(PartLayout.ROOT_HEAD_BYTES);
        PartLayout.put(out, degrees);
        PartLayout.put(out, runs);
        PartLayout.put(out, staged);
        return bytes;
    }

    PartRoot withStaged(long[] cids) {
        return new PartRoot(isBuilt, arcCount, runBytes, degrees, runs, cids);
    }
}
