package io.teff.engine;

import io.teff.engine.memory.RegionLayout;

/**
 * The memory of a region in order of addresses, cut into cells of one size: how many bytes of each cell belong to what.
 * A small store has cells of one unit, 4 KiB; a larger one has larger cells, but never more than {@link #CELLS_MAX}.
 * Cannot be changed once it is in a report.
 */
public final class HeapMap {
    /** The most cells: enough for a picture of 256 by 256, and 1.5 MiB of heap. */
    public static final int CELLS_MAX = 1 << 16;

    private final long regionUnits;
    private final int cellShift;
    private final int[] slotPages;
    private final int[] runs;
    private final int[] tables;
    private final int[] free;
    private final int[] freeTouched;
    /** Units of pages of slots, each times the share of its page's slots that is in use. */
    private final float[] filled;

    HeapMap(long regionUnits) {
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

    /** Where in a free stretch the touched units are is not known: the first cells get them. */
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

    /** {@return number of cells; 0 for a region that never grew} */
    public int cellCount() {
        return free.length;
    }

    /** {@return bytes of a cell, a power of two; the last one may reach beyond the region} */
    public long cellBytes() {
        return (long) RegionLayout.UNIT_BYTES << cellShift;
    }

    /** {@return bytes of the region} */
    public long regionBytes() {
        return regionUnits << RegionLayout.UNIT_SHIFT;
    }

    /**
     * Bytes in pages of slots.
     *
     * @param cell index of a cell
     * @return bytes, headers and free slots included
     */
    public long slotPageBytes(int cell) {
        return bytes(slotPages, cell);
    }

    /**
     * Bytes in runs of large chunks.
     *
     * @param cell index of a cell
     * @return bytes
     */
    public long runBytes(int cell) {
        return bytes(runs, cell);
    }

    /**
     * Bytes in pages of the chunk table.
     *
     * @param cell index of a cell
     * @return bytes
     */
    public long tableBytes(int cell) {
        return bytes(tables, cell);
    }

    /**
     * Bytes that nothing uses.
     *
     * @param cell index of a cell
     * @return bytes
     */
    public long freeBytes(int cell) {
        return bytes(free, cell);
    }

    /**
     * Bytes that nothing uses and that hold memory of the machine nevertheless.
     *
     * @param cell index of a cell
     * @return bytes, at most {@link #freeBytes}
     */
    public long freeCommittedBytes(int cell) {
        return bytes(freeTouched, cell);
    }

    /**
     * The share of slots in use in a cell's pages of slots, each page weighing what it has of the cell.
     *
     * @param cell index of a cell
     * @return 0 to 1; 0 if it has no such page
     */
    public double fill(int cell) {
        return slotPages[cell] == 0 ? 0 : Math.min((double) filled[cell] / slotPages[cell], 1);
    }

    private static long bytes(int[] units, int cell) {
        return (long) units[cell] << RegionLayout.UNIT_SHIFT;
    }
}
