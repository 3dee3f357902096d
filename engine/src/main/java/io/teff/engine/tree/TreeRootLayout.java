package io.teff.engine.tree;

/**
 * Layout of a sorted map's root in its chunk.
 * <pre>
 *  0           4              8           16             24
 *  +-----------+--------------+-----------+--------------+
 *  | magic (4) | version (4)  | order (8) | top node (8) |
 *  +-----------+--------------+-----------+--------------+
 *
 *  order   0: keys are heads; 1: keys are ordered by their bytes; 2: by a comparator of objects
 * </pre>
 */
final class TreeRootLayout {
    static final int MAGIC = 0x544F_5254;
    static final int VERSION = 1;
    static final int MAGIC_AT = 0;
    static final int ORDER_AT = 8;
    static final int TOP_AT = 16;
    static final int BYTES = 24;

    private TreeRootLayout() {}
}
