package io.teff.bridge.jcache;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The layout of an entry's value in its map. Little-endian.
 *
 * <pre>
 *  0                                 8
 * +---------------------------------+--------------------------+
 * | time of expiry (8), ms          | value, to the end        |
 * +---------------------------------+--------------------------+
 * </pre>
 *
 * <p>An entry has its time of expiry only. The {@link javax.cache.expiry.ExpiryPolicy} returns durations from the time
 * of creation, access or update, which are not needed afterwards, and no method of the API returns them. The offset of
 * the time of expiry is fixed, so an access changes it in place.
 */
final class EntryLayout {
    /** Offset of the time of expiry. */
    static final int EXPIRY = 0;
    /** Offset of the value. */
    static final int VALUE = EXPIRY + Long.BYTES;
    /** Time of expiry of an entry that never expires. */
    static final long NEVER = Long.MAX_VALUE;

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private EntryLayout() {}

    static long expiry(byte[] entry) {
        return (long) LONG.get(entry, EXPIRY);
    }

    static void setExpiry(byte[] entry, long expiryMs) {
        LONG.set(entry, EXPIRY, expiryMs);
    }

    static boolean isExpired(byte[] entry, long nowMs) {
        return isOver(expiry(entry), nowMs);
    }

    static boolean isOver(long expiryMs, long nowMs) {
        return expiryMs <= nowMs;
    }
}
