package io.teff.engine.tree;

import io.teff.engine.map.LongCursor;
import io.teff.engine.storage.ChunkIndex;

/**
 * A walk over the entries of a tree between two keys, upwards or downwards, which splits and joins do not disturb.
 *
 * <p>A leaf is copied as a whole, so its entries are shown as of a single moment. The position of the walk is a bound
 * of the leaf: all entries before the bound were returned, no entry behind. Upwards, the next leaf is the right
 * neighbour, or, if the neighbour was removed, the result of a search for the bound. The right neighbour begins at the
 * bound. Downwards, the next leaf is the result of a search for keys below the bound. Not thread-safe.
 *
 * <p>The cursor's operation is taken from the tree's pool and released at the end or by {@link #close}; if a cursor is
 * dropped before, the garbage collector takes it.
 */
final class TreeCursor implements LongCursor, AutoCloseable {
    private final BLinkTree tree;
    private final boolean isUpwards;
    private final boolean hasValues;
    private final boolean isSlotsOnly;
    /** For searches and overflow values; its bounds belong to this cursor. */
    private final TreeOperation operation;
    private final NodeBytes leaf;
    private boolean hasLow;
    private boolean isLowShown;
    private boolean hasHigh;
    private boolean isHighShown;
    /** Range of the leaf's entries to show: from {@code first} to before {@code end}. */
    private int first;
    private int end;
    private int index;
    private boolean isMore = true;
    private boolean isBegun;
    private boolean isClosed;
    /** The array that contains the current entry's value. */
    private byte[] bytes;
    private int valueFrom;
    private int valueBytes;

    /**
     * Creates a cursor in front of the first entry of a tree.
     *
     * @param hasValues whether values are read; then an entry whose value is removed meanwhile is skipped
     */
    TreeCursor(BLinkTree tree, boolean isUpwards, boolean hasValues) {
        this.tree = tree;
        this.operation = BLinkTree.POOL.acquire();
        this.leaf = operation.left();
        this.bytes = leaf.bytes();
        this.isUpwards = isUpwards;
        this.hasValues = hasValues;
        this.isSlotsOnly = !hasValues && tree.order.isByHead();
    }

    /** Sets a lower bound; the caller writes its key into the result. Must be called before the first step. */
    TreeKey low(boolean isShown) {
        hasLow = true;
        isLowShown = isShown;
        return operation.low;
    }

    /** Sets an upper bound, like {@link #low}. */
    TreeKey high(boolean isShown) {
        hasHigh = true;
        isHighShown = isShown;
        return operation.high;
    }

    /** Ends the walk; there is no current entry afterwards. */
    @Override
    public void close() {
        if (!isClosed) {
            isClosed = true;
            isMore = false;
            end = first;
            BLinkTree.POOL.release(operation);
        }
    }

    /** Moves to the next entry; returns false at the end. */
    @Override
    public boolean next() {
        for (;;) {
            index += isUpwards ? 1 : -1;
            if (index >= first && index < end) {
                if (!hasValues || load()) {
                    return true;
                }
            } else if (isMore) {
                turn();
            } else {
                close();
                return false;
            }
        }
    }

    /** Counts the entries that are left. */
    long count() {
        long count = 0;
        while (isMore) {
            turn();
            count += Math.max(end - first, 0);
        }
        close();
        return count;
    }

    // ---- leaves ----

    /** Copies the next leaf. */
    private void turn() {
        tree.state.checkNotDropped();
        if (isUpwards) {
            turnUpwards();
        } else {
            turnDownwards();
        }
    }

    private void turnUpwards() {
        if (!isBegun) {
            isBegun = true;
            if (!hasLow) {
                search(Search.START, operation.place);
                first = 0;
            } else {
                search(Search.FLOOR, operation.low);
                first = 1 + leaf.search(tree.order, isLowShown ? Search.BELOW : Search.FLOOR,
                    operation.low, operation.slotKey);
            }
        } else if (copy(leaf.right())) {
            first = 0;
        } else {
            search(Search.FLOOR, operation.place);
            first = 1 + leaf.search(tree.order, Search.BELOW, operation.place, operation.slotKey);
        }
        end = leaf.count();
        isMore = !leaf.isLast();
        if (isMore) {
            leaf.loadHigh(operation.place);
        }
        if (hasHigh) {
            end = 1 + leaf.search(tree.order, isHighShown ? Search.FLOOR : Search.BELOW,
                operation.high, operation.slotKey);
            isMore = isMore && tree.order.compareKeys(operation.place, operation.high) <= (isHighShown ? 0 : -1);
        }
        index = first - 1;
    }

    private void turnDownwards() {
        if (!isBegun) {
            isBegun = true;
            if (!hasHigh) {
                search(Search.END, operation.place);
                end = leaf.count();
            } else {
                final Search search = isHighShown ? Search.FLOOR : Search.BELOW;
                search(search, operation.high);
                end = 1 + leaf.search(tree.order, search, operation.high, operation.slotKey);
            }
        } else {
            search(Search.BELOW, operation.place);
            end = 1 + leaf.search(tree.order, Search.BELOW, operation.place, operation.slotKey);
        }
        first = 0;
        isMore = !leaf.isFirst();
        if (isMore) {
            leaf.loadLow(operation.place);
        }
        if (hasLow) {
            first = 1 + leaf.search(tree.order, isLowShown ? Search.BELOW : Search.FLOOR,
                operation.low, operation.slotKey);
            isMore = isMore && tree.order.compareKeys(operation.place, operation.low) > 0;
        }
        index = end;
    }

    /** Copies the leaf that a search ends at. */
    private void search(Search search, TreeKey key) {
        operation.begin();
        operation.search = search;
        operation.key.set(key);
        for (;;) {
            tree.descendTo(operation);
            long cid = operation.node;
            while (copy(cid)) {
                if (!leaf.isBeyond(tree.order, search, key, operation.slotKey)) {
                    return;
                }
                cid = leaf.right();
            }
        }
    }

    /** Copies a leaf; returns false if it does not exist. */
    private boolean copy(long cid) {
        final boolean hasArrived = tree.copy(cid, leaf, isSlotsOnly);
        if (hasArrived && leaf.level() > 0) {
            throw ChunkIndex.damaged(tree.chunks, cid, "is not a leaf");
        }
        return hasArrived;
    }

    // ---- the current entry ----

    /** Finds the current value; returns false if its overflow chunk was removed. */
    private boolean load() {
        if (!leaf.isOverflow(index)) {
            bytes = leaf.bytes();
            valueFrom = leaf.valueFrom(index);
            valueBytes = leaf.valueBytes(index);
            return true;
        }
        int length = tree.readOverflow(leaf.link(index), operation);
        if (length < 0) {                                       // the value may have been replaced
            leaf.loadKey(index, operation.key);
            length = tree.get(operation);
        }
        bytes = operation.bytes();
        valueFrom = 0;
        valueBytes = length;
        return length >= 0;
    }

    TreeOperation operation() {
        return operation;
    }

    /** Returns the current key, which the next call on this cursor overwrites. */
    TreeKey key() {
        leaf.loadKey(index, operation.slotKey);
        return operation.slotKey;
    }

    /** Returns the current key, if keys are numbers. */
    @Override
    public long number() {
        return leaf.head((long) index);
    }

    byte[] bytes() {
        return bytes;
    }

    int valueFrom() {
        return valueFrom;
    }

    int valueBytes() {
        return valueBytes;
    }
}
