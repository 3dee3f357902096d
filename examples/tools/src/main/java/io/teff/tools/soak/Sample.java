package io.teff.tools.soak;

/**
 * The figures of one cycle, taken at its high point: all chunks are present, no operation runs, the store was trimmed
 * and the Java heap collected.
 *
 * @param cycle number of the cycle, from 1
 * @param seconds time since the start of the run
 * @param deletedPercent share of the chunks that the shrink phase removed, in percent
 * @param chunks number of chunks in the store
 * @param payloadBytes sum of the lengths of all chunks
 * @param tableBytes memory of the chunk table
 * @param wasteBytes bytes of slots and runs in use beyond the payload
 * @param freeSlotBytes free slots and page headers
 * @param usedBytes memory in use
 * @param committedBytes memory committed by the store
 * @param committedLowBytes memory committed by the store at the low point
 * @param residentBytes resident memory of the process, or -1 if unknown
 * @param heapBytes Java heap in use after a collection
 * @param threads live Java threads
 * @param descriptors open file descriptors, or -1 if unknown
 * @param getP999Ns 99.9th percentile of the latency of gets at a fixed rate
 * @param putP999Ns 99.9th percentile of the latency of puts at a fixed rate
 * @param idleP999Ns 99.9th percentile of the latency of an idle loop at the same rate
 */
public record Sample(long cycle, double seconds, int deletedPercent, long chunks, long payloadBytes, long tableBytes,
                     long wasteBytes, long freeSlotBytes, long usedBytes, long committedBytes, long committedLowBytes,
                     long residentBytes, long heapBytes, long threads, long descriptors, long getP999Ns,
                     long putP999Ns, long idleP999Ns) {
    /** Returns the memory in use beyond the payload, in bytes. */
    long overheadBytes() {
        return usedBytes - payloadBytes;
    }
}
