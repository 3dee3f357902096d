package io.teff.tools.demo;

/**
 * What the load shall do.
 *
 * @param count number of chunks that exist at the end
 * @param threads number of threads that share the work
 * @param minSize bytes of the shortest chunk
 * @param maxSize bytes of the longest chunk
 * @param seed where all chance comes from
 */
public record LoadPlan(long count, int threads, int minSize, int maxSize, long seed) {
    /** Bytes on the Java heap with which the load remembers a chunk: its CID and its version. */
    static final int HEAP_BYTES_PER_CHUNK = Long.BYTES + Byte.BYTES;

    /** The share of a thread: count / threads, the first threads one more. */
    int quota(int thread) {
        return Math.toIntExact(count / threads + (thread < count % threads ? 1 : 0));
    }

    /** Bytes of all contents together, on average. */
    double payloadBytes() {
        return count * ((minSize + maxSize) / 2.0);
    }
}
