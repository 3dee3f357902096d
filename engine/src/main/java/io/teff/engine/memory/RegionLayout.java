package io.teff.engine.memory;

/**
 * Layout of a region's address space.
 * <pre>
 *  0            4 MiB         8 MiB
 *  +-------------+-------------+-------------+----
 *  | never valid |   block 1   |   block 2   | ...       block = 1,024 units of 4 KiB
 *  +-------------+-------------+-------------+----
 * </pre>
 * An address is a byte offset in this space; it needs {@link #ADDRESS_BITS} bits.
 */
public final class RegionLayout {
    /** Bits of an address: 8 TiB. */
    public static final int ADDRESS_BITS = 43;
    /** log2 of a block's bytes. */
    public static final int BLOCK_SHIFT = 22;
    /** Size of a block in bytes, the step in which a region grows. */
    public static final long BLOCK_BYTES = 1L << BLOCK_SHIFT;
    /** log2 of a unit's bytes. */
    public static final int UNIT_SHIFT = 12;
    /** Size of a unit in bytes, the smallest piece that is handed out or given back. */
    public static final int UNIT_BYTES = 1 << UNIT_SHIFT;
    /** Units in a block. */
    public static final int UNITS_PER_BLOCK = 1 << (BLOCK_SHIFT - UNIT_SHIFT);
    /** Index of the first block, so that address 0 and small numbers are never valid. */
    public static final int FIRST_BLOCK = 1;
    /** The smallest valid address. */
    public static final long FIRST_ADDRESS = FIRST_BLOCK * BLOCK_BYTES;
    /** The largest size of a region in bytes. */
    public static final long REGION_BYTES_MAX = (1L << ADDRESS_BITS) - FIRST_ADDRESS;

    private RegionLayout() {}

    /**
     * Converts a block index to an address.
     *
     * @param block index of a block, from {@link #FIRST_BLOCK}
     * @return address of its first byte
     */
    public static long blockAddress(int block) {
        return (long) block << BLOCK_SHIFT;
    }

    /**
     * Converts an address to the index of its block.
     *
     * @param address any address
     * @return index of the block that holds it
     */
    public static int blockOf(long address) {
        return (int) (address >>> BLOCK_SHIFT);
    }
}
