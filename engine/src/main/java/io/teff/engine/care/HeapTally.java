package io.teff.engine.care;

import io.teff.engine.alloc.ChunkHeap;
import io.teff.engine.alloc.SizeClasses;
import io.teff.engine.config.DebugLevel;
import io.teff.engine.memory.RegionLayout;
import io.teff.engine.report.HeapReport;
import io.teff.engine.table.CidLayout;
import io.teff.engine.table.StoredLength;
import io.teff.engine.table.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Builds a heap report from the chunks, table pages, runs and free stretches that a walk over a store, or a reader of
 * its snapshot, reports. Its memory depends only on the number of creators and on the number of largest chunks
 * requested. For one thread.
 */
public final class HeapTally implements StoreVisitor<RuntimeException> {
    private static final int TENTHS = 10;
    /** Ranges of lengths: 0, 1 to 8, then one for each doubling. */
    private static final int FIRST_RANGE_SHIFT = 3;
    private static final int RANGES = RegionLayout.ADDRESS_BITS - FIRST_RANGE_SHIFT + 2;
    private static final Comparator<HeapReport.Chunk> SMALLEST_FIRST = Comparator
        .comparingLong(HeapReport.Chunk::bytes)
        .thenComparing((a, b) -> Long.compareUnsigned(b.cid(), a.cid()));

    private final DebugLevel level;
    private final long regionUnits;
    private final int largestCount;
    private final HeapCells map;
    private final long[] pages = new long[SizeClasses.COUNT];
    private final long[] slotsInUse = new long[SizeClasses.COUNT];
    private final long[] slotsClaimed = new long[SizeClasses.COUNT];
    private final long[] slotChunks = new long[SizeClasses.COUNT];
    private final long[] slotPayload = new long[SizeClasses.COUNT];
    private final long[] pageFills = new long[TENTHS];
    private final long[] rangeChunks = new long[RANGES];
    private final long[] rangePayload = new long[RANGES];
    private final TreeMap<Integer, CreatorTally> creators = new TreeMap<>();
    private final PriorityQueue<HeapReport.Chunk> largest = new PriorityQueue<>(SMALLEST_FIRST);
    private CreatorTally last = new CreatorTally(-1);
    private long slotPageUnits;
    private long runCount;
    private long runUnits;
    private long runChunks;
    private long runPayload;
    private long runTaken;
    private long tableUnits;
    private long freeUnits;
    private long freeTouchedUnits;

    /**
     * Creates an empty tally.
     *
     * @param level debug level of the store
     * @param end address behind the region
     * @param largestCount number of the largest chunks to list
     */
    public HeapTally(DebugLevel level, long end, int largestCount) {
        this.level = level;
        this.regionUnits = end - RegionLayout.FIRST_ADDRESS >>> RegionLayout.UNIT_SHIFT;
        this.largestCount = largestCount;
        this.map = new HeapCells(regionUnits);
    }

    /** The sums of one creator. */
    private static final class CreatorTally {
        private final int nid;
        private final long[] densities = new long[TENTHS];
        private long chunks;
        private long readOnly;
        private long payload;
        private long entries;
        private long reserved;
        private long retired;
        private long pages;

        CreatorTally(int nid) {
            this.nid = nid;
        }

        HeapReport.Creator report() {
            return new HeapReport.Creator(nid, chunks, readOnly, payload, reserved, retired, pages,
                pages * Table.PAGE_BYTES, list(densities));
        }
    }

    // ---- input ----

    @Override
    public void chunk(long cid, boolean readOnly, long address, long length) {
        CreatorTally creator = creator(CidLayout.nid(cid));
        creator.chunks++;
        creator.readOnly += readOnly ? 1 : 0;
        creator.payload += length;
        int range = rangeOf(length);
        rangeChunks[range]++;
        rangePayload[range] += length;
        long taken = ChunkHeap.takenBytes(StoredLength.bytes(length), level.ordinal());
        if (taken > SizeClasses.SLOT_BYTES_MAX || taken > 0 && level == DebugLevel.GUARD_PAGES) {
            runChunks++;
            runPayload += length;
            runTaken += taken;
        } else if (taken > 0) {
            int sizeClass = SizeClasses.classOf((int) taken);
            slotChunks[sizeClass]++;
            slotPayload[sizeClass] += length;
        }
        if (largest.size() < largestCount || largestCount > 0 && isLarger(cid, length, largest.element())) {
            largest.add(new HeapReport.Chunk(cid, length, readOnly));
            if (largest.size() > largestCount) {
                largest.remove();
            }
        }
    }

    private static boolean isLarger(long cid, long length, HeapReport.Chunk than) {
        return length > than.bytes() || length == than.bytes() && Long.compareUnsigned(cid, than.cid()) < 0;
    }

    private CreatorTally creator(int nid) {
        if (last.nid != nid) {
            last = creators.computeIfAbsent(nid, CreatorTally::new);
        }
        return last;
    }

    @Override
    public void table(int nid, long address, long firstIndex, int chunks, int reserved, int retired) {
        CreatorTally creator = creator(nid);
        creator.pages++;
        creator.entries += chunks;
        creator.reserved += reserved;
        creator.retired += retired;
        creator.densities[tenth(chunks + reserved, Table.PAGE_ENTRIES)]++;
        long units = Table.PAGE_BYTES / RegionLayout.UNIT_BYTES;
        tableUnits += units;
        map.addTable(unitOf(address), units);
    }

    @Override
    public void page(long address, int sizeClass, int inUse, int claimed) {
        int slots = SizeClasses.slotsInPage(sizeClass);
        long units = SizeClasses.pageBytes(sizeClass) / RegionLayout.UNIT_BYTES;
        pages[sizeClass]++;
        slotsInUse[sizeClass] += inUse;
        slotsClaimed[sizeClass] += claimed;
        pageFills[tenth(inUse, slots)]++;
        slotPageUnits += units;
        map.addSlotPage(unitOf(address), units, (double) inUse / slots);
    }

    @Override
    public void run(long address, long units) {
        runCount++;
        runUnits += units;
        map.addRun(unitOf(address), units);
    }

    @Override
    public void free(long address, long units, long touchedUnits) {
        freeUnits += units;
        freeTouchedUnits += touchedUnits;
        map.addFree(unitOf(address), units, touchedUnits);
    }

    private static long unitOf(long address) {
        return address - RegionLayout.FIRST_ADDRESS >>> RegionLayout.UNIT_SHIFT;
    }

    private static int tenth(int part, int whole) {
        return Math.min(part * TENTHS / whole, TENTHS - 1);
    }

    private static int rangeOf(long length) {
        return length == 0 ? 0
            : Math.max(Long.SIZE - Long.numberOfLeadingZeros(length - 1), FIRST_RANGE_SHIFT) - FIRST_RANGE_SHIFT + 1;
    }

    // ---- results ----

    /** Returns the number of units reported so far, in pages, runs and free stretches. */
    public long reportedUnits() {
        return slotPageUnits + runUnits + tableUnits + freeUnits;
    }

    /** Returns the committed bytes of the pages, runs and free stretches reported so far. */
    public long committedBytes() {
        return bytes(reportedUnits() - freeUnits + freeTouchedUnits);
    }

    /** Returns the first inconsistency among the sums, or null. Must be called after the whole walk. */
    public @Nullable String contradiction() {
        if (reportedUnits() != regionUnits) {
            return reportedUnits() + " units of a region of " + regionUnits;
        }
        for (CreatorTally creator : creators.values()) {
            if (creator.chunks != creator.entries) {
                return creator.entries + " entries of nid=" + creator.nid + ", which has "
                    + creator.chunks + " chunks";
            }
        }
        for (int c = 0; c < SizeClasses.COUNT; c++) {
            if (slotChunks[c] > slotsInUse[c]) {
                return slotsInUse[c] + " slots of " + SizeClasses.slotBytes(c) + " bytes in use for "
                    + slotChunks[c] + " chunks";
            }
        }
        return runChunks > runCount ? runCount + " runs for " + runChunks + " chunks" : null;
    }

    /** Returns the report. The arguments are values that a walk does not report. */
    public HeapReport report(int nid, boolean reserved, long committedBytes, long limitBytes) {
        List<HeapReport.Creator> known = creators.values().stream().map(CreatorTally::report).toList();
        return new HeapReport(nid, level, reserved, sum(rangeChunks), rangeChunks[0],
            known.stream().mapToLong(HeapReport.Creator::readOnlyChunks).sum(), sum(rangePayload),
            new HeapReport.Memory(limitBytes, bytes(regionUnits), committedBytes, bytes(slotPageUnits),
                bytes(runUnits), bytes(tableUnits), bytes(freeUnits), bytes(freeTouchedUnits)),
            sizeClasses(), new HeapReport.Runs(runCount, bytes(runUnits), runChunks, runPayload, runTaken - runPayload),
            list(pageFills), lengths(), largest.stream().sorted(SMALLEST_FIRST.reversed()).toList(), known, map);
    }

    private List<HeapReport.SizeClass> sizeClasses() {
        List<HeapReport.SizeClass> classes = new ArrayList<>();
        for (int c = 0; c < SizeClasses.COUNT; c++) {
            if (pages[c] > 0) {
                long slots = pages[c] * SizeClasses.slotsInPage(c);
                classes.add(new HeapReport.SizeClass(SizeClasses.slotBytes(c), SizeClasses.pageBytes(c), pages[c],
                    slots, slotsInUse[c], slotsClaimed[c], slotChunks[c], slotPayload[c],
                    slotChunks[c] * SizeClasses.slotBytes(c) - slotPayload[c], (double) slotsInUse[c] / slots));
            }
        }
        return List.copyOf(classes);
    }

    private List<HeapReport.Lengths> lengths() {
        List<HeapReport.Lengths> ranges = new ArrayList<>();
        for (int range = 0; range < RANGES; range++) {
            if (rangeChunks[range] > 0) {
                int shift = range + FIRST_RANGE_SHIFT - 1;
                ranges.add(new HeapReport.Lengths(range == 0 ? 0 : range == 1 ? 1 : (1L << shift - 1) + 1,
                    range == 0 ? 0 : 1L << shift, rangeChunks[range], rangePayload[range]));
            }
        }
        return List.copyOf(ranges);
    }

    private static long bytes(long units) {
        return units << RegionLayout.UNIT_SHIFT;
    }

    private static long sum(long[] values) {
        long sum = 0;
        for (long value : values) {
            sum += value;
        }
        return sum;
    }

    private static List<Long> list(long[] values) {
        List<Long> list = new ArrayList<>();
        for (long value : values) {
            list.add(value);
        }
        return List.copyOf(list);
    }
}
