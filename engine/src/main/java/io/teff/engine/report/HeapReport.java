package io.teff.engine.report;

import io.teff.engine.config.DebugLevel;
import java.util.List;

/**
 * What fills a store and how well: made from a live store by {@link io.teff.engine.Store#heap} or from a snapshot file
 * by
 * {@link
 * io.teff.engine.Store#analyze}. Shares are counted in tenths: the first number of such a list counts what is below 10
 * %, the
 * last what is 90 to 100 %.
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
 * A value that cannot be changed; made in memory of a few MiB, however large the store is.
 *
 * @param nid NID of the store
 * @param debugLevel the store's level; from {@link DebugLevel#CANARIES} on chunks take more than their length
 * @param reserved true for reserved address space (native access), false for arena blocks
 * @param chunks number of chunks
 * @param emptyChunks those of length 0, which have no memory
 * @param readOnlyChunks those that never change again
 * @param payloadBytes sum of the chunks' lengths
 * @param memory where the bytes are
 * @param sizeClasses usage by size of slots, smallest first; classes without a page are left out
 * @param runs usage of runs, which chunks have that are too large for slots
 * @param pageFills pages of slots by the share of their slots that is in use
 * @param lengths chunks by length, shortest first; ranges without a chunk are left out
 * @param largest the largest chunks, largest first
 * @param creators who made the chunks, by NID
 * @param map the same memory in order of addresses
 */
public record HeapReport(int nid, DebugLevel debugLevel, boolean reserved, long chunks, long emptyChunks,
                         long readOnlyChunks, long payloadBytes, Memory memory, List<SizeClass> sizeClasses, Runs runs,
                         List<Long> pageFills, List<Lengths> lengths, List<Chunk> largest, List<Creator> creators,
                         HeapMap map) {
    /**
     * Where the bytes are. Pages of slots, runs, table pages and free units together are the region.
     *
     * @param limitBytes the most the store may use
     * @param regionBytes what the region has grown to
     * @param committedBytes memory of the machine that the store holds, and what is prepared for growth
     * @param slotPageBytes pages of slots, headers and free slots included
     * @param runBytes runs
     * @param tableBytes table pages
     * @param freeBytes units that nothing uses
     * @param freeCommittedBytes those among them that hold memory of the machine
     */
    public record Memory(long limitBytes, long regionBytes, long committedBytes, long slotPageBytes, long runBytes,
                         long tableBytes, long freeBytes, long freeCommittedBytes) {
        /** {@return all pages and runs that are handed out} */
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
     * @param slots their slots
     * @param slotsInUse slots that are handed out; more than the chunks if some wait in quarantine, or belong to
     *     operations that were under way
     * @param slotsClaimed free slots that an allocation stripe holds for its next creates
     * @param chunks chunks in slots of this class
     * @param payloadBytes sum of their lengths
     * @param wasteBytes what their slots have more
     * @param fill slots in use by slots
     */
    public record SizeClass(int slotBytes, int pageBytes, long pages, long slots, long slotsInUse, long slotsClaimed,
                            long chunks, long payloadBytes, long wasteBytes, double fill) {}

    /**
     * Runs of units.
     *
     * @param runs number of runs
     * @param bytes their size
     * @param chunks chunks in runs
     * @param payloadBytes sum of their lengths
     * @param wasteBytes what their runs have more
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
     * @param readOnly whether it never changes again
     */
    public record Chunk(long cid, long bytes, boolean readOnly) {}

    /**
     * A creator's chunks and table.
     *
     * @param nid the creator
     * @param chunks number of chunks
     * @param readOnlyChunks those that never change again
     * @param payloadBytes sum of their lengths
     * @param reservedCids CIDs that are taken and have no chunk
     * @param retiredIndexes indexes that were used up
     * @param tablePages pages of its table
     * @param tableBytes their size
     * @param densities table pages by the share of their entries that is a chunk's or reserved
     */
    public record Creator(int nid, long chunks, long readOnlyChunks, long payloadBytes, long reservedCids,
                          long retiredIndexes, long tablePages, long tableBytes, List<Long> densities) {}
}
