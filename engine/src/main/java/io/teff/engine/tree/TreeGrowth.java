package io.teff.engine.tree;

import io.teff.engine.error.Status;
import io.teff.engine.error.StoreException;
import io.teff.engine.error.StoreException.Category;
import io.teff.engine.storage.ChunkIndex;
import io.teff.engine.storage.CollectionChunks;
import io.teff.engine.storage.WriterLock;
import io.teff.engine.storage.WriterLocks;

/**
 * Splits and joins the nodes of a tree.
 *
 * <p><b>Split</b>: the right node is created, then the content of the left node is replaced, which publishes both. Then
 * the new node is entered into the parent under the parent's writer lock, after a check that the node still exists. A
 * node without an entry in its parent is found by going right, and the search only takes longer. The next writer that
 * goes right enters the node into the parent.
 *
 * <p><b>Join</b>: two sparse neighbours under one parent become one node. All three writer locks are held, each taken
 * by a try. The parent's entry for the right node is removed, the left node's content becomes the union, and the right
 * node is removed. A thread that enters a node into a parent holds the parent's lock and checks that the node exists,
 * so no parent names a removed node. A reader that has the right node's CID finds it unchanged or finds no chunk.
 *
 * <p><b>The top</b> gets a parent at a split, and is replaced by its child when it has a single child. One thread at a
 * time changes the top, under {@link #structure}. After every step each key can be found, so a snapshot at any moment
 * is a correct tree.
 */
final class TreeGrowth {
    private final BLinkTree tree;
    private final CollectionChunks chunks;
    private final WriterLocks writerLocks;
    /** Lock for changes of the top. Taken before writer locks. */
    private final WriterLock structure;

    TreeGrowth(BLinkTree tree) {
        this.tree = tree;
        this.chunks = tree.chunks;
        this.writerLocks = tree.writerLocks;
        this.structure = new WriterLock(chunks);
    }

    /** Completes the growth or shrinkage that a change requires. No writer lock is held. */
    void follow(TreeOperation operation) {
        try {
            if (operation.made != NodeLayout.NONE) {
                index(operation.made, operation.madeLevel, operation.madeKey);
            } else if (operation.unindexed != NodeLayout.NONE) {
                indexUnindexed(operation);
            }
        } catch (StoreException e) {
            throwIfFatal(e);
        }
        if (operation.isSparse) {
            join(operation.search, operation.key);
        }
        chunks.changed();
    }

    /** Ignores a lack of memory and a locked node: a later change retries. */
    private static void throwIfFatal(StoreException e) {
        if (e.category() == Category.FATAL) {
            throw e;
        }
    }

    // ---- split, under the writer lock of the operation's node ----

    /** Splits the operation's node into two nodes, one of which gets the operation's entry. */
    void split(TreeOperation operation, boolean isOverflow) {
        final NodeBytes whole = operation.whole();
        tree.copy(operation.node, whole);
        final int place = operation.isExact ? operation.index : operation.index + 1;
        final int count = whole.count() + (operation.isExact ? 0 : 1);
        final int cut = cut(operation, whole, place, count);
        separate(operation, whole, place, cut);
        final TreeKey key = operation.madeKey;
        final NodeBytes right = operation.right();
        right.begin(whole.level(), whole.isLast() ? NodeLayout.LAST : 0, whole.right(), count - cut,
            bytes(operation, whole, place, cut, count) + key.partBytes() + whole.boundBytes(NodeLayout.HIGH),
            isByHead(), tree.nodeBytesMax);
        right.putBound(NodeLayout.LOW, key, operation.boundBuffer);
        right.putBound(NodeLayout.HIGH, whole);
        addAll(operation, whole, place, cut, count, right, isOverflow);
        final long made = createLocked(right);
        boolean isDone = false;
        try {
            final NodeBytes left = operation.left();
            left.begin(whole.level(), whole.isFirst() ? NodeLayout.FIRST : 0, made, cut,
                bytes(operation, whole, place, 0, cut) + key.partBytes() + whole.boundBytes(NodeLayout.LOW),
                isByHead(), tree.nodeBytesMax);
            left.putBound(NodeLayout.LOW, whole);
            left.putBound(NodeLayout.HIGH, key, operation.boundBuffer);
            addAll(operation, whole, place, 0, cut, left, isOverflow);
            chunks.store(operation.node, left.bytes(), 0, left.length());
            isDone = true;
            tree.counters.memory(operation.node, tree.costOf(left.length()) + tree.costOf(right.length())
                - tree.costOf(whole.length()));
        } finally {
            if (!isDone) {
                chunks.remove(made);
                unlockMade(made);
            }
        }
        operation.made = made;
        operation.madeLevel = whole.level();
        operation.isMadeLocked = chunks.isKept();
        operation.isMoved = true;
    }

    /**
     * Creates a node, under its writer lock if changes are journaled: no other writer may build on the node before the
     * journal has the split. If the lock of a CID is not free, another CID is used.
     */
    private long createLocked(NodeBytes node) {
        long made = chunks.create(node.bytes(), 0, node.length());
        while (chunks.isKept() && !writerLocks.tryLock(WriterLocks.of(made))) {
            chunks.remove(made);
            made = chunks.create(node.bytes(), 0, node.length());
        }
        return made;
    }

    private void unlockMade(long made) {
        if (chunks.isKept()) {
            writerLocks.unlock(WriterLocks.of(made));
        }
    }

    /** Releases the writer locks of the operation's node and of the node that was split from it. */
    void unlock(TreeOperation operation) {
        try {
            if (operation.isMadeLocked) {
                operation.isMadeLocked = false;
                unlockMade(operation.made);
            }
        } finally {
            writerLocks.unlock(WriterLocks.of(operation.node));
        }
    }

    private boolean isByHead() {
        return tree.order.isByHead();
    }

    /**
     * Returns the bytes that an entry takes. The entry at {@code place} is the operation's; if it is new, later
     * entries shift by one.
     */
    private static int costOf(TreeOperation operation, NodeBytes whole, int place, int at) {
        if (at == place) {
            final int part = operation.isExact ? whole.costOf(at) - whole.valueBytes(at)
                : operation.key.partBytes() + NodeLayout.SLOT_BYTES;
            return part + operation.out().size() - operation.key.partBytes();
        }
        return whole.costOf(old(operation, place, at));
    }

    private static int old(TreeOperation operation, int place, int at) {
        return at > place && !operation.isExact ? at - 1 : at;
    }

    private static int bytes(TreeOperation operation, NodeBytes whole, int place, int from, int end) {
        int bytes = 0;
        for (int at = from; at < end; at++) {
            bytes += costOf(operation, whole, place, at) - NodeLayout.SLOT_BYTES;
        }
        return bytes;
    }

    /**
     * Returns the number of entries that stay on the left: half of the bytes, or all old entries if keys arrive in
     * order.
     */
    private static int cut(TreeOperation operation, NodeBytes whole, int place, int count) {
        if (whole.isLast() && place == count - 1) {
            return count - 1;
        }
        int all = 0;
        for (int at = 0; at < count; at++) {
            all += costOf(operation, whole, place, at);
        }
        int left = 0;
        for (int at = 0; at < count - 1; at++) {
            left += costOf(operation, whole, place, at);
            if (left >= all / 2) {
                return at + 1;
            }
        }
        return count - 1;
    }

    /**
     * Sets the bound between both nodes: the shortest separator if keys have bytes, else the first key on the right.
     */
    private void separate(TreeOperation operation, NodeBytes whole, int place, int cut) {
        final TreeKey key = operation.madeKey;
        load(operation, whole, place, cut, key);
        if (whole.level() == 0 && key.length >= 0 && !tree.order.isByObject()) {
            load(operation, whole, place, cut - 1, operation.slotKey);
            key.cut(key.common(operation.slotKey) + 1);
        }
    }

    private static void load(TreeOperation operation, NodeBytes whole, int place, int at, TreeKey target) {
        if (at == place && !operation.isExact) {
            target.set(operation.key);
        } else {
            whole.loadKey(old(operation, place, at), target);
        }
    }

    private static void addAll(TreeOperation operation, NodeBytes whole, int place, int from, int end, NodeBytes target,
                               boolean isOverflow) {
        for (int at = from; at < end; at++) {
            if (at != place) {
                target.add(whole, old(operation, place, at));
            } else if (operation.isExact) {
                final int part = operation.key.partBytes();
                target.add(whole, at, operation.out().array(), part, operation.out().size() - part, isOverflow);
            } else {
                target.add(operation.key.head, operation.out().array(), 0, operation.out().size(), isOverflow);
            }
        }
    }

    // ---- parents ----

    /** Enters a new node into its parent, and the parent's split sibling into the grandparent, and so on. */
    private void index(long made, int madeLevel, TreeKey key) {
        final TreeOperation operation = BLinkTree.POOL.acquire();
        try {
            operation.key.set(key);
            long node = made;
            int level = madeLevel + 1;
            while (node != NodeLayout.NONE) {
                operation.begin();
                indexAt(operation, node, level);
                node = operation.made;
                level = operation.madeLevel + 1;
                operation.key.set(operation.madeKey);
            }
        } finally {
            BLinkTree.POOL.release(operation);
        }
    }

    private void indexAt(TreeOperation operation, long node, int level) {
        for (;;) {
            operation.level = level;
            tree.lock(operation);
            try {
                if (operation.nodeLevel == level) {
                    if (!operation.isExact && chunks.size(node) != Status.ABSENT) {
                        operation.beginEntry().putLong(node);
                        tree.splice(operation, false);
                    }
                    return;
                }
            } finally {
                unlock(operation);
            }
            raise(level);
        }
    }

    private void indexUnindexed(TreeOperation operation) {
        final NodeBytes node = operation.whole();
        if (tree.copy(operation.unindexed, node) && !node.isFirst()) {
            node.loadLow(operation.slotKey);
            index(operation.unindexed, node.level(), operation.slotKey);
        }
    }

    /** Gives the top a parent if its level is below {@code level}. */
    private void raise(int level) {
        structure.lock();
        try {
            tree.state.checkNotDropped();
            final long top = tree.root.top();
            final NodeBytes node = new NodeBytes();
            if (!tree.copy(top, node)) {
                throw ChunkIndex.damaged(chunks, top, "is gone");
            }
            if (node.level() < level) {
                final TreeOperation operation = new TreeOperation();
                operation.key.setLeast(isByHead());
                operation.beginEntry().putLong(top);
                node.begin(node.level() + 1, NodeLayout.FIRST | NodeLayout.LAST, NodeLayout.NONE, 1,
                    operation.out().size(), isByHead(), tree.nodeBytesMax);
                node.add(operation.key.head, operation.out().array(), 0, operation.out().size(), false);
                setTop(node);
            }
        } finally {
            structure.unlock();
        }
    }

    private void setTop(NodeBytes node) {
        final long made = chunks.create(node.bytes(), 0, node.length());
        boolean isDone = false;
        try {
            tree.root.setTop(made);
            isDone = true;
        } finally {
            if (!isDone) {
                chunks.remove(made);
            }
        }
        tree.counters.memoryApart(tree.costOf(node.length()));
    }

    // ---- join ----

    /** Joins the leaf of a key with a neighbour if both are sparse, and then the parents likewise. */
    void join(Search search, TreeKey key) {
        final TreeOperation operation = BLinkTree.POOL.acquire();
        try {
            operation.key.set(key);
            joinUpwards(operation, search);
        } finally {
            BLinkTree.POOL.release(operation);
        }
    }

    private void joinUpwards(TreeOperation operation, Search search) {
        try {
            boolean isMore = true;
            for (int level = 0; isMore; level++) {
                isMore = joinAt(operation, search, level);
            }
        } catch (StoreException e) {
            throwIfFatal(e);
        }
    }

    /** Joins the node of the operation's key on a level; returns whether to continue with its parent. */
    private boolean joinAt(TreeOperation operation, Search search, int level) {
        operation.begin();
        operation.search = search;
        operation.level = level + 1;
        tree.descend(operation);
        if (operation.nodeLevel <= level) {
            lower();
            return false;
        }
        final long parent = operation.node;
        if (!writerLocks.tryLock(WriterLocks.of(parent))) {
            return false;
        }
        try {
            if (tree.state.isDropped() || tree.visit(parent, operation) != TreeNode.ARRIVED
                || operation.nodeLevel != level + 1) {
                return false;
            }
            final int index = Math.max(operation.index, 0);
            return joinPair(operation, parent, index + 1) || joinPair(operation, parent, index)
                || isAlone(operation, parent);
        } finally {
            writerLocks.unlock(WriterLocks.of(parent));
        }
    }

    private boolean isAlone(TreeOperation operation, long parent) {
        return tree.copy(parent, operation.whole()) && operation.whole().count() == 1;
    }

    /** Joins a child with the one before it, under the parent's lock; returns whether they were joined. */
    private boolean joinPair(TreeOperation operation, long parent, int index) {
        final NodeBytes above = operation.whole();
        if (!tree.copy(parent, above) || index < 1 || index >= above.count()) {
            return false;
        }
        final long left = above.link(index - 1);
        final long right = above.link(index);
        if (!writerLocks.tryLock(WriterLocks.of(left))) {
            return false;
        }
        try {
            if (!writerLocks.tryLock(WriterLocks.of(right))) {
                return false;
            }
            try {
                return joinLocked(operation, parent, index, left, right);
            } finally {
                writerLocks.unlock(WriterLocks.of(right));
            }
        } finally {
            writerLocks.unlock(WriterLocks.of(left));
        }
    }

    private boolean joinLocked(TreeOperation operation, long parent, int index, long left, long right) {
        final NodeBytes lefts = operation.left();
        final NodeBytes rights = operation.right();
        if (!tree.copy(left, lefts) || !tree.copy(right, rights) || lefts.right() != right) {
            return false;
        }
        final int needed = lefts.needed() - lefts.boundBytes(NodeLayout.HIGH) + rights.needed()
            - rights.boundBytes(NodeLayout.LOW) - NodeLayout.NODE_BYTES_MIN;
        if (needed > NodeLayout.joinedBytesMax(tree.nodeBytesMax)) {
            return false;
        }
        final NodeBytes union = new NodeBytes();
        final int count = lefts.count() + rights.count();
        union.begin(lefts.level(), (lefts.isFirst() ? NodeLayout.FIRST : 0) | (rights.isLast() ? NodeLayout.LAST : 0),
            rights.right(), count, needed - NodeLayout.slotsEnd(count), isByHead(),
            tree.nodeBytesMax);
        union.putBound(NodeLayout.LOW, lefts);
        union.putBound(NodeLayout.HIGH, rights);
        for (NodeBytes source : new NodeBytes[] {lefts, rights}) {
            for (int i = 0; i < source.count(); i++) {
                union.add(source, i);
            }
        }
        tree.takeOut(operation, parent, index);
        chunks.store(left, union.bytes(), 0, union.length());
        tree.counters.memory(left, tree.costOf(union.length()) - tree.costOf(lefts.length())
            - tree.costOf(rights.length()));
        chunks.remove(right);
        operation.joins++;
        return true;
    }

    /** Replaces the top by its only child. */
    private void lower() {
        if (structure.tryLock()) {
            try {
                boolean isMore = true;
                while (isMore) {
                    isMore = !tree.state.isDropped() && lowerOnce();
                }
            } finally {
                structure.unlock();
            }
        }
    }

    private boolean lowerOnce() {
        final long top = tree.root.top();
        if (!writerLocks.tryLock(WriterLocks.of(top))) {
            return false;
        }
        try {
            final NodeBytes node = new NodeBytes();
            if (!tree.copy(top, node) || node.level() == 0 || node.count() != 1 || !node.isLast()) {
                return false;
            }
            final int length = node.length();
            final long child = node.link(0);
            if (!tree.copy(child, node) || !node.isLast()) {
                return false;
            }
            tree.root.setTop(child);
            tree.counters.memoryApart(-tree.costOf(length));
            chunks.remove(top);
            return true;
        } finally {
            writerLocks.unlock(WriterLocks.of(top));
        }
    }

    // ---- the whole tree ----

    /** Joins the first nodes of all levels as far as possible. */
    void shrink() {
        final TreeOperation operation = new TreeOperation();
        int joins;
        do {
            joins = operation.joins;
            joinUpwards(operation, Search.START);
        } while (operation.joins != joins);
    }

    /** Runs an action while no other thread changes the tree. */
    void runExclusively(Runnable action) {
        structure.lock();
        try {
            writerLocks.runExclusively(action);
        } finally {
            structure.unlock();
        }
    }
}
