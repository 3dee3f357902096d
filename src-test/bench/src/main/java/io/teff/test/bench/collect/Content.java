package io.teff.test.bench.collect;

import io.teff.test.bench.store.KeyedMap;
import io.teff.test.bench.store.KeyedStore;
import io.teff.test.bench.store.Values;
import java.util.Arrays;

/**
 * The values of maps: the key, a counter that begins at 0, and bytes that are the same in all. Each object serves one
 * thread, and allocates nothing in use.
 */
final class Content {
    static final Values VALUES = new Values(32, 32);

    private static final int TAIL_OFFSET = KeyedMap.COUNTER_OFFSET + Long.BYTES;

    private final byte[][] arrays = VALUES.arrays();
    private final byte[] pattern = arrays[0];
    private final byte[] target = new byte[256];

    Content() {
        for (int i = TAIL_OFFSET; i < pattern.length; i++) {
            pattern[i] = (byte) (i * 37);
        }
    }

    /** Returns the value of a key; the same array each time. */
    byte[] of(long key) {
        return VALUES.of(key, arrays);
    }

    /** Gets an entry and checks length and key. */
    void get(KeyedStore map, long key) {
        int length = map.get(key, target);
        if (length != pattern.length || (long) KeyedStore.LONG.get(target, 0) != key) {
            throw wrong(key, length);
        }
    }

    /** Gets an entry and checks all of its bytes; returns its counter. */
    long getAll(KeyedStore map, long key) {
        get(map, key);
        if (!Arrays.equals(target, TAIL_OFFSET, pattern.length, pattern, TAIL_OFFSET, pattern.length)) {
            throw wrong(key, pattern.length);
        }
        return (long) KeyedStore.LONG.get(target, KeyedMap.COUNTER_OFFSET);
    }

    private IllegalStateException wrong(long key, int length) {
        return new IllegalStateException("key=" + key + " has length=" + length + " and content "
            + Arrays.toString(Arrays.copyOf(target, pattern.length)));
    }
}
