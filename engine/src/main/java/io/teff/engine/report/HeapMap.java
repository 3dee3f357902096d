package io.teff.engine.report;

/**
 * The memory of a region in order of addresses, cut into cells of one size: how many bytes of each cell belong to what.
 * A small store has cells of one unit, 4 KiB; a larger one has larger cells, but never more than {@link #CELLS_MAX}.
 * Cannot be changed once it is in a report.
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
     * Bytes in pages of slots.
     *
     * @param cell index of a cell
     * @return bytes, headers and free slots included
     */
    long slotPageBytes(int cell);

    /**
     * Bytes in runs of large chunks.
     *
     * @param cell index of a cell
     * @return bytes
     */
    long runBytes(int cell);

    /**
     * Bytes in pages of the chunk table.
     *
     * @param cell index of a cell
     * @return bytes
     */
    long tableBytes(int cell);

    /**
     * Bytes that nothing uses.
     *
     * @param cell index of a cell
     * @return bytes
     */
    long freeBytes(int cell);

    /**
     * Bytes that nothing uses and that hold memory of the machine nevertheless.
     *
     * @param cell index of a cell
     * @return bytes, at most {@link #freeBytes}
     */
    long freeCommittedBytes(int cell);

    /**
     * The share of slots in use in a cell's pages of slots, each page weighing what it has of the cell.
     *
     * @param cell index of a cell
     * @return 0 to 1; 0 if it has no such page
     */
    double fill(int cell);
}
