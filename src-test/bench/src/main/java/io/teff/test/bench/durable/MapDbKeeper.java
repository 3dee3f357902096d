package io.teff.test.bench.durable;

import java.nio.file.Path;
import java.util.Map;
import org.mapdb.DB;
import org.mapdb.DBMaker;
import org.mapdb.Serializer;

/** MapDB's hash map in a file with a write-ahead log; a commit syncs it. */
final class MapDbKeeper implements Keeper {
    private static final int SCALE = 16;

    private final DB db;
    private final Map<Long, byte[]> map;
    private final boolean commits;

    MapDbKeeper(Path folder, Keeping keeping) {
        db = DBMaker.fileDB(folder.resolve("bench").toFile()).fileMmapEnableIfSupported().transactionEnable()
            .concurrencyScale(SCALE).make();
        map = db.hashMap("bench", Serializer.LONG, Serializer.BYTE_ARRAY).createOrOpen();
        commits = keeping == Keeping.SYNCED;
    }

    @Override
    public long create(long key, byte[] value) {
        put(key, value);
        return key;
    }

    @Override
    public void put(long name, byte[] value) {
        map.put(name, value.clone());
        if (commits) {
            db.commit();
        }
    }

    @Override
    public boolean get(long name, byte[] target) {
        return MvStoreKeeper.copied(map.get(name), target);
    }

    @Override
    public void sync() {
        db.commit();
    }

    @Override
    public void close() {
        db.commit();
        db.close();
    }
}
