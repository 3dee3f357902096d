package io.teff.cluster.slot;

import io.teff.engine.journal.AbandonedRecords;
import io.teff.engine.journal.Journal;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Keeps nothing: for a store whose slots and locks end with it. */
public final class NoJournal implements Journal {
    private final MemorySegment memory = Arena.ofAuto().allocate(1 << 12);
    private final AbandonedRecords abandoned = new AbandonedRecords();

    @Override
    public void begin() {
        // has room
    }

    @Override
    public void awaitRoom(int entries, long contentBytes) {
        // has room
    }

    @Override
    public long claim(int zone, int entries, long contentBytes) {
        return 8;
    }

    @Override
    public long recordBytesMax(int entries) {
        return memory.byteSize();
    }

    @Override
    public MemorySegment memory() {
        return memory;
    }

    @Override
    public long entry(long record, long after, long cid, int kind, int length, long number) {
        return 0;
    }

    @Override
    public long now(int zone) {
        return 0;
    }

    @Override
    public void commit(long record, boolean isGroup) {
        // nothing is kept
    }

    @Override
    public AbandonedRecords abandoned() {
        return abandoned;
    }

    @Override
    public void putLong(long cid, int kind, long length, Content content) {
        // nothing is kept
    }

    @Override
    public void done() {
        // nothing to wait for
    }
}
