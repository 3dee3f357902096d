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
    /** Keeps the store open while only this object of it is used. */
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
     * The chunk's memory. It lives until the store is closed, but is the chunk's only until this pin is closed.
     *
     * @return a native segment of the chunk's length (a heap segment for length 0), for reading only if it was pinned
     *     to be read or the store is open for reading only
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
     * The machine address of the chunk's first byte. What is written there is kept in no log if the segment is for
     * reading only.
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
     * @throws io.teff.engine.error.StoreException if the log of a durable store does not keep what was written, or, of
     *     category RETRY, another thread keeps a chunk of more than 64 KiB locked for writing, so that it is not logged
     *     before its next change; the pin has ended all the same
     */
    @Override
    public void close() {
        if (ended.compareAndSet(false, true)) {
            changes.unpin(cid, isUsed && !isToRead);
        }
    }
}
