package io.teff.recovery.backup;

import io.teff.engine.error.StoreException;
import io.teff.engine.error.StoreException.Category;
import io.teff.engine.journal.ChunkRestorer;
import io.teff.engine.os.DiskFullException;
import io.teff.engine.os.FailureText;
import io.teff.engine.os.Platform;
import io.teff.recovery.format.RingPiece;
import io.teff.recovery.log.LogOptions;
import io.teff.recovery.log.LogStats;
import io.teff.recovery.log.RecoveryLog;
import io.teff.recovery.log.file.DamagedLogException;
import io.teff.recovery.log.file.FileDamage;
import io.teff.recovery.log.file.LogClosedException;
import io.teff.recovery.restore.Restore;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The log of a backup peer: copies of zones of other peers. Thread-safe.
 *
 * <pre>
 *  runs of an owner ──append──> write buffer: logged ──> primary log: synced ──> segments per copy and range of CIDs
 *                                     |                                                |
 *                          tail: the last runs again                     read: the chunks of a copy
 * </pre>
 * A copy begins with its first append. The records of a copy have consecutive counters. The log has all records from
 * the first on without a hole, except for outdated records that were cleaned.
 *
 * <p><b>Waiting.</b> No append waits for a device or for cleaning: without room the append is refused, and nothing of
 * the run is in the log. Appends to the same copy exclude each other while copying bytes.
 */
public final class BackupLog implements AutoCloseable {
    private final Path folder;
    private final Platform platform;
    private final boolean hasThreads;
    private final RecoveryLog log;
    private final SyncCalls calls;
    private final ConcurrentMap<ZoneCopy, Copy> copies = new ConcurrentHashMap<>();
    /** The highest copy that was dropped, by zone. */
    private final ConcurrentMap<Integer, Integer> dropped;
    private final ConcurrentMap<ZoneCopy, List<String>> damage;
    private final LongAdder refusedForRoom = new LongAdder();
    private final LongAdder refusedForCleaning = new LongAdder();

    private BackupLog(Path folder, BackupConfig config, RecoveryLog log, SyncCalls calls, CopyCounts found) {
        this.folder = folder;
        this.platform = config.platform();
        this.hasThreads = config.hasOwnThreads();
        this.log = log;
        this.calls = calls;
        this.dropped = new ConcurrentHashMap<>(log.droppedCopies());
        this.damage = new ConcurrentHashMap<>(found.damage());
        found.last().forEach((copy, last) -> copies.put(copy, new Copy(copy, last)));
    }

    /**
     * Opens the log in a folder, or creates a log in a folder without a log. Reads the whole log, to find the last
     * numbers of all copies and the bytes to be cleaned.
     *
     * @param folder of the log; its parent must exist
     * @param config configuration
     * @return the log, to be closed
     * @throws StoreException of category FATAL if write buffer, primary log or manifest are damaged; DEGRADED if the
     *     disk is full; RETRY if another process has the log open, the folder has the log of a store, or the disk fails
     */
    public static BackupLog open(Path folder, BackupConfig config) {
        Objects.requireNonNull(folder);
        final SyncCalls calls = new SyncCalls();
        final LogOptions options = new LogOptions(config.platform(), folder, config.log(), config.nid(), false,
            "process " + ProcessHandle.current().pid(),
            new LogOptions.Use(true, config.hasOwnThreads(), calls::serve));
        try {
            final RecoveryLog log = RecoveryLog.open(options);
            boolean isOpen = false;
            try {
                calls.attach(log);
                final CopyCounts found = CopyCounts.of(log, config);
                final BackupLog opened = new BackupLog(folder, config, log, calls, found);
                isOpen = true;
                return opened;
            } finally {
                if (!isOpen) {
                    closeQuietly(log);
                }
            }
        } catch (DamagedLogException e) {
            throw new StoreException(Category.FATAL, "the log in " + folder + " is damaged: " + e.damage(), e);
        } catch (IOException e) {
            throw new StoreException(e instanceof DiskFullException ? Category.DEGRADED : Category.RETRY,
                "the log in " + folder + " cannot be opened: " + FailureText.of(e), e);
        }
    }

    private static void closeQuietly(RecoveryLog log) {
        try {
            log.close();
        } catch (IOException _) {
            // the caller throws another failure, and the next opening recovers the log
        }
    }

    private StoreException closed(LogClosedException e) {
        return new StoreException(Category.FATAL, e.getCause() == null ? "the log in " + folder + " is closed"
            : FailureText.of(e), e);
    }

    private StoreException failed(IOException e) {
        return new StoreException(e instanceof DiskFullException ? Category.DEGRADED : Category.RETRY,
            "the log in " + folder + ": " + FailureText.of(e), e);
    }

    // ---- writing ----

    /**
     * Appends the records of a run that the copy does not have yet: each is in the log as a whole or not at all.
     *
     * @param copy the copy; the first run makes the copy
     * @param run holds the run
     * @param offset of its first byte there
     * @param length of the run in bytes, at most {@link RunWriter#RUN_BYTES_MAX}. Less than twice the bytes of a run
     *     must fit into the write buffer
     * @return whether everything is logged: it survives the end of the process. If false, there is no room now, or the
     *     copy must be cleaned first; nothing was appended, and the call can be repeated
     * @throws IllegalArgumentException if the run is malformed or too long, a record is missing between the copy and
     *     the run, its numbers do not rise, or the copy was dropped; nothing was appended
     * @throws StoreException of category FATAL if the log has failed or is closed, or the copy is damaged
     */
    public boolean append(ZoneCopy copy, MemorySegment run, long offset, long length) {
        Objects.requireNonNull(run);
        checkDropped(copy);
        if (damage.containsKey(copy)) {
            throw StoreException.fatal("copy " + copy + " is damaged: " + damage.get(copy));
        }
        final Copy known = copies.computeIfAbsent(copy, name -> new Copy(name, 0));
        try {
            if (isDropped(copy)) {                              // since it was checked
                copies.remove(copy, known);
                checkDropped(copy);
            }
            return switch (known.append(log.buffer(), log.pressure(), run, offset, length)) {
                case LOGGED -> true;
                case NO_ROOM -> {
                    refusedForRoom.increment();
                    yield false;
                }
                case TO_CLEAN -> {
                    refusedForCleaning.increment();
                    log.drainSoon();
                    yield false;
                }
            };
        } catch (LogClosedException e) {
            throw closed(e);
        } catch (InternalError e) {
            throw closed(new LogClosedException(log.memoryFailed(e)));
        }
    }

    private boolean isDropped(ZoneCopy copy) {
        return dropped.getOrDefault(copy.zone(), -1) >= copy.copy();
    }

    private void checkDropped(ZoneCopy copy) {
        if (isDropped(copy)) {
            throw new IllegalArgumentException("copy " + copy + " was dropped");
        }
    }

    /** Returns a copy that has a record. */
    private Copy known(ZoneCopy copy) {
        final Copy known = copies.get(copy);
        if (known == null || known.last() == 0 && !damage.containsKey(copy)) {
            throw new IllegalArgumentException("there is no copy " + copy);
        }
        return known;
    }

    /**
     * Returns the number of the last record of a copy.
     *
     * @param copy any copy
     * @return the number, to be compared as unsigned; 0 if the copy has no record
     */
    public long logged(ZoneCopy copy) {
        final Copy known = copies.get(copy);
        return known == null ? 0 : known.last();
    }

    /**
     * Returns the number up to which all records of a copy are on the device.
     *
     * @param copy any copy
     * @return the number, to be compared as unsigned; 0 if there is no such record
     */
    public long synced(ZoneCopy copy) {
        final Copy known = copies.get(copy);
        return known == null ? 0 : known.synced(log.buffer().drained());
    }

    /**
     * Calls back when all records of a copy up to a number are on the device. All calls made while the device is busy
     * share one sync. While the disk is full they wait.
     *
     * @param copy any copy
     * @param number of a record that was appended
     * @param then called once: with null, or with a {@link StoreException} if the run is never synced because the disk
     *     has failed, the log was closed or the copy dropped. Called on the log's thread or on the calling thread. Must
     *     not block the log's thread
     * @throws IllegalArgumentException if the copy has no such record
     */
    public void whenSynced(ZoneCopy copy, long number, Consumer<@Nullable RuntimeException> then) {
        final Copy known = known(copy);
        final long position = known.positionOf(number);
        if (position <= log.buffer().drained()) {
            then.accept(null);
            return;
        }
        calls.add(copy, position, then);
        if (isDropped(copy)) {                                  // since it was looked up
            calls.end(copy::equals, gone(copy));
        }
        log.drainSoon();
    }

    // ---- reading ----

    /** {@return all copies with the numbers of their last records} */
    public Map<ZoneCopy, Long> copies() {
        final Map<ZoneCopy, Long> all = new HashMap<>();
        copies.forEach((copy, known) -> {
            final long last = known.last();
            if (last != 0) {
                all.put(copy, last);
            }
        });
        return all;
    }

    /** {@return copies of which a part could not be read so far, and the reasons; such a copy is of no use} */
    public Map<ZoneCopy, List<String>> damage() {
        return Map.copyOf(damage);
    }

    /**
     * Restores the chunks of a copy: per index the entry with the highest number, and at equal numbers the removal.
     * Records appended before the call are included. Records appended during the call may be included. Other copies are
     * appended to and read as usual.
     *
     * @param copy name of the copy
     * @param threads number of threads, at least 1, made for it; each reads ranges of 2^20 CIDs. In a log without
     *     threads of its own the calling thread reads if this is 1
     * @param restorer receives the chunks; calls for different ranges may overlap
     * @throws StoreException of category FATAL if a part of the copy cannot be read, or the log is closed; DEGRADED if
     *     the restorer's memory is too small, or the disk is full; RETRY if the disk fails
     * @throws IllegalArgumentException if there is no such copy
     */
    public void read(ZoneCopy copy, int threads, ChunkRestorer restorer) {
        known(copy);
        if (threads < 1) {
            throw new IllegalArgumentException("threads=" + threads + " is below 1");
        }
        final List<FileDamage> found;
        try {
            if (!log.sync()) {
                throw log.noRoom("copy " + copy + " cannot be read");
            }
            found = new Restore(new CopySource(log, copy), platform, hasThreads || threads > 1 ? threads : 0,
                (_, _, _, _) -> { })
                .run(new CopySource.WithoutMarks(restorer));
        } catch (LogClosedException e) {
            throw closed(e);
        } catch (IOException e) {
            throw failed(e);
        }
        if (!found.isEmpty()) {
            damage.put(copy, CopyCounts.texts(found));
            throw StoreException.fatal("copy " + copy + " cannot be read: " + found);
        }
    }

    /**
     * Passes on the records of a copy with numbers above a given number, as runs in order. Another backup may miss
     * these records. The log has as many such records as the write buffer holds; after an opening the log has none.
     *
     * @param copy name of the copy
     * @param after number of the last record that is not wanted; 0 for none
     * @param sink receives the runs; none if there is no such record
     * @return false if the log does not have all of these records any more; then the sink may have received some of
     *     them
     * @throws IllegalArgumentException if there is no such copy
     * @throws StoreException of category FATAL if the log is closed
     */
    public boolean tail(ZoneCopy copy, long after, RunSink sink) {
        final List<Appended> wanted = known(copy).above(after);
        if (wanted == null) {
            return false;
        }
        if (wanted.isEmpty()) {
            return true;
        }
        final RunTail tail = new RunTail(after, sink);
        for (Appended each : wanted) {
            final RingPiece piece = log.buffer().copy(each.position(), each.end());
            if (piece == null || !piece.show(tail)) {
                return false;
            }
        }
        return tail.end(wanted.getLast().last());
    }

    /**
     * Drops a copy and all earlier copies of the zone. The copies disappear at once, their files in the background.
     * From now on appends to these copies are refused, also after a restart once the files are gone.
     *
     * @param copy any copy
     */
    public void drop(ZoneCopy copy) {
        dropped.merge(copy.zone(), copy.copy(), Math::max);
        copies.values().removeIf(known -> {
            final boolean isGone = isDropped(known.name());
            if (isGone) {
                known.drop();                                   // waits for an append that has begun
            }
            return isGone;
        });
        damage.keySet().removeIf(this::isDropped);
        log.dropCopiesLater(copy.zone(), copy.copy());
        calls.end(this::isDropped, gone(copy));
    }

    private static StoreException gone(ZoneCopy copy) {
        return new StoreException(Category.DEGRADED, "copy " + copy + " was dropped");
    }

    // ---- running ----

    /**
     * Does all pending work of a log without threads of its own: writes appended records, reports synced records, drops
     * files, cleans a range of a copy. Does nothing if the log has threads of its own.
     *
     * @return number of things done; 0 if there was nothing to do
     */
    public int work() {
        return log.work();
    }

    /**
     * Returns statistics. Waits for the current step of the log's thread.
     *
     * @return statistics
     * @throws StoreException of category FATAL if the log has failed or is closed
     */
    public BackupStats stats() {
        try {
            final LogStats stats = log.stats();
            return new BackupStats(copies().size(), stats.loggedBytes(), log.pendingBytes(), stats.bufferBytes(),
                stats.segments(), stats.segmentBytes(), stats.liveBytes(), stats.cleanings(), stats.freedBytes(),
                stats.copiedBytes(), refusedForRoom.sum(), refusedForCleaning.sum(), stats.blockBytes(),
                log.isFull());
        } catch (LogClosedException e) {
            throw closed(e);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /** {@return the failure that has closed the log permanently, or null} */
    public @Nullable Throwable failure() {
        return log.failure();
    }

    /**
     * Checks the invariants of the log that cleaning depends on, while nothing is appended. Reads the copies that were
     * not changed since the opening.
     *
     * @throws StoreException of category FATAL if an invariant is broken, or the disk fails
     */
    public void audit() {
        try {
            log.audit();
        } catch (LogClosedException e) {
            throw closed(e);
        } catch (IllegalStateException e) {
            throw new StoreException(Category.FATAL, "the log in " + folder + " is wrong: " + FailureText.of(e), e);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /**
     * Closes the log; then the next opening need not recover anything.
     *
     * @throws StoreException of category RETRY if the close is incomplete, because the disk is full or has failed: the
     *     next opening finds all logged records, and after a power cut all synced records
     */
    @Override
    public void close() {
        log.buffer().closing();
        try {
            log.close();
        } catch (IOException e) {
            throw new StoreException(Category.RETRY, "the log in " + folder + " was not closed: " + FailureText.of(e),
                e);
        } finally {
            calls.serve();
            calls.end(closed(new LogClosedException(null)));
        }
    }
}
