package io.teff.engine;

import io.teff.engine.journal.AbandonedRecords;
import io.teff.engine.journal.Journal;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A journal that checks the order of calls around a change: begin, records, done. For one thread. */
final class BracketJournal implements Journal {
    private final RecordingJournal inner = new RecordingJournal();
    private boolean isBegun;
    private boolean isRecorded;
    private boolean isPending;
    private boolean isRecordedWithoutBegin;

    /** Forgets the calls so far. */
    void start() {
        isBegun = false;
        isRecorded = false;
        isPending = false;
        isRecordedWithoutBegin = false;
    }

    boolean isRecorded() {
        return isRecorded;
    }

    /** Returns whether a record was made before room was awaited. */
    boolean isRecordedWithoutBegin() {
        return isRecordedWithoutBegin;
    }

    /** Returns whether a record was made that no call has waited for. */
    boolean isPending() {
        return isPending;
    }

    private void note() {
        isRecorded = true;
        isPending = true;
        isRecordedWithoutBegin |= !isBegun;
    }

    @Override
    public void begin() {
        isBegun = true;
        inner.begin();
    }

    @Override
    public void awaitRoom(int entries, long contentBytes) {
        inner.awaitRoom(entries, contentBytes);
    }

    @Override
    public long claim(int zone, int entries, long contentBytes) {
        note();
        return inner.claim(zone, entries, contentBytes);
    }

    @Override
    public long recordBytesMax(int entries) {
        return inner.recordBytesMax(entries);
    }

    @Override
    public MemorySegment memory() {
        return inner.memory();
    }

    @Override
    public long entry(long record, long after, long cid, int kind, int length, long number) {
        return inner.entry(record, after, cid, kind, length, number);
    }

    @Override
    public long now(int zone) {
        return inner.now(zone);
    }

    @Override
    public void commit(long record, boolean isGroup) {
        inner.commit(record, isGroup);
    }

    @Override
    public AbandonedRecords abandoned() {
        return inner.abandoned();
    }

    @Override
    public void putLong(long cid, int kind, long length, Content content) {
        note();
        inner.putLong(cid, kind, length, content);
    }

    @Override
    public void done() {
        isPending = false;
        inner.done();
    }

    @Override
    public void whenDone(Consumer<@Nullable RuntimeException> then) {
        isPending = false;
        then.accept(null);
    }
}
