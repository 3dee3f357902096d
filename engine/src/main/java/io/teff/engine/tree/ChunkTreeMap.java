package io.teff.engine.tree;

import io.teff.engine.codec.Codec;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.ChunkSortedMap;
import io.teff.engine.collect.ValueChange;
import io.teff.engine.map.EncodedBytes;
import io.teff.engine.map.EntryChange;
import io.teff.engine.map.KeyBounds;
import io.teff.engine.map.Removal;
import io.teff.engine.map.SortedMapRange;
import io.teff.engine.raw.RawFunction;
import io.teff.engine.storage.CodecBuffers;
import io.teff.engine.storage.CollectionChunks;
import io.teff.engine.storage.RootedCollection;
import io.teff.engine.view.EditScope;
import io.teff.engine.view.ReadScope;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Implements {@link ChunkSortedMap} on a {@link BLinkTree}: encodes and decodes keys and values, and combines search
 * and change of an entry under the writer lock of the key's leaf.
 *
 * @param <K> type of the keys
 * @param <V> type of the values
 */
public class ChunkTreeMap<K, V> extends SortedMapRange<K, V> implements ChunkSortedMap<K, V>, RootedCollection {
    /** Length of nodes of maps with few bytes in a key and a value. */
    private static final int SHORT_BYTES = 2040;

    final BLinkTree tree;
    final KeyOrder<K> order;
    private final TreeCare care;
    private final Codec<V> values;
    private final CollectionChunks chunks;
    private final boolean isPlain;

    ChunkTreeMap(CollectionChunks chunks, KeyOrder<K> order, Codec<V> values, TreeRoot root) {
        this(chunks, order, values, root, NodeLayout.NODE_BYTES_MAX);
    }

    private ChunkTreeMap(CollectionChunks chunks, KeyOrder<K> order, Codec<V> values, TreeRoot root, int nodeBytesMax) {
        super(KeyBounds.all(), true);
        this.chunks = chunks;
        this.order = order;
        this.values = values;
        this.isPlain = values.equals(Codecs.BYTES);
        this.tree = new BLinkTree(chunks, order, root, nodeBytesMax);
        this.care = new TreeCare(tree);
    }

    private static <K> KeyOrder<K> orderOf(Codec<K> keys, @Nullable Comparator<? super K> comparator) {
        return comparator == null ? KeyOrder.natural(keys) : KeyOrder.by(comparator, keys);
    }

    /**
     * Returns the comparator of the natural order of a class.
     *
     * @param <K> type of the keys
     * @param type class of the keys
     * @param codec codec of the keys
     * @return the comparator, or null if the codec's bytes have that order
     * @throws IllegalArgumentException if the class has no natural order
     */
    @SuppressWarnings("unchecked")
    public static <K> @Nullable Comparator<? super K> naturalOrder(Class<K> type, Codec<K> codec) {
        if (KeyOrder.hasNatural(codec)) {
            return null;
        }
        if (!Comparable.class.isAssignableFrom(type)) {
            throw new IllegalArgumentException("keys of " + type + " have no natural order, because the class does not "
                + "implement Comparable; give a comparator");
        }
        return (Comparator<? super K>) Comparator.naturalOrder();
    }

    /**
     * Creates an empty map.
     *
     * @param <K> type of the keys
     * @param <V> type of the values
     * @param chunks chunk operations of the store
     * @param keys codec of the keys
     * @param comparator order of the keys, or null for the natural order of the codec's bytes
     * @param values codec of the values
     * @return the map
     */
    public static <K, V> ChunkTreeMap<K, V> make(CollectionChunks chunks, Codec<K> keys,
                                                 @Nullable Comparator<? super K> comparator, Codec<V> values) {
        KeyOrder<K> order = orderOf(keys, comparator);
        return new ChunkTreeMap<>(chunks, order, values, TreeCare.make(chunks, order)).opened();
    }

    /**
     * Opens an existing map.
     *
     * @param <K> type of the keys
     * @param <V> type of the values
     * @param chunks chunk operations of the store
     * @param cid CID of the root
     * @param keys codec of the keys
     * @param comparator comparator equivalent to the one with which the map was created
     * @param values codec of the values
     * @return the map
     * @throws IllegalArgumentException if only one of creation and opening has a comparator
     */
    public static <K, V> ChunkTreeMap<K, V> open(CollectionChunks chunks, long cid, Codec<K> keys,
                                                 @Nullable Comparator<? super K> comparator, Codec<V> values) {
        KeyOrder<K> order = orderOf(keys, comparator);
        return new ChunkTreeMap<>(chunks, order, values, root(chunks, cid, order)).opened();
    }

    /**
     * Creates an empty map of bytes whose nodes are shorter, for keys and values of few bytes that change often: less
     * is moved and recorded at a change.
     *
     * @param chunks chunk operations of the store
     * @return the map
     */
    public static ChunkTreeMap<byte[], byte[]> makeShort(CollectionChunks chunks) {
        KeyOrder<byte[]> order = orderOf(Codecs.BYTES, null);
        return new ChunkTreeMap<>(chunks, order, Codecs.BYTES, TreeCare.make(chunks, order), SHORT_BYTES).opened();
    }

    /**
     * Opens a map of bytes, and makes new nodes as {@link #makeShort}.
     *
     * @param chunks chunk operations of the store
     * @param cid CID of the root
     * @return the map
     */
    public static ChunkTreeMap<byte[], byte[]> openShort(CollectionChunks chunks, long cid) {
        KeyOrder<byte[]> order = orderOf(Codecs.BYTES, null);
        return new ChunkTreeMap<>(chunks, order, Codecs.BYTES, root(chunks, cid, order), SHORT_BYTES).opened();
    }

    /** Reads the root of a map, which must have the kind of an order. */
    static TreeRoot root(CollectionChunks chunks, long cid, KeyOrder<?> order) {
        TreeRoot root = TreeRoot.open(chunks, cid);
        if (root.order() != order.kind()) {
            throw new IllegalArgumentException("the map was made with" + (order.isByObject() ? "out" : "")
                + " a comparator");
        }
        return root;
    }

    /** Checks and counts the tree. */
    final ChunkTreeMap<K, V> opened() {
        care.open();
        return this;
    }

    /**
     * Opens a map without the codecs of its keys and values, in order to remove it.
     *
     * @param chunks chunk operations of the store
     * @param cid CID of the root
     * @return the map, without counters
     */
    public static RootedCollection openRaw(CollectionChunks chunks, long cid) {
        TreeRoot root = TreeRoot.open(chunks, cid);
        return new ChunkTreeMap<>(chunks, KeyOrder.raw(root.order()), Codecs.BYTES, root);
    }

    @Override
    protected ChunkTreeMap<K, V> whole() {
        return this;
    }

    @Override
    protected Comparator<K> keyOrder() {
        return order;
    }

    @Override
    protected @Nullable Comparator<? super K> wholeComparator() {
        return order.comparator();
    }

    @Override
    protected void beginCall() {
        tree.writerLocks.beginCall();
    }

    @Override
    protected void endCall() {
        tree.writerLocks.endCall();
    }

    // ---- walks ----

    @Override
    protected TreeWalk<K, V> walk(KeyBounds<K> shown, boolean upwards, boolean hasValues) {
        TreeCursor cursor = new TreeCursor(tree, upwards, hasValues);
        K low = shown.low();
        if (low != null) {
            order.write(low, cursor.low(shown.isLowIn()));
        }
        K high = shown.high();
        if (high != null) {
            order.write(high, cursor.high(shown.isHighIn()));
        }
        return new TreeWalk<>(this, cursor);
    }

    @Override
    protected TreeEntries<K, V> walks(KeyBounds<K> shown, boolean upwards, boolean hasValues) {
        return new TreeEntries<>(this, key(shown.low()), shown.isLowIn(), key(shown.high()), shown.isHighIn(), upwards,
            hasValues);
    }

    private @Nullable TreeKey key(@Nullable K key) {
        if (key == null) {
            return null;
        }
        TreeKey made = new TreeKey();
        order.write(key, made);
        return made;
    }

    @Override
    protected long count(KeyBounds<K> shown) {
        try (TreeWalk<K, V> walk = walk(shown, true, false)) {
            return walk.count();
        }
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
    protected void check() {
        tree.state.check();
    }

    @Override
    public long longSize() {
        check();
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

    /** Returns an operation from the pool with the key in it; the caller releases it. */
    private TreeOperation operationOn(Object key) {
        Objects.requireNonNull(key);
        TreeOperation operation = BLinkTree.POOL.acquire();
        boolean isDone = false;
        try {
            order.write(asKey(key), operation.key);
            operation.begin();
            isDone = true;
            return operation;
        } finally {
            if (!isDone) {
                BLinkTree.POOL.release(operation);
            }
        }
    }

    /** Casts a key. For a key of another type the order throws a ClassCastException, as the contract of maps allows. */
    @SuppressWarnings("unchecked")
    private K asKey(Object key) {
        return (K) key;
    }

    /** {@return the comparator that was given; null if the codec's bytes define the order} */
    public @Nullable Comparator<? super K> givenComparator() {
        tree.state.check();
        return order.given();
    }

    private V value(byte[] bytes, int from, int length, TreeOperation operation) {
        if (isPlain) {
            @SuppressWarnings("unchecked") V copy = (V) (Object) Arrays.copyOfRange(bytes, from, from + length);
            return copy;
        }
        return operation.read(values, bytes, from, length);
    }

    /** Returns the value of a cursor's current entry. */
    V value(TreeCursor cursor) {
        return value(cursor.bytes(), cursor.valueFrom(), cursor.valueBytes(), cursor.operation());
    }

    /** Returns the key of a cursor's current entry. */
    K key(TreeCursor cursor) {
        return order.read(cursor.key());
    }

    private void put(TreeOperation operation, V value) {
        operation.beginEntry().putValue(values, value);
        tree.put(operation);
    }

    // ---- one entry ----

    @Override
    public @Nullable V get(Object key) {
        return find(operationOn(key));
    }

    /** Returns the value of the operation's key, and releases the operation, as the following methods do. */
    final @Nullable V find(TreeOperation operation) {
        try {
            int length = tree.get(operation);
            return length < 0 ? null : value(operation.bytes(), 0, length, operation);
        } finally {
            BLinkTree.POOL.release(operation);
        }
    }

    @Override
    public boolean containsKey(Object key) {
        return contains(operationOn(key));
    }

    final boolean contains(TreeOperation operation) {
        try {
            return tree.contains(operation);
        } finally {
            BLinkTree.POOL.release(operation);
        }
    }

    @Override
    public boolean set(K key, V value) {
        Objects.requireNonNull(value);
        return set(operationOn(key), value);
    }

    final boolean set(TreeOperation operation, V value) {
        try {
            operation.beginEntry().putValue(values, value);
            return set(operation);
        } finally {
            BLinkTree.POOL.release(operation);
        }
    }

    /** Puts the operation's entry; returns whether the key is new. */
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
    public void putAll(Map<? extends K, ? extends V> entries) {
        check();
        TreeLoad<K, V> load = new TreeLoad<>(tree, order, values);
        entries.forEach(load::add);
        load.flush();
    }

    @Override
    public boolean delete(K key) {
        return delete(operationOn(key));
    }

    final boolean delete(TreeOperation operation) {
        try {
            chunks.beginRemoval();
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
            BLinkTree.POOL.release(operation);
        }
    }

    @Override
    @SuppressWarnings("ReferenceEquality")                      // an identical object is not written again
    protected void change(Object key, boolean isPut, boolean isAlways, EntryChange<V> change) {
        TreeOperation operation = operationOn(key);
        try {
            operation.isValueWanted = true;
            chunks.begin(isPut || isAlways);
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
            BLinkTree.POOL.release(operation);
        }
    }

    @Override
    public @Nullable V apply(K key, ValueChange<? super V> change) {
        return applied(key, change).after();
    }

    @Override
    @SuppressWarnings("ReferenceEquality")                      // a function without an effect returns its argument
    public boolean modify(K key, ValueChange<? super V> change) {
        EntryChange<V> made = applied(key, change);
        return made.after() != made.before();
    }

    private EntryChange<V> applied(K key, ValueChange<? super V> change) {
        RawFunction function = RawFunction.of(change, values);
        EntryChange<V> made = new EntryChange<>(before -> {
            EncodedBytes bytes = new EncodedBytes();
            if (before != null) {
                encode(before, bytes);
            }
            byte[] next = function.apply(bytes.bytes(), before == null ? -1 : bytes.length());
            if (next == null) {
                return before;
            }
            bytes.set(next, 0, next.length);
            return decode(bytes);
        });
        change(key, true, false, made);
        return made;
    }

    @Override
    protected Removal removeShown(K key, EncodedBytes value) {
        TreeOperation operation = operationOn(key);
        try {
            operation.isValueWanted = true;
            chunks.beginRemoval();
            tree.lock(operation);
            try {
                int length = tree.read(operation);
                if (length < 0) {
                    return Removal.ABSENT;
                }
                if (!value.isSame(operation.bytes(), 0, length)) {
                    value.set(operation.bytes(), 0, length);
                    return Removal.CHANGED;
                }
                tree.remove(operation);
                return Removal.REMOVED;
            } finally {
                tree.unlock(operation);
            }
        } finally {
            BLinkTree.POOL.release(operation);
        }
    }

    @Override
    protected void encode(V value, EncodedBytes target) {
        CodecBuffers buffers = new CodecBuffers();
        buffers.out().putValue(values, value);
        target.set(buffers.out().array(), 0, buffers.out().size());
    }

    @Override
    protected V decode(EncodedBytes value) {
        return new CodecBuffers().read(values, value.bytes(), 0, value.length());
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

    /** An action on the chunk that contains a value. */
    private interface Place {
        void use(long cid, long from, long length);
    }

    private boolean inPlace(K key, Place place) {
        TreeOperation operation = operationOn(key);
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
            BLinkTree.POOL.release(operation);
        }
    }
}
