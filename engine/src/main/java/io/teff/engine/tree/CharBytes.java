package io.teff.engine.tree;

import io.teff.engine.codec.MalformedException;
import io.teff.engine.codec.Output;
import java.nio.charset.StandardCharsets;

/**
 * Encodes strings so that their bytes have the order of their chars: each char as in UTF-8, in one, two or three
 * bytes, including each half of a surrogate pair (CESU-8). Any string can be written and is read back unchanged.
 */
final class CharBytes {
    private static final int ONE_BYTE = 0x80;
    private static final int TWO_BYTES = 0x800;
    private static final int LEAD_TWO = 0xC0;
    private static final int LEAD_THREE = 0xE0;
    private static final int FOLLOW = 0x80;
    private static final int FOLLOW_BITS = 6;
    private static final int FOLLOW_MASK = (1 << FOLLOW_BITS) - 1;

    private CharBytes() {}

    /** Writes a string. */
    @SuppressWarnings("deprecation")                            // the only way to copy ASCII chars without allocation
    static void write(String key, Output out) {
        final int length = key.length();
        if (isAscii(key, length)) {
            int at = out.take(length);
            key.getBytes(0, length, out.array(), at);
            return;
        }
        for (int i = 0; i < length; i++) {
            final int unit = key.charAt(i);
            if (unit < ONE_BYTE) {
                out.putByte((byte) unit);
            } else if (unit < TWO_BYTES) {
                out.putByte((byte) (LEAD_TWO | unit >>> FOLLOW_BITS));
                out.putByte((byte) (FOLLOW | unit & FOLLOW_MASK));
            } else {
                out.putByte((byte) (LEAD_THREE | unit >>> 2 * FOLLOW_BITS));
                out.putByte((byte) (FOLLOW | unit >>> FOLLOW_BITS & FOLLOW_MASK));
                out.putByte((byte) (FOLLOW | unit & FOLLOW_MASK));
            }
        }
    }

    private static boolean isAscii(String key, int length) {
        int all = 0;
        for (int i = 0; i < length; i++) {
            all |= key.charAt(i);
        }
        return all < ONE_BYTE;
    }

    /** Reads a string of {@code length} bytes. */
    static String read(byte[] bytes, int length) {
        int all = 0;
        for (int i = 0; i < length; i++) {
            all |= bytes[i];
        }
        if (all >= 0) {
            return new String(bytes, 0, length, StandardCharsets.ISO_8859_1);
        }
        char[] chars = new char[length];
        int count = 0;
        for (int at = 0; at < length; count++) {
            final int lead = bytes[at++] & 0xFF;
            final int more = lead < ONE_BYTE ? 0 : lead < LEAD_THREE ? 1 : 2;
            if (more > length - at) {
                throw new MalformedException(at, "a string that ends inside of a char", null);
            }
            int unit = more == 0 ? lead : more == 1 ? lead & ~LEAD_TWO : lead & ~LEAD_THREE;
            for (int i = 0; i < more; i++) {
                unit = unit << FOLLOW_BITS | bytes[at++] & FOLLOW_MASK;
            }
            chars[count] = (char) unit;
        }
        return new String(chars, 0, count);
    }
}
