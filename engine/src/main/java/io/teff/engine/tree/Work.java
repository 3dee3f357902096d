package io.teff.engine.tree;

import io.teff.engine.codec.Input;
import io.teff.engine.codec.Output;
import org.jspecify.annotations.Nullable;

/** What one operation on a tree has at hand: a key, its entry, buffers, and the place that was found. */
final class Work {
    private static final int BYTES_FIRST = NodeLayout.VALUE_BYTES_MAX;
    private static final int SCRATCH_BYTES = 64;
    /** Buffers that have grown beyond it are not kept. */
    private static final int BYTES_KEPT = 1 << 20;

    /** What is searched: the key, how, and on which level. */
    final TreeKey key = new TreeKey();
    Search search = Search.FLOOR;
    int level;
    /** Whether to copy the value to {@link #bytes}, if it is not outside. */
    boolean isValueWanted;

    /**
     * Where the search has ended: the node, its level, the entry before the key or at it, and whether it is the key's.
     */
    long node;
    int nodeLevel;
    int index;
    boolean isExact;
    /** The node that the search has come to by the right neighbour's CID, not from its parent; or NONE. */
    long unindexed;

    /** Where the value is in the node, and the chunk of a value outside or NONE. Only if it is exact. */
    long valueFrom;
    int valueLength;
    long outside;

    /** What is put: the key's part and the value. */
    final Output entry = Output.growing(BYTES_FIRST);
    final Input in = new Input(new byte[0], 0, 0);
    /** What was read. */
    byte[] bytes = new byte[BYTES_FIRST];

    /** A node that a change has made, which its parent does not know yet; or NONE. */
    long made;
    int madeLevel;
    final TreeKey madeKey = new TreeKey();
    /** Whether a change has left a node with little in it. */
    boolean isSparse;
    /** Whether a change has given a node other memory. */
    boolean isMoved;
    /** Of no use, see {@link TreeNode}. */
    long fetched;
    /** How many nodes were joined. */
    int joins;
    /** How often a search has gone to the right. */
    int rights;

    /** Copies of nodes. */
    private @Nullable NodeBytes whole;
    private @Nullable NodeBytes left;
    private @Nullable NodeBytes right;
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
        entry.clear();
        key.putPart(entry);
        return entry;
    }

    void growBytes() {
        bytes = new byte[Math.toIntExact(Math.min(bytes.length * 2L, Integer.MAX_VALUE - 8))];
    }

    boolean isKept() {
        return bytes.length <= BYTES_KEPT && entry.array().length <= BYTES_KEPT;
    }
}
