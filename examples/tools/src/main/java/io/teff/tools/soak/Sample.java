package io.teff.tools.soak;

/**
 * The figures of one cycle, taken at its end: all chunks are there again, nothing runs, memory was given back and the
 * Java heap collected.
 *
 * @param cycle number of the cycle, from 1
 * @param seconds time since the start of the run
 * @param deletedPercent share of the chunks that the cycle removed at once
 * @param chunks chunks in the store, as the model says and the store confirmed
 * @param payloadBytes sum of their lengths, likewise
 * @param tableBytes memory of the chunk table
 * @param wasteBytes bytes of slots and runs that no payload uses
 * @param freeSlotBytes free slots and page headers
 * @param usedBytes memory that the store handed out
 * @param committedBytes memory that the store holds
 * @param committedLowBytes the same after the mass delete
 * @param residentBytes resident memory of the process, or -1
 * @param heapBytes Java heap in use after a collection
 * @param threads live Java threads
 * @param descriptors open file descriptors, or -1
 * @param getP999Ns 99.9th percentile of gets at a fixed rate
 * @param putP999Ns the same of puts
 * @param idleP999Ns the same of a loop that does nothing, in the same time
 */
public record Sample(long cycle, double seconds, int deletedPercent, long chunks, long payloadBytes, long tableBytes,
                     long wasteBytes, long freeSlotBytes, long usedBytes, long committedBytes, long committedLowBytes,
                     long residentBytes, long heapBytes, long threads, long descriptors, long getP999Ns,
                     long putP999Ns, long idleP999Ns) {
    /** Bytes that the store uses beyond the payload. */
    long overheadBytes() {
        return usedBytes - payloadBytes;
    }
}
