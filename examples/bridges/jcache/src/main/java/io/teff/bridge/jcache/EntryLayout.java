package io.teff.bridge.jcache;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The bytes of an entry's value in its map. Little-endian.
 *
 * <pre>
 *  0                                 8
 * +---------------------------------+--------------------------+
 * | time of expiry (8), ms          | value, to the end        |
 * +---------------------------------+--------------------------+
 * </pre>
 *
 * <p>Of the times of an entry only the one of its end is kept. The times of creation and of the last access have done
 * their work when the {@link javax.cache.expiry.ExpiryPolicy} has said how long the entry lives from then on, and no
 * method of the API asks for them. The place of the time never varies, so an access changes it in place.
 */
final class EntryLayout {
    /** Where the time of expiry is. */
    static final int EXPIRY = 0;
    /** Where the value is. */
    static final int VALUE = EXPIRY + Long.BYTES;
    /** The time of expiry of what never expires. */
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
