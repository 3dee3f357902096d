package io.teff.engine.storage;

import io.teff.engine.lock.Stripes;
import io.teff.engine.memory.Memory;
import io.teff.engine.table.Table;
import io.teff.engine.view.EditScope;
import io.teff.engine.view.ReadScope;

/**
 * What a collection needs of a store.
 *
 * <p>A reader takes {@link #memory}, {@link #stripes} and {@link #table} and validates like any read of the store. A
 * writer calls {@link #enter}, changes bytes or switches the chunk's memory, and calls {@link #leave}: one operation of
 * the engine, which readers see whole. Thread-safe.
 *
 * <p>All methods that change something throw {@code StoreException}: of category DEGRADED if the memory limit is
 * reached, RETRY if somebody keeps the chunk locked or pinned, FATAL if it is gone; and {@code StoreClosedException}.
 */
public interface CollectionChunks {
    /** Result of {@link #allocate} when there is no memory. */
    long FULL = -1;

    /** {@return the accessor of the region} */
    Memory memory();

    /** {@return the stripes of all chunks} */
    Stripes stripes();

    /** {@return the table of the CIDs that this store issues} */
    Table table();

    /** {@return the name of the store, for messages} */
    String storeName();

    /**
     * The length of a chunk.
     *
     * @param word its entry, proven, or the caller is inside of its stripe
     * @return bytes
     */
    long length(long word);

    /**
     * What a chunk costs.
     *
     * @param length its bytes
     * @return bytes of memory
     */
    long takenBytes(long length);

    /** Tells the store that something was changed; outside of all stripes. */
    void changed();

    // ---- keeping changes ----

    /** {@return whether the store's changes are kept somewhere} */
    boolean isKept();

    /**
     * Called before an operation that changes something takes the collection's lock.
     *
     * @throws io.teff.engine.error.StoreException if nothing can be kept now
     */
    void begin();

    /**
     * Ends a group: what the thread has changed since the last one is kept together. Under the lock that keeps others
     * from changing the same chunks, while the collection is whole.
     *
     * @return whether something was changed
     */
    boolean endGroup();

    /**
     * Keeps the thread's group open, also when locks are given back, until {@link #closeGroup}: for the last step of a
     * collection that nobody can change any more.
     */
    void openGroup();

    /** Lets the group be ended again; does nothing if it was not kept open. */
    void closeGroup();

    /** Waits until what was changed is kept as well as was asked for; the lock is given back. */
    void done();

    // ---- whole chunks ----

    /**
     * Takes consecutive CIDs without memory.
     *
     * @param count how many
     * @return the first one
     */
    long reserve(int count);

    /**
     * Gives a reserved CID up, if it still is one.
     *
     * @param cid the CID
     */
    void unreserve(long cid);

    /**
     * Makes a chunk.
     *
     * @param source its content
     * @param from first index
     * @param length bytes
     * @return its CID
     */
    long create(byte[] source, int from, int length);

    /**
     * Makes a chunk at a reserved CID, or at one that has never been used; or replaces the content of the chunk there.
     *
     * @param cid the CID
     * @param source its content
     * @param from first index
     * @param length bytes
     */
    void store(long cid, byte[] source, int from, int length);

    /**
     * The same, but says that there is no memory: for what can be done without, such as to give some back.
     *
     * @param cid the chunk
     * @param source its content
     * @param from first index
     * @param length bytes
     * @return whether it was done; if not, nothing has changed
     */
    boolean tryStore(long cid, byte[] source, int from, int length);

    /**
     * Copies a chunk.
     *
     * @param cid the chunk
     * @param target where to
     * @return its length, or the status ABSENT or TOO_SMALL
     */
    int get(long cid, byte[] target);

    /**
     * The length of a chunk.
     *
     * @param cid the chunk
     * @return bytes, or the status ABSENT
     */
    long size(long cid);

    /**
     * Removes a chunk, if there is one.
     *
     * @param cid the chunk
     */
    void remove(long cid);

    /**
     * Shows a part of a chunk, which stays where it is and as it is meanwhile.
     *
     * @param cid the chunk
     * @param offset first byte
     * @param length bytes
     * @param scope what to do
     */
    void view(long cid, long offset, long length, ReadScope scope);

    /**
     * Lets a scope change a part of a chunk, which nobody else sees meanwhile.
     *
     * @param cid the chunk
     * @param offset first byte
     * @param length bytes
     * @param scope what to do
     */
    void edit(long cid, long offset, long length, EditScope scope);

    // ---- inside of a chunk's stripe ----

    /**
     * Enters the chunk's stripe, to change it.
     *
     * @param cid the chunk
     * @return its entry
     */
    long enter(long cid);

    /**
     * Enters the chunk's stripe, to read it.
     *
     * @param cid the chunk
     * @return its entry, or the status ABSENT and the stripe is not entered
     */
    long enterToRead(long cid);

    /**
     * Takes note that the chunk's bytes are changed in place; the thread is inside of its stripe.
     *
     * @param cid the chunk
     */
    void touch(long cid);

    /**
     * Leaves the chunk's stripe.
     *
     * @param cid the chunk
     */
    void leave(long cid);

    /**
     * Makes room for a chunk; the thread is inside of the chunk's stripe.
     *
     * @param length bytes, at least 1
     * @return address of undefined bytes, or {@link #FULL}
     */
    long allocate(long length);

    /**
     * Gives a chunk other memory and frees the old; the thread is inside of its stripe.
     *
     * @param cid the chunk
     * @param word its entry
     * @param address what {@link #allocate} returned
     * @param length with which it was called
     */
    void switchTo(long cid, long word, long address, long length);
}
