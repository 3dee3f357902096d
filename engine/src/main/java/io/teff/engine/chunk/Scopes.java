package io.teff.engine.chunk;

import io.teff.engine.lock.Stripes;
import io.teff.engine.table.EntryWord;
import io.teff.engine.view.ChunkEditor;
import io.teff.engine.view.ChunkView;
import io.teff.engine.view.EditScope;
import io.teff.engine.view.ReadScope;

/**
 * Runs scopes on the memory of chunks, held or optimistically. A chunk is pinned while a scope holds it, so that
 * operations of the scope itself cannot move or remove it either. Thread-safe.
 */
public final class Scopes {
    private static final long WHOLE = -1;
    /** The chunk was held and pinned in one step; no result of {@link ChunkSpace#hold}. */
    private static final int AT_ONCE = Integer.MAX_VALUE;

    private final ChunkSpace space;
    private final ChangeLog log;

    public Scopes(ChunkSpace space, ChangeLog log) {
        this.space = space;
        this.log = log;
    }

    /** Reads a chunk in place under a read hold; returns its length or a status. */
    public long read(long cid, ReadScope scope) {
        return read(cid, 0, WHOLE, scope);
    }

    /** Reads a part of a chunk in place under a read hold; returns the part's length or a status. */
    public long read(long cid, long offset, long bytes, ReadScope scope) {
        space.beginRunning();
        try {
            final int held = begin(cid, false);
            if (held < 0) {
                return held;
            }
            try {
                long word = space.word(cid);
                long length = bytes == WHOLE ? space.chunks.length(word) : bytes;
                assert Reads.isInside(offset, length, space.chunks.length(word)) : offset;
                ChunkView view = new ChunkView(space.memory, EntryWord.address(word) + offset, length, true);
                try {
                    scope.read(view);
                } finally {
                    view.end();
                }
                return view.length();
            } finally {
                end(cid, held);
            }
        } finally {
            space.endRunning();
        }
    }

    /** Reads and writes a chunk in place under an exclusive hold; returns its length or a status. */
    public long edit(long cid, EditScope scope) {
        return edit(cid, 0, WHOLE, scope);
    }

    /** Reads and writes a part of a chunk in place under an exclusive hold; returns the part's length or a status. */
    public long edit(long cid, long offset, long bytes, EditScope scope) {
        space.beginRunning();
        try {
            final int held = begin(cid, true);
            if (held < 0) {
                return held;
            }
            try {
                long word = space.word(cid);
                long length = bytes == WHOLE ? space.chunks.length(word) : bytes;
                assert Reads.isInside(offset, length, space.chunks.length(word)) : offset;
                final BytesLog changed = log.bytes();
                final BytesLog.Image image = changed == null ? null : changed.image(cid);
                log.beforeChange(cid, word);
                ChunkEditor editor = new ChunkEditor(space.memory, EntryWord.address(word) + offset, length);
                try {
                    scope.edit(editor);
                } finally {
                    editor.end();
                    if (changed == null || image == null) {     // also if the scope throws: bytes that it wrote stay
                        log.recordHeld(cid);
                    } else {
                        changed.record(cid, image);
                    }
                }
                return editor.length();
            } finally {
                end(cid, held);
            }
        } finally {
            space.endRunning();
        }
    }

    /**
     * Holds and pins a chunk, in one step if no thread is in the way. The pin is against the scope's own operations,
     * too.
     */
    private int begin(long cid, boolean write) {
        if (space.locks.tryLockAndPin(cid, write)) {
            return AT_ONCE;
        }
        final int held = space.hold(cid, write, space.config.lockTimeoutNs());
        if (held >= 0) {
            space.locks.pin(cid);
        }
        return held;
    }

    private void end(long cid, int held) {
        if (held == AT_ONCE) {
            space.locks.unpinAndUnlock(cid);
        } else {
            space.locks.unpin(cid);
            space.unhold(cid, held);
        }
    }

    /** Reads a chunk in place without a hold; after several lost races with writers it falls back to {@link #read}. */
    public long peek(long cid, ReadScope scope) {
        final Stripes stripes = space.stripes;
        final int stripe = stripes.of(cid);
        for (int attempt = 0; attempt < Thresholds.OPTIMISTIC_ATTEMPTS; attempt++) {
            final long begun = stripes.begin(stripe);
            final long word = space.find(cid);
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
        ChunkView view = new ChunkView(space.memory, EntryWord.address(word), EntryWord.length(word), false);
        try {
            scope.read(view);
        } catch (RuntimeException | Error e) {
            if (space.stripes.unchanged(stripe, begun)) {
                throw e;
            }
            return false;                                       // the scope saw a mix of two contents
        } finally {
            view.end();
        }
        return space.stripes.unchanged(stripe, begun);
    }
}
