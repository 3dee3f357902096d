package io.teff.engine;

import io.teff.engine.check.Arguments;
import io.teff.engine.chunk.Changes;
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
import io.teff.engine.error.Status;
import io.teff.engine.table.EntryWord;
import io.teff.engine.tree.ChunkTreeMap;
import java.lang.foreign.MemorySegment;
import java.util.Comparator;
import java.util.Objects;

/**
 * The operations of a zone, which a {@linkplain Store store} and a {@linkplain ZoneStore view of another zone} share:
 * creates, ids, names and collections act in the zone, operations on given CIDs on any chunk. Thread-safe.
 */
abstract sealed class ZoneOperations implements ChunkStore permits Store, ZoneStore {
    private final Reads reads;
    private final Changes changes;
    private final Chunks chunks;
    private final Batch batch;
    private final Fields fields;
    private final Locks locks;
    private final Ids ids;
    private final Names names;

    /**
     * @param handle keeps the store open
     * @param core the parts of the zone
     * @param names of the zone
     */
    ZoneOperations(StoreHandle handle, Core core, Names names) {
        reads = core.reads;
        changes = core.changes;
        chunks = new Chunks(this);
        fields = new Fields(handle, core);
        batch = new Batch(handle, core, fields);
        locks = new Locks(handle, core);
        ids = new Ids(handle, core);
        this.names = names;
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
        return reads.get(cid, target);
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

    // ---- groups of operations ----

    @Override
    public Chunks chunks() {
        return chunks;
    }

    /** {@return operations on many chunks at once} */
    @Override
    public Batch batch() {
        return batch;
    }

    /** {@return operations on single values inside chunks} */
    @Override
    public Fields fields() {
        return fields;
    }

    /** {@return read and write locks} */
    @Override
    public Locks locks() {
        return locks;
    }

    /** {@return operations that reserve CIDs, create chunks at given CIDs, and iterate over all CIDs} */
    @Override
    public Ids ids() {
        return ids;
    }

    /** {@return the names of collections and chunks} */
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
    public <K, V> ChunkSortedMap<K, V> sortedMap(String name, Class<K> keys, Class<V> values) {
        Codec<K> codec = Codecs.of(keys);
        return names.sortedMap(name, codec, Codecs.of(values), ChunkTreeMap.naturalOrder(keys, codec));
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
}
