package io.teff.cluster.peer;

import io.teff.engine.journal.ChunkRestorer;
import io.teff.recovery.backup.BackupLog;
import io.teff.recovery.backup.RunSink;
import io.teff.recovery.backup.ZoneCopy;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The operations of a {@link BackupLog} for a peer. Tests put a log in memory in place of the backup log. Thread-safe.
 */
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

    /** See {@link BackupLog#damage}. */
    Map<ZoneCopy, List<String>> damagedCopies();

    /** Returns whether a part of a copy is known to be damaged, so that the copy is of no use. */
    boolean isDamaged(ZoneCopy copy);

    /**
     * Returns the number of the node's last life with records lost by a power cut, perhaps; 0 without such a life.
     * Copies of the life have all synced records.
     */
    int cutIncarnation();

    /** Returns whether this log is that of a life of the node, and not an older copy of the log's folder. */
    boolean hasLived(int incarnation);

    /** Returns the bytes of the log's files; the last known bytes if the log has failed. */
    long diskBytes();

    /** See {@link BackupLog#failure}. */
    @Nullable Throwable failure();
}
