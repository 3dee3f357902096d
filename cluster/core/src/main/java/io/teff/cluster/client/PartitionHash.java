package io.teff.cluster.client;

/**
 * The hash that spreads keys over the partitions of a collection. The seed is another number than the seeds of the maps
 * in the partitions, so the keys of a partition are spread in its map like any keys. Pure functions.
 */
final class PartitionHash {
    private static final long FIRST = 0x9E37_79B9_7F4A_7C15L;
    private static final long SECOND = 0xD6E8_FEB8_6659_FD93L;

    private PartitionHash() {}

    /** Returns the partition of a key, below a count. */
    static int of(long seed, byte[] key, int count) {
        return (int) Math.unsignedMultiplyHigh(of(seed, key), count);
    }

    /** Returns the hash of a key. */
    static long of(long seed, byte[] key) {
        long hash = seed ^ key.length * FIRST;
        for (byte next : key) {
            hash = (hash ^ next & 0xFF) * FIRST;
            hash ^= hash >>> Integer.SIZE;
        }
        hash = (hash ^ hash >>> Integer.SIZE) * SECOND;
        return (hash ^ hash >>> Integer.SIZE) * SECOND;
    }
}
