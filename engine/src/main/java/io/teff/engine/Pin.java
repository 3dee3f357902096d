package io.teff.engine;

import io.teff.engine.chunk.Changes;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;

/** One pin of a chunk, which lasts until {@link #close()}. Thread-safe. */
public final class Pin implements AutoCloseable {
    private final Changes changes;
    private final long cid;
    private final MemorySegment segment;
    private final boolean isReadOnly;
    private final AtomicBoolean ended = new AtomicBoolean();
    /** Whether the segment or the address was requested. */
    private volatile boolean isRequested;
    /** Keeps the store reachable, and therefore open, while the application can reach this object. */
    @SuppressWarnings({"unused", "UnusedVariable"})
    private final StoreHandle handle;

    Pin(StoreHandle handle, Changes changes, long cid, MemorySegment memory, boolean isReadOnly) {
        this.handle = handle;
        this.changes = changes;
        this.cid = cid;
        this.isReadOnly = isReadOnly;
        this.segment = isReadOnly ? memory.asReadOnly() : memory;
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
        isRequested = true;
        return segment;
    }

    /**
     * Returns the machine address of the chunk's first byte. If the segment is read-only, do not write to the address:
     * the change would not be logged.
     *
     * @return the address; 0 for a chunk of length 0
     * @throws IllegalStateException after {@link #close()}
     */
    public long address() {
        return segment().address();
    }

    /**
     * Ends the pin; idempotent.
     *
     * @throws io.teff.engine.error.StoreException if the log of a durable store does not accept the changed content; of
     *     category RETRY if another thread keeps a chunk of more than 64 KiB write-locked: the content is then not
     *     logged before the next change of the chunk. The pin has ended in each case
     */
    @Override
    public void close() {
        if (ended.compareAndSet(false, true)) {
            changes.unpin(cid, isRequested && !isReadOnly);
        }
    }
}
