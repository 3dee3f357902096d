package io.teff.cluster.peer;

import io.teff.engine.journal.AbandonedRecords;
import io.teff.engine.journal.Journal;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A journal whose process may stop before a change, and between the change and the end of its record. */
class StoppingJournal implements Journal {
    private final Journal its;
    private final Runnable mayStop;

    StoppingJournal(Journal its, Runnable mayStop) {
        this.its = its;
        this.mayStop = mayStop;
    }

    @Override
    public boolean isReadOnly() {
        return its.isReadOnly();
    }

    @Override
    public void begin() {
        mayStop.run();
        its.begin();
    }

    @Override
    public void beginRemoval() {
        mayStop.run();
        its.beginRemoval();
    }

    @Override
    public void awaitRoom(int entries, long contentBytes) {
        its.awaitRoom(entries, contentBytes);
    }

    @Override
    public long claim(int zone, int entries, long contentBytes) {
        return its.claim(zone, entries, contentBytes);
    }

    @Override
    public long recordBytesMax(int entries) {
        return its.recordBytesMax(entries);
    }

    @Override
    public MemorySegment memory() {
        return its.memory();
    }

    @Override
    public long entry(long record, long after, long cid, int kind, int length, long number) {
        return its.entry(record, after, cid, kind, length, number);
    }

    @Override
    public long now(int zone) {
        return its.now(zone);
    }

    @Override
    public void removing(long length) {
        its.removing(length);
    }

    @Override
    public void commit(long record, boolean isGroup) {
        mayStop.run();
        its.commit(record, isGroup);
    }

    @Override
    public AbandonedRecords abandoned() {
        return its.abandoned();
    }

    @Override
    public RuntimeException memoryFailed(InternalError failure) {
        return its.memoryFailed(failure);
    }

    @Override
    public void putLong(long cid, int kind, long length, Content content) {
        its.putLong(cid, kind, length, content);
    }

    @Override
    public void done() {
        its.done();
    }

    @Override
    public void sync() {
        its.sync();
    }

    @Override
    public void whenDone(Consumer<@Nullable RuntimeException> then) {
        its.whenDone(then);
    }
}
