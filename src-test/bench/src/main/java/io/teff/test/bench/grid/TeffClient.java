package io.teff.test.bench.grid;

import io.teff.cluster.ClusterStore;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** Chunks of a Teff cluster; the client keeps the CID of each key. */
final class TeffClient implements GridClient {
    private final ClusterStore store;
    private final long[] cids;
    private final int bytes;

    TeffClient(ClusterStore store, int entries, int bytes) {
        this.store = store;
        this.bytes = bytes;
        cids = new long[entries];
    }

    private MemorySegment joined(byte[][] values) {
        byte[] all = new byte[values.length * bytes];
        for (int i = 0; i < values.length; i++) {
            System.arraycopy(values[i], 0, all, i * bytes, bytes);
        }
        return MemorySegment.ofArray(all);
    }

    private int[] lengths(int count) {
        int[] lengths = new int[count];
        Arrays.fill(lengths, bytes);
        return lengths;
    }

    private static void check(boolean isGood) {
        if (!isGood) {
            throw new IllegalStateException("an operation has another result");
        }
    }

    @Override
    public void fill(int from, byte[][] values) {
        check(store.batch().create(joined(values), lengths(values.length), cids, from, false) == values.length);
    }

    @Override
    public byte[] get(int key) {
        byte[] value = new byte[bytes];
        return store.get(cids[key], value) == bytes ? value : null;
    }

    @Override
    public void put(int key, byte[] value) {
        check(store.put(cids[key], value) == 0);
    }

    @Override
    public int getAll(int[] keys) {
        byte[] all = new byte[keys.length * bytes];
        int[] lengths = new int[keys.length];
        int found = store.batch().get(of(keys), 0, keys.length, all, 0, lengths) / bytes;
        for (int i = 0; i < keys.length; i++) {
            check(GridValues.isOf(keys[i], Arrays.copyOfRange(all, i * bytes, (i + 1) * bytes)));
        }
        return found;
    }

    private long[] of(int[] keys) {
        return Arrays.stream(keys).mapToLong(key -> cids[key]).toArray();
    }

    @Override
    public void putAll(int[] keys, byte[][] values) {
        check(store.batch().put(of(keys), 0, joined(values), lengths(keys.length), new int[keys.length])
            == keys.length);
    }

    @Override
    public long add(int key) {
        return store.fields().getAndAddLong(cids[key], GridValues.NUMBER_AT, 1);
    }

    @Override
    public void close() {
        store.close();
    }
}
