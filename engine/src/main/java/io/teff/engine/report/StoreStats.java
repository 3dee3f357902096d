package io.teff.engine.report;

/**
 * The use of a store's memory. Sums are exact if nothing changes meanwhile.
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
 * @param payloadBytes sum of the chunks' lengths
 * @param takenBytes slots and runs that hold them
 * @param tableBytes table pages
 * @param usedBytes all allocated pages and runs
 * @param committedBytes memory of the machine that the store holds
 * @param limitBytes the most memory that the store may use
 * @param reserved true for reserved address space (native access), false for arena blocks
 */
public record StoreStats(String name, int nid, long chunks, long payloadBytes, long takenBytes, long tableBytes,
                         long usedBytes, long committedBytes, long limitBytes, boolean reserved) {
    /** {@return bytes inside slots and runs that no payload uses} */
    public long wasteBytes() {
        return takenBytes - payloadBytes;
    }

    /** {@return free slots, page headers and page ends} */
    public long freeSlotBytes() {
        return usedBytes - tableBytes - takenBytes;
    }

    /** {@return committed memory that no page or run uses} */
    public long freeUnitBytes() {
        return Math.max(committedBytes - usedBytes, 0);
    }

    /** {@return bytes beyond the payload per chunk: (used - payload) / chunks; 0 for an empty store} */
    public double overheadPerChunk() {
        return chunks == 0 ? 0 : (double) (usedBytes - payloadBytes) / chunks;
    }
}
