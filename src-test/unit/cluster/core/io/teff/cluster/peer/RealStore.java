package io.teff.cluster.peer;

import io.teff.cluster.WriteLevel;
import io.teff.cluster.operation.OperationCalls;
import io.teff.cluster.operation.PeerBusy;
import io.teff.cluster.operation.ZoneHost;
import io.teff.cluster.ship.ShipRing;
import io.teff.cluster.slot.SlotRestore;
import io.teff.cluster.slot.SlotTable;
import io.teff.engine.ChunkStore;
import io.teff.engine.Cid;
import io.teff.engine.FieldOperations;
import io.teff.engine.LockOperations;
import io.teff.engine.Store;
import io.teff.engine.collect.ChunkList;
import io.teff.engine.collect.ChunkQueue;
import io.teff.engine.collect.ChunkSortedMap;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.error.Status;
import io.teff.engine.error.StoreException;
import io.teff.engine.error.StoreException.Category;
import io.teff.engine.error.ZoneDroppedException;
import io.teff.engine.journal.Journal;
import io.teff.engine.journal.JournaledStores;
import io.teff.engine.os.StoreSeams;
import io.teff.engine.raw.RawChange;
import io.teff.engine.raw.RawCollection;
import io.teff.engine.raw.RawCollections;
import io.teff.engine.raw.RawMap;
import io.teff.engine.raw.RawMaps;
import io.teff.engine.raw.RawStep;
import io.teff.engine.raw.RawVisitor;
import io.teff.engine.zone.ChunkChange;
import io.teff.engine.zone.ChunkChange.Change;
import io.teff.engine.zone.ChunkChange.Condition;
import io.teff.engine.zone.ZoneChanges;
import io.teff.engine.zone.ZoneFill;
import io.teff.engine.zone.ZoneRecording;
import io.teff.engine.zone.ZoneStats;
import io.teff.engine.zone.Zones;
import io.teff.recovery.backup.ZoneCopy;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A store of the product, with a ring as its journal and without threads, as simulated clients need it: a put makes a
 * chunk if there is none, and a chunk that was removed comes back with the next generation of its CID, while clients
 * name all of them by the first one. The chunks of a pair are there from the beginning, with the value that stands for
 * none, and are changed by one group.
 */
final class RealStore implements SimStore, Zones {
    private static final long MEMORY_BYTES = 16 << 20;
    /** Elements of the list of a zone have these indexes among its entries. */
    static final long LIST_INDEX = 10_000;
    /** Entries of parts of a sorted map are behind this index. */
    private static final long RANGES_INDEX = 4_000;
    /** An index that no client uses. */
    static final long UNUSED_INDEX = 100;
    private static final int STRIPES = 64;
    private static final int STOP_ODDS = 4;
    private static final int GENERATION_SHIFT = 40;
    /** Indexes of chunks that clients name are below. */
    private static final int INDEXES_USED = 20;
    private static final int BYTES = ModelZones.BYTES;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final SimPeer peer;
    private final ShipRing ring;
    private final Store store;
    private final Zones its;
    private final Map<Integer, Zone> zones = new HashMap<>();
    /** Whether clients use maps, and no chunks but the pair. */
    private final boolean hasMaps;

    RealStore(SimPeer peer, ShipRing ring, boolean hasMaps) {
        this.peer = peer;
        this.hasMaps = hasMaps;
        this.ring = ring;
        StoreConfig sizes = StoreConfig.builder().name(peer.name).nid(0).memoryLimitBytes(MEMORY_BYTES)
            .lockTimeoutNs(0).defragCpuPercent(0).build();
        store = JournaledStores.open(Store.class, StoreSeams.replaced(sizes, new StoreSeams(new StorePlatform(peer)
            .platform(), STRIPES, -1)), stopping(ring), _ -> { });
        its = Zones.of(store);
    }

    private Journal stopping(Journal journal) {
        return new StoppingJournal(peer.plant().journal(journal), this::mayStopAlone);
    }

    private void mayStop() {
        if (isChosen()) {
            ModelZones.meanwhile(() -> peer.world.mayStop(peer));
        }
    }

    private void mayStopAlone() {
        if (isChosen()) {
            ModelZones.meanwhile(() -> peer.world.mayStopAlone(peer));
        }
    }

    /** Stops behind an operation on a map, which is inside of locks until then. */
    private void mayStopMap() {
        if (hasMaps) {
            OperationCalls.meanwhile(this::mayStop);
        }
    }

    /** There are more places to stop than in the model of a store. */
    private boolean isChosen() {
        return peer.world.random.nextInt(STOP_ODDS) == 0;
    }

    @Override
    public Zones zones() {
        return this;
    }

    @Override
    public void close() {
        store.close();
    }

    // ---- CIDs ----

    /** Returns whether clients name a chunk. */
    private boolean isNamed(long cid) {
        return !hasMaps || isOfPair(cid);
    }

    /** Returns whether a chunk is one of the pair. */
    static boolean isOfPair(long cid) {
        return Cid.index(cid) == ModelZones.PAIR || Cid.index(cid) == ModelZones.PAIR + 1;
    }

    /** Returns the CID by which clients name a chunk. */
    private static long named(long cid) {
        return Cid.of(Cid.nid(cid), Cid.index(cid));
    }

    /** Returns the newest CID of a chunk that clients name. */
    private long actual(long cid) {
        Zone of = zones.get(Cid.nid(cid));
        return of == null ? cid : of.newest.getOrDefault(named(cid), cid);
    }

    @Override
    public ZoneHost host(ZoneHost host) {
        return new PlantedHost(host) {
            @Override
            public void afterRead(int zone, long cid, Consumer<Verdict> then) {
                host.afterRead(zone, actual(cid), then);
            }

            @Override
            public void afterReadOfAll(int zone, Consumer<Verdict> then) {
                mayStopMap();
                host.afterReadOfAll(zone, then);
            }

            @Override
            public void afterReadBehind(int zone, long number, Consumer<Verdict> then) {
                mayStopMap();
                host.afterReadBehind(zone, number, then);
            }

            @Override
            public void afterChange(int zone, long number, WriteLevel level, Consumer<Verdict> then) {
                mayStopMap();
                host.afterChange(zone, number, level, then);
            }

            @Override
            public void afterReads(int zone, long[] cids, int from, int count, Consumer<Verdict> then) {
                mayStopMap();
                long[] all = new long[cids.length];
                for (int i = from; i < from + count; i++) {
                    all[i] = actual(cids[i]);
                }
                host.afterReads(zone, all, from, count, then);
            }
        };
    }

    @Override
    public Map<Long, Long> values(int zone) {
        Zone of = zones.get(zone);
        Map<Long, Long> values = new TreeMap<>();
        if (of != null) {
            byte[] content = new byte[BYTES];
            of.newest.forEach((named, cid) -> {
                int length = of.chunks.get(cid, content, 0);
                if (length == BYTES) {
                    values.put(named, MemorySegment.ofArray(content).get(LONG, 0));
                } else if (length == Status.LOCKED) {
                    values.put(named, Objects.requireNonNull(of.restored.get(named), "a lock"));
                }
            });
        }
        return values;
    }

    @Override
    public Map<Long, Long> entries(int zone) {
        Zone of = zones.get(zone);
        return of == null ? Map.of() : entries(of.chunks);
    }

    /** Returns the entries of the map that a copy in a log has; none if it has no map. */
    static Map<Long, Long> entries(CopyLog log, ZoneCopy copy) {
        try (Store alone = Store.open(StoreConfig.builder().memoryLimitBytes(MEMORY_BYTES).build())) {
            ZoneFill fill = Zones.of(alone).fill(copy.zone());
            if (log.logged(copy) != 0) {
                log.read(copy, 1, new SlotRestore(fill, new SlotTable(copy.zone(), _ -> false)));
            }
            return entries(fill.publish());
        }
    }

    private static Map<Long, Long> entries(ChunkStore chunks) {
        Map<Long, Long> entries = new TreeMap<>();
        putEntries(chunks, SimOperation.MAP_NAME, 0, entries);
        SimCollections.MAPS.forEach((name, base) -> putEntries(chunks, name, base, entries));
        chunks.names().get(SimCollections.LIST).ifPresent(root -> {
            RawCollection list = Objects.requireNonNull(RawCollections.of(chunks).at(root.cid()));
            list.content().audit();
            long next = LIST_INDEX;
            for (Object each : (ChunkList<?>) list.content()) {
                entries.put(next++, MemorySegment.ofArray((byte[]) each).get(LONG, 0));
            }
        });
        chunks.names().get(SimOperation.SORTED_NAME).ifPresent(root -> {
            RawCollection map = Objects.requireNonNull(RawCollections.of(chunks).at(root.cid()));
            map.content().audit();
            ((ChunkSortedMap<?, ?>) map.content()).forEach((key, value) -> entries.put((long) ((byte[]) key)[0],
                MemorySegment.ofArray((byte[]) value).get(LONG, 0)));
        });
        for (int part = 0; part < SimRanges.PARTS; part++) {
            putPart(chunks, part, entries);
        }
        chunks.names().get(SimOperation.QUEUE_NAME).ifPresent(root -> {
            RawCollection queue = Objects.requireNonNull(RawCollections.of(chunks).at(root.cid()));
            queue.content().audit();
            long next = SimOperation.QUEUE_INDEX;
            for (Object each : (ChunkQueue<?>) queue.content()) {
                entries.put(next++, MemorySegment.ofArray((byte[]) each).get(LONG, 0));
            }
        });
        return entries;
    }

    /** Puts the entries of a part of a sorted map, also those of a slice on its way. */
    private static void putPart(ChunkStore chunks, int part, Map<Long, Long> entries) {
        chunks.names().get(SimRanges.NAME + part).ifPresent(root -> {
            RawCollection map = Objects.requireNonNull(RawCollections.of(chunks).at(root.cid()));
            map.content().audit();
            ((ChunkSortedMap<?, ?>) map.content()).forEach((key, value) -> entries.put(RANGES_INDEX + 100L * part
                + ((byte[]) key)[0], MemorySegment.ofArray((byte[]) value).get(LONG, 0)));
        });
    }

    private static void putEntries(ChunkStore chunks, String name, long base, Map<Long, Long> entries) {
        chunks.names().get(name).ifPresent(root -> {
            RawMap map = Objects.requireNonNull(RawMaps.of(chunks).at(root.cid()));
            map.audit();
            map.scan(0, new RawVisitor() {
                @Override
                public boolean entry(byte[] bytes, int keyFrom, int keyLength, int valueFrom, int valueLength) {
                    entries.put(base + bytes[keyFrom], MemorySegment.ofArray(bytes).get(LONG, valueFrom));
                    return true;
                }

                @Override
                public void read(long cid) {
                    // all are read
                }
            });
        });
    }

    // ---- zones ----

    /** A zone without chunks but the pair. */
    @Override
    public ChunkStore add(int zone) {
        ring.begin();
        if (ring.usedBytes() > ring.capacity() / 2) {
            throw PeerBusy.refusal("the ring is full");
        }
        Zone added = new Zone(zone, its.add(zone));
        zones.put(zone, added);
        for (long cid : new long[] {Cid.of(zone, ModelZones.PAIR), Cid.of(zone, ModelZones.PAIR + 1)}) {
            int status = added.chunks.ids().createAt(cid, BYTES);
            if (status != Status.OK) {
                throw new AssertionError("status " + status + " of chunk " + Cid.toString(cid));
            }
            added.newest.put(cid, cid);
        }
        return added.view;
    }

    @Override
    public @Nullable ChunkStore zone(int zone) {
        Zone known = zones.get(zone);
        return its.zone(zone) == null || known == null ? null : known.view;
    }

    @Override
    public ZoneFill fill(int zone) {
        return new Fill(its.fill(zone));
    }

    @Override
    public void drop(int zone) {
        its.drop(zone);
        zones.remove(zone);
    }

    @Override
    public ZoneStats stats(int zone) {
        return its.stats(zone);
    }

    /** Records one chunk with each of the first calls. */
    @Override
    public ZoneRecording record(int zone, @Nullable Journal journal) {
        ZoneRecording recording = its.record(zone, journal == null ? null : stopping(journal));
        AtomicInteger calls = new AtomicInteger();
        return bytesMax -> recording.next(calls.getAndIncrement() < INDEXES_USED ? 1 : bytesMax);
    }

    @Override
    public ZoneChanges changes(int zone, @Nullable Journal journal) {
        ZoneChanges real = its.changes(zone, journal == null ? null : stopping(journal));
        return zones.get(zone).new View(real);
    }

    @Override
    public int[] ids() {
        return its.ids();
    }

    /** The chunks of one zone, as the operations of a peer see them. */
    private final class Zone {
        private final int id;
        private final ChunkStore chunks;
        private final ChunkStore view;
        /** The newest CID of each chunk that there is or was, by the one that clients name. */
        private final Map<Long, Long> newest = new TreeMap<>();
        /** Values with which the zone was restored. */
        private final Map<Long, Long> restored = new HashMap<>();

        Zone(int id, ChunkStore chunks) {
            this.id = id;
            this.chunks = chunks;
            view = new View(its.changes(id, null)).store();
        }

        private void restored(long cid, @Nullable Long value) {
            newest.put(named(cid), cid);
            if (value != null) {
                restored.put(named(cid), value);
            }
        }

        /** The zone as changes see it that one journal records. */
        private final class View implements ZoneChanges {
            private final ZoneChanges real;
            private final ChunkStore chunks;
            private final ChunkStore view;

            View(ZoneChanges real) {
                this.real = real;
                chunks = real.store();
                FieldOperations fields = proxy(FieldOperations.class, chunks.fields());
                LockOperations locks = proxy(LockOperations.class, chunks.locks());
                view = (ChunkStore) Proxy.newProxyInstance(RealStore.class.getClassLoader(),
                    new Class<?>[] {ChunkStore.class, RawMaps.Source.class, RawCollections.Source.class},
                    (_, method, it) -> switch (method.getName()) {
                        case "rawMaps" -> RawMaps.of(chunks);
                        case "rawCollections" -> RawCollections.of(chunks);
                        case "names" -> chunks.names();
                        case "ids" -> chunks.ids();
                        case "create" -> chunks.create((byte[]) it[0]);
                        case "get" -> isNamed((long) it[0]) ? get((long) it[0], (byte[]) it[1], (int) it[2])
                            : chunks.get((long) it[0], (byte[]) it[1], (int) it[2]);
                        case "put" -> it[1] instanceof byte[] bytes ? chunks.put((long) it[0], bytes)
                            : put((long) it[0], (MemorySegment) it[1], (long) it[2], (long) it[3]);
                        case "remove", "size" -> isNamed((long) it[0]) ? call(chunks, method, it)
                            : method.invoke(chunks, it);
                        case "fields" -> fields;
                        case "locks" -> locks;
                        case "toString" -> "zone " + id;
                        default -> throw new UnsupportedOperationException(method.getName());
                    });
            }

            @Override
            public ChunkStore store() {
                return view;
            }

            @Override
            public int change(List<ChunkChange> changes) {
                mayStop();
                int result = real.change(changes.stream().map(it -> new ChunkChange(actual(it.cid()), it.condition(),
                    it.expected(), it.change(), it.content())).toList());
                mayStop();
                return result;
            }

            /** Does not stop here, inside of locks; but the journal stops the whole process. */
            @Override
            public void change(RawMap map, byte[] key, RawChange change) {
                real.change(map, key, change);
            }

            @Override
            public void change(RawCollection collection, RawStep change) {
                real.change(collection, change);
            }

            /** Returns operations whose first argument is a CID. */
            private <T> T proxy(Class<T> type, T operations) {
                return type.cast(Proxy.newProxyInstance(RealStore.class.getClassLoader(), new Class<?>[] {type},
                    (_, method, it) -> call(operations, method, it)));
            }

            private Object call(Object on, Method method, Object[] arguments) throws Throwable {
                boolean mayWait = !method.getDeclaringClass().equals(LockOperations.class);
                Object[] all = arguments.clone();
                if (mayWait) {
                    mayStop();
                }
                all[0] = actual((long) arguments[0]);
                try {
                    Object result = method.invoke(on, all);
                    if (mayWait) {
                        mayStop();
                    }
                    return result;
                } catch (InvocationTargetException e) {
                    throw e.getCause();
                }
            }

            private int get(long cid, byte[] target, int offset) {
                mayStop();
                byte[] content = new byte[BYTES];                   // others use the thread's memory for answers, too
                int result = chunks.get(actual(cid), content, 0);
                mayStop();
                System.arraycopy(content, 0, target, offset, BYTES);
                return result;
            }

            private int put(long cid, MemorySegment source, long offset, long length) {
                mayStop();
                int result;
                try {
                    result = Cid.index(cid) == ModelZones.PAIR ? putPair(cid, source, offset, length)
                        : chunks.put(actual(cid), source, offset, length);
                    if (result == Status.ABSENT && Cid.index(cid) != ModelZones.PAIR) {
                        result = create(cid, source, offset, length);
                    }
                } catch (ZoneDroppedException | NoSuchElementException e) {
                    return Status.ABSENT;
                }
                mayStop();
                return result;
            }

            private int putPair(long cid, MemorySegment source, long offset, long length) {
                byte[] content = source.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE);
                int result = real.change(List.of(put(cid, content), put(cid + 1, content)));
                return result > 0 ? Status.ABSENT : result;     // the zone's first owner has failed before it made them
            }

            private ChunkChange put(long cid, byte[] content) {
                return new ChunkChange(actual(cid), Condition.NONE, null, Change.PUT, content);
            }

            /** Creates a chunk with the next generation that is free. */
            private int create(long cid, MemorySegment source, long offset, long length) {
                Long last = newest.get(named(cid));
                long next = last == null ? cid : next(last);
                int status = chunks.ids().createAt(next, source, offset, length);
                while (status == Status.EXISTS && Cid.index(next(next)) == Cid.index(cid)) {
                    next = next(next);
                    status = chunks.ids().createAt(next, source, offset, length);
                }
                if (status == Status.OK) {
                    newest.put(named(cid), next);
                }
                return status;
            }

            private static long next(long cid) {
                return cid + (1L << GENERATION_SHIFT);
            }
        }
    }

    /** A zone that is filled and not seen yet. */
    private final class Fill implements ZoneFill {
        private final ZoneFill fill;
        private final Map<Long, @Nullable Long> cids = new HashMap<>();

        Fill(ZoneFill fill) {
            this.fill = fill;
        }

        @Override
        public int zone() {
            return fill.zone();
        }

        @Override
        public void put(long cid, boolean isReadOnly, MemorySegment source, long offset, long length) {
            if (!peer.hasMemory) {
                throw new StoreException(Category.DEGRADED, "the memory limit is reached");
            }
            fill.put(cid, isReadOnly, source, offset, length);
            if (isNamed(cid)) {
                cids.put(cid, source.get(LONG, offset));
            }
        }

        @Override
        public Pieces begin(long length) {
            return fill.begin(length);
        }

        @Override
        public void removed(long cid) {
            fill.removed(cid);
            if (isNamed(cid)) {
                cids.put(cid, null);
            }
        }

        @Override
        public void reserved(long cid) {
            fill.reserved(cid);
        }

        @Override
        public ChunkStore publish() {
            Zone zone = new Zone(fill.zone(), fill.publish());
            cids.forEach(zone::restored);
            zones.put(zone.id, zone);
            return zone.view;
        }

        @Override
        public void discard() {
            fill.discard();
        }
    }
}
