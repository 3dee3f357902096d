package io.teff.recovery;

import io.teff.engine.Cid;
import io.teff.engine.Store;
import io.teff.engine.error.StoreClosedException;
import io.teff.engine.error.StoreException;
import io.teff.engine.error.StoreException.Category;
import io.teff.engine.journal.Journal;
import io.teff.engine.journal.JournaledStores;
import io.teff.engine.os.DiskFullException;
import io.teff.engine.os.FailureText;
import io.teff.engine.report.AuditReport;
import io.teff.engine.report.Progress;
import io.teff.recovery.event.LogRestoreEvent;
import io.teff.recovery.format.ZoneId;
import io.teff.recovery.log.LogOptions;
import io.teff.recovery.log.LogStats;
import io.teff.recovery.log.RecoveryLog;
import io.teff.recovery.log.clean.ZoneVisitor;
import io.teff.recovery.log.copy.Copied;
import io.teff.recovery.log.file.DamagedLogException;
import io.teff.recovery.log.file.FileDamage;
import io.teff.recovery.log.file.LogClosedException;
import io.teff.recovery.log.read.LogReader;
import io.teff.recovery.restore.Restore;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A store that survives its process: a {@link Store} in memory, and a log in a folder with each change of the store.
 *
 * <pre>{@code
 * try (DurableStore durable = DurableStore.open(Path.of("data"))) {
 *     Store store = durable.store();                       // chunks, collections, names, as ever
 *     ChunkMap<String, String> users = store.map("users", String.class, String.class);
 *     users.put("ada", "lovelace");                        // survives a kill -9 from here on
 *     durable.sync();                                      // and a power cut from here on
 * }
 * }</pre>
 *
 * <p><b>Reads</b> are served from memory alone. <b>Changes</b> are as durable when their call returns as the {@link
 * Level} of the store demands, or the level of the enclosing block ({@link #at(Level, Runnable)}). {@code
 * docs/GUARANTEES.md} states the promise in full.
 *
 * <p><b>Shortage and failure.</b> When the disk is full, changes throw a {@link StoreException} of category DEGRADED
 * and nothing is lost; they succeed again when there is room. When the disk fails, changes throw one of category
 * FATAL; reads still work, and everything acknowledged is present when the store is opened again. {@link #health}
 * reports the state.
 *
 * <p><b>Failed waits.</b> At {@link Level#SYNCED} a call makes the change and then waits for the device, and each step
 * can fail. The message of the exception distinguishes them: "nothing was changed" means the change was refused. If the
 * wait failed, the change was made: all threads see the change, and the change is as durable as at
 * {@link Level#LOGGED}. After DEGRADED the change is written to the device as soon as there is room, and {@link #sync}
 * confirms the write; repeat the change only if the change is idempotent. After FATAL a power cut may lose the change.
 * In both cases the exception replaces the return value, such as a new CID. Callers that need the value make the change
 * at LOGGED and then call {@code sync()}.
 *
 * <p>Thread-safe. Must be closed; if the process ends without that, the next opening takes longer and nothing is lost.
 */
public final class DurableStore implements AutoCloseable {
    /** Chunks that the message of a refused opening names. */
    private static final int NAMED_MAX = 20;

    private final Path folder;
    private final Level level;
    private final Store store;
    private final LogJournal journal;
    private final RecoveryLog log;
    private final List<DamagedRange> damage;
    private final List<Long> outdatedChunks;
    private final long restoredEntries;

    private DurableStore(Path folder, DurableConfig config, Opened opened) {
        this.folder = folder;
        this.level = config.level();
        this.store = opened.store;
        this.journal = opened.journal;
        this.log = opened.log;
        this.damage = opened.damage.stream().map(DurableStore::range).toList();
        this.outdatedChunks = opened.outdated;
        this.restoredEntries = opened.entries;
    }

    // ---- opening ----

    /** Result of an opening. */
    private record Opened(Store store, LogJournal journal, RecoveryLog log, List<FileDamage> damage,
                          List<Long> outdated, long entries) {}

    /** Throws if damage is not accepted. */
    @FunctionalInterface
    private interface Check {
        void accept(List<FileDamage> damage, List<Long> outdated);
    }

    /**
     * Opens the store in a folder with all defaults; creates the store if the folder has none.
     *
     * @param folder of the store; its parent must exist
     * @return the store, to be closed
     * @throws StoreException as {@link #open(Path, DurableConfig)}
     */
    public static DurableStore open(Path folder) {
        return open(folder, DurableConfig.defaults());
    }

    /**
     * Opens the store in a folder; creates the store if the folder has none.
     *
     * @param folder of the store; its parent must exist
     * @param config configuration
     * @return the store, to be closed
     * @throws StoreException of category FATAL if files are damaged and that is not accepted: the message names files
     *     and offsets; DEGRADED if memory or disk are too small; RETRY if another process has the store open, or the
     *     disk fails
     */
    public static DurableStore open(Path folder, DurableConfig config) {
        Objects.requireNonNull(folder);
        try {
            return new DurableStore(folder, config, openLog(folder, config));
        } catch (DamagedLogException e) {
            throw damaged(folder, e.damage(), List.of(), e);
        } catch (IOException e) {
            throw unopened(folder, e);
        }
    }

    /**
     * Opens the store in a folder for reading, with all defaults.
     *
     * @param folder of the store
     * @return the store, to be closed
     * @throws StoreException as {@link #openReadOnly(Path, DurableConfig)}
     */
    public static ReadOnlyStore openReadOnly(Path folder) {
        return openReadOnly(folder, DurableConfig.defaults());
    }

    /**
     * Opens the store in a folder for reading: nothing on the disk is changed, and damage is reported, not refused. The
     * process needs no permission to write there. Other readers may open the store at the same time. Until the opening
     * ends, the store cannot be opened for writing.
     *
     * @param folder of the store
     * @param config configuration
     * @return the store, to be closed
     * @throws StoreException of category RETRY if there is no store, another process has or had the store open during
     *     the call, or the disk fails; FATAL if no manifest can be read; DEGRADED if memory is too small
     */
    public static ReadOnlyStore openReadOnly(Path folder, DurableConfig config) {
        Objects.requireNonNull(folder);
        Store store = null;
        try {
            final List<FileDamage> damage;
            final List<Long> outdated;
            try (LogReader reader = LogReader.open(config.platform().disk(), folder, holder())) {
                damage = new ArrayList<>(reader.damage());
                final Filled filled = fill(config, reader.log().nid(), new ReadOnlyJournal(), new ReaderSource(reader),
                    (_, _) -> { });
                store = filled.store;
                damage.addAll(filled.damage);
                outdated = damage.isEmpty() ? List.of() : filled.restore.outdated();
            }
            return new ReadOnlyStore(store, damage.stream().map(DurableStore::range).toList(), outdated);
        } catch (DamagedLogException e) {
            throw damaged(folder, e.damage(), List.of(), e);
        } catch (IOException e) {
            if (store != null) {
                store.close();
            }
            throw unopened(folder, e);
        }
    }

    /** A filled store, the unreadable parts of the log, and the way of filling. */
    private record Filled(Store store, List<FileDamage> damage, Restore restore) {}

    /**
     * Fills a store. If the memory does not suffice, the store is filled again, densely. A store that was full in its
     * former process may have too little room for the pages of several threads, or for outdated entries.
     *
     * @param check throws if the damage is not accepted
     */
    private static Filled fill(DurableConfig config, int nid, Journal journal, Restore.Source source,
                               Check check) throws IOException {
        try {
            return fill(config, nid, journal, check, new Restore(source, config.platform(), config.restoreThreads(),
                config.progress()::at));
        } catch (StoreException e) {
            if (e.category() != Category.DEGRADED) {
                throw e;
            }
            return fill(config, nid, journal, check,
                Restore.dense(source, config.platform(), config.progress()::at));
        }
    }

    private static Filled fill(DurableConfig config, int nid, Journal journal, Check check,
                               Restore restore) throws IOException {
        final List<FileDamage> damage = new ArrayList<>();
        try {
            final Store store = JournaledStores.open(Store.class, config.store().toBuilder().nid(nid).build(), journal,
                restorer -> {
                    try {
                        damage.addAll(restore.run(restorer));
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                    check.accept(damage, restore.outdated());
                });
            return new Filled(store, damage, restore);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static StoreException unopened(Path folder, IOException e) {
        return new StoreException(e instanceof DiskFullException ? Category.DEGRADED : Category.RETRY,
            "the store in " + folder + " cannot be opened: " + FailureText.of(e), e);
    }

    private static Opened openLog(Path folder, DurableConfig config) throws IOException {
        final RecoveryLog log = RecoveryLog.open(new LogOptions(config.platform(), folder, config.log(),
            config.smaller(), config.store().nid(), config.acceptsDamage(), holder(), LogOptions.Use.STORE));
        boolean isDone = false;
        try {
            final Opened opened = restore(folder, config, log);
            isDone = true;
            return opened;
        } finally {
            if (!isDone) {
                closeQuietly(log);
            }
        }
    }

    private static String holder() {
        final ProcessHandle process = ProcessHandle.current();
        return "process " + process.pid();
    }

    private static void closeQuietly(Closeable log) {
        try {
            log.close();
        } catch (IOException _) {
            // the caller throws another failure, and the next opening recovers the log
        }
    }

    private static Opened restore(Path folder, DurableConfig config, RecoveryLog log) throws IOException {
        final LogRestoreEvent event = new LogRestoreEvent();
        event.begin();
        final LogJournal journal = new LogJournal(config.store().name(), log, config.level());
        final List<FileDamage> damage = new ArrayList<>(log.damage());
        final Filled filled = fill(config, log.nid(), journal, new LogSource(log), (found, outdated) -> {
            if (!(found.isEmpty() && log.damage().isEmpty()) && !config.acceptsDamage()) {
                throw damaged(folder, Stream.concat(log.damage().stream(), found.stream()).toList(), outdated, null);
            }
        });
        final Store store = filled.store;
        damage.addAll(filled.damage);
        boolean isDone = false;
        try {
            log.endReading();
            if (!damage.isEmpty()) {
                log.giveUpDamage();                             // on a full disk it is reported again at the next open
            }
            isDone = true;
        } finally {
            if (!isDone) {
                store.close();
            }
        }
        if (event.shouldCommit()) {
            event.folder = folder.toString();
            event.zones = filled.restore.zoneCount();
            event.bytes = filled.restore.bytes();
            event.entries = filled.restore.entryCount();
            event.damage = damage.size();
            event.commit();
        }
        return new Opened(store, journal, log, damage, damage.isEmpty() ? List.of() : filled.restore.outdated(),
            filled.restore.entryCount());
    }

    private static StoreException damaged(Path folder, List<FileDamage> damage, List<Long> outdated,
                                          @Nullable Throwable cause) {
        return new StoreException(Category.FATAL, "the store in " + folder + " is damaged: " + damage
            + (outdated.isEmpty() ? "" : "; chunks whose later changes count for nothing without what is missing: "
                + outdated.stream().limit(NAMED_MAX).map(Cid::toString).toList()
                + (outdated.size() > NAMED_MAX ? " and " + (outdated.size() - NAMED_MAX) + " more" : ""))
            + "; it can be opened for reading only, or with what can be read of it if that is accepted", cause);
    }

    private static DamagedRange range(FileDamage damage) {
        return new DamagedRange(damage.file(), damage.damage().offset(), damage.damage().bytes(),
            damage.damage().why());
    }

    /** The files of a log that is only read. */
    private record ReaderSource(LogReader reader) implements Restore.Source {
        @Override
        public List<ZoneId> zones() {
            return reader.zones();
        }

        @Override
        public long bytes() throws IOException {
            return reader.bytes();
        }

        @Override
        public List<FileDamage> read(ZoneId zone, ZoneVisitor visitor) throws IOException {
            return reader.read(zone, visitor);
        }
    }

    /** The zones of an open log, largest first. */
    private static final class LogSource implements Restore.Source {
        private final RecoveryLog log;
        private final Map<ZoneId, Long> bytes = new HashMap<>();

        LogSource(RecoveryLog log) throws IOException {
            this.log = log;
            for (ZoneId zone : log.zones()) {
                bytes.put(zone, log.bytes(zone));
            }
        }

        @Override
        public List<ZoneId> zones() {
            return bytes.entrySet().stream().sorted(Map.Entry.<ZoneId, Long>comparingByValue(Comparator.reverseOrder()))
                .map(Map.Entry::getKey).toList();
        }

        @Override
        public long bytes() {
            return bytes.values().stream().mapToLong(Long::longValue).sum();
        }

        @Override
        public List<FileDamage> read(ZoneId zone, ZoneVisitor visitor) throws IOException {
            return log.count(zone, visitor);
        }
    }

    // ---- using ----

    /** Returns the recorder of the store's changes, for tests of each step. */
    LogJournal journal() {
        return journal;
    }

    private void checkOpen() {
        if (!store.isOpen()) {
            throw closed();
        }
    }

    private StoreClosedException closed() {
        return new StoreClosedException(store.config().name());
    }

    /** {@return the store in memory; closed with this durable store} */
    public Store store() {
        return store;
    }

    /** {@return the folder of the files} */
    public Path folder() {
        return folder;
    }

    /** {@return the durability of a change when its call returns} */
    public Level level() {
        return level;
    }

    /** {@return what could not be read when the store was opened; empty unless damage was accepted} */
    public List<DamagedRange> damage() {
        return damage;
    }

    /**
     * Returns the chunks that have lost changes behind the damage: their later changes were logged as bytes of the
     * chunk and are readable, but an entry in front of these changes is not. Such a chunk has its state in front of the
     * damage, or does not exist if no such state is left. A chunk whose last entry is damaged is not among them.
     *
     * @return CIDs, in order; at most some thousand of each million CIDs; empty unless damage was accepted
     */
    public List<Long> outdatedChunks() {
        return outdatedChunks;
    }

    /**
     * Runs a block; the calling thread's changes in the block have another level. At {@link Level#SYNCED} the end of
     * the block waits once for all changes, so many changes cost as much as a single change; at a level below the
     * store's no change is waited for. If the block throws, nothing is waited for.
     *
     * @param chosen the level
     * @param block makes changes; blocks may be nested
     * @throws StoreException as {@link #sync}
     */
    public void at(Level chosen, Runnable block) {
        this.<@Nullable Object>at(chosen, () -> {
            block.run();
            return null;
        });
    }

    /**
     * Runs a block like {@link #at(Level, Runnable)} and returns its result.
     *
     * @param chosen the level
     * @param block makes changes
     * @param <T> type of the result
     * @return the result of the block
     * @throws StoreException as {@link #sync}
     */
    public <T extends @Nullable Object> T at(Level chosen, Supplier<T> block) {
        checkOpen();
        return journal.at(chosen, block);
    }

    /**
     * Waits until all changes made before, by any thread and at any level, are on the device.
     *
     * @throws StoreException of category DEGRADED if the disk is full: the changes survive the process, but not yet a
     *     power cut; FATAL if the disk has failed
     * @throws StoreClosedException if the store is closed
     */
    public void sync() {
        checkOpen();
        journal.sync();
    }

    /**
     * Requests a sync without waiting for it. Costs no thread: all requests made while the device is busy share one
     * sync.
     *
     * @return completes on a thread of the JDK's common pool when all changes made before are on the device, or fails
     *     with a {@link StoreException} as {@link #sync} throws it
     */
    public CompletionStage<Void> syncAsync() {
        if (!store.isOpen()) {
            return CompletableFuture.failedStage(closed());
        }
        return journal.syncAsync();
    }

    /**
     * Moves all changes made before into sealed segments, so that the next opening, even after a kill, has little else
     * to read.
     *
     * @throws StoreException as {@link #sync}
     */
    public void checkpoint() {
        checkOpen();
        try {
            if (!log.checkpoint()) {
                throw new StoreException(Category.DEGRADED, FailureText.of(log.noRoom("the disk is full: everything is "
                    + "kept as before")));
            }
        } catch (LogClosedException e) {
            throw journal.closed(e);
        } catch (IOException e) {
            throw new StoreException(Category.FATAL, "the disk has failed: " + FailureText.of(e), e);
        }
    }

    /**
     * Backs up the store, as of a single moment, to a new folder. {@link #open} opens the backup like a store closed at
     * this moment. On every level, the backup has all changes acknowledged before the call. Of the changes made during
     * the call, the backup has any first part. The store stays in use meanwhile, and is cleaned as usual.
     *
     * <p>Final files, which never change again, are shared by hard links where the file system permits, so such a
     * backup takes little time and room. On another device final files are copied. A shared file costs room until both
     * folders have deleted the file, and damage of its bytes is in both folders: keep a backup on another device, too.
     * The backup is read before its folder gets the final name, so a backup takes at least as long as reading all
     * files.
     *
     * <p>After a failure nothing of the backup is left. A killed process leaves a folder with a name that ends in
     * {@code .unfinished}. The next backup to the same target deletes this folder.
     *
     * @param target folder to make, outside of the store's folder; the folder above it must exist
     * @return what was backed up
     * @throws IllegalArgumentException if the target exists, if the target lies in the folder of the store, or if the
     *     target's parent folder does not exist
     * @throws StoreException of category DEGRADED if there is no room, for the backup or for the latest changes; RETRY
     *     if the disk fails, or another backup to this target is under way; FATAL if a file of the store is damaged, or
     *     the log has failed
     * @throws StoreClosedException if the store is closed
     */
    public BackupReport backup(Path target) {
        return backup(target, Progress.NONE);
    }

    /**
     * Backs up the store like {@link #backup(Path)}, and reports the progress.
     *
     * @param target folder to make
     * @param progress receives bytes done and bytes in total, each byte counted twice because it is copied and read;
     *     unlike during a snapshot, changes of the store do not wait, and the receiver may make some. An exception of
     *     the receiver ends the backup, and nothing of the backup is left
     * @return what was backed up
     * @throws IllegalArgumentException as {@link #backup(Path)}
     * @throws StoreException as {@link #backup(Path)}
     * @throws StoreClosedException if the store is closed
     */
    public BackupReport backup(Path target, Progress progress) {
        Objects.requireNonNull(progress);
        checkOpen();
        try {
            final Copied copied = log.copyTo(target, holder(), progress);
            return new BackupReport(target, copied.segments(), copied.bytes(), copied.linkedBytes());
        } catch (LogClosedException e) {
            throw journal.closed(e);
        } catch (DiskFullException e) {
            throw noBackup(Category.DEGRADED, target, e);
        } catch (DamagedLogException e) {
            throw noBackup(Category.FATAL, target, e);
        } catch (IOException e) {
            throw noBackup(Category.RETRY, target, e);
        }
    }

    private StoreException noBackup(Category category, Path target, IOException e) {
        return new StoreException(category, "the store in " + folder + " was not backed up to " + target
            + ", and nothing of the backup is left: " + FailureText.of(e), e);
    }

    /**
     * Returns statistics of the log; {@link Store#stats} has those of the store. Waits for the current step of the
     * log's thread.
     *
     * @return statistics
     * @throws StoreException of category FATAL if the disk has failed
     * @throws StoreClosedException if the store is closed
     */
    public DurableStats stats() {
        checkOpen();
        try {
            final LogStats stats = log.stats();
            return new DurableStats(stats.loggedBytes(), stats.bufferBytes(), stats.frames(),
                stats.frameBytes(), stats.zones(), stats.segments(), stats.segmentBytes(), stats.liveBytes(),
                stats.cleanings(),
                stats.freedBytes(), stats.copiedBytes(), health());
        } catch (LogClosedException e) {
            throw journal.closed(e);
        } catch (IOException e) {
            throw new StoreException(Category.FATAL, "the disk has failed: " + FailureText.of(e), e);
        }
    }

    /**
     * Checks all invariants of the store in memory, as {@link Store#audit} does, and the invariants of the log that
     * bound the size of its folder. Reads the parts of the log without a change since the opening, so the audit takes
     * about as long as an opening.
     *
     * @return counts of the checked objects in memory
     * @throws StoreException of category FATAL if an invariant is broken, or the disk has failed
     * @throws StoreClosedException if the store is closed
     */
    public AuditReport audit() {
        final AuditReport report = store.audit();
        try {
            log.audit();
        } catch (LogClosedException e) {
            throw journal.closed(e);
        } catch (IllegalStateException e) {
            throw new StoreException(Category.FATAL, "the log in " + folder + " is wrong: " + FailureText.of(e), e);
        } catch (IOException e) {
            throw new StoreException(Category.FATAL, "the disk has failed: " + FailureText.of(e), e);
        }
        return report;
    }

    /** {@return whether changes are accepted; does not wait, not even for a disk that hangs} */
    public DurableHealth health() {
        final DurableHealth.State state = log.failure() != null ? DurableHealth.State.FAILED
            : log.isClosed() ? DurableHealth.State.CLOSED
            : log.isFull() ? DurableHealth.State.FULL : DurableHealth.State.WRITABLE;
        final Throwable last = log.lastFailure();               // after the state, so that a failure has its cause
        return new DurableHealth(state, log.pendingBytes(), last == null ? null : FailureText.of(last));
    }

    /** {@return the folder, the state of its log, and the store, for people} */
    @Override
    public String toString() {
        return "DurableStore[" + folder + ", " + health().state() + ", " + store + ']';
    }

    /** {@return entries read when the store was opened, outdated ones included} */
    public long restoredEntries() {
        return restoredEntries;
    }

    /**
     * Closes the store and its log; then the next opening need not recover anything.
     *
     * @throws StoreException of category RETRY if the log could not be completed, because the disk is full or has
     *     failed: everything acknowledged is present when the store is opened again
     */
    @Override
    public void close() {
        log.buffer().closing();
        try {
            store.close();
        } finally {
            closeLog();
        }
    }

    private void closeLog() {
        try {
            log.close();
        } catch (IOException e) {
            throw new StoreException(Category.RETRY, "the store in " + folder + " was closed, its log was not: "
                + FailureText.of(e), e);
        }
    }
}
