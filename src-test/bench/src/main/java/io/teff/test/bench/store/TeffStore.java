package io.teff.test.bench.store;

import io.teff.engine.Cid;
import io.teff.engine.Store;
import io.teff.engine.error.Status;

/** Teff: its single operations with arrays, and its batch; names are CIDs. */
final class TeffStore implements KeyedStore {
    private final Store store;

    TeffStore(long memoryBytes) {
        store = KeyedMaps.teffStore(memoryBytes);
    }

    @Override
    public long create(long key, byte[] value) {
        long cid = store.create(value);
        if (Status.isStatus(cid)) {
            throw new IllegalStateException("key=" + key + ": " + Status.name(cid));
        }
        return cid;
    }

    @Override
    public int get(long cid, byte[] target) {
        return store.get(cid, target);
    }

    @Override
    public void put(long cid, byte[] value) {
        int status = store.put(cid, value);
        if (status != Status.OK) {
            throw new IllegalStateException(Cid.toString(cid) + ": " + Status.name(status));
        }
    }

    @Override
    public long readLong(long cid) {
        return store.fields().getLong(cid, 0, -1);
    }

    @Override
    public void getAll(long[] cids, int[] lengths, byte[] target) {
        store.batch().get(cids, 0, cids.length, target, 0, lengths);
    }

    @Override
    public boolean remove(long cid) {
        return store.remove(cid) >= 0;
    }

    @Override
    public long sum() {
        long[] sum = {0};
        store.ids().forEach(cid -> sum[0] += store.fields().getLong(cid, 0, 0));
        return sum[0];
    }

    @Override
    public void close() {
        store.close();
    }
}
