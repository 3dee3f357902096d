package io.teff.cluster.slot;

import io.teff.engine.journal.ChunkRestorer;
import java.lang.foreign.MemorySegment;

/** Passes the chunks of a log on, and keeps the slots for a table. Thread-safe if the taker of the chunks is. */
public final class SlotRestore implements ChunkRestorer {
    private final ChunkRestorer to;
    private final SlotTable slots;

    /**
     * Begins to restore.
     *
     * @param to takes the chunks
     * @param slots takes the slots
     */
    public SlotRestore(ChunkRestorer to, SlotTable slots) {
        this.to = to;
        this.slots = slots;
    }

    @Override
    public void put(long cid, boolean isReadOnly, MemorySegment source, long offset, long length) {
        if (SlotLayout.isSlot(cid)) {
            slots.restore(cid, source, offset, length);
        } else {
            to.put(cid, isReadOnly, source, offset, length);
        }
    }

    @Override
    public Pieces begin(long length) {
        return to.begin(length);
    }

    @Override
    public boolean useHeadroom() {
        return to.useHeadroom();
    }

    @Override
    public void removed(long cid) {
        if (SlotLayout.isSlot(cid)) {
            slots.restoreRemoved(cid);
        } else {
            to.removed(cid);
        }
    }

    @Override
    public void reserved(long cid) {
        to.reserved(cid);
    }
}
