package io.teff.cluster.client;

import io.teff.cluster.admin.ClusterBackups.Progress;
import io.teff.cluster.admin.ClusterBackups.Transfer;
import io.teff.cluster.archive.BackupFolder;
import io.teff.cluster.archive.Manifest;
import io.teff.cluster.collect.MapName;
import io.teff.cluster.operation.FormTrailer;
import io.teff.cluster.operation.OperationFormat;
import io.teff.engine.ChunkStore;
import io.teff.engine.Cid;
import io.teff.engine.NamedRoot;
import io.teff.engine.Store;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.ChunkList;
import io.teff.engine.collect.ChunkMap;
import io.teff.engine.collect.ChunkQueue;
import io.teff.engine.collect.ChunkSet;
import io.teff.engine.collect.ChunkSortedMap;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.error.Status;
import io.teff.engine.journal.ChunkRestorer;
import io.teff.engine.raw.ClasslessOrder;
import io.teff.engine.raw.RawCodec;
import io.teff.engine.raw.RawCollection;
import io.teff.engine.raw.RawCollections;
import io.teff.engine.raw.RawCopying;
import io.teff.engine.raw.RawMap;
import io.teff.engine.raw.RawMaps;
import io.teff.engine.raw.RawVisitor;
import io.teff.engine.zone.ZoneFill;
import io.teff.engine.zone.Zones;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Copies a backup of a cluster into a local store. The zones are filled into a store in memory first, where their
 * collections can be opened. For one thread.
 */
public final class StoreExport implements AutoCloseable {
    private static final String DIRECTORY = "directory";
    private static final String WATCH = "watch ";
    private static final String FENCE = "fence ";
    private static final String PART = "part ";
    private static final int PLACES_AT = 4;
    private static final int FIRST_AT = 8;
    private static final int RING_HEAD_BYTES = 16;
    private static final byte[] NO_KEY = new byte[0];

    private final Store target;
    private final Consumer<Progress> progress;
    private final Store scratch;
    private final Zones zones;
    private final List<Integer> numbers = new ArrayList<>();
    private final Set<Long> sealed = new HashSet<>();
    private final Set<Long> hidden = new HashSet<>();
    private long chunks;
    private long elements;
    private int collections;

    private StoreExport(Store target, Consumer<Progress> progress) {
        this.target = target;
        this.progress = progress;
        scratch = Store.open(StoreConfig.builder().name("export").build());
        zones = Zones.of(scratch);
    }

    /**
     * Copies a backup.
     *
     * @param backup where the chunks come from
     * @param target an empty store with NID 0
     * @param progress receives the progress of the export
     * @return what was copied
     * @throws IOException if a file is damaged, or memory is missing
     */
    public static Transfer run(BackupFolder backup, Store target, Consumer<Progress> progress) throws IOException {
        try (StoreExport export = new StoreExport(target, progress)) {
            export.load(backup);
            final Map<String, CollectionRow> rows = export.rows();
            for (Map.Entry<String, CollectionRow> row : rows.entrySet()) {
                export.copy(row.getKey(), row.getValue());
            }
            export.copyChunks();
            for (Map.Entry<String, CollectionRow> row : rows.entrySet()) {
                if (row.getValue().kind() == NamedRoot.Kind.CHUNK && target.exists(row.getValue().token())) {
                    target.names().bind(row.getKey(), row.getValue().token());
                }
            }
            return new Transfer(export.chunks, export.collections, export.elements, List.of());
        }
    }

    // ---- zones ----

    private void load(BackupFolder backup) throws IOException {
        for (Manifest.Zone row : backup.manifest().zones()) {
            final ZoneFill fill = zones.fill(row.zone());
            boolean isDone = false;
            try {
                backup.read(row.zone(), new Loader(fill));
                fill.publish();
                isDone = true;
            } finally {
                if (!isDone) {
                    fill.discard();
                }
            }
            numbers.add(row.zone());
            progress.accept(new Progress("zone " + row.zone(), numbers.size(), backup.manifest().zones().size(),
                chunks, 0));
        }
    }

    /** Notes the read-only chunks. */
    private final class Loader implements ChunkRestorer {
        private final ChunkRestorer to;

        Loader(ChunkRestorer to) {
            this.to = to;
        }

        @Override
        public void put(long cid, boolean isReadOnly, MemorySegment source, long offset, long length) {
            to.put(cid, isReadOnly, source, offset, length);
            if (isReadOnly) {
                sealed.add(cid);
            }
        }

        @Override
        public Pieces begin(long length) {
            return to.begin(length);
        }

        @Override
        public void removed(long cid) {
            to.removed(cid);
        }

        @Override
        public void reserved(long cid) {
            to.reserved(cid);
        }
    }

    private ChunkStore view(int zone) {
        final ChunkStore view = zones.zone(zone);
        if (view == null) {
            throw new IllegalStateException("the backup has no zone " + zone);
        }
        return view;
    }

    /** Returns the rows of the directory that are not being dropped. */
    private Map<String, CollectionRow> rows() {
        final Map<String, CollectionRow> rows = new TreeMap<>();
        final ChunkStore first = zones.zone(RemoteDirectory.ZONE);
        if (first != null) {
            final RawMap directory = RawMaps.of(first).open(DIRECTORY, Codecs.STRING.describe(),
                CollectionRow.DESCRIPTION, -1);
            scan(directory, (key, value) -> {
                final CollectionRow row = CollectionCalls.object(CollectionRow.CODEC, value);
                if (!row.isDropped()) {
                    rows.put(CollectionCalls.object(Codecs.STRING, key), row);
                }
            });
        }
        return rows;
    }

    /** Passes all entries of a map on. */
    static void scan(RawMap map, BiConsumer<byte[], byte[]> to) {
        final RawVisitor visitor = new RawVisitor() {
            @Override
            public boolean entry(byte[] bytes, int keyFrom, int keyLength, int valueFrom, int valueLength) {
                to.accept(Arrays.copyOfRange(bytes, keyFrom, keyFrom + keyLength),
                    Arrays.copyOfRange(bytes, valueFrom, valueFrom + valueLength));
                return true;
            }

            @Override
            public void read(long cid) {
                return;                                         // the chunks of a map in memory do not matter here
            }
        };
        long place = 0;
        do {
            place = map.scan(place, visitor);
        } while (place != 0);
    }

    // ---- collections ----

    private void copy(String name, CollectionRow row) throws IOException {
        if (row.kind() == NamedRoot.Kind.CHUNK) {
            return;                                             // is bound when the chunk is there
        }
        final int form = formOf(name, row);
        final RawCodec keys = new RawCodec(row.keys(), row.keyBytes());
        final RawCodec values = new RawCodec(row.hasForms() ? row.forms().get(form) : row.values(), -1);
        final BiConsumer<Object, byte[]> to = switch (row.kind()) {
            case MAP -> {
                final ChunkMap<byte[], byte[]> map = target.map(name, keys, values);
                yield (key, value) -> map.set((byte[]) key, value);
            }
            case SET -> {
                final ChunkSet<byte[]> set = target.set(name, keys);
                yield (key, _) -> set.add((byte[]) key);
            }
            case SORTED_MAP -> {
                final ChunkSortedMap<Object, byte[]> map = sorted(target, name, ClasslessOrder.of(name, row.keys(),
                    row.order()), values.describe());
                yield (key, value) -> elements -= map.set(key, value) ? 0 : 1;     // an entry of two parts counts once
            }
            case QUEUE -> {
                final ChunkQueue<byte[]> queue = target.queue(name, values);
                yield (_, element) -> queue.add(element);
            }
            default -> {
                final ChunkList<byte[]> list = target.list(name, values);
                yield (_, element) -> list.add(element);
            }
        };
        visit(name, row, (key, value) -> {
            to.accept(key, Arrays.copyOf(value, value.length - FormTrailer.bytesOf(form)));
            elements++;
        });
        collections++;
        progress.accept(new Progress("collection " + name, collections, collections, chunks, 0));
    }

    /** Returns the form of all values of a collection: a local store has one. */
    private int formOf(String name, CollectionRow row) throws IOException {
        final Set<Integer> forms = new HashSet<>();
        if (!row.laterForms().isEmpty()) {
            visit(name, row, (_, value) -> forms.add(FormTrailer.formOf(value, 0, value.length, row.mark())));
        }
        if (forms.size() > 1) {
            throw new IOException("the collection " + name + " has values that " + forms.size() + " versions of a "
                + "program have written. A local store takes values of one version: have a program of one version write"
                + " all values again, and take a new backup");
        }
        return forms.isEmpty() ? 0 : forms.iterator().next();
    }

    /** Passes the keys and values of a collection on, as the collection has them; elements have no keys. */
    private void visit(String name, CollectionRow row, BiConsumer<Object, byte[]> to) {
        if (row.kind() == NamedRoot.Kind.MAP || row.kind() == NamedRoot.Kind.SET) {
            for (int i = 0; i < row.zones().length; i++) {
                final MapName of = row.partition(name, i);
                scan(RawMaps.of(view(row.zones()[i])).open(of.name(), of.keys(), of.values(), of.keyBytes()),
                    to::accept);
            }
        } else {
            visitWhole(name, row, to);
        }
    }

    @SuppressWarnings("unchecked")
    private void visitWhole(String name, CollectionRow row, BiConsumer<Object, byte[]> to) {
        if (row.kind() == NamedRoot.Kind.SORTED_MAP) {
            visitSorted(name, row, to);
            return;
        }
        final RawCollections of = RawCollections.of(view(row.zones()[0]));
        final String inZone = row.collection(name).name();
        final RawCollection source = row.kind() == NamedRoot.Kind.QUEUE ? of.queue(inZone, row.keys())
            : of.list(inZone, row.keys());
        source.read(() -> {
            ((Iterable<byte[]>) source.content()).forEach(element -> to.accept(NO_KEY, element));
            return true;
        });
    }

    /**
     * Passes on the entries of the parts of a sorted map, each target of a split behind the part that was split. An
     * entry of a slice on its way may be in both: the value of the target is as new, or newer.
     */
    @SuppressWarnings("unchecked")
    private void visitSorted(String name, CollectionRow row, BiConsumer<Object, byte[]> to) {
        for (int i = 0; i < row.zones().length; i++) {
            final RawCollection source = RawCollections.of(view(row.zones()[i])).sortedMap(
                row.collection(name, i).name(), row.keys(), row.values(), row.order());
            source.read(() -> {
                ((ChunkSortedMap<Object, byte[]>) source.content()).forEach(to);
                return true;
            });
        }
    }

    /** Opens or makes a sorted map of bytes. */
    static ChunkSortedMap<Object, byte[]> sorted(ChunkStore in, String name, ClasslessOrder order, String values) {
        final RawCodec codec = new RawCodec(values, -1);
        final Comparator<Object> comparator = order.comparator();
        return comparator == null ? in.sortedMap(name, order.keys(), codec)
            : in.sortedMap(name, order.keys(), codec, comparator);
    }

    // ---- chunks ----

    /** Copies the chunks outside of collections, with their CIDs. */
    private void copyChunks() throws IOException {
        for (int zone : numbers) {
            final ChunkStore view = view(zone);
            hideRings(view);
            RawCopying.of(view.names()).clear();
            final List<Long> cids = new ArrayList<>();
            view.ids().forEach(cids::add);
            for (long cid : cids) {
                if (!hidden.contains(cid)) {
                    copyChunk(view, cid);
                }
            }
            progress.accept(new Progress("chunks of zone " + zone, numbers.indexOf(zone) + 1, numbers.size(), chunks,
                0));
        }
    }

    private void copyChunk(ChunkStore view, long cid) throws IOException {
        final byte[] content = view.chunks().get(cid).orElseThrow();
        final int result = target.ids().createAt(cid, content);
        if (result != Status.OK) {
            throw new IOException("chunk " + Cid.toString(cid) + " cannot be created: " + Status.name(result));
        }
        if (sealed.contains(cid)) {
            target.seal(cid);
        }
        chunks++;
    }

    /**
     * Leaves out fences, bounds of parts, and the events of watched maps: fences, bounds and roots of rings have names
     * in the zone.
     */
    private void hideRings(ChunkStore view) {
        view.names().all().forEach((name, root) -> {
            if (root.kind() == NamedRoot.Kind.CHUNK && (name.startsWith(FENCE) || name.startsWith(PART))) {
                hidden.add(root.cid());
            } else if (root.kind() == NamedRoot.Kind.CHUNK && name.startsWith(WATCH)) {
                final byte[] ring = view.chunks().get(root.cid()).orElse(new byte[0]);
                hidden.add(root.cid());
                if (ring.length >= RING_HEAD_BYTES) {
                    final MemorySegment head = MemorySegment.ofArray(ring);
                    final long first = head.get(OperationFormat.LONG, FIRST_AT);
                    final int places = head.get(OperationFormat.INT, PLACES_AT);
                    for (int i = 0; i < places; i++) {
                        hidden.add(first + i);
                    }
                }
            }
        });
    }

    /** Frees the memory of the zones. */
    @Override
    public void close() {
        scratch.close();
    }
}
