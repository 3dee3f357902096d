package io.teff.engine;

import io.teff.engine.NamedRoot.Kind;
import io.teff.engine.codec.Codec;
import io.teff.engine.codec.SchemaException;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.codec.schema.Schema;
import io.teff.engine.collect.ChunkList;
import io.teff.engine.collect.ChunkLongMap;
import io.teff.engine.collect.ChunkMap;
import io.teff.engine.collect.ChunkQueue;
import io.teff.engine.collect.ChunkSet;
import io.teff.engine.collect.ChunkSortedLongMap;
import io.teff.engine.collect.ChunkSortedMap;
import io.teff.engine.error.Status;
import io.teff.engine.error.StoreException;
import io.teff.engine.hash.ChunkHashMap;
import io.teff.engine.hash.ChunkHashSet;
import io.teff.engine.hash.ChunkLongHashMap;
import io.teff.engine.hash.RawHashMap;
import io.teff.engine.index.IndexCatalogue;
import io.teff.engine.os.FailureText;
import io.teff.engine.raw.RawCodec;
import io.teff.engine.raw.RawCollections;
import io.teff.engine.raw.RawCopying;
import io.teff.engine.raw.RawMap;
import io.teff.engine.raw.RawMaps;
import io.teff.engine.sequence.ChunkFifo;
import io.teff.engine.sequence.ChunkSegmentList;
import io.teff.engine.storage.CollectionChunks;
import io.teff.engine.storage.RootedCollection;
import io.teff.engine.table.CidLayout;
import io.teff.engine.tree.ChunkLongTreeMap;
import io.teff.engine.tree.ChunkTreeMap;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Names of collections and of single chunks, by which an application finds them after a restore. Thread-safe.
 *
 * <p>The directory of names is a hash map in chunks. The root of a store's directory is the chunk of creator 65,534
 * with index 1, the root of another zone's directory is the zone's chunk with index 0; the first name creates it.
 */
public final class Names implements NameOperations {
    /** Creator of the directory's root; a store with this NID has no names. */
    static final int DIRECTORY_NID = CidLayout.NID_MAX;

    /** Root of the directory of a store's own names. */
    private static final long STORE_DIRECTORY = CidLayout.pack(DIRECTORY_NID, 0, 1);

    /** First char of names that a migration uses for itself. */
    private static final char HIDDEN = '\0';
    private static final String COPY = HIDDEN + "copy of ";
    private static final String REPLACED = HIDDEN + "replaced ";
    /** The hidden name of the catalogue of a map's indexes. */
    private static final String INDEXES = HIDDEN + "indexes of ";

    /** The size of values if it is not asked for. */
    private static final int ANY_BYTES = -1;

    private static final MapOrder BY_BYTES = MapOrder.of(null);

    private final CollectionChunks nodes;
    /** CID of the directory's root. */
    private final long root;
    /** Open collections by name; guarded by this. */
    private final Map<String, OpenCollection> open = new HashMap<>();
    /** Names of collections that are being removed; guarded by this. */
    private final Set<String> dropping = new HashSet<>();
    /** Names of collections that are being migrated; guarded by this. */
    private final Set<String> migrating = new HashSet<>();
    /** Held while the rest of a migration is removed. */
    private final Object ending = new Object();
    /** The directory, or null before the first access to it; guarded by this. */
    private @Nullable ChunkHashMap<String, NamedRoot> directory;
    private final RawNames raw = new RawNames(this);

    /** Names of hash maps by their roots; null behind a change of a name. Guarded by this. */
    private @Nullable Map<Long, String> mapsByRoot;

    /** An open collection. */
    private record OpenCollection(NamedRoot root, RootedCollection collection, Codec<?> keys, Codec<?> values) {
        /** Returns whether its keys and values are, as far as that is known, of the types of these codecs. */
        boolean hasTypesOf(Codec<?> wantedKeys, Codec<?> wantedValues) {
            return hasTypeOf(keys, wantedKeys) && hasTypeOf(values, wantedValues);
        }

        private static boolean hasTypeOf(Codec<?> codec, Codec<?> wanted) {
            return !(codec instanceof Schema<?> schema) || schema.hasTypeOf(wanted);
        }
    }

    /** Creates a collection for {@link Cid#NONE}, or opens the one whose root has the CID. */
    private interface Opener {
        RootedCollection open(long cid);
    }

    static {
        RawCopying.Door.openBy(names -> ((Names) names).copying());
    }

    private Names(CollectionChunks nodes, long root) {
        this.nodes = nodes;
        this.root = root;
    }

    /** Returns the names of a store. */
    static Names ofStore(CollectionChunks nodes) {
        return new Names(nodes, STORE_DIRECTORY);
    }

    /** Returns the names of a zone beside the store's own. */
    static Names ofZone(CollectionChunks nodes) {
        return new Names(nodes, CidLayout.pack(nodes.table().nid(), 0, 0));
    }

    // ---- names ----

    @Override
    public synchronized void bind(String name, long cid) {
        Objects.requireNonNull(name);
        if (nodes.size(cid) == Status.ABSENT) {
            throw new IllegalArgumentException("chunk " + Cid.toString(cid) + " does not exist");
        }
        NamedRoot before = find(name);
        if (before != null && before.kind() != Kind.CHUNK) {
            throw new IllegalArgumentException("the name " + name + " belongs to " + before.describe());
        }
        directory().set(name, new NamedRoot(Kind.CHUNK, cid, "", ""));
    }

    @Override
    public synchronized Optional<NamedRoot> get(String name) {
        return Optional.ofNullable(find(name));
    }

    @Override
    public synchronized Map<String, NamedRoot> all() {
        ChunkHashMap<String, NamedRoot> found = findDirectory();
        Map<String, NamedRoot> all = found == null ? new TreeMap<>() : new TreeMap<>(found);
        all.keySet().removeIf(name -> name.indexOf(HIDDEN) == 0);
        return Collections.unmodifiableMap(all);
    }

    @Override
    public boolean drop(String name) {
        endMigration(name);
        return dropOne(name);
    }

    private boolean dropOne(String name) {
        RootedCollection collection = beginDrop(name);
        if (collection == null) {
            return removeChunk(name);
        }
        boolean done = false;
        try {
            dropIndexes(name, collection);
            collection.drop();              // waits for changes that may call names(), so not inside the monitor
            done = true;
        } finally {
            endDrop(name, collection.root(), done);
        }
        return true;
    }

    /** Drops the indexes of a map that is about to be dropped or replaced. */
    private void dropIndexes(String name, @Nullable RootedCollection collection) {
        IndexCatalogue known = collection instanceof ChunkHashMap<?, ?> map ? map.indexing().catalogue() : null;
        IndexCatalogue indexes = known != null ? known : indexes(name);
        if (!indexes.all().isEmpty()) {
            indexes.retireAll();
            if (collection instanceof ChunkHashMap<?, ?> map) {
                map.indexing().attach(null);
            }
            indexes.clean();
        }
    }

    /** Returns the catalogue of the indexes of a map. */
    private IndexCatalogue indexes(String name) {
        return new IndexCatalogue(nodes, name, new IndexCatalogue.Directory() {
            @Override
            public long find() {
                NamedRoot found = current(INDEXES + name);
                return found == null ? IndexCatalogue.NONE : found.cid();
            }

            @Override
            public void bind(long cid) {
                bindRoot(INDEXES + name, new NamedRoot(Kind.CHUNK, cid, "", ""));
            }

            @Override
            public void unbind() {
                removeChunk(INDEXES + name);
            }
        });
    }

    /** Returns whether a collection is the open one of a name. */
    synchronized boolean isOpen(String name, RootedCollection collection) {
        OpenCollection known = open.get(name);
        return known != null && known.collection.root() == collection.root();
    }

    /** Returns the collection to remove, or null if no collection has the name, or another thread is removing it. */
    private synchronized @Nullable RootedCollection beginDrop(String name) {
        NamedRoot root = find(name);
        if (root == null || root.kind() == Kind.CHUNK || dropping.contains(name)) {
            return null;
        }
        requireNotMigrating(name);
        OpenCollection known = open.get(name);
        RootedCollection collection = known != null ? known.collection : openRaw(root);
        dropping.add(name);
        return collection;
    }

    /** Ends a removal that {@link #beginDrop} began. If the removal failed, the collection stays open. */
    private synchronized void endDrop(String name, long root, boolean isDropped) {
        dropping.remove(name);
        nodes.closeGroup();
        if (isDropped) {
            open.remove(name);
            raw.forget(root);
            directory().delete(name);
        }
    }

    private synchronized boolean removeChunk(String name) {
        NamedRoot root = find(name);
        return root != null && root.kind() == Kind.CHUNK && directory().delete(name);
    }

    /** Opens a collection without codecs for keys and values, to remove it. */
    private RootedCollection openRaw(NamedRoot root) {
        return switch (root.kind()) {
            case CHUNK -> throw new AssertionError(root);
            case MAP, SET -> ChunkHashMap.openRaw(nodes, root.cid());
            case LIST -> ChunkSegmentList.open(nodes, root.cid(), Codecs.BYTES);
            case QUEUE -> ChunkFifo.open(nodes, root.cid(), Codecs.BYTES);
            case SORTED_MAP -> ChunkTreeMap.openRaw(nodes, root.cid());
        };
    }

    private @Nullable NamedRoot find(String name) {
        ChunkHashMap<String, NamedRoot> found = findDirectory();
        return found == null ? null : found.get(name);
    }

    /** Returns the directory, or null if the store never had a name. */
    private @Nullable ChunkHashMap<String, NamedRoot> findDirectory() {
        if (nodes.table().nid() == DIRECTORY_NID) {
            throw new IllegalStateException("a store whose NID is " + DIRECTORY_NID + " has no names");
        }
        if (directory == null && nodes.size(root) != Status.ABSENT) {
            directory = ChunkHashMap.open(nodes, root, Codecs.STRING, NamedRoot.CODEC);
        }
        return directory;
    }

    /** Returns the directory for a change of a name; creates it if the store never had a name. */
    private ChunkHashMap<String, NamedRoot> directory() {
        mapsByRoot = null;
        ChunkHashMap<String, NamedRoot> found = findDirectory();
        if (found == null) {
            nodes.begin();
            found = ChunkHashMap.make(nodes, root, Codecs.STRING, NamedRoot.CODEC);
            directory = found;
        }
        return found;
    }

    // ---- collections ----

    @SuppressWarnings("unchecked")
    <K, V> ChunkMap<K, V> map(String name, Codec<K> keys, Codec<V> values) {
        if (keys.equals(Codecs.LONG)) {
            return (ChunkMap<K, V>) longMap(name, values);
        }
        return (ChunkMap<K, V>) open(name, Kind.MAP, keys, values, cid -> cid == Cid.NONE
            ? ChunkHashMap.make(nodes, 0, keys, values) : ChunkHashMap.open(nodes, cid, keys, values));
    }

    @SuppressWarnings("unchecked")
    <V> ChunkLongMap<V> longMap(String name, Codec<V> values) {
        return (ChunkLongMap<V>) open(name, Kind.MAP, Codecs.LONG, values, cid -> cid == Cid.NONE
            ? ChunkLongHashMap.make(nodes, values) : ChunkLongHashMap.open(nodes, cid, values));
    }

    @SuppressWarnings("unchecked")
    <K, V> ChunkSortedMap<K, V> sortedMap(String name, Codec<K> keys, Codec<V> values,
                                          @Nullable Comparator<? super K> comparator) {
        if (comparator == null && keys.equals(Codecs.LONG)) {
            return (ChunkSortedMap<K, V>) sortedLongMap(name, values);
        }
        MapOrder order = MapOrder.of(comparator);
        ChunkTreeMap<K, V> map = (ChunkTreeMap<K, V>) open(name, Kind.SORTED_MAP, keys, values, order,
            cid -> cid == Cid.NONE ? ChunkTreeMap.make(nodes, keys, comparator, values)
                : ChunkTreeMap.open(nodes, cid, keys, comparator, values));
        order.requireOpen(name, map.givenComparator());
        return map;
    }

    @SuppressWarnings("unchecked")
    <V> ChunkSortedLongMap<V> sortedLongMap(String name, Codec<V> values) {
        RootedCollection map = open(name, Kind.SORTED_MAP, Codecs.LONG, values, cid -> cid == Cid.NONE
            ? ChunkLongTreeMap.make(nodes, values) : ChunkLongTreeMap.open(nodes, cid, values));
        if (map instanceof ChunkLongTreeMap<?>) {
            return (ChunkSortedLongMap<V>) map;
        }
        throw new IllegalArgumentException("the map " + name + " was opened with a comparator");
    }

    @SuppressWarnings("unchecked")
    <E> ChunkSet<E> set(String name, Codec<E> elements) {
        return (ChunkSet<E>) open(name, Kind.SET, elements, ChunkHashSet.PRESENT, cid -> new ChunkHashSet<>(
            cid == Cid.NONE ? ChunkHashMap.make(nodes, 0, elements, ChunkHashSet.PRESENT)
                : ChunkHashMap.open(nodes, cid, elements, ChunkHashSet.PRESENT)));
    }

    @SuppressWarnings("unchecked")
    <E> ChunkList<E> list(String name, Codec<E> elements) {
        return (ChunkList<E>) open(name, Kind.LIST, elements, ChunkHashSet.PRESENT, cid -> cid == Cid.NONE
            ? ChunkSegmentList.make(nodes, elements) : ChunkSegmentList.open(nodes, cid, elements));
    }

    @SuppressWarnings("unchecked")
    <E> ChunkQueue<E> queue(String name, Codec<E> elements) {
        return (ChunkQueue<E>) open(name, Kind.QUEUE, elements, ChunkHashSet.PRESENT, cid -> cid == Cid.NONE
            ? ChunkFifo.make(nodes, elements) : ChunkFifo.open(nodes, cid, elements));
    }

    /** Returns the chunks of the collections. */
    CollectionChunks nodes() {
        return nodes;
    }

    /** Returns the queues, lists and sorted maps as collections of bytes, for the owner of a zone. */
    RawCollections rawCollections() {
        return raw;
    }

    /** Returns the collections as collections of bytes, for copying. */
    private RawCopying copying() {
        return new RawCopying() {
            @Override
            public RawMaps rawMaps() {
                return Names.this.rawMaps();
            }

            @Override
            public RawCollections rawCollections() {
                return Names.this.rawCollections();
            }

            @Override
            public int keyBytes(long root) {
                return RawHashMap.open(nodes, root).keyBytes();
            }

            @Override
            public void clear() {
                removeAll();
            }
        };
    }

    private void removeAll() {
        final ChunkHashMap<String, NamedRoot> all = findDirectory();
        if (all != null) {
            new TreeMap<>(all).forEach((name, _) -> dropOne(name));
            synchronized (this) {
                all.drop();
                nodes.closeGroup();
                directory = null;
                mapsByRoot = null;
            }
        }
    }

    /** Returns the maps as maps of bytes, for the owner of a zone. */
    RawMaps rawMaps() {
        return new RawMaps() {
            @Override
            public RawMap open(String name, String keys, String values, int keyBytes) {
                return rawMap(name, new RawCodec(keys, keyBytes), new RawCodec(values, -1));
            }

            @Override
            public long drop(String name) {
                long root = get(name).map(NamedRoot::cid).orElse(Cid.NONE);
                return Names.this.drop(name) ? root : Cid.NONE;
            }

            @Override
            public long[] roots() {
                return mapsByRoot().keySet().stream().mapToLong(Long::longValue).toArray();
            }

            @Override
            public @Nullable RawMap at(long cid) {
                String name = mapsByRoot().get(cid);
                NamedRoot root = name == null ? null : get(name).orElse(null);
                return name == null || root == null || root.kind() != Kind.MAP || root.cid() != cid ? null
                    : rawMap(name, new RawCodec(root.keys(), ANY_BYTES), new RawCodec(root.values(), ANY_BYTES));
            }
        };
    }

    /**
     * Returns the names of hash maps by their roots. Walks over all names only behind a change of the names, so that
     * requests for roots that do not exist cost little.
     */
    private synchronized Map<Long, String> mapsByRoot() {
        Map<Long, String> names = mapsByRoot;
        if (names == null) {
            names = new HashMap<>();
            for (Map.Entry<String, NamedRoot> named : all().entrySet()) {
                if (named.getValue().kind() == Kind.MAP) {
                    names.put(named.getValue().cid(), named.getKey());
                }
            }
            mapsByRoot = names;
        }
        return names;
    }

    private RawMap rawMap(String name, RawCodec keys, RawCodec values) {
        if (open(name, Kind.MAP, keys, values, cid -> cid == Cid.NONE ? RawHashMap.make(nodes, keys.fixedBytes())
            : RawHashMap.open(nodes, cid)) instanceof RawMap map) {
            return map;
        }
        throw new IllegalArgumentException("the map " + name + " was opened with codecs");
    }

    private RootedCollection open(String name, Kind kind, Codec<?> keys, Codec<?> values, Opener opener) {
        return open(name, kind, keys, values, BY_BYTES, opener);
    }

    private RootedCollection open(String name, Kind kind, Codec<?> keys, Codec<?> values, MapOrder order,
                                  Opener opener) {
        Objects.requireNonNull(name);
        nodes.stripes().checkOpen();
        if (!nodes.isReadOnly()) {
            endMigration(name);
        }
        return openCurrent(name, kind, keys, values, order, opener);
    }

    private synchronized RootedCollection openCurrent(String name, Kind kind, Codec<?> keys, Codec<?> values,
                                                      MapOrder order, Opener opener) {
        requireNotMigrating(name);
        NamedRoot wanted = new NamedRoot(kind, Cid.NONE, keys.describe(), values.describe(), order.name());
        OpenCollection known = open.get(name);
        NamedRoot root = known != null ? known.root : find(name);
        if (root != null && (root.kind() != kind || !keys.hasBytesOf(root.keys())
            || !values.hasBytesOf(root.values()))) {
            throw new IllegalArgumentException("the name " + name + " belongs to " + root.describe(wanted) + ", not to "
                + wanted.describe(root) + (root.kind() == kind ? adviceFor(root, keys, values) : ""));
        }
        if (known != null) {
            if (!known.hasTypesOf(keys, values)) {
                throw new IllegalArgumentException("the name " + name + " belongs to a collection that is open with "
                    + text(known.keys, known.values) + ", so it cannot be opened with " + text(keys, values)
                    + " before the store is opened again");
            }
            return known.collection;
        }
        if (dropping.contains(name)) {
            throw new IllegalStateException("the collection " + name + " is being dropped");
        }
        RootedCollection collection = root == null ? make(name, order, opener) : reopen(name, root, order, opener);
        if (root == null) {
            root = wanted.at(collection.root());
            register(name, root, collection);
        } else if (!nodes.isReadOnly()) {
            NamedRoot next = wanted.at(root.cid()).orderedAs(root);
            if (!next.equals(root)) {
                root = next;
                directory().set(name, root);
            }
        }
        if (kind == Kind.MAP) {
            openIndexes(name, (ChunkHashMap<?, ?>) collection);
        }
        open.put(name, new OpenCollection(root, collection, keys, values));
        return collection;
    }

    private void openIndexes(String name, ChunkHashMap<?, ?> map) {
        IndexCatalogue indexes = indexes(name);
        if (map instanceof RawMap && !indexes.all().isEmpty()) {
            throw new IllegalArgumentException("the map " + name + " has indexes, so it cannot be opened as bytes");
        }
        if (!nodes.isReadOnly()) {
            indexes.clean();
        }
        map.indexing().open(indexes);
    }

    private RootedCollection make(String name, MapOrder order, Opener opener) {
        if (nodes.isKept()) {
            order.requireName(name.startsWith(COPY) ? name.substring(COPY.length()) : name);
        }
        nodes.begin();
        return opener.open(Cid.NONE);
    }

    private static RootedCollection reopen(String name, NamedRoot root, MapOrder order, Opener opener) {
        order.requireStored(name, root.order());
        try {
            return opener.open(root.cid());
        } catch (StoreException e) {
            if (root.kind() == Kind.SORTED_MAP && e.category() == StoreException.Category.FATAL) {
                throw new StoreException(e.category(), "the sorted map " + name + " cannot be opened: "
                    + FailureText.of(e) + order.doubt(), e);
            }
            throw e;
        }
    }

    /** Returns what a program can do with a collection of other codecs. */
    private static String adviceFor(NamedRoot root, Codec<?> keys, Codec<?> values) {
        try {
            List<String> losses = Migration.losses(root, keys, values);
            return losses.isEmpty() ? "; migrate() rewrites it if the codecs can read it"
                : "; it has values in " + String.join(", ", losses) + ", for which this version of the types has no "
                    + "field: perhaps a newer version of the program has written them";
        } catch (SchemaException e) {
            return "; these codecs cannot read it: " + FailureText.of(e);
        }
    }

    private static String text(String description) {
        return FailureText.excerpt(description, "");
    }

    private static String text(Codec<?> keys, Codec<?> values) {
        return values.equals(ChunkHashSet.PRESENT) ? keys.toString() : keys + " and " + values;
    }

    private void register(String name, NamedRoot root, RootedCollection collection) {
        boolean done = false;
        try {
            directory().set(name, root);
            done = true;
        } finally {
            if (!done && !root.equals(find(name))) {            // else the name is set, but not yet durable
                collection.drop();
                nodes.closeGroup();
                nodes.changed();
            }
        }
    }

    // ---- migration ----

    /**
     * Rewrites a hash map or sorted map for other codecs; {@code docs/COLLECTIONS.md} explains how. Does nothing if the
     * map can be opened with these codecs already. Other collections can be used meanwhile.
     *
     * @param <K> type of the keys
     * @param <V> type of the values
     * @param name name of the map, which must not be open
     * @param keys codec of the keys from now on; it reads the present keys by {@link Codec#readerOf}
     * @param values codec of the values from now on; it reads the present values likewise
     * @param lost fields of the present keys and values whose content may be lost, such as {@code Order.lines[].price}
     * @return whether the map was rewritten
     * @throws IllegalArgumentException if no map has the name
     * @throws IllegalStateException if the map is open or being migrated, or if entries have equal keys afterwards
     * @throws io.teff.engine.codec.SchemaException if the present keys or values cannot be read, or have fields that
     *     the codecs do not have and {@code lost} does not name
     * @throws io.teff.engine.codec.MalformedException if one of them cannot be read
     * @throws io.teff.engine.error.StoreException of category DEGRADED if the memory limit or the disk does not allow a
     *     copy; after every exception the map is as before
     */
    public <K, V> boolean migrate(String name, Codec<K> keys, Codec<V> values, String... lost) {
        return migrateMap(name, keys, values, null, lost);
    }

    /**
     * Rewrites a sorted map with a comparator for other codecs, like {@link #migrate(String, Codec, Codec, String...)}.
     *
     * @param <K> type of the keys
     * @param <V> type of the values
     * @param name name of the map, which must not be open
     * @param keys codec of the keys from now on
     * @param values codec of the values from now on
     * @param comparator order of the keys from now on; it also orders the present keys as they are ordered
     * @param lost fields of the present keys and values whose content may be lost
     * @return whether the map was rewritten
     */
    public <K, V> boolean migrate(String name, Codec<K> keys, Codec<V> values, Comparator<? super K> comparator,
                                  String... lost) {
        return migrateMap(name, keys, values, Objects.requireNonNull(comparator), lost);
    }

    /**
     * Rewrites a set, list or queue for another codec, like {@link #migrate(String, Codec, Codec, String...)}.
     *
     * @param <E> type of the elements
     * @param name name of the collection, which must not be open
     * @param elements codec of the elements from now on
     * @param lost fields of the present elements whose content may be lost
     * @return whether the collection was rewritten
     */
    public <E> boolean migrate(String name, Codec<E> elements, String... lost) {
        Set<Kind> kinds = Set.of(Kind.SET, Kind.LIST, Kind.QUEUE);
        return migrate(name, elements, ChunkHashSet.PRESENT, lost, kinds, (root, copy) ->
            switch (root.kind()) {
                case SET -> copy(Migration.set(nodes, root, elements), set(copy, elements));
                case LIST -> copy(Migration.list(nodes, root, elements), list(copy, elements));
                default -> copy(Migration.queue(nodes, root, elements), queue(copy, elements));
            });
    }

    private <K, V> boolean migrateMap(String name, Codec<K> keys, Codec<V> values,
                                      @Nullable Comparator<? super K> comparator, String[] lost) {
        MapOrder order = MapOrder.of(comparator);
        get(name).ifPresent(root -> order.requireStored(name, root.order()));
        return migrate(name, keys, values, lost, comparator == null ? Set.of(Kind.MAP, Kind.SORTED_MAP)
            : Set.of(Kind.SORTED_MAP), (root, copy) -> Migration.copy(Migration.map(nodes, root, keys, values,
            comparator), root.kind() == Kind.MAP ? map(copy, keys, values) : sortedMap(copy, keys, values,
            comparator)));
    }

    private static <E> boolean copy(Collection<E> source, Collection<E> target) {
        return Migration.copy(source, target);
    }

    /** Copies a collection to another collection with a name. */
    private interface Copier {
        boolean copy(NamedRoot source, String target);
    }

    private boolean migrate(String name, Codec<?> keys, Codec<?> values, String[] lost, Set<Kind> kinds,
                            Copier copier) {
        nodes.stripes().checkOpen();
        endMigration(name);
        NamedRoot root = beginMigration(name, keys, values, kinds);
        if (root == null) {
            return false;
        }
        try {
            requireNoLoss(name, Migration.losses(root, keys, values), Set.of(lost));
            copier.copy(root, COPY + name);
            dropIndexes(name, null);                            // they are built again when they are declared
            nodes.sync();                                       // the copy is kept if what follows is
            replace(name, root);
        } finally {
            endOwnMigration(name);
        }
        return true;
    }

    private static void requireNoLoss(String name, List<String> losses, Set<String> allowed) {
        List<String> refused = losses.stream().filter(field -> !allowed.contains(field)).toList();
        if (!refused.isEmpty()) {
            throw new SchemaException("the collection " + name + " has values in " + String.join(", ", refused)
                + ", for which this version of the types has no field: a newer version of the program has written them,"
                + " or fields were renamed without a former name (@Formerly). Nothing was changed", null);
        }
    }

    /**
     * Removes the remains of the calling thread's migration, and only then lets other threads open or migrate the
     * collection: an open collection keeps the remains.
     */
    private void endOwnMigration(String name) {
        try {
            if (!nodes.stripes().isClosed()) {
                synchronized (ending) {
                    endAll(name, hidden(name));
                }
            }
        } finally {
            synchronized (this) {
                migrating.remove(name);
            }
        }
    }

    private synchronized @Nullable NamedRoot beginMigration(String name, Codec<?> keys, Codec<?> values,
                                                            Set<Kind> kinds) {
        NamedRoot root = find(name);
        if (root == null || !kinds.contains(root.kind())) {
            throw new IllegalArgumentException("the name " + name + " belongs to "
                + (root == null ? "nothing" : root.describe()) + ", not to a collection of " + text(keys.describe())
                + (values.describe().isEmpty() ? "" : " and " + text(values.describe())));
        }
        if (keys.hasBytesOf(root.keys()) && values.hasBytesOf(root.values())) {
            return null;
        }
        if (open.containsKey(name) || dropping.contains(name)) {
            throw new IllegalStateException("the collection " + name + " is open or is being dropped; a collection is "
                + "migrated before it is opened");
        }
        requireNotMigrating(name);
        migrating.add(name);
        return root;
    }

    private void requireNotMigrating(String name) {
        if (migrating.contains(name)) {
            throw new IllegalStateException("the collection " + name + " is being migrated");
        }
    }

    /** Gives a name to its copy. A crash after each step leaves what {@link #endMigration} needs. */
    private void replace(String name, NamedRoot root) {
        NamedRoot copy = Objects.requireNonNull(current(COPY + name));
        bindRoot(REPLACED + name, root);
        nodes.sync();
        bindRoot(name, copy);
        nodes.sync();
    }

    private synchronized void bindRoot(String name, NamedRoot root) {
        directory().set(name, root);
    }

    /** Removes the remains of a migration that has ended, or was interrupted by a crash. */
    private void endMigration(String name) {
        if (left(name).isEmpty()) {
            return;
        }
        synchronized (ending) {                                 // else another thread could begin a new copy meanwhile
            endAll(name, left(name));
        }
    }

    private void endAll(String name, Map<String, NamedRoot> left) {
        NamedRoot current = current(name);
        left.forEach((hidden, root) -> end(hidden, root, current));
    }

    /** Returns the hidden names that a migration has left. */
    private synchronized Map<String, NamedRoot> left(String name) {
        return open.containsKey(name) || migrating.contains(name) || name.indexOf(HIDDEN) == 0 ? Map.of()
            : hidden(name);
    }

    /** Returns the hidden names of a migration. */
    private synchronized Map<String, NamedRoot> hidden(String name) {
        Map<String, NamedRoot> hidden = new TreeMap<>(Comparator.reverseOrder());   // the replaced collection first
        for (String each : new String[] {COPY + name, REPLACED + name}) {
            NamedRoot root = find(each);
            if (root != null) {
                hidden.put(each, root);
            }
        }
        return hidden;
    }

    private synchronized @Nullable NamedRoot current(String name) {
        return find(name);
    }

    /** Removes a name, and the name's collection unless this collection is the current collection. */
    private void end(String hidden, NamedRoot root, @Nullable NamedRoot current) {
        if (current == null || current.cid() != root.cid()) {
            dropOne(hidden);
        } else {
            synchronized (this) {
                open.remove(hidden);
                directory().delete(hidden);
            }
        }
    }
}
