package io.teff.engine.hash;

import io.teff.engine.codec.Output;
import io.teff.engine.storage.CodecBuffers;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** What one operation on a map has at hand: a key, its entry in the output, and the place that was found. */
final class HashOperation extends CodecBuffers {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    long hash;
    /** The key, if keys are numbers. */
    long number;
    /** The key as it stands in an entry, from index 0, or null if keys are numbers. */
    byte @Nullable [] key;
    int keyLength;

    /** The bucket that was searched last, and the chunk of an entry outside that was found there, or 0. */
    long bucket;
    long overflow;
    /** Where the value is in that chunk. */
    long valueFrom;
    long valueLength;

    /** Of no use, see {@link LinearHash#fetch}. */
    long fetched;

    private final byte[] link = new byte[BucketLayout.LINK_BYTES];

    void setNumber(long value, long seed) {
        number = value;
        key = null;
        keyLength = Long.BYTES;
        hash = Hash.of(seed, value);
    }

    void setBytes(byte[] bytesOfKey, int length, long seed) {
        number = 0;
        key = bytesOfKey;
        keyLength = length;
        hash = Hash.of(seed, bytesOfKey, 0, length);
    }

    /** Makes the entry the key alone; the value is to be written behind it. */
    Output beginEntry() {
        Output entry = out();
        if (key == null) {
            entry.clear();
            entry.putLong(number);
        } else if (entry.size() != keyLength) {
            byte[] before = entry.array();
            entry.clear();
            entry.putBytes(before, 0, keyLength);
        }
        return entry;
    }

    /** The value is written. */
    void endEntry() {
        if (key != null) {
            key = out().array();
        }
    }

    /** Whether an entry begins with the key. */
    boolean isKeyOf(byte[] array, int from, int length) {
        if (length < keyLength) {
            return false;
        }
        byte[] bytesOfKey = key;
        return bytesOfKey == null ? (long) LONG.get(array, from) == number
            : Arrays.equals(array, from, from + keyLength, bytesOfKey, 0, keyLength);
    }

    /** What stands for an entry outside. */
    byte[] link(long cid) {
        LONG.set(link, 0, hash);
        LONG.set(link, Long.BYTES, cid);
        return link;
    }
}
