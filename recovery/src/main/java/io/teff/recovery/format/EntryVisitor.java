package io.teff.recovery.format;

import java.lang.foreign.MemorySegment;

/** Receives the entries of a reader, each entry checked. */
@FunctionalInterface
public interface EntryVisitor {
    /**
     * Begins a record of the ring or of a frame; its entries follow. Segments have no records.
     *
     * @param position in the ring
     * @param group whether the entries of the record form a group; otherwise each entry is independent
     */
    default void record(long position, boolean group) {}

    /**
     * Ends the entries of a segment.
     *
     * @param bytes of its file
     */
    default void segment(long bytes) {}

    /**
     * Receives an entry.
     *
     * @param cid of the chunk
     * @param sequence number of the change; the highest number of an index wins, and among equal numbers the higher
     *     generation, regardless of the order of arrival
     * @param owner NID of the store that owns the chunk
     * @param zone of the owner
     * @param kind {@link EntryKind#PUT} to {@link EntryKind#LINK_READ_ONLY}, or {@link EntryKind#BYTES}
     * @param bytes hold the payload until the call returns
     * @param offset of the payload there
     * @param length of the payload in bytes, 0 for {@link EntryKind#REMOVED} and {@link EntryKind#RESERVED}
     */
    void entry(long cid, long sequence, int owner, int zone, int kind, MemorySegment bytes, long offset, int length);
}
