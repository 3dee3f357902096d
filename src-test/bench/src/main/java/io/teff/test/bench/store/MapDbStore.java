package io.teff.test.bench.store;

import java.util.Map;
import org.mapdb.DB;
import org.mapdb.DBMaker;
import org.mapdb.Serializer;

/** MapDB's hash map in direct memory, without transactions. */
final class MapDbStore implements KeyedStore {
    private final DB db = DBMaker.memoryDirectDB().concurrencyScale(16).make();
    private final Map<Long, byte[]> map = db.hashMap("bench", Serializer.LONG, Serializer.BYTE_ARRAY).create();

    @Override
    public long create(long key, byte[] value) {
        map.put(key, value);
        return key;
    }

    @Override
    public int get(long key, byte[] target) {
        byte[] value = map.get(key);
        if (value == null) {
            return -1;
        }
        System.arraycopy(value, 0, target, 0, value.length);
        return value.length;
    }

    @Override
    public void put(long key, byte[] value) {
        map.put(key, value);
    }

    @Override
    public long readLong(long key) {
        byte[] value = map.get(key);
        return value == null ? -1 : (long) LONG.get(value, 0);
    }

    @Override
    public boolean remove(long key) {
        return map.remove(key) != null;
    }

    @Override
    public long sum() {
        long sum = 0;
        for (byte[] value : map.values()) {
            sum += (long) LONG.get(value, 0);
        }
        return sum;
    }

    @Override
    public void close() {
        db.close();
    }
}
