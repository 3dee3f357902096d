package io.teff.recovery;

import io.teff.engine.BatchOperations;
import io.teff.engine.ChunkStore;
import io.teff.engine.Chunks;
import io.teff.engine.FieldOperations;
import io.teff.engine.IdOperations;
import io.teff.engine.LockOperations;
import io.teff.engine.NameOperations;
import io.teff.engine.codec.Codec;
import io.teff.engine.collect.ChunkList;
import io.teff.engine.collect.ChunkLongMap;
import io.teff.engine.collect.ChunkMap;
import io.teff.engine.collect.ChunkQueue;
import io.teff.engine.collect.ChunkSet;
import io.teff.engine.collect.ChunkSortedLongMap;
import io.teff.engine.collect.ChunkSortedMap;
import io.teff.engine.compute.Compute;
import java.lang.foreign.MemorySegment;
import java.util.Comparator;

/** A durable store as a store of chunks: closing this store closes the durable store. Thread-safe. */
final class FileStore implements ChunkStore {
    private final DurableStore durable;
    private final ChunkStore store;

    FileStore(DurableStore durable) {
        this.durable = durable;
        store = durable.store();
    }

    @Override
    public void close() {
        durable.close();
    }

    @Override
    public String toString() {
        return store + " in " + durable.folder();
    }

    @Override
    public boolean isOpen() {
        return store.isOpen();
    }

    @Override
    public long create(byte[] source) {
        return store.create(source);
    }

    @Override
    public long create(byte[] source, int offset, int length) {
        return store.create(source, offset, length);
    }

    @Override
    public long create(MemorySegment source, long offset, long length) {
        return store.create(source, offset, length);
    }

    @Override
    public long create(long length) {
        return store.create(length);
    }

    @Override
    public long createReadOnly(byte[] source) {
        return store.createReadOnly(source);
    }

    @Override
    public int get(long cid, byte[] target) {
        return store.get(cid, target);
    }

    @Override
    public int get(long cid, byte[] target, int offset) {
        return store.get(cid, target, offset);
    }

    @Override
    public long get(long cid, MemorySegment target, long offset) {
        return store.get(cid, target, offset);
    }

    @Override
    public int getBytes(long cid, long chunkOffset, byte[] target, int offset, int length) {
        return store.getBytes(cid, chunkOffset, target, offset, length);
    }

    @Override
    public int getBytes(long cid, long chunkOffset, MemorySegment target, long offset, long length) {
        return store.getBytes(cid, chunkOffset, target, offset, length);
    }

    @Override
    public boolean exists(long cid) {
        return store.exists(cid);
    }

    @Override
    public long size(long cid) {
        return store.size(cid);
    }

    @Override
    public int put(long cid, byte[] source) {
        return store.put(cid, source);
    }

    @Override
    public int put(long cid, byte[] source, int offset, int length) {
        return store.put(cid, source, offset, length);
    }

    @Override
    public int put(long cid, MemorySegment source, long offset, long length) {
        return store.put(cid, source, offset, length);
    }

    @Override
    public int putBytes(long cid, long chunkOffset, byte[] source, int offset, int length) {
        return store.putBytes(cid, chunkOffset, source, offset, length);
    }

    @Override
    public int putBytes(long cid, long chunkOffset, MemorySegment source, long offset, long length) {
        return store.putBytes(cid, chunkOffset, source, offset, length);
    }

    @Override
    public int resize(long cid, long length) {
        return store.resize(cid, length);
    }

    @Override
    public long remove(long cid) {
        return store.remove(cid);
    }

    @Override
    public int seal(long cid) {
        return store.seal(cid);
    }

    @Override
    public Chunks chunks() {
        return store.chunks();
    }

    @Override
    public <K, V> ChunkMap<K, V> map(String name, Codec<K> keys, Codec<V> values) {
        return store.map(name, keys, values);
    }

    @Override
    public <K, V> ChunkMap<K, V> map(String name, Class<K> keys, Class<V> values) {
        return store.map(name, keys, values);
    }

    @Override
    public <V> ChunkLongMap<V> longMap(String name, Codec<V> values) {
        return store.longMap(name, values);
    }

    @Override
    public <K, V> ChunkSortedMap<K, V> sortedMap(String name, Codec<K> keys, Codec<V> values) {
        return store.sortedMap(name, keys, values);
    }

    @Override
    public <K, V> ChunkSortedMap<K, V> sortedMap(String name, Class<K> keys, Class<V> values) {
        return store.sortedMap(name, keys, values);
    }

    @Override
    public <K, V> ChunkSortedMap<K, V> sortedMap(String name, Codec<K> keys, Codec<V> values,
        Comparator<? super K> comparator) {
        return store.sortedMap(name, keys, values, comparator);
    }

    @Override
    public <V> ChunkSortedLongMap<V> sortedLongMap(String name, Codec<V> values) {
        return store.sortedLongMap(name, values);
    }

    @Override
    public <E> ChunkSet<E> set(String name, Codec<E> elements) {
        return store.set(name, elements);
    }

    @Override
    public <E> ChunkList<E> list(String name, Codec<E> elements) {
        return store.list(name, elements);
    }

    @Override
    public <E> ChunkQueue<E> queue(String name, Codec<E> elements) {
        return store.queue(name, elements);
    }

    @Override
    public BatchOperations batch() {
        return store.batch();
    }

    @Override
    public FieldOperations fields() {
        return store.fields();
    }

    @Override
    public LockOperations locks() {
        return store.locks();
    }

    @Override
    public IdOperations ids() {
        return store.ids();
    }

    @Override
    public NameOperations names() {
        return store.names();
    }

    @Override
    public Compute compute() {
        return store.compute();
    }
}
