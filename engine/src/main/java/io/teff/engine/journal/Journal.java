package io.teff.engine.journal;

import io.teff.engine.error.StoreException;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what a store tells of its changes.
 *
 * <p>A <b>record</b> is some entries that are kept together or not at all: {@link #claim} it, write each entry's head
 * ({@link #entry}) and content, and {@link #commit} or {@link #abandon} it. Records are numbered in the order of their
 * claims. Of the entries of one index, whatever its generation, the one of the highest number counts.
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
    /** The chunk has this content, and never changes again. */
    int PUT_READ_ONLY = 2;
    /** The chunk, or the reservation, is gone. */
    int REMOVED = 3;
    /** The CID is taken, there is no chunk. */
    int RESERVED = 4;

    /** Longest content of an entry in bytes; what is longer goes by {@link #putLong}. */
    int CONTENT_BYTES_MAX = 1 << 20;

    /** {@return whether each change is refused, so that what is pinned is only read} */
    default boolean isReadOnly() {
        return false;
    }

    /**
     * Called before memory is changed, by a thread that holds nothing that a reader waits for. May wait for room.
     *
     * @throws StoreException of category DEGRADED if nothing can be kept now, FATAL if never again
     */
    void begin();

    /**
     * Called before {@link #claim} by a thread that holds no stripe, but a chunk or a collection, and has made its
     * changes: waits until its record leaves free what is kept for those that hold a stripe. So readers, who wait for
     * stripes, do not wait for a device. {@link #begin} has kept more than that free, so this waits only if many have
     * begun, or for a record that is large.
     *
     * @param entries how many
     * @param contentBytes of all of them
     * @throws StoreException of category FATAL if nothing is kept any more
     */
    void awaitRoom(int entries, long contentBytes);

    /**
     * Makes room for a record. Waits for it only if others have taken since {@link #begin} what is kept free for that.
     * A thread that has a record must not wait for a stripe: who is in it may wait for room behind the record.
     *
     * @param entries how many
     * @param contentBytes of all of them
     * @return the record
     * @throws StoreException of category FATAL if nothing is kept any more
     * @throws IllegalArgumentException for more than {@link #recordBytesMax}
     */
    long claim(int entries, long contentBytes);

    /**
     * What a record may have.
     *
     * @param entries how many
     * @return bytes of content, at least {@link #CONTENT_BYTES_MAX} for one entry; negative if so many do not fit
     */
    long recordBytesMax(int entries);

    /** {@return where contents are written to} */
    MemorySegment memory();

    /**
     * Writes the head of an entry.
     *
     * @param record what {@link #claim} returned
     * @param after 0 for the first entry, else where the content of the one before ends
     * @param cid the chunk
     * @param kind of the entry
     * @param length bytes of its content
     * @param number of the change, {@link #now} of when it was made; 0 for the record's own
     * @return where the content goes, an offset in {@link #memory}
     */
    long entry(long record, long after, long cid, int kind, int length, long number);

    /** {@return a number that is above those of all records that were claimed before, and below those to come} */
    long now();

    /**
     * Ends a record: it is kept from now on.
     *
     * @param record what {@link #claim} returned, all of its entries are written
     * @param isGroup whether its entries must be kept together for ever, not just until they have reached the disk
     */
    void commit(long record, boolean isGroup);

    /**
     * Ends a record that does not count.
     *
     * @param record what {@link #claim} returned
     */
    void abandon(long record);

    /**
     * Keeps a chunk longer than {@link #CONTENT_BYTES_MAX}. May wait.
     *
     * @param cid the chunk, which no thread changes meanwhile
     * @param kind PUT or PUT_READ_ONLY
     * @param length bytes
     * @param content where they come from
     */
    void putLong(long cid, int kind, long length, Content content);

    /** Called after a change, by a thread that holds nothing: waits until it is kept as well as was asked for. */
    void done();

    /**
     * Called after a change, instead of {@link #done}, by a thread that must not wait: calls back when the change is
     * kept
     * as well as was asked for. This form waits and then calls back, on the calling thread.
     *
     * @param then called once, with null, or with the exception that {@link #done} would have thrown; may be called by
     * a
     *     thread of the journal, which it must not block
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
         * Copies a part of it.
         *
         * @param from first byte in the chunk
         * @param target where to
         * @param at first byte there
         * @param length bytes
         */
        void copy(long from, MemorySegment target, long at, long length);
    }
}
