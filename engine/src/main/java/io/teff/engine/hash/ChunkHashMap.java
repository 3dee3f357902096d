package io.teff.engine.hash;

import io.teff.engine.codec.Codec;
import io.teff.engine.codec.Codecs;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.Output;
import io.teff.engine.collect.ChunkMap;
import io.teff.engine.map.AtomicMap;
import io.teff.engine.map.EntryChange;
import io.teff.engine.map.EntryRange;
import io.teff.engine.os.Chance;
import io.teff.engine.storage.ChunkIndex;
import io.teff.engine.storage.CollectionChunks;
import io.teff.engine.storage.ObjectPool;
import io.teff.engine.storage.RootedCollection;
import io.teff.engine.storage.WriterLocks;
import io.teff.engine.view.EditScope;
import io.teff.engine.view.ReadScope;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The map of {@link LinearHash} with the contract of {@link ChunkMap}: turns keys and values into bytes and back, and
 * makes each operation of finding and changing under the key's lane.
 *
 * @param <K> type of the keys
 * @param <V> type of the values
 */
public class ChunkHashMap<K, V> extends AtomicMap<K, V> implements ChunkMap<K, V>, RootedCollection {
    final LinearHash table;
    final KeyForm<K> keys;
    final ObjectPool<HashOperation> spares = new ObjectPool<>(HashOperation::new, HashOperation::isKept);
    private final BucketWriter writer;
    private final Codec<V> values;
    private final CollectionChunks nodes;
    private final boolean plainBytes;

    /** Makes a map over its root. */
    ChunkHashMap(CollectionChunks nodes, Codec<K> keys, Codec<V> values, ChunkIndex index) {
        this.nodes = nodes;
        this.keys = new KeyForm<>(keys);
        this.values = values;
        this.plainBytes = values.equals(Codecs.BYTES);
        this.table = new LinearHash(nodes, this.keys, index);
        this.writer = table.writer();
    }

    /**
     * Makes an empty map.
     *
     * @param <K> type of the keys
     * @param <V> type of the values
     * @param nodes the store
     * @param cid the CID of its root, which has never been used, or 0 for any
     * @param keys codec
     * @param values codec
     * @return the map
     */
    public static <K, V> ChunkHashMap<K, V> make(CollectionChunks nodes, long cid, Codec<K> keys, Codec<V> values) {
        return new ChunkHashMap<>(nodes, keys, values, ChunkIndex.make(nodes, cid, Chance.SYSTEM.nextLong(),
            keys.fixedBytes()));
    }

    /**
     * Opens a map that is in the store.
     *
     * @param <K> type of the keys
     * @param <V> type of the values
     * @param nodes the store
     * @param cid the CID of its root
     * @param keys codec
     * @param values codec
     * @return the map
     */
    public static <K, V> ChunkHashMap<K, V> open(CollectionChunks nodes, long cid, Codec<K> keys, Codec<V> values) {
        return new ChunkHashMap<>(nodes, keys, values, ChunkIndex.open(nodes, cid));
    }

    /**
     * Opens a map whose keys and values nobody needs to understand: to remove it.
     *
     * @param nodes the store
     * @param cid the CID of its root
     * @return the map
     */
    public static ChunkHashMap<byte[], byte[]> openRaw(CollectionChunks nodes, long cid) {
        ChunkIndex index = ChunkIndex.open(nodes, cid);
        return new ChunkHashMap<>(nodes, new RawKeys(index.keyBytes()), Codecs.BYTES, index);
    }

    /** Keys as bytes, all of one size or not. */
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
    public final long longSize() {
        table.life.check();
        return table.tallies.entries();
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

    /** The work with a key in it; to be given back. */
    private HashOperation work(Object key) {
        Objects.requireNonNull(key);
        HashOperation work = spares.take();
        boolean done = false;
        try {
            keys.write(asKey(key), work, table.seed);
            done = true;
            return work;
        } finally {
            if (!done) {
                spares.give(work);
            }
        }
    }

    /** A key of another type makes the codec throw a ClassCastException, as the contract of maps allows. */
    @SuppressWarnings("unchecked")
    private K asKey(Object key) {
        return (K) key;
    }

    final V value(byte[] bytes, int from, int length, HashOperation work) {
        if (plainBytes) {
            @SuppressWarnings("unchecked") V copy = (V) (Object) Arrays.copyOfRange(bytes, from, from + length);
            return copy;
        }
        return work.read(values, bytes, from, length);
    }

    final K key(byte[] bytes, int from, HashOperation work) {
        int content = keys.contentFrom(bytes, from);
        return work.read(keys.codec(), bytes, content, keys.end(bytes, from) - content);
    }

    /** The value of the work's key, or null. */
    final @Nullable V find(HashOperation work) {
        int length = table.get(work);
        return length < 0 ? null : value(work.bytes(), 0, length, work);
    }

    private void put(HashOperation work, int index, V value) {
        values.write(value, work.beginEntry());
        work.endEntry();
        writer.put(work, index);
    }

    // ---- one entry ----

    @Override
    public final @Nullable V get(Object key) {
        HashOperation work = work(key);
        try {
            return find(work);
        } finally {
            spares.give(work);
        }
    }

    @Override
    public final boolean containsKey(Object key) {
        HashOperation work = work(key);
        try {
            return table.get(work.hash, work.number, work.key, work.keyLength, null, 0) >= 0;
        } finally {
            spares.give(work);
        }
    }

    @Override
    public final boolean set(K key, V value) {
        Objects.requireNonNull(value);
        HashOperation work = work(key);
        try {
            values.write(value, work.beginEntry());
            work.endEntry();
            return set(work);
        } finally {
            spares.give(work);
        }
    }

    /** Puts the entry that is in the work. */
    final boolean set(HashOperation work) {
        nodes.begin();
        table.lock(work);
        try {
            int index = writer.find(work);
            writer.put(work, index);
            return index < 0;
        } finally {
            table.unlock(work.hash);
        }
    }

    @Override
    public final boolean delete(K key) {
        HashOperation work = work(key);
        try {
            return delete(work);
        } finally {
            spares.give(work);
        }
    }

    final boolean delete(HashOperation work) {
        nodes.begin();
        table.lock(work);
        try {
            int index = writer.find(work);
            if (index >= 0) {
                writer.remove(work, index);
            }
            return index >= 0;
        } finally {
            table.unlock(work.hash);
        }
    }

    @Override
    @SuppressWarnings("ReferenceEquality")                    // the very same object needs not be written again
    protected final void change(Object key, boolean isPut, boolean isAlways, EntryChange<V> change) {
        HashOperation work = work(key);
        try {
            nodes.begin();
            table.lock(work);
            try {
                int index = writer.find(work);
                V before = index < 0 ? null : find(work);
                V after = change.apply(before);
                if (after == null) {
                    if (index >= 0) {
                        writer.remove(work, index);
                    }
                } else if (isAlways || after != before) {
                    put(work, index, after);
                }
            } finally {
                table.unlock(work.hash);
            }
        } finally {
            spares.give(work);
        }
    }

    @Override
    public final boolean read(K key, ReadScope scope) {
        Objects.requireNonNull(scope);
        return inPlace(key, (cid, work) -> nodes.view(cid, work.valueFrom, work.valueLength, scope));
    }

    @Override
    public final boolean update(K key, EditScope scope) {
        Objects.requireNonNull(scope);
        nodes.begin();
        return inPlace(key, (cid, work) -> nodes.edit(cid, work.valueFrom, work.valueLength, scope));
    }

    /** What to do where a value is. */
    private interface Place {
        void use(long cid, HashOperation work);
    }

    private boolean inPlace(K key, Place place) {
        HashOperation work = work(key);
        try {
            table.lock(work);
            try {
                int index = writer.find(work);
                if (index < 0) {
                    return false;
                }
                writer.locate(work, index);
                table.lanes.beginCall();
                try {
                    place.use(work.outside != 0 ? work.outside : work.bucket, work);
                } finally {
                    table.lanes.endCall();
                }
                return true;
            } finally {
                table.unlock(work.hash);
            }
        } finally {
            spares.give(work);
        }
    }

    // ---- all entries ----

    @Override
    public final void clear() {
        table.growth().clear();
    }

    @Override
    protected final WriterLocks lanes() {
        return table.lanes;
    }

    @Override
    protected final EntryRange<K, V> range(boolean hasValues) {
        return new HashRange<>(this, 0, 0);
    }
}
