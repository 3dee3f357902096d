package io.teff.engine.query;

import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.ChunkMap;
import io.teff.engine.hash.ChunkHashMap;
import io.teff.engine.hash.MapIndexing;
import io.teff.engine.index.IndexCatalogue;
import io.teff.engine.index.ListedIndex;
import io.teff.engine.map.EntryPart;
import io.teff.engine.storage.CollectionChunks;
import io.teff.engine.storage.ObjectPool;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The indexes of one map: declares, builds, checks and drops them. One object for a map, shared by all who use its
 * indexes. {@link IndexChanges} keeps them equal to the map.
 *
 * <p>Declaring and dropping exclude each other by the monitor. A change of the list of indexes becomes visible to
 * writers while no writer runs, so each change of an entry has the indexes of one list. Thread-safe.
 */
final class MapIndexes<K, V> {
    private final ChunkHashMap<K, V> map;
    private final MapIndexing<K, V> indexing;
    private final IndexCatalogue catalogue;
    private final CollectionChunks chunks;
    private final EntryKeys<K> entryKeys;
    private final ChunkHashMap<K, byte[]> raw;
    private final ObjectPool<RowBuffers<V>> pool;
    /** Excludes changes of all trees in a store with a journal. */
    private final ReentrantLock lock = new ReentrantLock();
    /** The declared indexes; replaced under the monitor. */
    private volatile List<IndexTree<V>> trees = List.of();

    private MapIndexes(ChunkHashMap<K, V> map, IndexCatalogue catalogue) {
        this.map = map;
        this.indexing = map.indexing();
        this.catalogue = catalogue;
        this.chunks = indexing.chunks();
        this.entryKeys = new EntryKeys<>(map.keyCodec());
        this.raw = map.readBy(Codecs.BYTES);
        this.pool = new ObjectPool<>(() -> new RowBuffers<>(map.valueCodec()), RowBuffers::isKept);
    }

    /** Returns the indexes of a map. */
    @SuppressWarnings("unchecked")
    static <K, V> MapIndexes<K, V> of(ChunkMap<K, V> map) {
        if (map instanceof ChunkHashMap<K, V> hash) {
            IndexCatalogue catalogue = hash.indexing().catalogue();
            if (catalogue != null) {
                return hash.indexing().owner(MapIndexes.class, () -> new MapIndexes<>(hash, catalogue));
            }
        }
        throw new IllegalArgumentException("a " + map.getClass().getSimpleName() + " has no indexes: only a named hash "
            + "map of a store of this process has");
    }

    ChunkHashMap<K, V> map() {
        return map;
    }

    /** Returns the map with its values as bytes, for reading. */
    ChunkHashMap<K, byte[]> raw() {
        return raw;
    }

    EntryKeys<K> entryKeys() {
        return entryKeys;
    }

    ObjectPool<RowBuffers<V>> pool() {
        return pool;
    }

    String mapName() {
        return catalogue.mapName();
    }

    /** Returns the indexes that queries may use. */
    List<IndexTree<V>> ready() {
        return trees.stream().filter(IndexTree::isReady).toList();
    }

    /** Returns all indexes, also those of earlier processes that were not declared yet. */
    List<IndexInfo> all() {
        return catalogue.all().stream().map(index -> new IndexInfo(index.name(), index.fields(), index.isUnique(),
            isReady(index.name()))).toList();
    }

    private boolean isReady(String name) {
        IndexTree<V> tree = find(name);
        return tree != null && tree.isReady();
    }

    private @Nullable IndexTree<V> find(String name) {
        for (IndexTree<V> tree : trees) {
            if (tree.name().equals(name)) {
                return tree;
            }
        }
        return null;
    }

    // ---- declare ----

    /** Opens an index, or builds an index. */
    synchronized void declare(String name, boolean isUnique, List<Field<V, ?>> fields) {
        if (name.isEmpty() || fields.isEmpty()) {
            throw new IllegalArgumentException("an index has a name and at least one field; name=" + name);
        }
        SortKey<V> key = new SortKey<>(fields, map.valueCodec());
        ListedIndex wanted = new ListedIndex(name, key.toString(), isUnique, true, IndexCatalogue.NONE);
        ListedIndex listed = catalogue.find(name).orElse(null);
        if (listed != null) {
            if (!listed.fields().equals(wanted.fields()) || listed.isUnique() != isUnique) {
                throw new IllegalArgumentException("the map " + mapName() + " has the index " + listed + ", not "
                    + wanted + "; drop the index to replace it");
            }
            if (find(name) == null) {
                open(new IndexTree<>(name, isUnique, key, catalogue.open(listed)));
            }
            return;
        }
        requireAllDeclared();
        build(name, isUnique, key);
    }

    private void requireAllDeclared() {
        for (ListedIndex index : catalogue.ready()) {
            if (find(index.name()) == null) {
                throw new IllegalStateException("the map " + mapName() + " has the index " + index
                    + ", which is declared or dropped before a new index is built");
            }
        }
    }

    /** Uses an index of an earlier process. No entry changes until all of them are declared. */
    private void open(IndexTree<V> tree) {
        if (tree.places().longSize() != map.longSize()) {
            IndexCheck<K, V> check = new IndexCheck<>(this, tree);
            if (chunks.isKept()) {
                check.check();                                  // a journal keeps both equal, so this is damage
            } else {
                check.repair();
            }
        }
        List<IndexTree<V>> next = with(tree);
        trees = next;
        tree.setReady();
        attachWhole();
    }

    private List<IndexTree<V>> with(IndexTree<V> tree) {
        List<IndexTree<V>> next = new ArrayList<>(trees);
        next.add(tree);
        return List.copyOf(next);
    }

    /** Lets entries change if all indexes of the catalogue are declared. */
    private void attachWhole() {
        if (catalogue.ready().stream().allMatch(index -> find(index.name()) != null)) {
            List<IndexTree<V>> all = trees;
            indexing.attach(all.isEmpty() ? null : new IndexChanges<>(all, this, chunks, lock));
        }
    }

    /** Builds an index while the map is used. */
    private void build(String name, boolean isUnique, SortKey<V> key) {
        IndexTree<V> tree = new IndexTree<>(name, isUnique, key, catalogue.make(name, key.toString(), isUnique));
        List<IndexTree<V>> before = trees;
        boolean isDone = false;
        try {
            trees = with(tree);
            attachWhole();                                      // later changes reach the tree
            IndexChanges<K, V> changes = new IndexChanges<>(List.of(tree), this, chunks, lock);
            for (K each : map.keySet()) {
                indexing.visit(each, (EntryPart entryKey, EntryPart value) -> changes.change(entryKey, null, value,
                    () -> { }));
            }
            catalogue.setReady(name, true);
            tree.setReady();
            isDone = true;
        } finally {
            if (!isDone) {
                trees = before;
                try {
                    attachWhole();
                } finally {
                    catalogue.clean();
                }
            }
        }
    }

    // ---- drop ----

    /** Drops an index; returns whether there was one. */
    synchronized boolean drop(String name) {
        if (catalogue.find(name).isEmpty()) {
            return false;
        }
        catalogue.setReady(name, false);
        trees = trees.stream().filter(tree -> !tree.name().equals(name)).toList();
        attachWhole();
        catalogue.clean();
        return true;
    }

    // ---- check ----

    /** Checks that each index equals the map, while no entry changes. */
    void audit() {
        for (IndexTree<V> tree : ready()) {
            tree.places().audit();
            indexing.exclusively(() -> new IndexCheck<>(this, tree).check());
        }
    }
}
