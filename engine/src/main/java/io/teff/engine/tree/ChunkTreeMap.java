package io.teff.engine.tree;

import io.teff.engine.codec.Codec;
import io.teff.engine.codec.schema.Codecs;
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
    private final CollectionChunks chunks;
    private final boolean isPlain;

    ChunkTreeMap(CollectionChunks chunks, KeyOrder<K> order, Codec<V> values, TreeRoot root) {
        super(Bounds.all(), true);
        this.chunks = chunks;
        this.order = order;
        this.values = values;
        this.isPlain = values.equals(Codecs.BYTES);
        this.tree = new BLinkTree(chunks, order, root);
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
     * @param chunks the store
     * @param keys codec
     * @param comparator says the order, or null for that of the codec's bytes
     * @param values codec
     * @return the map
     */
    public static <K, V> ChunkTreeMap<K, V> make(CollectionChunks chunks, Codec<K> keys,
                                                 @Nullable Comparator<? super K> comparator, Codec<V> values) {
        KeyOrder<K> order = orderOf(keys, comparator);
        return new ChunkTreeMap<>(chunks, order, values, TreeCare.make(chunks, order)).opened();
    }

    /**
     * Opens a map that is in the store.
     *
     * @param <K> type of the keys
     * @param <V> type of the values
     * @param chunks the store
     * @param cid the CID of its root
     * @param keys codec
     * @param comparator as it was when the map was made
     * @param values codec
     * @return the map
     * @throws IllegalArgumentException if the map was made with a comparator and there is none now, or the other way
     */
    public static <K, V> ChunkTreeMap<K, V> open(CollectionChunks chunks, long cid, Codec<K> keys,
                                                 @Nullable Comparator<? super K> comparator, Codec<V> values) {
        KeyOrder<K> order = orderOf(keys, comparator);
        return new ChunkTreeMap<>(chunks, order, values, root(chunks, cid, order)).opened();
    }

    /** The root of a map, which must have such an order. */
    static TreeRoot root(CollectionChunks chunks, long cid, KeyOrder<?> order) {
        TreeRoot root = TreeRoot.open(chunks, cid);
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
     * @param chunks the store
     * @param cid the CID of its root
     * @return the map, of which nothing is counted
     */
    public static RootedCollection openRaw(CollectionChunks chunks, long cid) {
        TreeRoot root = TreeRoot.open(chunks, cid);
        return new ChunkTreeMap<>(chunks, KeyOrder.raw(root.order()), Codecs.BYTES, root);
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
        tree.state.check();
        return tree.counters.entries();
    }

    @Override
    public long memoryBytes() {
        tree.state.check();
        return tree.counters.memoryBytes();
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
    private TreeOperation operation(Object key) {
        Objects.requireNonNull(key);
        TreeOperation operation = tree.pool.acquire();
        boolean isDone = false;
        try {
            order.write(asKey(key), operation.key);
            operation.begin();
            isDone = true;
            return operation;
        } finally {
            if (!isDone) {
                tree.pool.release(operation);
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
        tree.state.check();
        return tree.order.isByObject();
    }

    private V value(byte[] bytes, int from, int length, TreeOperation operation) {
        if (isPlain) {
            @SuppressWarnings("unchecked") V copy = (V) (Object) Arrays.copyOfRange(bytes, from, from + length);
            return copy;
        }
        return operation.read(values, bytes, from, length);
    }

    /** The value of the entry that a cursor is at. */
    V value(TreeCursor cursor) {
        return value(cursor.bytes(), cursor.valueFrom(), cursor.valueBytes(), cursor.operation());
    }

    /** The key of the entry that a cursor is at. */
    K key(TreeCursor cursor) {
        return order.read(cursor.key());
    }

    private void put(TreeOperation operation, V value) {
        values.write(value, operation.beginEntry());
        tree.put(operation);
    }

    // ---- one entry ----

    @Override
    public @Nullable V get(Object key) {
        return find(operation(key));
    }

    /** The value of a work's key. Gives the work back, as the following do. */
    final @Nullable V find(TreeOperation operation) {
        try {
            int length = tree.get(operation);
            return length < 0 ? null : value(operation.bytes(), 0, length, operation);
        } finally {
            tree.pool.release(operation);
        }
    }

    @Override
    public boolean containsKey(Object key) {
        return contains(operation(key));
    }

    final boolean contains(TreeOperation operation) {
        try {
            return tree.contains(operation);
        } finally {
            tree.pool.release(operation);
        }
    }

    @Override
    public boolean set(K key, V value) {
        Objects.requireNonNull(value);
        return set(operation(key), value);
    }

    final boolean set(TreeOperation operation, V value) {
        try {
            values.write(value, operation.beginEntry());
            return set(operation);
        } finally {
            tree.pool.release(operation);
        }
    }

    /** Puts a work's entry; whether the key is new. */
    final boolean set(TreeOperation operation) {
        chunks.begin();
        tree.lock(operation);
        try {
            tree.put(operation);
            return !operation.isExact;
        } finally {
            tree.unlock(operation);
        }
    }

    @Override
    public boolean delete(K key) {
        return delete(operation(key));
    }

    final boolean delete(TreeOperation operation) {
        try {
            chunks.begin();
            tree.lock(operation);
            try {
                if (operation.isExact) {
                    tree.remove(operation);
                }
                return operation.isExact;
            } finally {
                tree.unlock(operation);
            }
        } finally {
            tree.pool.release(operation);
        }
    }

    @Override
    @SuppressWarnings("ReferenceEquality")                      // the very same object needs not be written again
    protected void change(Object key, boolean isPut, boolean isAlways, EntryChange<V> change) {
        TreeOperation operation = operation(key);
        try {
            operation.isValueWanted = true;
            chunks.begin();
            tree.lock(operation);
            try {
                int length = tree.read(operation);
                V before = length < 0 ? null : value(operation.bytes(), 0, length, operation);
                V after = change.apply(before);
                if (after == null) {
                    if (before != null) {
                        tree.remove(operation);
                    }
                } else if (isAlways || after != before) {
                    put(operation, after);
                }
            } finally {
                tree.unlock(operation);
            }
        } finally {
            tree.pool.release(operation);
        }
    }

    @Override
    public boolean read(K key, ReadScope scope) {
        Objects.requireNonNull(scope);
        return inPlace(key, (cid, from, length) -> chunks.view(cid, from, length, scope));
    }

    @Override
    public boolean update(K key, EditScope scope) {
        Objects.requireNonNull(scope);
        chunks.begin();
        return inPlace(key, (cid, from, length) -> chunks.edit(cid, from, length, scope));
    }

    /** What to do where a value is. */
    private interface Place {
        void use(long cid, long from, long length);
    }

    private boolean inPlace(K key, Place place) {
        TreeOperation operation = operation(key);
        try {
            tree.lock(operation);
            try {
                if (!operation.isExact) {
                    return false;
                }
                tree.writerLocks.beginCall();
                try {
                    if (operation.overflow == NodeLayout.NONE) {
                        place.use(operation.node, operation.valueFrom, operation.valueLength);
                    } else {
                        place.use(operation.overflow, 0, chunks.size(operation.overflow));
                    }
                } finally {
                    tree.writerLocks.endCall();
                }
                return true;
            } finally {
                tree.unlock(operation);
            }
        } finally {
            tree.pool.release(operation);
        }
    }
}
