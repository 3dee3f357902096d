package io.teff.engine.tree;

import org.jspecify.annotations.Nullable;

/**
 * A walk over the entries of a tree between two keys, upwards or downwards, that splits and joins do not disturb.
 *
 * <p>A leaf is copied as a whole, so it is shown as it was at one moment. The place of the walk is a bound of the leaf:
 * everything on one side of it was shown, nothing on the other. Upwards the next leaf is the right neighbour, which
 * begins at that bound, or if it is gone, the one that a search for the bound finds; downwards it is the one that a
 * search for what is below the bound finds. Not thread-safe.
 */
final class TreeCursor {
    private final BLinkTree tree;
    private final @Nullable TreeKey low;
    private final boolean isLowShown;
    private final @Nullable TreeKey high;
    private final boolean isHighShown;
    private final boolean isUpwards;
    private final boolean hasValues;
    private final boolean isSlotsOnly;
    /** For searches, and for values outside. */
    private final Work work;
    private final NodeBytes leaf;
    private final TreeKey other = new TreeKey();
    /** The place of the walk, between the leaf and the next one. */
    private final TreeKey place = new TreeKey();
    /** Entries of the leaf that are shown: from the first to before the end. */
    private int first;
    private int end;
    private int index;
    private boolean isMore = true;
    private boolean isBegun;
    /** The current entry's value. */
    private byte[] bytes;
    private int valueFrom;
    private int valueBytes;

    /**
     * Makes a cursor in front of the first entry.
     *
     * @param work the cursor's alone as long as it is used
     * @param low where the entries begin, or null for all; they stay the caller's and must not change
     * @param high where they end
     * @param hasValues whether values are asked for; an entry whose value goes meanwhile is not shown then
     */
    TreeCursor(BLinkTree tree, Work work, @Nullable TreeKey low, boolean isLowShown, @Nullable TreeKey high,
               boolean isHighShown, boolean isUpwards, boolean hasValues) {
        this.tree = tree;
        this.work = work;
        this.leaf = work.left();
        this.bytes = leaf.bytes();
        this.low = low;
        this.isLowShown = isLowShown;
        this.high = high;
        this.isHighShown = isHighShown;
        this.isUpwards = isUpwards;
        this.hasValues = hasValues;
        this.isSlotsOnly = !hasValues && tree.order.isByHead();
    }

    /** Goes to the next entry; false at the end. */
    boolean next() {
        for (;;) {
            index += isUpwards ? 1 : -1;
            if (index >= first && index < end) {
                if (!hasValues || load()) {
                    return true;
                }
            } else if (isMore) {
                turn();
            } else {
                end = first;
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
        end = first;
        return count;
    }

    // ---- leaves ----

    /** Copies the next leaf. */
    private void turn() {
        tree.lanes.checkNotDropped();
        if (isUpwards) {
            turnUpwards();
        } else {
            turnDownwards();
        }
    }

    private void turnUpwards() {
        if (!isBegun) {
            isBegun = true;
            if (low == null) {
                search(Search.START, place);
                first = 0;
            } else {
                search(Search.FLOOR, low);
                first = 1 + leaf.search(tree.order, isLowShown ? Search.BELOW : Search.FLOOR, low, other);
            }
        } else if (tree.copy(leaf.right(), leaf, isSlotsOnly)) {
            first = 0;
        } else {
            search(Search.FLOOR, place);
            first = 1 + leaf.search(tree.order, Search.BELOW, place, other);
        }
        end = leaf.count();
        isMore = !leaf.isLast();
        if (isMore) {
            leaf.loadHigh(place);
        }
        if (high != null) {
            end = 1 + leaf.search(tree.order, isHighShown ? Search.FLOOR : Search.BELOW, high, other);
            isMore = isMore && tree.order.compare(place, high) <= (isHighShown ? 0 : -1);
        }
        index = first - 1;
    }

    private void turnDownwards() {
        if (!isBegun) {
            isBegun = true;
            if (high == null) {
                search(Search.END, place);
                end = leaf.count();
            } else {
                final Search search = isHighShown ? Search.FLOOR : Search.BELOW;
                search(search, high);
                end = 1 + leaf.search(tree.order, search, high, other);
            }
        } else {
            search(Search.BELOW, place);
            end = 1 + leaf.search(tree.order, Search.BELOW, place, other);
        }
        first = 0;
        isMore = !leaf.isFirst();
        if (isMore) {
            leaf.loadLow(place);
        }
        if (low != null) {
            first = 1 + leaf.search(tree.order, isLowShown ? Search.BELOW : Search.FLOOR, low, other);
            isMore = isMore && tree.order.compare(place, low) > 0;
        }
        index = end;
    }

    /** Copies the leaf that a search leads to. */
    private void search(Search search, TreeKey key) {
        work.begin();
        work.search = search;
        work.key.set(key);
        for (;;) {
            tree.descend(work);
            if (tree.copy(work.node, leaf, isSlotsOnly) && !leaf.isBeyond(tree.order, search, key, other)) {
                return;
            }
        }
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
        bytes = work.bytes;
        valueFrom = 0;
        valueBytes = length;
        return length >= 0;
    }

    Work work() {
        return work;
    }

    /** Copies the key. */
    void loadKey(TreeKey target) {
        leaf.loadKey(index, target);
    }

    /** The key, if keys are numbers. */
    long number() {
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
