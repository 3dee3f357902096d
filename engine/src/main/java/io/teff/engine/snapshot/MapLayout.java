package io.teff.engine.snapshot;

/**
 * The records of MAP blocks: the use of the region's memory when a snapshot was written. Each has 32 bytes,
 * little-endian, and begins with its kind.
 * <pre>
 *          0        2         4        6        8                16               24              32
 *          +--------+---------+--------+--------+----------------+----------------+----------------+
 *  REGION  |   1    | level   | shape  |  zero  | region end     | committed bytes| limit bytes    |
 *  PAGE    |   2    | slots   | in use |claimed | address        |slot b. | page b.| zero           |
 *  RUN     |   3    |       zero                | address        | units          | zero           |
 *  TABLE   |   4    | nid     | chunks |reserved| address        | first index    |retired|  zero  |
 *  FREE    |   5    |       zero                | address        | units          | touched units  |
 *          +--------+---------+--------+--------+----------------+----------------+----------------+
 * </pre>
 * The first record of a file is its REGION. PAGE, RUN, TABLE and FREE tile the region from 4 MiB, its first address, to
 * its end; TABLE records are in the order of creators and indexes, the others in the order of addresses.
 */
public final class MapLayout {
    /** Bytes of a record. */
    public static final int RECORD_BYTES = 32;

    /** The region as a whole. */
    public static final short REGION = 1;
    /** A page of slots. */
    public static final short PAGE = 2;
    /** A run of units with a large chunk. */
    public static final short RUN = 3;
    /** A page of the chunk table. */
    public static final short TABLE = 4;
    /** Free units. */
    public static final short FREE = 5;

    /** Shape of memory: reserved address space. */
    public static final short SHAPE_RESERVED = 0;
    /** Shape of memory: blocks from the JDK's arenas. */
    public static final short SHAPE_BLOCKS = 1;

    static {
        assert SnapshotLayout.BODY_BYTES_MAX % RECORD_BYTES == 0 : "records must tile a full block";
    }

    private MapLayout() {}
}
