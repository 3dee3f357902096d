package io.teff.engine.tree;

import io.teff.engine.codec.Codec;
import io.teff.engine.codec.Codecs;
import io.teff.engine.collect.ChunkSortedMap;
import io.teff.engine.map.EntryChange;
import io.teff.engine.storage.CollectionChunks;
import io.teff.engine.storage.RootedCollection;
import io.teff.engine.view.EditScope;
import io.teff.engine.view.ReadScope;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The map of {@link BLinkTree} with the contract of {@link ChunkSortedMap}: turns keys and values into bytes and back,
 * and makes each operation of finding and changing under the lane of the key's leaf.
 *
 * @param <K> type of the keys
 * @param <V> type of the values
 */
public class ChunkTreeMap<K, V> extends TreeRange<K, V> implements ChunkSortedMap<K, V>, RootedCollection {
    final BLinkTree tree;
    final KeyOrder<K> order;
    private final TreeCare care;
    private final Codec<V> values;
    private final CollectionChunks nodes;
    private final boolean isPlain;

    ChunkTreeMap(CollectionChunks nodes, KeyOrder<K> order, Codec<V> values, TreeRoot root) {
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
    public static <K, V> ChunkTreeMap<K, V> make(CollectionChunks nodes, Codec<K> keys, @Nullable Comparator<? super K> comparator,
                                                 Codec<V> values) {
        KeyOrder<K> order = orderOf(keys, comparator);
        return new ChunkTreeMap<>(nodes, order, values, TreeCare.make(nodes, order)).opened();
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
    public static <K, V> ChunkTreeMap<K, V> open(CollectionChunks nodes, long cid, Codec<K> keys,
                                                 @Nullable Comparator<? super K> comparator, Codec<V> values) {
        KeyOrder<K> order = orderOf(keys, comparator);
        return new ChunkTreeMap<>(nodes, order, values, root(nodes, cid, order)).opened();
    }

    /** The root of a map, which must have such an order. */
    static TreeRoot root(CollectionChunks nodes, long cid, KeyOrder<?> order) {
        TreeRoot root = TreeRoot.open(nodes, cid);
        if (root.order() != order.kind()) {
            throw new IllegalArgumentException("the map was made with" + (order.isByObject() ? "out" : "")
                + " a comparator");
        }
        return root;
    }

    /** Looks through the tree, and counts it. */
    final ChunkTreeMap<K, V> opened() {
        care.open();
        return this;
    }

    /**
     * Opens a map whose keys and values nobody needs to understand: to remove it.
     *
     * @param nodes the store
     * @param cid the CID of its root
     * @return the map, of which nothing is counted
     */
    public static RootedCollection openRaw(CollectionChunks nodes, long cid) {
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
        tree.life.check();
        return tree.tallies.entries();
    }

    @Override
    public long memoryBytes() {
        tree.life.check();
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
    private TreeOperation work(Object key) {
        Objects.requireNonNull(key);
        TreeOperation work = tree.spares.take();
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

    /** {@return whether a comparator that was given says the order, not the codec's bytes} */
    public boolean isByComparator() {
        tree.life.check();
        return tree.order.isByObject();
    }

    private V value(byte[] bytes, int from, int length, TreeOperation work) {
        if (isPlain) {
            @SuppressWarnings("unchecked") V copy = (V) (Object) Arrays.copyOfRange(bytes, from, from + length);
            return copy;
        }
        return work.read(values, bytes, from, length);
    }

    /** The value of the entry that a cursor is at. */
    V value(TreeCursor cursor) {
        return value(cursor.bytes(), cursor.valueFrom(), cursor.valueBytes(), cursor.work());
    }

    /** The key of the entry that a cursor is at. */
    K key(TreeCursor cursor) {
        return order.read(cursor.key());
    }

    private void put(TreeOperation work, V value) {
        values.write(value, work.beginEntry());
        tree.put(work);
    }

    // ---- one entry ----

    @Override
    public @Nullable V get(Object key) {
        return find(work(key));
    }

    /** The value of a work's key. Gives the work back, as the following do. */
    final @Nullable V find(TreeOperation work) {
        try {
            int length = tree.get(work);
            return length < 0 ? null : value(work.bytes(), 0, length, work);
        } finally {
            tree.spares.give(work);
        }
    }

    @Override
    public boolean containsKey(Object key) {
        return contains(work(key));
    }

    final boolean contains(TreeOperation work) {
        try {
            return tree.contains(work);
        } finally {
            tree.spares.give(work);
        }
    }

    @Override
    public boolean set(K key, V value) {
        Objects.requireNonNull(value);
        return set(work(key), value);
    }

    final boolean set(TreeOperation work, V value) {
        try {
            values.write(value, work.beginEntry());
            return set(work);
        } finally {
            tree.spares.give(work);
        }
    }

    /** Puts a work's entry; whether the key is new. */
    final boolean set(TreeOperation work) {
        nodes.begin();
        tree.lock(work);
        try {
            tree.put(work);
            return !work.isExact;
        } finally {
            tree.unlock(work);
        }
    }

    @Override
    public boolean delete(K key) {
        return delete(work(key));
    }

    final boolean delete(TreeOperation work) {
        try {
            nodes.begin();
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

    @Override
    @SuppressWarnings("ReferenceEquality")                      // the very same object needs not be written again
    protected void change(Object key, boolean isPut, boolean isAlways, EntryChange<V> change) {
        TreeOperation work = work(key);
        try {
            work.isValueWanted = true;
            nodes.begin();
            tree.lock(work);
            try {
                int length = tree.read(work);
                V before = length < 0 ? null : value(work.bytes(), 0, length, work);
                V after = change.apply(before);
                if (after == null) {
                    if (before != null) {
                        tree.remove(work);
                    }
                } else if (isAlways || after != before) {
                    put(work, after);
                }
            } finally {
                tree.unlock(work);
            }
        } finally {
            tree.spares.give(work);
        }
    }

    @Override
    public boolean read(K key, ReadScope scope) {
        Objects.requireNonNull(scope);
        return inPlace(key, (cid, from, length) -> nodes.view(cid, from, length, scope));
    }

    @Override
    public boolean update(K key, EditScope scope) {
        Objects.requireNonNull(scope);
        nodes.begin();
        return inPlace(key, (cid, from, length) -> nodes.edit(cid, from, length, scope));
    }

    /** What to do where a value is. */
    private interface Place {
        void use(long cid, long from, long length);
    }

    private boolean inPlace(K key, Place place) {
        TreeOperation work = work(key);
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
