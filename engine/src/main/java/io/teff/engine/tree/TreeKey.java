package io.teff.engine.tree;

import io.teff.engine.codec.Output;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * An encoded key: a head of eight bytes, and all bytes of the key unless the head contains the whole key. Not
 * thread-safe.
 *
 * <p>If keys have bytes, the head is the first eight of them, big-endian, padded with zeros, and with the highest bit
 * flipped: so the signed order of heads is the order of unsigned bytes. If heads are equal, the remaining bytes
 * decide, then the length.
 */
final class TreeKey {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final int BYTES_FIRST = 64;

    /** The bytes of the key, if it has any. */
    final Output out = Output.growing(BYTES_FIRST);
    long head;
    /** Length of the key in bytes, or -1 if the head is the key. */
    int length;
    /** The key as an object, if a comparator of objects defines the order. */
    @Nullable Object object;

    /** Sets the key to a head without further bytes. */
    void setHead(long number) {
        head = number;
        length = -1;
    }

    /** Sets the key to the bytes in {@link #out}. */
    void setBytes() {
        length = out.size();
        head = headOf(out.array(), length);
    }

    /** Sets the key to the least of all keys. */
    void setLeast(boolean isByHead) {
        object = null;
        if (isByHead) {
            setHead(Long.MIN_VALUE);
        } else {
            out.clear();
            setBytes();
        }
    }

    /** Copies another key. */
    void set(TreeKey other) {
        head = other.head;
        length = other.length;
        object = other.object;
        if (length >= 0) {
            out.clear();
            out.putBytes(other.out.array(), 0, length);
        }
    }

    private static long headOf(byte[] bytes, int length) {
        if (length >= NodeLayout.HEAD_BYTES) {
            return (long) LONG.get(bytes, 0) ^ Long.MIN_VALUE;
        }
        long padded = 0;
        for (int i = 0; i < length; i++) {
            padded |= (bytes[i] & 0xFFL) << Long.SIZE - Byte.SIZE - i * Byte.SIZE;
        }
        return padded ^ Long.MIN_VALUE;
    }

    /**
     * Loads the key of an entry.
     *
     * @param headOfKey head in the entry's slot
     * @param keyLength length of the key in bytes, or -1
     * @param source array with the bytes from the ninth on
     * @param from index of the ninth byte
     */
    void load(long headOfKey, int keyLength, byte[] source, int from) {
        object = null;
        if (keyLength < 0) {
            setHead(headOfKey);
            return;
        }
        head = headOfKey;
        length = keyLength;
        out.clear();
        int at = out.take(Math.max(keyLength, NodeLayout.HEAD_BYTES));
        LONG.set(out.array(), at, headOfKey ^ Long.MIN_VALUE);
        if (keyLength > NodeLayout.HEAD_BYTES) {
            System.arraycopy(source, from, out.array(), NodeLayout.HEAD_BYTES, keyLength - NodeLayout.HEAD_BYTES);
        }
    }

    /** Returns the bytes that the key takes in an entry. */
    int partBytes() {
        return length < 0 ? 0 : NodeLayout.partBytes(length);
    }

    /** Writes the part of the key that an entry contains. */
    void putPart(Output entry) {
        if (length >= 0) {
            entry.putByte((byte) length);
            entry.putByte((byte) (length >>> Byte.SIZE));
            if (length > NodeLayout.HEAD_BYTES) {
                entry.putBytes(out.array(), NodeLayout.HEAD_BYTES, length - NodeLayout.HEAD_BYTES);
            }
        }
    }

    /** Shortens the key to a number of bytes. */
    void cut(int bytes) {
        assert bytes <= length : bytes;
        length = bytes;
        head = headOf(out.array(), bytes);
    }

    /** Returns the length of the common prefix of two keys in bytes. */
    int common(TreeKey other) {
        int both = Math.min(length, other.length);
        int common = 0;
        while (common < both && out.array()[common] == other.out.array()[common]) {
            common++;
        }
        return common;
    }

    /** Compares two keys by head and bytes. */
    int compareTo(TreeKey other) {
        if (head != other.head || length < 0) {
            return Long.compare(head, other.head);
        }
        return length <= NodeLayout.HEAD_BYTES || other.length <= NodeLayout.HEAD_BYTES
            ? Integer.compare(length, other.length)
            : Arrays.compareUnsigned(out.array(), 0, length, other.out.array(), 0, other.length);
    }
}
