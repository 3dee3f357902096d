package io.teff.test.crash;

import io.teff.engine.Cid;
import io.teff.engine.Store;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.ChunkMap;
import io.teff.engine.collect.ChunkQueue;
import io.teff.engine.collect.ChunkSortedMap;
import io.teff.engine.error.Status;
import io.teff.engine.query.Field;
import io.teff.engine.query.IndexedMap;
import io.teff.recovery.DurableStore;
import org.jspecify.annotations.Nullable;

/** The objects under load: a durable store, its collections, and the map from keys to places. */
final class Target {
    private static final int GUEST_NID = 9;
    private static final int ZONE_SHIFT = 20;
    private static final int ZONES = 5;
    private static final int THREAD_STEP = 10_000;
    private static final int COUNTER_INDEX = 100_000;

    final DurableStore durable;
    final Store store;
    final Ledger ledger;
    final ChunkMap<Long, byte[]> map;
    /** The map with an index, which must equal the map after each kill. */
    final IndexedMap<Long, byte[]> indexed;
    final ChunkSortedMap<Long, byte[]> sorted;
    final ChunkQueue<byte[]> queue;

    Target(DurableStore durable, Ledger ledger) {
        this.durable = durable;
        this.store = durable.store();
        this.ledger = ledger;
        if (!ledger.isSetUp()) {
            for (int counter = 0; counter < Ledger.COUNTERS; counter++) {
                store.ids().createAt(counter(counter), new byte[Long.BYTES]);   // may be there from before a kill
            }
        }
        this.map = store.map("map", Codecs.LONG, Codecs.BYTES);
        this.indexed = IndexedMap.of(map).index("by length", Field.ofInt("length", value -> value.length));
        this.sorted = store.sortedMap("sorted", Codecs.LONG, Codecs.BYTES);
        this.queue = store.queue("queue", Codecs.BYTES);
        ledger.setUp();
    }

    static long counter(int counter) {
        return Cid.of(GUEST_NID, COUNTER_INDEX + counter);
    }

    /** Returns the CID of a chunk's key, or NONE if it never had one. */
    long cid(long key) {
        if (Group.of(key) != Group.GUEST) {
            return ledger.cid(key);
        }
        final int number = Group.number(key);
        return Cid.of(GUEST_NID, ((long) (number % ZONES) << ZONE_SHIFT) + 1 + number
            + (long) THREAD_STEP * Group.thread(key));
    }

    /** Returns the value of a key, or null. */
    byte @Nullable [] read(long key) {
        return switch (Group.of(key)) {
            case OWN, GUEST, LARGE -> readChunk(cid(key));
            case MAP -> map.get(key);
            case SORTED -> sorted.get(key);
            case QUEUE -> throw new IllegalArgumentException("a queue has no keys");
        };
    }

    /** Returns the bytes of a chunk, or null; the chunk may be changed concurrently. */
    byte @Nullable [] readChunk(long cid) {
        while (cid != Cid.NONE) {
            final long size = store.size(cid);
            if (size < 0) {
                return null;
            }
            final byte[] bytes = new byte[(int) size];
            final int read = store.get(cid, bytes);
            if (read == bytes.length) {
                return bytes;
            }
            if (read == Status.ABSENT) {
                return null;
            }
        }
        return null;
    }
}
