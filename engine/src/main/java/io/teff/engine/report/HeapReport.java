package io.teff.engine.report;

import io.teff.engine.config.DebugLevel;
import java.util.List;

/**
 * The use of a store's memory, with its fill: made from a live store by {@link io.teff.engine.Store#heap} or from a
 * snapshot file by {@link io.teff.engine.Store#analyze}. Lists of shares have ten numbers: the first counts shares
 * below 10 %, the last those from 90 to 100 %.
 * <pre>
 *  region
 *  +---------------------------------------------------------------------------------------------+
 *  | used                                                                    | free              |
 *  | +--------+-----------------+------------------------------------------+ | +---------------+ |
 *  | | table  | runs            | pages of slots, by size class            | | | committed     | |
 *  | |        |  payload, waste |  header | slots in use | claimed | free  | | | or given back | |
 *  +---------------------------------------------------------------------------------------------+
 *                                             payload, waste
 * </pre>
 * Immutable. Making a report needs a few MiB of Java heap, regardless of the size of the store.
 *
 * @param nid NID of the store
 * @param debugLevel the store's level; from {@link DebugLevel#CANARIES} on chunks take more than their length
 * @param reserved true for reserved address space (native access), false for arena blocks
 * @param chunks number of chunks
 * @param emptyChunks chunks of length 0, which have no memory
 * @param readOnlyChunks read-only chunks
 * @param payloadBytes sum of the chunks' lengths
 * @param memory use of the region's bytes
 * @param sizeClasses usage by size of slots, smallest first; classes without a page are left out
 * @param runs usage of runs, for chunks that are too large for slots
 * @param pageFills pages of slots by the share of their slots that is in use
 * @param lengths chunks by length, shortest first; ranges without a chunk are left out
 * @param largest the largest chunks, largest first
 * @param creators chunks and tables by creator, sorted by NID
 * @param map the same memory in order of addresses
 */
public record HeapReport(int nid, DebugLevel debugLevel, boolean reserved, long chunks, long emptyChunks,
                         long readOnlyChunks, long payloadBytes, Memory memory, List<SizeClass> sizeClasses, Runs runs,
                         List<Long> pageFills, List<Lengths> lengths, List<Chunk> largest, List<Creator> creators,
                         HeapMap map) {
    /**
     * Use of the region's bytes. Slot pages, runs, table pages and free units together are the region.
     *
     * @param limitBytes the most the store may use
     * @param regionBytes size that the region has grown to
     * @param committedBytes memory of the machine that the store holds, with the memory prepared for growth
     * @param slotPageBytes slot pages, headers and free slots included
     * @param runBytes runs
     * @param tableBytes table pages
     * @param freeBytes free units
     * @param freeCommittedBytes free units that still hold memory of the machine
     */
    public record Memory(long limitBytes, long regionBytes, long committedBytes, long slotPageBytes, long runBytes,
                         long tableBytes, long freeBytes, long freeCommittedBytes) {
        /** {@return the sum of all allocated pages and runs} */
        public long usedBytes() {
            return slotPageBytes + runBytes + tableBytes;
        }
    }

    /**
     * The pages of one size class.
     *
     * @param slotBytes size of a slot
     * @param pageBytes size of a page
     * @param pages number of pages
     * @param slots number of slots in the pages
     * @param slotsInUse allocated slots; more than the chunks if slots are in quarantine, or belong to operations under
     *     way
     * @param slotsClaimed free slots that an allocation stripe holds for its next creates
     * @param chunks chunks in slots of this class
     * @param payloadBytes sum of their lengths
     * @param wasteBytes bytes of their slots beyond their lengths
     * @param fill share of slots in use, 0 to 1
     */
    public record SizeClass(int slotBytes, int pageBytes, long pages, long slots, long slotsInUse, long slotsClaimed,
                            long chunks, long payloadBytes, long wasteBytes, double fill) {}

    /**
     * Runs of units.
     *
     * @param runs number of runs
     * @param bytes sum of their sizes
     * @param chunks chunks in runs
     * @param payloadBytes sum of their lengths
     * @param wasteBytes bytes of their runs beyond their lengths
     */
    public record Runs(long runs, long bytes, long chunks, long payloadBytes, long wasteBytes) {}

    /**
     * The chunks of a range of lengths.
     *
     * @param bytesMin the shortest length of the range
     * @param bytesMax the longest
     * @param chunks number of chunks
     * @param payloadBytes sum of their lengths
     */
    public record Lengths(long bytesMin, long bytesMax, long chunks, long payloadBytes) {}

    /**
     * A chunk.
     *
     * @param cid its CID
     * @param bytes its length
     * @param readOnly whether the chunk is read-only
     */
    public record Chunk(long cid, long bytes, boolean readOnly) {}

    /**
     * A creator's chunks and table.
     *
     * @param nid the creator
     * @param chunks number of chunks
     * @param readOnlyChunks read-only chunks
     * @param payloadBytes sum of their lengths
     * @param reservedCids reserved CIDs, which have no chunk
     * @param retiredIndexes indexes whose generations are used up
     * @param tablePages pages of its table
     * @param tableBytes sum of their sizes
     * @param densities table pages by the share of their entries that have a chunk or are reserved
     */
    public record Creator(int nid, long chunks, long readOnlyChunks, long payloadBytes, long reservedCids,
                          long retiredIndexes, long tablePages, long tableBytes, List<Long> densities) {}
}
