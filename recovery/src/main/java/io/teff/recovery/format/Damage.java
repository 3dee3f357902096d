package io.teff.recovery.format;

/**
 * A part of a file that could not be read.
 *
 * @param offset of its first byte
 * @param bytes the longest length of the part
 * @param why the reason, and how much is known to be lost
 */
public record Damage(long offset, long bytes, String why) {
    @Override
    public String toString() {
        return bytes + " bytes at offset " + offset + ": " + why;
    }
}
