package io.teff.engine;

import io.teff.engine.codec.Codec;
import io.teff.engine.codec.MalformedException;
import io.teff.engine.codec.schema.Schema;
import io.teff.engine.error.Status;
import io.teff.engine.error.StoreException;
import io.teff.engine.storage.CodecBuffers;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Objects in chunks: each object is one chunk of a store, named by its CID.
 *
 * <p>A put encodes the object to bytes, and each get decodes a new object: later changes of either object do not affect
 * the store. Every operation on one chunk is atomic. Fields of fixed size may be read and written in place, by
 * {@link Fields} at {@link Schema#offset}. Thread-safe, for platform and virtual threads; reuse one instance, because
 * all share a pool of buffers.
 *
 * @param <T> type of the objects
 */
public final class TypedChunks<T> {
    private final ChunkStore store;
    private final Codec<T> codec;

    /**
     * Creates typed access to a store.
     *
     * @param store store of the chunks
     * @param codec codec of the objects, such as a {@link Schema}
     */
    public TypedChunks(ChunkStore store, Codec<T> codec) {
        this.store = Objects.requireNonNull(store);
        this.codec = Objects.requireNonNull(codec);
    }

    /**
     * Creates a chunk.
     *
     * @param value object to store
     * @return CID of the chunk
     * @throws StoreException of category DEGRADED if the memory limit is reached
     */
    public long create(T value) {
        CodecBuffers buffers = CodecBuffers.POOL.acquire();
        try {
            return Chunks.check(Cid.NONE, store.create(write(value, buffers), 0, buffers.out().size()));
        } finally {
            CodecBuffers.POOL.release(buffers);
        }
    }

    /**
     * Replaces a chunk's object.
     *
     * @param cid the chunk
     * @param value the new object
     * @throws NoSuchElementException if there is no such chunk
     * @throws StoreException of category RETRY if the chunk is locked, pinned or read-only, DEGRADED if the memory
     *     limit is reached
     */
    public void put(long cid, T value) {
        CodecBuffers buffers = CodecBuffers.POOL.acquire();
        try {
            Chunks.check(cid, store.put(cid, write(value, buffers), 0, buffers.out().size()));
        } finally {
            CodecBuffers.POOL.release(buffers);
        }
    }

    /**
     * Returns a chunk's object.
     *
     * @param cid the chunk
     * @return a new object, or empty if there is no such chunk
     * @throws MalformedException if the chunk's bytes are not exactly one encoded object
     * @throws StoreException of category RETRY if another thread keeps the chunk locked beyond the store's timeout
     */
    public Optional<T> get(long cid) {
        return Optional.ofNullable(find(cid));
    }

    private @Nullable T find(long cid) {
        CodecBuffers buffers = CodecBuffers.POOL.acquire();
        try {
            int length = store.get(cid, buffers.bytes());
            while (length == Status.TOO_SMALL) {
                buffers.grow();
                length = store.get(cid, buffers.bytes());
            }
            if (length == Status.ABSENT) {
                return null;
            }
            Chunks.check(cid, length);
            return buffers.read(codec, buffers.bytes(), 0, length);
        } finally {
            CodecBuffers.POOL.release(buffers);
        }
    }

    /**
     * Replaces a chunk's object by the result of a function of that object, under the chunk's write lock. Waits for the
     * lock without a limit.
     *
     * @param cid the chunk
     * @param change computes the new object; called once, while this thread holds the chunk's write lock, so it must
     *     not update or remove the same chunk
     * @return the new object
     * @throws NoSuchElementException if there is no such chunk
     * @throws MalformedException if the chunk's bytes are not exactly one encoded object
     * @throws StoreException of category RETRY if the chunk is pinned or read-only, DEGRADED if the memory limit is
     *     reached
     * @throws IllegalStateException if the calling thread holds a lock on the chunk
     */
    public T update(long cid, UnaryOperator<T> change) {
        Chunks.check(cid, store.locks().lockWrite(cid, Long.MAX_VALUE));
        try {
            T value = Objects.requireNonNull(change.apply(get(cid).orElseThrow()));
            put(cid, value);
            return value;
        } finally {
            store.locks().unlock(cid);
        }
    }

    /**
     * Removes a chunk.
     *
     * @param cid the chunk
     * @return whether the chunk existed
     * @throws StoreException of category RETRY if the chunk is locked or pinned
     */
    public boolean remove(long cid) {
        return store.chunks().remove(cid);
    }

    private byte[] write(T value, CodecBuffers buffers) {
        buffers.out().clear();
        buffers.out().putValue(codec, value);
        return buffers.out().array();
    }
}
