package io.teff.engine;

import io.teff.engine.alloc.AllocStripe;
import io.teff.engine.alloc.ChunkHeap;
import io.teff.engine.memory.Memory;
import io.teff.engine.table.EntryWord;

/**
 * The bytes of a chunk: where they lie and how long they are.
 * <pre>
 *  length 0             no memory, address 0
 *  length 1..2046       | payload |                      length in the entry
 *  length 2047 and up   | length (8) | payload |         the entry's address is the payload's
 * </pre>
 * Thread-safe, except that an allocation stripe must be held by the caller.
 */
final class ChunkMemory {
    /** Result of {@link #allocate} when there is no memory. */
    static final long FULL = -1;

    private static final int FRONT_BYTES = Long.BYTES;

    private final ChunkHeap heap;
    private final Memory memory;

    ChunkMemory(ChunkHeap heap) {
        this.heap = heap;
        this.memory = heap.memory();
    }

    private static boolean inFront(long length) {
        return length > EntryWord.LENGTH_EMBEDDED_MAX;
    }

    private static long storedBytes(long length) {
        return inFront(length) ? length + FRONT_BYTES : length;
    }

    /** What an entry says of a chunk's length. */
    static int lengthField(long length) {
        return inFront(length) ? EntryWord.LENGTH_IN_FRONT : (int) length;
    }

    /** Bytes that a chunk of that length takes. */
    long takenBytes(long length) {
        return heap.takenBytes(storedBytes(length));
    }

    /** The same, in a store that may not exist. */
    static long takenBytes(long length, DebugLevel level) {
        return ChunkHeap.takenBytes(storedBytes(length), level.ordinal());
    }

    /** The longest length that takes the same memory as another, which is not 0, at debug level 0. */
    static long longestAlike(long length) {
        long taken = takenBytes(length, DebugLevel.OFF);
        return inFront(length) ? taken - FRONT_BYTES : Math.min(taken, EntryWord.LENGTH_EMBEDDED_MAX);
    }

    /** Makes room for a chunk; the payload is undefined. Returns the payload's address, 0 for length 0, or FULL. */
    long allocate(AllocStripe stripe, long length) {
        if (length == 0) {
            return 0;
        }
        long address = heap.allocate(stripe, storedBytes(length));
        if (address == ChunkHeap.FULL) {
            return FULL;
        }
        if (inFront(length)) {
            memory.putFieldLong(address, length);
            return address + FRONT_BYTES;
        }
        return address;
    }

    /** Frees a payload. */
    void free(long address, long length) {
        if (length > 0) {
            heap.free(inFront(length) ? address - FRONT_BYTES : address, storedBytes(length));
        }
    }

    /** The length of an entry's chunk. The entry was proven, or the caller is inside of the stripe. */
    long length(long word) {
        int embedded = EntryWord.length(word);
        return embedded < EntryWord.LENGTH_IN_FRONT ? embedded
            : memory.getFieldLong(EntryWord.address(word) - FRONT_BYTES);
    }

    /** True if two lengths can share memory: then a resize only changes the entry. */
    boolean sameMemory(long length, long otherLength, boolean checked) {
        return !checked && length > 0 && otherLength > 0 && !inFront(length) && !inFront(otherLength)
            && takenBytes(length) == takenBytes(otherLength);
    }

    /** Whether a chunk of that length has a run of units of its own. */
    boolean isRun(long length) {
        return heap.isRun(storedBytes(length));
    }

    /** Whether the chunk's memory is handed out by the heap; for audits. */
    boolean isInUse(long address, long length) {
        return length == 0 ? address == 0
            : heap.isInUse(inFront(length) ? address - FRONT_BYTES : address, storedBytes(length));
    }
}
