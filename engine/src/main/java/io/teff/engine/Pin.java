package io.teff.engine;

import io.teff.engine.chunk.Changes;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;

/** One pin of a chunk; ends with {@link #close()}. Thread-safe. */
public final class Pin implements AutoCloseable {
    private final Changes changes;
    private final long cid;
    private final MemorySegment segment;
    private final boolean isToRead;
    private final AtomicBoolean ended = new AtomicBoolean();
    private volatile boolean isUsed;
    /** Keeps the store open while the application refers to nothing but this object. */
    @SuppressWarnings({"unused", "UnusedVariable"})
    private final StoreHandle handle;

    Pin(StoreHandle handle, Changes changes, long cid, MemorySegment memory, boolean isToRead) {
        this.handle = handle;
        this.changes = changes;
        this.cid = cid;
        this.isToRead = isToRead;
        this.segment = isToRead ? memory.asReadOnly() : memory;
    }

    /** {@return the pinned chunk} */
    public long cid() {
        return cid;
    }

    /**
     * Returns the chunk's memory. It stays accessible until the store is closed, but belongs to the chunk only until
     * this pin is closed.
     *
     * @return a native segment of the chunk's length (a heap segment for length 0), read-only if the pin or the store
     *     is read-only
     * @throws IllegalStateException after {@link #close()}
     */
    public MemorySegment segment() {
        if (ended.get()) {
            throw new IllegalStateException("the pin of chunk " + Cid.toString(cid) + " is closed");
        }
        isUsed = true;
        return segment;
    }

    /**
     * Returns the machine address of the chunk's first byte. If the segment is read-only, do not write to the address:
     * no log records the change.
     *
     * @return the address
     * @throws IllegalStateException after {@link #close()}
     */
    public long address() {
        return segment().address();
    }

    /**
     * Ends the pin; idempotent.
     *
     * @throws io.teff.engine.error.StoreException if the log of a durable store does not accept the changed content; of
     *     category RETRY if another thread keeps a chunk of more than 64 KiB write-locked, and then the content is not
     *     logged before the next change of the chunk. The pin has ended in either case
     */
    @Override
    public void close() {
        if (ended.compareAndSet(false, true)) {
            changes.unpin(cid, isUsed && !isToRead);
        }
    }
}
