package io.teff.engine.snapshot;

import java.nio.ByteBuffer;

/**
 * Receives the content of a snapshot file from a {@link SnapshotReader}, which has made all checks that need only the
 * file.
 */
interface SnapshotContent {
    /**
     * Called for indexes of the store's own table without a chunk.
     *
     * @param first the first index
     * @param count number of indexes
     * @param generation generation of each
     * @param kind a kind of {@link io.teff.engine.snapshot.SnapshotLayout}
     */
    void ids(long first, int count, int generation, int kind);

    /**
     * Called for a chunk, before its payload.
     *
     * @param cid its CID
     * @param length length of the payload in bytes
     * @param readOnly whether the chunk is read-only
     */
    void chunk(long cid, long length, boolean readOnly);

    /**
     * Called for the next bytes of the last chunk's payload.
     *
     * @param source buffer with the bytes at its position, which the callee may move
     * @param count number of bytes
     */
    void payload(ByteBuffer source, int count);

    /**
     * Called for records of the map.
     *
     * @param records whole records, whose values are not checked
     */
    void map(ByteBuffer records);
}
