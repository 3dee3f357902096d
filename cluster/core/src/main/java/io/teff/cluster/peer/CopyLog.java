package io.teff.cluster.peer;

import io.teff.engine.error.StoreException;
import io.teff.engine.journal.ChunkRestorer;
import io.teff.recovery.backup.BackupLog;
import io.teff.recovery.backup.BackupStats;
import io.teff.recovery.backup.RunSink;
import io.teff.recovery.backup.ZoneCopy;
import java.lang.foreign.MemorySegment;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** What a peer needs of the log of its backups: see {@link BackupLog}, which a simulator replaces. Thread-safe. */
interface CopyLog {
    /** See {@link BackupLog#append}. */
    boolean append(ZoneCopy copy, MemorySegment run, long offset, long length);

    /** See {@link BackupLog#logged}. */
    long logged(ZoneCopy copy);

    /** See {@link BackupLog#synced}. */
    long synced(ZoneCopy copy);

    /** See {@link BackupLog#whenSynced}. */
    void whenSynced(ZoneCopy copy, long number, Consumer<@Nullable RuntimeException> then);

    /** See {@link BackupLog#copies}. */
    Set<ZoneCopy> copies();

    /** See {@link BackupLog#read}. */
    void read(ZoneCopy copy, int threads, ChunkRestorer restorer);

    /** See {@link BackupLog#tail}. */
    boolean tail(ZoneCopy copy, long after, RunSink sink);

    /** See {@link BackupLog#drop}. */
    void drop(ZoneCopy copy);

    /** Returns whether a part of a copy is known to be damaged, so that it is of no use. */
    default boolean isDamaged(ZoneCopy copy) {
        return false;
    }

    /**
     * Returns the last incarnation of the node whose records may have lost their end by a power cut; 0 for none. Its
     * copies have what was synced.
     */
    default int cutIncarnation() {
        return 0;
    }

    /** Returns the bytes of the log's files; the last known ones if the log has failed. */
    default long diskBytes() {
        return 0;
    }

    /** See {@link BackupLog#failure}. */
    default @Nullable Throwable failure() {
        return null;
    }

    /**
     * Returns the log on the disk.
     *
     * @param cutIncarnation see {@link #cutIncarnation}
     */
    static CopyLog of(BackupLog log, IntSupplier cutIncarnation) {
        return new CopyLog() {
            private volatile long diskBytes;

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
            public boolean isDamaged(ZoneCopy copy) {
                return log.damage().containsKey(copy);
            }

            @Override
            public int cutIncarnation() {
                return cutIncarnation.getAsInt();
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
        };
    }
}
