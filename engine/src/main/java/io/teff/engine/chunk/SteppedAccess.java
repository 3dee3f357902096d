package io.teff.engine.chunk;

import io.teff.engine.config.LockStep;
import io.teff.engine.error.Status;
import io.teff.engine.lock.LockIntent;
import io.teff.engine.table.EntryWord;

/** Reads and writes of a chunk that also take or release the calling thread's lock, in one atomic step. Thread-safe. */
public final class SteppedAccess {
    private final ChunkSpace space;
    private final ChangeLog log;

    SteppedAccess(ChunkSpace space, ChangeLog log) {
        this.space = space;
        this.log = log;
    }

    /**
     * Copies a chunk between two lock steps; returns its length or a status. The caller has checked the range of the
     * target.
     */
    public int get(long cid, byte[] target, int offset, LockStep before, LockStep after, long timeoutNs) {
        int entered = enter(cid, LockIntent.READ, before, after, timeoutNs);
        if (entered != Status.OK) {
            return entered;
        }
        try {
            if (!isPossible(cid, after)) {
                return Status.NOT_HELD;
            }
            long word = space.word(cid);
            long length = space.chunks.length(word);
            if (length > target.length - offset) {
                return Status.TOO_SMALL;
            }
            if (length > 0) {
                space.memory.copyOut(EntryWord.address(word), target, offset, (int) length);
            }
            step(cid, after);
            return (int) length;
        } finally {
            space.locks.leave(cid);
        }
    }

    /** Overwrites a chunk with content of the same length between two lock steps; returns OK or a status. */
    public int put(long cid, byte[] source, int offset, int length, LockStep before, LockStep after, long timeoutNs) {
        if (!log.isHeldToRecord(length)) {
            return putOnce(cid, source, offset, length, before, after, timeoutNs);
        }
        space.beginRunning();
        try {
            return before == LockStep.NONE ? putHeld(cid, source, offset, length, after, timeoutNs)
                : putOnce(cid, source, offset, length, before, after, timeoutNs);
        } finally {
            space.endRunning();
        }
    }

    /** Overwrites a long chunk under an exclusive hold of this method, for a put without a lock step before it. */
    private int putHeld(long cid, byte[] source, int offset, int length, LockStep after, long timeoutNs) {
        checkAfter(after);
        int held = space.hold(cid, true, timeoutNs);
        if (held < 0) {
            return held;
        }
        int result;
        try {
            result = held == Status.OK && after != LockStep.NONE
                || held == ChunkSpace.HELD_SWAPPED && after == LockStep.SWAP_TO_READ ? Status.NOT_HELD
                : putOnce(cid, source, offset, length, LockStep.NONE, LockStep.NONE, timeoutNs);
        } finally {
            space.unhold(cid, held);
        }
        return result == Status.OK ? stepAlone(cid, after) : result;
    }

    private int putOnce(long cid, byte[] source, int offset, int length, LockStep before, LockStep after,
                        long timeoutNs) {
        int entered = enter(cid, LockIntent.WRITE, before, after, timeoutNs);
        if (entered != Status.OK) {
            return entered;
        }
        try {
            if (!isPossible(cid, after)) {
                return Status.NOT_HELD;
            }
            long word = space.word(cid);
            if (space.chunks.length(word) != length) {
                return Status.OUT_OF_RANGE;
            }
            if (length > 0) {
                space.memory.copyIn(source, offset, EntryWord.address(word), length);
            }
            if (!log.isHeldToRecord(length)) {
                log.recordChange(cid);
                step(cid, after);
                return Status.OK;
            }
        } finally {
            space.locks.leave(cid);
        }
        log.recordHeld(cid);
        return stepAlone(cid, after);
    }

    private int stepAlone(long cid, LockStep after) {
        space.stripes.enter(space.stripes.of(cid));
        try {
            step(cid, after);
            return Status.OK;
        } finally {
            space.locks.leave(cid);
        }
    }

    /** Enters the stripe for an operation, after the lock step {@code before}. */
    private int enter(long cid, LockIntent operation, LockStep before, LockStep after, long timeoutNs) {
        checkAfter(after);
        LockIntent intent = switch (before) {
            case NONE -> operation;
            case LOCK_READ -> LockIntent.READ_LOCK;
            case LOCK_WRITE -> LockIntent.WRITE_LOCK;
            case SWAP_TO_WRITE -> LockIntent.UPGRADE;
            default -> throw new IllegalArgumentException("before=" + before + " is a step after an operation");
        };
        if (intent == LockIntent.READ_LOCK && operation == LockIntent.WRITE) {
            throw new IllegalArgumentException("before=LOCK_READ does not allow a put");
        }
        if (intent == LockIntent.READ_LOCK && after == LockStep.SWAP_TO_READ) {
            throw new IllegalArgumentException("before=LOCK_READ leaves no write lock for after=SWAP_TO_READ");
        }
        return space.locks.enter(cid, intent, timeoutNs);
    }

    private static void checkAfter(LockStep after) {
        if (after != LockStep.NONE && after != LockStep.UNLOCK && after != LockStep.SWAP_TO_READ) {
            throw new IllegalArgumentException("after=" + after + " is a step before an operation");
        }
    }

    /**
     * Returns whether the thread holds the lock that the step {@code after} ends or swaps. Called before the operation.
     */
    private boolean isPossible(long cid, LockStep after) {
        return switch (after) {
            case UNLOCK -> space.locks.isHeldInside(cid, true) || space.locks.isHeldInside(cid, false);
            case SWAP_TO_READ -> space.locks.isHeldInside(cid, true);
            default -> true;
        };
    }

    private void step(long cid, LockStep after) {
        switch (after) {
            case UNLOCK -> space.locks.unlockInside(cid);
            case SWAP_TO_READ -> space.locks.downgradeInside(cid);
            default -> { }
        }
    }
}
