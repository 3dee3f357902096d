package io.teff.cluster;

/**
 * When a client splits the parts of a sorted map. A part that has grown beyond a bound gives the upper half of its
 * entries to a new part, in steps, which the changes of the client take.
 *
 * @param entriesMax entries of a part: 16 to 2^40
 * @param bytesMax memory of a part in bytes: 64 KiB to 1 TiB
 */
public record RangeConfig(long entriesMax, long bytesMax) {
    /** Least bound of entries: 16. */
    public static final long ENTRIES_MIN = 16;
    /** Greatest bound of entries: 2^40. */
    public static final long ENTRIES_MAX = 1L << 40;
    /** Least bound of bytes: 64 KiB. */
    public static final long BYTES_MIN = 64 << 10;
    /** Greatest bound of bytes: 1 TiB. */
    public static final long BYTES_MAX = 1L << 40;

    /** Checks the values. */
    public RangeConfig {
        if (entriesMax < ENTRIES_MIN || entriesMax > ENTRIES_MAX) {
            throw new IllegalArgumentException("entriesMax=" + entriesMax + " is not in 16 to 2^40");
        }
        if (bytesMax < BYTES_MIN || bytesMax > BYTES_MAX) {
            throw new IllegalArgumentException("bytesMax=" + bytesMax + " is not in 64 KiB to 1 TiB");
        }
    }

    /**
     * Returns a configuration with a bound of bytes alone.
     *
     * @param bytes memory of a part; an eighth of the size of a zone is a good bound
     * @return the configuration
     * @throws IllegalArgumentException if the value is out of range
     */
    public static RangeConfig ofBytes(long bytes) {
        return new RangeConfig(ENTRIES_MAX, bytes);
    }

    /**
     * Returns a configuration with a bound of entries alone.
     *
     * @param entries entries of a part
     * @return the configuration
     * @throws IllegalArgumentException if the value is out of range
     */
    public static RangeConfig ofEntries(long entries) {
        return new RangeConfig(entries, BYTES_MAX);
    }
}
