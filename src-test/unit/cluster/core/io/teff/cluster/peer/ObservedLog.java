package io.teff.cluster.peer;

import io.teff.cluster.zone.ZoneNumber;
import io.teff.engine.journal.ChunkRestorer;
import io.teff.recovery.backup.RunReader;
import io.teff.recovery.backup.RunSink;
import io.teff.recovery.backup.ZoneCopy;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The log of one process: an observer sees each record that is added, and the log's thread is woken as by the log. */
class ObservedLog implements CopyLog {
    private final CopyLog its;
    private final MemoryCopyLog.Observer observer;
    private final BooleanSupplier isFull;
    private final Runnable wake;
    private boolean isOver;

    /**
     * Makes it.
     *
     * @param its the log
     * @param observer sees records
     * @param isFull whether appends are refused, as by a write buffer that could not be written for a while
     * @param wake wakes the log's thread
     */
    ObservedLog(CopyLog its, MemoryCopyLog.Observer observer, BooleanSupplier isFull, Runnable wake) {
        this.its = its;
        this.observer = observer;
        this.isFull = isFull;
        this.wake = wake;
    }

    /** Ends with its process: nobody hears of it any more. */
    void end() {
        isOver = true;
    }

    @Override
    public boolean append(ZoneCopy copy, MemorySegment run, long offset, long length) {
        long last = its.logged(copy);
        if (isFull.getAsBoolean() || !its.append(copy, run, offset, length)) {
            wake.run();
            return false;
        }
        RunReader reader = new RunReader();
        reader.check(run, offset, length, copy.zone());
        while (reader.nextRecord()) {
            if (ZoneNumber.counter(reader.number()) > ZoneNumber.counter(last)) {
                observer.added(copy, last, reader.number(), run.asSlice(reader.recordOffset(), reader.recordBytes())
                    .toArray(ValueLayout.JAVA_BYTE));
                last = reader.number();
            }
        }
        return true;
    }

    @Override
    public long logged(ZoneCopy copy) {
        return its.logged(copy);
    }

    @Override
    public long synced(ZoneCopy copy) {
        return its.synced(copy);
    }

    @Override
    public void whenSynced(ZoneCopy copy, long number, Consumer<@Nullable RuntimeException> then) {
        its.whenSynced(copy, number, failure -> {
            if (!isOver) {
                then.accept(failure);
            }
        });
        wake.run();
    }

    @Override
    public Set<ZoneCopy> copies() {
        return its.copies();
    }

    @Override
    public void read(ZoneCopy copy, int threads, ChunkRestorer restorer) {
        its.read(copy, threads, restorer);
    }

    @Override
    public boolean tail(ZoneCopy copy, long after, RunSink sink) {
        return its.tail(copy, after, sink);
    }

    @Override
    public void drop(ZoneCopy copy) {
        its.drop(copy);
        wake.run();
    }

    @Override
    public Map<ZoneCopy, List<String>> damagedCopies() {
        return its.damagedCopies();
    }

    @Override
    public boolean isDamaged(ZoneCopy copy) {
        return its.isDamaged(copy);
    }

    @Override
    public boolean hasLived(int incarnation) {
        return its.hasLived(incarnation);
    }

    @Override
    public int cutIncarnation() {
        return its.cutIncarnation();
    }

    @Override
    public long diskBytes() {
        return its.diskBytes();
    }

    @Override
    public @Nullable Throwable failure() {
        return its.failure();
    }
}
