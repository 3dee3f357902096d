package io.teff.engine.chunk;

import io.teff.engine.alloc.AllocStripe;
import io.teff.engine.check.Refusals;
import io.teff.engine.error.Status;
import io.teff.engine.error.StoreException;
import io.teff.engine.error.StoreException.Category;
import io.teff.engine.error.ZoneDroppedException;
import io.teff.engine.journal.Journal;
import io.teff.engine.lock.LockIntent;
import io.teff.engine.lock.Stripes;
import io.teff.engine.memory.Memory;
import io.teff.engine.os.Chance;
import io.teff.engine.os.Threads;
import io.teff.engine.storage.CollectionChunks;
import io.teff.engine.table.CidLayout;
import io.teff.engine.table.EntryWord;
import io.teff.engine.table.Table;
import io.teff.engine.table.Zone;
import io.teff.engine.view.EditScope;
import io.teff.engine.view.ReadScope;
import org.jspecify.annotations.Nullable;

/**
 * The chunks of a zone, for the zone's collections. Changes are recorded in groups. A collection calls {@link #begin}
 * before it takes its lock, {@link #endGroup} before the release of the lock, and {@link #done} after the release.
 */
public final class GroupedChunks implements CollectionChunks {
    private final ChunkSpace space;
    private final Zone zone;
    /** Keeps the store reachable, and so open, while the application uses only a collection of it. */
    @SuppressWarnings({"unused", "UnusedVariable"})
    private final Object handle;
    private final Reads reads;
    private final ChangeLog log;
    private final Creates creates;
    private final Writes writes;
    private final Scopes scopes;
    private final Upkeep upkeep;
    private final Stripes stripes;

    /**
     * Creates the chunks of a zone for its collections.
     *
     * @param space the store's chunks
     * @param zone the zone of the collections
     * @param reads reads chunks
     * @param single the store's log of single changes
     * @param upkeep work that is due after changes
     * @param handle an object to keep reachable as long as this one is
     */
    public GroupedChunks(ChunkSpace space, Zone zone, Reads reads, ChangeLog single, Upkeep upkeep, Object handle) {
        this.handle = handle;
        this.space = space;
        this.zone = zone;
        this.reads = reads;
        this.upkeep = upkeep;
        this.log = single.grouped(zone);
        this.creates = new Creates(space, zone, log, upkeep);
        this.writes = new Writes(space, reads, creates, log, upkeep);
        this.scopes = new Scopes(space, log);
        this.stripes = space.stripes;
    }

    @Override
    public Memory memory() {
        return space.memory;
    }

    @Override
    public Stripes stripes() {
        return stripes;
    }

    @Override
    public Table table() {
        return zone.table();
    }

    @Override
    public boolean isDropped() {
        return zone.isDropped();
    }

    private void checkNotDropped() {
        if (zone.isDropped()) {
            throw new ZoneDroppedException(zone.nid());
        }
    }

    @Override
    public String storeName() {
        return space.config.name();
    }

    @Override
    public Chance chance() {
        return space.seams.platform().chance();
    }

    @Override
    public Threads threads() {
        return space.seams.platform().threads();
    }

    @Override
    public long length(long word) {
        return space.chunks.length(word);
    }

    @Override
    public long takenBytes(long length) {
        return space.chunks.takenBytes(length);
    }

    @Override
    public void changed() {
        if (log.endGroup()) {                                   // changes made after the lock was released
            log.done(Status.OK);
        }
        upkeep.changed();
    }

    // ---- recording changes ----

    @Override
    public boolean isKept() {
        return log.isRecording();
    }

    @Override
    public void begin() {
        checkNotDropped();
        log.beginGroup();
    }

    @Override
    public void beginRemoval() {
        log.beginRemoval();
    }

    @Override
    public boolean endGroup() {
        return log.endGroup();
    }

    @Override
    public void recordedBy(@Nullable Journal journal) {
        log.recordGroupsBy(journal);
    }

    @Override
    public void openGroup() {
        log.setOpen(true);
    }

    @Override
    public void closeGroup() {
        log.setOpen(false);
    }

    @Override
    public void done() {
        log.done(Status.OK);
    }

    @Override
    public boolean isReadOnly() {
        return log.isReadOnly();
    }

    @Override
    public void sync() {
        log.sync();
    }

    // ---- whole chunks ----

    @Override
    public long reserve(int count) {
        long[] cids = new long[count];
        check(CidLayout.NONE, creates.reserve(cids, 0, count));
        for (int i = 1; i < count; i++) {
            assert cids[i] == cids[0] + i : "reserved CIDs are consecutive";
        }
        return cids[0];
    }

    @Override
    public void unreserve(long cid) {
        creates.unreserve(cid);
    }

    @Override
    public long create(byte[] source, int from, int length) {
        Buffers.check(source, from, length);
        return check(CidLayout.NONE, creates.create(source, from, length, EntryWord.PLAIN));
    }

    @Override
    public void store(long cid, byte[] source, int from, int length) {
        check(cid, put(cid, source, from, length));
    }

    @Override
    public boolean tryStore(long cid, byte[] source, int from, int length) {
        int result = put(cid, source, from, length);
        if (result != Status.FULL) {
            check(cid, result);
        }
        return result != Status.FULL;
    }

    private int put(long cid, byte[] source, int from, int length) {
        Buffers.check(source, from, length);
        int result = writes.put(cid, source, from, length);
        return result == Status.ABSENT ? creates.createAt(cid, source, from, length, EntryWord.PLAIN) : result;
    }

    @Override
    public int get(long cid, byte[] target) {
        int result = reads.get(cid, target, 0);
        return result == Status.TOO_SMALL ? result : (int) present(cid, result);
    }

    @Override
    public long size(long cid) {
        return present(cid, reads.size(cid));
    }

    @Override
    public void remove(long cid) {
        present(cid, writes.remove(cid));
    }

    @Override
    public void view(long cid, long offset, long length, ReadScope scope) {
        check(cid, scopes.read(cid, offset, length, scope));
    }

    @Override
    public void edit(long cid, long offset, long length, EditScope scope) {
        check(cid, scopes.edit(cid, offset, length, scope));
    }

    // ---- inside a chunk's stripe ----

    @Override
    public long enter(long cid) {
        stripes.enter(stripes.of(cid));
        long word = space.find(cid);
        if (EntryWord.state(word) == EntryWord.PLAIN && EntryWord.isChunk(word, cid)) {
            log.beforeChange(cid, word);
            return word;
        }
        space.locks.leave(cid);
        return enterSlow(cid);
    }

    private long enterSlow(long cid) {
        check(cid, space.locks.enter(cid, LockIntent.WRITE, space.config.lockTimeoutNs()));
        if (space.locks.isPinnedInside(cid)) {
            space.locks.leave(cid);
            check(cid, Status.PINNED);
        }
        return space.word(cid);
    }

    @Override
    public long enterToRead(long cid) {
        int entered = space.locks.enter(cid, LockIntent.READ, space.config.lockTimeoutNs());
        return entered == Status.OK ? space.word(cid) : present(cid, entered);
    }

    @Override
    public void touch(long cid) {
        log.recordChange(cid);
    }

    @Override
    public void leave(long cid) {
        space.locks.leave(cid);
    }

    @Override
    public long allocate(long length) {
        AllocStripe stripe = space.acquire();
        try {
            return space.chunks.allocate(stripe, length);
        } finally {
            space.allocStripes.release(stripe);
        }
    }

    @Override
    public void switchTo(long cid, long word, long address, long length) {
        writes.switchInside(cid, word, address, length);
        touch(cid);
    }

    /** Returns a value, or ABSENT unless the zone was dropped; throws for any other status. */
    private long present(long cid, long result) {
        if (result == Status.ABSENT) {
            checkNotDropped();
            return result;
        }
        return check(cid, result);
    }

    /** Returns a value; throws for a status. ABSENT is damage: a chunk of the collection does not exist. */
    private long check(long cid, long result) {
        if (result == Status.ABSENT) {
            checkNotDropped();
            throw new StoreException(Category.FATAL, "chunk " + CidLayout.toString(cid) + " of a collection of store "
                + storeName() + " does not exist; only the collection may remove its chunks");
        }
        return Refusals.check(cid, result);
    }
}
