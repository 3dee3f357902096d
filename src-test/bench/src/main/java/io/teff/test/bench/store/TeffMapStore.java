package io.teff.test.bench.store;

import io.teff.engine.Store;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.ChunkLongMap;
import io.teff.engine.collect.LongMapLoader;
import io.teff.engine.view.EditScope;
import java.util.function.LongFunction;

/** Teff's hash map with numbers as keys, by its forms without boxes. */
final class TeffMapStore implements KeyedMap {
    private static final EditScope INCREMENT =
        editor -> editor.putLong(COUNTER_OFFSET, editor.getLong(COUNTER_OFFSET) + 1);

    private final Store store;
    private final ChunkLongMap<byte[]> map;

    TeffMapStore(Store store) {
        this.store = store;
        map = store.longMap("bench", Codecs.BYTES);
    }

    @Override
    public long create(long key, byte[] value) {
        put(key, value);
        return key;
    }

    @Override
    public int get(long name, byte[] target) {
        return map.getBytes(name, target, 0);
    }

    @Override
    public void getAll(long[] names, int[] lengths, byte[] target) {
        map.getAllBytes(names, 0, names.length, target, 0, lengths);
    }

    @Override
    public void load(long entries, LongFunction<byte[]> values) {
        try (LongMapLoader<byte[]> loader = map.loader(entries)) {
            for (long key = 0; key < entries; key++) {
                byte[] value = values.apply(key);
                loader.addBytes(key, value, 0, value.length);
            }
        }
    }

    @Override
    public void put(long name, byte[] value) {
        map.setBytes(name, value, 0, value.length);
    }

    @Override
    public long readLong(long name) {
        return map.getLong(name, 0, -1);
    }

    @Override
    public boolean remove(long name) {
        return map.delete(name);
    }

    @Override
    public void increment(long key) {
        if (!map.update(key, INCREMENT)) {
            throw new IllegalStateException("key=" + key + " is not there");
        }
    }

    @Override
    public long sumOfKeys() {
        long[] sum = {0};
        map.forEachKey(key -> sum[0] += key);
        return sum[0];
    }

    @Override
    public long sumOfEntries() {
        long[] sum = {0};
        map.forEachEntry((key, value) -> sum[0] += key + (long) LONG.get(value, 0));
        return sum[0];
    }

    @Override
    public long sum() {
        long[] sum = {0};
        map.forEachEntry((key, value) -> sum[0] += (long) LONG.get(value, 0));
        return sum[0];
    }

    @Override
    public void close() {
        store.close();
    }
}
