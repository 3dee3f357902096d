package io.teff.engine.chunk;

import io.teff.engine.alloc.AllocStripe;
import io.teff.engine.alloc.ChunkHeap;
import io.teff.engine.memory.Memory;
import io.teff.engine.table.EntryWord;
import io.teff.engine.table.StoredLength;

/**
 * The memory of a chunk: its address and its length.
 * <pre>
 *  length 0             no memory, address 0
 *  length 1..2046       | payload |                      length in the entry
 *  length 2047 and up   | length (8) | payload |         the entry's address is the payload's
 * </pre>
 * Thread-safe, except that an allocation stripe must be held by the caller.
 */
public final class ChunkMemory {
    /** Result of {@link #allocate} if there is no memory. */
    public static final long FULL = -1;

    private final ChunkHeap heap;
    private final Memory memory;

    public ChunkMemory(ChunkHeap heap) {
        this.heap = heap;
        this.memory = heap.memory();
    }

    /** Returns the bytes of memory that a chunk of the given length takes. */
    public long takenBytes(long length) {
        return heap.takenBytes(StoredLength.bytes(length));
    }

    /**
     * Allocates memory for a chunk; the payload is undefined. Returns the payload's address, 0 for length 0, or FULL.
     */
    public long allocate(AllocStripe stripe, long length) {
        if (length == 0) {
            return 0;
        }
        long address = heap.allocate(stripe, StoredLength.bytes(length));
        if (address == ChunkHeap.FULL) {
            return FULL;
        }
        if (StoredLength.isInFront(length)) {
            memory.putFieldLong(address, length);
            return address + StoredLength.FRONT_BYTES;
        }
        return address;
    }

    /** Frees a payload. */
    public void free(long address, long length) {
        if (length > 0) {
            heap.free(StoredLength.isInFront(length) ? address - StoredLength.FRONT_BYTES : address,
                StoredLength.bytes(length));
        }
    }

    /** Returns the length of an entry's chunk. The entry must be validated, or the caller inside the stripe. */
    public long length(long word) {
        int embedded = EntryWord.length(word);
        return embedded < EntryWord.LENGTH_IN_FRONT ? embedded
            : memory.getFieldLong(EntryWord.address(word) - StoredLength.FRONT_BYTES);
    }

    /**
     * Returns true if chunks of both lengths take equally large memory, so that a resize only changes the entry. Always
     * false for length 0, for lengths in front of the payload, and if {@code checked} (a debug level other than OFF).
     */
    public boolean sameMemory(long length, long otherLength, boolean checked) {
        return !checked && length > 0 && otherLength > 0 && !StoredLength.isInFront(length)
            && !StoredLength.isInFront(otherLength)
            && takenBytes(length) == takenBytes(otherLength);
    }

    /** Returns whether a chunk of that length has a run of units of its own. */
    public boolean isRun(long length) {
        return heap.isRun(StoredLength.bytes(length));
    }

    /** Returns whether the heap counts the chunk's memory as allocated; for audits. */
    public boolean isInUse(long address, long length) {
        return length == 0 ? address == 0
            : heap.isInUse(StoredLength.isInFront(length) ? address - StoredLength.FRONT_BYTES : address,
                StoredLength.bytes(length));
    }
}
