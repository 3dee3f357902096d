package io.teff.engine;

import io.teff.engine.chunk.Changes;
import io.teff.engine.chunk.Scopes;
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
    private final Scopes scopes;
    private final Changes changes;
    /** Keeps the store open while only this object of it is used. */
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
     * @return the chunk's length, or ABSENT, LOCKED
     */
    public long read(long cid, ReadScope scope) {
        return scopes.read(cid, scope);
    }

    /**
     * Reads and writes a chunk in place under the exclusive hold; others see all of it or nothing.
     *
     * @param cid the chunk
     * @param scope run once if the chunk exists and may be changed
     * @return the chunk's length, or ABSENT, LOCKED, READ_ONLY
     */
    public long edit(long cid, EditScope scope) {
        return changes.edit(cid, scope);
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
        return scopes.peek(cid, scope);
    }
}
