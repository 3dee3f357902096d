package io.teff.cluster.terminal.shell.value;

import io.teff.engine.Cid;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** CIDs as people write CIDs: {@code 16:4711}, {@code 16:4711.2} with a generation, or 64 bits in hexadecimal. */
public final class CidText {
    private static final Pattern PARTS = Pattern.compile("(\\d{1,5}):(\\d{1,13})(?:\\.(\\d{1,3}))?");
    private static final Pattern BITS = Pattern.compile("0x([0-9a-fA-F]{1,16})");
    private static final int HEX = 16;
    private static final int INDEX_BITS = 40;
    private static final long INDEX_MAX = (1L << INDEX_BITS) - 1;
    private static final int GENERATION_MAX = 255;

    private CidText() {}

    /**
     * {@return a CID}
     *
     * @param text the text of a CID
     * @throws IllegalArgumentException if the text is no CID
     */
    public static long parse(String text) {
        Matcher bits = BITS.matcher(text);
        if (bits.matches()) {
            return Long.parseUnsignedLong(bits.group(1), HEX);
        }
        Matcher parts = PARTS.matcher(text);
        if (parts.matches()) {
            int nid = Integer.parseInt(parts.group(1));
            long index = Long.parseLong(parts.group(2));
            int generation = parts.group(3) == null ? 0 : Integer.parseInt(parts.group(3));
            if (nid <= Cid.NID_MAX && index <= INDEX_MAX && generation <= GENERATION_MAX) {
                return Cid.of(nid, (long) generation << INDEX_BITS | index);
            }
        }
        throw new IllegalArgumentException("'" + text + "' is no CID; allowed: ZONE:INDEX as in 16:4711, "
            + "ZONE:INDEX.GENERATION, 0x and hexadecimal digits, or @NAME for a chunk with a name");
    }
}
