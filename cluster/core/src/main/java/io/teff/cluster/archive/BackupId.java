package io.teff.cluster.archive;

import java.util.HexFormat;

/**
 * The identity of a backup, drawn at its begin.
 *
 * @param high upper half
 * @param low lower half
 */
public record BackupId(long high, long low) {
    /** {@return the id in 32 hexadecimal digits} */
    public String hex() {
        return HexFormat.of().toHexDigits(high) + HexFormat.of().toHexDigits(low);
    }

    /**
     * {@return the id of 32 hexadecimal digits}
     *
     * @param hex the digits
     * @throws IllegalArgumentException for another text
     */
    public static BackupId of(String hex) {
        if (hex.length() != 2 * Long.BYTES * 2) {
            throw new IllegalArgumentException('"' + hex + "\" has no 32 digits");
        }
        return new BackupId(HexFormat.fromHexDigitsToLong(hex, 0, 16), HexFormat.fromHexDigitsToLong(hex, 16, 32));
    }
}
