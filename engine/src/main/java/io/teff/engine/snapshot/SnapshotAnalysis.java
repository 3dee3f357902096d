package io.teff.engine.snapshot;

import io.teff.engine.alloc.SizeClasses;
import io.teff.engine.care.HeapTally;
import io.teff.engine.config.DebugLevel;
import io.teff.engine.memory.RegionLayout;
import io.teff.engine.report.HeapReport;
import io.teff.engine.table.CidLayout;
import io.teff.engine.table.Table;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Computes the heap report of a snapshot file without restoring it. Checks the values of the map. */
final class SnapshotAnalysis implements SnapshotContent {
    private static final int UINT16 = 0xFFFF;

    private final BlockReader reader;
    private final int largestCount;
    private final MapCover cover = new MapCover();
    private @Nullable HeapTally tally;
    private long end;
    private long committedBytes;
    private long limitBytes;
    private boolean reserved;

    SnapshotAnalysis(BlockReader reader, int largestCount) {
        this.reader = reader;
        this.largestCount = largestCount;
    }

    /** Returns the report of the whole file. */
    HeapReport report(int nid) {
        HeapTally sums = tally();
        refuse(cover.end(end));
        refuse(sums.contradiction());
        require(reserved ? committedBytes == sums.committedBytes() : committedBytes >= sums.committedBytes(),
            "a region with " + committedBytes + " bytes committed, and " + sums.committedBytes() + " in its parts");
        return sums.report(nid, reserved, committedBytes, limitBytes);
    }

    private HeapTally tally() {
        HeapTally known = tally;
        if (known == null) {
            throw reader.damage("a map of the store's memory is missing in front of it");
        }
        return known;
    }

    @Override
    public void ids(long first, int count, int generation, int kind) {}

    @Override
    public void chunk(long cid, long length, boolean readOnly) {
        tally().chunk(cid, readOnly, 0, length);
    }

    @Override
    public void payload(ByteBuffer source, int count) {}

    // ---- map ----

    @Override
    public void map(ByteBuffer records) {
        while (records.hasRemaining()) {
            short kind = records.getShort();
            int first = records.getShort() & UINT16;
            int second = records.getShort() & UINT16;
            int third = records.getShort() & UINT16;
            long address = records.getLong();
            long middle = records.getLong();
            long lastWord = records.getLong();
            switch (kind) {
                case MapLayout.REGION -> region(first, second, third, address, middle, lastWord);
                case MapLayout.PAGE -> page(first, second, third, address, middle, lastWord);
                case MapLayout.RUN -> {
                    require((first | second | third) == 0 && lastWord == 0, "a run with reserved bits");
                    checkPlace(address, middle, RegionLayout.UNIT_BYTES);
                    refuse(cover.addRecord(address, middle));
                    tally().run(address, middle);
                }
                case MapLayout.TABLE -> table(first, second, third, address, middle, lastWord);
                case MapLayout.FREE -> {
                    require((first | second | third) == 0 && lastWord >= 0 && lastWord <= middle,
                        "invalid free units");
                    checkPlace(address, middle, RegionLayout.UNIT_BYTES);
                    refuse(cover.addRecord(address, middle));
                    tally().free(address, middle, lastWord);
                }
                default -> throw reader.damage("a record of kind " + kind + " in the map");
            }
        }
    }

    private void region(int level, int shape, int zero, long regionEnd, long committed, long limit) {
        require(tally == null, "a second region in the map");
        require(level < DebugLevel.values().length && shape <= MapLayout.SHAPE_BLOCKS && zero == 0
            && regionEnd >= RegionLayout.FIRST_ADDRESS && regionEnd % RegionLayout.BLOCK_BYTES == 0
            && regionEnd - RegionLayout.FIRST_ADDRESS <= RegionLayout.REGION_BYTES_MAX
            && committed >= 0 && committed <= RegionLayout.REGION_BYTES_MAX
            && limit > 0 && limit <= RegionLayout.REGION_BYTES_MAX, "an invalid region");
        end = regionEnd;
        committedBytes = committed;
        limitBytes = limit;
        reserved = shape == MapLayout.SHAPE_RESERVED;
        tally = new HeapTally(DebugLevel.values()[level], regionEnd, largestCount);
    }

    private void page(int slots, int inUse, int claimed, long address, long sizes, long zero) {
        int slotBytes = (int) sizes;
        int pageBytes = (int) (sizes >>> Integer.SIZE);
        require(slotBytes > 0 && slotBytes <= SizeClasses.SLOT_BYTES_MAX, "a page with slots of " + slotBytes);
        int sizeClass = SizeClasses.classOf(slotBytes);
        require(SizeClasses.slotBytes(sizeClass) == slotBytes && SizeClasses.pageBytes(sizeClass) == pageBytes
            && SizeClasses.slotsInPage(sizeClass) == slots && inUse + claimed <= slots && zero == 0,
            "an invalid page");
        checkPlace(address, pageBytes / RegionLayout.UNIT_BYTES, pageBytes);
        refuse(cover.addRecord(address, pageBytes / RegionLayout.UNIT_BYTES));
        tally().page(address, sizeClass, inUse, claimed);
    }

    private void table(int nid, int chunks, int reservedCids, long address, long firstIndex, long retired) {
        require(nid <= CidLayout.NID_MAX && retired >= 0 && retired <= Table.PAGE_ENTRIES
            && chunks + reservedCids + retired <= Table.PAGE_ENTRIES
            && firstIndex >= 0 && firstIndex <= CidLayout.INDEX_MAX && firstIndex % Table.PAGE_ENTRIES == 0,
            "an invalid page of the table");
        checkPlace(address, Table.PAGE_BYTES / RegionLayout.UNIT_BYTES, Table.PAGE_BYTES);
        refuse(cover.addTable(nid, firstIndex, address));
        tally().table(nid, address, firstIndex, chunks, reservedCids, (int) retired);
    }

    /** Checks that a record lies in the region, and that all records together are not larger than the region. */
    private void checkPlace(long address, long units, long alignment) {
        long regionUnits = end - RegionLayout.FIRST_ADDRESS >>> RegionLayout.UNIT_SHIFT;
        if (units > regionUnits - tally().reportedUnits() || address < RegionLayout.FIRST_ADDRESS || address >= end
            || address % alignment != 0 || units <= 0 || units > end - address >>> RegionLayout.UNIT_SHIFT) {
            throw reader.damage("address=" + address + " units=" + units
                + " in the map are outside the region, or too many");
        }
    }

    private void refuse(@Nullable String contradiction) {
        if (contradiction != null) {
            throw reader.damage(contradiction + " in the map");
        }
    }

    private void require(boolean isValid, String damage) {
        if (!isValid) {
            throw reader.damage(damage);
        }
    }
}
