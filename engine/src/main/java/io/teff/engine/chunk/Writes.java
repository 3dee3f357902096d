package io.teff.engine.chunk;

import io.teff.engine.alloc.AllocStripe;
import io.teff.engine.config.DebugLevel;
import io.teff.engine.error.Status;
import io.teff.engine.lock.ChunkLocks;
import io.teff.engine.lock.LockIntent;
import io.teff.engine.lock.Stripes;
import io.teff.engine.memory.Memory;
import io.teff.engine.table.EntryWord;
import io.teff.engine.table.StoredLength;

/**
 * Operations that change or remove one chunk.
 *
 * <p>A change works inside the chunk's stripe. New content of another length is first written to new memory, then the
 * entry is switched inside the stripe. So the stripe is held only briefly, and readers see either the old or the new
 * chunk. Content of more than 64 KiB is written under an exclusive lock instead.
 */
public final class Writes {
    private final ChunkSpace space;
    private final Stripes stripes;
    private final Memory memory;
    private final ChunkLocks locks;
    private final ChunkMemory chunks;
    private final Reads reads;
    private final Creates creates;
    private final ChangeLog log;
    private final Upkeep upkeep;

    public Writes(ChunkSpace space, Reads reads, Creates creates, ChangeLog log, Upkeep upkeep) {
        this.space = space;
        this.reads = reads;
        this.creates = creates;
        this.log = log;
        this.upkeep = upkeep;
        this.stripes = space.stripes;
        this.memory = space.memory;
        this.locks = space.locks;
        this.chunks = space.chunks;
    }

    // ---- put ----

    /** Replaces the content; returns OK or a status. */
    public int put(long cid, Object source, long offset, long length) {
        final int stripe = stripes.of(cid);
        stripes.enter(stripe);
        try {
            final long word = space.find(cid);
            if (isPlain(word, cid, length)) {
                Buffers.copyIn(memory, source, offset, EntryWord.address(word), length);
                log.recordChange(cid);
                return Status.OK;
            }
        } finally {
            stripes.leave(stripe);
        }
        return putSlow(cid, source, offset, length);
    }

    /** Returns whether the entry is an unheld chunk of the given length with memory. */
    private static boolean isPlain(long word, long cid, long length) {
        return EntryWord.state(word) == EntryWord.PLAIN && EntryWord.isChunk(word, cid)
            && EntryWord.length(word) == length && EntryWord.isEmbedded(word);
    }

    private int putSlow(long cid, Object source, long offset, long length) {
        int entered = locks.enter(cid, LockIntent.WRITE, space.config.lockTimeoutNs());
        if (entered != Status.OK) {
            return entered;
        }
        try {
            long word = space.word(cid);
            if (chunks.length(word) == length && length <= Thresholds.OPTIMISTIC_BYTES_MAX) {
                if (length > 0) {
                    Buffers.copyIn(memory, source, offset, EntryWord.address(word), length);
                }
                log.recordChange(cid);
                return Status.OK;
            }
            if (chunks.length(word) != length && locks.isPinnedInside(cid)) {
                return Status.PINNED;
            }
        } finally {
            locks.leave(cid);
        }
        return length <= Thresholds.OPTIMISTIC_BYTES_MAX ? replace(cid, source, offset, length)
            : putLong(cid, source, offset, length);
    }

    private int putLong(long cid, Object source, long offset, long length) {
        space.beginRunning();
        try {
            int held = space.hold(cid, true, space.config.lockTimeoutNs());
            if (held < 0) {
                return held;
            }
            try {
                long word = space.word(cid);
                if (chunks.length(word) != length) {
                    return replace(cid, source, offset, length);
                }
                Buffers.copyIn(memory, source, offset, EntryWord.address(word), length);
                log.recordHeld(cid);
                return Status.OK;
            } finally {
                space.unhold(cid, held);
            }
        } finally {
            space.endRunning();
        }
    }

    /** Writes the content to new memory, then switches the entry; returns OK or a status. */
    private int replace(long cid, Object source, long offset, long length) {
        space.inFlight.increment();
        int result;
        try {
            long address = creates.allocateFilled(source, offset, length);
            result = address == ChunkMemory.FULL ? Status.FULL : switchMemory(cid, address, length);
        } finally {
            space.inFlight.decrement();
        }
        upkeep.changed();
        return result;
    }

    /** Gives a chunk new memory; frees the new memory instead if the chunk cannot be changed. */
    private int switchMemory(long cid, long address, long length) {
        int result = locks.enter(cid, LockIntent.WRITE, space.config.lockTimeoutNs());
        if (result == Status.OK) {
            try {
                if (locks.isPinnedInside(cid)) {
                    result = Status.PINNED;
                } else {
                    switchInside(cid, space.word(cid), address, length);
                    if (length <= Thresholds.OPTIMISTIC_BYTES_MAX) {
                        log.recordChange(cid);
                    }
                }
            } finally {
                locks.leave(cid);
            }
        }
        if (result != Status.OK) {
            creates.freeMemory(address, length);
        } else if (length > Thresholds.OPTIMISTIC_BYTES_MAX) {
            log.recordHeld(cid);
        }
        return result;
    }

    /** Gives a chunk new memory and frees the old memory, inside the chunk's stripe. */
    public void switchInside(long cid, long word, long address, long length) {
        long oldLength = chunks.length(word);
        space.write(cid, EntryWord.withMemory(word, StoredLength.field(length), address));
        space.countInside(cid, 0, length - oldLength, chunks.takenBytes(length) - chunks.takenBytes(oldLength));
        chunks.free(EntryWord.address(word), oldLength);
    }

    /** Writes a part of a chunk; returns OK or a status. */
    public int putBytes(long cid, long chunkOffset, Object source, long offset, long length) {
        if (length > Thresholds.OPTIMISTIC_BYTES_MAX || log.isLong(cid, length)) {
            return putLongRange(cid, chunkOffset, source, offset, length);
        }
        int entered = locks.enter(cid, LockIntent.WRITE, space.config.lockTimeoutNs());
        if (entered != Status.OK) {
            return entered;
        }
        try {
            final long before = log.beforeBytes(cid);
            int result = writeRange(cid, chunkOffset, source, offset, length);
            if (result == Status.OK && length > 0) {
                log.recordBytes(cid, before, chunkOffset, length);
            }
            return result;
        } finally {
            locks.leave(cid);
        }
    }

    private int putLongRange(long cid, long chunkOffset, Object source, long offset, long length) {
        space.beginRunning();
        try {
            int held = space.hold(cid, true, space.config.lockTimeoutNs());
            if (held < 0) {
                return held;
            }
            try {
                int result = writeRange(cid, chunkOffset, source, offset, length);
                if (result == Status.OK && length > 0) {
                    log.recordHeld(cid);
                }
                return result;
            } finally {
                space.unhold(cid, held);
            }
        } finally {
            space.endRunning();
        }
    }

    private int writeRange(long cid, long chunkOffset, Object source, long offset, long length) {
        long word = space.word(cid);
        if (!Reads.isInside(chunkOffset, length, chunks.length(word))) {
            return Status.OUT_OF_RANGE;
        }
        if (length > 0) {
            Buffers.copyIn(memory, source, offset, EntryWord.address(word) + chunkOffset, length);
        }
        return Status.OK;
    }

    // ---- resize ----

    /** Changes the length; bytes up to the shorter length are kept, added bytes are zero. Returns OK or a status. */
    public int resize(long cid, long length) {
        if (Math.max(length, reads.size(cid)) > Thresholds.OPTIMISTIC_BYTES_MAX) {
            return resizeLong(cid, length);
        }
        int entered = locks.enter(cid, LockIntent.WRITE, space.config.lockTimeoutNs());
        if (entered != Status.OK) {
            return entered;
        }
        int result;
        try {
            long oldLength = chunks.length(space.word(cid));
            result = oldLength == length ? Status.OK
                : locks.isPinnedInside(cid) ? Status.PINNED : resizeInside(cid, oldLength, length);
        } finally {
            locks.leave(cid);
        }
        upkeep.changed();
        return result;
    }

    private int resizeInside(long cid, long oldLength, long length) {
        long word = space.word(cid);
        if (chunks.sameMemory(oldLength, length, space.config.debugLevel() != DebugLevel.OFF)) {
            if (length > oldLength) {
                memory.fill(EntryWord.address(word) + oldLength, length - oldLength, (byte) 0);
            }
            space.write(cid, EntryWord.withMemory(word, StoredLength.field(length), EntryWord.address(word)));
            space.countInside(cid, 0, length - oldLength, 0);
            log.recordChange(cid);
            return Status.OK;
        }
        long address = copyToNew(EntryWord.address(word), oldLength, length);
        if (address == ChunkMemory.FULL) {
            return Status.FULL;
        }
        switchInside(cid, word, address, length);
        log.recordChange(cid);
        return Status.OK;
    }

    private long copyToNew(long oldAddress, long oldLength, long length) {
        AllocStripe stripe = space.acquire();
        try {
            long address = chunks.allocate(stripe, length);
            if (address > 0) {
                long kept = Math.min(oldLength, length);
                if (kept > 0) {
                    memory.copy(oldAddress, address, kept);
                }
                if (length > kept) {
                    memory.fill(address + kept, length - kept, (byte) 0);
                }
            }
            return address;
        } finally {
            space.allocStripes.release(stripe);
        }
    }

    private int resizeLong(long cid, long length) {
        int result = resizeHeld(cid, length);
        upkeep.changed();
        return result;
    }

    private int resizeHeld(long cid, long length) {
        space.beginRunning();
        try {
            int held = space.hold(cid, true, space.config.lockTimeoutNs());
            if (held < 0) {
                return held;
            }
            try {
                long word = space.word(cid);
                if (chunks.length(word) == length) {
                    return Status.OK;
                }
                space.inFlight.increment();
                try {
                    long address = copyToNew(EntryWord.address(word), chunks.length(word), length);
                    return address == ChunkMemory.FULL ? Status.FULL : switchMemory(cid, address, length);
                } finally {
                    space.inFlight.decrement();
                }
            } finally {
                space.unhold(cid, held);
            }
        } finally {
            space.endRunning();
        }
    }

    // ---- remove, seal ----

    /** Removes a chunk; returns its length or a status. */
    public long remove(long cid) {
        return remove(cid, space.config.lockTimeoutNs());
    }

    public long remove(long cid, long timeoutNs) {
        int entered = locks.enter(cid, LockIntent.REMOVE, timeoutNs);
        if (entered != Status.OK) {
            return entered;
        }
        long length;
        boolean pageEmpty;
        try {
            if (locks.isPinnedInside(cid)) {
                return Status.PINNED;
            }
            long word = space.word(cid);
            length = chunks.length(word);
            pageEmpty = space.endChunk(cid, word, log.recordRemoval(cid, length));
        } finally {
            locks.leave(cid);
        }
        if (pageEmpty) {
            space.releaseTablePage(cid);
        }
        upkeep.removed();
        return length;
    }

    /** Makes a chunk read-only permanently; returns OK or a status. */
    public int seal(long cid) {
        int held = log.hold(cid, Long.MAX_VALUE);
        if (held < 0) {
            return held == Status.READ_ONLY ? Status.OK : held;
        }
        try {
            int entered = locks.enter(cid, LockIntent.WRITE, space.config.lockTimeoutNs());
            if (entered != Status.OK) {
                return entered == Status.READ_ONLY ? Status.OK : entered;
            }
            try {
                locks.sealInside(cid);
                log.recordChange(cid, held);
                return Status.OK;
            } finally {
                locks.leave(cid);
            }
        } finally {
            log.unhold(cid, held);
        }
    }
}
