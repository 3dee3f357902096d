package io.teff.engine.tree;

import io.teff.engine.error.Status;
import io.teff.engine.error.StoreException;
import io.teff.engine.error.StoreException.Category;
import io.teff.engine.storage.ChunkIndex;
import io.teff.engine.storage.CollectionChunks;
import io.teff.engine.storage.WriterLock;
import io.teff.engine.storage.WriterLocks;

/**
 * Splits the nodes of a tree and joins them.
 *
 * <p><b>Split</b>: the right node is made, then the old one's content is replaced; with that, everybody sees both. Then
 * the parent is told, under its own lane, after a look whether the node is still there. A node that its parent does not
 * know is found by going right, only later; the next writer who does so tells the parent.
 *
 * <p><b>Join</b>: two neighbours under one parent with little in them become one. Under the lanes of all three, taken
 * by a try: the parent forgets the right one, the left one's content becomes the union, the right one is removed.
 * Whoever tells a parent of a node holds the parent's lane and looks whether the node is there, so no parent knows a
 * node that is gone. A reader who has the right one's CID finds it as it was, or gone.
 *
 * <p><b>The top</b> gets a parent when it is split, and gives way to its only child; one thread at a time does that,
 * under {@link #structure}. At every point of all that, each key is found, so a snapshot of any moment is a tree.
 */
final class TreeGrowth {
    private final BLinkTree tree;
    private final CollectionChunks nodes;
    private final WriterLocks lanes;
    /** For changes of the top. Taken before lanes. */
    private final WriterLock structure;

    TreeGrowth(BLinkTree tree) {
        this.tree = tree;
        this.nodes = tree.nodes;
        this.lanes = tree.lanes;
        this.structure = new WriterLock(nodes);
    }

    /** Does what a change calls for, without a lane. */
    void follow(TreeOperation work) {
        try {
            if (work.made != NodeLayout.NONE) {
                index(work.made, work.madeLevel, work.madeKey);
            } else if (work.unindexed != NodeLayout.NONE) {
                indexUnindexed(work);
            }
        } catch (StoreException e) {
            throwIfFatal(e);
        }
        if (work.isSparse) {
            join(work.search, work.key);
        }
        nodes.changed();
    }

    /** No memory, or a locked node, only means: later. */
    private static void throwIfFatal(StoreException e) {
        if (e.category() == Category.FATAL) {
            throw e;
        }
    }

    // ---- split, under the lane of the work's node ----

    /** Splits the work's node into two, with the work's entry in one of them. */
    void split(TreeOperation work, boolean isOutside) {
        final NodeBytes whole = work.whole();
        tree.copy(work.node, whole);
        final int place = work.isExact ? work.index : work.index + 1;
        final int count = whole.count() + (work.isExact ? 0 : 1);
        final int cut = cut(work, whole, place, count);
        separate(work, whole, place, cut);
        final TreeKey key = work.madeKey;
        final NodeBytes right = work.right();
        right.begin(whole.level(), whole.isLast() ? NodeLayout.LAST : 0, whole.right(), count - cut,
            bytes(work, whole, place, cut, count) + key.partBytes() + whole.boundBytes(NodeLayout.HIGH), isByHead());
        right.putBound(NodeLayout.LOW, key, work.scratch);
        right.putBound(NodeLayout.HIGH, whole);
        addAll(work, whole, place, cut, count, right, isOutside);
        final long made = createLocked(right);
        boolean isDone = false;
        try {
            final NodeBytes left = work.left();
            left.begin(whole.level(), whole.isFirst() ? NodeLayout.FIRST : 0, made, cut,
                bytes(work, whole, place, 0, cut) + key.partBytes() + whole.boundBytes(NodeLayout.LOW), isByHead());
            left.putBound(NodeLayout.LOW, whole);
            left.putBound(NodeLayout.HIGH, key, work.scratch);
            addAll(work, whole, place, 0, cut, left, isOutside);
            nodes.store(work.node, left.bytes(), 0, left.length());
            isDone = true;
            tree.tallies.memory(work.node, tree.costOf(left.length()) + tree.costOf(right.length())
                - tree.costOf(whole.length()));
        } finally {
            if (!isDone) {
                nodes.remove(made);
                unlockMade(made);
            }
        }
        work.made = made;
        work.madeLevel = whole.level();
        work.isMadeLocked = nodes.isKept();
        work.isMoved = true;
    }

    /**
     * Makes a node under its lane if changes are kept: nobody may build on it before the split is kept. A lane that is
     * not free means another CID.
     */
    private long createLocked(NodeBytes node) {
        long made = nodes.create(node.bytes(), 0, node.length());
        while (nodes.isKept() && !lanes.tryLock(WriterLocks.of(made))) {
            nodes.remove(made);
            made = nodes.create(node.bytes(), 0, node.length());
        }
        return made;
    }

    private void unlockMade(long made) {
        if (nodes.isKept()) {
            lanes.unlock(WriterLocks.of(made));
        }
    }

    /** Gives back the lane of the work's node, and that of what was made of it. */
    void unlock(TreeOperation work) {
        try {
            if (work.isMadeLocked) {
                work.isMadeLocked = false;
                unlockMade(work.made);
            }
        } finally {
            lanes.unlock(WriterLocks.of(work.node));
        }
    }

    private boolean isByHead() {
        return tree.order.isByHead();
    }

    /** What an entry takes; the one at the place is the work's, and those behind it are one further if it is new. */
    private static int costOf(TreeOperation work, NodeBytes whole, int place, int at) {
        if (at == place) {
            final int part = work.isExact ? whole.costOf(at) - whole.valueBytes(at)
                : work.key.partBytes() + NodeLayout.SLOT_BYTES;
            return part + work.out().size() - work.key.partBytes();
        }
        return whole.costOf(old(work, place, at));
    }

    private static int old(TreeOperation work, int place, int at) {
        return at > place && !work.isExact ? at - 1 : at;
    }

    private static int bytes(TreeOperation work, NodeBytes whole, int place, int from, int end) {
        int bytes = 0;
        for (int at = from; at < end; at++) {
            bytes += costOf(work, whole, place, at) - NodeLayout.SLOT_BYTES;
        }
        return bytes;
    }

    /** How many entries stay on the left: half of the bytes, or all old ones if keys come in order. */
    private static int cut(TreeOperation work, NodeBytes whole, int place, int count) {
        if (whole.isLast() && place == count - 1) {
            return count - 1;
        }
        int all = 0;
        for (int at = 0; at < count; at++) {
            all += costOf(work, whole, place, at);
        }
        int left = 0;
        for (int at = 0; at < count - 1; at++) {
            left += costOf(work, whole, place, at);
            if (left >= all / 2) {
                return at + 1;
            }
        }
        return count - 1;
    }

    /** Makes the bound between both: of bytes the shortest that there is, else the first key on the right. */
    private void separate(TreeOperation work, NodeBytes whole, int place, int cut) {
        final TreeKey key = work.madeKey;
        load(work, whole, place, cut, key);
        if (whole.level() == 0 && key.length >= 0 && !tree.order.isByObject()) {
            load(work, whole, place, cut - 1, work.other);
            key.cut(key.common(work.other) + 1);
        }
    }

    private static void load(TreeOperation work, NodeBytes whole, int place, int at, TreeKey target) {
        if (at == place && !work.isExact) {
            target.set(work.key);
        } else {
            whole.loadKey(old(work, place, at), target);
        }
    }

    private static void addAll(TreeOperation work, NodeBytes whole, int place, int from, int end, NodeBytes target,
                               boolean isOutside) {
        for (int at = from; at < end; at++) {
            if (at != place) {
                target.add(whole, old(work, place, at));
            } else if (work.isExact) {
                final int part = work.key.partBytes();
                target.add(whole, at, work.out().array(), part, work.out().size() - part, isOutside);
            } else {
                target.add(work.key.head, work.out().array(), 0, work.out().size(), isOutside);
            }
        }
    }

    // ---- parents ----

    /** Tells the parent of a node that it is there, and the parent's parent if that was split. */
    private void index(long made, int madeLevel, TreeKey key) {
        final TreeOperation work = tree.spares.take();
        try {
            work.key.set(key);
            long node = made;
            int level = madeLevel + 1;
            while (node != NodeLayout.NONE) {
                work.begin();
                indexAt(work, node, level);
                node = work.made;
                level = work.madeLevel + 1;
                work.key.set(work.madeKey);
            }
        } finally {
            tree.spares.give(work);
        }
    }

    private void indexAt(TreeOperation work, long node, int level) {
        for (;;) {
            work.level = level;
            tree.lock(work);
            try {
                if (work.nodeLevel == level) {
                    if (!work.isExact && nodes.size(node) != Status.ABSENT) {
                        work.beginEntry().putLong(node);
                        tree.splice(work, false);
                    }
                    return;
                }
            } finally {
                unlock(work);
            }
            raise(level);
        }
    }

    private void indexUnindexed(TreeOperation work) {
        final NodeBytes node = work.whole();
        if (tree.copy(work.unindexed, node) && !node.isFirst()) {
            node.loadLow(work.other);
            index(work.unindexed, node.level(), work.other);
        }
    }

    /** Gives the top a parent if it is below a level. */
    private void raise(int level) {
        structure.lock();
        try {
            tree.life.checkNotDropped();
            final long top = tree.root.top();
            final NodeBytes node = new NodeBytes();
            if (!tree.copy(top, node)) {
                throw ChunkIndex.damaged(nodes, top, "is gone");
            }
            if (node.level() < level) {
                final TreeOperation work = new TreeOperation();
                work.key.setLeast(isByHead());
                work.beginEntry().putLong(top);
                node.begin(node.level() + 1, NodeLayout.FIRST | NodeLayout.LAST, NodeLayout.NONE, 1, work.out().size(),
                    isByHead());
                node.add(work.key.head, work.out().array(), 0, work.out().size(), false);
                setTop(node);
            }
        } finally {
            structure.unlock();
        }
    }

    private void setTop(NodeBytes node) {
        final long made = nodes.create(node.bytes(), 0, node.length());
        boolean isDone = false;
        try {
            tree.root.setTop(made);
            isDone = true;
        } finally {
            if (!isDone) {
                nodes.remove(made);
            }
        }
        tree.tallies.memoryApart(tree.costOf(node.length()));
    }

    // ---- join ----

    /** Joins the leaf of a key with a neighbour if both have little in them, and so on with the parents. */
    void join(Search search, TreeKey key) {
        final TreeOperation work = tree.spares.take();
        try {
            work.key.set(key);
            joinUpwards(work, search);
        } finally {
            tree.spares.give(work);
        }
    }

    private void joinUpwards(TreeOperation work, Search search) {
        try {
            boolean isMore = true;
            for (int level = 0; isMore; level++) {
                isMore = joinAt(work, search, level);
            }
        } catch (StoreException e) {
            throwIfFatal(e);
        }
    }

    /** Joins the node of the work's key on a level; whether to go on with its parent. */
    private boolean joinAt(TreeOperation work, Search search, int level) {
        work.begin();
        work.search = search;
        work.level = level + 1;
        tree.descend(work);
        if (work.nodeLevel <= level) {
            lower();
            return false;
        }
        final long parent = work.node;
        if (!lanes.tryLock(WriterLocks.of(parent))) {
            return false;
        }
        try {
            if (tree.life.isDropped() || tree.visit(parent, work) != TreeNode.ARRIVED || work.nodeLevel != level + 1) {
                return false;
            }
            final int index = Math.max(work.index, 0);
            return joinPair(work, parent, index + 1) || joinPair(work, parent, index) || isAlone(work, parent);
        } finally {
            lanes.unlock(WriterLocks.of(parent));
        }
    }

    private boolean isAlone(TreeOperation work, long parent) {
        return tree.copy(parent, work.whole()) && work.whole().count() == 1;
    }

    /** Joins a child with the one before it, under the parent's lane; whether that was done. */
    private boolean joinPair(TreeOperation work, long parent, int index) {
        final NodeBytes above = work.whole();
        if (!tree.copy(parent, above) || index < 1 || index >= above.count()) {
            return false;
        }
        final long left = above.link(index - 1);
        final long right = above.link(index);
        if (!lanes.tryLock(WriterLocks.of(left))) {
            return false;
        }
        try {
            if (!lanes.tryLock(WriterLocks.of(right))) {
                return false;
            }
            try {
                return joinLocked(work, parent, index, left, right);
            } finally {
                lanes.unlock(WriterLocks.of(right));
            }
        } finally {
            lanes.unlock(WriterLocks.of(left));
        }
    }

    private boolean joinLocked(TreeOperation work, long parent, int index, long left, long right) {
        final NodeBytes lefts = work.left();
        final NodeBytes rights = work.right();
        if (!tree.copy(left, lefts) || !tree.copy(right, rights) || lefts.right() != right) {
            return false;
        }
        final int needed = lefts.needed() - lefts.boundBytes(NodeLayout.HIGH) + rights.needed()
            - rights.boundBytes(NodeLayout.LOW) - NodeLayout.NODE_BYTES_MIN;
        if (needed > NodeLayout.JOINED_BYTES_MAX) {
            return false;
        }
        final NodeBytes union = new NodeBytes();
        final int count = lefts.count() + rights.count();
        union.begin(lefts.level(), (lefts.isFirst() ? NodeLayout.FIRST : 0) | (rights.isLast() ? NodeLayout.LAST : 0),
            rights.right(), count, needed - NodeLayout.slotsEnd(count), isByHead());
        union.putBound(NodeLayout.LOW, lefts);
        union.putBound(NodeLayout.HIGH, rights);
        for (NodeBytes source : new NodeBytes[] {lefts, rights}) {
            for (int i = 0; i < source.count(); i++) {
                union.add(source, i);
            }
        }
        tree.takeOut(work, parent, index);
        nodes.store(left, union.bytes(), 0, union.length());
        tree.tallies.memory(left, tree.costOf(union.length()) - tree.costOf(lefts.length())
            - tree.costOf(rights.length()));
        nodes.remove(right);
        work.joins++;
        return true;
    }

    /** Lets the top give way to its only child. */
    private void lower() {
        if (structure.tryLock()) {
            try {
                boolean isMore = true;
                while (isMore) {
                    isMore = !tree.life.isDropped() && lowerOnce();
                }
            } finally {
                structure.unlock();
            }
        }
    }

    private boolean lowerOnce() {
        final long top = tree.root.top();
        if (!lanes.tryLock(WriterLocks.of(top))) {
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
            tree.tallies.memoryApart(-tree.costOf(length));
            nodes.remove(top);
            return true;
        } finally {
            lanes.unlock(WriterLocks.of(top));
        }
    }

    // ---- the whole tree ----

    /** Joins what can be joined with the first nodes of the levels. */
    void shrink() {
        final TreeOperation work = new TreeOperation();
        int joins;
        do {
            joins = work.joins;
            joinUpwards(work, Search.START);
        } while (work.joins != joins);
    }

    /** Does something while nobody else changes the tree. */
    void quietly(Runnable action) {
        structure.lock();
        try {
            lanes.quietly(action);
        } finally {
            structure.unlock();
        }
    }
}
