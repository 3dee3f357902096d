package io.teff.test.bench.store;

import net.openhft.chronicle.map.ChronicleMap;
import net.openhft.chronicle.map.ChronicleMapBuilder;

/** Chronicle Map in memory, presized as it requires; values of one length are declared as such. */
final class ChronicleStore extends ArrayStore implements KeyedMap {
    private final ChronicleMap<Long, byte[]> map;
    private final ThreadLocal<byte[]> buffers;

    ChronicleStore(long entries, int lengthMin, int lengthMax) {
        ChronicleMapBuilder<Long, byte[]> builder = ChronicleMap.of(Long.class, byte[].class).name("bench")
            .entries(entries).putReturnsNull(true);
        map = (lengthMin == lengthMax ? builder.constantValueSizeBySample(new byte[lengthMax])
            : builder.averageValueSize((lengthMin + lengthMax) / 2.0)).create();
        buffers = ThreadLocal.withInitial(() -> new byte[lengthMin]);
    }

    @Override
    byte[] find(long key) {
        return map.getUsing(key, buffers.get());                // reuses the array if the length is the same
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
    public void increment(long key) {
        map.compute(key, MapStore::incremented);
    }

    @Override
    public long sumOfKeys() {
        long[] sum = {0};
        map.forEachEntry(entry -> sum[0] += entry.key().bytes().readLong(entry.key().offset()));
        return sum[0];
    }

    @Override
    public long sumOfEntries() {
        long[] sum = {0};
        map.forEachEntry(entry -> sum[0] += entry.key().bytes().readLong(entry.key().offset())
            + entry.value().bytes().readLong(entry.value().offset()));
        return sum[0];
    }

    @Override
    public long sum() {
        long[] sum = {0};
        map.forEachEntry(entry -> sum[0] += entry.value().bytes().readLong(entry.value().offset()));
        return sum[0];
    }

    @Override
    public void close() {
        map.close();
    }
}
