package io.teff.tools.soak;

/**
 * The parameters of a run.
 *
 * @param minutes minimum duration
 * @param chunks number of small chunks at the end of each cycle
 * @param threads number of workers
 * @param minSize length of the shortest small chunk in bytes
 * @param maxSize length of the longest small chunk in bytes
 * @param rate gets, and puts, per second of the latency probe
 * @param seed seed of all random choices
 */
public record SoakPlan(double minutes, int chunks, int threads, int minSize, int maxSize, int rate, long seed) {
    /** Java heap per chunk in bytes: a run stores a CID and a form. */
    static final int HEAP_BYTES_PER_CHUNK = Long.BYTES + Short.BYTES;

    /** Returns the number of chunks of one worker: chunks / threads, rounded up for the first workers. */
    int quota(int worker) {
        return chunks / threads + (worker < chunks % threads ? 1 : 0);
    }

    /** Returns the expected sum of the lengths of all small chunks in bytes. */
    double payloadBytes() {
        return chunks * ((minSize + maxSize) / 2.0);
    }
}
