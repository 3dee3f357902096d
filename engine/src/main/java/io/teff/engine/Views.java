package io.teff.engine;

import io.teff.engine.chunk.Thresholds;
import io.teff.engine.lock.Stripes;
import io.teff.engine.table.EntryWord;
import io.teff.engine.view.ChunkEditor;
import io.teff.engine.view.ChunkView;
import io.teff.engine.view.EditScope;
import io.teff.engine.view.ReadScope;

/**
 * Zero-copy access to a whole chunk inside of a scope.
 *
 * <p>{@link #read} and {@link #edit} hold the chunk for the time of the scope, so keep scopes short. {@link #peek}
 * holds nothing: it is the fastest way to read several fields, but its scope may run more than once. A scope that
 * throws ends its view; what an edit wrote before stays. The chunk is pinned inside of a scope: it cannot be removed or
 * change its length there, {@code Status.PINNED} says so. Views may be nested; an edit inside of the same chunk's read
 * swaps the hold and waits for other readers. A thread must not close the store inside of a scope. Thread-safe.
 */
public final class Views {
    private static final long WHOLE = -1;

    private final Core core;
    private final ChangeLog log;
    /** Keeps the store reachable while only this part of it is used. */
    @SuppressWarnings({"unused", "UnusedVariable"})
    private final Store store;

    Views(Store store, Core core, ChangeLog log) {
        this.store = store;
        this.core = core;
        this.log = log;
    }

    /**
     * Reads a chunk in place under a read hold.
     *
     * @param cid the chunk
     * @param scope run once if the chunk exists
     * @return the chunk's length, or ABSENT, LOCKED
     */
    public long read(long cid, ReadScope scope) {
        return read(cid, 0, WHOLE, scope);
    }

    /** The same with a part of a chunk. */
    long read(long cid, long offset, long bytes, ReadScope scope) {
        core.beginRunning();
        try {
            int held = core.hold(cid, false, core.config.lockTimeoutNs());
            if (held < 0) {
                return held;
            }
            core.locks.pin(cid);                                // also against what the scope itself does
            try {
                long word = core.word(cid);
                long length = bytes == WHOLE ? core.chunks.length(word) : bytes;
                assert Reads.isInside(offset, length, core.chunks.length(word)) : offset;
                ChunkView view = new ChunkView(core.memory, EntryWord.address(word) + offset, length, true);
                try {
                    scope.read(view);
                } finally {
                    view.end();
                }
                return view.length();
            } finally {
                core.locks.unpin(cid);
                core.unhold(cid, held);
            }
        } finally {
            core.endRunning();
        }
    }

    /**
     * Reads and writes a chunk in place under the exclusive hold; others see all of it or nothing.
     *
     * @param cid the chunk
     * @param scope run once if the chunk exists and may be changed
     * @return the chunk's length, or ABSENT, LOCKED, READ_ONLY
     */
    public long edit(long cid, EditScope scope) {
        return log.done(edit(cid, 0, WHOLE, scope));
    }

    /** The same with a part of a chunk. */
    long edit(long cid, long offset, long bytes, EditScope scope) {
        log.begin();
        core.beginRunning();
        try {
            int held = core.hold(cid, true, core.config.lockTimeoutNs());
            if (held < 0) {
                return held;
            }
            core.locks.pin(cid);
            try {
                long word = core.word(cid);
                long length = bytes == WHOLE ? core.chunks.length(word) : bytes;
                assert Reads.isInside(offset, length, core.chunks.length(word)) : offset;
                ChunkEditor editor = new ChunkEditor(core.memory, EntryWord.address(word) + offset, length);
                try {
                    scope.edit(editor);
                } finally {
                    editor.end();
                    log.changedHeld(cid);                       // also if it throws: what it wrote stays
                }
                return editor.length();
            } finally {
                core.locks.unpin(cid);
                core.unhold(cid, held);
            }
        } finally {
            core.endRunning();
        }
    }

    /**
     * Reads a chunk in place without holding it. The scope may run several times and may see a mix of two contents in a
     * run that does not count, so it must do nothing but read into variables that each run sets anew; what such a run
     * throws is ignored. After some lost runs, and for a chunk that is held or long, this is {@link #read}.
     *
     * @param cid the chunk
     * @param scope run at least once if the chunk exists; its last run counts
     * @return the chunk's length, or ABSENT, LOCKED
     */
    public long peek(long cid, ReadScope scope) {
        final Stripes stripes = core.stripes;
        final int stripe = stripes.of(cid);
        for (int attempt = 0; attempt < Thresholds.OPTIMISTIC_ATTEMPTS; attempt++) {
            final long begun = stripes.begin(stripe);
            final long word = core.word(cid);
            final int length = EntryWord.length(word);
            if (!EntryWord.isReadable(word, cid) || length == EntryWord.LENGTH_IN_FRONT) {
                break;
            }
            if (stripes.unchanged(stripe, begun) && peekOnce(stripe, begun, word, scope)) {
                return length;
            }
        }
        return read(cid, scope);
    }

    private boolean peekOnce(int stripe, long begun, long word, ReadScope scope) {
        ChunkView view = new ChunkView(core.memory, EntryWord.address(word), EntryWord.length(word), false);
        try {
            scope.read(view);
        } catch (RuntimeException | Error e) {
            if (core.stripes.unchanged(stripe, begun)) {
                throw e;
            }
            return false;                                       // it saw a mix of two contents
        } finally {
            view.end();
        }
        return core.stripes.unchanged(stripe, begun);
    }
}
