package io.teff.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.codec.MalformedException;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.ChunkCollection;
import io.teff.engine.collect.ChunkList;
import io.teff.engine.collect.ChunkLongMap;
import io.teff.engine.collect.ChunkMap;
import io.teff.engine.collect.ChunkQueue;
import io.teff.engine.collect.ChunkSortedLongMap;
import io.teff.engine.collect.ChunkSortedMap;
import io.teff.engine.error.Status;
import io.teff.engine.error.StoreException;
import io.teff.test.kit.Form;
import io.teff.test.kit.Seed;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Goal: the audit of a collection whose chunks were overwritten reports damage, whatever their content is: no other
 * exception, no endless walk.
 *
 * <p>Method: chains that lead back to themselves, and chunks with random bytes changed.
 */
@Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = ThreadMode.SEPARATE_THREAD)
final class ForgedChunksTest {
    private static final int COUNT = 3000;
    private static final int CHANGES = Form.size(300, 1500, 1500);
    private static final int QUEUE_FIRST_AT = 8;
    private static final int QUEUE_NEXT_AT = 0;
    private static final int TREE_TOP_AT = 16;
    private static final int NODE_RIGHT_AT = 8;
    private static final int NODE_LOW_HEAD_AT = 16;
    private static final int NODE_HIGH_HEAD_AT = 28;

    private static ChunkQueue<byte[]> fill(Store store) {
        ChunkQueue<byte[]> queue = store.queue("it", Codecs.BYTES);
        for (int i = 0; i < COUNT; i++) {
            queue.add(new byte[i % 50 == 0 ? 1000 : 20]);
        }
        return queue;
    }

    private static long root(Store store) {
        return store.names().get("it").orElseThrow().cid();
    }

    @Test
    void queueWhoseChainLeadsBack_isDamaged() {
        try (Store store = Store.open()) {
            ChunkQueue<byte[]> queue = fill(store);
            for (int from = 0; from < 12; from++) {
                for (int target = 0; target <= from; target++) {
                    long first = store.fields().getLong(root(store), QUEUE_FIRST_AT, 0);
                    long segment = follow(store, first, from);
                    long next = store.fields().getLong(segment, QUEUE_NEXT_AT, 0);
                    assertEquals(0, store.fields().putLong(segment, QUEUE_NEXT_AT, follow(store, first, target)));
                    assertThrows(StoreException.class, queue::audit, "from " + from + " to " + target);
                    store.fields().putLong(segment, QUEUE_NEXT_AT, next);
                }
            }
            queue.audit();
        }
    }

    private static long follow(Store store, long cid, int steps) {
        long segment = cid;
        for (int i = 0; i < steps; i++) {
            segment = store.fields().getLong(segment, QUEUE_NEXT_AT, 0);
        }
        return segment;
    }

    /** Collections of each kind, with elements of several lengths, some of them overflow elements. */
    enum Kind {
        QUEUE {
            @Override
            ChunkCollection fill(Store store) {
                return ForgedChunksTest.fill(store);
            }
        },
        LIST {
            @Override
            ChunkCollection fill(Store store) {
                ChunkList<byte[]> list = store.list("it", Codecs.BYTES);
                for (int i = 0; i < COUNT; i++) {
                    list.add(value(i));
                }
                return list;
            }
        },
        MAP {
            @Override
            ChunkCollection fill(Store store) {
                ChunkMap<String, byte[]> map = store.map("it", Codecs.STRING, Codecs.BYTES);
                for (int i = 0; i < COUNT; i++) {
                    map.put("key " + i, value(i));
                }
                return map;
            }
        },
        LONG_MAP {
            @Override
            ChunkCollection fill(Store store) {
                ChunkLongMap<byte[]> map = store.longMap("it", Codecs.BYTES);
                for (int i = 0; i < COUNT; i++) {
                    map.set(i, new byte[32]);
                }
                return map;
            }
        },
        SORTED_MAP {
            @Override
            ChunkCollection fill(Store store) {
                ChunkSortedMap<String, byte[]> map = store.sortedMap("it", Codecs.STRING, Codecs.BYTES);
                for (int i = 0; i < COUNT; i++) {
                    map.put("a longer key " + i, value(i));
                }
                return map;
            }
        };

        abstract ChunkCollection fill(Store store);

        private static byte[] value(int number) {
            return new byte[number % 50 == 0 ? 1000 : number % 7 * 10];
        }
    }

    /** Reads a bounded number of elements: overwritten keys may lead back. */
    private static void walk(ChunkCollection collection) {
        Iterable<?> elements = collection instanceof Map<?, ?> map ? map.entrySet() : (Iterable<?>) collection;
        int count = 0;
        for (Iterator<?> all = elements.iterator(); all.hasNext() && count < 2 * COUNT; count++) {
            all.next();
        }
    }

    @ParameterizedTest
    @EnumSource
    void anyKindWithOtherBytes_isAsItWasOrDamaged(Kind kind) {
        try (Store store = Store.open()) {
            ChunkCollection collection = kind.fill(store);
            List<Long> cids = new ArrayList<>();
            store.ids().forEach(cids::add);
            cids.removeIf(cid -> Cid.nid(cid) != 0);            // the directory of names
            long seed = Long.getLong("seed", kind.ordinal());      // constant: only the damage is random
            SplittableRandom random = Seed.random(seed);
            int damaged = 0;
            for (int i = 0; i < CHANGES; i++) {
                long cid = i % 10 == 0 ? root(store) : cids.get(random.nextInt(cids.size()));
                int length = (int) store.size(cid);
                int at = random.nextInt(random.nextBoolean() ? Math.min(length, 40) : length);
                byte before = store.fields().getByte(cid, at, (byte) 0);
                byte after = (byte) random.nextInt();
                assertEquals(Status.OK, store.fields().putByte(cid, at, after));
                try {
                    walk(collection);
                    collection.audit();
                } catch (StoreException | MalformedException e) {
                    damaged++;
                } catch (RuntimeException | AssertionError e) {
                    throw new AssertionError(Seed.reproduce(getClass(), seed) + ": change " + i + " at " + at + " of "
                        + Cid.toString(cid) + " of " + length + " bytes from " + before + " to " + after, e);
                }
                store.fields().putByte(cid, at, before);
            }
            assertTrue(damaged > CHANGES / 200, "damaged=" + damaged);
            collection.audit();
        }
    }

    @Test
    void leafThatIsItsOwnNeighbour_isDamaged() {
        try (Store store = Store.open()) {
            ChunkSortedLongMap<byte[]> map = store.sortedLongMap("it", Codecs.BYTES);
            for (long key = 0; key < COUNT; key++) {
                map.set(key, new byte[20]);
            }
            long leaf = store.fields().getLong(root(store), TREE_TOP_AT, 0);
            while (store.fields().getByte(leaf, 0, (byte) 0) > 0) {
                leaf = child(store, leaf);
            }
            leaf = store.fields().getLong(leaf, NODE_RIGHT_AT, 0);
            store.fields().putLong(leaf, NODE_RIGHT_AT, leaf);
            assertThrows(StoreException.class, map::audit);
            long low = store.fields().getLong(leaf, NODE_LOW_HEAD_AT, 0);
            store.fields().putLong(leaf, NODE_HIGH_HEAD_AT, low);
            store.fields().putShort(leaf, 2, (short) 0);
            store.fields().putInt(leaf, 4, 0);
            assertThrows(StoreException.class, map::audit);
        }
    }

    /** Returns the first child of a node, which was added first and so lies at the end. */
    private static long child(Store store, long node) {
        return store.fields().getLong(node, store.size(node) - Long.BYTES, 0);
    }
}
