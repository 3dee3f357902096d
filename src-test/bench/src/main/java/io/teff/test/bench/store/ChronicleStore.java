package io.teff.test.bench.store;

import net.openhft.chronicle.map.ChronicleMap;

/** Chronicle Map in memory. Presized, as it must be; values of one length are declared as such. */
final class ChronicleStore implements KeyedStore {
    private final ChronicleMap<Long, byte[]> map;
    private final ThreadLocal<byte[]> buffers;

    ChronicleStore(long entries, int lengthMin, int lengthMax) {
        var builder = ChronicleMap.of(Long.class, byte[].class).name("bench").entries(entries);
        map = (lengthMin == lengthMax ? builder.constantValueSizeBySample(new byte[lengthMax])
            : builder.averageValueSize((lengthMin + lengthMax) / 2.0)).create();
        buffers = ThreadLocal.withInitial(() -> new byte[lengthMin]);
    }

    @Override
    public long create(long key, byte[] value) {
        map.put(key, value);
        return key;
    }

    @Override
    public int get(long key, byte[] target) {
        byte[] value = map.getUsing(key, buffers.get());        // reuses the array if the length is the same
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
        byte[] value = map.getUsing(key, buffers.get());
        return value == null ? -1 : (long) LONG.get(value, 0);
    }

    @Override
    public boolean remove(long key) {
        return map.remove(key, null) || map.remove(key) != null;
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
