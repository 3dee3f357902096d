package io.teff.recovery.backup;

/**
 * Records of a copy from a single append, and the place of these records in the write buffer.
 *
 * @param first number of the first record
 * @param last number of the last record
 * @param position of the first record
 * @param end behind the last record
 */
record Appended(long first, long last, long position, long end) {}
