package io.teff.engine.tree;

import io.teff.engine.codec.Output;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A key as trees have it: a head of eight bytes, and all of its bytes unless the head is all of it. Not thread-safe.
 *
 * <p>Where keys have bytes, the head is the first eight of them, big-endian, with zeros behind a short key and with the
 * highest bit flipped: so heads in the order of signed numbers are in the order of unsigned bytes. Equal heads say
 * nothing; then the rest of the bytes decides, and then the length.
 */
final class TreeKey {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final int BYTES_FIRST = 64;

    /** The key's bytes, if it has any. */
    final Output out = Output.growing(BYTES_FIRST);
    long head;
    /** Of all bytes, or -1 if the head is the key. */
    int length;
    /** The key itself, where a comparator of objects decides. */
    @Nullable Object object;

    /** Makes it a key that is its head. */
    void setHead(long number) {
        head = number;
        length = -1;
    }

    /** Makes it the key whose bytes are in {@link #out}. */
    void setBytes() {
        length = out.size();
        head = headOf(out.array(), length);
    }

    /** Makes it the key that no other is below. */
    void setLeast(boolean isByHead) {
        object = null;
        if (isByHead) {
            setHead(Long.MIN_VALUE);
        } else {
            out.clear();
            setBytes();
        }
    }

    /** Makes it a copy of another. */
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
     * Makes it the key of an entry.
     *
     * @param headOfKey from its slot
     * @param keyLength of all bytes, or -1
     * @param source where the bytes from the ninth on are
     * @param from first index there
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

    /** Bytes of the key in an entry. */
    int partBytes() {
        return length < 0 ? 0 : NodeLayout.partBytes(length);
    }

    /** Writes what an entry has of the key. */
    void putPart(Output entry) {
        if (length >= 0) {
            entry.putByte((byte) length);
            entry.putByte((byte) (length >>> Byte.SIZE));
            if (length > NodeLayout.HEAD_BYTES) {
                entry.putBytes(out.array(), NodeLayout.HEAD_BYTES, length - NodeLayout.HEAD_BYTES);
            }
        }
    }

    /** Shortens the key to so many bytes. */
    void cut(int bytes) {
        assert bytes <= length : bytes;
        length = bytes;
        head = headOf(out.array(), bytes);
    }

    /** How many bytes two keys have in common. */
    int common(TreeKey other) {
        int both = Math.min(length, other.length);
        int common = 0;
        while (common < both && out.array()[common] == other.out.array()[common]) {
            common++;
        }
        return common;
    }

    /** Compares two keys by their heads and bytes. */
    int compareTo(TreeKey other) {
        if (head != other.head || length < 0) {
            return Long.compare(head, other.head);
        }
        return length <= NodeLayout.HEAD_BYTES || other.length <= NodeLayout.HEAD_BYTES
            ? Integer.compare(length, other.length)
            : Arrays.compareUnsigned(out.array(), 0, length, other.out.array(), 0, other.length);
    }
}
