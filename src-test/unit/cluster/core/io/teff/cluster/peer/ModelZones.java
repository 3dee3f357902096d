package io.teff.cluster.peer;

import io.teff.cluster.operation.ZoneHost;
import io.teff.cluster.ship.ShipRing;
import io.teff.cluster.slot.SlotLayout;
import io.teff.engine.ChunkStore;
import io.teff.engine.Cid;
import io.teff.engine.FieldOperations;
import io.teff.engine.error.Status;
import io.teff.engine.error.StoreException;
import io.teff.engine.error.StoreException.Category;
import io.teff.engine.error.ZoneDroppedException;
import io.teff.engine.journal.ChunkRestorer;
import io.teff.engine.journal.Journal;
import io.teff.engine.zone.ChunkChange;
import io.teff.engine.zone.ChunkChange.Change;
import io.teff.engine.zone.RemoteHolder;
import io.teff.engine.zone.ZoneChanges;
import io.teff.engine.zone.ZoneFill;
import io.teff.engine.zone.ZoneRecording;
import io.teff.engine.zone.ZoneStats;
import io.teff.engine.zone.Zones;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Proxy;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The zones of a store as maps: a chunk is a number of 64 bits. Its journal is a real ring. A put makes the chunk if
 * there is none, but not in a group of changes. The chunks of a pair are always changed together, by one record, as the
 * parts of a collection are. Chunks are locked by holders outside of the process.
 */
final class ModelZones implements SimStore, Zones {
    /** Index of the first chunk of the pair. */
    static final long PAIR = 8;
    /** Index of the first chunk that groups change. */
    static final long GROUP = 16;
    /** Chunks of a zone that groups change. */
    static final int GROUP_CHUNKS = 3;
    static final int BYTES = Long.BYTES;

    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final ShipRing ring;
    private final Runnable mayStop;
    private final BooleanSupplier hasMemory;
    private final boolean isRecordedAtOnce;
    private final Map<Integer, Zone> zones = new HashMap<>();

    ModelZones(ShipRing ring, Runnable mayStop, BooleanSupplier hasMemory, boolean isRecordedAtOnce) {
        this.hasMemory = hasMemory;
        this.ring = ring;
        this.mayStop = () -> meanwhile(mayStop);
        this.isRecordedAtOnce = isRecordedAtOnce;
    }

    /** Runs what other threads do meanwhile. */
    static void meanwhile(Runnable others) {
        RemoteHolder acting = RemoteHolder.acting();
        RemoteHolder.rest();
        others.run();
        if (acting != null) {
            acting.act();
        }
    }

    /** Forgets the locks of a zone, not those of the table of locks. */
    void forgetLocks(int zone) {
        zones.get(zone).locks.clear();
    }

    @Override
    public Zones zones() {
        return this;
    }

    @Override
    public ZoneHost host(ZoneHost its) {
        return its;
    }

    @Override
    public void close() {
        // has no memory outside of the heap
    }

    @Override
    public Map<Long, Long> values(int zone) {
        Zone known = zones.get(zone);
        return known == null ? Map.of() : known.chunks;
    }

    @Override
    public ChunkStore add(int zone) {
        Zone added = new Zone(zone);
        if (zones.putIfAbsent(zone, added) != null) {
            throw new IllegalStateException("zone " + zone + " is here");
        }
        return added.view;
    }

    @Override
    public @Nullable ChunkStore zone(int zone) {
        Zone known = zones.get(zone);
        return known == null ? null : known.view;
    }

    @Override
    public ZoneFill fill(int zone) {
        if (zones.containsKey(zone)) {
            throw new IllegalStateException("zone " + zone + " is here");
        }
        return new Fill(new Zone(zone));
    }

    @Override
    public void drop(int zone) {
        Zone dropped = zones.remove(zone);
        if (dropped != null) {
            dropped.isDropped = true;
            dropped.chunks.clear();                             // a view of a dropped zone finds no chunk
            dropped.locks.clear();
        }
    }

    /** Records one chunk with each call. */
    @Override
    public ZoneRecording record(int zone, @Nullable Journal journal) {
        Zone recorded = zones.get(zone);
        if (recorded == null) {
            throw new NoSuchElementException("zone " + zone);
        }
        Iterator<Long> cids = List.copyOf(recorded.known).iterator();
        Map<Long, Long> before = isRecordedAtOnce ? recorded.chunks : new HashMap<>(recorded.chunks);
        return _ -> {
            if (recorded.isDropped) {
                throw new ZoneDroppedException(zone);
            }
            ring.begin();
            if (cids.hasNext()) {
                long cid = cids.next();
                recorded.record(journal == null ? ring : journal, cid, before.get(cid));
            }
            return cids.hasNext();
        };
    }

    @Override
    public ZoneStats stats(int zone) {
        Zone known = zones.get(zone);
        if (known == null) {
            throw new NoSuchElementException("zone " + zone);
        }
        int chunks = known.chunks.size();
        return new ZoneStats(zone, chunks, (long) chunks * BYTES, (long) chunks * BYTES, 0);
    }

    @Override
    public ZoneChanges changes(int zone, @Nullable Journal journal) {
        Zone changed = zones.get(zone);
        if (changed == null) {
            throw new NoSuchElementException("zone " + zone);
        }
        return changed.new View(journal == null ? ring : journal);
    }

    @Override
    public int[] ids() {
        return zones.keySet().stream().mapToInt(Integer::intValue).toArray();
    }

    /** The values of one zone, as the operations of a peer see them. */
    private final class Zone {
        private final int id;
        private final Map<Long, Long> chunks = new TreeMap<>();
        /** All chunks that there are or were. */
        private final Set<Long> known = new TreeSet<>();
        private final ChunkStore view;
        private final ModelLocks locks = new ModelLocks(chunks::containsKey);
        private boolean isDropped;

        Zone(int id) {
            this.id = id;
            view = new View(ring).store();
        }

        /** Writes a chunk to a journal once more, or that there is none. */
        private void record(Journal journal, long cid, @Nullable Long value) {
            new View(journal).record(cid, value);
        }

        /** The zone as changes see it that one journal records. */
        private final class View implements ZoneChanges {
            private final Journal journal;
            private final ChunkStore view;
            private final FieldOperations fields;

            View(Journal journal) {
                this.journal = journal;
                ClassLoader loader = ModelZones.class.getClassLoader();
                fields = (FieldOperations) Proxy.newProxyInstance(loader, new Class<?>[] {FieldOperations.class},
                    (_, method, it) -> switch (method.getName()) {
                        case "compareAndSetLong" -> compareAndSet((long) it[0], (long) it[2], (long) it[3]);
                        default -> throw new UnsupportedOperationException(method.getName());
                    });
                view = (ChunkStore) Proxy.newProxyInstance(loader, new Class<?>[] {ChunkStore.class},
                    (_, method, it) -> switch (method.getName()) {
                        case "get" -> get((long) it[0], (byte[]) it[1], (int) it[2]);
                        case "put" -> put((long) it[0], ((MemorySegment) it[1]).get(LONG, (long) it[2]));
                        case "remove" -> (long) remove((long) it[0]);
                        case "size" -> chunks.containsKey((long) it[0]) ? (long) BYTES : (long) Status.ABSENT;
                        case "fields" -> fields;
                        case "locks" -> locks.operations();
                        case "toString" -> "zone " + id;
                        default -> throw new UnsupportedOperationException(method.getName());
                    });
            }

            @Override
            public ChunkStore store() {
                return view;
            }

            private int get(long cid, byte[] target, int offset) {
                mayStop.run();
                if (!locks.canRead(cid)) {
                    return Status.LOCKED;
                }
                Long value = chunks.get(cid);
                mayStop.run();                                      // others use the thread's memory for answers, too
                if (value != null) {
                    MemorySegment.ofArray(target).set(LONG, offset, value);
                }
                return value == null ? Status.ABSENT : BYTES;
            }

            private int put(long cid, long value) {
                mayStop.run();
                if (isDropped) {
                    return Status.ABSENT;
                }
                journal.begin();
                if (!locks.canWrite(cid) || Cid.index(cid) == PAIR && !locks.canWrite(cid + 1)) {
                    return Status.LOCKED;
                }
                change(cid, value);
                mayStop.run();
                return Status.OK;
            }

            private int compareAndSet(long cid, long expected, long update) {
                mayStop.run();
                Long value = chunks.get(cid);
                if (value == null) {
                    return Status.ABSENT;
                }
                journal.begin();
                if (!locks.canWrite(cid)) {
                    return Status.LOCKED;
                }
                if (value != expected) {
                    return 0;
                }
                change(cid, update);
                mayStop.run();
                return 1;
            }

            private int remove(long cid) {
                if (!chunks.containsKey(cid)) {
                    return Status.ABSENT;
                }
                journal.begin();
                if (!locks.canWrite(cid)) {
                    return Status.LOCKED;
                }
                recordRemoved(cid);
                chunks.remove(cid);
                locks.removed(cid);
                mayStop.run();
                return Status.OK;
            }

            /** Makes a group of changes, as the engine does: locks and conditions in the order of the chunks. */
            @Override
            public int change(List<ChunkChange> changes) {
                mayStop.run();
                if (isDropped) {
                    throw new ZoneDroppedException(id);
                }
                journal.begin();
                for (ChunkChange change : changes) {
                    boolean isChanged = change.change() != Change.NONE;
                    if (isChanged ? !locks.canWrite(change.cid()) : !locks.canRead(change.cid())) {
                        return Status.LOCKED;
                    }
                }
                for (int i = 0; i < changes.size(); i++) {
                    if (!holds(changes.get(i))) {
                        return i + 1;
                    }
                }
                List<ChunkChange> changed = changes.stream().filter(it -> it.change() != Change.NONE).toList();
                if (!changed.isEmpty()) {
                    record(changed);
                    mayStop.run();
                }
                return Status.OK;
            }

            private boolean holds(ChunkChange change) {
                Long value = chunks.get(change.cid());
                return switch (change.condition()) {
                    case NONE -> value != null || change.change() == Change.NONE;
                    case PRESENT -> value != null;
                    case ABSENT -> value == null;
                    case EQUAL -> value != null && value == value(change.expected());
                    case NOT_ABOVE -> value != null && value <= value(change.expected());
                };
            }

            private void record(List<ChunkChange> changed) {
                long record = journal.claim(id, changed.size(), (long) changed.size() * BYTES);
                long at = 0;
                for (ChunkChange change : changed) {
                    boolean isPut = change.change() == Change.PUT;
                    at = journal.entry(record, at, change.cid(), isPut ? Journal.PUT : Journal.REMOVED,
                        isPut ? BYTES : 0, 0);
                    if (isPut) {
                        long value = value(change.content());
                        journal.memory().set(LONG, at, value);
                        chunks.put(change.cid(), value);
                        at += BYTES;
                    } else {
                        chunks.remove(change.cid());
                        locks.removed(change.cid());
                    }
                }
                journal.commit(record, changed.size() > 1);
            }

            private static long value(byte @Nullable [] content) {
                return MemorySegment.ofArray(Objects.requireNonNull(content)).get(LONG, 0);
            }

            private void record(long cid, @Nullable Long value) {
                if (value == null) {
                    recordRemoved(cid);
                    return;
                }
                long record = journal.claim(id, 1, BYTES);
                journal.memory().set(LONG, journal.entry(record, 0, cid, Journal.PUT, BYTES, 0), value);
                journal.commit(record, false);
            }

            private void recordRemoved(long cid) {
                long record = journal.claim(id, 1, 0);
                journal.entry(record, 0, cid, Journal.REMOVED, 0, 0);
                journal.commit(record, false);
            }

            /** Inside of the chunk's stripe: memory and journal change together. */
            private void change(long cid, long value) {
                List<Long> all = Cid.index(cid) == PAIR ? List.of(cid, cid + 1) : List.of(cid);
                long record = journal.claim(id, all.size(), (long) all.size() * BYTES);
                long at = 0;
                for (long next : all) {
                    long content = journal.entry(record, at, next, Journal.PUT, BYTES, 0);
                    journal.memory().set(LONG, content, value);
                    at = content + BYTES;
                    chunks.put(next, value);
                    known.add(next);
                }
                journal.commit(record, all.size() > 1);
            }
        }
    }

    /** Collects the chunks of a zone. */
    static class Collector implements ChunkRestorer {
        private final Map<Long, Long> chunks;

        Collector(Map<Long, Long> chunks) {
            this.chunks = chunks;
        }

        @Override
        public void put(long cid, boolean isReadOnly, MemorySegment source, long offset, long length) {
            if (!SlotLayout.isSlot(cid) && length >= BYTES) {
                chunks.put(Cid.of(Cid.nid(cid), Cid.index(cid)), source.get(LONG, offset));
            }
        }

        @Override
        public Pieces begin(long length) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void removed(long cid) {
            chunks.remove(Cid.of(Cid.nid(cid), Cid.index(cid)));
        }

        @Override
        public void reserved(long cid) {
            // a reservation is no chunk
        }
    }

    /** A zone that is filled and not seen yet. */
    private final class Fill extends Collector implements ZoneFill {
        private final Zone filled;

        Fill(Zone filled) {
            super(filled.chunks);
            this.filled = filled;
        }

        @Override
        public int zone() {
            return filled.id;
        }

        @Override
        public void put(long cid, boolean isReadOnly, MemorySegment source, long offset, long length) {
            if (!hasMemory.getAsBoolean()) {
                throw new StoreException(Category.DEGRADED, "the memory limit is reached");
            }
            super.put(cid, isReadOnly, source, offset, length);
            filled.known.add(cid);
        }

        @Override
        public void removed(long cid) {
            super.removed(cid);
            filled.known.add(cid);
        }

        @Override
        public ChunkStore publish() {
            if (zones.putIfAbsent(filled.id, filled) != null) {
                throw new IllegalStateException("zone " + filled.id + " is here");
            }
            return filled.view;
        }

        @Override
        public void discard() {
            filled.chunks.clear();
        }
    }
}
