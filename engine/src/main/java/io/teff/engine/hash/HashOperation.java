package io.teff.engine.hash;

import io.teff.engine.codec.Output;
import io.teff.engine.storage.CodecBuffers;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The state of one operation on a map: a key, its entry in the output, and the position that was found. */
final class HashOperation extends CodecBuffers {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    long hash;
    /** The key, if keys are numbers. */
    long number;
    /** The key as it stands in an entry, from index 0 on, or null if keys are numbers. */
    byte @Nullable [] key;
    int keyLength;

    /** The bucket that was searched last, and the chunk of the overflow entry that was found there, or 0. */
    long bucket;
    long overflow;
    /** Position of the value in the chunk that contains it. */
    long valueFrom;
    long valueLength;

    /** Sum of prefetched words, stored so that the loads are not removed, see {@link LinearHash#fetch}. */
    long fetched;

    private final byte[] link = new byte[BucketLayout.LINK_BYTES];
    private final byte[] numberBytes = new byte[Long.BYTES];

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

    /** Sets the key and the whole entry to bytes of an entry. */
    void setEntry(long hashOfKey, byte[] bytes, int from, int size, int keyBytes) {
        Output entry = out();
        entry.clear();
        entry.putBytes(bytes, from, size);
        number = 0;
        key = entry.array();
        keyLength = keyBytes;
        hash = hashOfKey;
    }

    /** Reduces the output to the key alone; the caller writes the value behind it. */
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

    /** Called after the value is written. */
    void endEntry() {
        if (key != null) {
            key = out().array();
        }
    }

    /** Returns the bytes of the key, which is a number. */
    byte[] numberBytes() {
        LONG.set(numberBytes, 0, number);
        return numberBytes;
    }

    /** Returns whether an entry begins with the key. */
    boolean isKeyOf(byte[] array, int from, int length) {
        if (length < keyLength) {
            return false;
        }
        byte[] bytesOfKey = key;
        return bytesOfKey == null ? (long) LONG.get(array, from) == number
            : Arrays.equals(array, from, from + keyLength, bytesOfKey, 0, keyLength);
    }

    /** Returns the link that stands in the bucket for an overflow entry. */
    byte[] link(long cid) {
        LONG.set(link, 0, hash);
        LONG.set(link, Long.BYTES, cid);
        return link;
    }
}
