package io.teff.recovery;

/**
 * A part of a file that should be there and cannot be read.
 *
 * @param file its name in the store's folder
 * @param offset where the part begins
 * @param bytes how long it is at most
 * @param why what is wrong there
 */
public record DamagedRange(String file, long offset, long bytes, String why) {
    @Override
    public String toString() {
        return file + ": " + bytes + " bytes at offset " + offset + ": " + why;
    }
}
