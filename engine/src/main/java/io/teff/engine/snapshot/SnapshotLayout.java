package io.teff.engine.snapshot;

/**
 * The bytes of a snapshot file, little-endian.
 * <pre>
 *  block   0        4        8                16       20       24
 *          +--------+--------+----------------+--------+--------+---------------------+
 *          | type   | length | offset of block| crc32c | zero   | body (length bytes) |
 *          +--------+--------+----------------+--------+--------+---------------------+
 *          crc32c: over type, length, offset and body
 *
 *  file    | HEAD | MAP | IDS ... | CHUNKS, LARGE + PART, MAP ... | END |       nothing behind END
 *
 *  HEAD    magic (8) | version (4) | nid (4) | end of ids (8) | chunks (8) | payload bytes (8)
 *  IDS     runs of entries without a chunk: first index (8) | count (4) | generation (2) | kind (2)
 *  CHUNKS  chunks: cid (8) | length (4) | flags (4) | payload
 *  LARGE   cid (8) | length (8) | flags (4), then PARTs with the payload
 *  MAP     use of the region's memory, see {@link MapLayout}; not used by a restore
 *  END     chunks (8) | payload bytes (8) | blocks before this one (8)
 * </pre>
 */
public final class SnapshotLayout {
    /** "TEFFSNAP" as a little-endian long. */
    public static final long MAGIC = 0x50414E5346464554L;
    /** The version that is written; older ones are read. */
    public static final int VERSION = 1;

    /** Block types: the head of the file. */
    public static final int HEAD = 1;
    /** Entries without a chunk. */
    public static final int IDS = 2;
    /** Chunks. */
    public static final int CHUNKS = 3;
    /** A chunk that is longer than a block. */
    public static final int LARGE = 4;
    /** A part of the payload of a LARGE chunk. */
    public static final int PART = 5;
    /** The last block. */
    public static final int END = 6;
    /** Use of the region's memory. */
    public static final int MAP = 7;
    /** The highest type of this version. */
    public static final int TYPE_MAX = MAP;

    /** Kinds of entries in IDS: free entries. */
    public static final int KIND_FREE = 0;
    /** Reserved entries. */
    public static final int KIND_RESERVED = 1;
    /** Retired entries. */
    public static final int KIND_RETIRED = 2;
    /** A whole table page that was given back. */
    public static final int KIND_RELEASED = 3;

    /** Flag of a read-only chunk. */
    public static final int FLAG_READ_ONLY = 1;

    /** Bytes in front of a body. */
    public static final int FRAME_BYTES = 24;
    /** The longest body. */
    public static final int BODY_BYTES_MAX = 1 << 20;
    /** Bytes of a HEAD body. */
    public static final int HEAD_BYTES = 40;
    /** Bytes of one run in IDS. */
    public static final int RUN_BYTES = 16;
    /** Bytes in front of a chunk's payload in CHUNKS. */
    public static final int CHUNK_HEAD_BYTES = 16;
    /** Bytes of a LARGE body. */
    public static final int LARGE_BYTES = 20;
    /** Bytes of an END body. */
    public static final int END_BYTES = 24;

    private SnapshotLayout() {}
}
