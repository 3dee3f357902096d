package io.teff.engine.tree;

import io.teff.engine.codec.Codec;
import io.teff.engine.codec.Output;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/**
 * Puts many entries into a tree in the order of their keys. Entries of one leaf are one change of the leaf: one search,
 * one writer lock, and one group of the journal. Of two entries with one key, the later one is kept. For one thread;
 * other threads may use the tree meanwhile.
 *
 * @param <K> type of the keys
 * @param <V> type of the values
 */
final class TreeLoad<K, V> {
    /** Entries that are collected, sorted and put together. */
    private static final int COLLECTED_MAX = 1 << 17;
    /** Bytes of entries in one change of a leaf, so that a group with overflow chunks is one record of the journal. */
    private static final int CHANGE_BYTES_MAX = 1 << 16;

    private final BLinkTree tree;
    private final KeyOrder<K> order;
    private final Codec<V> values;
    private final Comparator<Item<K, V>> comparator;
    private final TreeKey scratch = new TreeKey();
    private final List<Item<K, V>> items = new ArrayList<>();

    /** An entry with the head of its key; the head is 0 if objects have an order of their own. */
    private record Item<K, V>(long head, K key, V value) {}

    TreeLoad(BLinkTree tree, KeyOrder<K> order, Codec<V> values) {
        this.tree = tree;
        this.order = order;
        this.values = values;
        this.comparator = Comparator.<Item<K, V>>comparingLong(Item::head).thenComparing(Item::key, order);
    }

    /** Collects an entry. */
    void add(K key, V value) {
        Objects.requireNonNull(value);
        long head = 0;
        if (!order.isByObject()) {
            order.write(Objects.requireNonNull(key), scratch);
            head = scratch.head;
        }
        items.add(new Item<>(head, Objects.requireNonNull(key), value));
        if (items.size() == COLLECTED_MAX) {
            flush();
        }
    }

    /** Puts the collected entries. */
    void flush() {
        items.sort(comparator);
        final TreeOperation operation = BLinkTree.POOL.acquire();
        try {
            for (int next = 0; next < items.size(); ) {
                next = putSome(operation, next);
            }
        } finally {
            BLinkTree.POOL.release(operation);
        }
        items.clear();
    }

    /** Puts entries into the leaf of an entry; returns the index of the first entry that was not put. */
    private int putSome(TreeOperation operation, int from) {
        int bytes = load(operation, from);
        operation.begin();
        tree.chunks.begin();
        tree.lock(operation);
        try {
            int next = from;
            do {
                tree.put(operation);
                next++;
                if (next == items.size() || operation.made != NodeLayout.NONE) {
                    return next;
                }
                bytes += load(operation, next);
            } while (bytes <= CHANGE_BYTES_MAX && tree.visit(operation.node, operation) == TreeNode.ARRIVED);
            return next;
        } finally {
            tree.unlock(operation);
        }
    }

    /** Writes key and value to the operation; returns their bytes. */
    private int load(TreeOperation operation, int index) {
        final Item<K, V> item = items.get(index);
        order.write(item.key(), operation.key);
        final Output entry = operation.beginEntry();
        entry.putValue(values, item.value());
        return entry.size();
    }
}
