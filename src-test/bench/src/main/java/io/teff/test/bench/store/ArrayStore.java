package io.teff.test.bench.store;

/** A store that returns a new array per value, and whose names are its keys. */
abstract class ArrayStore implements KeyedStore {
    /** Returns the value of a key, or null. */
    abstract byte[] find(long key);

    /** Creates or replaces an entry; the array is the caller's. */
    abstract void keep(long key, byte[] value);

    @Override
    public final long create(long key, byte[] value) {
        keep(key, value);
        return key;
    }

    @Override
    public final int get(long name, byte[] target) {
        byte[] value = find(name);
        if (value == null) {
            return -1;
        }
        System.arraycopy(value, 0, target, 0, value.length);
        return value.length;
    }

    @Override
    public final void put(long name, byte[] value) {
        keep(name, value);
    }

    @Override
    public long readLong(long name) {
        byte[] value = find(name);
        return value == null ? -1 : first(value);
    }

    /** Returns the first eight bytes of a value. */
    static long first(byte[] value) {
        return (long) LONG.get(value, 0);
    }

    /** Returns their sum over all values. */
    static long sum(Iterable<byte[]> values) {
        long sum = 0;
        for (byte[] value : values) {
            sum += first(value);
        }
        return sum;
    }
}
