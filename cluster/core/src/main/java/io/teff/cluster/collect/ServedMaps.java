package io.teff.cluster.collect;

import io.teff.cluster.net.message.DeniedException;
import io.teff.engine.ChunkStore;
import io.teff.engine.NamedRoot;
import io.teff.engine.error.StoreClosedException;
import io.teff.engine.error.StoreException.Category;
import io.teff.engine.error.StoreException;
import io.teff.engine.error.ZoneDroppedException;
import io.teff.engine.os.KeptInterrupt;
import io.teff.engine.raw.RawCollection;
import io.teff.engine.raw.RawCollections;
import io.teff.engine.raw.RawMap;
import io.teff.engine.raw.RawMaps;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The open maps, and other open collections, of a zone at its owner, by root. Thread-safe.
 *
 * <p><b>The gate.</b> A change of a collection is in the memory of several chunks before its group is in the journal.
 * A recording of the zone in this moment would contain a part of the group. So each change of a collection is inside
 * of the gate, and {@link #whileNothingChanges} waits until nothing is inside. Changes of single chunks do not need the
 * gate, because each of them is recorded inside of the stripe of its chunk.
 */
public final class ServedMaps {
    /** How often a new watch waits for the gate: with {@link #WAIT_NS}, 0.1 s at most. */
    private static final int GATE_ATTEMPTS = 100;
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long WAIT_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final Map<Long, RawMap> open = new ConcurrentHashMap<>();
    private final Map<Long, ServedCollection> others = new ConcurrentHashMap<>();
    /** Rings of the watched collections by their roots. */
    private final Map<Long, ChangeRing> rings = new ConcurrentHashMap<>();
    /** Fences of the open collections by their roots. */
    private final Map<Long, ChangeFence> fences = new ConcurrentHashMap<>();
    /** Names of collections by their roots, as far as opens and looks have found the names. */
    private final Map<Long, String> names = new ConcurrentHashMap<>();
    private final AtomicLong lookedNs = new AtomicLong();
    private final ReadWriteLock gate = new ReentrantReadWriteLock();

    /** Begins with no open map. */
    public ServedMaps() {}

    /**
     * Returns an open map.
     *
     * @param root any CID
     * @return the map; null if no open map has this root
     */
    public @Nullable RawMap known(long root) {
        return open.get(root);
    }

    /**
     * Opens the map with a root, inside of the gate. Reads all buckets of the map: not for an agent.
     *
     * @param view the served view of the zone
     * @param root any CID
     * @return the map; null if no map of the zone has this root, or the map is being dropped
     */
    public @Nullable RawMap open(ChunkStore view, long root) {
        final RawMap map = at(view, root);
        if (map != null) {
            findRing(view, root);
            open.put(root, map);
        }
        return map;
    }

    private static @Nullable RawMap at(ChunkStore view, long root) {
        try {
            return RawMaps.of(view).at(root);
        } catch (StoreClosedException | ZoneDroppedException e) {
            throw e;
        } catch (IllegalStateException _) {                     // another thread is dropping the map
            return null;
        }
    }

    /**
     * Opens or makes a map, inside of the gate.
     *
     * @param view the served view of the zone
     * @param wanted what the map is
     * @return the map
     */
    public RawMap open(ChunkStore view, MapName wanted) {
        final RawMap map = RawMaps.of(view).open(wanted.name(), wanted.keys(), wanted.values(), wanted.keyBytes());
        names.put(map.root(), wanted.name());
        if (!open.containsKey(map.root())) {
            findRing(view, map.root());
            open.put(map.root(), map);
        }
        return map;
    }

    // ---- watched maps ----

    /** Finds ring and fence of a collection before any change can be made in the collection. */
    private void findRing(ChunkStore view, long root) {
        rings.computeIfAbsent(root, _ -> ChangeRing.find(view, root));
        findFence(view, root);
    }

    /**
     * Returns the ring of an open map. Inside of the gate, the map is watched until the gate is left if it is watched
     * now, and is not watched otherwise.
     *
     * @param root of the map
     * @return the ring; null if the map is not watched
     */
    public @Nullable ChangeRing ring(long root) {
        return rings.get(root);
    }

    /**
     * Begins to watch a collection, outside of the gate. Waits until no change of a collection is under way: a change
     * that ends later has an event.
     *
     * @param view the served view of the zone
     * @param root of an open map, queue or sorted map
     * @param places most events
     * @param bytesMax most bytes of the events
     * @return the ring, also if the map is watched already; null if the zone was busy, and nothing was done
     * @throws io.teff.engine.error.StoreException of category DEGRADED if there is no memory, or the zone has {@link
     *     ChangeRing#RINGS_MAX} watched maps
     */
    public @Nullable ChangeRing watch(ChunkStore view, long root, int places, long bytesMax) {
        ChangeRing ring = rings.get(root);
        for (int i = 0; ring == null && i < GATE_ATTEMPTS; i++) {
            whileNothingChanges(() -> {
                final ServedCollection served = others.get(root);
                if (served != null && served.part() != null) {
                    throw new StoreException(Category.DEGRADED, "a sorted map that was split is not watched");
                }
                if (rings.size() >= ChangeRing.RINGS_MAX) {
                    throw new StoreException(Category.DEGRADED, "a zone has " + ChangeRing.RINGS_MAX + " watched maps, "
                        + "as many as are possible");
                }
                if (open.containsKey(root) || others.containsKey(root)) {
                    rings.computeIfAbsent(root, _ -> ChangeRing.make(view, root, places, bytesMax));
                }
                return false;
            });
            ring = rings.get(root);
        }
        return ring;
    }

    private void dropRing(ChunkStore view, long root) {
        findRing(view, root);
        final ChangeRing ring = rings.remove(root);
        if (ring != null) {
            ring.drop(view, root);
        }
    }

    // ---- fences ----

    private void findFence(ChunkStore view, long root) {
        fences.computeIfAbsent(root, _ -> ChangeFence.find(view, root));
    }

    /**
     * Returns the fence of an open collection.
     *
     * @param root of the collection
     * @return the fence; null if no holder of a lock has come here
     */
    public @Nullable ChangeFence fence(long root) {
        return fences.get(root);
    }

    /**
     * Raises the fence of an open collection to the token of a holder, inside of the gate; makes the fence if there is
     * none.
     *
     * @param view the served view of the zone
     * @param root of the collection
     * @param token of the holder
     * @return the token of the fence, which may be that of a later holder
     */
    public long raise(ChunkStore view, long root, long token) {
        return fences.computeIfAbsent(root, _ -> ChangeFence.make(view, root)).raise(view, token);
    }

    /**
     * Opens any collection with a root, inside of the gate. Reads the collection: not for an agent.
     *
     * @param view the served view of the zone
     * @param root any CID
     * @param epoch epoch of the owner
     * @return whether there is a collection with this root
     */
    public boolean isOpened(ChunkStore view, long root, int epoch) {
        return known(root) != null || knownCollection(root) != null || open(view, root) != null
            || openCollection(view, root, epoch) != null;
    }

    private void dropFence(ChunkStore view, long root) {
        findFence(view, root);
        final ChangeFence fence = fences.remove(root);
        if (fence != null) {
            fence.drop(view, root);
        }
    }

    // ---- queues, lists and sorted maps ----

    /**
     * Returns an open queue, list or sorted map.
     *
     * @param root any CID
     * @return the collection; null if no such open collection has this root
     */
    public @Nullable ServedCollection knownCollection(long root) {
        return others.get(root);
    }

    /**
     * Opens the queue, list or sorted map with a root, inside of the gate. Reads all of its chunks: not for an agent.
     *
     * @param view the served view of the zone
     * @param root any CID
     * @param epoch epoch of the owner
     * @return the collection; null if no such collection of the zone has this root
     */
    public @Nullable ServedCollection openCollection(ChunkStore view, long root, int epoch) {
        final RawCollection found = RawCollections.of(view).at(root);
        return found == null ? null : served(view, found, epoch);
    }

    /**
     * Opens or makes a queue, list or sorted map, inside of the gate.
     *
     * @param view the served view of the zone
     * @param wanted what the collection is
     * @param epoch epoch of the owner
     * @return the collection
     * @throws IllegalArgumentException if the name belongs to something else, or the owner does not know the order
     */
    public ServedCollection openCollection(ChunkStore view, CollectionName wanted, int epoch) {
        final RawCollection opened = wanted.open(RawCollections.of(view));
        names.put(opened.root(), wanted.name());
        return served(view, opened, epoch);
    }

    private ServedCollection served(ChunkStore view, RawCollection found, int epoch) {
        findRing(view, found.root());
        return others.computeIfAbsent(found.root(),
            root -> new ServedCollection(found, epoch, MapPart.find(view, root)));
    }

    // ---- drops ----

    /**
     * Drops a collection, inside of the gate. Later operations on the collection find no collection.
     *
     * @param view the served view of the zone
     * @param name name of the collection in the zone
     */
    public void drop(ChunkStore view, String name) {
        view.names().get(name).ifPresent(named -> {
            dropRing(view, named.cid());
            dropFence(view, named.cid());
            final MapPart part = MapPart.find(view, named.cid());
            if (part != null) {
                part.drop(view, named.cid());
            }
        });
        final long root = RawMaps.of(view).drop(name);
        open.remove(root);
        others.remove(root);
        names.remove(root);
    }

    /**
     * Returns the name of a collection in its zone. An unknown root costs a look at all names of the zone, at most once
     * in {@link #LOOK_NS}.
     *
     * @param view the served view of the zone
     * @param root any CID
     * @param nowNs the present time
     * @return the name; null if no collection has the root
     * @throws DeniedException if the names cannot be looked at now
     */
    public @Nullable String nameOf(ChunkStore view, long root, long nowNs) {
        final String known = names.get(root);
        if (known != null) {
            return known;
        }
        final long last = lookedNs.get();
        if (last != 0 && nowNs - last < LOOK_NS || !lookedNs.compareAndSet(last, nowNs | 1)) {
            throw new DeniedException("of this session", "looks at unknown collections of a zone", "");
        }
        view.names().all().forEach((name, named) -> {
            if (named.kind() != NamedRoot.Kind.CHUNK) {
                names.putIfAbsent(named.cid(), name);
            }
        });
        return names.get(root);
    }

    /**
     * Returns whether a map was dropped.
     *
     * @param map from this object
     * @return whether each operation on it throws
     */
    public static boolean isDropped(RawMap map) {
        try {
            map.longSize();
            return false;
        } catch (IllegalStateException _) {
            return true;
        }
    }

    /** Takes the sizes of collections. */
    @FunctionalInterface
    public interface SizeVisitor {
        /**
         * Takes the size of a collection.
         *
         * @param name its name in the zone
         * @param bytes its bytes of memory
         * @return whether the collection fills the zone
         */
        boolean fills(String name, long bytes);
    }

    /**
     * Visits the open collections with their names in the zone and their bytes of memory. A collection that is being
     * dropped may be left out. A part of a sorted map that fills the zone says so to clients, which split the part. A
     * watched part does not say so, because it cannot be split.
     *
     * @param visitor takes name and bytes
     */
    public void sizes(SizeVisitor visitor) {
        open.forEach((root, map) -> size(root, map::memoryBytes, visitor));
        others.forEach((root, other) -> other.fills(size(root, () -> other.content().content().memoryBytes(), visitor)
            && rings.get(root) == null));
    }

    private boolean size(long root, LongSupplier bytes, SizeVisitor visitor) {
        final String name = names.get(root);
        final long size;
        try {
            size = bytes.getAsLong();
        } catch (IllegalStateException _) {                     // dropped, or the zone was dropped
            return false;
        }
        return visitor.fills(name == null ? "collection " + Long.toHexString(root) : name, size);
    }

    // ---- the gate ----

    /** Enters the gate for a change of a collection; {@link #leave} follows on this thread. */
    public void enter() {
        gate.readLock().lock();
    }

    /** Leaves the gate. */
    public void leave() {
        gate.readLock().unlock();
    }

    /**
     * Takes a step if no change of a collection is under way, or each ends soon. While a caller waits here, new changes
     * wait, too; so no caller waits for a map that is being opened.
     *
     * @param step short, because changes of collections wait; returns false if it was the last step
     * @return false after the last step; true if there are further steps, or if no step was taken now
     */
    public boolean whileNothingChanges(BooleanSupplier step) {
        if (!isAlone()) {
            return true;
        }
        try {
            return step.getAsBoolean();
        } finally {
            gate.writeLock().unlock();
        }
    }

    private boolean isAlone() {
        try (KeptInterrupt interrupt = KeptInterrupt.begin()) {
            try {
                return gate.writeLock().tryLock(WAIT_NS, TimeUnit.NANOSECONDS);
            } catch (InterruptedException _) {
                interrupt.keepThrown();
                return false;
            }
        }
    }
}
