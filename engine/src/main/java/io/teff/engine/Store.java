package io.teff.engine;

import io.teff.engine.check.Arguments;
import io.teff.engine.chunk.Changes;
import io.teff.engine.chunk.JournalRestore;
import io.teff.engine.chunk.Pinning;
import io.teff.engine.chunk.Reads;
import io.teff.engine.codec.Codec;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.ChunkList;
import io.teff.engine.collect.ChunkLongMap;
import io.teff.engine.collect.ChunkMap;
import io.teff.engine.collect.ChunkQueue;
import io.teff.engine.collect.ChunkSet;
import io.teff.engine.collect.ChunkSortedLongMap;
import io.teff.engine.collect.ChunkSortedMap;
import io.teff.engine.config.Limits;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.error.Status;
import io.teff.engine.event.StoreOpenEvent;
import io.teff.engine.journal.ChunkRestorer;
import io.teff.engine.journal.Journal;
import io.teff.engine.journal.JournaledStores;
import io.teff.engine.os.Disk;
import io.teff.engine.report.AuditReport;
import io.teff.engine.report.DefragReport;
import io.teff.engine.report.HeapReport;
import io.teff.engine.report.Progress;
import io.teff.engine.report.SnapshotInfo;
import io.teff.engine.report.StoreStats;
import io.teff.engine.snapshot.SnapshotSource;
import io.teff.engine.snapshot.Snapshots;
import io.teff.engine.table.EntryWord;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A store of chunks in off-heap memory, inside of this JVM.
 *
 * <p>A <b>chunk</b> is a string of bytes; a <b>CID</b> ({@link Cid}) is its name, a {@code long} that is issued once
 * and never again. The methods here are the hot forms of the single operations: they allocate nothing, and say what
 * happened by a return value, a length or a negative {@link Status}. {@link #chunks()} is the comfortable form.
 * Everything else is one step away:
 * {@link #batch()}, {@link #fields()}, {@link #views()}, {@link #locks()}, {@link #pins()}, {@link #ids()}.
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
 * <p><b>Threads.</b> Any number of threads may call anything at any time; each operation on a chunk is atomic, and what
 * a thread did before it changed a chunk is visible to a thread that reads that change. Reads take no lock and write
 * nothing shared. <b>Memory.</b> Grows by itself to {@link StoreConfig#memoryLimitBytes()}; then creates return {@link
 * Status#FULL}.
 * <b>Cost.</b> 8 bytes of table entry and less than 1 byte of metadata per chunk; slots come in steps of 2 bytes up to
 * 128, then of at most 3 %. A chunk whose length is a multiple of 8 starts on 8 bytes.
 *
 * <p><b>Close.</b> {@link #close()} waits for running operations and views; later calls throw
 * {@link io.teff.engine.error.StoreClosedException}. A store that is forgotten instead is closed when it is collected,
 * with a warning that names where it was opened.
 */
public final class Store implements ChunkStore {
    private final Core core;
    private final StoreHandle handle;
    private final Reads reads;
    private final Changes changes;
    private final Chunks chunks;
    private final Batch batch;
    private final Fields fields;
    private final Views views;
    private final Locks locks;
    private final Pins pins;
    private final Ids ids;
    private final Names names;

    static {
        JournaledStores.openBy(Store::openJournaled);
    }

    Store(StoreConfig config, @Nullable Journal journal) {
        core = new Core(config, journal);
        handle = new StoreHandle(config.name(), core.care);
        reads = core.reads;
        changes = core.changes;
        chunks = new Chunks(this);
        fields = new Fields(handle, core.space, changes);
        batch = new Batch(handle, core, fields);
        views = new Views(handle, changes.steps().scopes(), changes);
        locks = new Locks(handle, core);
        pins = new Pins(handle, new Pinning(core.space, core.log), changes);
        ids = new Ids(handle, core);
        names = new Names(core.grouped(handle));
        StoreOpenEvent.emit(config.name(), config.nid(), config.memoryLimitBytes());
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
     * Opens an empty store with all defaults.
     *
     * @return the store, to be closed
     */
    public static Store open() {
        return open(StoreConfig.defaults());
    }

    /**
     * Opens an empty store.
     *
     * @param config how
     * @return the store, to be closed
     * @throws io.teff.engine.error.StoreException if the address space cannot be reserved
     */
    public static Store open(StoreConfig config) {
        return new Store(config, null);
    }

    /**
     * Opens a store with the chunks of a snapshot: same CIDs, same bytes, same NID.
     *
     * @param path the snapshot file
     * @param config how; its NID is replaced by the snapshot's
     * @return the store, to be closed
     * @throws io.teff.engine.error.StoreException of category FATAL naming file and offset if the file is damaged,
     *     DEGRADED if the limit is
     *     too small, RETRY if it cannot be read
     */
    public static Store restore(Path path, StoreConfig config) {
        return restore(path, config, Progress.NONE);
    }

    /**
     * The same, and says how far it is.
     *
     * @param path the snapshot file
     * @param config how
     * @param progress told of restored and expected chunks
     * @return the store, to be closed
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
     * Says what fills the store that a snapshot is of, and how well, as it was then. The file is read once, from front
     * to end, and checked like in a restore; nothing is restored, and memory stays at a few MiB.
     *
     * @param path the snapshot file
     * @param largestCount how many of the largest chunks to name, 0 to {@link Limits#LARGEST_COUNT_MAX}
     * @param progress told of bytes read and of the file's bytes
     * @return the report
     * @throws io.teff.engine.error.StoreException of category FATAL naming file and offset if the file is damaged,
     *     RETRY if it cannot be read
     */
    public static HeapReport analyze(Path path, int largestCount, Progress progress) {
        Arguments.checkLargest(largestCount);
        return Snapshots.analyze(Disk.SYSTEM, path, largestCount, progress);
    }

    /**
     * Writes all chunks to a file: one point in time. Changes wait until it is written, reads go on. The file appears
     * complete and synced, or not at all; an older file of that name is replaced.
     *
     * @param path where
     * @return what was written
     * @throws io.teff.engine.error.StoreException of category RETRY if a chunk stays locked exclusively, or if the file
     *     cannot be written
     */
    public SnapshotInfo snapshot(Path path) {
        return snapshot(path, Progress.NONE);
    }

    /**
     * The same, and says how far it is.
     *
     * @param path where
     * @param progress told of written and all chunks
     * @return what was written
     */
    public SnapshotInfo snapshot(Path path, Progress progress) {
        return Snapshots.write(core.space, core.care, path, progress);
    }

    /**
     * Ends the store and gives its memory back. Waits for running operations, and up to 10 s for views. Idempotent.
     */
    @Override
    public void close() {
        handle.close();
    }

    @Override
    public boolean isOpen() {
        return !core.space.stripes.isClosed();
    }

    /** {@return what the store was opened with} */
    public StoreConfig config() {
        return core.space.config;
    }

    // ---- create ----

    @Override
    public long create(byte[] source) {
        return changes.create(source, 0, source.length, EntryWord.PLAIN);
    }

    @Override
    public long create(byte[] source, int offset, int length) {
        return changes.create(source, offset, length, EntryWord.PLAIN);
    }

    @Override
    public long create(MemorySegment source, long offset, long length) {
        return changes.create(source, offset, length, EntryWord.PLAIN);
    }

    @Override
    public long create(long length) {
        Arguments.checkLength(length);
        return changes.create(null, 0, length, EntryWord.PLAIN);
    }

    @Override
    public long createReadOnly(byte[] source) {
        return changes.create(source, 0, source.length, EntryWord.READ_ONLY);
    }

    // ---- read ----

    @Override
    public int get(long cid, byte[] target) {
        return reads.get(cid, target, 0);
    }

    @Override
    public int get(long cid, byte[] target, int offset) {
        return reads.get(cid, target, offset);
    }

    @Override
    public long get(long cid, MemorySegment target, long offset) {
        return reads.getInto(cid, target, offset);
    }

    @Override
    public int getBytes(long cid, long chunkOffset, byte[] target, int offset, int length) {
        return reads.getBytes(cid, chunkOffset, target, offset, length);
    }

    @Override
    public int getBytes(long cid, long chunkOffset, MemorySegment target, long offset, long length) {
        return reads.getBytes(cid, chunkOffset, target, offset, length);
    }

    @Override
    public boolean exists(long cid) {
        return reads.size(cid) != Status.ABSENT;
    }

    @Override
    public long size(long cid) {
        return reads.size(cid);
    }

    // ---- change ----

    @Override
    public int put(long cid, byte[] source) {
        return changes.put(cid, source, 0, source.length);
    }

    @Override
    public int put(long cid, byte[] source, int offset, int length) {
        return changes.put(cid, source, offset, length);
    }

    @Override
    public int put(long cid, MemorySegment source, long offset, long length) {
        return changes.put(cid, source, offset, length);
    }

    @Override
    public int putBytes(long cid, long chunkOffset, byte[] source, int offset, int length) {
        return changes.putBytes(cid, chunkOffset, source, offset, length);
    }

    @Override
    public int putBytes(long cid, long chunkOffset, MemorySegment source, long offset, long length) {
        return changes.putBytes(cid, chunkOffset, source, offset, length);
    }

    @Override
    public int resize(long cid, long length) {
        return changes.resize(cid, length);
    }

    @Override
    public long remove(long cid) {
        return changes.remove(cid);
    }

    @Override
    public int seal(long cid) {
        return changes.seal(cid);
    }

    // ---- parts ----

    @Override
    public Chunks chunks() {
        return chunks;
    }

    /** {@return operations on many chunks at once} */
    @Override
    public Batch batch() {
        return batch;
    }

    /** {@return single values inside of chunks} */
    @Override
    public Fields fields() {
        return fields;
    }

    /** {@return zero-copy access inside of a scope} */
    public Views views() {
        return views;
    }

    /** {@return read and write locks} */
    @Override
    public Locks locks() {
        return locks;
    }

    /** {@return stable addresses} */
    public Pins pins() {
        return pins;
    }

    /** {@return reserved and given CIDs, and walks over all} */
    @Override
    public Ids ids() {
        return ids;
    }

    /** {@return names, by which collections and chunks are found again} */
    @Override
    public Names names() {
        return names;
    }

    // ---- collections ----

    @Override
    public <K, V> ChunkMap<K, V> map(String name, Codec<K> keys, Codec<V> values) {
        return names.map(name, keys, values);
    }

    @Override
    public <K, V> ChunkMap<K, V> map(String name, Class<K> keys, Class<V> values) {
        return map(name, Codecs.of(keys), Codecs.of(values));
    }

    @Override
    public <V> ChunkLongMap<V> longMap(String name, Codec<V> values) {
        return names.longMap(name, values);
    }

    @Override
    public <K, V> ChunkSortedMap<K, V> sortedMap(String name, Codec<K> keys, Codec<V> values) {
        return names.sortedMap(name, keys, values, null);
    }

    @Override
    public <K, V> ChunkSortedMap<K, V> sortedMap(String name, Codec<K> keys, Codec<V> values,
                                                 Comparator<? super K> comparator) {
        return names.sortedMap(name, keys, values, Objects.requireNonNull(comparator));
    }

    @Override
    public <V> ChunkSortedLongMap<V> sortedLongMap(String name, Codec<V> values) {
        return names.sortedLongMap(name, values);
    }

    @Override
    public <E> ChunkSet<E> set(String name, Codec<E> elements) {
        return names.set(name, elements);
    }

    @Override
    public <E> ChunkList<E> list(String name, Codec<E> elements) {
        return names.list(name, elements);
    }

    @Override
    public <E> ChunkQueue<E> queue(String name, Codec<E> elements) {
        return names.queue(name, elements);
    }

    // ---- care ----

    /**
     * Where the bytes are; takes microseconds.
     *
     * @return sums, exact if nothing changes meanwhile
     */
    public StoreStats stats() {
        return core.care.stats();
    }

    /**
     * Says what fills the store and how well. Changes wait meanwhile, reads go on: about a second per fifty million
     * small chunks.
     *
     * @param largestCount how many of the largest chunks to name, 0 to {@link Limits#LARGEST_COUNT_MAX}
     * @return the report
     */
    public HeapReport heap(int largestCount) {
        Arguments.checkLargest(largestCount);
        return core.care.heap(largestCount);
    }

    /**
     * Recomputes every invariant; changes wait meanwhile, reads go on. Takes about a second per twenty million small
     * chunks.
     *
     * @return what was walked over
     * @throws io.teff.engine.error.StoreException of category FATAL naming the first thing that is wrong
     */
    public AuditReport audit() {
        return core.care.audit();
    }

    /**
     * Lets go of memory that is held for later: half-used pages of stripes, and free units, which go back to the kernel
     * if native access is granted. Changes wait meanwhile, reads go on.
     *
     * @return bytes given back to the kernel
     */
    public long trim() {
        return core.care.trim();
    }

    /**
     * Moves chunks out of sparse pages, so that the pages can be used otherwise or go back to the kernel. Everything
     * else goes on meanwhile; locked and pinned chunks stay where they are. One thread at a time does it, others wait.
     *
     * @return what was done
     */
    public DefragReport defragment() {
        return core.defragmenter.run(() -> { });
    }

    /** The handle, for tests. */
    StoreHandle handle() {
        return handle;
    }

    /** The parts, for tests. */
    Core core() {
        return core;
    }
}
