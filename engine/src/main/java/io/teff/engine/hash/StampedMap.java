package io.teff.engine.hash;

import io.teff.engine.codec.Codec;
import io.teff.engine.codec.Output;
import io.teff.engine.collect.ChunkMap;
import io.teff.engine.map.EncodedBytes;
import io.teff.engine.map.EntryRange;
import io.teff.engine.storage.WriterLocks;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * The entries of a {@link ChunkHashMap} whose values begin with {@link StampLayout stamps}: reads and changes that see
 * the stamps. A cache is built on it; the map below is not used beside it.
 *
 * <p>A change decides under the writer lock of the key, so a decision is made once, on the entry that it changes.
 * Readers take no lock. Thread-safe.
 *
 * @param <K> type of the keys
 * @param <V> type of the values
 */
public final class StampedMap<K, V> {
    private final ChunkHashMap<K, V> map;
    private final LinearHash table;
    private final Codec<V> values;
    private final int stamps;
    private final int stampBytes;

    private StampedMap(ChunkHashMap<K, V> map, StampedCodec<V> codec) {
        this.map = map;
        this.table = map.table;
        this.values = codec.values();
        this.stamps = codec.stamps();
        this.stampBytes = codec.stampBytes();
    }

    /**
     * Takes a map over. A map is taken over once at a time, until {@link #release}.
     *
     * @param <K> type of the keys
     * @param <V> type of the values
     * @param map a hash map of a store in this process
     * @param codec the codec that the map was opened with
     * @return the entries of the map
     * @throws IllegalArgumentException if the map is of another kind of store
     * @throws IllegalStateException if the map is taken over already
     */
    public static <K, V> StampedMap<K, V> over(ChunkMap<K, V> map, StampedCodec<V> codec) {
        if (!(map instanceof ChunkHashMap<K, V> own)) {
            throw new IllegalArgumentException("a cache needs a store in this process, not a map of "
                + map.getClass().getName());
        }
        if (!own.isTakenOver.compareAndSet(false, true)) {
            throw new IllegalStateException("the cache is open already");
        }
        return new StampedMap<>(own, codec);
    }

    /** Gives the map back, so that it can be taken over again. */
    public void release() {
        map.isTakenOver.set(false);
    }

    // ---- the whole map ----

    /** Checks that the map can be used: throws if the store is closed or the map was dropped. */
    public void check() {
        map.check();
    }

    /** {@return the number of entries, also of those that have expired} */
    public long longSize() {
        return map.longSize();
    }

    /** {@return the memory of the map in the store, in bytes} */
    public long memoryBytes() {
        return map.memoryBytes();
    }

    /** Checks all invariants of the map. */
    public void audit() {
        map.audit();
    }

    /** Removes all entries. */
    public void clear() {
        map.clear();
    }

    /** Notes that the thread is about to run a function of the application inside of a change. */
    public void beginCall() {
        map.beginCall();
    }

    /** Notes that the function has returned. */
    public void endCall() {
        map.endCall();
    }

    /**
     * Returns all entries that have not expired.
     *
     * @param nowMs the present time
     * @return a range, as of a map
     */
    public EntryRange<K, V> live(long nowMs) {
        return new LiveRange<>(this, new HashRange<>(map, 0, 0), nowMs);
    }

    // ---- one entry ----

    /**
     * Reads an entry without a lock.
     *
     * @param key not null
     * @param target receives hash, stamps and, if the entry is live, value
     * @param nowMs the present time
     */
    public void find(Object key, StampedRead<V> target, long nowMs) {
        HashOperation operation = map.operationToFind(key);
        if (operation == null) {
            target.none();
            return;
        }
        try {
            int length = table.get(operation);
            target.begin(operation.hash, length >= 0, stamp(operation.bytes(), 0, length, StampLayout.DEADLINE),
                stamp(operation.bytes(), 0, length, StampLayout.WRITTEN));
            if (target.isLive(nowMs)) {
                target.value(value(operation.bytes(), 0, length, operation));
            }
        } finally {
            ChunkHashMap.POOL.release(operation);
        }
    }

    /**
     * Changes the entry of a key, under its writer lock.
     *
     * @param key not null
     * @param isPut whether an absent entry may be put: then a key that the codec refuses throws, else it is absent
     * @param isToAdd whether the change may need room; a removal, and a new deadline, need none
     * @param decision decides what is to be done; not called for such an absent key
     */
    public void change(Object key, boolean isPut, boolean isToAdd, Consumer<StampedEntry<K, V>> decision) {
        HashOperation operation = isPut ? map.operationOn(key) : map.operationToFind(key);
        if (operation != null) {
            change(operation, isToAdd, decision);
        }
    }

    /** Changes the entry of an operation's key, and releases the operation. */
    private void change(HashOperation operation, boolean isToAdd, Consumer<StampedEntry<K, V>> decision) {
        try {
            map.chunks.begin(isToAdd);
            table.lock(operation);
            try {
                int index = map.writer.find(operation);
                StampedEntry<K, V> entry = new StampedEntry<>(this, operation, index < 0 ? -1 : table.get(operation));
                decision.accept(entry);
                change(operation, index, entry);
            } finally {
                table.unlock(operation.hash);
            }
        } finally {
            ChunkHashMap.POOL.release(operation);
        }
    }

    private void change(HashOperation operation, int index, StampedEntry<K, V> entry) {
        switch (entry.step()) {
            case KEEP -> { }
            case REMOVE -> map.writer.remove(operation, index);
            case PUT -> {
                Output out = operation.beginEntry();
                stamp(out, entry);
                out.putValue(values, entry.next());
                operation.endEntry();
                map.writer.put(operation, index);
            }
            case STAMP -> {
                Output out = operation.beginEntry();
                stamp(out, entry);
                out.putBytes(operation.bytes(), stampBytes, entry.length() - stampBytes);
                operation.endEntry();
                map.writer.put(operation, index);
            }
        }
    }

    private void stamp(Output out, StampedEntry<K, V> entry) {
        int at = out.take(stampBytes);
        if (stamps > StampLayout.DEADLINE) {
            StampLayout.write(out.array(), at, StampLayout.DEADLINE, entry.deadline());
        }
        if (stamps > StampLayout.WRITTEN) {
            StampLayout.write(out.array(), at, StampLayout.WRITTEN, entry.written());
        }
    }

    /**
     * Encodes a key.
     *
     * @param key not null
     * @return its bytes; equal keys have equal bytes
     */
    public byte[] keyBytes(K key) {
        HashOperation operation = map.operationOn(key);
        try {
            return keyBytes(operation);
        } finally {
            ChunkHashMap.POOL.release(operation);
        }
    }

    /**
     * Encodes a value, without stamps.
     *
     * @param value not null
     * @param target receives its bytes
     */
    public void encode(V value, EncodedBytes target) {
        Output out = Output.growing(Long.BYTES);
        out.putValue(values, value);
        target.set(out.array(), 0, out.size());
    }

    /**
     * Decodes a value.
     *
     * @param value its bytes, without stamps
     * @return a new object
     */
    public V decode(EncodedBytes value) {
        return new HashOperation().read(values, value.bytes(), 0, value.length());
    }

    // ---- buckets ----

    /**
     * Copies the bucket of a place, in the order of a walk: the reversed bits of the hashes, as unsigned numbers.
     *
     * @param place any place; 0 is the first
     * @param target receives the bucket
     * @return the place of the next bucket, 0 behind the last
     */
    public long bucket(long place, StampedBucket target) {
        long hash = Long.reverse(place);
        if (!target.copy(this, hash)) {
            int lock = WriterLocks.of(hash);
            if (table.writerLocks.tryLockOnce(lock)) {          // else the long entries are left out this time
                try {
                    target.copy(this, hash);
                    target.readOverflow(this);
                } finally {
                    table.writerLocks.unlock(lock);
                }
            }
        }
        int level = target.bytes().level();
        return Long.reverse(hash & (1L << level) - 1) + (1L << Long.SIZE - level);
    }

    /**
     * Changes the entry with a hash, if there is one. Of several entries with one hash it is any.
     *
     * @param hash hash of the key
     * @param decision decides what is to be done; it must not put
     */
    public void change(long hash, Consumer<StampedEntry<K, V>> decision) {
        HashOperation operation = ChunkHashMap.POOL.acquire();
        boolean isReady = false;
        try {
            isReady = loadKey(hash, operation);
        } finally {
            if (!isReady) {
                ChunkHashMap.POOL.release(operation);
            }
        }
        if (isReady) {
            change(operation, false, decision);
        }
    }

    private boolean loadKey(long hash, HashOperation operation) {
        StampedBucket bucket = StampedBucket.POOL.acquire();
        try {
            bucket(Long.reverse(hash), bucket);
            for (int i = 0; i < bucket.count(); i++) {
                if (bucket.hash(i) == hash) {
                    return bucket.loadKey(this, i, operation);
                }
            }
            return false;
        } finally {
            StampedBucket.POOL.release(bucket);
        }
    }

    LinearHash table() {
        return table;
    }

    ChunkHashMap<K, V> map() {
        return map;
    }

    // ---- bytes ----

    int stampBytes() {
        return stampBytes;
    }

    /** Returns a stamp of a value in bytes of a length, or NEVER if there is none. */
    long stamp(byte[] bytes, int from, int length, int index) {
        return index < stamps && length >= stampBytes ? StampLayout.read(bytes, from, index) : StampLayout.NEVER;
    }

    V value(byte[] bytes, int from, int length, HashOperation operation) {
        return operation.read(values, bytes, from + stampBytes, length - stampBytes);
    }

    K key(HashOperation operation) {
        byte[] bytes = operation.key;
        if (bytes != null) {
            return map.key(bytes, 0, operation);
        }
        @SuppressWarnings("unchecked") K number = (K) Long.valueOf(operation.number);
        return number;
    }

    static byte[] keyBytes(HashOperation operation) {
        byte[] bytes = operation.key;
        if (bytes != null) {
            return Arrays.copyOf(bytes, operation.keyLength);
        }
        Output out = Output.growing(Long.BYTES);
        out.putLong(operation.number);
        return out.toByteArray();
    }
}
