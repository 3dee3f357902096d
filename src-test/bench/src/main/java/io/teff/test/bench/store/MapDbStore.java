package io.teff.test.bench.store;

import java.util.Map;
import org.mapdb.DB;
import org.mapdb.DBMaker;
import org.mapdb.Serializer;

/** MapDB's hash map in direct memory, without transactions. */
final class MapDbStore extends ArrayStore {
    private final DB db = DBMaker.memoryDirectDB().concurrencyScale(16).make();
    private final Map<Long, byte[]> map = db.hashMap("bench", Serializer.LONG, Serializer.BYTE_ARRAY).create();

    @Override
    byte[] find(long key) {
        return map.get(key);
    }

    @Override
    void keep(long key, byte[] value) {
        map.put(key, value);
    }

    @Override
    public boolean remove(long name) {
        return map.remove(name) != null;
    }

    @Override
    public long sum() {
        return sum(map.values());
    }

    @Override
    public void close() {
        db.close();
    }
}
