package io.teff.engine.chunk;

import io.teff.engine.check.Refusals;
import io.teff.engine.error.Status;
import io.teff.engine.lock.LockIntent;
import io.teff.engine.memory.Memory;
import io.teff.engine.table.CidLayout;
import io.teff.engine.table.EntryWord;

/**
 * Changes of single values inside chunks, little-endian at any offset. Each is atomic with respect to every other
 * operation on the chunk. Thread-safe.
 */
public final class FieldWrites {
    private final ChunkSpace space;
    private final ChangeLog log;
    private final Memory memory;

    FieldWrites(ChunkSpace space, ChangeLog log) {
        this.space = space;
        this.log = log;
        this.memory = space.memory;
    }

    /** Writes a value of 1, 2, 4 or 8 bytes; returns OK or a status. */
    public int write(long cid, long offset, int bytes, long value) {
        int held = log.hold(cid, bytes);
        if (held < 0) {
            return held;
        }
        int result;
        try {
            result = writeHeld(cid, offset, bytes, value, held);
        } finally {
            log.unhold(cid, held);
        }
        return result;
    }

    private int writeHeld(long cid, long offset, int bytes, long value, int held) {
        int entered = space.locks.enter(cid, LockIntent.WRITE, space.config.lockTimeoutNs());
        if (entered != Status.OK) {
            return entered;
        }
        try {
            long address = address(cid, offset, bytes);
            long record = log.beforeBytes(cid);
            store(address, bytes, value);
            log.recordBytes(cid, record, offset, bytes, held);
            return Status.OK;
        } finally {
            space.locks.leave(cid);
        }
    }

    /** Replaces a value if it equals the expected one; returns 1 if replaced, 0 if not, or a status. */
    public int compareAndSet(long cid, long offset, int bytes, long expected, long update) {
        int held = log.hold(cid, bytes);
        if (held < 0) {
            return held;
        }
        int result;
        try {
            result = compareAndSetHeld(cid, offset, bytes, expected, update, held);
        } finally {
            log.unhold(cid, held);
        }
        return result;
    }

    private int compareAndSetHeld(long cid, long offset, int bytes, long expected, long update, int held) {
        int entered = space.locks.enter(cid, LockIntent.WRITE, space.config.lockTimeoutNs());
        if (entered != Status.OK) {
            return entered;
        }
        try {
            long address = address(cid, offset, bytes);
            if (load(address, bytes) != expected) {
                return 0;
            }
            long record = log.beforeBytes(cid);
            store(address, bytes, update);
            log.recordBytes(cid, record, offset, bytes, held);
            return 1;
        } finally {
            space.locks.leave(cid);
        }
    }

    /** Adds to a value; returns the previous value. A status is thrown as an exception. */
    public long getAndAdd(long cid, long offset, int bytes, long delta) {
        int held = log.hold(cid, bytes);
        if (held < 0) {
            throw Refusals.of(cid, held);
        }
        long before;
        try {
            before = getAndAddHeld(cid, offset, bytes, delta, held);
        } finally {
            log.unhold(cid, held);
        }
        return before;
    }

    private long getAndAddHeld(long cid, long offset, int bytes, long delta, int held) {
        int entered = space.locks.enter(cid, LockIntent.WRITE, space.config.lockTimeoutNs());
        if (entered != Status.OK) {
            throw Refusals.of(cid, entered);
        }
        try {
            long address = address(cid, offset, bytes);
            long before = load(address, bytes);
            long record = log.beforeBytes(cid);
            store(address, bytes, before + delta);
            log.recordBytes(cid, record, offset, bytes, held);
            return before;
        } finally {
            space.locks.leave(cid);
        }
    }

    // ---- inside the stripe ----

    /**
     * Returns the address of a field. Must be called inside the chunk's stripe.
     *
     * @param cid a chunk that exists
     * @param offset first byte in the chunk
     * @param bytes size of the field
     * @return the address of the field's first byte
     * @throws IndexOutOfBoundsException if the field is not inside the chunk
     */
    public long address(long cid, long offset, int bytes) {
        long word = space.word(cid);
        long length = space.chunks.length(word);
        if (!Reads.isInside(offset, bytes, length)) {
            throw new IndexOutOfBoundsException("offset=" + offset + " of " + bytes + " bytes is not inside chunk "
                + CidLayout.toString(cid) + " of " + length + " bytes");
        }
        return EntryWord.address(word) + offset;
    }

    private long load(long address, int bytes) {
        return load(memory, address, bytes);
    }

    /**
     * Reads a value.
     *
     * @param memory the region's memory
     * @param address first byte
     * @param bytes 1, 2, 4 or 8
     * @return the value, sign-extended
     */
    public static long load(Memory memory, long address, int bytes) {
        return switch (bytes) {
            case Long.BYTES -> memory.getFieldLong(address);
            case Integer.BYTES -> memory.getFieldInt(address);
            case Short.BYTES -> memory.getFieldShort(address);
            default -> memory.getFieldByte(address);
        };
    }

    private void store(long address, int bytes, long value) {
        switch (bytes) {
            case Long.BYTES -> memory.putFieldLong(address, value);
            case Integer.BYTES -> memory.putFieldInt(address, (int) value);
            case Short.BYTES -> memory.putFieldShort(address, (short) value);
            default -> memory.putFieldByte(address, (byte) value);
        }
    }
}
