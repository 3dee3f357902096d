package io.teff.recovery;

import io.teff.engine.journal.Journal;
import java.lang.foreign.MemorySegment;

/** A journal whose changes return before they are done, as those of a thread that submits changes. */
final class UnawaitedJournal implements Journal {
    private final Journal journal;

    UnawaitedJournal(Journal journal) {
        this.journal = journal;
    }

    @Override
    public void begin() {
        journal.begin();
    }

    @Override
    public void awaitRoom(int entries, long contentBytes) {
        journal.awaitRoom(entries, contentBytes);
    }

    @Override
    public long claim(int entries, long contentBytes) {
        return journal.claim(entries, contentBytes);
    }

    @Override
    public long recordBytesMax(int entries) {
        return journal.recordBytesMax(entries);
    }

    @Override
    public MemorySegment memory() {
        return journal.memory();
    }

    @Override
    public long entry(long record, long after, long cid, int kind, int length, long number) {
        return journal.entry(record, after, cid, kind, length, number);
    }

    @Override
    public long now() {
        return journal.now();
    }

    @Override
    public void commit(long record, boolean isGroup) {
        journal.commit(record, isGroup);
    }

    @Override
    public void abandon(long record) {
        journal.abandon(record);
    }

    @Override
    public void putLong(long cid, int kind, long length, Content content) {
        journal.putLong(cid, kind, length, content);
    }

    @Override
    public void done() {}
}
