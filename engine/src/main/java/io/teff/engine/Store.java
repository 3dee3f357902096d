package io.teff.engine;

import io.teff.engine.check.Arguments;
import io.teff.engine.chunk.ChangeLog;
import io.teff.engine.chunk.JournalRestore;
import io.teff.engine.chunk.OfferDoor;
import io.teff.engine.chunk.Pinning;
import io.teff.engine.chunk.ZoneDoor;
import io.teff.engine.chunk.ZoneSpace;
import io.teff.engine.compute.Compute;
import io.teff.engine.config.Limits;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.error.Status;
import io.teff.engine.error.StoreClosedException;
import io.teff.engine.event.StoreOpenEvent;
import io.teff.engine.journal.ChunkRestorer;
import io.teff.engine.journal.Journal;
import io.teff.engine.journal.JournaledStores;
import io.teff.engine.memory.MemoryMode;
import io.teff.engine.os.Disk;
import io.teff.engine.os.StoreSeams;
import io.teff.engine.os.Units;
import io.teff.engine.report.AuditReport;
import io.teff.engine.report.DefragReport;
import io.teff.engine.report.HeapReport;
import io.teff.engine.report.Progress;
import io.teff.engine.report.SnapshotInfo;
import io.teff.engine.report.StoreStats;
import io.teff.engine.snapshot.SnapshotSource;
import io.teff.engine.snapshot.Snapshots;
import io.teff.engine.table.Zone;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A store of chunks in off-heap memory of this JVM.
 *
 * <p>A <b>chunk</b> is a string of bytes; a <b>CID</b> ({@link Cid}) is its name, a {@code long} that is issued only
 * once. The methods of this class are the fast forms of the operations on single chunks: they allocate nothing on the
 * Java heap, and return a length, a CID or a negative {@link Status}. {@link #chunks()} has forms with exceptions and
 * {@code Optional}. Further operations are in {@link #batch()}, {@link #fields()}, {@link #views()}, {@link #locks()},
 * {@link #pins()}, {@link #ids()} and {@link #names()}.
 *
 * <pre>{@code
 * try (Store store = Store.open()) {
 *     long cid = store.create("hello".getBytes(UTF_8));
 *     byte[] buffer = new byte[64];
 *     int length = store.get(cid, buffer);
 *     store.put(cid, "a longer text".getBytes(UTF_8));
 *     store.remove(cid);
 * }
 * }</pre>
 *
 * <p><b>Threads.</b> Any number of threads may call any method at any time; each operation on a chunk is atomic, and a
 * change of a chunk happens-before every read that sees it. Reads take no lock and write nothing to shared memory,
 * unless the chunk is locked, is long, or changes meanwhile. <b>Memory.</b> The store grows as needed, up to
 * {@link StoreConfig#memoryLimitBytes()}; then creates return {@link Status#FULL}. <b>Cost.</b> A chunk takes 8 bytes
 * of table entry and less than 1 byte of metadata; sizes of slots are in steps of 2 bytes up to 128 bytes, and in steps
 * of at most 3 % above. The address of a chunk whose length is a multiple of 8 is a multiple of 8.
 *
 * <p><b>Close.</b> {@link #close()} waits for running operations and views; later calls throw
 * {@link io.teff.engine.error.StoreClosedException}. A store that becomes unreachable without a close is closed after a
 * garbage collection. This close logs a warning with the stack trace of the call that opened the store.
 */
public final class Store extends ZoneOperations {
    private final Core core;
    private final StoreHandle handle;
    private final Views views;
    private final Pins pins;
    private final ZoneSpace zones;
    private final LocalCompute compute;

    static {
        JournaledStores.openBy(Store::openJournaled);
        ZoneDoor.openBy(store -> ((Store) store).zones);
        OfferDoor.openBy(store -> ((Store) store).core.space);
    }

    Store(StoreConfig config, @Nullable Journal journal) {
        this(new Core(config, journal));
        StoreOpenEvent.emit(config.name(), config.nid(), config.memoryLimitBytes(), memoryMode());
        if (MemoryMode.isAskedFor()) {
            handle.log("store " + config.name() + ": " + memoryMode());
        }
    }

    private Store(Core core) {
        this(core, new StoreHandle(core.space.config.name(), core.care));
    }

    private Store(Core core, StoreHandle handle) {
        super(handle, core, Names.ofStore(core.grouped(handle)));
        this.core = core;
        this.handle = handle;
        views = new Views(handle, core.changes.steps().scopes(), core.changes);
        pins = new Pins(handle, new Pinning(core.space, core.log), core.changes);
        zones = new ZoneSpace(core.space, core.reclaim, core.upkeep, core.log, this::view);
        compute = new LocalCompute(this, zones, core.space.config.name(), StoreSeams.of(core.space.config).platform());
    }

    /** Creates a view of a zone. All views of a zone share its names. */
    private ZoneStore view(Zone zone, ChangeLog log) {
        Core parts = new Core(core, zone, log);
        return new ZoneStore(handle, parts, zone.view() instanceof ZoneStore first ? first.names()
            : parts.isOwn() ? names() : Names.ofZone(parts.grouped(handle)));
    }

    private static Store openJournaled(StoreConfig config, Journal journal, Consumer<ChunkRestorer> restore) {
        Store store = new Store(config, journal);
        boolean isDone = false;
        try {
            JournalRestore restorer = new JournalRestore(store.core.space);
            restore.accept(restorer);
            restorer.end();
            isDone = true;
            return store;
        } finally {
            if (!isDone) {
                store.close();
            }
        }
    }

    // ---- open and close ----

    /**
     * Returns whether the stores of this JVM use native access for their memory, and what the other mode would bring,
     * in one line ({@link io.teff.engine.config.NativeAccess}). The line is logged when a store is opened if native
     * access with the warning of the JDK was asked for.
     *
     * @return a line for people
     */
    public static String memoryMode() {
        return MemoryMode.describe();
    }

    /**
     * Opens an empty store with all defaults.
     *
     * @return the store, which the caller must close
     */
    public static Store open() {
        return open(StoreConfig.defaults());
    }

    /**
     * Opens an empty store.
     *
     * @param config configuration of the store
     * @return the store, which the caller must close
     * @throws io.teff.engine.error.StoreException if the address space cannot be reserved
     */
    public static Store open(StoreConfig config) {
        return new Store(config, null);
    }

    /**
     * Opens a store with the chunks of a snapshot: the same CIDs, contents and NID.
     *
     * @param path the snapshot file
     * @param config configuration of the store; the snapshot's NID replaces its NID
     * @return the store, which the caller must close
     * @throws io.teff.engine.error.StoreException of category FATAL naming file and offset if the file is damaged,
     *     DEGRADED if the memory limit is too small, RETRY if reading failed
     */
    public static Store restore(Path path, StoreConfig config) {
        return restore(path, config, Progress.NONE);
    }

    /**
     * Opens a store with the chunks of a snapshot, and reports the progress. See {@link #restore(Path, StoreConfig)}.
     *
     * @param path the snapshot file
     * @param config configuration of the store; the snapshot's NID replaces its NID
     * @param progress receives the numbers of restored and of expected chunks
     * @return the store, which the caller must close
     * @throws io.teff.engine.error.StoreException like {@link #restore(Path, StoreConfig)}
     */
    public static Store restore(Path path, StoreConfig config, Progress progress) {
        try (SnapshotSource source = SnapshotSource.open(path, config)) {
            Store store = new Store(source.config(), null);
            boolean isRestored = false;
            try {
                source.restoreInto(store.core.space, progress);
                isRestored = true;
                return store;
            } finally {
                if (!isRestored) {
                    store.close();
                }
            }
        }
    }

    /**
     * Returns the report of {@link #heap} for the store that wrote a snapshot, at the time of the snapshot. Reads the
     * file once, from start to end, and checks it like a restore. Opens no store, and needs only a few MiB of memory.
     *
     * @param path the snapshot file
     * @param largestCount number of the largest chunks to list, 0 to {@link Limits#LARGEST_COUNT_MAX}
     * @param progress receives the bytes read and the size of the file
     * @return the report
     * @throws io.teff.engine.error.StoreException of category FATAL naming file and offset if the file is damaged,
     *     RETRY if reading failed
     * @throws IllegalArgumentException if {@code largestCount} is out of range
     */
    public static HeapReport analyze(Path path, int largestCount, Progress progress) {
        Arguments.checkLargest(largestCount);
        return Snapshots.analyze(Disk.SYSTEM, path, largestCount, progress);
    }

    /**
     * Writes all chunks to a file, as of one point in time. Changes wait until the file is written, reads continue. The
     * file appears complete and synced, or not at all; an older file of that name is replaced.
     *
     * @param path file to write
     * @return numbers of chunks and bytes written
     * @throws io.teff.engine.error.StoreException of category RETRY if another thread, which has not ended, keeps a
     *     chunk write-locked, or if the file cannot be written
     * @throws IllegalStateException if the calling thread holds the write lock of a chunk
     */
    public SnapshotInfo snapshot(Path path) {
        return snapshot(path, Progress.NONE);
    }

    /**
     * Writes all chunks to a file, and reports the progress. See {@link #snapshot(Path)}.
     *
     * @param path file to write
     * @param progress receives the numbers of written and of all chunks
     * @return numbers of chunks and bytes written
     * @throws io.teff.engine.error.StoreException like {@link #snapshot(Path)}
     * @throws IllegalStateException like {@link #snapshot(Path)}
     */
    public SnapshotInfo snapshot(Path path, Progress progress) {
        return Snapshots.write(core.space, core.care, path, progress);
    }

    /** {@return jobs and compute groups; the first job starts the threads, which keep the store reachable} */
    @Override
    public Compute compute() {
        return compute;
    }

    /**
     * Closes the store and releases its memory. Jobs under way end as CLOSED. Waits for running operations, and up to
     * 10 s for views and for copies of long chunks. Idempotent.
     */
    @Override
    public void close() {
        compute.close();
        handle.close();
    }

    @Override
    public boolean isOpen() {
        return !core.space.stripes.isClosed();
    }

    /** {@return the configuration that the store was opened with} */
    public StoreConfig config() {
        return core.space.config;
    }

    // ---- groups of operations that are of this JVM alone ----

    /** {@return zero-copy access to chunks inside a scope} */
    public Views views() {
        return views;
    }

    /** {@return operations that pin chunks, so that their addresses stay the same} */
    public Pins pins() {
        return pins;
    }

    // ---- maintenance ----

    /**
     * Returns statistics of the store's memory. Takes microseconds.
     *
     * @return the sums, exact if no thread changes the store meanwhile
     */
    public StoreStats stats() {
        return core.care.stats();
    }

    /**
     * Returns a detailed report of the use of the store's memory. Takes about a second per fifty million small chunks.
     * Changes wait meanwhile, reads continue.
     *
     * @param largestCount number of the largest chunks to list, 0 to {@link Limits#LARGEST_COUNT_MAX}
     * @return the report
     * @throws IllegalArgumentException if {@code largestCount} is out of range
     */
    public HeapReport heap(int largestCount) {
        Arguments.checkLargest(largestCount);
        return core.care.heap(largestCount);
    }

    /**
     * Checks every invariant of the store. Takes about a second per twenty million small chunks. Changes wait
     * meanwhile, reads continue.
     *
     * @return counts of the checked objects
     * @throws io.teff.engine.error.StoreException of category FATAL, whose message names the first violation
     */
    public AuditReport audit() {
        return core.care.audit();
    }

    /**
     * Releases memory that the store keeps for later use: partly used pages of allocation stripes, and free units,
     * which are given back to the kernel if native access is granted. Changes wait meanwhile, reads continue.
     *
     * @return number of bytes given back to the kernel
     */
    public long trim() {
        return core.care.trim();
    }

    /**
     * Moves chunks out of sparse pages, so that the pages can be reused or given back to the kernel. All other
     * operations continue meanwhile; locked and pinned chunks are not moved. One thread at a time defragments; further
     * calls wait.
     *
     * @return counts of the moved chunks and freed pages
     */
    public DefragReport defragment() {
        return core.defragmenter.run(() -> { });
    }

    /** {@return the name, the number of chunks and the memory, for people; takes microseconds, also after close} */
    @Override
    public String toString() {
        try {
            final StoreStats now = stats();
            return "Store[" + now.name() + ", nid " + now.nid() + ", " + now.chunks() + " chunks, "
                + Units.bytes(now.committedBytes()) + " of " + Units.bytes(now.limitBytes()) + ']';
        } catch (StoreClosedException e) {
            return "Store[closed]";
        }
    }

    /** Returns the handle, for tests. */
    StoreHandle handle() {
        return handle;
    }

    /** Returns the components, for tests. */
    Core core() {
        return core;
    }
}
