package io.teff.engine.report;

import io.teff.engine.config.DebugLevel;
import java.util.List;

/**
 * A report of the use and fill of a store's memory, made from a live store by {@link io.teff.engine.Store#heap} or from
 * a snapshot file by {@link io.teff.engine.Store#analyze}. Lists of shares are histograms of ten numbers: the first
 * counts shares below 10 %, the last counts shares from 90 to 100 %.
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
 * @param debugLevel debug level of the store; from {@link DebugLevel#CANARIES} on, chunks take additional memory
 * @param reserved true for reserved address space (native access), false for arena blocks
 * @param chunks number of chunks
 * @param emptyChunks number of chunks of length 0, which have no memory
 * @param readOnlyChunks number of read-only chunks
 * @param payloadBytes sum of the chunks' lengths in bytes
 * @param memory use of the region's bytes
 * @param sizeClasses usage by size of slots, smallest first; classes without a page are left out
 * @param runs usage of runs, for chunks that are too large for slots
 * @param pageFills histogram of the slot pages by the share of their slots in use
 * @param lengths chunks by length, shortest first; ranges without a chunk are left out
 * @param largest the largest chunks, largest first
 * @param creators chunks and tables by creator, sorted by NID
 * @param map map of the region in order of addresses
 */
public record HeapReport(int nid, DebugLevel debugLevel, boolean reserved, long chunks, long emptyChunks,
                         long readOnlyChunks, long payloadBytes, Memory memory, List<SizeClass> sizeClasses, Runs runs,
                         List<Long> pageFills, List<Lengths> lengths, List<Chunk> largest, List<Creator> creators,
                         HeapMap map) {
    /**
     * Use of the region's bytes. Slot pages, runs, table pages and free units together are the region.
     *
     * @param limitBytes memory limit of the store
     * @param regionBytes current size of the region
     * @param committedBytes bytes backed by memory of the machine, including memory prepared for growth
     * @param slotPageBytes bytes of slot pages, headers and free slots included
     * @param runBytes bytes of runs
     * @param tableBytes bytes of table pages
     * @param freeBytes bytes of free units
     * @param freeCommittedBytes bytes of free units that are still backed by memory of the machine
     */
    public record Memory(long limitBytes, long regionBytes, long committedBytes, long slotPageBytes, long runBytes,
                         long tableBytes, long freeBytes, long freeCommittedBytes) {
        /** {@return bytes of all allocated pages and runs} */
        public long usedBytes() {
            return slotPageBytes + runBytes + tableBytes;
        }
    }

    /**
     * The pages of one size class.
     *
     * @param slotBytes size of a slot in bytes
     * @param pageBytes size of a page in bytes
     * @param pages number of pages
     * @param slots number of slots in the pages
     * @param slotsInUse number of allocated slots; above {@code chunks} if slots are in quarantine, or belong to
     *     operations in progress
     * @param slotsClaimed number of free slots that allocation stripes hold for their next creates
     * @param chunks number of chunks in slots of this class
     * @param payloadBytes sum of the chunks' lengths in bytes
     * @param wasteBytes bytes of the chunks' slots beyond the chunks' lengths
     * @param fill share of slots in use, 0 to 1
     */
    public record SizeClass(int slotBytes, int pageBytes, long pages, long slots, long slotsInUse, long slotsClaimed,
                            long chunks, long payloadBytes, long wasteBytes, double fill) {}

    /**
     * The runs of units that hold large chunks.
     *
     * @param runs number of runs
     * @param bytes sum of the runs' sizes in bytes
     * @param chunks number of chunks in runs
     * @param payloadBytes sum of the chunks' lengths in bytes
     * @param wasteBytes bytes of the runs beyond the chunks' lengths
     */
    public record Runs(long runs, long bytes, long chunks, long payloadBytes, long wasteBytes) {}

    /**
     * The chunks whose lengths are in a range.
     *
     * @param bytesMin the shortest length of the range in bytes
     * @param bytesMax the longest length of the range in bytes, inclusive
     * @param chunks number of chunks
     * @param payloadBytes sum of the chunks' lengths in bytes
     */
    public record Lengths(long bytesMin, long bytesMax, long chunks, long payloadBytes) {}

    /**
     * One of the largest chunks.
     *
     * @param cid CID of the chunk
     * @param bytes length of the chunk in bytes
     * @param readOnly whether the chunk is read-only
     */
    public record Chunk(long cid, long bytes, boolean readOnly) {}

    /**
     * The chunks and the table of one creator.
     *
     * @param nid NID of the creator
     * @param chunks number of chunks
     * @param readOnlyChunks number of read-only chunks
     * @param payloadBytes sum of the chunks' lengths in bytes
     * @param reservedCids number of reserved CIDs, which have no chunk
     * @param retiredIndexes number of indexes whose generations are used up
     * @param tablePages number of pages of the table
     * @param tableBytes sum of the table pages' sizes in bytes
     * @param densities histogram of the table pages by the share of their entries that have a chunk or are reserved
     */
    public record Creator(int nid, long chunks, long readOnlyChunks, long payloadBytes, long reservedCids,
                          long retiredIndexes, long tablePages, long tableBytes, List<Long> densities) {}
}
