package io.teff.engine.tree;

import io.teff.engine.error.Status;
import io.teff.engine.error.StoreException;
import io.teff.engine.error.StoreException.Category;
import io.teff.engine.lock.StripeWord;
import io.teff.engine.lock.Stripes;
import io.teff.engine.memory.Memory;
import io.teff.engine.memory.Words;
import io.teff.engine.storage.ChunkIndex;
import io.teff.engine.storage.CollectionChunks;
import io.teff.engine.storage.CollectionCounters;
import io.teff.engine.storage.CollectionState;
import io.teff.engine.storage.ObjectPool;
import io.teff.engine.storage.WriterLocks;
import io.teff.engine.table.CidLayout;
import io.teff.engine.table.EntryWord;
import io.teff.engine.table.Table;

/**
 * A tree of chunks that maps ordered keys to values: search, and change of one entry. {@link TreeGrowth} enters new
 * nodes into their parents and joins sparse nodes.
 *
 * <p><b>B-link tree</b> (Lehman and Yao 1981). Each node holds the keys from its low bound to below its high bound, and
 * the CID of its right neighbour. A split creates a right neighbour for the upper half, and enters it into the parent
 * only later. At a node with a high bound at or below the key, a search continues with the right neighbour.
 *
 * <p><b>Invariants.</b> The low bound of a node never changes while the node exists: a split moves keys away from the
 * upper end, and a join removes the right one of the two nodes. CIDs are never reused. So a CID that was once found for
 * a key leads either to a node at or left of the key's node, from which the key's node is reached by going right, or to
 * no chunk, and then the search starts again at the top. The top node is the first node of its level.
 *
 * <p><b>Readers</b> write nothing. Readers read each node under the stripe's sequence word like any chunk, and follow
 * the link to the next node only after validation. Keys that a comparator of objects orders are compared in a copy of
 * the node.
 *
 * <p><b>Writers</b> hold one of {@value WriterLocks#COUNT} writer locks, chosen by the CID of the node, and check again
 * under the lock whether the key belongs to the node. While the lock is held, the content of the node is stable.
 * Functions of the application run under it while readers proceed. A change of a node is one operation of the engine:
 * in place if there is room, else into new memory, else a split that includes the change. A split creates the right
 * node first; storing the left node then publishes both. To enter the new node into the parent, the writer releases the
 * node's lock and takes the parent's: no thread waits for a writer lock while it holds another.
 *
 * <p>Graefe 2010 ("A survey of B-tree locking techniques", and "Modern B-tree techniques" for bounds in the nodes,
 * heads of keys in the slots, and separators that are as short as possible).
 */
final class BLinkTree {
    /** Result of {@link #visit}: the node does not exist any more. */
    static final long GONE = -3;
    /** Result of a search: the key is absent. */
    static final int ABSENT = Status.ABSENT;

    private static final int ATTEMPTS = 8;
    /** Joins that may disturb one search; more of them mean damage. */
    private static final int LOST_MAX = 100_000;
    /** One of this many removals from a sparse node tries to join the node with a neighbour. */
    private static final int JOIN_STEP = 4;

    final CollectionChunks chunks;
    final KeyOrder<?> order;
    final TreeRoot root;
    /** The length up to which nodes grow; a longer node, of an earlier version, is split when it needs more room. */
    final int nodeBytesMax;
    final CollectionCounters counters = new CollectionCounters();
    final CollectionState state;
    final WriterLocks writerLocks;
    static final ObjectPool<TreeOperation> POOL = new ObjectPool<>(TreeOperation::new, TreeOperation::isKept);
    private final boolean isByHead;
    private final boolean isByObject;
    private final Memory memory;
    private final Table table;
    private final long creator;
    private final Words words;
    private final long stripesStart;
    private final long stripesMask;
    private final TreeGrowth growth;

    BLinkTree(CollectionChunks chunks, KeyOrder<?> order, TreeRoot root, int nodeBytesMax) {
        this.chunks = chunks;
        this.nodeBytesMax = nodeBytesMax;
        this.order = order;
        this.root = root;
        this.isByHead = order.isByHead();
        this.isByObject = order.isByObject();
        this.memory = chunks.memory();
        this.table = chunks.table();
        this.creator = CidLayout.creator(table.nid());
        Stripes stripes = chunks.stripes();
        this.state = new CollectionState(stripes);
        this.writerLocks = new WriterLocks(chunks, state);
        this.words = stripes.words();
        this.stripesStart = words.start();
        this.stripesMask = stripes.mask();
        this.growth = new TreeGrowth(this);
    }

    TreeGrowth growth() {
        return growth;
    }

    /** Returns the memory that a chunk and its table entry take. */
    long costOf(long length) {
        return chunks.takenBytes(length) + Long.BYTES;
    }

    // ---- reading ----

    /**
     * Searches one node on the way to the operation's key.
     *
     * @return CID of the next node, {@link TreeNode#ARRIVED} with the result in the operation, or {@link #GONE}
     */
    long visit(long cid, TreeOperation operation) {
        if (isByObject) {
            return visitCopy(cid, operation);
        }
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            final long place = Stripes.place(stripesStart, stripesMask, cid);
            final long begun = Stripes.word(words, place);
            final long page = table.nearPage(cid);
            if (!Table.isPage(page) || !Memory.RESERVED && !StripeWord.readable(begun)) {
                break;
            }
            final long word = Memory.getLongThenFence(memory, Table.entryIn(page, cid));
            if (!EntryWord.isReadable(word, cid, creator) || !Stripes.isProven(words, place, begun)) {
                continue;
            }
            long length = EntryWord.length(word);
            if (length == EntryWord.LENGTH_IN_FRONT) {
                length = chunks.length(word);
                if (!Stripes.isStill(words, place, begun)) {
                    continue;                                   // unproven length
                }
            }
            final long next = TreeNode.route(memory, EntryWord.address(word), length, isByHead, operation);
            if (Stripes.isStill(words, place, begun) && next != TreeNode.TORN) {
                return next;
            }
        }
        return visitSlow(cid, operation);
    }

    private long visitSlow(long cid, TreeOperation operation) {
        final long word = chunks.enterToRead(cid);
        if (word == Status.ABSENT) {
            return GONE;
        }
        final long next;
        try {
            next = TreeNode.route(memory, EntryWord.address(word), chunks.length(word), isByHead, operation);
        } finally {
            chunks.leave(cid);
        }
        if (next == TreeNode.TORN) {
            throw ChunkIndex.damaged(chunks, cid, "is not a node");
        }
        return next;
    }

    private long visitCopy(long cid, TreeOperation operation) {
        return copy(cid, operation.whole()) ? operation.whole().route(order, operation) : GONE;
    }

    /**
     * Searches for the node of the operation's level that contains the operation's key; for a leaf if there is no such
     * level.
     */
    void descend(TreeOperation operation) {
        descend(operation, false);
    }

    /**
     * Like {@link #descend(TreeOperation)}, but stops at the first leaf, unread, which is not right of the key's leaf.
     */
    void descendTo(TreeOperation operation) {
        descend(operation, true);
    }

    private void descend(TreeOperation operation, boolean isLeafUnseen) {
        long cid = root.top();
        operation.unindexed = NodeLayout.NONE;
        for (int lost = 0; ; ) {
            final long next = visit(cid, operation);
            if (next == TreeNode.ARRIVED) {
                operation.node = cid;
                return;
            }
            if (next == GONE) {
                state.checkNotDropped();
                if (++lost > LOST_MAX) {
                    throw ChunkIndex.damaged(chunks, cid, "is gone");
                }
                cid = root.top();
                operation.unindexed = NodeLayout.NONE;
            } else {
                operation.unindexed = operation.isRight ? next : NodeLayout.NONE;
                cid = next;
                if (isLeafUnseen && operation.linkLevel == 0) {
                    operation.node = cid;
                    return;
                }
            }
        }
    }

    /** Copies the value of the operation's key to the operation's buffer; returns its length or {@link #ABSENT}. */
    int get(TreeOperation operation) {
        operation.begin();
        operation.isValueWanted = true;
        for (int lost = 0; ; lost++) {
            descend(operation);
            final int length = found(operation);
            if (length != Status.TOO_SMALL) {
                return length;
            }
            if (lost > LOST_MAX) {
                throw ChunkIndex.damaged(chunks, operation.overflow, "is gone");
            }
        }
    }

    /** Returns the length of the found value, which is wanted; ABSENT; or TOO_SMALL if the search must be repeated. */
    private int found(TreeOperation operation) {
        if (!operation.isExact) {
            return ABSENT;
        }
        if (operation.overflow != NodeLayout.NONE) {
            final int length = readOverflow(operation.overflow, operation);
            return length == ABSENT ? Status.TOO_SMALL : length;
        }
        if (operation.valueLength > operation.bytes().length) {
            operation.grow();
            return Status.TOO_SMALL;
        }
        return operation.valueLength;
    }

    /** Returns whether the operation's key is present. */
    boolean contains(TreeOperation operation) {
        operation.begin();
        descend(operation);
        return operation.isExact;
    }

    /** Copies an overflow chunk to the operation's buffer; returns its length or {@link #ABSENT}. */
    int readOverflow(long cid, TreeOperation operation) {
        for (;;) {
            final int length = chunks.get(cid, operation.bytes());
            if (length != Status.TOO_SMALL) {
                return length;
            }
            operation.grow();
        }
    }

    /** Copies a node as it is at one moment; returns false if the node does not exist. */
    boolean copy(long cid, NodeBytes target) {
        return copy(cid, target, false);
    }

    /** Copies a node, without the entries, which take most bytes, if the slots suffice because keys are heads. */
    boolean copy(long cid, NodeBytes target, boolean isSlotsOnly) {
        assert isByHead || !isSlotsOnly;
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            final long place = Stripes.place(stripesStart, stripesMask, cid);
            final long begun = Stripes.word(words, place);
            final long page = table.nearPage(cid);
            if (!Table.isPage(page) || !Memory.RESERVED && !StripeWord.readable(begun)) {
                break;
            }
            final long word = Memory.getLongThenFence(memory, Table.entryIn(page, cid));
            if (!EntryWord.isReadable(word, cid, creator) || !Stripes.isProven(words, place, begun)) {
                continue;
            }
            final long length = chunks.length(word);
            if (!Stripes.isStill(words, place, begun) || length > target.bytes().length || length <= 0) {
                continue;
            }
            copyUsed(EntryWord.address(word), (int) length, target.bytes(), isSlotsOnly);
            if (Stripes.isStill(words, place, begun)) {
                return checked(cid, target, (int) length);
            }
        }
        return copySlow(cid, target);
    }

    /** Copies the used bytes of a node. The node's header may be torn. */
    private void copyUsed(long address, int length, byte[] target, boolean isSlotsOnly) {
        if (length < NodeLayout.NODE_BYTES_MIN) {
            memory.copyOut(address, target, 0, length);
            return;
        }
        final long header = memory.getFieldLong(address);
        final int slotsEnd = Math.min(length, NodeLayout.slotsEnd(NodeLayout.count(header)));
        memory.copyOut(address, target, 0, slotsEnd);
        final int entriesAt = Math.max(slotsEnd, length - NodeLayout.taken(header));
        if (!isSlotsOnly && entriesAt < length) {
            memory.copyOut(address + entriesAt, target, entriesAt, length - entriesAt);
        }
    }

    private boolean copySlow(long cid, NodeBytes target) {
        for (;;) {
            final int length = chunks.get(cid, target.bytes());
            if (length == ABSENT) {
                return false;
            }
            if (length != Status.TOO_SMALL) {
                return checked(cid, target, length);
            }
            target.grow(chunks.size(cid));
        }
    }

    private boolean checked(long cid, NodeBytes copied, int length) {
        if (!copied.copied(length, isByHead)) {
            throw ChunkIndex.damaged(chunks, cid, "is not a node");
        }
        return true;
    }

    // ---- writer locks ----

    /**
     * Searches for the node of the operation's level that contains the operation's key, and takes the node's writer
     * lock.
     */
    void lock(TreeOperation operation) {
        boolean isLeafUnseen = operation.level == 0;            // a leaf is searched once, under its lock
        for (;;) {
            descend(operation, isLeafUnseen);
            isLeafUnseen = false;                               // the key's leaf may be right of the unseen leaf
            final long cid = operation.node;
            writerLocks.lock(WriterLocks.of(cid));
            boolean hasArrived = false;
            try {
                hasArrived = visit(cid, operation) == TreeNode.ARRIVED;
            } finally {
                if (!hasArrived) {
                    writerLocks.unlock(WriterLocks.of(cid));
                }
            }
            if (hasArrived) {
                return;
            }
        }
    }

    /** Releases the writer lock, and lets the tree grow or shrink if necessary. */
    void unlock(TreeOperation operation) {
        growth.unlock(operation);
        if (operation.isMoved || operation.unindexed != NodeLayout.NONE) {
            growth.follow(operation);
        }
    }

    // ---- writing, under the writer lock of the operation's node, after the search ----

    /** Copies the found value, which is wanted, to the operation's buffer; returns its length or {@link #ABSENT}. */
    int read(TreeOperation operation) {
        for (;;) {
            final int length = found(operation);
            if (length != Status.TOO_SMALL) {
                return length;
            }
            visit(operation.node, operation);
        }
    }

    /** Puts the operation's entry, whose value is written. */
    void put(TreeOperation operation) {
        final int part = operation.key.partBytes();
        if (operation.out().size() - part > NodeLayout.VALUE_BYTES_MAX) {
            putOverflow(operation, part);
        } else {
            splice(operation, false);
            if (operation.isExact && operation.overflow != NodeLayout.NONE) {
                removeOverflow(operation);
            }
        }
        if (!operation.isExact) {
            counters.count(operation.node, 1);
        }
    }

    private void putOverflow(TreeOperation operation, int part) {
        final int bytes = operation.out().size() - part;
        if (operation.isExact && operation.overflow != NodeLayout.NONE) {
            final long before = chunks.size(operation.overflow);
            chunks.store(operation.overflow, operation.out().array(), part, bytes);
            counters.memory(operation.node, costOf(bytes) - costOf(before));
            operation.isMoved = true;
            return;
        }
        final long cid = chunks.create(operation.out().array(), part, bytes);
        boolean isLinked = false;
        try {
            operation.beginEntry().putLong(cid);
            splice(operation, true);
            isLinked = true;
        } finally {
            if (!isLinked) {
                chunks.remove(cid);
            }
        }
        counters.memory(operation.node, costOf(bytes));
    }

    private void removeOverflow(TreeOperation operation) {
        final long length = chunks.size(operation.overflow);
        chunks.remove(operation.overflow);
        counters.memory(operation.node, -costOf(length));
        operation.isMoved = true;
    }

    /** Puts the entry into the node: in place if there is room, else by a split. */
    void splice(TreeOperation operation, boolean isOverflow) {
        final long cid = operation.node;
        final long word = chunks.enter(cid);
        try {
            long address = EntryWord.address(word);
            long length = chunks.length(word);
            final long header = memory.getFieldLong(address);
            final int size = operation.out().size();
            final int newPart = operation.key.partBytes();
            final int part = operation.isExact
                ? TreeNode.partBytes(memory, address, length, operation.index, isByHead) : newPart;
            final int newSize = part + size - newPart;
            final int more = operation.isExact ? newSize : newSize + NodeLayout.SLOT_BYTES;
            final int needed = NodeLayout.needed(header) + more;
            final boolean hasRoom = operation.isExact
                ? TreeNode.hasRoom(memory, address, length, operation.index, newSize)
                : NodeLayout.used(header) + more <= length;
            final int count = NodeLayout.count(header);
            final boolean hasPlace = hasRoom || needed <= nodeBytesMax
                || needed <= NodeLayout.NODE_BYTES_MAX && count < NodeLayout.SPLIT_ENTRIES_MIN
                || count < (operation.isExact ? 2 : 1);
            if (hasPlace) {
                chunks.touch(cid);
                if (!hasRoom) {
                    length = NodeLayout.lengthFor(needed, nodeBytesMax);
                    address = move(operation, word, length);
                }
                if (operation.isExact) {
                    TreeNode.replace(memory, address, length, operation.index, part, operation.out().array(), newPart,
                        size - newPart, isOverflow);
                } else {
                    TreeNode.insert(memory, address, length, operation.index + 1, operation.key.head,
                        operation.out().array(), size, isOverflow);
                }
                return;
            }
        } finally {
            chunks.leave(cid);
        }
        growth.split(operation, isOverflow);
    }

    /** Copies a node to memory of another length, inside its stripe; returns the new address. */
    private long move(TreeOperation operation, long word, long length) {
        final long target = chunks.allocate(length);
        if (target == CollectionChunks.FULL) {
            throw new StoreException(Category.DEGRADED, "the memory limit is reached");
        }
        final long oldLength = chunks.length(word);
        TreeNode.copy(memory, EntryWord.address(word), oldLength, target, length);
        chunks.switchTo(operation.node, word, target, length);
        counters.memory(operation.node, chunks.takenBytes(length) - chunks.takenBytes(oldLength));
        operation.isMoved = true;
        return target;
    }

    /** Removes the entry that was found. */
    void remove(TreeOperation operation) {
        takeOut(operation, operation.node, operation.index);
        counters.count(operation.node, -1);
        if (operation.overflow != NodeLayout.NONE) {
            removeOverflow(operation);
        }
    }

    /** Removes an entry from a node; its overflow chunk, if any, remains. */
    void takeOut(TreeOperation operation, long cid, int index) {
        takeOut(operation, cid, index, false);
    }

    /** Removes all entries from a node; their overflow chunks remain. */
    void takeAllOut(TreeOperation operation, long cid) {
        takeOut(operation, cid, 0, true);
    }

    private void takeOut(TreeOperation operation, long cid, int index, boolean isAll) {
        final long word = chunks.enter(cid);
        try {
            final long address = EntryWord.address(word);
            final long length = chunks.length(word);
            chunks.touch(cid);
            if (isAll) {
                TreeNode.removeAll(memory, address);
            } else {
                TreeNode.remove(memory, address, index);
            }
            final long header = memory.getFieldLong(address);
            final int needed = NodeLayout.needed(header);
            final int wanted = NodeLayout.lengthFor(needed, nodeBytesMax);
            if (wanted <= length - (length >> 2) && chunks.takenBytes(wanted) < chunks.takenBytes(length)) {
                shrink(operation, cid, word, length, wanted);
            }
            final int count = NodeLayout.count(header);
            if (count == 0 || needed < NodeLayout.sparseBytes(nodeBytesMax) && count % JOIN_STEP == 0) {
                operation.isSparse = true;
                operation.isMoved = true;
            }
        } finally {
            chunks.leave(cid);
        }
    }

    /** Moves a node to a shorter chunk if there is memory for it. */
    private void shrink(TreeOperation operation, long cid, long word, long length, long wanted) {
        final long target = chunks.allocate(wanted);
        if (target != CollectionChunks.FULL) {
            TreeNode.copy(memory, EntryWord.address(word), length, target, wanted);
            chunks.switchTo(cid, word, target, wanted);
            counters.memory(cid, chunks.takenBytes(wanted) - chunks.takenBytes(length));
            operation.isMoved = true;
        }
    }
}
