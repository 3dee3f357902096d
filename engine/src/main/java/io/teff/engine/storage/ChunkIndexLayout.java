package io.teff.engine.storage;

/**
 * How the root of a collection lies in its chunk.
 * <pre>
 *  0           4          8          16              24          32           40
 *  +-----------+----------+----------+---------------+-----------+------------+------------------------------------+
 *  | magic (4) | version  | seed (8) | key bytes (8) | nodes (8) | groups (8) | CIDs of the groups' first nodes    |
 *  +-----------+----------+----------+---------------+-----------+------------+------------------------------------+
 *
 *  seed, key bytes   for the collection: of its hash function, and of each key or -1 if they differ
 * </pre>
 */
final class ChunkIndexLayout {
    static final int MAGIC = 0x544F_4F52;
    static final int VERSION = 1;
    static final int MAGIC_AT = 0;
    static final int SEED_AT = 8;
    static final int KEY_BYTES_AT = 16;
    static final int COUNT_AT = 24;
    static final int GROUPS_AT = 32;
    static final int FIRST_AT = 40;

    private ChunkIndexLayout() {}

    /** Where the CID of a group is. */
    static int groupAt(int group) {
        return FIRST_AT + group * Long.BYTES;
    }
}
