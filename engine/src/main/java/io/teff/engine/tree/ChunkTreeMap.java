package io.teff.engine.tree;

import io.teff.engine.codec.Codec;
import io.teff.engine.codec.Codecs;
import io.teff.engine.codec.MalformedException;
import io.teff.engine.collect.ChunkSortedMap;
import io.teff.engine.node.Nodes;
import io.teff.engine.node.Rooted;
import io.teff.engine.view.EditScope;
import io.teff.engine.view.ReadScope;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The map of {@link BLinkTree} with the contract of {@link ChunkSortedMap}: turns keys and values into bytes and back,
 * and makes each operation of finding and changing under the lane of the key's leaf.
 *
 * @param <K> type of the keys
 * @param <V> type of the values
 */
public final class ChunkTreeMap<K, V> extends TreeRange<K, V> implements ChunkSortedMap<K, V>, Rooted {
    final BLinkTree tree;
    final KeyOrder<K> order;
    private final TreeCare care;
    private final Codec<V> values;
    private final Nodes nodes;
    private final boolean isPlain;

    private ChunkTreeMap(Nodes nodes, KeyOrder<K> order, Codec<V> values, TreeRoot root) {
        super(Bounds.all(), true);
        this.nodes = nodes;
        this.order = order;
        this.values = values;
        this.isPlain = values.equals(Codecs.BYTES);
        this.tree = new BLinkTree(nodes, order, root);
        this.care = new TreeCare(tree);
    }

    private static <K> KeyOrder<K> orderOf(Codec<K> keys, @Nullable Comparator<? super K> comparator) {
        return comparator == null ? KeyOrder.natural(keys) : KeyOrder.by(comparator, keys);
    }

    /**
     * Makes an empty map.
     *
     * @param <K> type of the keys
     * @param <V> type of the values
     * @param nodes the store
     * @param keys codec
     * @param comparator says the order, or null for that of the codec's bytes
     * @param values codec
     * @return the map
     */
    public static <K, V> ChunkTreeMap<K, V> make(Nodes nodes, Codec<K> keys, @Nullable Comparator<? super K> comparator,
                                                 Codec<V> values) {
        KeyOrder<K> order = orderOf(keys, comparator);
        ChunkTreeMap<K, V> map = new ChunkTreeMap<>(nodes, order, values, TreeCare.make(nodes, order));
        map.care.open();
        return map;
    }

    /**
     * Opens a map that is in the store.
     *
     * @param <K> type of the keys
     * @param <V> type of the values
     * @param nodes the store
     * @param cid the CID of its root
     * @param keys codec
     * @param comparator as it was when the map was made
     * @param values codec
     * @return the map
     * @throws IllegalArgumentException if the map was made with a comparator and there is none now, or the other way
     */
    public static <K, V> ChunkTreeMap<K, V> open(Nodes nodes, long cid, Codec<K> keys,
                                                 @Nullable Comparator<? super K> comparator, Codec<V> values) {
        KeyOrder<K> order = orderOf(keys, comparator);
        TreeRoot root = TreeRoot.open(nodes, cid);
        if (root.order() != order.kind()) {
            throw new IllegalArgumentException("the map was made with" + (comparator == null ? "" : "out")
                + " a comparator");
        }
        ChunkTreeMap<K, V> map = new ChunkTreeMap<>(nodes, order, values, root);
        map.care.open();
        return map;
    }

    /**
     * Opens a map whose keys and values nobody needs to understand: to remove it.
     *
     * @param nodes the store
     * @param cid the CID of its root
     * @return the map, of which nothing is counted
     */
    public static Rooted openRaw(Nodes nodes, long cid) {
        TreeRoot root = TreeRoot.open(nodes, cid);
        return new ChunkTreeMap<>(nodes, KeyOrder.raw(root.order()), Codecs.BYTES, root);
    }

    @Override
    ChunkTreeMap<K, V> map() {
        return this;
    }

    @Override
    public long root() {
        return tree.root.cid();
    }

    @Override
    public void drop() {
        care.drop();
    }

    @Override
    public long longSize() {
        tree.lanes.checkNotDropped();
        return tree.tallies.entries();
    }

    @Override
    long countedSize() {
        return longSize();
    }

    @Override
    public boolean isEmpty() {
        return longSize() == 0;
    }

    @Override
    public long memoryBytes() {
        tree.lanes.checkNotDropped();
        return tree.tallies.memoryBytes();
    }

    @Override
    public void audit() {
        care.audit();
    }

    @Override
    public void clear() {
        care.clear();
    }

    // ---- bytes ----

    /** The work with a key in it; to be given back. */
    private Work work(Object key) {
        Objects.requireNonNull(key);
        Work work = tree.spares.take();
        boolean isDone = false;
        try {
            order.write(asKey(key), work.key);
            work.begin();
            isDone = true;
            return work;
        } finally {
            if (!isDone) {
                tree.spares.give(work);
            }
        }
    }

    /** A key of another type makes the order throw a ClassCastException, as the contract of maps allows. */
    @SuppressWarnings("unchecked")
    private K asKey(Object key) {
        return (K) key;
    }

    private V value(byte[] bytes, int from, int length, Work work) {
        if (isPlain) {
            @SuppressWarnings("unchecked") V copy = (V) (Object) Arrays.copyOfRange(bytes, from, from + length);
            return copy;
        }
        work.in.reset(bytes, from, length);
        V value = values.read(work.in);
        if (work.in.left() > 0) {
            throw new MalformedException(work.in.offset(), work.in.left() + " bytes behind a value", null);
        }
        return value;
    }

    /** The value of the entry that a cursor is at. */
    V value(TreeCursor cursor) {
        return value(cursor.bytes(), cursor.valueFrom(), cursor.valueBytes(), cursor.work());
    }

    /** The key of the entry that a cursor is at. */
    K key(TreeCursor cursor, TreeKey scratch) {
        cursor.loadKey(scratch);
        return order.read(scratch);
    }

    private void put(Work work, V value) {
        values.write(value, work.beginEntry());
        tree.put(work);
    }

    // ---- one entry ----

    @Override
    public @Nullable V get(Object key) {
        Work work = work(key);
        try {
            int length = tree.get(work);
            return length < 0 ? null : value(work.bytes, 0, length, work);
        } finally {
            tree.spares.give(work);
        }
    }

    @Override
    public boolean containsKey(Object key) {
        Work work = work(key);
        try {
            return tree.contains(work);
        } finally {
            tree.spares.give(work);
        }
    }

    @Override
    public boolean set(K key, V value) {
        Objects.requireNonNull(value);
        Work work = work(key);
        try {
            values.write(value, work.beginEntry());
            tree.lock(work);
            try {
                tree.put(work);
                return !work.isExact;
            } finally {
                tree.unlock(work);
            }
        } finally {
            tree.spares.give(work);
        }
    }

    @Override
    public boolean delete(K key) {
        Work work = work(key);
        try {
            tree.lock(work);
            try {
                if (work.isExact) {
                    tree.remove(work);
                }
                return work.isExact;
            } finally {
                tree.unlock(work);
            }
        } finally {
            tree.spares.give(work);
        }
    }

    /**
     * Finds an entry and decides what to put instead, under the lane.
     *
     * @param change gets the old value or null; its result is put, or null for none
     * @param always whether to put it also if it is the old value, which the function may have changed
     * @return the old value
     */
    @SuppressWarnings("ReferenceEquality")                      // the old value, or a new one that may be equal
    private @Nullable V change(Object key, boolean always, Function<@Nullable V, @Nullable V> change) {
        Work work = work(key);
        try {
            work.isValueWanted = true;
            tree.lock(work);
            try {
                int length = tree.read(work);
                V before = length < 0 ? null : value(work.bytes, 0, length, work);
                V after = change.apply(before);
                if (after == null) {
                    if (before != null) {
                        tree.remove(work);
                    }
                } else if (always || after != before) {
                    put(work, after);
                }
                return before;
            } finally {
                tree.unlock(work);
            }
        } finally {
            tree.spares.give(work);
        }
    }

    /** The same with a function of a user; returns the new value. */
    private @Nullable V call(Object key, boolean always, Function<@Nullable V, @Nullable V> change) {
        Result<V> result = new Result<>();
        change(key, always, before -> {
            tree.lanes.beginCall();
            try {
                result.value = change.apply(before);
                return result.value;
            } finally {
                tree.lanes.endCall();
            }
        });
        return result.value;
    }

    /** What a function has said. */
    private static final class Result<V> {
        private @Nullable V value;
    }

    @Override
    public @Nullable V put(K key, V value) {
        Objects.requireNonNull(value);
        return change(key, true, _ -> value);
    }

    @Override
    public @Nullable V putIfAbsent(K key, V value) {
        Objects.requireNonNull(value);
        return change(key, false, before -> before == null ? value : before);
    }

    @Override
    public @Nullable V remove(Object key) {
        return change(key, false, _ -> null);
    }

    @Override
    public boolean remove(Object key, @Nullable Object value) {
        boolean[] removed = new boolean[1];
        change(key, false, before -> {
            removed[0] = before != null && before.equals(value);
            return removed[0] ? null : before;
        });
        return removed[0];
    }

    @Override
    public @Nullable V replace(K key, V value) {
        Objects.requireNonNull(value);
        return change(key, false, before -> before == null ? null : value);
    }

    @Override
    public boolean replace(K key, V oldValue, V newValue) {
        Objects.requireNonNull(oldValue);
        Objects.requireNonNull(newValue);
        boolean[] replaced = new boolean[1];
        change(key, false, before -> {
            replaced[0] = before != null && before.equals(oldValue);
            return replaced[0] ? newValue : before;
        });
        return replaced[0];
    }

    @Override
    public @Nullable V compute(K key, BiFunction<? super K, ? super @Nullable V, ? extends @Nullable V> function) {
        Objects.requireNonNull(function);
        return call(key, true, before -> function.apply(key, before));
    }

    @Override
    public @Nullable V computeIfAbsent(K key, Function<? super K, ? extends @Nullable V> function) {
        Objects.requireNonNull(function);
        V present = get(key);
        return present != null ? present : call(key, false, before -> before != null ? before : function.apply(key));
    }

    @Override
    public @Nullable V computeIfPresent(K key, BiFunction<? super K, ? super V, ? extends @Nullable V> function) {
        Objects.requireNonNull(function);
        return call(key, true, before -> before == null ? null : function.apply(key, before));
    }

    @Override
    public @Nullable V merge(K key, V value, BiFunction<? super V, ? super V, ? extends @Nullable V> function) {
        Objects.requireNonNull(value);
        Objects.requireNonNull(function);
        return call(key, true, before -> before == null ? value : function.apply(before, value));
    }

    @Override
    public boolean read(K key, ReadScope scope) {
        Objects.requireNonNull(scope);
        return inPlace(key, (cid, from, length) -> nodes.view(cid, from, length, scope));
    }

    @Override
    public boolean update(K key, EditScope scope) {
        Objects.requireNonNull(scope);
        return inPlace(key, (cid, from, length) -> nodes.edit(cid, from, length, scope));
    }

    /** What to do where a value is. */
    private interface Place {
        void use(long cid, long from, long length);
    }

    private boolean inPlace(K key, Place place) {
        Work work = work(key);
        try {
            tree.lock(work);
            try {
                if (!work.isExact) {
                    return false;
                }
                tree.lanes.beginCall();
                try {
                    if (work.outside == NodeLayout.NONE) {
                        place.use(work.node, work.valueFrom, work.valueLength);
                    } else {
                        place.use(work.outside, 0, nodes.size(work.outside));
                    }
                } finally {
                    tree.lanes.endCall();
                }
                return true;
            } finally {
                tree.unlock(work);
            }
        } finally {
            tree.spares.give(work);
        }
    }
}
