package io.teff.recovery.format;

/**
 * A part of a file that could not be read.
 *
 * @param offset where it begins
 * @param bytes how long it is at most
 * @param why what is wrong there, and how much is known to be lost
 */
public record Damage(long offset, long bytes, String why) {
    @Override
    public String toString() {
        return bytes + " bytes at offset " + offset + ": " + why;
    }
}
