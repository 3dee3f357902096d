package io.teff.test.bench.durable;

import java.nio.file.Path;
import java.util.Map;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.type.ByteArrayDataType;
import org.h2.mvstore.type.LongDataType;
import org.jspecify.annotations.Nullable;

/** H2's MVStore: a commit after each put hands it to the kernel, a sync after that to the device. */
final class MvStoreKeeper implements Keeper {
    private static final int CACHE_MIB = 512;

    private final MVStore store;
    private final Map<Long, byte[]> map;
    private final Keeping keeping;

    MvStoreKeeper(Path folder, Keeping keeping) {
        this.keeping = keeping;
        store = new MVStore.Builder().fileName(folder.resolve("bench.mv").toString()).cacheSize(CACHE_MIB).open();
        map = store.openMap("bench", new MVMap.Builder<Long, byte[]>().keyType(LongDataType.INSTANCE)
            .valueType(ByteArrayDataType.INSTANCE));
    }

    /** Copies a value if it exists. */
    static boolean copied(byte @Nullable [] value, byte[] target) {
        if (value == null || value.length != Values.BYTES) {
            return false;
        }
        System.arraycopy(value, 0, target, 0, value.length);
        return true;
    }

    @Override
    public long create(long key, byte[] value) {
        put(key, value);
        return key;
    }

    @Override
    public void put(long name, byte[] value) {
        map.put(name, value.clone());
        keep();
    }

    @Override
    public boolean get(long name, byte[] target) {
        return copied(map.get(name), target);
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
        for (int i = 0; i < names.length; i++) {
            map.put(names[i], Keeper.value(values, i));
        }
        keep();
    }

    private void keep() {
        if (keeping != Keeping.BULK) {
            store.commit();
        }
        if (keeping == Keeping.SYNCED) {
            store.sync();
        }
    }

    @Override
    public void sync() {
        store.commit();
        store.sync();
    }

    @Override
    public void close() {
        store.close();
    }
}
