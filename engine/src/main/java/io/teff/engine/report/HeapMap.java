package io.teff.engine.report;

/**
 * A map of a region's memory in order of addresses, divided into cells of equal size: the bytes of each cell by kind of
 * use. The cells of a small store have one unit, 4 KiB; a larger store has larger cells, at most {@link #CELLS_MAX}.
 * Immutable in a report. A cell index outside 0 to {@code cellCount() - 1} throws {@link IndexOutOfBoundsException}.
 */
public interface HeapMap {
    /** Maximum number of cells: enough for an image of 256 by 256 pixels; they take 1.5 MiB of Java heap. */
    int CELLS_MAX = 1 << 16;

    /** {@return number of cells; 0 for an empty region} */
    int cellCount();

    /** {@return size of a cell in bytes, a power of two; the last cell may extend beyond the region} */
    long cellBytes();

    /** {@return size of the region in bytes} */
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
     * Returns the free bytes that are still committed, that is, backed by memory of the machine.
     *
     * @param cell index of a cell
     * @return bytes, at most {@link #freeBytes}
     */
    long freeCommittedBytes(int cell);

    /**
     * Returns the share of slots in use in the slot pages of a cell. Each page has the weight of the part of the page
     * that lies in the cell.
     *
     * @param cell index of a cell
     * @return 0 to 1; 0 if the cell has no slot page
     */
    double fill(int cell);
}
