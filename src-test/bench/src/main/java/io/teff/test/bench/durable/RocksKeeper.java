package io.teff.test.bench.durable;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/** RocksDB with its write-ahead log, to which each write is synced or not. */
final class RocksKeeper implements Keeper {
    private final Options options;
    private final WriteOptions writes;
    private final RocksDB db;

    RocksKeeper(Path folder, Keeping keeping) {
        RocksDB.loadLibrary();
        options = new Options().setCreateIfMissing(true).setIncreaseParallelism(2);
        writes = new WriteOptions().setSync(keeping == Keeping.SYNCED);
        db = called(() -> RocksDB.open(options, folder.toString()));
    }

    /** A call of the library. */
    @FunctionalInterface
    private interface Call<T> {
        T call() throws RocksDBException;
    }

    private static <T> T called(Call<T> call) {
        try {
            return call.call();
        } catch (RocksDBException e) {
            throw new IllegalStateException(e);
        }
    }

    private static byte[] key(long name) {
        return ByteBuffer.allocate(Long.BYTES).putLong(name).array();
    }

    @Override
    public long create(long key, byte[] value) {
        put(key, value);
        return key;
    }

    @Override
    public void put(long name, byte[] value) {
        called(() -> {
            db.put(writes, key(name), value);
            return name;
        });
    }

    @Override
    public boolean get(long name, byte[] target) {
        return called(() -> db.get(key(name), target)) == Values.BYTES;
    }

    @Override
    public void createAll(long firstKey, byte[] values, long[] names) {
        for (int i = 0; i < names.length; i++) {
            names[i] = firstKey + i;
        }
        putAll(names, values);
    }

    @Override
    public void putAll(long[] names, byte[] values) {
        called(() -> {
            try (WriteBatch batch = new WriteBatch()) {
                for (int i = 0; i < names.length; i++) {
                    batch.put(key(names[i]), Keeper.value(values, i));
                }
                db.write(writes, batch);
            }
            return names;
        });
    }

    @Override
    public void sync() {
        called(() -> {
            db.syncWal();
            return db;
        });
    }

    @Override
    public void close() {
        db.close();
        writes.close();
        options.close();
    }
}
