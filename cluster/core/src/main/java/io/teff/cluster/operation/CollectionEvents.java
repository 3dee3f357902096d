package io.teff.cluster.operation;

import io.teff.cluster.collect.ChangeRing;
import io.teff.engine.collect.ChunkQueue;
import io.teff.engine.collect.ChunkSortedMap;
import io.teff.engine.raw.QueuePlaces;
import io.teff.engine.raw.RawCollection;
import io.teff.engine.raw.RawGroup;
import org.jspecify.annotations.Nullable;

/**
 * Puts and removes entries of a sorted map, and elements of a queue, each with its event if the collection is watched.
 * An event is stored in front of its change, and becomes visible behind the change ({@link ChangeRing}). For the thread
 * of the change, under the lock of the collection.
 *
 * <p>The key of an element of a queue is its place as one number: the index of its segment in the zone, and the offset
 * there. No other element of the queue ever has this number.
 */
final class CollectionEvents {
    /** Bits of an offset in a segment, which is below 2,048. */
    private static final int AT_BITS = 11;
    private static final int INDEX_BITS = 48;
    private static final byte[] PLACE = new byte[Long.BYTES];

    private final RawCollection collection;
    private final @Nullable ChangeRing ring;
    private final RawGroup group;

    CollectionEvents(RawCollection collection, @Nullable ChangeRing ring) {
        this.collection = collection;
        this.ring = ring;
        group = collection.group();
    }

    /** Returns whether the changes have events. */
    boolean areKept() {
        return ring != null;
    }

    private static void before(ChangeRing of, RawGroup group, byte[] key, byte @Nullable [] value) {
        of.before(group, key, key.length, value, 0, value == null ? 0 : value.length);
    }

    // ---- sorted maps ----

    /** Puts an entry. */
    void put(ChunkSortedMap<Object, byte[]> map, Object key, byte[] value) {
        final ChangeRing of = ring;
        if (of != null) {
            before(of, group, RawContents.bytes(collection, key), value);
        }
        map.set(key, value);
        if (of != null) {
            of.after(group);
        }
    }

    /** Removes an entry; returns whether there was one. */
    boolean isRemoved(ChunkSortedMap<Object, byte[]> map, Object key) {
        final ChangeRing of = ring;
        if (of == null) {
            return map.delete(key);
        }
        if (!map.containsKey(key)) {
            return false;
        }
        before(of, group, RawContents.bytes(collection, key), null);
        final boolean isRemoved = map.delete(key);
        of.after(group);
        return isRemoved;
    }

    /** Returns the bytes of the event of a removal beside its head; 0 if there are no events. */
    int bytesOf(Object key) {
        return ring == null ? 0 : RawContents.bytes(collection, key).length;
    }

    // ---- queues ----

    private static long number(long segment, int at) {
        return (segment & (1L << INDEX_BITS) - 1) << AT_BITS | at;
    }

    /** Adds an element at the end. */
    void add(ChunkQueue<byte[]> queue, byte[] element) {
        final ChangeRing of = ring;
        if (of != null) {
            before(of, group, PLACE, element);
        }
        queue.add(element);
        if (of != null) {
            final QueuePlaces<?> places = (QueuePlaces<?>) queue;
            of.after(group, number(places.addedSegment(), places.addedAt()));
        }
    }

    /** Removes the first element; returns whether there was one. */
    boolean isFirstRemoved(ChunkQueue<byte[]> queue) {
        final ChangeRing of = ring;
        if (of == null) {
            return queue.skip();
        }
        final QueuePlaces.PlaceWalk<?> first = ((QueuePlaces<?>) queue).behind(0, 0);
        if (first.next() == null) {
            return false;
        }
        before(of, group, RawContents.bytes(number(first.segment(), first.at())), null);
        final boolean isRemoved = queue.skip();
        of.after(group);
        return isRemoved;
    }

    /** Removes the element at a place; returns whether there was one. */
    boolean isRemoved(ChunkQueue<byte[]> queue, long segment, int at) {
        final QueuePlaces<?> places = (QueuePlaces<?>) queue;
        final ChangeRing of = ring;
        if (of == null) {
            return places.removeAt(segment, at);
        }
        before(of, group, RawContents.bytes(number(segment, at)), null);
        final boolean isRemoved = places.removeAt(segment, at);
        if (isRemoved) {
            of.after(group);
        }
        return isRemoved;
    }
}
