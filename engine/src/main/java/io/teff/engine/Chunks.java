package io.teff.engine;

import io.teff.engine.check.Refusals;
import io.teff.engine.error.Status;
import io.teff.engine.error.StoreException;
import java.util.Arrays;
import java.util.NoSuchElementException;
import java.util.Optional;

/**
 * The operations on single chunks with byte arrays as arguments and results, {@link Optional} for a chunk that may be
 * absent, and exceptions for all other failures. Unlike the operations of {@link Store}, these allocate on the Java
 * heap. Thread-safe.
 */
public class Chunks {
    /** Length of the first buffer that {@link #get} tries. */
    private static final int FIRST_BUFFER_BYTES = 256;

    private final ChunkStore store;

    /**
     * Creates the operations of a store.
     *
     * @param store store of the chunks
     */
    public Chunks(ChunkStore store) {
        this.store = store;
    }

    /**
     * Creates a chunk.
     *
     * @param content bytes of the chunk
     * @return CID of the chunk
     * @throws StoreException of category DEGRADED if the memory limit is reached
     */
    public long create(byte[] content) {
        return check(Cid.NONE, store.create(content));
    }

    /**
     * Copies a chunk.
     *
     * @param cid the chunk
     * @return bytes of the chunk in a new array, or empty if there is no such chunk
     * @throws StoreException of category RETRY if another thread keeps the chunk locked
     * @throws OutOfMemoryError if the chunk is too long for an array
     */
    public Optional<byte[]> get(long cid) {
        byte[] bytes = new byte[FIRST_BUFFER_BYTES];
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
                throw new OutOfMemoryError("chunk " + Cid.toString(cid) + " of " + size + " bytes exceeds an array");
            }
            bytes = new byte[(int) Math.max(size, bytes.length)];
        }
    }

    /**
     * Replaces a chunk's content; the new content may have another length.
     *
     * @param cid the chunk
     * @param content the new bytes
     * @throws NoSuchElementException if there is no such chunk
     * @throws StoreException of category RETRY if the chunk is locked, pinned or read-only, DEGRADED if the memory
     *     limit is reached
     */
    public void put(long cid, byte[] content) {
        check(cid, store.put(cid, content));
    }

    /**
     * Removes a chunk.
     *
     * @param cid the chunk
     * @return whether the chunk existed
     * @throws StoreException of category RETRY if the chunk is locked or pinned
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
     * Changes a chunk's length. Bytes up to the shorter length are kept, added bytes are zero.
     *
     * @param cid the chunk
     * @param length new length in bytes, 0 to {@link io.teff.engine.config.Limits#CHUNK_BYTES_MAX}
     * @throws NoSuchElementException if there is no such chunk
     * @throws StoreException of category RETRY if the chunk is locked, pinned or read-only, DEGRADED if the memory
     *     limit is reached
     */
    public void resize(long cid, long length) {
        check(cid, store.resize(cid, length));
    }

    /**
     * Throws the exception for a result that is a status; returns any other result.
     *
     * @param cid the chunk
     * @param result result of an operation of {@link ChunkStore}
     * @return the result, if it is not a status
     * @throws NoSuchElementException for ABSENT
     * @throws StoreException of category DEGRADED for FULL, RETRY for any other status
     */
    public static long check(long cid, long result) {
        return Refusals.check(cid, result);
    }
}
