package io.teff.recovery.format;

import java.lang.foreign.MemorySegment;

/** Is shown what a reader finds: changes of chunks, each of them checked. */
@FunctionalInterface
public interface EntryVisitor {
    /**
     * A record of the ring, or of a frame, follows with all of its entries. Segments have none.
     *
     * @param position in the ring
     * @param group whether its entries are one group; else each stands for itself
     */
    default void record(long position, boolean group) {}

    /**
     * All entries of a segment were shown.
     *
     * @param bytes of its file
     */
    default void segment(long bytes) {}

    /**
     * A change.
     *
     * @param cid of the chunk
     * @param sequence number of the change; the highest one of an index wins, and of equal ones the higher generation,
     *     in whatever order they come
     * @param owner NID of the store whose chunk this is
     * @param zone of the owner
     * @param kind {@link EntryKind#PUT} to {@link EntryKind#LINK_READ_ONLY}
     * @param bytes where the payload is, until the call returns
     * @param offset of the payload there
     * @param length of the payload in bytes, 0 for {@link EntryKind#REMOVED} and {@link EntryKind#RESERVED}
     */
    void entry(long cid, long sequence, int owner, int zone, int kind, MemorySegment bytes, long offset, int length);
}
