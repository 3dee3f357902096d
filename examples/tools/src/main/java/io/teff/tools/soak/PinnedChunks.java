package io.teff.tools.soak;

import io.teff.engine.Pin;
import io.teff.engine.Store;
import io.teff.engine.error.Status;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/**
 * Pinned chunks of one owner. While pinned, a chunk must keep its address and bytes, and refuse removal and resizing.
 * For one thread.
 */
final class PinnedChunks {
    /** Maximum number of chunks pinned at the same time. */
    static final int COUNT_MAX = 8;

    private final Store store;
    private final OwnedChunks set;
    private final byte[] buffer;
    private final Deque<PinnedChunk> pinned = new ArrayDeque<>(COUNT_MAX);

    private record PinnedChunk(int slot, Pin pin, long address) {}

    PinnedChunks(Store store, OwnedChunks set) {
        this.store = store;
        this.set = set;
        this.buffer = new byte[set.content().sizeMax()];
    }

    boolean contains(int slot) {
        for (PinnedChunk one : pinned) {
            if (one.slot() == slot) {
                return true;
            }
        }
        return false;
    }

    /** Pins a chunk; releases the oldest one first if {@link #COUNT_MAX} are pinned. */
    void pin(int slot) {
        if (pinned.size() == COUNT_MAX) {
            release();
        }
        Pin pin = store.pins().pin(set.cid(slot));
        pinned.add(new PinnedChunk(slot, pin, pin.address()));
        set.check("resize while pinned", slot, store.resize(set.cid(slot), set.length(slot) + 1L), Status.PINNED);
        set.check("remove while pinned", slot, store.remove(set.cid(slot)), Status.PINNED);
    }

    /** Verifies and releases all pinned chunks. */
    void releaseAll() {
        while (!pinned.isEmpty()) {
            release();
        }
    }

    private void release() {
        PinnedChunk one = pinned.remove();
        MemorySegment segment = one.pin().segment();
        set.check("address while pinned", one.slot(), one.pin().address(), one.address());
        MemorySegment.copy(segment, 0, MemorySegment.ofArray(buffer), 0, segment.byteSize());
        set.compare("read through a pin", one.slot(), buffer, 0, segment.byteSize());
        set.verify(one.slot());
        one.pin().close();
        Arrays.fill(buffer, (byte) 0);
    }
}
