package io.teff.engine;

import io.teff.engine.alloc.AllocStripe;
import io.teff.engine.error.Status;
import io.teff.engine.error.StoreException;
import io.teff.engine.error.StoreException.Category;
import io.teff.engine.lock.LockIntent;
import io.teff.engine.lock.Stripes;
import io.teff.engine.memory.Memory;
import io.teff.engine.storage.CollectionChunks;
import io.teff.engine.table.EntryWord;
import io.teff.engine.table.Table;
import io.teff.engine.view.EditScope;
import io.teff.engine.view.ReadScope;

/** The store as its collections see it. */
final class StoreNodes implements CollectionChunks {
    private final Core core;
    /** Keeps the store reachable while only a collection of it is used. */
    @SuppressWarnings({"unused", "UnusedVariable"})
    private final Store store;
    private final Reads reads;
    private final ChangeLog log;
    private final Creates creates;
    private final Writes writes;
    private final Views views;
    private final Stripes stripes;

    StoreNodes(Store store, Core core, Reads reads) {
        this.store = store;
        this.core = core;
        this.reads = reads;
        this.log = core.log.grouped();
        this.creates = new Creates(core, log);
        this.writes = new Writes(core, reads, creates, log);
        this.views = new Views(store, core, log);
        this.stripes = core.stripes;
    }

    @Override
    public Memory memory() {
        return core.memory;
    }

    @Override
    public Stripes stripes() {
        return stripes;
    }

    @Override
    public Table table() {
        return core.own;
    }

    @Override
    public String storeName() {
        return core.config.name();
    }

    @Override
    public long length(long word) {
        return core.chunks.length(word);
    }

    @Override
    public long takenBytes(long length) {
        return core.chunks.takenBytes(length);
    }

    @Override
    public void changed() {
        if (log.endGroup()) {                                   // what was changed after the lock was given back
            log.done(Status.OK);
        }
        core.changed();
    }

    // ---- keeping changes ----

    @Override
    public boolean isKept() {
        return log.isOn();
    }

    @Override
    public void begin() {
        log.beginGroup();
    }

    @Override
    public boolean endGroup() {
        return log.endGroup();
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

    // ---- whole chunks ----

    @Override
    public long reserve(int count) {
        long[] cids = new long[count];
        check(Cid.NONE, creates.reserve(cids, 0, count));
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
        return check(Cid.NONE, creates.create(source, from, length, EntryWord.PLAIN));
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
        int result = writes.put(cid, source, from, length);
        return result == Status.ABSENT ? creates.createAt(cid, source, from, length, EntryWord.PLAIN) : result;
    }

    @Override
    public int get(long cid, byte[] target) {
        int result = reads.get(cid, target, 0);
        return result == Status.ABSENT || result == Status.TOO_SMALL ? result : (int) check(cid, result);
    }

    @Override
    public long size(long cid) {
        return reads.size(cid);
    }

    @Override
    public void remove(long cid) {
        long result = writes.remove(cid);
        if (result != Status.ABSENT) {
            check(cid, result);
        }
    }

    @Override
    public void view(long cid, long offset, long length, ReadScope scope) {
        check(cid, views.read(cid, offset, length, scope));
    }

    @Override
    public void edit(long cid, long offset, long length, EditScope scope) {
        check(cid, views.edit(cid, offset, length, scope));
    }

    // ---- inside of a chunk's stripe ----

    @Override
    public long enter(long cid) {
        stripes.enter(stripes.of(cid));
        long word = core.word(cid);
        if (EntryWord.state(word) == EntryWord.PLAIN && EntryWord.isChunk(word, cid)) {
            return word;
        }
        core.locks.leave(cid);
        return enterSlow(cid);
    }

    private long enterSlow(long cid) {
        check(cid, core.locks.enter(cid, LockIntent.WRITE, core.config.lockTimeoutNs()));
        if (core.locks.isPinnedInside(cid)) {
            core.locks.leave(cid);
            check(cid, Status.PINNED);
        }
        return core.word(cid);
    }

    @Override
    public long enterToRead(long cid) {
        int entered = core.locks.enter(cid, LockIntent.READ, core.config.lockTimeoutNs());
        return entered == Status.OK ? core.word(cid) : entered == Status.ABSENT ? entered : check(cid, entered);
    }

    @Override
    public void touch(long cid) {
        log.changed(cid);
    }

    @Override
    public void leave(long cid) {
        core.locks.leave(cid);
    }

    @Override
    public long allocate(long length) {
        AllocStripe stripe = core.acquire();
        try {
            return core.chunks.allocate(stripe, length);
        } finally {
            core.allocStripes.release(stripe);
        }
    }

    @Override
    public void switchTo(long cid, long word, long address, long length) {
        writes.switchInside(cid, word, address, length);
        touch(cid);
    }

    /** To a collection, a node that is not there is damage. */
    private long check(long cid, long result) {
        if (result == Status.ABSENT) {
            throw new StoreException(Category.FATAL, "chunk " + Cid.toString(cid) + " of a collection of store "
                + storeName() + " is gone; such chunks must be left alone");
        }
        return Chunks.check(cid, result);
    }
}
