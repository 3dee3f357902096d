package io.teff.engine.report;

/**
 * The use of a region's memory in order of addresses, in cells of one size: bytes of each cell by kind of use. A small
 * store has cells of one unit, 4 KiB; a larger one has larger cells, but never more than {@link #CELLS_MAX}. Immutable
 * in a report.
 */
public interface HeapMap {
    /** The most cells: enough for a picture of 256 by 256, and 1.5 MiB of heap. */
    int CELLS_MAX = 1 << 16;

    /** {@return number of cells; 0 for a region that never grew} */
    int cellCount();

    /** {@return bytes of a cell, a power of two; the last one may reach beyond the region} */
    long cellBytes();

    /** {@return bytes of the region} */
    long regionBytes();

    /**
     * Returns the bytes in slot pages.
     *
     * @param cell index of a cell
     * @return bytes, headers and free slots included
     */
    long slotPageBytes(int cell);

    /**
     * Returns the bytes in runs of large chunks.
     *
     * @param cell index of a cell
     * @return bytes
     */
    long runBytes(int cell);

    /**
     * Returns the bytes in pages of the chunk table.
     *
     * @param cell index of a cell
     * @return bytes
     */
    long tableBytes(int cell);

    /**
     * Returns the free bytes.
     *
     * @param cell index of a cell
     * @return bytes
     */
    long freeBytes(int cell);

    /**
     * Returns the free bytes that still hold memory of the machine.
     *
     * @param cell index of a cell
     * @return bytes, at most {@link #freeBytes}
     */
    long freeCommittedBytes(int cell);

    /**
     * Returns the share of slots in use in the slot pages of a cell, each page weighted by the part of it that lies in
     * the cell.
     *
     * @param cell index of a cell
     * @return 0 to 1; 0 if the cell has no such page
     */
    double fill(int cell);
}
