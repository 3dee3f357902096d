package io.teff.engine.journal;

import io.teff.engine.error.StoreException;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Receives the changes of a store, to make them durable.
 *
 * <p>A <b>record</b> is one or more entries that are kept together or not at all: {@link #claim} it, write each entry's
 * head ({@link #entry}) and content, and {@link #commit} or {@link #abandon} it. Records are numbered in the order of
 * their claims. A restore takes, for each index and regardless of the generation, the entry with the highest number.
 * <pre>
 *  long record = journal.claim(2, a.length + b.length);
 *  long at = journal.entry(record, 0, cidOfA, Journal.PUT, a.length, 0);      // a's content goes to memory() there
 *  at = journal.entry(record, at + a.length, cidOfB, Journal.PUT, b.length, 0);
 *  journal.commit(record);
 * </pre>
 * Thread-safe; a record belongs to the thread that claimed it.
 */
public interface Journal {
    /** The chunk has this content. */
    int PUT = 1;
    /** The chunk has this content, and is read-only. */
    int PUT_READ_ONLY = 2;
    /** The chunk or the reservation does not exist any more. */
    int REMOVED = 3;
    /** The CID is reserved; there is no chunk. */
    int RESERVED = 4;

    /** Longest content of an entry in bytes; longer content is passed to {@link #putLong}. */
    int CONTENT_BYTES_MAX = 1 << 20;

    /** {@return whether each change is refused; pinned memory is then only read} */
    default boolean isReadOnly() {
        return false;
    }

    /**
     * Called before memory is changed, by a thread that holds nothing that a reader could wait for. May wait for room.
     *
     * @throws StoreException of category DEGRADED if the journal cannot accept changes now, FATAL if it never will
     *     again
     */
    void begin();

    /**
     * Called before {@link #claim} by a thread that has made its changes, and holds a chunk or a collection but no
     * stripe: waits until its record leaves enough room for the threads that hold a stripe. So readers, which wait for
     * stripes, do not wait for a device. {@link #begin} keeps more room free than that, so this waits only if many
     * changes have begun, or for a large record.
     *
     * @param entries number of entries
     * @param contentBytes sum of the lengths of their contents
     * @throws StoreException of category FATAL if the journal accepts no changes any more
     */
    void awaitRoom(int entries, long contentBytes);

    /**
     * Allocates room for a record. Waits only if other threads have used the room that is kept free since
     * {@link #begin}. A thread that has claimed a record must not wait for a stripe, because the thread inside the
     * stripe may wait for room behind the record.
     *
     * @param entries number of entries
     * @param contentBytes sum of the lengths of their contents
     * @return the record
     * @throws StoreException of category FATAL if the journal accepts no changes any more
     * @throws IllegalArgumentException for more than {@link #recordBytesMax}
     */
    long claim(int entries, long contentBytes);

    /**
     * Returns the most content that a record can have.
     *
     * @param entries number of entries
     * @return bytes of content, at least {@link #CONTENT_BYTES_MAX} for one entry; negative if the entries do not fit
     */
    long recordBytesMax(int entries);

    /** {@return the memory that contents are written to} */
    MemorySegment memory();

    /**
     * Writes the head of an entry.
     *
     * @param record result of {@link #claim}
     * @param after 0 for the first entry, else the offset behind the content of the previous entry
     * @param cid the chunk
     * @param kind PUT, PUT_READ_ONLY, REMOVED or RESERVED
     * @param length bytes of its content
     * @param number number of the change, which {@link #now} returned when it was made; 0 for the number of the record
     * @return offset in {@link #memory} to write the content to
     */
    long entry(long record, long after, long cid, int kind, int length, long number);

    /** {@return a number above those of all records claimed before, and below those of all records claimed later} */
    long now();

    /**
     * Ends a record: it is kept from now on.
     *
     * @param record result of {@link #claim}; all of its entries are written
     * @param isGroup whether its entries must be kept together permanently, not just until they have reached the disk
     */
    void commit(long record, boolean isGroup);

    /**
     * Ends a record without keeping it.
     *
     * @param record result of {@link #claim}
     */
    void abandon(long record);

    /**
     * Keeps a chunk longer than {@link #CONTENT_BYTES_MAX}. May wait.
     *
     * @param cid the chunk, which does not change meanwhile
     * @param kind PUT or PUT_READ_ONLY
     * @param length length in bytes
     * @param content reads the content
     */
    void putLong(long cid, int kind, long length, Content content);

    /**
     * Called after a change, by a thread that holds nothing: waits until the change is as durable as the journal is
     * configured to make it.
     */
    void done();

    /**
     * Called after a change, instead of {@link #done}, by a thread that must not wait: calls back when the change is as
     * durable as the journal is configured to make it. The default implementation waits and then calls back on the
     * calling thread.
     *
     * @param then called once, with null, or with the exception that {@link #done} would have thrown; may be called on
     *     a thread of the journal, which must not be blocked
     */
    default void whenDone(Consumer<@Nullable RuntimeException> then) {
        RuntimeException failure = null;
        try {
            done();
        } catch (RuntimeException e) {
            failure = e;
        }
        then.accept(failure);
    }

    /** The content of a long chunk. */
    @FunctionalInterface
    interface Content {
        /**
         * Copies a part of the content.
         *
         * @param from offset in the chunk
         * @param target segment to copy to
         * @param at offset in the segment
         * @param length number of bytes
         */
        void copy(long from, MemorySegment target, long at, long length);
    }
}
