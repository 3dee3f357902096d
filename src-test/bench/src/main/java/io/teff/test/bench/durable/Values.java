package io.teff.test.bench.durable;

import io.teff.test.bench.load.Draws;
import io.teff.test.bench.store.KeyedStore;

/**
 * Values that say themselves whether they are whole.
 * <pre>
 *  0      8          16                        length
 *  +------+----------+-------------------------+
 *  | key  | version  | follows from these two  |
 *  +------+----------+-------------------------+
 * </pre>
 */
final class Values {
    /** Bytes of a value unless said otherwise. */
    static final int BYTES = 64;

    private static final int VERSION_AT = 8;
    private static final int REST_AT = 16;

    private Values() {}

    /** Writes a value into a part of an array. */
    static void write(byte[] target, int offset, int bytes, long key, long version) {
        KeyedStore.LONG.set(target, offset, key);
        KeyedStore.LONG.set(target, offset + VERSION_AT, version);
        long seed = key ^ Long.rotateLeft(version, Integer.SIZE);
        for (int at = REST_AT; at < bytes; at += Long.BYTES) {
            seed = Draws.next(seed);
            KeyedStore.LONG.set(target, offset + at, seed);
        }
    }

    /** Whether an array begins with a whole value of a key, of any version. */
    static boolean isWhole(byte[] value, int bytes, long key) {
        if ((long) KeyedStore.LONG.get(value, 0) != key) {
            return false;
        }
        long seed = key ^ Long.rotateLeft((long) KeyedStore.LONG.get(value, VERSION_AT), Integer.SIZE);
        for (int at = REST_AT; at < bytes; at += Long.BYTES) {
            seed = Draws.next(seed);
            if ((long) KeyedStore.LONG.get(value, at) != seed) {
                return false;
            }
        }
        return true;
    }
}
