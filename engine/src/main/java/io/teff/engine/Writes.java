package io.teff.engine;

import io.teff.engine.alloc.AllocStripe;
import io.teff.engine.chunk.Thresholds;
import io.teff.engine.config.DebugLevel;
import io.teff.engine.error.Status;
import io.teff.engine.lock.ChunkLocks;
import io.teff.engine.lock.LockIntent;
import io.teff.engine.lock.Stripes;
import io.teff.engine.memory.Memory;
import io.teff.engine.table.EntryWord;
import io.teff.engine.table.StoredLength;

/**
 * Operations that change and end one chunk.
 *
 * <p>A change works inside of the chunk's stripe. New content of another length is first written to new memory, then
 * the entry is switched inside of the stripe, so the stripe is held for a moment and readers see the old or the new
 * chunk. Content of more than 64 KiB is written under an exclusive lock instead.
 */
final class Writes {
    private final Core core;
    private final Stripes stripes;
    private final Memory memory;
    private final ChunkLocks locks;
    private final ChunkMemory chunks;
    private final Reads reads;
    private final Creates creates;
    private final ChangeLog log;

    Writes(Core core, Reads reads, Creates creates, ChangeLog log) {
        this.core = core;
        this.reads = reads;
        this.creates = creates;
        this.log = log;
        this.stripes = core.stripes;
        this.memory = core.memory;
        this.locks = core.locks;
        this.chunks = core.chunks;
    }

    // ---- put ----

    /** Replaces the content; OK or a status. */
    int put(long cid, Object source, long offset, long length) {
        Buffers.check(source, offset, length);
        log.begin();
        final int stripe = stripes.of(cid);
        stripes.enter(stripe);
        try {
            final long word = core.word(cid);
            if (isPlain(word, cid, length)) {
                Buffers.copyIn(memory, source, offset, EntryWord.address(word), length);
                log.changed(cid);
                return Status.OK;
            }
        } finally {
            stripes.leave(stripe);
        }
        return putSlow(cid, source, offset, length);
    }

    /** A chunk that nobody holds, with memory and of that length. */
    private static boolean isPlain(long word, long cid, long length) {
        return EntryWord.state(word) == EntryWord.PLAIN && EntryWord.isChunk(word, cid)
            && EntryWord.length(word) == length && EntryWord.isEmbedded(word);
    }

    private int putSlow(long cid, Object source, long offset, long length) {
        int entered = locks.enter(cid, LockIntent.WRITE, core.config.lockTimeoutNs());
        if (entered != Status.OK) {
            return entered;
        }
        try {
            long word = core.word(cid);
            if (chunks.length(word) == length && length <= Thresholds.OPTIMISTIC_BYTES_MAX) {
                if (length > 0) {
                    Buffers.copyIn(memory, source, offset, EntryWord.address(word), length);
                }
                log.changed(cid);
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
        core.beginRunning();
        try {
            int held = core.hold(cid, true, core.config.lockTimeoutNs());
            if (held < 0) {
                return held;
            }
            try {
                long word = core.word(cid);
                if (chunks.length(word) != length) {
                    return replace(cid, source, offset, length);
                }
                Buffers.copyIn(memory, source, offset, EntryWord.address(word), length);
                log.changedHeld(cid);
                return Status.OK;
            } finally {
                core.unhold(cid, held);
            }
        } finally {
            core.endRunning();
        }
    }

    /** Writes the content to new memory, then switches the entry. */
    private int replace(long cid, Object source, long offset, long length) {
        core.inFlight.increment();
        int result;
        try {
            long address = creates.fillAlone(source, offset, length);
            result = address == ChunkMemory.FULL ? Status.FULL : switchMemory(cid, address, length);
        } finally {
            core.inFlight.decrement();
        }
        core.changed();
        return result;
    }

    /** Gives a chunk new memory, or frees that again. */
    private int switchMemory(long cid, long address, long length) {
        int result = locks.enter(cid, LockIntent.WRITE, core.config.lockTimeoutNs());
        if (result == Status.OK) {
            try {
                if (locks.isPinnedInside(cid)) {
                    result = Status.PINNED;
                } else {
                    switchInside(cid, core.word(cid), address, length);
                    if (length <= Thresholds.OPTIMISTIC_BYTES_MAX) {
                        log.changed(cid);
                    }
                }
            } finally {
                locks.leave(cid);
            }
        }
        if (result != Status.OK) {
            creates.giveBack(address, length);
        } else if (length > Thresholds.OPTIMISTIC_BYTES_MAX) {
            log.changedHeld(cid);
        }
        return result;
    }

    /** Gives a chunk new memory and frees the old, inside of its stripe. */
    void switchInside(long cid, long word, long address, long length) {
        long oldLength = chunks.length(word);
        core.write(cid, EntryWord.withMemory(word, StoredLength.field(length), address));
        stripes.countRemoved(stripes.of(cid), 0, oldLength - length,
            chunks.takenBytes(oldLength) - chunks.takenBytes(length));
        chunks.free(EntryWord.address(word), oldLength);
    }

    /** Writes a part of a chunk; OK or a status. */
    int putBytes(long cid, long chunkOffset, Object source, long offset, long length) {
        Buffers.check(source, offset, length);
        log.begin();
        if (length > Thresholds.OPTIMISTIC_BYTES_MAX || log.isLong(cid)) {
            return putLongRange(cid, chunkOffset, source, offset, length);
        }
        int entered = locks.enter(cid, LockIntent.WRITE, core.config.lockTimeoutNs());
        if (entered != Status.OK) {
            return entered;
        }
        try {
            int result = writeRange(cid, chunkOffset, source, offset, length);
            if (result == Status.OK && length > 0) {
                log.changed(cid);
            }
            return result;
        } finally {
            locks.leave(cid);
        }
    }

    private int putLongRange(long cid, long chunkOffset, Object source, long offset, long length) {
        core.beginRunning();
        try {
            int held = core.hold(cid, true, core.config.lockTimeoutNs());
            if (held < 0) {
                return held;
            }
            try {
                int result = writeRange(cid, chunkOffset, source, offset, length);
                if (result == Status.OK && length > 0) {
                    log.changedHeld(cid);
                }
                return result;
            } finally {
                core.unhold(cid, held);
            }
        } finally {
            core.endRunning();
        }
    }

    private int writeRange(long cid, long chunkOffset, Object source, long offset, long length) {
        long word = core.word(cid);
        if (!Reads.isInside(chunkOffset, length, chunks.length(word))) {
            return Status.OUT_OF_RANGE;
        }
        if (length > 0) {
            Buffers.copyIn(memory, source, offset, EntryWord.address(word) + chunkOffset, length);
        }
        return Status.OK;
    }

    // ---- resize ----

    /** Changes the length; the front is kept, what is new is zero. OK or a status. */
    int resize(long cid, long length) {
        Core.checkLength(length);
        log.begin();
        if (Math.max(length, reads.size(cid)) > Thresholds.OPTIMISTIC_BYTES_MAX) {
            return resizeLong(cid, length);
        }
        int entered = locks.enter(cid, LockIntent.WRITE, core.config.lockTimeoutNs());
        if (entered != Status.OK) {
            return entered;
        }
        int result;
        try {
            long oldLength = chunks.length(core.word(cid));
            result = oldLength == length ? Status.OK
                : locks.isPinnedInside(cid) ? Status.PINNED : resizeInside(cid, oldLength, length);
        } finally {
            locks.leave(cid);
        }
        core.changed();
        return result;
    }

    private int resizeInside(long cid, long oldLength, long length) {
        long word = core.word(cid);
        if (chunks.sameMemory(oldLength, length, core.config.debugLevel() != DebugLevel.OFF)) {
            if (length > oldLength) {
                memory.fill(EntryWord.address(word) + oldLength, length - oldLength, (byte) 0);
            }
            core.write(cid, EntryWord.withMemory(word, StoredLength.field(length), EntryWord.address(word)));
            stripes.countRemoved(stripes.of(cid), 0, oldLength - length, 0);
            log.changed(cid);
            return Status.OK;
        }
        long address = copyToNew(EntryWord.address(word), oldLength, length);
        if (address == ChunkMemory.FULL) {
            return Status.FULL;
        }
        switchInside(cid, word, address, length);
        log.changed(cid);
        return Status.OK;
    }

    private long copyToNew(long oldAddress, long oldLength, long length) {
        AllocStripe stripe = core.acquire();
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
            core.allocStripes.release(stripe);
        }
    }

    private int resizeLong(long cid, long length) {
        int result = resizeHeld(cid, length);
        core.changed();
        return result;
    }

    private int resizeHeld(long cid, long length) {
        core.beginRunning();
        try {
            int held = core.hold(cid, true, core.config.lockTimeoutNs());
            if (held < 0) {
                return held;
            }
            try {
                long word = core.word(cid);
                if (chunks.length(word) == length) {
                    return Status.OK;
                }
                core.inFlight.increment();
                try {
                    long address = copyToNew(EntryWord.address(word), chunks.length(word), length);
                    return address == ChunkMemory.FULL ? Status.FULL : switchMemory(cid, address, length);
                } finally {
                    core.inFlight.decrement();
                }
            } finally {
                core.unhold(cid, held);
            }
        } finally {
            core.endRunning();
        }
    }

    // ---- remove, seal ----

    /** Ends a chunk; its length or a status. */
    long remove(long cid) {
        return remove(cid, core.config.lockTimeoutNs());
    }

    long remove(long cid, long timeoutNs) {
        log.begin();
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
            long word = core.word(cid);
            length = chunks.length(word);
            pageEmpty = core.endChunk(cid, word, log.goes(cid));
        } finally {
            locks.leave(cid);
        }
        if (pageEmpty) {
            core.releaseTablePage(cid);
        }
        core.changed();
        return length;
    }

    /** Makes a chunk read-only for ever; OK or a status. */
    int seal(long cid) {
        int held = log.hold(cid);
        if (held < 0) {
            return held == Status.READ_ONLY ? Status.OK : held;
        }
        try {
            int entered = locks.enter(cid, LockIntent.WRITE, core.config.lockTimeoutNs());
            if (entered != Status.OK) {
                return entered == Status.READ_ONLY ? Status.OK : entered;
            }
            try {
                locks.sealInside(cid);
                log.changed(cid, held);
                return Status.OK;
            } finally {
                locks.leave(cid);
            }
        } finally {
            log.unhold(cid, held);
        }
    }
}
