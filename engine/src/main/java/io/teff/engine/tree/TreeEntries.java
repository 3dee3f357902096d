package io.teff.engine.tree;

import io.teff.engine.map.EntryRange;
import org.jspecify.annotations.Nullable;

/** The entries of a sorted map between two keys, upwards or downwards. */
final class TreeEntries<K, V> implements EntryRange<K, V> {
    private final ChunkTreeMap<K, V> map;
    private @Nullable TreeKey low;
    private boolean isLowIn;
    private @Nullable TreeKey high;
    private boolean isHighIn;
    private final boolean isUpwards;
    private final boolean hasValues;
    private long estimate;

    TreeEntries(ChunkTreeMap<K, V> map, @Nullable TreeKey low, boolean isLowIn, @Nullable TreeKey high,
                boolean isHighIn, boolean isUpwards, boolean hasValues) {
        this.map = map;
        this.low = low;
        this.isLowIn = isLowIn;
        this.high = high;
        this.isHighIn = isHighIn;
        this.isUpwards = isUpwards;
        this.hasValues = hasValues;
        this.estimate = low == null && high == null ? map.longSize() : Long.MAX_VALUE;
    }

    @Override
    public TreeWalk<K, V> cursor() {
        final TreeCursor cursor = new TreeCursor(map.tree, isUpwards, hasValues);
        if (low != null) {
            cursor.low(isLowIn).set(low);
        }
        if (high != null) {
            cursor.high(isHighIn).set(high);
        }
        return new TreeWalk<>(map, cursor);
    }

    @Override
    public @Nullable EntryRange<K, V> cut() {
        map.check();
        TreeKey middle = new TreeKey();
        if (!findMiddle(middle)) {
            return null;
        }
        estimate >>>= 1;
        TreeEntries<K, V> first;
        if (isUpwards) {
            first = new TreeEntries<>(map, low, isLowIn, middle, false, true, hasValues);
            low = middle;
            isLowIn = true;
        } else {
            first = new TreeEntries<>(map, middle, true, high, isHighIn, false, hasValues);
            high = middle;
            isHighIn = false;
        }
        first.estimate = estimate;
        return first;
    }

    /**
     * Finds a key that halves the entries approximately, among the keys of the nodes above the leaves; false if there
     * is none.
     */
    private boolean findMiddle(TreeKey target) {
        final BLinkTree tree = map.tree;
        final TreeKey from = low;
        final TreeKey to = high;
        NodeBytes node = new NodeBytes();
        TreeKey slotKey = new TreeKey();
        long cid = tree.root.top();
        while (tree.copy(cid, node) && node.level() > 0 && node.count() > 0) {
            if (from != null && node.isBeyond(tree.order, Search.FLOOR, from, slotKey)) {
                cid = node.right();
                continue;
            }
            final int first = from == null ? 0 : Math.max(node.search(tree.order, Search.FLOOR, from, slotKey), 0);
            final int last = to == null ? node.count() - 1
                : Math.max(node.search(tree.order, isHighIn ? Search.FLOOR : Search.BELOW, to, slotKey), 0);
            if (last > first) {
                node.loadKey(first + (last - first + 1) / 2, target);
                return true;
            }
            cid = node.link(first);
        }
        return false;
    }

    @Override
    public long estimate() {
        map.check();
        return estimate;
    }
}
