package io.teff.engine.care;

import io.teff.engine.memory.RegionLayout;
import io.teff.engine.report.HeapMap;

/**
 * The map of a region's memory, filled by {@link HeapTally}: counts of units per cell and kind. For one thread until
 * it is in a report, immutable from then on.
 */
final class HeapCells implements HeapMap {
    private final long regionUnits;
    private final int cellShift;
    private final int[] slotPages;
    private final int[] runs;
    private final int[] tables;
    private final int[] free;
    private final int[] freeTouched;
    /** Units of slot pages, each multiplied by the share of its page's slots that are in use. */
    private final float[] filled;

    HeapCells(long regionUnits) {
        this.regionUnits = regionUnits;
        int shift = 0;
        while (regionUnits + (1L << shift) - 1 >>> shift > CELLS_MAX) {
            shift++;
        }
        cellShift = shift;
        int count = (int) (regionUnits + (1L << shift) - 1 >>> shift);
        slotPages = new int[count];
        runs = new int[count];
        tables = new int[count];
        free = new int[count];
        freeTouched = new int[count];
        filled = new float[count];
    }

    // ---- filling; units are counted from the region's first ----

    void addSlotPage(long unit, long units, double fill) {
        add(slotPages, unit, units);
        for (long at = unit; at < unit + units; at++) {
            filled[(int) (at >>> cellShift)] += (float) fill;
        }
    }

    void addRun(long unit, long units) {
        add(runs, unit, units);
    }

    void addTable(long unit, long units) {
        add(tables, unit, units);
    }

    /**
     * Adds a free stretch. The touched units of a stretch are unknown; touched units are attributed to the first cells.
     */
    void addFree(long unit, long units, long touchedUnits) {
        add(free, unit, units);
        add(freeTouched, unit, touchedUnits);
    }

    private void add(int[] cells, long unit, long units) {
        long end = unit + units;
        for (long at = unit; at < end; ) {
            long next = Math.min((at >>> cellShift) + 1 << cellShift, end);
            cells[(int) (at >>> cellShift)] += (int) (next - at);
            at = next;
        }
    }

    // ---- reading ----

    @Override
    public int cellCount() {
        return free.length;
    }

    @Override
    public long cellBytes() {
        return (long) RegionLayout.UNIT_BYTES << cellShift;
    }

    @Override
    public long regionBytes() {
        return regionUnits << RegionLayout.UNIT_SHIFT;
    }

    @Override
    public long slotPageBytes(int cell) {
        return bytes(slotPages, cell);
    }

    @Override
    public long runBytes(int cell) {
        return bytes(runs, cell);
    }

    @Override
    public long tableBytes(int cell) {
        return bytes(tables, cell);
    }

    @Override
    public long freeBytes(int cell) {
        return bytes(free, cell);
    }

    @Override
    public long freeCommittedBytes(int cell) {
        return bytes(freeTouched, cell);
    }

    @Override
    public double fill(int cell) {
        return slotPages[cell] == 0 ? 0 : Math.min((double) filled[cell] / slotPages[cell], 1);
    }

    private static long bytes(int[] units, int cell) {
        return (long) units[cell] << RegionLayout.UNIT_SHIFT;
    }
}
