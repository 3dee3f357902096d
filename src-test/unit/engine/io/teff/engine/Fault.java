package io.teff.engine;

import io.teff.engine.alloc.AllocStripe;
import io.teff.engine.chunk.ChunkSpace;
import io.teff.engine.config.DebugLevel;
import io.teff.engine.error.Status;
import io.teff.engine.error.StoreException;
import io.teff.engine.memory.Memory;
import io.teff.engine.table.EntryWord;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Ways to misuse memory, as a bug in the engine, or native code behind a pinned address, could. */
enum Fault {
    WRITE_BYTE_BEFORE,
    WRITE_BYTE_AFTER,
    WRITE_LONG_AFTER,
    DOUBLE_FREE,
    FREE_INTERIOR,
    FREE_FOREIGN,
    READ_AFTER_FREE,
    WRITE_AFTER_FREE,
    USE_AFTER_UNPIN,
    WRONG_SIZE,
    FORGOTTEN_FREE,
    TORN_LENGTH,
    MISALIGNED_ADDRESS,
    ADDRESS_ZERO;

    private static final byte FILLING = (byte) 0xDE;

    /** Returns whether a debug level can detect the fault at all: at level 1, freed memory is reused at once. */
    boolean isForLevel(DebugLevel level) {
        return level != DebugLevel.CANARIES || this != READ_AFTER_FREE && this != WRITE_AFTER_FREE
            && this != USE_AFTER_UNPIN;
    }

    /**
     * Plants the fault, then continues as a program would.
     *
     * @return the detected fault, or null
     */
    String plant(Store store, int bytes) {
        ChunkSpace space = Stores.space(store);
        Memory memory = space.memory;
        long address = allocate(space, bytes);
        long chunk = store.create(new byte[bytes]);
        byte[] before = new byte[bytes];
        try {
            switch (this) {
                case WRITE_BYTE_BEFORE -> flip(memory, address - 1);
                case WRITE_BYTE_AFTER -> flip(memory, address + bytes);
                case WRITE_LONG_AFTER -> memory.putFieldLong(address + bytes, 77);
                case DOUBLE_FREE -> space.heap.free(address, bytes);
                case FREE_INTERIOR -> space.heap.free(address + 2, bytes);
                case FREE_FOREIGN -> freeInAnother(store, bytes);
                case READ_AFTER_FREE -> {
                    memory.fill(address, bytes, (byte) 7);
                    space.heap.free(address, bytes);
                    memory.copyOut(address, before, 0, bytes);
                    return bytes > 0 && before[0] == FILLING && before[bytes - 1] == FILLING ? "reads the filling"
                        : null;
                }
                case WRITE_AFTER_FREE -> {
                    space.heap.free(address, bytes);
                    flip(memory, address + bytes / 2);
                    space.heap.drainQuarantine();
                    return null;
                }
                case USE_AFTER_UNPIN -> {
                    useAfterUnpin(store, chunk);
                    return null;
                }
                case WRONG_SIZE -> space.heap.free(address, bytes + 40_000);
                case FORGOTTEN_FREE -> {
                    store.audit();
                    return null;
                }
                case TORN_LENGTH -> {
                    tearLength(store);
                    return null;
                }
                case MISALIGNED_ADDRESS -> space.heap.free(address + 1, bytes);
                case ADDRESS_ZERO -> {
                    if (store.get(Cid.NONE, before) != Status.ABSENT || store.remove(Cid.NONE) != Status.ABSENT) {
                        return null;
                    }
                    space.heap.free(0, bytes);
                }
            }
            space.heap.free(address, bytes);
            space.heap.drainQuarantine();
            return null;
        } catch (StoreException e) {
            return e.getMessage();
        }
    }

    private static long allocate(ChunkSpace space, int bytes) {
        AllocStripe stripe = space.acquire();
        try {
            return space.heap.allocate(stripe, bytes);
        } finally {
            space.allocStripes.release(stripe);
        }
    }

    private static void flip(Memory memory, long address) {
        memory.putFieldByte(address, (byte) ~memory.getFieldByte(address));
    }

    /** Frees an address behind all memory that this store has ever used. */
    private static void freeInAnother(Store store, int bytes) {
        try (Store other = Store.open(store.config())) {
            other.create(new byte[1 << 20]);
            Stores.space(store).heap.free(allocate(Stores.space(other), bytes), bytes);
        }
    }

    private static void useAfterUnpin(Store store, long cid) {
        MemorySegment segment;
        try (Pin pin = store.pins().pin(cid)) {
            segment = pin.segment();
        }
        store.remove(cid);
        segment.set(ValueLayout.JAVA_BYTE, 0, (byte) 7);
        Stores.space(store).heap.drainQuarantine();
    }

    private static void tearLength(Store store) {
        long cid = store.create(new byte[3000]);
        ChunkSpace space = Stores.space(store);
        long address = EntryWord.address(space.word(cid));
        space.memory.putFieldLong(address - Long.BYTES, 300_000);
        store.remove(cid);
    }
}
