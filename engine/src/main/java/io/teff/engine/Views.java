package io.teff.engine;

import io.teff.engine.chunk.Changes;
import io.teff.engine.chunk.Scopes;
import io.teff.engine.view.EditScope;
import io.teff.engine.view.ReadScope;

/**
 * Zero-copy access to a whole chunk inside a scope.
 *
 * <p>{@link #read} and {@link #edit} hold the chunk while the scope runs, so keep scopes short. {@link #peek} holds
 * nothing: it is the fastest way to read several fields, but its scope may run more than once. An exception of the
 * scope ends the view and is passed on to the caller; bytes that an edit wrote before stay. The chunk is pinned during
 * {@code read} and {@code edit}: attempts to remove or resize it return {@code Status.PINNED}. Views may be nested; an
 * edit inside a read of the same chunk swaps the hold, and waits for other readers. A thread must not close the store
 * inside a scope. A change by a scope happens-before every read that sees it. Thread-safe.
 */
public final class Views {
    private final Scopes scopes;
    private final Changes changes;
    /** Keeps the store reachable, and therefore open, while the application can reach this object. */
    @SuppressWarnings({"unused", "UnusedVariable"})
    private final StoreHandle handle;

    Views(StoreHandle handle, Scopes scopes, Changes changes) {
        this.handle = handle;
        this.scopes = scopes;
        this.changes = changes;
    }

    /**
     * Reads a chunk in place under a read hold.
     *
     * @param cid the chunk
     * @param scope run once if the chunk exists
     * @return the chunk's length in bytes, or ABSENT, LOCKED
     */
    public long read(long cid, ReadScope scope) {
        return scopes.read(cid, scope);
    }

    /**
     * Reads and writes a chunk in place under an exclusive hold; other threads see either none or all of the changes.
     *
     * @param cid the chunk
     * @param scope run once if the chunk exists and may be changed
     * @return the chunk's length in bytes, or ABSENT, LOCKED, READ_ONLY
     */
    public long edit(long cid, EditScope scope) {
        return changes.edit(cid, scope);
    }

    /**
     * Reads a chunk in place without a hold. The scope may run several times, and all runs but the last may see a mix
     * of two contents. Therefore the scope must only read into variables that each run overwrites; exceptions of
     * discarded runs are ignored. After several discarded runs, and for a chunk that is held or long, this method
     * continues as {@link #read}.
     *
     * @param cid the chunk
     * @param scope run at least once if the chunk exists; its last run counts
     * @return the chunk's length in bytes, or ABSENT, LOCKED
     */
    public long peek(long cid, ReadScope scope) {
        return scopes.peek(cid, scope);
    }
}
