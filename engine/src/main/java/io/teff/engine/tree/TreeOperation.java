package io.teff.engine.tree;

import io.teff.engine.codec.Output;
import io.teff.engine.storage.CodecBuffers;
import org.jspecify.annotations.Nullable;

/**
 * The state of one operation on a tree: a key, its entry (the key's part and the value) in the output, buffers, and
 * the position that was found.
 */
final class TreeOperation extends CodecBuffers {
    private static final int BOUND_BYTES = 64;

    /** The search: its key, target and level. */
    final TreeKey key = new TreeKey();
    Search search = Search.FLOOR;
    int level;
    /** Whether to copy the value to {@link #bytes()}, unless it is an overflow value. */
    boolean isValueWanted;

    /**
     * The end of the search: the node, its level, the last entry at or before the key, and whether that entry has the
     * key.
     */
    long node;
    int nodeLevel;
    int index;
    boolean isExact;
    /**
     * Level of the node to which the last link led, and whether the link was a left neighbour's instead of a parent's.
     */
    int linkLevel;
    boolean isRight;
    /** The node reached by the search from its left neighbour instead of its parent; or NONE. */
    long unindexed;

    /** Position of the value in the node, and its overflow chunk or NONE. Valid only if the key was found. */
    long valueFrom;
    int valueLength;
    long overflow;

    /** A node created by a change, without an entry in its parent yet; or NONE. */
    long made;
    int madeLevel;
    /** Whether the writer lock of the created node is held. */
    boolean isMadeLocked;
    final TreeKey madeKey = new TreeKey();
    /** Whether a change has left a sparse node. */
    boolean isSparse;
    /** Whether a change has moved a node to other memory. */
    boolean isMoved;
    /** Sum of prefetched words, stored so that the loads are not removed, see {@link TreeNode}. */
    long fetched;
    /** Number of joins. */
    int joins;

    /** Copies of nodes. */
    private @Nullable NodeBytes whole;
    private @Nullable NodeBytes left;
    private @Nullable NodeBytes right;
    /** Bounds and position of a walk. */
    final TreeKey low = new TreeKey();
    final TreeKey high = new TreeKey();
    final TreeKey place = new TreeKey();
    /** Key of the slot that is compared. */
    final TreeKey slotKey = new TreeKey();
    /** Buffer to encode a bound. */
    final Output boundBuffer = Output.growing(BOUND_BYTES);

    /** Prepares a search in the leaves. */
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

    /** Reduces the output to the key's part; the caller writes the value behind it. */
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
