package io.teff.engine.storage;

import io.teff.engine.journal.Journal;
import io.teff.engine.lock.Stripes;
import io.teff.engine.memory.Memory;
import io.teff.engine.os.Chance;
import io.teff.engine.os.Threads;
import io.teff.engine.table.Table;
import io.teff.engine.view.EditScope;
import io.teff.engine.view.ReadScope;
import org.jspecify.annotations.Nullable;

/**
 * The chunk operations of a zone of the store that a collection uses.
 *
 * <p>A reader uses {@link #memory}, {@link #stripes} and {@link #table} and validates like any optimistic read of the
 * store. A writer calls {@link #enter}, changes bytes in place or switches the chunk to other memory, and calls {@link
 * #leave}. Readers see this as one atomic operation. Thread-safe.
 *
 * <p>All methods that change something throw {@code StoreException}, of category DEGRADED if the memory limit is
 * reached, RETRY if another caller keeps the chunk locked or pinned, FATAL if the chunk does not exist; {@code
 * StoreClosedException}; and {@code ZoneDroppedException} if the zone was dropped, as do all methods that read.
 */
public interface CollectionChunks {
    /** Result of {@link #allocate} when no memory is left. */
    long FULL = -1;

    /** {@return the accessor of the region} */
    Memory memory();

    /** {@return the stripes of all chunks} */
    Stripes stripes();

    /** {@return the table of the zone of the collections} */
    Table table();

    /** {@return whether the zone of the collections was dropped: no chunk of it is found any more} */
    boolean isDropped();

    /** {@return the name of the store, for exception texts} */
    String storeName();

    /**
     * Returns the length of a chunk.
     *
     * @param word the chunk's entry word, which is validated, or read inside the chunk's stripe
     * @return length in bytes
     */
    long length(long word);

    /**
     * Returns the memory that a chunk takes.
     *
     * @param length the chunk's length in bytes
     * @return bytes of memory
     */
    long takenBytes(long length);

    /** {@return random numbers, for the seeds of hashes} */
    Chance chance();

    /** {@return makes the threads that help with large changes} */
    Threads threads();

    /** Notifies the store that chunks were changed. Must be called outside all stripes. */
    void changed();

    // ---- keeping changes ----

    /** {@return whether the store's changes go to a journal} */
    boolean isKept();

    /** {@return whether every change is refused} */
    boolean isReadOnly();

    /**
     * Waits until all changes made before, by any thread, are as durable as possible: none of them is lost if a later
     * change is kept. Called outside all locks.
     */
    void sync();

    /**
     * Begins a change. Called before the operation takes the collection's lock.
     *
     * @throws io.teff.engine.error.StoreException if the journal cannot accept changes now
     */
    void begin();

    /**
     * Begins a change that removes something, and needs no more room afterwards than before. It is accepted while the
     * journal has no room for other changes.
     *
     * @throws io.teff.engine.error.StoreException as {@link #begin}
     */
    void beginRemoval();

    /** Begins a change that may add something, or a removal. */
    default void begin(boolean isToAdd) {
        if (isToAdd) {
            begin();
        } else {
            beginRemoval();
        }
    }

    /**
     * Ends the thread's group: the journal keeps all changes since the last group together. Must be called while the
     * collection is consistent, under the lock that prevents other changes of the same chunks.
     *
     * @return whether the group contains a change
     */
    boolean endGroup();

    /**
     * Has another journal record the groups that the calling thread ends from now on.
     *
     * @param journal passes each call on to the journal of the store; null for the journal of the store
     */
    void recordedBy(@Nullable Journal journal);

    /**
     * Keeps the thread's group open, even if locks are released, until {@link #closeGroup}. For the last step of
     * dropping a collection, when no other thread can change it any more.
     */
    void openGroup();

    /** Allows the group to end again. No effect if the group was not kept open. */
    void closeGroup();

    /**
     * Waits until the thread's changes are as durable as the store is configured to make them. Called after the lock
     * is released.
     */
    void done();

    // ---- whole chunks ----

    /**
     * Reserves consecutive CIDs without memory.
     *
     * @param count number of CIDs
     * @return the first CID
     */
    long reserve(int count);

    /**
     * Gives back a CID if it is still reserved.
     *
     * @param cid CID of the chunk or of the reservation
     */
    void unreserve(long cid);

    /**
     * Creates a chunk.
     *
     * @param source array with the content
     * @param from index of the first byte
     * @param length length in bytes
     * @return CID of the chunk
     */
    long create(byte[] source, int from, int length);

    /**
     * Creates a chunk at a CID that is reserved or has never been used, or replaces the content of an existing chunk.
     *
     * @param cid CID of the chunk or of the reservation
     * @param source array with the content
     * @param from index of the first byte
     * @param length length in bytes
     */
    void store(long cid, byte[] source, int from, int length);

    /**
     * Stores like {@link #store}, but reports missing memory as a result. For work that is optional, such as giving
     * memory back.
     *
     * @param cid CID of the chunk or of the reservation
     * @param source array with the content
     * @param from index of the first byte
     * @param length length in bytes
     * @return whether the content was stored; if not, nothing has changed
     */
    boolean tryStore(long cid, byte[] source, int from, int length);

    /**
     * Copies a chunk.
     *
     * @param cid the chunk
     * @param target array to copy to
     * @return length of the chunk, or the status ABSENT or TOO_SMALL
     */
    int get(long cid, byte[] target);

    /**
     * Returns the length of a chunk.
     *
     * @param cid the chunk
     * @return length in bytes, or the status ABSENT
     */
    long size(long cid);

    /**
     * Removes a chunk if it exists.
     *
     * @param cid the chunk
     */
    void remove(long cid);

    /**
     * Gives a scope read access to a range of a chunk, which is neither moved nor changed meanwhile.
     *
     * @param cid the chunk
     * @param offset offset of the first byte
     * @param length length in bytes
     * @param scope the reader
     */
    void view(long cid, long offset, long length, ReadScope scope);

    /**
     * Gives a scope write access to a range of a chunk, which no other thread sees meanwhile.
     *
     * @param cid the chunk
     * @param offset offset of the first byte
     * @param length length in bytes
     * @param scope the writer
     */
    void edit(long cid, long offset, long length, EditScope scope);

    // ---- inside a chunk's stripe ----

    /**
     * Enters the stripe of a chunk to change the chunk.
     *
     * @param cid the chunk
     * @return the chunk's entry word
     */
    long enter(long cid);

    /**
     * Enters the stripe of a chunk to read the chunk.
     *
     * @param cid the chunk
     * @return the chunk's entry word, or the status ABSENT, in which case the stripe is not entered
     */
    long enterToRead(long cid);

    /**
     * Records that the bytes of a chunk are changed in place. Must be called inside the chunk's stripe.
     *
     * @param cid the chunk
     */
    void touch(long cid);

    /**
     * Leaves the stripe of a chunk.
     *
     * @param cid the chunk
     */
    void leave(long cid);

    /**
     * Allocates memory for a chunk. Must be called inside the chunk's stripe.
     *
     * @param length length in bytes, at least 1
     * @return address of uninitialized memory, or {@link #FULL}
     */
    long allocate(long length);

    /**
     * Switches a chunk to other memory and frees its old memory. Must be called inside the chunk's stripe.
     *
     * @param cid the chunk
     * @param word the chunk's entry word
     * @param address address returned by {@link #allocate}
     * @param length length passed to {@link #allocate}
     */
    void switchTo(long cid, long word, long address, long length);
}
