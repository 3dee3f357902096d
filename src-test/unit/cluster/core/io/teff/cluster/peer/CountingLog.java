package io.teff.cluster.peer;

import io.teff.engine.journal.ChunkRestorer;
import io.teff.recovery.backup.RunReader;
import io.teff.recovery.backup.RunSink;
import io.teff.recovery.backup.ZoneCopy;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A log of backups that keeps nothing but the last number of each copy; a test can make it refuse. */
final class CountingLog implements CopyLog {
    private final Map<ZoneCopy, Long> last = new ConcurrentHashMap<>();
    private volatile boolean isFull;

    /** Refuses appends for now, or takes them again. */
    void full(boolean is) {
        isFull = is;
    }

    @Override
    public boolean append(ZoneCopy copy, MemorySegment run, long offset, long length) {
        RunReader reader = new RunReader();
        String fault = reader.check(run, offset, length, copy.zone());
        if (fault != null) {
            throw new IllegalArgumentException(fault);
        }
        if (!isFull) {
            last.put(copy, reader.last());
        }
        return !isFull;
    }

    @Override
    public long logged(ZoneCopy copy) {
        return last.getOrDefault(copy, 0L);
    }

    @Override
    public long synced(ZoneCopy copy) {
        return logged(copy);
    }

    @Override
    public void whenSynced(ZoneCopy copy, long number, Consumer<@Nullable RuntimeException> then) {
        then.accept(null);
    }

    @Override
    public Set<ZoneCopy> copies() {
        return Set.copyOf(last.keySet());
    }

    @Override
    public void read(ZoneCopy copy, int threads, ChunkRestorer restorer) {
        throw new UnsupportedOperationException("this log keeps no content");
    }

    @Override
    public boolean tail(ZoneCopy copy, long after, RunSink sink) {
        return false;
    }

    @Override
    public void drop(ZoneCopy copy) {
        last.remove(copy);
    }

    @Override
    public Map<ZoneCopy, List<String>> damagedCopies() {
        return Map.of();
    }

    @Override
    public boolean isDamaged(ZoneCopy copy) {
        return false;
    }

    @Override
    public boolean hasLived(int incarnation) {
        return true;
    }

    @Override
    public int cutIncarnation() {
        return 0;
    }

    @Override
    public long diskBytes() {
        return 0;
    }

    @Override
    public @Nullable Throwable failure() {
        return null;
    }
}
