package io.teff.engine.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.Store;
import io.teff.engine.Stores;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.ChunkMap;
import io.teff.test.kit.Form;
import io.teff.test.kit.Seed;
import io.teff.test.kit.Threads;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Goal: whatever writers do, an index shows what is in the map, and each entry that stays as it is exactly once.
 *
 * <p>Method: each writer changes keys of its own, and keeps a model of these; their fields meet in the indexes, which
 * are built and dropped meanwhile. Readers check every entry that an index shows. At the end, the index recomputed from
 * the models is compared with the index.
 */
final class IndexModelTest {
    private static final int WRITERS = 3;
    private static final int STEPS = Form.size(6000, 40_000, 40_000);
    private static final int KEYS = 300;
    private static final int GROUPS = 40;
    private static final int STABLE = 50;
    /** The group of the entries that no thread changes. */
    private static final int STABLE_GROUP = 17;

    /** A value: a group, and a name that is unique. */
    private record Item(int group, String name, long key) {
        static final Field<Item, Integer> GROUP = Field.of(Item.class, "group", int.class);
        static final Field<Item, String> NAME = Field.of(Item.class, "name", String.class);
    }

    private final Store store = Stores.open(256);
    private final ChunkMap<Long, Item> map = store.map("items", Codecs.LONG, Codecs.of(Item.class));
    private final IndexedMap<Long, Item> items = IndexedMap.of(map);

    @Test
    void indexes_underWriters_equalTheModels() throws InterruptedException {
        long seed = Seed.first();
        for (long key = -STABLE; key < 0; key++) {
            map.put(key, new Item(STABLE_GROUP, "stable " + key, key));
        }
        items.uniqueIndex("by name", Item.NAME);
        AtomicBoolean isDone = new AtomicBoolean();
        Threads.Running builder = Threads.start("builder", _ -> {
            for (boolean isLast = false; !isLast; ) {
                isLast = isDone.get();
                items.index("by group", Item.GROUP, Item.NAME);
                items.audit();
                assertEquals(1, items.indexes().stream().filter(it -> it.name().equals("by group")).count());
                if (!isLast) {
                    items.dropIndex("by group");
                }
            }
        });
        Threads.Running reader = Threads.start("reader", _ -> {
            SplittableRandom random = Seed.random(seed - 1);
            while (!isDone.get()) {
                read(random);
            }
        });
        List<Map<Long, Item>> models = List.of(new TreeMap<>(), new TreeMap<>(), new TreeMap<>());
        try {
            Threads.runAll(WRITERS, number -> write(number, models.get(number), Seed.random(seed + number)));
        } catch (AssertionError e) {
            throw new AssertionError(Seed.reproduce(getClass(), seed), e);
        } finally {
            isDone.set(true);
            builder.end();
            reader.end();
        }
        Map<Long, Item> all = new TreeMap<>();
        models.forEach(all::putAll);
        all.forEach((key, item) -> assertEquals(item, map.get(key)));
        for (int group = 0; group < GROUPS; group++) {
            int wanted = group;
            List<Item> expected = map.values().stream().filter(item -> item.group() == wanted)
                .sorted((one, other) -> one.name().compareTo(other.name())).toList();
            Query<Long, Item> query = items.where(Item.GROUP.equalTo(group)).orderedBy(Item.NAME);
            assertTrue(query.explain().startsWith("index 'by group'"), query.explain());
            assertEquals(expected, query.toList());
        }
        assertEquals(all.size() + STABLE, map.size());
        items.audit();
        store.audit();
        store.close();
    }

    private void write(int number, Map<Long, Item> model, SplittableRandom random) {
        for (int step = 0; step < STEPS; step++) {
            long key = (long) number * KEYS + random.nextInt(KEYS);
            String name = "name " + (random.nextInt(8) == 0 ? random.nextInt(WRITERS * KEYS) : key);
            Item item = new Item(random.nextInt(GROUPS), name, key);
            try {
                switch (random.nextInt(6)) {
                    case 0 -> {
                        map.remove(key);
                        model.remove(key);
                    }
                    case 1 -> {
                        map.computeIfPresent(key, (_, before) -> new Item(item.group(), before.name(), key));
                        model.computeIfPresent(key, (_, before) -> new Item(item.group(), before.name(), key));
                    }
                    case 2 -> {
                        map.merge(key, item, (_, _) -> item);
                        model.put(key, item);
                    }
                    default -> {
                        map.set(key, item);
                        model.put(key, item);
                    }
                }
            } catch (UniqueViolationException e) {
                assertEquals("by name", e.index());
                assertEquals("name = '" + name + "'", e.key());
                assertEquals(model.get(key), map.get(key));
            }
        }
    }

    /** Each shown entry is one of the asked group, and the stable ones are shown once. */
    private void read(SplittableRandom random) {
        int low = random.nextInt(GROUPS);
        Set<Long> stable = new HashSet<>();
        try {
            items.where(Item.GROUP.between(low, low + 5)).entries().forEach(entry -> {
                Item item = entry.getValue();
                assertTrue(item.group() >= low && item.group() <= low + 5, item::toString);
                assertEquals(entry.getKey(), item.key());
                assertFalse(entry.getKey() < 0 && !stable.add(entry.getKey()), () -> "twice: " + item);
            });
            assertEquals(low <= STABLE_GROUP && STABLE_GROUP <= low + 5 ? STABLE : 0, stable.size());
        } catch (IllegalStateException e) {
            assertTrue(String.valueOf(e.getMessage()).contains("dropped"), e.toString());
        }
        String name = "name " + random.nextInt(WRITERS * KEYS);
        List<Item> found = items.where(Item.NAME.equalTo(name)).toList();
        assertTrue(found.size() <= 1 && found.stream().allMatch(item -> item.name().equals(name)), found::toString);
    }

    /** Of all threads that put an entry with one name, one succeeds. */
    @Test
    void uniqueIndex_underConcurrency_acceptsOne() throws InterruptedException {
        items.uniqueIndex("by name", Item.NAME);
        for (int round = 0; round < STEPS / 40; round++) {
            int now = round;
            AtomicInteger accepted = new AtomicInteger();
            Threads.runAll(WRITERS, number -> {
                long key = (long) now * WRITERS + number;
                try {
                    map.put(key, new Item(number, "name " + now, key));
                    accepted.incrementAndGet();
                } catch (UniqueViolationException e) {
                    assertFalse(map.containsKey(key));
                }
            });
            assertEquals(1, accepted.get());
            assertEquals(1, items.where(Item.NAME.equalTo("name " + round)).toList().size());
        }
        assertEquals(STEPS / 40, map.size());
        items.audit();
        store.close();
    }
}
