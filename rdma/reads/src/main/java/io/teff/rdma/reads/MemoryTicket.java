package io.teff.rdma.reads;

import io.teff.engine.offer.MemoryOffer;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/**
 * The description of an owner's memory for a reader: numbers, and a key for each part. A ticket is the right to read
 * all chunks.
 *
 * <p>Bytes, little-endian: magic (4), stripes (4), first address (8), bytes of chunks (8), then for each part in the
 * order of {@link PeerMemory.Part} the length of the key (4) and the key.
 *
 * @param stripeCount number of stripes, a power of two
 * @param firstAddress the address of the first byte of the part {@link PeerMemory.Part#CHUNKS}; entries count in the
 *     same addresses
 * @param chunkBytes bytes of the part {@link PeerMemory.Part#CHUNKS}
 * @param keys keys of the parts, in the order of the parts; the transport decides about the form of a key
 */
public record MemoryTicket(int stripeCount, long firstAddress, long chunkBytes, List<byte[]> keys) {
    private static final int MAGIC = 0x4D52_4654;               // "TFRM"
    private static final int KEY_BYTES_MAX = 64 << 10;
    private static final int HEAD_BYTES = 2 * Integer.BYTES + 2 * Long.BYTES;
    private static final int STRIPES_MAX = 1 << 20;

    /** Checks the numbers, because a peer may have sent the numbers. */
    public MemoryTicket {
        if (Integer.bitCount(stripeCount) != 1 || stripeCount < 1 || stripeCount > STRIPES_MAX || firstAddress <= 0
            || chunkBytes <= 0 || firstAddress + chunkBytes <= 0 || keys.size() != PeerMemory.Part.values().length) {
            throw new IllegalArgumentException("stripeCount=" + stripeCount + " firstAddress=" + firstAddress
                + " chunkBytes=" + chunkBytes + " keys=" + keys.size());
        }
        keys = List.copyOf(keys);
    }

    static MemoryTicket of(MemoryOffer offer, List<byte[]> keys) {
        return new MemoryTicket(offer.stripeCount(), offer.firstAddress(), offer.chunks().byteSize(), keys);
    }

    /** {@return the key of a part} */
    byte[] key(PeerMemory.Part part) {
        return keys.get(part.ordinal());
    }

    /** {@return the ticket as bytes, for {@link #of(byte[])}} */
    public byte[] toBytes() {
        final int length = HEAD_BYTES + keys.stream().mapToInt(key -> Integer.BYTES + key.length).sum();
        final ByteBuffer bytes = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putInt(MAGIC).putInt(stripeCount).putLong(firstAddress).putLong(chunkBytes);
        keys.forEach(key -> bytes.putInt(key.length).put(key));
        return bytes.array();
    }

    /**
     * Reads a ticket.
     *
     * @param bytes of {@link #toBytes}
     * @return the ticket
     * @throws IllegalArgumentException if the bytes are not the bytes of a ticket
     */
    public static MemoryTicket of(byte[] bytes) {
        final ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        try {
            final int magic = in.getInt();
            final int stripes = in.getInt();
            final long first = in.getLong();
            final long size = in.getLong();
            final byte[][] keys = new byte[PeerMemory.Part.values().length][];
            for (int i = 0; i < keys.length; i++) {
                final int length = in.getInt();
                if (length < 0 || length > Math.min(in.remaining(), KEY_BYTES_MAX)) {
                    throw new IllegalArgumentException("ticket: a key of " + length + " bytes");
                }
                keys[i] = new byte[length];
                in.get(keys[i]);
            }
            if (magic != MAGIC || in.hasRemaining()) {
                throw new IllegalArgumentException("ticket: other bytes");
            }
            return new MemoryTicket(stripes, first, size, List.of(keys));
        } catch (BufferUnderflowException e) {
            throw new IllegalArgumentException("ticket: too short", e);
        }
    }
}
