package io.teff.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.ChunkMap;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.error.StoreException;
import io.teff.engine.journal.JournaledStores;
import io.teff.engine.query.Field;
import io.teff.engine.query.IndexedMap;
import io.teff.engine.query.UniqueViolationException;
import io.teff.test.kit.Form;
import io.teff.test.kit.Seed;
import io.teff.test.kit.Threads;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Goal: whatever the last record of a journal is, each index that is whole equals its map; an index that was being
 * built or dropped is gone.
 *
 * <p>Method: random changes of a map with indexes, and of its indexes, with a {@link RecordingJournal}. Then a store is
 * restored from prefixes of the records, and its indexes are compared with the map. A durable store never repairs an
 * index when it is opened: one that differs is reported.
 */
final class IndexJournalTest {
    private static final int OPERATIONS = Form.size(160, 600, 600);
    private static final int KEYS = 300;
    private static final int FIRST_ENTRIES = 250;
    private static final int THREADS = 4;
    private static final int OPERATIONS_OF_THREAD = Form.size(500, 3000, 3000);
    private static final int IMAGES = Form.size(20, 150, 150);
    private static final int STEP = Form.size(3, 1, 1);

    /** A value: sometimes of many bytes, so that its entry is in a chunk of its own. */
    private record Item(int group, String name, byte[] rest) {
        static final Field<Item, Integer> GROUP = Field.of(Item.class, "group", int.class);
        static final Field<Item, String> NAME = Field.of(Item.class, "name", String.class);
    }

    private final RecordingJournal journal = new RecordingJournal();

    private static StoreConfig config() {
        return Stores.small().memoryLimitBytes(128 << 20).build();
    }

    private static ChunkMap<Integer, Item> open(Store store) {
        return store.map("items", Codecs.INT, Codecs.of(Item.class));
    }

    /** Declares an index that is there before an index that is built: another order is refused. */
    private static IndexedMap<Integer, Item> declare(ChunkMap<Integer, Item> map) {
        if (IndexedMap.of(map).indexes().stream().noneMatch(it -> it.name().equals("by group"))) {
            IndexedMap.of(map).uniqueIndex("by name", Item.NAME);
        }
        return IndexedMap.of(map).index("by group", Item.GROUP).uniqueIndex("by name", Item.NAME);
    }

    private static void change(ChunkMap<Integer, Item> map, int key, SplittableRandom random) {
        Item item = new Item(random.nextInt(50), "a name of some length " + random.nextInt(KEYS * 3),
            new byte[random.nextInt(7) == 0 ? 900 : random.nextInt(40)]);
        try {
            switch (random.nextInt(6)) {
                case 0 -> map.remove(key);
                case 1 -> map.computeIfPresent(key, (_, before) -> new Item(item.group(), before.name(), item.rest()));
                default -> map.put(key, item);
            }
        } catch (UniqueViolationException e) {
            assertEquals("by name", e.index());
        }
    }

    private static void fill(ChunkMap<Integer, Item> map) {
        for (int i = 0; i < FIRST_ENTRIES; i++) {
            map.put(i, new Item(i % 50, "first " + i, new byte[i % 30]));
        }
    }

    private static String shown(Map<Integer, Item> map) {
        StringBuilder text = new StringBuilder();
        new TreeMap<>(map).forEach((key, item) -> text.append(key).append('=').append(item.group()).append(item.name())
            .append(item.rest().length).append(' '));
        return text.toString();
    }

    /** Restores a prefix of the records; returns its content if all indexes are equal to the map. */
    private String checked(int count) {
        try (Store restored = journal.restore(count, config(), new RecordingJournal())) {
            ChunkMap<Integer, Item> map = open(restored);
            String shown = shown(map);
            declare(map).audit();
            change(map, 1, Seed.random(count));
            IndexedMap.of(map).audit();
            map.audit();
            restored.audit();
            return shown;
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError("after " + count + " of " + journal.size() + " records", e);
        }
    }

    @Test
    void anyPrefixOfRecords_hasEqualIndexes() {
        SplittableRandom random = Seed.random(Seed.first());
        List<String> shown = new ArrayList<>();
        List<Integer> sizes = new ArrayList<>();
        try (Store store = JournaledStores.open(Store.class, config(), journal, restorer -> { })) {
            ChunkMap<Integer, Item> map = open(store);
            fill(map);
            declare(map);
            for (int i = 0; i < OPERATIONS; i++) {
                shown.add(shown(map));
                sizes.add(journal.size());
                change(map, random.nextInt(KEYS), random);
            }
            shown.add(shown(map));
            sizes.add(journal.size());
        }
        for (int count = sizes.getFirst(), next = 1; count <= journal.size(); count += STEP) {
            while (next < sizes.size() - 1 && sizes.get(next) < count) {
                next++;
            }
            String now = checked(count);
            assertTrue(now.equals(shown.get(next - 1)) || now.equals(shown.get(next)), () -> now);
        }
        assertTrue(journal.groups.get() > 0, "no group");
    }

    @Test
    void anyPrefixOfBuildingAndDropping_hasWholeIndexesOrNone() {
        int first;
        try (Store store = JournaledStores.open(Store.class, config(), journal, restorer -> { })) {
            ChunkMap<Integer, Item> map = open(store);
            fill(map);
            first = journal.size();
            declare(map);
            assertTrue(IndexedMap.of(map).dropIndex("by group"));
            map.put(FIRST_ENTRIES, new Item(1, "last", new byte[1]));
            assertTrue(IndexedMap.of(map).dropIndex("by name"));
        }
        for (int count = first; count <= journal.size(); count += STEP * 5) {
            checked(count);
        }
        checked(journal.size());
    }

    @Test
    void anyPrefixOfDroppingTheMap_hasWholeIndexesOrNone() {
        int first;
        try (Store store = JournaledStores.open(Store.class, config(), journal, restorer -> { })) {
            ChunkMap<Integer, Item> map = open(store);
            fill(map);
            declare(map);
            first = journal.size();
            assertTrue(store.names().drop("items"));
            assertTrue(store.names().all().isEmpty());
        }
        for (int count = first; count <= journal.size(); count += STEP * 5) {
            checked(count);
        }
        assertEquals("", checked(journal.size()));
    }

    @Test
    void changesOfManyThreads_leaveEqualIndexes() throws InterruptedException {
        long seed = Seed.first();
        String last;
        int first;
        try (Store store = JournaledStores.open(Store.class, config(), journal, restorer -> { })) {
            ChunkMap<Integer, Item> map = open(store);
            IndexedMap<Integer, Item> items = declare(map);
            first = journal.size();
            Threads.runAll(THREADS, number -> {
                SplittableRandom random = Seed.random(seed + number);
                for (int i = 0; i < OPERATIONS_OF_THREAD; i++) {
                    change(map, random.nextInt(KEYS), random);
                }
            });
            items.audit();
            last = shown(map);
        }
        SplittableRandom random = Seed.random(seed);
        for (int image = 0; image < IMAGES; image++) {
            checked(random.nextInt(first, journal.size()));
        }
        assertEquals(last, checked(journal.size()));
    }

    /** While the group of a change is not recorded yet, another change of the same tree node waits. */
    @Test
    void changeBesideAnUnrecordedGroup_waits() throws InterruptedException {
        int first;
        try (Store store = JournaledStores.open(Store.class, config(), journal, restorer -> { })) {
            ChunkMap<Integer, Item> map = open(store);
            declare(map);
            fill(map);
            first = journal.size();
            Thread other = Thread.ofPlatform().unstarted(() -> map.put(2001, new Item(7, "second", new byte[9])));
            journal.atRoom.set(() -> {
                other.start();
                Threads.await("the other writer waits", () -> other.getState() == Thread.State.WAITING
                    || other.getState() == Thread.State.TERMINATED);
            });
            map.put(2000, new Item(7, "first", new byte[9]));
            other.join();
        }
        for (int count = first; count <= journal.size(); count++) {
            checked(count);
        }
    }

    /** A change that the journal refuses at its begin has changed neither the map nor an index. */
    @Test
    void refusedChange_changesNothing() {
        try (Store store = JournaledStores.open(Store.class, config(), journal, restorer -> { })) {
            ChunkMap<Integer, Item> map = open(store);
            IndexedMap<Integer, Item> items = declare(map);
            fill(map);
            String before = shown(map);
            for (int allowed = 0; allowed < 3; allowed++) {
                journal.beginsLeft.set(allowed);
                try {
                    map.put(1000, new Item(3, "new", new byte[800]));
                    journal.beginsLeft.set(Integer.MAX_VALUE);
                    map.remove(1000);
                } catch (StoreException e) {
                    assertEquals(StoreException.Category.DEGRADED, e.category());
                }
                journal.beginsLeft.set(Integer.MAX_VALUE);
                assertEquals(before, shown(map));
                items.audit();
            }
        }
    }

    /** Without memory for a change, neither the map nor an index has changed. */
    @Test
    void fullStore_changesNothing() {
        try (Store store = JournaledStores.open(Store.class, Stores.small().memoryLimitBytes(8 << 20).build(), journal,
            restorer -> { })) {
            ChunkMap<Integer, Item> map = open(store);
            IndexedMap<Integer, Item> items = declare(map);
            StoreException full = assertThrows(StoreException.class, () -> {
                for (int i = 0; true; i++) {
                    map.put(i, new Item(i, "name " + i, new byte[i % 3 == 0 ? 600 : 30]));
                }
            });
            assertEquals(StoreException.Category.DEGRADED, full.category());
            items.audit();
            map.remove(1);
            items.audit();
            map.clear();
            items.audit();
            store.audit();
        }
    }
}
