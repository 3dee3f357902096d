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
    private final TreeOperation work;
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
        this.work = tree.spares.take();
        this.leaf = work.left();
        this.bytes = leaf.bytes();
        this.isUpwards = isUpwards;
        this.hasValues = hasValues;
        this.isSlotsOnly = !hasValues && tree.order.isByHead();
    }

    /** Gives the cursor a bound below; to be called before the first step, and the key to be written by the caller. */
    TreeKey low(boolean isShown) {
        hasLow = true;
        isLowShown = isShown;
        return work.low;
    }

    /** Gives the cursor a bound above; the same as {@link #low}. */
    TreeKey high(boolean isShown) {
        hasHigh = true;
        isHighShown = isShown;
        return work.high;
    }

    /** Ends the walk; there is no current entry any more. */
    @Override
    public void close() {
        if (!isClosed) {
            isClosed = true;
            isMore = false;
            end = first;
            tree.spares.give(work);
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
        tree.life.checkNotDropped();
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
                search(Search.START, work.place);
                first = 0;
            } else {
                search(Search.FLOOR, work.low);
                first = 1 + leaf.search(tree.order, isLowShown ? Search.BELOW : Search.FLOOR, work.low, work.other);
            }
        } else if (copy(leaf.right())) {
            first = 0;
        } else {
            search(Search.FLOOR, work.place);
            first = 1 + leaf.search(tree.order, Search.BELOW, work.place, work.other);
        }
        end = leaf.count();
        isMore = !leaf.isLast();
        if (isMore) {
            leaf.loadHigh(work.place);
        }
        if (hasHigh) {
            end = 1 + leaf.search(tree.order, isHighShown ? Search.FLOOR : Search.BELOW, work.high, work.other);
            isMore = isMore && tree.order.compare(work.place, work.high) <= (isHighShown ? 0 : -1);
        }
        index = first - 1;
    }

    private void turnDownwards() {
        if (!isBegun) {
            isBegun = true;
            if (!hasHigh) {
                search(Search.END, work.place);
                end = leaf.count();
            } else {
                final Search search = isHighShown ? Search.FLOOR : Search.BELOW;
                search(search, work.high);
                end = 1 + leaf.search(tree.order, search, work.high, work.other);
            }
        } else {
            search(Search.BELOW, work.place);
            end = 1 + leaf.search(tree.order, Search.BELOW, work.place, work.other);
        }
        first = 0;
        isMore = !leaf.isFirst();
        if (isMore) {
            leaf.loadLow(work.place);
        }
        if (hasLow) {
            first = 1 + leaf.search(tree.order, isLowShown ? Search.BELOW : Search.FLOOR, work.low, work.other);
            isMore = isMore && tree.order.compare(work.place, work.low) > 0;
        }
        index = end;
    }

    /** Copies the leaf that a search leads to. */
    private void search(Search search, TreeKey key) {
        work.begin();
        work.search = search;
        work.key.set(key);
        for (;;) {
            tree.descendTo(work);
            long cid = work.node;
            while (copy(cid)) {
                if (!leaf.isBeyond(tree.order, search, key, work.other)) {
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
            throw ChunkIndex.damaged(tree.nodes, cid, "is no leaf");
        }
        return isThere;
    }

    // ---- the current entry ----

    /** Finds the value; false if it lay outside and is gone. */
    private boolean load() {
        if (!leaf.isOutside(index)) {
            bytes = leaf.bytes();
            valueFrom = leaf.valueFrom(index);
            valueBytes = leaf.valueBytes(index);
            return true;
        }
        int length = tree.readOutside(leaf.link(index), work);
        if (length < 0) {                                       // the value may be another now
            leaf.loadKey(index, work.key);
            length = tree.get(work);
        }
        bytes = work.bytes();
        valueFrom = 0;
        valueBytes = length;
        return length >= 0;
    }

    TreeOperation work() {
        return work;
    }

    /** A copy of the key, until the next call of anything. */
    TreeKey key() {
        leaf.loadKey(index, work.other);
        return work.other;
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
