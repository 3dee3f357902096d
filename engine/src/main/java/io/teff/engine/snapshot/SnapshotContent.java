package io.teff.engine.snapshot;

import java.nio.ByteBuffer;

/** What a {@link SnapshotReader} finds in a file. It has checked all that the file alone can show to be wrong. */
interface SnapshotContent {
    /**
     * Indexes of the own table without a chunk.
     *
     * @param first the first one
     * @param count how many
     * @param generation of all of them
     * @param kind a kind of {@link io.teff.engine.snapshot.SnapshotLayout}
     */
    void ids(long first, int count, int generation, int kind);

    /**
     * A chunk; as many bytes of payload follow.
     *
     * @param cid its CID
     * @param length bytes
     * @param readOnly whether it never changes again
     */
    void chunk(long cid, long length, boolean readOnly);

    /**
     * The next bytes of the last chunk's payload.
     *
     * @param source has them at its position, which may move
     * @param count how many
     */
    void payload(ByteBuffer source, int count);

    /**
     * Records of the map.
     *
     * @param records whole ones, whose values are not checked
     */
    void map(ByteBuffer records);
}
