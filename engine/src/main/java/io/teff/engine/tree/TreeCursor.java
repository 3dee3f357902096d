package io.teff.engine.tree;

import io.teff.engine.map.LongCursor;
import io.teff.engine.storage.ChunkIndex;

/**
 * A walk over the entries of a tree between two keys, upwards or downwards, that splits and joins do not disturb.
 *
 * <p>A leaf is copied as a whole, so it is shown as it was at one moment. The place of the walk is a bound of the leaf:
 * everything on one side of it was shown, nothing on the other. Upwards the next leaf is the right neighbour, which
 * begins at that bound, or if it is gone, the one that a search for the bound finds; downwards it is the one that a
 * search for what is below the bound finds. Not thread-safe.
 *
 * <p>What it works with is lent by the tree and goes back at the end, or by {@link #close}; a walk that is forgotten in
 * between leaves it to the garbage collector.
 */
final class TreeCursor implements LongCursor, AutoCloseable {
    private final BLinkTree tree;
    private final boolean isUpwards;
    private final boolean hasValues;
    private final boolean isSlotsOnly;
    /** For searches, and for values outside; what it has of bounds is nobody else's. */
    private final TreeOperation operation;
    private final NodeBytes leaf;
    private boolean hasLow;
    private boolean isLowShown;
    private boolean hasHigh;
    private boolean isHighShown;
    /** Entries of the leaf that are shown: from the first to before the end. */
    private int first;
    private int end;
    private int index;
    private boolean isMore = true;
    private boolean isBegun;
    private boolean isClosed;
    /** The current entry's value. */
    private byte[] bytes;
    private int valueFrom;
    private int valueBytes;

    /**
     * Makes a cursor in front of the first entry of a tree.
     *
     * @param hasValues whether values are asked for; an entry whose value goes meanwhile is not shown then
     */
    TreeCursor(BLinkTree tree, boolean isUpwards, boolean hasValues) {
        this.tree = tree;
        this.operation = tree.pool.acquire();
        this.leaf = operation.left();
        this.bytes = leaf.bytes();
        this.isUpwards = isUpwards;
        this.hasValues = hasValues;
        this.isSlotsOnly = !hasValues && tree.order.isByHead();
    }

    /** Gives the cursor a bound below; to be called before the first step, and the key to be written by the caller. */
    TreeKey low(boolean isShown) {
        hasLow = true;
        isLowShown = isShown;
        return operation.low;
    }

    /** Gives the cursor a bound above; the same as {@link #low}. */
    TreeKey high(boolean isShown) {
        hasHigh = true;
        isHighShown = isShown;
        return operation.high;
    }

    /** Ends the walk; there is no current entry any more. */
    @Override
    public void close() {
        if (!isClosed) {
            isClosed = true;
            isMore = false;
            end = first;
            tree.pool.release(operation);
        }
    }

    /** Goes to the next entry; false at the end. */
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
                    operation.low, operation.other);
            }
        } else if (copy(leaf.right())) {
            first = 0;
        } else {
            search(Search.FLOOR, operation.place);
            first = 1 + leaf.search(tree.order, Search.BELOW, operation.place, operation.other);
        }
        end = leaf.count();
        isMore = !leaf.isLast();
        if (isMore) {
            leaf.loadHigh(operation.place);
        }
        if (hasHigh) {
            end = 1 + leaf.search(tree.order, isHighShown ? Search.FLOOR : Search.BELOW,
                operation.high, operation.other);
            isMore = isMore && tree.order.compare(operation.place, operation.high) <= (isHighShown ? 0 : -1);
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
                end = 1 + leaf.search(tree.order, search, operation.high, operation.other);
            }
        } else {
            search(Search.BELOW, operation.place);
            end = 1 + leaf.search(tree.order, Search.BELOW, operation.place, operation.other);
        }
        first = 0;
        isMore = !leaf.isFirst();
        if (isMore) {
            leaf.loadLow(operation.place);
        }
        if (hasLow) {
            first = 1 + leaf.search(tree.order, isLowShown ? Search.BELOW : Search.FLOOR,
                operation.low, operation.other);
            isMore = isMore && tree.order.compare(operation.place, operation.low) > 0;
        }
        index = end;
    }

    /** Copies the leaf that a search leads to. */
    private void search(Search search, TreeKey key) {
        operation.begin();
        operation.search = search;
        operation.key.set(key);
        for (;;) {
            tree.descendTo(operation);
            long cid = operation.node;
            while (copy(cid)) {
                if (!leaf.isBeyond(tree.order, search, key, operation.other)) {
                    return;
                }
                cid = leaf.right();
            }
        }
    }

    /** Copies a leaf; false if it is gone. */
    private boolean copy(long cid) {
        final boolean isThere = tree.copy(cid, leaf, isSlotsOnly);
        if (isThere && leaf.level() > 0) {
            throw ChunkIndex.damaged(tree.chunks, cid, "is no leaf");
        }
        return isThere;
    }

    // ---- the current entry ----

    /** Finds the value; false if it lay outside and is gone. */
    private boolean load() {
        if (!leaf.isOverflow(index)) {
            bytes = leaf.bytes();
            valueFrom = leaf.valueFrom(index);
            valueBytes = leaf.valueBytes(index);
            return true;
        }
        int length = tree.readOverflow(leaf.link(index), operation);
        if (length < 0) {                                       // the value may be another now
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

    /** A copy of the key, until the next call of anything. */
    TreeKey key() {
        leaf.loadKey(index, operation.other);
        return operation.other;
    }

    /** The key, if keys are numbers. */
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
