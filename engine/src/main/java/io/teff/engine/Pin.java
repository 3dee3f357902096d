package io.teff.engine;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;

/** One pin of a chunk; ends with {@link #close()}. Thread-safe. */
public final class Pin implements AutoCloseable {
    private final Core core;
    private final long cid;
    private final MemorySegment segment;
    private final AtomicBoolean ended = new AtomicBoolean();
    private volatile boolean isUsed;
    /** Keeps the store reachable while only this part of it is used. */
    @SuppressWarnings({"unused", "UnusedVariable"})
    private final Store store;

    Pin(Store store, Core core, long cid, long address, long length) {
        this.store = store;
        this.core = core;
        this.cid = cid;
        this.segment = length == 0 ? MemorySegment.ofArray(new byte[0]) : core.region.segment(address, length);
    }

    /** {@return the pinned chunk} */
    public long cid() {
        return cid;
    }

    /**
     * The chunk's memory. It lives until the store is closed, but is the chunk's only until this pin is closed.
     *
     * @return a native segment of the chunk's length (a heap segment for length 0)
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
     * The machine address of the chunk's first byte.
     *
     * @return the address
     * @throws IllegalStateException after {@link #close()}
     */
    public long address() {
        return segment().address();
    }

    /** Ends the pin; idempotent. */
    @Override
    public void close() {
        if (ended.compareAndSet(false, true)) {
            try {
                if (isUsed) {
                    core.log.tellNow(cid);
                }
            } finally {
                core.locks.unpin(cid);
            }
        }
    }
}
