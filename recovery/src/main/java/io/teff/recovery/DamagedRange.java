package io.teff.recovery;

/**
 * A part of a file that should be present and cannot be read.
 *
 * @param file its name in the store's folder
 * @param offset where the part begins
 * @param bytes the longest length of the part
 * @param why the reason
 */
public record DamagedRange(String file, long offset, long bytes, String why) {
    @Override
    public String toString() {
        return file + ": " + bytes + " bytes at offset " + offset + ": " + why;
    }
}
