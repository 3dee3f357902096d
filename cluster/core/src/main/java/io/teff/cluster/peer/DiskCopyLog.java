package io.teff.cluster.peer;

import io.teff.engine.error.StoreException;
import io.teff.engine.journal.ChunkRestorer;
import io.teff.recovery.backup.BackupLog;
import io.teff.recovery.backup.BackupStats;
import io.teff.recovery.backup.RunSink;
import io.teff.recovery.backup.ZoneCopy;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** The log of the backups of a peer, on disk. Thread-safe. */
final class DiskCopyLog implements CopyLog {
    private final BackupLog log;
    private final IntSupplier cutIncarnation;
    private final IntPredicate hasLived;
    private volatile long diskBytes;

    /**
     * Uses a log.
     *
     * @param cutIncarnation returns the number of the last life with a lost end, perhaps
     * @param hasLived returns whether the folder of the log has had the life of a number
     */
    DiskCopyLog(BackupLog log, IntSupplier cutIncarnation, IntPredicate hasLived) {
        this.log = log;
        this.hasLived = hasLived;
        this.cutIncarnation = cutIncarnation;
    }

    @Override
    public boolean append(ZoneCopy copy, MemorySegment run, long offset, long length) {
        return log.append(copy, run, offset, length);
    }

    @Override
    public long logged(ZoneCopy copy) {
        return log.logged(copy);
    }

    @Override
    public long synced(ZoneCopy copy) {
        return log.synced(copy);
    }

    @Override
    public void whenSynced(ZoneCopy copy, long number, Consumer<@Nullable RuntimeException> then) {
        log.whenSynced(copy, number, then);
    }

    @Override
    public Set<ZoneCopy> copies() {
        return log.copies().keySet();
    }

    @Override
    public void read(ZoneCopy copy, int threads, ChunkRestorer restorer) {
        log.read(copy, threads, restorer);
    }

    @Override
    public boolean tail(ZoneCopy copy, long after, RunSink sink) {
        return log.tail(copy, after, sink);
    }

    @Override
    public void drop(ZoneCopy copy) {
        log.drop(copy);
    }

    @Override
    public Map<ZoneCopy, List<String>> damagedCopies() {
        return log.damage();
    }

    @Override
    public boolean isDamaged(ZoneCopy copy) {
        return log.damage().containsKey(copy);
    }

    @Override
    public int cutIncarnation() {
        return cutIncarnation.getAsInt();
    }

    @Override
    public boolean hasLived(int incarnation) {
        return hasLived.test(incarnation);
    }

    @Override
    public long diskBytes() {
        try {
            final BackupStats stats = log.stats();
            diskBytes = stats.segmentBytes() + stats.bufferBytes();
        } catch (StoreException e) {
            if (log.failure() == null) {
                throw e;
            }
        }
        return diskBytes;
    }

    @Override
    public @Nullable Throwable failure() {
        return log.failure();
    }
}
