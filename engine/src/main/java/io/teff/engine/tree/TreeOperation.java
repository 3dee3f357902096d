package io.teff.engine.tree;

import io.teff.engine.codec.Output;
import io.teff.engine.storage.CodecBuffers;
import org.jspecify.annotations.Nullable;

/**
 * What one operation on a tree has at hand: a key, its entry (the key's part and the value) in the output, buffers, and
 * the place that was found.
 */
final class TreeOperation extends CodecBuffers {
    private static final int SCRATCH_BYTES = 64;

    /** What is searched: the key, how, and on which level. */
    final TreeKey key = new TreeKey();
    Search search = Search.FLOOR;
    int level;
    /** Whether to copy the value to {@link #bytes()}, if it is not outside. */
    boolean isValueWanted;

    /**
     * Where the search has ended: the node, its level, the entry before the key or at it, and whether it is the key's.
     */
    long node;
    int nodeLevel;
    int index;
    boolean isExact;
    /** Level of the node that the search was led to last, and whether by its left neighbour instead of its parent. */
    int linkLevel;
    boolean isRight;
    /** The node that the search has come to by the right neighbour's CID, not from its parent; or NONE. */
    long unindexed;

    /** Where the value is in the node, and the chunk of a value outside or NONE. Only if it is exact. */
    long valueFrom;
    int valueLength;
    long overflow;

    /** A node that a change has made, which its parent does not know yet; or NONE. */
    long made;
    int madeLevel;
    /** Whether its lane is held. */
    boolean isMadeLocked;
    final TreeKey madeKey = new TreeKey();
    /** Whether a change has left a node with little in it. */
    boolean isSparse;
    /** Whether a change has given a node other memory. */
    boolean isMoved;
    /** Of no use, see {@link TreeNode}. */
    long fetched;
    /** How many nodes were joined. */
    int joins;

    /** Copies of nodes. */
    private @Nullable NodeBytes whole;
    private @Nullable NodeBytes left;
    private @Nullable NodeBytes right;
    /** Where a walk begins and ends, and where it is. */
    final TreeKey low = new TreeKey();
    final TreeKey high = new TreeKey();
    final TreeKey place = new TreeKey();
    /** A key of the node that is looked at. */
    final TreeKey other = new TreeKey();
    final Output scratch = Output.growing(SCRATCH_BYTES);

    /** A key is about to be searched in the leaves. */
    void begin() {
        search = Search.FLOOR;
        level = 0;
        isValueWanted = false;
        unindexed = NodeLayout.NONE;
        made = NodeLayout.NONE;
        isSparse = false;
        isMoved = false;
    }

    NodeBytes whole() {
        NodeBytes known = whole;
        if (known == null) {
            known = new NodeBytes();
            whole = known;
        }
        return known;
    }

    NodeBytes left() {
        NodeBytes known = left;
        if (known == null) {
            known = new NodeBytes();
            left = known;
        }
        return known;
    }

    NodeBytes right() {
        NodeBytes known = right;
        if (known == null) {
            known = new NodeBytes();
            right = known;
        }
        return known;
    }

    /** Makes the entry the key's part alone; the value is to be written behind it. */
    Output beginEntry() {
        if (key.length > NodeLayout.KEY_BYTES_MAX) {
            throw new IllegalArgumentException("a key of " + key.length + " bytes; a sorted map has keys of up to "
                + NodeLayout.KEY_BYTES_MAX);
        }
        Output entry = out();
        entry.clear();
        key.putPart(entry);
        return entry;
    }
}
