package io.teff.cluster.client;

import io.teff.cluster.ClusterStore;
import io.teff.cluster.admin.ClusterBackups.Progress;
import io.teff.cluster.admin.ClusterBackups.Transfer;
import io.teff.cluster.archive.ZoneImport;
import io.teff.cluster.archive.ZoneLink;
import io.teff.cluster.archive.ZoneRefusedException;
import io.teff.engine.Cid;
import io.teff.engine.NamedRoot;
import io.teff.engine.Store;
import io.teff.engine.codec.Codec;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.error.Status;
import io.teff.engine.raw.ClasslessOrder;
import io.teff.engine.raw.RawCodec;
import io.teff.engine.raw.RawCopying;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Copies a local store into a cluster. Chunks outside of collections go first, each creator into a zone; then the
 * collections, through a client. For one thread.
 */
public final class StoreImport {
    private static final int BATCH = 256;
    private static final int CREATOR_SHIFT = 48;
    private static final long LID_MASK = (1L << CREATOR_SHIFT) - 1;
    private static final long GENERATION_LAST = 0xFFL << 40;
    private static final List<Codec<?>> KNOWN = List.of(Codecs.LONG, Codecs.INT, Codecs.STRING, Codecs.BYTES);

    private final ClusterStore target;
    private final Consumer<Progress> progress;
    private final Map<Integer, Integer> zones = new HashMap<>();
    private long chunks;
    private long elements;
    private int collections;

    private StoreImport(ClusterStore target, Consumer<Progress> progress) {
        this.target = target;
        this.progress = progress;
    }

    /**
     * Copies a store.
     *
     * @param opener opens the store in memory; each opened store is closed, and may be changed meanwhile
     * @param link reaches the owners of zones
     * @param target the cluster
     * @param progress receives the progress of the import
     * @return what was copied
     * @throws IOException if a name exists in the cluster, or the store does not fit into it
     */
    public static Transfer run(Supplier<Store> opener, ZoneLink link, ClusterStore target,
                               Consumer<Progress> progress) throws IOException {
        return new StoreImport(target, progress).run(opener, link);
    }

    private Transfer run(Supplier<Store> opener, ZoneLink link) throws IOException {
        final Map<String, NamedRoot> names;
        try (Store source = opener.get()) {
            names = source.names().all();
            RawCopying.of(source.names()).clear();              // what is left are the other chunks
            putChunks(source, link);
        }
        for (String name : names.keySet()) {
            if (target.names().get(name).isPresent()) {
                throw new IOException("the cluster has the name " + name + " already; the chunks of the store were "
                    + "copied, and no collection");
            }
        }
        try (Store source = opener.get()) {
            for (Map.Entry<String, NamedRoot> each : names.entrySet()) {
                if (each.getValue().kind() == NamedRoot.Kind.CHUNK) {
                    target.names().bind(each.getKey(), moved(each.getValue().cid()));
                } else {
                    copy(source, each.getKey(), each.getValue());
                    progress.accept(new Progress("collection " + each.getKey(), ++collections, names.size(), chunks,
                        0));
                }
            }
        }
        final List<String> moved = new ArrayList<>();
        new TreeMap<>(zones).forEach((creator, zone) -> {
            if (!creator.equals(zone)) {
                moved.add("CIDs of creator " + creator + " have the creator " + zone + " now");
            }
        });
        return new Transfer(chunks, collections, elements, moved);
    }

    private long moved(long cid) {
        final int zone = zones.getOrDefault(Cid.nid(cid), Cid.nid(cid));
        return (long) zone << CREATOR_SHIFT | cid & LID_MASK;
    }

    // ---- chunks ----

    private void putChunks(Store source, ZoneLink link) throws IOException {
        final Map<Integer, List<Long>> cids = new TreeMap<>();
        source.ids().forEach(cid -> cids.computeIfAbsent(Cid.nid(cid), _ -> new ArrayList<>()).add(cid));
        for (Map.Entry<Integer, List<Long>> each : cids.entrySet()) {
            final int creator = each.getKey();
            final ZoneImport put = begin(link, creator);
            final int zone = put.zone();
            zones.put(creator, zone);
            each.getValue().sort((one, other) -> Long.compare(Cid.index(one), Cid.index(other)));
            long next = 1;
            for (long cid : each.getValue()) {
                for (; next < Cid.index(cid); next++) {         // the CIDs of removed chunks are not issued again
                    put.removed((long) zone << CREATOR_SHIFT | GENERATION_LAST | next);
                }
                next++;
                put.put(moved(cid), isReadOnly(source, cid), source.chunks().get(cid).orElseThrow());
                chunks++;
            }
            put.end();
            progress.accept(new Progress("chunks of creator " + creator, zones.size(), cids.size(), chunks, 0));
        }
    }

    /** Begins the zone with the number of a creator if the zone exists and has no chunk, or else a new zone. */
    private ZoneImport begin(ZoneLink link, int creator) throws IOException {
        if (!zones.containsValue(creator) && link.zones().stream().anyMatch(row -> row.zone() == creator)) {
            try {
                return new ZoneImport(link, creator);
            } catch (ZoneRefusedException _) {                  // the zone has chunks
                return new ZoneImport(link, link.newZone());
            }
        }
        return new ZoneImport(link, link.newZone());
    }

    private static boolean isReadOnly(Store source, long cid) {
        final byte[] nothing = new byte[0];
        return source.putBytes(cid, 0, nothing, 0, 0) == Status.READ_ONLY;
    }

    // ---- collections ----

    @SuppressWarnings("unchecked")
    private static Codec<Object> codec(String description, int fixed) {
        for (Codec<?> codec : KNOWN) {
            if (codec.hasBytesOf(description)) {
                return (Codec<Object>) codec;
            }
        }
        return (Codec<Object>) (Codec<?>) new RawCodec(description, fixed);
    }

    private void copy(Store source, String name, NamedRoot root) {
        final RawCopying raw = RawCopying.of(source.names());
        final int fixed = root.kind() == NamedRoot.Kind.MAP || root.kind() == NamedRoot.Kind.SET
            ? raw.keyBytes(root.cid()) : -1;
        final Codec<Object> codec = codec(root.keys(), fixed);
        final RawCodec values = new RawCodec(root.values(), -1);
        switch (root.kind()) {
            case MAP -> {
                final Entries to = new Entries(target.map(name, codec, values));
                StoreExport.scan(raw.rawMaps().open(name, root.keys(), root.values(), fixed),
                    (key, value) -> to.add(object(codec, key), value));
                to.flush();
            }
            case SORTED_MAP -> {
                final ClasslessOrder order = ClasslessOrder.of(name, root.keys(), root.order());
                final Entries to = new Entries(StoreExport.sorted(target, name, order, root.values()));
                StoreExport.sorted(source, name, order, root.values()).forEach(to::add);
                to.flush();
            }
            case SET -> copy(source.set(name, new RawCodec(root.keys(), fixed)), target.set(name, codec), codec);
            case QUEUE -> copy(source.queue(name, new RawCodec(root.keys(), -1)), target.queue(name, codec), codec);
            default -> copy(source.list(name, new RawCodec(root.keys(), -1)), target.list(name, codec), codec);
        }
    }

    private void copy(Iterable<byte[]> from, Collection<Object> to, Codec<Object> codec) {
        final List<Object> part = new ArrayList<>();
        for (byte[] element : from) {
            part.add(object(codec, element));
            if (part.size() == BATCH) {
                to.addAll(part);
                part.clear();
            }
            elements++;
        }
        to.addAll(part);
    }

    /** Returns an object of a known codec, or bytes. */
    private static Object object(Codec<Object> codec, byte[] bytes) {
        return (Codec<?>) codec instanceof RawCodec ? bytes : CollectionCalls.object(codec, bytes);
    }

    /** Puts entries, some at a time. */
    private final class Entries {
        private final Map<Object, byte[]> to;
        private final Map<Object, byte[]> part = new LinkedHashMap<>();

        Entries(Map<Object, byte[]> to) {
            this.to = to;
        }

        void add(Object key, byte[] value) {
            part.put(key, value);
            elements++;
            if (part.size() >= BATCH) {
                flush();
            }
        }

        void flush() {
            to.putAll(part);
            part.clear();
        }
    }
}
