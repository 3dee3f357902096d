package io.teff.cluster.slot;

import java.lang.foreign.MemorySegment;

/** Looks into entries of slots, for simulations in other packages. */
public final class SlotEntries {
    private SlotEntries() {}

    /** Returns whether the content of a slot is that of a lock. */
    public static boolean isLock(MemorySegment from, long at, long length) {
        return length == SlotLayout.LOCK_BYTES && SlotLayout.kind(from, at) == SlotLayout.LOCK;
    }
}
