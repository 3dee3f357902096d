package io.teff.engine.tree;

import io.teff.engine.error.Status;
import io.teff.engine.storage.ChunkIndex;
import io.teff.engine.storage.CollectionChunks;
import io.teff.engine.storage.CollectionCounters;
import java.util.Arrays;

/**
 * The operations on all nodes of a tree: create the first node, count and check all nodes, clear the tree and remove
 * it.
 */
final class TreeCare {
    private final BLinkTree tree;
    private final CollectionChunks chunks;
    private final KeyOrder<?> order;

    TreeCare(BLinkTree tree) {
        this.tree = tree;
        this.chunks = tree.chunks;
        this.order = tree.order;
    }

    /** Creates the root of an empty tree. */
    static TreeRoot make(CollectionChunks chunks, KeyOrder<?> order) {
        final NodeBytes leaf = new NodeBytes();
        leaf.begin(0, NodeLayout.FIRST | NodeLayout.LAST, NodeLayout.NONE, 0, 0, order.isByHead(),
            NodeLayout.NODE_BYTES_MAX);
        final long top = chunks.create(leaf.bytes(), 0, leaf.length());
        boolean isDone = false;
        try {
            final TreeRoot root = TreeRoot.make(chunks, order.kind(), top);
            isDone = true;
            return root;
        } finally {
            if (!isDone) {
                chunks.remove(top);
            }
        }
    }

    // ---- count and check ----

    /** Counts and checks a tree that has no users yet. */
    void open() {
        count(tree.counters);
    }

    /** Recomputes all counters while writers wait. */
    void audit() {
        tree.growth().runExclusively(() -> {
            final CollectionCounters counted = new CollectionCounters();
            count(counted);
            final CollectionCounters known = tree.counters;
            if (counted.entries() != known.entries() || counted.memoryBytes() != known.memoryBytes()) {
                throw damaged(tree.root.cid(), "has " + counted.entries() + " entries in " + counted.memoryBytes()
                    + " bytes, counted were " + known.entries() + " in " + known.memoryBytes());
            }
        });
    }

    private void count(CollectionCounters counted) {
        counted.memoryApart(tree.costOf(TreeRootLayout.BYTES));
        final NodeBytes node = new NodeBytes();
        final long top = tree.root.top();
        copy(top, node);
        Children known = new Children();
        known.add(top);
        for (int level = node.level(); level >= 0; level--) {
            known = countLevel(known, level, counted);
        }
    }

    /**
     * Counts the nodes of a level, some of which are known from their parents; returns the children that this level
     * names.
     */
    private Children countLevel(Children known, int level, CollectionCounters counted) {
        final NodeBytes node = new NodeBytes();
        final TreeKey bound = new TreeKey();
        final TreeKey slotKey = new TreeKey();
        final Children below = new Children();
        final long first = known.cids[0];
        int met = 0;
        long cid = first;
        for (boolean isMore = true; isMore; ) {
            met += met < known.count && known.cids[met] == cid ? 1 : 0;
            copy(cid, node);
            check(cid, node.isSound() && node.level() == level, "is not a node of level " + level);
            check(cid, node.isFirst() == (cid == first), "has a low bound, or none, where it should not");
            check(cid, node.isFirst() || node.compareLow(order, bound, slotKey) == 0,
                "does not begin where its left neighbour ends");
            checkKeys(cid, node);
            counted.memory(cid, tree.costOf(node.length()));
            if (level == 0) {
                counted.count(cid, node.count());
                countOverflow(cid, node, counted);
            } else {
                check(cid, node.count() > 0, "has no children");
                checkChildren(cid, node);
                for (int i = 0; i < node.count(); i++) {
                    below.add(node.link(i));
                }
            }
            isMore = !node.isLast();
            if (isMore) {
                check(cid, node.isFirst() || node.compareHigh(order, bound, slotKey) < 0, "ends before it begins");
                node.loadHigh(bound);
            }
            cid = node.right();
        }
        check(first, met == known.count, "has not all of the level's other nodes on its right");
        return below;
    }

    /** Nodes of a level that their parents name, from left to right. */
    private static final class Children {
        private static final int CAPACITY_MIN = 64;

        private long[] cids = new long[CAPACITY_MIN];
        private int count;

        void add(long cid) {
            if (count == cids.length) {
                cids = Arrays.copyOf(cids, 2 * count);
            }
            cids[count++] = cid;
        }
    }

    /** Checks that the keys are in order and inside the bounds. */
    private void checkKeys(long cid, NodeBytes node) {
        final TreeKey key = new TreeKey();
        final TreeKey before = new TreeKey();
        final TreeKey slotKey = new TreeKey();
        for (int i = node.level() > 0 && node.isFirst() ? 1 : 0; i < node.count(); i++) {
            node.loadKey(i, key);
            check(cid, node.compareLow(order, key, slotKey) >= 0 && node.compareHigh(order, key, slotKey) < 0,
                "has a key outside of its bounds");
            check(cid, i == 0 || node.level() > 0 && node.isFirst() && i == 1 || order.compareKeys(before, key) < 0,
                "has keys that are not in order");
            before.set(key);
        }
    }

    /** Checks that each child exists, is a level below, and begins with the key in the parent. */
    private void checkChildren(long cid, NodeBytes node) {
        final NodeBytes child = new NodeBytes();
        final TreeKey key = new TreeKey();
        final TreeKey slotKey = new TreeKey();
        for (int i = 0; i < node.count(); i++) {
            check(cid, !node.isOverflow(i), "has no link to a child");
            copy(node.link(i), child);
            final boolean isFirst = node.isFirst() && i == 0;
            check(node.link(i), child.isSound() && child.level() == node.level() - 1 && child.isFirst() == isFirst,
                "is not this child");
            if (!isFirst) {
                node.loadKey(i, key);
                check(node.link(i), child.compareLow(order, key, slotKey) == 0, "does not begin where its parent says");
            }
        }
    }

    private void countOverflow(long cid, NodeBytes leaf, CollectionCounters counted) {
        for (int i = 0; i < leaf.count(); i++) {
            if (leaf.isOverflow(i)) {
                final long length = chunks.size(leaf.link(i));
                check(leaf.link(i), length != Status.ABSENT, "is gone");
                counted.memory(cid, tree.costOf(length));
            }
        }
    }

    private void copy(long cid, NodeBytes target) {
        check(cid, tree.copy(cid, target), "is gone");
    }

    private void check(long cid, boolean isRight, String what) {
        if (!isRight) {
            throw damaged(cid, what);
        }
    }

    private RuntimeException damaged(long cid, String what) {
        return ChunkIndex.damaged(chunks, cid, what);
    }

    // ---- empty and remove ----

    /** Removes all entries. */
    void clear() {
        final TreeOperation operation = new TreeOperation();
        final TreeKey next = new TreeKey();
        next.setLeast(order.isByHead());
        Search search = Search.START;
        for (boolean isMore = true; isMore; search = Search.FLOOR) {
            operation.begin();
            operation.search = search;
            operation.key.set(next);
            chunks.beginRemoval();
            tree.lock(operation);
            try {
                isMore = empty(operation, next);
            } finally {
                tree.unlock(operation);
            }
            tree.growth().join(search, operation.key);
        }
        tree.growth().shrink();
        chunks.changed();
    }

    /**
     * Empties the operation's node; returns whether there is a right neighbour, and sets the bound to the neighbour's
     * start.
     */
    private boolean empty(TreeOperation operation, TreeKey bound) {
        final long cid = operation.node;
        final NodeBytes leaf = operation.whole();
        copy(cid, leaf);
        final boolean isMore = !leaf.isLast();
        if (isMore) {
            leaf.loadHigh(bound);
        }
        if (leaf.count() > 0) {
            tree.takeAllOut(operation, cid);
            operation.isSparse = false;                              // joined below in any case
            tree.counters.count(cid, -leaf.count());
            tree.counters.memory(cid, -removeOverflow(leaf));
        }
        return isMore;
    }

    /** Removes the overflow chunks of a leaf; returns the bytes they took. */
    private long removeOverflow(NodeBytes leaf) {
        long bytes = 0;
        for (int i = 0; i < leaf.count(); i++) {
            if (leaf.isOverflow(i)) {
                bytes += tree.costOf(chunks.size(leaf.link(i)));
                chunks.remove(leaf.link(i));
            }
        }
        return bytes;
    }

    /** Removes all chunks of the tree. In the journal, the tree stays complete until the last, small step. */
    void drop() {
        if (chunks.isKept()) {
            clear();
        }
        tree.growth().runExclusively(() -> {
            tree.state.drop();
            chunks.openGroup();                                  // removed in one group with the name
            final NodeBytes node = new NodeBytes();
            long first = tree.root.top();
            copy(first, node);
            for (int level = node.level(); level >= 0; level--) {
                first = dropLevel(first);
            }
            chunks.remove(tree.root.cid());
        });
        chunks.changed();
    }

    private long dropLevel(long first) {
        final NodeBytes node = new NodeBytes();
        long below = NodeLayout.NONE;
        for (long cid = first; cid != NodeLayout.NONE; ) {
            copy(cid, node);
            if (node.level() == 0) {
                removeOverflow(node);
            } else if (cid == first) {
                below = node.link(0);
            }
            chunks.remove(cid);
            cid = node.right();
        }
        return below;
    }
}
