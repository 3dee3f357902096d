package io.teff.examples.graph;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.function.IntToLongFunction;

/**
 * The layout of a vertex in its two chunks; pure functions, no store. All numbers are little-endian.
 * <pre>
 * vertex    0           8             12             12 + n        multiple of 8
 *          +-----------+-------------+--------------+-------------+-----------+-----------+---
 *          | CID of    | n: length   | name, UTF-8  | zeros       | CID of    | CID of    |
 *          | incoming  | of the name |              |             | reference | reference | ...
 *          +-----------+-------------+--------------+-------------+-----------+-----------+---
 * incoming  0           8             16
 *          +-----------+-------------+---
 *          | CID of    | CID of      |         the vertexes that refer to this one,
 *          | referrer  | referrer    | ...     in ascending order
 *          +-----------+-------------+---
 * </pre> The length of the chunk determines the number of CIDs. Referrers have a chunk of their own, because they are
 * known only after all classes have been read; its CID is reserved before.
 */
public final class VertexLayout {
    /** Bytes of a CID. */
    static final int CID_BYTES = Long.BYTES;
    /** Offset of the CID of the incoming chunk. */
    static final int INCOMING_OFFSET = 0;
    /** Offset of the length of the name in bytes, an int. */
    static final int NAME_LENGTH_OFFSET = INCOMING_OFFSET + CID_BYTES;
    /** Offset of the name. */
    static final int NAME_OFFSET = NAME_LENGTH_OFFSET + Integer.BYTES;

    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private VertexLayout() {}

    /** Returns the offset of the first reference in a vertex whose name has {@code nameBytes} bytes. */
    static int referencesOffset(int nameBytes) {
        return NAME_OFFSET + nameBytes + CID_BYTES - 1 & -CID_BYTES;
    }

    /** Returns the number of referrers in an incoming chunk of {@code chunkBytes} bytes. */
    static long referrerCount(long chunkBytes) {
        return chunkBytes / CID_BYTES;
    }

    /** Returns the place of the first reference of a vertex that begins at {@code at}. */
    static int referencesAt(byte[] bytes, int at) {
        return at + referencesOffset((int) INT.get(bytes, at + NAME_LENGTH_OFFSET));
    }

    /** Returns the CID at a place. */
    static long cid(byte[] bytes, int at) {
        return (long) LONG.get(bytes, at);
    }

    /** Returns the bytes of a vertex. */
    static byte[] encode(long incoming, String name, long[] references, int referenceCount) {
        byte[] nameBytes = name.getBytes(StandardCharsets.UTF_8);
        int offset = referencesOffset(nameBytes.length);
        byte[] chunk = new byte[offset + referenceCount * CID_BYTES];
        LONG.set(chunk, INCOMING_OFFSET, incoming);
        INT.set(chunk, NAME_LENGTH_OFFSET, nameBytes.length);
        System.arraycopy(nameBytes, 0, chunk, NAME_OFFSET, nameBytes.length);
        for (int i = 0; i < referenceCount; i++) {
            LONG.set(chunk, offset + i * CID_BYTES, references[i]);
        }
        return chunk;
    }

    /** Returns the bytes of an incoming chunk. */
    static byte[] encodeIncoming(int count, IntToLongFunction referrers) {
        byte[] chunk = new byte[count * CID_BYTES];
        for (int i = 0; i < count; i++) {
            LONG.set(chunk, i * CID_BYTES, referrers.applyAsLong(i));
        }
        return chunk;
    }
}
