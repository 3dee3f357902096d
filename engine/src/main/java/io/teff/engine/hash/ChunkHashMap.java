package io.teff.engine.hash;

import io.teff.engine.codec.Codec;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.Output;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.ChunkMap;
import io.teff.engine.collect.MapLoader;
import io.teff.engine.collect.ValueChange;
import io.teff.engine.map.AtomicMap;
import io.teff.engine.map.EncodedBytes;
import io.teff.engine.map.EntryChange;
import io.teff.engine.map.EntryRange;
import io.teff.engine.map.Removal;
import io.teff.engine.raw.RawFunction;
import io.teff.engine.storage.ChunkIndex;
import io.teff.engine.storage.CodecBuffers;
import io.teff.engine.storage.CollectionChunks;
import io.teff.engine.storage.ObjectPool;
import io.teff.engine.storage.RootedCollection;
import io.teff.engine.view.EditScope;
import io.teff.engine.view.ReadScope;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Implements {@link ChunkMap} on a {@link LinearHash}: encodes and decodes keys and values, and combines search and
 * change of an entry under the writer lock of the key.
 *
 * @param <K> type of the keys
 * @param <V> type of the values
 */
public class ChunkHashMap<K, V> extends AtomicMap<K, V> implements ChunkMap<K, V>, RootedCollection {
    /** Smaller maps are put entry by entry. */
    private static final int LOADED_ENTRIES_MIN = 1 << 12;

    final LinearHash table;
    final KeyForm<K> keys;
    static final ObjectPool<HashOperation> POOL = new ObjectPool<>(HashOperation::new, HashOperation::isKept);
    final BucketWriter writer;
    final Codec<V> values;
    final CollectionChunks chunks;
    private final EntryWriter entries;
    private final boolean plainBytes;
    private final MapIndexing<K, V> indexing;
    /** Whether a {@link StampedMap} uses the map. */
    final AtomicBoolean isTakenOver = new AtomicBoolean();

    /** Opens a map at its root. */
    ChunkHashMap(CollectionChunks chunks, Codec<K> keys, Codec<V> values, ChunkIndex index) {
        this.chunks = chunks;
        this.keys = new KeyForm<>(keys);
        this.values = values;
        this.plainBytes = values.equals(Codecs.BYTES);
        this.table = new LinearHash(chunks, this.keys, index);
        this.writer = table.writer();
        this.entries = new EntryWriter(table);
        this.indexing = new MapIndexing<>(this, entries);
    }

    /** Makes a view of a map that reads other values of the same bytes; it changes nothing. */
    private ChunkHashMap(ChunkHashMap<K, ?> map, Codec<V> values) {
        this.chunks = map.chunks;
        this.keys = map.keys;
        this.values = values;
        this.plainBytes = values.equals(Codecs.BYTES);
        this.table = map.table;
        this.writer = map.writer;
        this.entries = map.entries;
        this.indexing = new MapIndexing<>(this, entries);
    }

    /**
     * Returns a view of this map whose values are read by another codec. Only for reading.
     *
     * @param <P> type of the values of the view
     * @param reader reads the bytes of the values
     * @return the view
     */
    public final <P> ChunkHashMap<K, P> readBy(Codec<P> reader) {
        return new ChunkHashMap<>(this, reader);
    }

    /** {@return what the indexes of this map need} */
    public final MapIndexing<K, V> indexing() {
        return indexing;
    }

    /** {@return the codec of the values} */
    public final Codec<V> valueCodec() {
        return values;
    }

    /** {@return the codec of the keys} */
    public final Codec<K> keyCodec() {
        return keys.codec();
    }


    /**
     * Creates an empty map.
     *
     * @param <K> type of the keys
     * @param <V> type of the values
     * @param chunks chunk operations of the store
     * @param cid CID of the root, which has never been used, or 0 to let the store choose one
     * @param keys codec of the keys
     * @param values codec of the values
     * @return the map
     */
    public static <K, V> ChunkHashMap<K, V> make(CollectionChunks chunks, long cid, Codec<K> keys, Codec<V> values) {
        return new ChunkHashMap<>(chunks, keys, values, ChunkIndex.make(chunks, cid, chunks.chance().nextLong(),
            keys.fixedBytes()));
    }

    /**
     * Opens an existing map.
     *
     * @param <K> type of the keys
     * @param <V> type of the values
     * @param chunks chunk operations of the store
     * @param cid CID of the root
     * @param keys codec of the keys
     * @param values codec of the values
     * @return the map
     */
    public static <K, V> ChunkHashMap<K, V> open(CollectionChunks chunks, long cid, Codec<K> keys, Codec<V> values) {
        return new ChunkHashMap<>(chunks, keys, values, ChunkIndex.open(chunks, cid));
    }

    /**
     * Opens a map without the codecs of its keys and values, in order to remove it.
     *
     * @param chunks chunk operations of the store
     * @param cid CID of the root
     * @return the map
     */
    public static ChunkHashMap<byte[], byte[]> openRaw(CollectionChunks chunks, long cid) {
        ChunkIndex index = ChunkIndex.open(chunks, cid);
        return new ChunkHashMap<>(chunks, new RawKeys(index.keyBytes()), Codecs.BYTES, index);
    }

    /** Codec of keys as raw bytes, of one size or not. */
    private record RawKeys(int fixedBytes) implements Codec<byte[]> {
        @Override
        public void write(byte[] value, Output out) {
            Codecs.BYTES.write(value, out);
        }

        @Override
        public byte[] read(Input in) {
            return Codecs.BYTES.read(in);
        }

        @Override
        public long fingerprint() {
            return Codecs.BYTES.fingerprint();
        }
    }

    @Override
    public final long root() {
        return table.index.root();
    }

    @Override
    public final void drop() {
        table.growth().drop();
    }

    // ---- sizes ----

    @Override
    protected final void check() {
        table.state.check();
    }

    @Override
    public final long longSize() {
        check();
        return table.counters.entries();
    }

    @Override
    public final long memoryBytes() {
        return table.memoryBytes();
    }

    @Override
    public final void audit() {
        table.growth().audit();
    }

    // ---- bytes ----

    /** Returns an operation from the pool with the key in it; the caller releases it. */
    final HashOperation operationOn(Object key) {
        Objects.requireNonNull(key);
        HashOperation operation = ChunkHashMap.POOL.acquire();
        boolean done = false;
        try {
            keys.write(asKey(key), operation, table.seed);
            done = true;
            return operation;
        } finally {
            if (!done) {
                ChunkHashMap.POOL.release(operation);
            }
        }
    }

    /**
     * Returns an operation like {@link #operationOn}, or null if the codec refuses the key, usually for its class: such
     * a key was never put, so it is absent.
     */
    final @Nullable HashOperation operationToFind(Object key) {
        try {
            return operationOn(key);
        } catch (ClassCastException | IllegalArgumentException e) {
            check();
            return null;
        }
    }

    /** Casts a key. For a key of another class the codec throws a ClassCastException. */
    @SuppressWarnings("unchecked")
    private K asKey(Object key) {
        return (K) key;
    }

    final V value(byte[] bytes, int from, int length, HashOperation operation) {
        if (plainBytes) {
            @SuppressWarnings("unchecked") V copy = (V) (Object) Arrays.copyOfRange(bytes, from, from + length);
            return copy;
        }
        return operation.read(values, bytes, from, length);
    }

    final K key(byte[] bytes, int from, HashOperation operation) {
        int content = keys.contentFrom(bytes, from);
        return operation.read(keys.codec(), bytes, content, keys.end(bytes, from) - content);
    }

    /** Returns the value of the operation's key, or null. */
    final @Nullable V find(HashOperation operation) {
        int length = table.get(operation);
        return length < 0 ? null : value(operation.bytes(), 0, length, operation);
    }

    private void put(HashOperation operation, int index, V value) {
        operation.beginEntry().putValue(values, value);
        operation.endEntry();
        entries.put(operation, index);
    }

    // ---- one entry ----

    @Override
    public final @Nullable V get(Object key) {
        HashOperation operation = operationToFind(key);
        if (operation == null) {
            return null;
        }
        try {
            return find(operation);
        } finally {
            ChunkHashMap.POOL.release(operation);
        }
    }

    @Override
    public final boolean containsKey(Object key) {
        HashOperation operation = operationToFind(key);
        if (operation == null) {
            return false;
        }
        try {
            return table.get(operation.hash, operation.number, operation.key, operation.keyLength, null, 0) >= 0;
        } finally {
            ChunkHashMap.POOL.release(operation);
        }
    }

    @Override
    public final boolean set(K key, V value) {
        Objects.requireNonNull(value);
        HashOperation operation = operationOn(key);
        try {
            operation.beginEntry().putValue(values, value);
            operation.endEntry();
            return set(operation);
        } finally {
            ChunkHashMap.POOL.release(operation);
        }
    }

    /** Puts the entry of the operation; returns whether the key is new. */
    final boolean set(HashOperation operation) {
        chunks.begin();
        table.lock(operation);
        try {
            int index = writer.find(operation);
            entries.put(operation, index);
            return index < 0;
        } finally {
            table.unlock(operation.hash);
        }
    }

    @Override
    public final void putAll(Map<? extends K, ? extends V> entries) {
        if (entries.size() < LOADED_ENTRIES_MIN) {
            super.putAll(entries);
            return;
        }
        try (MapLoader<K, V> loader = loader(entries.size())) {
            entries.forEach(loader::add);
        }
    }

    @Override
    public MapLoader<K, V> loader(long expectedEntries) {
        return new HashLoader<>(table, keys, values, expectedEntries);
    }

    @Override
    public final Map<K, V> getAll(Collection<? extends K> wanted) {
        check();
        Map<K, V> found = HashMap.newHashMap(wanted.size());
        HashBatch batch = new HashBatch();
        List<K> group = new ArrayList<>(HashBatch.GROUP);
        for (K key : wanted) {
            group.add(Objects.requireNonNull(key));
            if (group.size() == HashBatch.GROUP) {
                getGroup(group, batch, found);
            }
        }
        getGroup(group, batch, found);
        return found;
    }

    private void getGroup(List<K> group, HashBatch batch, Map<K, V> found) {
        HashOperation[] operations = batch.operations();
        int count = 0;
        for (K key : group) {
            try {
                keys.write(key, operations[count], table.seed);
                batch.hashes()[count] = operations[count].hash;
                group.set(count++, key);
            } catch (ClassCastException | IllegalArgumentException e) {
                continue;                                       // as operationToFind
            }
        }
        batch.fetch(table, count);
        for (int i = 0; i < count; i++) {
            V value = find(operations[i]);
            if (value != null) {
                found.put(group.get(i), value);
            }
        }
        group.clear();
    }

    @Override
    public final boolean delete(K key) {
        HashOperation operation = operationToFind(key);
        if (operation == null) {
            return false;
        }
        try {
            return delete(operation);
        } finally {
            ChunkHashMap.POOL.release(operation);
        }
    }

    final boolean delete(HashOperation operation) {
        chunks.beginRemoval();
        table.lock(operation);
        try {
            int index = writer.find(operation);
            if (index >= 0) {
                entries.remove(operation, index);
            }
            return index >= 0;
        } finally {
            table.unlock(operation.hash);
        }
    }

    @Override
    @SuppressWarnings("ReferenceEquality")                    // an identical object is not written again
    protected final void change(Object key, boolean isPut, boolean isAlways, EntryChange<V> change) {
        HashOperation operation = isPut ? operationOn(key) : operationToFind(key);
        if (operation == null) {
            return;
        }
        try {
            chunks.begin(isPut || isAlways);
            table.lock(operation);
            try {
                int index = writer.find(operation);
                V before = index < 0 ? null : find(operation);
                V after = change.apply(before);
                if (after == null) {
                    if (index >= 0) {
                        entries.remove(operation, index);
                    }
                } else if (isAlways || after != before) {
                    put(operation, index, after);
                }
            } finally {
                table.unlock(operation.hash);
            }
        } finally {
            ChunkHashMap.POOL.release(operation);
        }
    }

    @Override
    public final @Nullable V apply(K key, ValueChange<? super V> change) {
        List<V> afterwards = new ArrayList<>(1);
        applied(key, RawFunction.of(change, values), (operation, length, next) -> {
            if (next != null) {
                afterwards.add(value(next, 0, next.length, operation));
            } else if (length >= 0) {
                afterwards.add(value(operation.bytes(), 0, length, operation));
            }
        });
        return afterwards.isEmpty() ? null : afterwards.getFirst();
    }

    @Override
    public final boolean modify(K key, ValueChange<? super V> change) {
        return applied(key, RawFunction.of(change, values), (_, _, _) -> { });
    }

    /** Takes the value before, which the operation has, and the value afterwards, or null for no change. */
    private interface Applied {
        void take(HashOperation operation, int length, byte @Nullable [] next);
    }

    private boolean applied(K key, RawFunction function, Applied applied) {
        HashOperation operation = operationOn(key);
        try {
            chunks.begin();
            table.lock(operation);
            try {
                int index = writer.find(operation);
                int length = index < 0 ? -1 : table.get(operation);
                byte[] next = function.apply(operation.bytes(), length);
                applied.take(operation, length, next);
                if (next != null) {
                    operation.beginEntry().putBytes(next, 0, next.length);
                    operation.endEntry();
                    entries.put(operation, index);
                }
                return next != null;
            } finally {
                table.unlock(operation.hash);
            }
        } finally {
            ChunkHashMap.POOL.release(operation);
        }
    }

    @Override
    protected final Removal removeShown(K key, EncodedBytes value) {
        HashOperation operation = operationOn(key);
        try {
            chunks.beginRemoval();
            table.lock(operation);
            try {
                int index = writer.find(operation);
                int length = index < 0 ? -1 : table.get(operation);
                if (length < 0) {
                    return Removal.ABSENT;
                }
                if (!value.isSame(operation.bytes(), 0, length)) {
                    value.set(operation.bytes(), 0, length);
                    return Removal.CHANGED;
                }
                entries.remove(operation, index);
                return Removal.REMOVED;
            } finally {
                table.unlock(operation.hash);
            }
        } finally {
            ChunkHashMap.POOL.release(operation);
        }
    }

    @Override
    protected final void encode(V value, EncodedBytes target) {
        CodecBuffers buffers = new CodecBuffers();
        buffers.out().putValue(values, value);
        target.set(buffers.out().array(), 0, buffers.out().size());
    }

    @Override
    protected final V decode(EncodedBytes value) {
        return new CodecBuffers().read(values, value.bytes(), 0, value.length());
    }

    @Override
    public final boolean read(K key, ReadScope scope) {
        Objects.requireNonNull(scope);
        return inPlace(key, (cid, operation) -> chunks.view(cid, operation.valueFrom, operation.valueLength, scope));
    }

    @Override
    public final boolean update(K key, EditScope scope) {
        Objects.requireNonNull(scope);
        chunks.begin();
        return inPlace(key, (cid, operation) -> {
            indexing.requireNone();
            chunks.edit(cid, operation.valueFrom, operation.valueLength, scope);
        });
    }

    /** An action on the chunk that contains a value. */
    private interface Place {
        void use(long cid, HashOperation operation);
    }

    private boolean inPlace(K key, Place place) {
        HashOperation operation = operationOn(key);
        try {
            table.lock(operation);
            try {
                int index = writer.find(operation);
                if (index < 0) {
                    return false;
                }
                writer.locate(operation, index);
                table.writerLocks.beginCall();
                try {
                    place.use(operation.overflow != 0 ? operation.overflow : operation.bucket, operation);
                } finally {
                    table.writerLocks.endCall();
                }
                return true;
            } finally {
                table.unlock(operation.hash);
            }
        } finally {
            ChunkHashMap.POOL.release(operation);
        }
    }

    // ---- all entries ----

    @Override
    public final void clear() {
        table.writerLocks.checkNotInside();
        table.bulk.readLock().lock();
        try {
            if (table.indexes == null) {
                table.growth().clear();
            } else {
                deleteIf(_ -> true);
            }
        } finally {
            table.bulk.readLock().unlock();
        }
    }

    @Override
    protected final void beginCall() {
        table.writerLocks.beginCall();
    }

    @Override
    protected final void endCall() {
        table.writerLocks.endCall();
    }

    @Override
    protected final EntryRange<K, V> range(boolean hasValues) {
        return new HashRange<>(this, 0, 0);
    }
}
