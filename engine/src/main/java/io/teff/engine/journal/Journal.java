package io.teff.engine.journal;

import io.teff.engine.error.StoreException;
import io.teff.engine.error.StoreException.Category;
import io.teff.engine.os.FailureText;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Records the changes of a store, to make them durable.
 *
 * <p>A <b>record</b> consists of one or more entries, which are made durable together or not at all: {@link #claim} the
 * record, write each entry's head ({@link #entry}) and content, then {@link #commit} the record, or leave it to {@link
 * #abandoned}.
 * A record belongs to one <b>zone</b>, the creator part of its CIDs. Only a record of the store's own zone may have
 * further entries, of the root of the store's names. The records of a zone are numbered in the order of their claims; a
 * journal may number the records of all zones together. A restore uses, for each creator and index and regardless of
 * the generation, the entry with the highest number.
 * <pre>
 *  long record = journal.claim(zone, 2, a.length + b.length);
 *  long at = journal.entry(record, 0, cidOfA, Journal.PUT, a.length, 0);      // a's content goes to memory() there
 *  at = journal.entry(record, at + a.length, cidOfB, Journal.PUT, b.length, 0);
 *  journal.commit(record);
 * </pre>
 * Thread-safe; a record belongs to the thread that claimed it.
 */
public interface Journal {
    /** Kind of entry: the chunk has this content. */
    int PUT = 1;
    /** Kind of entry: the chunk has this content, and is read-only. */
    int PUT_READ_ONLY = 2;
    /** Kind of entry: the chunk or the reservation does not exist any more. */
    int REMOVED = 3;
    /** Kind of entry: the CID is reserved; there is no chunk. */
    int RESERVED = 4;
    /** Kind of entry: these bytes of the chunk have changed since the entry before; see {@link ChangedBytes}. */
    int BYTES = 8;

    /** Longest content of an entry in bytes, 1 MiB; longer content is passed to {@link #putLong}. */
    int CONTENT_BYTES_MAX = 1 << 20;

    /** {@return whether the journal refuses every change; the store then pins memory for reading only} */
    default boolean isReadOnly() {
        return false;
    }

    /**
     * Returns whether records may have entries of kind {@link #BYTES}. Then the number of each entry but a removal is
     * the number of its record.
     *
     * @return whether such entries are accepted; by default they are not
     */
    default boolean takesBytes() {
        return false;
    }

    /**
     * Waits for room for a change. Called before memory is changed, by a thread that holds no lock or stripe that a
     * reader could wait for.
     *
     * @throws StoreException of category DEGRADED if the journal cannot accept changes now, FATAL if it will accept
     *     no change any more
     */
    void begin();

    /**
     * Waits as {@link #begin} for room for a change that removes something. The journal keeps room for removing
     * changes, so removing changes are accepted while other changes are refused.
     *
     * @throws StoreException as {@link #begin}
     */
    default void beginRemoval() {
        begin();
    }

    /**
     * Waits until a record of this size leaves enough room for the threads that hold a stripe. Called before
     * {@link #claim} by a thread that has made its changes, and holds a chunk or a collection but no stripe. Therefore
     * readers, which wait for stripes, never wait for a device. {@link #begin} keeps more room free than this method
     * needs, so it waits only if many changes have begun, or for a large record.
     *
     * @param entries number of entries
     * @param contentBytes sum of the lengths of the entries' contents, in bytes
     * @throws StoreException of category FATAL if the journal accepts no changes any more
     */
    void awaitRoom(int entries, long contentBytes);

    /**
     * Allocates room for a record. Waits only if other threads have used the room that was kept free at {@link #begin}.
     * A thread that has claimed a record must not wait for a stripe, because the thread inside the stripe may wait for
     * room that becomes free only after the record has ended.
     *
     * <p>A change that began before its zone was dropped from the store may claim a record of that zone shortly after.
     *
     * @param zone zone of the record, {@code cid >>> 48}
     * @param entries number of entries
     * @param contentBytes sum of the lengths of the entries' contents, in bytes
     * @return number of the record
     * @throws StoreException of category FATAL if the journal accepts no changes any more
     * @throws IllegalArgumentException if {@code contentBytes} exceeds {@link #recordBytesMax}
     */
    long claim(int zone, int entries, long contentBytes);

    /**
     * Returns the maximum sum of the lengths of the contents of a record.
     *
     * @param entries number of entries
     * @return bytes of content, at least {@link #CONTENT_BYTES_MAX} for one entry; negative if the entries do not fit
     */
    long recordBytesMax(int entries);

    /** {@return the memory that the caller writes contents to} */
    MemorySegment memory();

    /**
     * Writes the head of an entry.
     *
     * @param record record of the entry, result of {@link #claim}
     * @param after 0 for the first entry, else the offset of the byte after the content of the previous entry
     * @param cid the chunk or reserved CID
     * @param kind PUT, PUT_READ_ONLY, REMOVED, RESERVED, or BYTES if this journal takes them
     * @param length length of the content in bytes, 0 to {@link #CONTENT_BYTES_MAX}
     * @param number number of the change, which {@link #now} returned at the change; 0 for the number of the record
     * @return offset in {@link #memory} at which the caller writes the content
     */
    long entry(long record, long after, long cid, int kind, int length, long number);

    /**
     * Returns the number for a removal that is recorded later, in a group. The number is at least the number of each
     * record of the zone claimed before, and below the numbers of all records of the zone claimed later. A removal with
     * the number of a record counts as later than this record.
     *
     * @param zone zone of the removed chunk, {@code cid >>> 48}
     * @return the number
     */
    long now(int zone);

    /**
     * Notes the length of a chunk before its removal by the calling thread, in front of the claim of the removal's
     * record. The record does not have the length. Called inside the chunk's stripe. The default implementation does
     * nothing.
     *
     * @param length length of the chunk in bytes
     */
    default void removing(long length) {}

    /**
     * Commits a record: it is part of the log from now on.
     *
     * @param record result of {@link #claim}; its entries must be written completely
     * @param isGroup whether the entries must be kept together permanently, not only until they have reached the disk
     */
    void commit(long record, boolean isGroup);

    /**
     * Returns the list for a thread to leave a claimed record that cannot be committed, for any reason: no restore sees
     * the record's entries. Such a record must be left in any case, as later records wait for it.
     *
     * @return the list, always the same one
     */
    AbandonedRecords abandoned();

    /**
     * Returns the exception for a thread that has failed to write to {@link #memory}, because the system could not
     * provide that memory.
     *
     * @param failure thrown by the JVM
     * @return an exception that says so
     */
    default RuntimeException memoryFailed(InternalError failure) {
        return new StoreException(Category.FATAL, "the journal's memory has failed: " + FailureText.of(failure),
            failure);
    }

    /**
     * Records a chunk longer than {@link #CONTENT_BYTES_MAX}. May wait for room.
     *
     * @param cid the chunk, whose content must not change during the call
     * @param kind PUT or PUT_READ_ONLY
     * @param length length of the content in bytes
     * @param content copies parts of the content
     */
    void putLong(long cid, int kind, long length, Content content);

    /**
     * Waits until the calling thread's changes are as durable as the journal is configured to make them. Called after a
     * change, by a thread that holds no lock or stripe.
     *
     * @throws StoreException of category DEGRADED if the disk is full, FATAL if the journal has failed; the change was
     *     made in memory, but may be lost if the process or the machine ends
     */
    void done();

    /**
     * Waits until all changes made before, by any thread, are as durable as this journal can make them. Called between
     * changes of which the second must not outlive the first, by a thread that holds no lock or stripe. The default
     * implementation makes no changes durable.
     *
     * @throws StoreException as {@link #done}
     */
    default void sync() {}

    /**
     * Calls back when the calling thread's changes are as durable as the journal is configured to make them. Called
     * after a change, instead of {@link #done}, by a thread that must not wait. The default implementation waits, and
     * then calls back on the calling thread.
     *
     * <p>What {@link #done} waits for to slow down writers, such as a cleaner that falls behind, the next
     * {@link #begin} of the calling thread waits for. So a thread is at most one change ahead of it. The number of
     * changes that are not yet as durable as configured has no limit but the room of the journal; a caller with memory
     * for each such change must limit their number itself.
     *
     * @param then called once, with null, or with the exception that {@link #done} would have thrown; may be called on
     *     a thread of the journal, and must not block it
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
         * @param from first byte in the chunk
         * @param target segment to copy to
         * @param at first byte in the segment
         * @param length number of bytes
         */
        void copy(long from, MemorySegment target, long at, long length);
    }
}
