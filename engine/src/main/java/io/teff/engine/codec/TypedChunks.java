package io.teff.engine.codec;

import io.teff.engine.Chunks;
import io.teff.engine.Cid;
import io.teff.engine.Store;
import io.teff.engine.error.Status;
import io.teff.engine.error.StoreException;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Objects in chunks: each object is one chunk of a store, named by its CID.
 *
 * <p>An object is copied when it is put and made anew when it is got: what happens to it afterwards does not matter to
 * the store. Every operation on one chunk is atomic. Fields of fixed size may be read and written in place, by {@link
 * io.teff.engine.Fields} at {@link Schema#offset}. Thread-safe, for platform and virtual threads alike; keep one object
 * of this class, as it keeps buffers.
 *
 * @param <T> type of the objects
 */
public final class TypedChunks<T> {
    private static final int BUFFERS = 16;
    private static final int BUFFER_BYTES = 256;
    /** A buffer that has grown beyond it is not kept. */
    private static final int BUFFER_BYTES_KEPT = 1 << 20;

    private final Store store;
    private final Codec<T> codec;
    private final AtomicReferenceArray<@Nullable Buffer> buffers = new AtomicReferenceArray<>(BUFFERS);

    /** What one operation needs. */
    private static final class Buffer {
        private final Output out = Output.growing(BUFFER_BYTES);
        private final Input in = new Input(new byte[0], 0, 0);
        private byte[] bytes = new byte[BUFFER_BYTES];
    }

    /**
     * Makes a view of a store.
     *
     * @param store where the chunks are
     * @param codec what turns objects into bytes, a {@link Schema} for instance
     */
    public TypedChunks(Store store, Codec<T> codec) {
        this.store = Objects.requireNonNull(store);
        this.codec = Objects.requireNonNull(codec);
    }

    /**
     * Makes a chunk.
     *
     * @param value its object
     * @return its CID
     * @throws StoreException of category DEGRADED if the memory limit is reached
     */
    public long create(T value) {
        Buffer buffer = take();
        try {
            return Chunks.check(Cid.NONE, store.create(write(value, buffer), 0, buffer.out.size()));
        } finally {
            give(buffer);
        }
    }

    /**
     * Replaces a chunk's object.
     *
     * @param cid the chunk
     * @param value its new object
     * @throws NoSuchElementException if there is no such chunk
     * @throws StoreException of category RETRY if it is locked, pinned or read-only, DEGRADED if the limit is reached
     */
    public void put(long cid, T value) {
        Buffer buffer = take();
        try {
            Chunks.check(cid, store.put(cid, write(value, buffer), 0, buffer.out.size()));
        } finally {
            give(buffer);
        }
    }

    /**
     * Gets a chunk's object.
     *
     * @param cid the chunk
     * @return a new object, or empty if there is no such chunk
     * @throws MalformedException if the chunk does not hold such an object and nothing else
     * @throws StoreException of category RETRY if another thread keeps it locked for longer than the store's timeout
     */
    public Optional<T> get(long cid) {
        return Optional.ofNullable(find(cid));
    }

    private @Nullable T find(long cid) {
        Buffer buffer = take();
        try {
            int length = store.get(cid, buffer.bytes, 0);
            while (length == Status.TOO_SMALL) {
                long size = store.size(cid);
                if (size > Integer.MAX_VALUE - Long.BYTES) {
                    throw new MalformedException(0, "chunk " + Cid.toString(cid) + " of " + size + " bytes", null);
                }
                buffer.bytes = new byte[(int) Math.max(size, buffer.bytes.length)];
                length = store.get(cid, buffer.bytes, 0);
            }
            if (length == Status.ABSENT) {
                return null;
            }
            Chunks.check(cid, length);
            buffer.in.reset(buffer.bytes, 0, length);
            T value = codec.read(buffer.in);
            if (buffer.in.left() > 0) {
                throw buffer.in.malformed(buffer.in.left() + " bytes behind the object");
            }
            return value;
        } finally {
            give(buffer);
        }
    }

    /**
     * Replaces a chunk's object by one that is made of it, while nobody else changes it.
     *
     * @param cid the chunk
     * @param change makes the new object; called once, while this thread holds the chunk's write lock, so it must not
     *     update or remove the same chunk
     * @return the new object
     * @throws NoSuchElementException if there is no such chunk
     * @throws StoreException of category RETRY if it is locked, pinned or read-only, DEGRADED if the limit is reached
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
     * @return whether there was one
     * @throws StoreException of category RETRY if it is locked or pinned
     */
    public boolean remove(long cid) {
        return store.chunks().remove(cid);
    }

    private byte[] write(T value, Buffer buffer) {
        buffer.out.clear();
        codec.write(value, buffer.out);
        return buffer.out.array();
    }

    // ---- buffers: more operations at once than there are places make some of their own ----

    private Buffer take() {
        Buffer buffer = buffers.getAndSet(place(), null);
        return buffer != null ? buffer : new Buffer();
    }

    private void give(Buffer buffer) {
        if (buffer.bytes.length <= BUFFER_BYTES_KEPT && buffer.out.array().length <= BUFFER_BYTES_KEPT) {
            buffers.setRelease(place(), buffer);
        }
    }

    private static int place() {
        return (int) Thread.currentThread().threadId() & BUFFERS - 1;
    }
}
