package io.teff.tools.soak;

import io.teff.engine.Pin;
import io.teff.engine.Store;
import io.teff.engine.error.Status;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/**
 * Chunks of one owner that stay pinned for a while, whatever the store does meanwhile: they must neither move nor
 * change, refuse to be removed or resized, and hold their bytes when they are let go. For one thread.
 */
final class HeldChunks {
    /** Chunks that are pinned at the same time. */
    static final int COUNT_MAX = 8;

    private final Store store;
    private final ChunkSet set;
    private final byte[] buffer;
    private final Deque<Held> held = new ArrayDeque<>(COUNT_MAX);

    private record Held(int slot, Pin pin, long address) {}

    HeldChunks(Store store, ChunkSet set) {
        this.store = store;
        this.set = set;
        this.buffer = new byte[set.content().sizeMax()];
    }

    boolean contains(int slot) {
        for (Held one : held) {
            if (one.slot() == slot) {
                return true;
            }
        }
        return false;
    }

    /** Pins one more, and lets the oldest go when there are enough. */
    void hold(int slot) {
        if (held.size() == COUNT_MAX) {
            release();
        }
        Pin pin = store.pins().pin(set.cid(slot));
        held.add(new Held(slot, pin, pin.address()));
        set.check("resize while pinned", slot, store.resize(set.cid(slot), set.length(slot) + 1L), Status.PINNED);
        set.check("remove while pinned", slot, store.remove(set.cid(slot)), Status.PINNED);
    }

    /** Lets all go. */
    void releaseAll() {
        while (!held.isEmpty()) {
            release();
        }
    }

    private void release() {
        Held one = held.remove();
        MemorySegment segment = one.pin().segment();
        set.check("address while pinned", one.slot(), one.pin().address(), one.address());
        MemorySegment.copy(segment, 0, MemorySegment.ofArray(buffer), 0, segment.byteSize());
        set.compare("look through a pin", one.slot(), buffer, 0, segment.byteSize());
        set.verify(one.slot());
        one.pin().close();
        Arrays.fill(buffer, (byte) 0);
    }
}
