package io.teff.cluster.terminal.demo;

import io.teff.engine.ChunkStore;
import io.teff.engine.error.StoreException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The chunks of the demo. Each byte of a chunk follows from the chunk's number and version. A chunk is changed by a
 * single thread. The thread knows the last acknowledged version, so the content is known exactly.
 */
final class DemoChunks {
    /** Bytes of each chunk. */
    static final int BYTES = 32;
    private static final int BATCH = 1_024;
    private static final long MIX = 0x9E37_79B9_7F4A_7C15L;

    private final ChunkStore store;
    private final long[] cids;
    private final int[] versions;

    DemoChunks(ChunkStore store, int count) {
        this.store = store;
        cids = new long[count];
        versions = new int[count];
    }

    int count() {
        return cids.length;
    }

    /** Writes the content of a chunk at a version. */
    static void fill(byte[] target, int offset, int number, int version) {
        ByteBuffer bytes = ByteBuffer.wrap(target).order(ByteOrder.LITTLE_ENDIAN);
        for (int at = 0; at < BYTES; at += Long.BYTES) {
            long word = ((long) number << Integer.SIZE | version & 0xFFFF_FFFFL) + at * MIX;
            word = (word ^ word >>> 31) * MIX;
            bytes.putLong(offset + at, word ^ word >>> 29);
        }
    }

    /** Creates the chunks of a range. */
    void create(int from, int to) {
        byte[] source = new byte[BATCH * BYTES];
        for (int at = from; at < to; at += BATCH) {
            int size = Math.min(BATCH, to - at);
            int[] lengths = new int[size];
            Arrays.fill(lengths, BYTES);
            for (int i = 0; i < size; i++) {
                fill(source, i * BYTES, at + i, 0);
            }
            int created = store.batch().create(MemorySegment.ofArray(source), lengths, cids, at, false);
            if (created < size) {
                throw new StoreException(StoreException.Category.DEGRADED,
                    "the peers have no room for " + cids.length + " chunks");
            }
        }
    }

    /** Writes the next version of a chunk. Only a single thread may write a chunk. */
    void update(int number, byte[] buffer) {
        int version = versions[number] + 1;
        fill(buffer, 0, number, version);
        int result = store.put(cids[number], buffer, 0, BYTES);
        if (result < 0) {
            throw new IllegalStateException("chunk " + number + " was not changed: status " + result);
        }
        versions[number] = version;
    }

    /** Reads all chunks of a range; returns the number of chunks that differ from the last acknowledged version. */
    int verify(int from, int to) {
        byte[] target = new byte[BATCH * BYTES];
        byte[] expected = new byte[BYTES];
        int wrong = 0;
        for (int at = from; at < to; at += BATCH) {
            int size = Math.min(BATCH, to - at);
            int[] lengths = new int[size];
            store.batch().get(cids, at, size, target, 0, lengths);
            int offset = 0;
            for (int i = 0; i < size; i++) {
                fill(expected, 0, at + i, versions[at + i]);
                int length = Math.max(lengths[i], 0);
                boolean isRight = lengths[i] == BYTES
                    && Arrays.equals(target, offset, offset + BYTES, expected, 0, BYTES);
                wrong += isRight ? 0 : 1;
                offset += length;
            }
        }
        return wrong;
    }

    /** Removes all chunks of a range. */
    void remove(int from, int to) {
        long[] results = new long[BATCH];
        for (int at = from; at < to; at += BATCH) {
            store.batch().remove(cids, at, Math.min(BATCH, to - at), results);
        }
    }
}
