package io.teff.engine.codec.bytes;

/**
 * Constants of LEB128 numbers: seven bits in each byte, the lowest first; bit 7 is set in all bytes but the last.
 * <pre>
 *   7 6           0   7 6           0
 *  +-+-------------+ +-+-------------+
 *  |1| bits 0 to 6 | |0| bits 7 to 13|
 *  +-+-------------+ +-+-------------+
 * </pre>
 */
public final class Leb128 {
    /** Bits of a number among eight bytes of its LEB128 form. */
    public static final long PAYLOAD_MASK = 0x7F7F_7F7F_7F7F_7F7FL;
    /** Bits that announce another byte, among eight bytes of a LEB128 form. */
    public static final long MORE_MASK = ~PAYLOAD_MASK;
    /** Payload bits of eight bytes. */
    public static final int PAYLOAD_BITS_PER_LONG = 56;
    /** Bytes of the longest LEB128 form of a long. */
    public static final int BYTES_MAX = 10;

    private Leb128() {}

    /** Returns the bytes of a number's shortest LEB128 form: significant bits / 7, rounded up, without a division. */
    public static int bytes(long value) {
        return (Long.SIZE - 1 - Long.numberOfLeadingZeros(value | 1)) * 9 + 73 >>> 6;
    }
}
