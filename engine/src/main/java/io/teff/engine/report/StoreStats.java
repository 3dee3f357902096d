package io.teff.engine.report;

/**
 * Statistics of a store's memory. The sums are exact if no thread changes the store while they are read. Immutable.
 * <pre>
 *  limit
 *  +--------------------------------------------------------------------------------+
 *  | committed                                                                      |
 *  | +----------------------------------------------------------+                   |
 *  | | used                                                     | free units        |
 *  | | +---------+--------------------------------------------+ |                   |
 *  | | | table   | pages and runs: taken | free slots, headers| |                   |
 *  | | |         |   payload + waste     |                    | |                   |
 *  +--------------------------------------------------------------------------------+
 * </pre>
 *
 * @param name the store's name
 * @param nid the store's NID
 * @param chunks number of chunks
 * @param payloadBytes sum of the chunks' lengths in bytes
 * @param takenBytes bytes of the slots and runs that hold the chunks
 * @param tableBytes bytes of table pages
 * @param usedBytes bytes of all allocated pages and runs
 * @param committedBytes bytes backed by memory of the machine
 * @param limitBytes memory limit of the store in bytes
 * @param reserved true for reserved address space (native access), false for arena blocks
 */
public record StoreStats(String name, int nid, long chunks, long payloadBytes, long takenBytes, long tableBytes,
                         long usedBytes, long committedBytes, long limitBytes, boolean reserved) {
    /** {@return bytes of the chunks' slots and runs beyond the chunks' lengths} */
    public long wasteBytes() {
        return takenBytes - payloadBytes;
    }

    /** {@return bytes of free slots, page headers and unusable page ends} */
    public long freeSlotBytes() {
        return usedBytes - tableBytes - takenBytes;
    }

    /** {@return committed bytes that no page or run uses, from 0} */
    public long freeUnitBytes() {
        return Math.max(committedBytes - usedBytes, 0);
    }

    /** {@return bytes beyond the payload per chunk: (used - payload) / chunks; 0 for an empty store} */
    public double overheadPerChunk() {
        return chunks == 0 ? 0 : (double) (usedBytes - payloadBytes) / chunks;
    }
}
