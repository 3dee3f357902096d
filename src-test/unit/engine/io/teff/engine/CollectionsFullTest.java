package io.teff.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.ChunkCollection;
import io.teff.engine.collect.ChunkList;
import io.teff.engine.collect.ChunkMap;
import io.teff.engine.collect.ChunkQueue;
import io.teff.engine.collect.ChunkSet;
import io.teff.engine.collect.ChunkSortedMap;
import io.teff.engine.config.DebugLevel;
import io.teff.engine.error.StoreException;
import io.teff.test.kit.Seed;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Goal: an application that has filled the store can free memory again: removing, clearing and dropping need no
 * memory.
 *
 * <p>Method: a collection of each kind is filled; from then on each request for a chunk's memory is refused. Entries
 * are removed one by one, the rest by {@code clear} or by dropping the name, with audits in between. Operations that
 * need memory in the middle of a list have their first, second, ... request refused.
 */
@Tag("modes")
final class CollectionsFullTest {
    private static final int COUNT = 5000;
    private static final int REMOVED = 1000;

    /** Kinds of collections: how one is filled, and how an entry is removed. */
    enum Kind {
        MAP {
            @Override
            ChunkMap<Long, byte[]> open(Store store) {
                return store.map("it", Codecs.LONG, Codecs.BYTES);
            }

            @Override
            void add(Store store, long number) {
                assertTrue(open(store).set(number, value(number)));
            }

            @Override
            void remove(Store store, long number) {
                assertTrue(open(store).delete(number));
            }

            @Override
            void clear(Store store) {
                open(store).clear();
            }
        },
        SET {
            @Override
            ChunkSet<String> open(Store store) {
                return store.set("it", Codecs.STRING);
            }

            @Override
            void add(Store store, long number) {
                assertTrue(open(store).add(word(number)));
            }

            @Override
            void remove(Store store, long number) {
                assertTrue(open(store).remove(word(number)));
            }

            @Override
            void clear(Store store) {
                open(store).clear();
            }
        },
        SORTED_MAP {
            @Override
            ChunkSortedMap<String, byte[]> open(Store store) {
                return store.sortedMap("it", Codecs.STRING, Codecs.BYTES);
            }

            @Override
            void add(Store store, long number) {
                assertTrue(open(store).set(word(number), value(number)));
            }

            @Override
            void remove(Store store, long number) {
                assertTrue(open(store).delete(word(number)));
            }

            @Override
            void clear(Store store) {
                open(store).clear();
            }
        },
        LIST_OF_NUMBERS {
            @Override
            ChunkList<Long> open(Store store) {
                return store.list("it", Codecs.LONG);
            }

            @Override
            void add(Store store, long number) {
                assertTrue(open(store).add(number));
            }

            @Override
            void remove(Store store, long number) {
                open(store).remove(number % 2 == 0 ? open(store).size() - 1 : (int) number);
            }

            @Override
            void clear(Store store) {
                open(store).clear();
            }
        },
        LIST {
            @Override
            ChunkList<byte[]> open(Store store) {
                return store.list("it", Codecs.BYTES);
            }

            @Override
            void add(Store store, long number) {
                assertTrue(open(store).add(value(number)));
            }

            @Override
            void remove(Store store, long number) {
                open(store).remove(open(store).size() - 1);
            }

            @Override
            void clear(Store store) {
                open(store).clear();
            }
        },
        QUEUE {
            @Override
            ChunkQueue<byte[]> open(Store store) {
                return store.queue("it", Codecs.BYTES);
            }

            @Override
            void add(Store store, long number) {
                assertTrue(open(store).add(value(number)));
            }

            @Override
            void remove(Store store, long number) {
                assertEquals(value(number).length, open(store).remove().length);
            }

            @Override
            void clear(Store store) {
                open(store).clear();
            }
        };

        abstract ChunkCollection open(Store store);

        abstract void add(Store store, long number);

        abstract void remove(Store store, long number);

        abstract void clear(Store store);

        private static String word(long number) {
            return "number " + number + ".".repeat(new SplittableRandom(number).nextInt(60));
        }

        /** Some values become overflow values. */
        private static byte[] value(long number) {
            return new byte[number % 100 == 99 ? 2000 : new SplittableRandom(number).nextInt(60)];
        }
    }

    /** An insertion in the middle of a list that finds no memory has no effect; a removal needs none. */
    @Test
    void insertionIntoAListThatFindsNoMemory_hasDoneNothing() {
        int done = 0;
        for (int granted = 0; done < 1; granted++) {
            try (Store store = Store.open(Stores.small().memoryLimitBytes(64 << 20)
                .debugLevel(DebugLevel.CANARIES).build())) {
                ChunkList<byte[]> list = store.list("it", Codecs.BYTES);
                List<Integer> model = new ArrayList<>();
                for (int i = 0; i < 5 * ChunkList.SEGMENT - 7; i++) {
                    model.add(i % ChunkList.SEGMENT == 0 ? i == ChunkList.SEGMENT ? 2000 : 400 : i % 3);
                    list.add(new byte[model.getLast()]);
                }
                assertEquals(1, with(store, 0, () -> list.remove(5), () -> model.remove(5)));
                check(list, model, granted);
                done += with(store, granted, () -> list.add(9, new byte[800]), () -> model.add(9, 800));
                check(list, model, granted);
                while (!model.isEmpty()) {
                    list.remove(0);
                    model.removeFirst();
                }
                check(list, model, granted);
                store.audit();
            }
            assertTrue(granted < 100, "never enough memory");
        }
    }

    /** The segments of a list are split, joined and emptied in any order, all without memory but for the splits. */
    @Test
    void removalsInTheMiddleOfAList_needNoMemory() {
        SplittableRandom random = Seed.random(Seed.first());
        try (Store store = Store.open(Stores.small().memoryLimitBytes(64 << 20)
            .debugLevel(DebugLevel.CANARIES).build())) {
            ChunkList<byte[]> list = store.list("it", Codecs.BYTES);
            List<Integer> model = new ArrayList<>();
            for (int i = 0; i < 2000; i++) {
                int index = random.nextInt(model.size() + 1);
                model.add(index, i % 100 == 99 ? 2000 : i % 60);
                list.add(index, new byte[model.get(index)]);
            }
            Stores.space(store).heap.refuseWhen(() -> true);
            while (!model.isEmpty()) {
                int index = random.nextInt(Math.min(model.size(), 1 + random.nextInt(model.size())));
                assertEquals(model.remove(index), list.remove(index).length);
                if (model.size() % 100 == 0) {
                    check(list, model, 0);
                }
            }
            Stores.space(store).heap.refuseWhen(() -> false);
            list.audit();
            list.add(new byte[1]);
            list.clear();
            list.audit();
            store.audit();
        }
    }

    /**
     * Runs an action with a number of requests granted; returns 1 and applies it to the model if it succeeded, else 0.
     */
    private static int with(Store store, int granted, Runnable action, Runnable onModel) {
        int[] left = {granted};
        Stores.space(store).heap.refuseWhen(() -> left[0]-- <= 0);
        try {
            action.run();
            onModel.run();
            return 1;
        } catch (StoreException e) {
            assertEquals(StoreException.Category.DEGRADED, e.category());
            return 0;
        } finally {
            Stores.space(store).heap.refuseWhen(() -> false);
        }
    }

    private static void check(ChunkList<byte[]> list, List<Integer> model, int granted) {
        assertEquals(model, list.stream().map(bytes -> bytes.length).toList(), "granted: " + granted);
        list.audit();
    }

    @ParameterizedTest
    @EnumSource
    void removingNeedsNoMemory(Kind kind) {
        try (Store store = Store.open(Stores.small().memoryLimitBytes(64 << 20)
            .debugLevel(DebugLevel.CANARIES).build())) {
            ChunkCollection it = kind.open(store);
            long empty = store.stats().chunks();
            for (int round = 0; round < 2; round++) {
                for (long number = 0; number < COUNT; number++) {
                    kind.add(store, number);
                }
                Stores.space(store).heap.refuseWhen(() -> true);
                for (long number = 0; number < REMOVED; number++) {
                    kind.remove(store, number);
                }
                assertEquals(COUNT - REMOVED, it.longSize());
                it.audit();
                kind.clear(store);
                assertEquals(0, it.longSize());
                it.audit();
                store.audit();
                Stores.space(store).heap.refuseWhen(() -> false);
            }
            for (long number = 0; number < COUNT; number++) {
                kind.add(store, number);
            }
            it.audit();
            Stores.space(store).heap.refuseWhen(() -> true);
            assertTrue(store.names().drop("it"));
            assertFalse(store.names().get("it").isPresent());
            assertTrue(store.stats().chunks() < empty, "chunks stay: " + store.stats().chunks() + " of " + empty);
            store.audit();
        }
    }
}
