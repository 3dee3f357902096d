package io.teff.tools.demo;

/**
 * The parameters of the load.
 *
 * @param count number of chunks at the end
 * @param threads number of worker threads
 * @param minSize length of the shortest chunk in bytes
 * @param maxSize length of the longest chunk in bytes
 * @param seed seed of all random choices
 */
public record LoadPlan(long count, int threads, int minSize, int maxSize, long seed) {
    /** Java heap per chunk in bytes: the load stores a CID and a version. */
    static final int HEAP_BYTES_PER_CHUNK = Long.BYTES + Byte.BYTES;

    /** Returns the number of chunks of one thread: count / threads, rounded up for the first threads. */
    int quota(int thread) {
        return Math.toIntExact(count / threads + (thread < count % threads ? 1 : 0));
    }

    /** Returns the expected sum of the lengths of all chunks in bytes. */
    double payloadBytes() {
        return count * ((minSize + maxSize) / 2.0);
    }
}
