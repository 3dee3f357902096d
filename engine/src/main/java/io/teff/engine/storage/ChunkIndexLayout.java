package io.teff.engine.storage;

/**
 * Layout of a collection's root in its chunk.
 * <pre>
 *  0           4          8          16              24           32            40
 *  +-----------+----------+----------+---------------+------------+-------------+-------------------------------+
 *  | magic (4) | version  | seed (8) | key bytes (8) | chunks (8) | extents (8) | first CID of each extent (8)  |
 *  +-----------+----------+----------+---------------+------------+-------------+-------------------------------+
 *
 *  version     1; of a list whose segments have links 2
 *  seed        of the collection's hash function
 *  key bytes   length of each key, or -1 if keys differ in length
 *  chunks      number of numbered chunks
 * </pre>
 */
final class ChunkIndexLayout {
    static final int MAGIC = 0x544F_4F52;
    static final int VERSION = 1;
    static final int MAGIC_AT = 0;
    static final int SEED_AT = 8;
    static final int KEY_BYTES_AT = 16;
    static final int COUNT_AT = 24;
    static final int EXTENTS_AT = 32;
    static final int FIRST_AT = 40;

    private ChunkIndexLayout() {}

    /** Offset of an extent's CID. */
    static int extentAt(int extent) {
        return FIRST_AT + extent * Long.BYTES;
    }
}
