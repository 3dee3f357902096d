package io.teff.examples.graph;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * Where the parts of a vertex lie in its two chunks; pure functions, no store. Everything is little-endian.
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
 * </pre>
 * The number of CIDs follows from the length of the chunk. The references have a chunk of their own, and so have the
 * referrers, because the first are known when a class was read and the second only when all were.
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

    /** Offset of the first reference in a vertex whose name has so many bytes. */
    static int referencesOffset(int nameBytes) {
        return NAME_OFFSET + nameBytes + CID_BYTES - 1 & -CID_BYTES;
    }

    /** Offset of a referrer in an incoming chunk. */
    static long referrerOffset(long referrerIndex) {
        return referrerIndex * CID_BYTES;
    }

    /** Number of referrers in an incoming chunk of so many bytes. */
    static long referrerCount(long chunkBytes) {
        return chunkBytes / CID_BYTES;
    }

    /** Bytes of a vertex without its incoming chunk's CID, which is written when that chunk exists. */
    static byte[] encode(String name, long[] references, int referenceCount) {
        byte[] nameBytes = name.getBytes(StandardCharsets.UTF_8);
        int offset = referencesOffset(nameBytes.length);
        byte[] chunk = new byte[offset + referenceCount * CID_BYTES];
        INT.set(chunk, NAME_LENGTH_OFFSET, nameBytes.length);
        System.arraycopy(nameBytes, 0, chunk, NAME_OFFSET, nameBytes.length);
        for (int i = 0; i < referenceCount; i++) {
            LONG.set(chunk, offset + i * CID_BYTES, references[i]);
        }
        return chunk;
    }
}
