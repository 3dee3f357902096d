package io.teff.test.bench.store;

import java.util.Iterator;
import org.mapdb.BTreeMap;
import org.mapdb.DB;
import org.mapdb.DBMaker;
import org.mapdb.Serializer;

/**
 * MapDB's sorted map in direct memory, without transactions. Its serializers are those that search the keys of a node
 * and find a value in it without making objects of the others.
 */
final class MapDbTreeStore extends SortedMapStore {
    private final BTreeMap<Long, byte[]> map;

    MapDbTreeStore() {
        this(DBMaker.memoryDirectDB().make());
    }

    private MapDbTreeStore(DB db) {
        this(db, db.treeMap("bench", Serializer.LONG, Serializer.BYTE_ARRAY).create());
    }

    private MapDbTreeStore(DB db, BTreeMap<Long, byte[]> map) {
        super(map, false, db::close);
        this.map = map;
    }

    @Override
    Iterator<byte[]> values(long from, long to) {
        return map.valueIterator(from, true, to, false);
    }
}
