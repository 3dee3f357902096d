package io.teff.engine;

import io.teff.engine.check.Refusals;
import io.teff.engine.error.Status;
import io.teff.engine.error.StoreException;
import java.util.Arrays;
import java.util.NoSuchElementException;
import java.util.Optional;

/**
 * The comfortable form of the single operations: byte arrays in and out, {@link Optional} for what may be absent,
 * exceptions for everything else. Allocates; the hot forms are in {@link Store}. Thread-safe.
 */
public final class Chunks {
    private static final int GUESS_BYTES = 256;

    private final ChunkStore store;

    /**
     * Creates the form with exceptions of a store.
     *
     * @param store the store
     */
    public Chunks(ChunkStore store) {
        this.store = store;
    }

    /**
     * Makes a chunk.
     *
     * @param content its bytes
     * @return its CID
     * @throws StoreException of category DEGRADED if the memory limit is reached
     */
    public long create(byte[] content) {
        return check(Cid.NONE, store.create(content));
    }

    /**
     * Gets a chunk.
     *
     * @param cid the chunk
     * @return its bytes, or empty if there is no such chunk
     * @throws StoreException of category RETRY if another thread keeps it locked
     * @throws OutOfMemoryError if it is longer than an array can be
     */
    public Optional<byte[]> get(long cid) {
        byte[] bytes = new byte[GUESS_BYTES];
        for (;;) {
            int length = store.get(cid, bytes, 0);
            if (length >= 0) {
                return Optional.of(length == bytes.length ? bytes : Arrays.copyOf(bytes, length));
            }
            if (length == Status.ABSENT) {
                return Optional.empty();
            }
            if (length != Status.TOO_SMALL) {
                throw Refusals.of(cid, length);
            }
            long size = store.size(cid);
            if (size > Integer.MAX_VALUE - Long.BYTES) {
                throw new OutOfMemoryError("chunk " + Cid.toString(cid) + " of " + size + " bytes fits no array");
            }
            bytes = new byte[(int) Math.max(size, bytes.length)];
        }
    }

    /**
     * Replaces a chunk's content, whatever its length was.
     *
     * @param cid the chunk
     * @param content its new bytes
     * @throws NoSuchElementException if there is no such chunk
     * @throws StoreException of category RETRY if it is locked, pinned or read-only, DEGRADED if the limit is reached
     */
    public void put(long cid, byte[] content) {
        check(cid, store.put(cid, content));
    }

    /**
     * Removes a chunk.
     *
     * @param cid the chunk
     * @return whether there was one
     * @throws StoreException of category RETRY if it is locked or pinned
     */
    public boolean remove(long cid) {
        long result = store.remove(cid);
        if (result == Status.ABSENT) {
            return false;
        }
        check(cid, Math.min(result, 0));
        return true;
    }

    /**
     * Changes a chunk's length; the front is kept, what is new is zero.
     *
     * @param cid the chunk
     * @param length its new length in bytes
     * @throws NoSuchElementException if there is no such chunk
     * @throws StoreException of category RETRY if it is locked, pinned or read-only, DEGRADED if the limit is reached
     */
    public void resize(long cid, long length) {
        check(cid, store.resize(cid, length));
    }

    /**
     * Turns a status into the exception that this class throws for it.
     *
     * @param cid the chunk
     * @param result what a hot operation returned
     * @return the result, if it is no status
     * @throws NoSuchElementException for ABSENT
     * @throws StoreException for any other status: of category DEGRADED for FULL, else RETRY
     */
    public static long check(long cid, long result) {
        return Refusals.check(cid, result);
    }
}
