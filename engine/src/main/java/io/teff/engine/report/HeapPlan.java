package io.teff.engine.report;

import io.teff.engine.alloc.ChunkHeap;
import io.teff.engine.alloc.SizeClasses;
import io.teff.engine.config.DebugLevel;
import io.teff.engine.config.Limits;
import io.teff.engine.memory.RegionLayout;
import io.teff.engine.table.CidLayout;
import io.teff.engine.table.EntryWord;
import io.teff.engine.table.StoredLength;
import io.teff.engine.table.Table;
import java.math.BigInteger;
import java.util.List;

/**
 * The memory for planned chunks in a store without other chunks, filled by a single thread without removes. The plan is
 * computed from the store's size classes and page sizes: a plan allocates no chunks, and the time to compute it does
 * not depend on the number of chunks.
 *
 * <p>{@link #usedBytes} predicts {@link StoreStats#usedBytes} and, with native access,
 * {@link StoreStats#committedBytes}. Without native access a store commits up to 128 MiB more, because it grows in
 * steps. Removes and changes of lengths leave free slots that the plan does not include;
 * {@link io.teff.engine.Store#defragment} reclaims them. Immutable.
 *
 * @param chunks number of chunks
 * @param payloadBytes sum of the chunks' lengths in bytes
 * @param tableBytes bytes of the chunk table
 * @param wasteBytes bytes of slots and runs beyond the lengths of their chunks
 * @param headerBytes bytes of headers and unusable ends of slot pages
 * @param freeSlotBytes bytes of free slots in the last page of each size class
 * @param usedBytes sum of the bytes of the payload, table, waste, headers and free slots
 * @param furtherThreadBytes maximum of additional bytes for each further thread that creates such chunks at the same
 *     time: a page of each size class, and a page of the table
 */
public record HeapPlan(long chunks, long payloadBytes, long tableBytes, long wasteBytes, long headerBytes,
                       long freeSlotBytes, long usedBytes, long furtherThreadBytes) {
    private static final BigInteger TWO = BigInteger.TWO;

    /**
     * A number of planned chunks with lengths that are distributed uniformly over a range.
     *
     * @param chunks number of chunks, 0 to 2^40 - 1
     * @param bytesMin the shortest length in bytes, from 0
     * @param bytesMax the longest length in bytes, from {@code bytesMin} to {@link Limits#CHUNK_BYTES_MAX}
     */
    public record Load(long chunks, long bytesMin, long bytesMax) {
        /**
         * Checks the ranges.
         *
         * @throws IllegalArgumentException if a value is out of range
         */
        public Load {
            if (chunks < 0 || chunks > CidLayout.INDEX_MAX) {
                throw new IllegalArgumentException("chunks=" + chunks + " is outside of 0.." + CidLayout.INDEX_MAX);
            }
            if (bytesMin < 0 || bytesMin > bytesMax || bytesMax > Limits.CHUNK_BYTES_MAX) {
                throw new IllegalArgumentException("lengths " + bytesMin + " to " + bytesMax
                    + " are not a range inside 0.." + Limits.CHUNK_BYTES_MAX);
            }
        }
    }

    /**
     * Computes the memory that the chunks of several loads take in one store.
     *
     * @param loads the planned chunks
     * @return the plan
     * @throws IllegalArgumentException if the loads have more than 2^40 - 1 chunks or 2^63 - 1 bytes
     */
    public static HeapPlan of(List<Load> loads) {
        Sums sums = new Sums();
        for (Load load : loads) {
            sums.add(load);
        }
        try {
            return sums.plan();
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException("the planned chunks have more than 2^63 - 1 bytes", e);
        }
    }

    /** {@return bytes beyond the payload per chunk: (used - payload) / chunks; 0 without chunks} */
    public double overheadPerChunk() {
        return chunks == 0 ? 0 : (double) (usedBytes - payloadBytes) / chunks;
    }

    /** {@return whether one store can hold the planned chunks} */
    public boolean fitsOneStore() {
        return usedBytes <= Limits.MEMORY_BYTES_MAX;
    }

    /** Sums of loads, computed exactly: a fraction of a chunk is carried over to the next length. */
    private static final class Sums {
        private final long[] slotChunks = new long[SizeClasses.COUNT];
        private long chunks;
        private BigInteger payload = BigInteger.ZERO;
        private BigInteger runBytes = BigInteger.ZERO;

        void add(Load load) {
            chunks += load.chunks();
            if (chunks > CidLayout.INDEX_MAX) {
                throw new IllegalArgumentException("chunks=" + chunks + " exceeds " + CidLayout.INDEX_MAX);
            }
            BigInteger count = BigInteger.valueOf(load.chunks());
            payload = payload.add(count.multiply(BigInteger.valueOf(load.bytesMin() + load.bytesMax())).divide(TWO));
            BigInteger lengths = BigInteger.valueOf(load.bytesMax() - load.bytesMin() + 1);
            long chunksBefore = 0;
            for (long length = load.bytesMin(); length <= load.bytesMax(); ) {
                long taken = takenBytes(length);
                if (taken > SizeClasses.SLOT_BYTES_MAX) {
                    runBytes = runBytes.add(count.multiply(takenByRuns(length, load.bytesMax())).divide(lengths));
                    return;
                }
                long last = length == 0 ? 0 : Math.min(longestOfSameSize(length), load.bytesMax());
                BigInteger lengthsUpTo = BigInteger.valueOf(last - load.bytesMin() + 1);
                long chunksUpTo = count.multiply(lengthsUpTo).divide(lengths).longValue();
                if (taken > 0) {
                    slotChunks[SizeClasses.classOf((int) taken)] += chunksUpTo - chunksBefore;
                }
                chunksBefore = chunksUpTo;
                length = last + 1;
            }
        }

        /**
         * Returns the bytes of the runs for one chunk of each length in a range: the lengths, rounded up to whole
         * units.
         */
        private static BigInteger takenByRuns(long first, long last) {
            long units = takenBytes(first) >>> RegionLayout.UNIT_SHIFT;
            long lastUnits = takenBytes(last) >>> RegionLayout.UNIT_SHIFT;
            if (units == lastUnits) {
                return bytes(units, last - first + 1);
            }
            long afterFirst = longestOfSameSize(first) + 1;
            long firstOfLast = longestOfSameSize(last) + 1 - RegionLayout.UNIT_BYTES;
            BigInteger between = BigInteger.valueOf(units + lastUnits)
                .multiply(BigInteger.valueOf(lastUnits - units - 1)).divide(TWO)
                .shiftLeft(2 * RegionLayout.UNIT_SHIFT);
            return bytes(units, afterFirst - first).add(between).add(bytes(lastUnits, last - firstOfLast + 1));
        }

        private static long takenBytes(long length) {
            return ChunkHeap.takenBytes(StoredLength.bytes(length), DebugLevel.OFF.ordinal());
        }

        /** Returns the longest length that takes the same memory as a length other than 0. */
        private static long longestOfSameSize(long length) {
            long taken = takenBytes(length);
            return StoredLength.isInFront(length) ? taken - StoredLength.FRONT_BYTES
                : Math.min(taken, EntryWord.LENGTH_EMBEDDED_MAX);
        }

        private static BigInteger bytes(long units, long count) {
            return BigInteger.valueOf(units << RegionLayout.UNIT_SHIFT).multiply(BigInteger.valueOf(count));
        }

        HeapPlan plan() {
            BigInteger taken = runBytes;
            BigInteger headers = BigInteger.ZERO;
            BigInteger free = BigInteger.ZERO;
            long further = chunks == 0 ? 0 : Table.PAGE_BYTES;
            for (int c = 0; c < SizeClasses.COUNT; c++) {
                if (slotChunks[c] > 0) {
                    long slots = SizeClasses.slotsInPage(c);
                    long pages = (slotChunks[c] + slots - 1) / slots;
                    BigInteger slot = BigInteger.valueOf(SizeClasses.slotBytes(c));
                    taken = taken.add(slot.multiply(BigInteger.valueOf(slotChunks[c])));
                    free = free.add(slot.multiply(BigInteger.valueOf(pages * slots - slotChunks[c])));
                    headers = headers.add(BigInteger.valueOf(pages)
                        .multiply(BigInteger.valueOf(SizeClasses.pageBytes(c) - slots * SizeClasses.slotBytes(c))));
                    further += SizeClasses.pageBytes(c);
                }
            }
            long tablePages = chunks == 0 ? 0 : chunks / Table.PAGE_ENTRIES + 1;    // index 0 is never issued
            BigInteger table = BigInteger.valueOf(tablePages * Table.PAGE_BYTES);
            BigInteger used = taken.add(free).add(headers).add(table);
            return new HeapPlan(chunks, payload.longValueExact(), table.longValueExact(),
                taken.subtract(payload).longValueExact(), headers.longValueExact(), free.longValueExact(),
                used.longValueExact(), further);
        }
    }
}
