package io.teff.tools.soak;

/**
 * What a run shall do.
 *
 * @param minutes how long, at least
 * @param chunks number of small chunks at the end of each cycle
 * @param threads workers that share them
 * @param minSize bytes of the shortest small chunk
 * @param maxSize bytes of the longest small chunk
 * @param rate operations per second of the latency probe
 * @param seed where all chance comes from
 */
public record SoakPlan(double minutes, int chunks, int threads, int minSize, int maxSize, int rate, long seed) {
    /** Bytes on the Java heap with which a run remembers a chunk: its CID and its form. */
    static final int HEAP_BYTES_PER_CHUNK = Long.BYTES + Short.BYTES;

    /** The share of a worker: chunks / threads, the first workers one more. */
    int quota(int worker) {
        return chunks / threads + (worker < chunks % threads ? 1 : 0);
    }

    /** Bytes of all small chunks together, on average. */
    double payloadBytes() {
        return chunks * ((minSize + maxSize) / 2.0);
    }
}
