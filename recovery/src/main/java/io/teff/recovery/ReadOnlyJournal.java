package io.teff.recovery;

import io.teff.engine.error.StoreException;
import io.teff.engine.error.StoreException.Category;
import io.teff.engine.journal.AbandonedRecords;
import io.teff.engine.journal.Journal;
import java.lang.foreign.MemorySegment;

/** Rejects each change before it is made. */
final class ReadOnlyJournal implements Journal {
    private final AbandonedRecords abandoned = new AbandonedRecords();

    @Override
    public boolean isReadOnly() {
        return true;
    }

    @Override
    public void begin() {
        throw refusal();
    }

    @Override
    public void awaitRoom(int entries, long contentBytes) {
        throw refusal();
    }

    private static StoreException refusal() {
        return new StoreException(Category.DEGRADED, "the store is open for reading only: nothing was changed");
    }

    @Override
    public long claim(int zone, int entries, long contentBytes) {
        throw refusal();
    }

    @Override
    public long recordBytesMax(int entries) {
        return Long.MAX_VALUE;
    }

    @Override
    public MemorySegment memory() {
        throw refusal();
    }

    @Override
    public long entry(long record, long after, long cid, int kind, int length, long number) {
        throw refusal();
    }

    @Override
    public long now(int zone) {
        return 1;
    }

    @Override
    public void commit(long record, boolean isGroup) {
        throw refusal();
    }

    @Override
    public AbandonedRecords abandoned() {
        return abandoned;
    }

    @Override
    public void putLong(long cid, int kind, long length, Content content) {
        throw refusal();
    }

    @Override
    public void done() {}
}
