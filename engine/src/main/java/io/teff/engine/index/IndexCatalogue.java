package io.teff.engine.index;

import io.teff.engine.error.Status;
import io.teff.engine.storage.ChunkIndex;
import io.teff.engine.storage.CollectionChunks;
import io.teff.engine.tree.ChunkTreeMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The catalogue of the indexes of one map: a chunk under a hidden name of the directory, made with the first index.
 * Thread-safe.
 *
 * <p>The tree of an index is listed before it is filled, not ready, and becomes ready when it is whole. It is no longer
 * ready before its entries are removed. So what is not ready after a crash is removed by {@link #clean}.
 */
public final class IndexCatalogue {
    /** CID of no chunk. */
    public static final long NONE = 0;

    private final CollectionChunks chunks;
    private final String mapName;
    private final Directory directory;
    /** The trees that were made or opened, by the CIDs of their roots; guarded by this. */
    private final Map<Long, ChunkTreeMap<byte[], byte[]>> open = new HashMap<>();

    /** The hidden name of the catalogue in the directory of names. */
    public interface Directory {
        /** {@return CID of the catalogue, or {@link #NONE}} */
        long find();

        /**
         * Sets the name, and ends the thread's group of changes.
         *
         * @param cid CID of the catalogue
         */
        void bind(long cid);

        /** Removes the name, and ends the thread's group of changes. */
        void unbind();
    }

    /**
     * Makes the catalogue of a map.
     *
     * @param chunks chunk operations of the store
     * @param mapName name of the map, for people
     * @param directory the hidden name
     */
    public IndexCatalogue(CollectionChunks chunks, String mapName, Directory directory) {
        this.chunks = chunks;
        this.mapName = mapName;
        this.directory = directory;
    }

    /** {@return the name of the map} */
    public String mapName() {
        return mapName;
    }

    /** {@return all indexes} */
    public List<ListedIndex> all() {
        final long cid = directory.find();
        if (cid == NONE) {
            return List.of();
        }
        byte[] bytes = new byte[(int) Math.max(chunks.size(cid), 0)];
        int length = chunks.get(cid, bytes);
        while (length == Status.TOO_SMALL) {
            bytes = new byte[2 * bytes.length + 1];
            length = chunks.get(cid, bytes);
        }
        if (length < 0) {
            throw ChunkIndex.damaged(chunks, cid, "is gone, and was the catalogue of indexes of " + mapName);
        }
        return CatalogueLayout.read(Arrays.copyOf(bytes, length));
    }

    /** {@return the indexes that contain all entries} */
    public List<ListedIndex> ready() {
        return all().stream().filter(ListedIndex::isReady).toList();
    }

    /**
     * Finds an index.
     *
     * @param name name of the index
     * @return the index
     */
    public Optional<ListedIndex> find(String name) {
        return all().stream().filter(index -> index.name().equals(name)).findFirst();
    }

    /**
     * Makes an empty index, which is not ready.
     *
     * @param name name of the index
     * @param fields names and types of the fields
     * @param isUnique whether no two entries have equal fields
     * @return the tree of the index
     */
    public synchronized ChunkTreeMap<byte[], byte[]> make(String name, String fields, boolean isUnique) {
        chunks.begin();
        ChunkTreeMap<byte[], byte[]> tree = ChunkTreeMap.makeShort(chunks);
        List<ListedIndex> all = new ArrayList<>(all());
        all.add(new ListedIndex(name, fields, isUnique, false, tree.root()));
        write(all);
        open.put(tree.root(), tree);
        return tree;
    }

    /**
     * Opens the tree of an index.
     *
     * @param index one of {@link #all}
     * @return its tree
     */
    public synchronized ChunkTreeMap<byte[], byte[]> open(ListedIndex index) {
        ChunkTreeMap<byte[], byte[]> tree = ChunkTreeMap.openShort(chunks, index.root());
        open.put(index.root(), tree);
        return tree;
    }

    /**
     * Notes that an index contains all entries, or that it does not any more.
     *
     * @param name name of the index
     * @param isReady whether it does
     */
    public synchronized void setReady(String name, boolean isReady) {
        chunks.sync();                                          // the note is kept only with what was done before
        chunks.begin(isReady);
        write(all().stream().map(index -> index.name().equals(name) ? index.ready(isReady) : index).toList());
        if (!isReady) {
            chunks.sync();                                      // no entry is changed without its index before
        }
    }

    /** Removes the tree of an index that is not ready, and the index. */
    private void remove(ListedIndex index) {
        ChunkTreeMap<byte[], byte[]> tree = open.remove(index.root());
        (tree != null ? tree : ChunkTreeMap.openRaw(chunks, index.root())).drop();   // keeps the group open
        chunks.closeGroup();
        write(all().stream().filter(other -> !other.name().equals(index.name())).toList());
    }

    /** Removes the indexes that are not ready: a crash has interrupted the calls that built or dropped them. */
    public synchronized void clean() {
        all().stream().filter(index -> !index.isReady()).forEach(this::remove);
    }

    /** Notes that no index contains all entries any more. Called before the map changes without its indexes. */
    public synchronized void retireAll() {
        if (!ready().isEmpty()) {
            chunks.beginRemoval();
            write(all().stream().map(index -> index.ready(false)).toList());
            chunks.sync();
        }
    }

    /** Writes the catalogue; ends the thread's group of changes, and waits until they are durable. */
    private void write(List<ListedIndex> all) {
        final long cid = directory.find();
        if (all.isEmpty()) {
            if (cid != NONE) {
                chunks.remove(cid);
                directory.unbind();
            }
        } else {
            final byte[] bytes = CatalogueLayout.write(all);
            if (cid == NONE) {
                directory.bind(chunks.create(bytes, 0, bytes.length));
            } else {
                chunks.store(cid, bytes, 0, bytes.length);
            }
        }
        chunks.changed();
    }
}
