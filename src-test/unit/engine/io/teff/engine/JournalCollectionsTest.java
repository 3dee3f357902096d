package io.teff.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.ChunkCollection;
import io.teff.engine.collect.ChunkList;
import io.teff.engine.collect.ChunkMap;
import io.teff.engine.collect.ChunkQueue;
import io.teff.engine.collect.ChunkSet;
import io.teff.engine.collect.ChunkSortedMap;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.error.StoreException;
import io.teff.engine.journal.JournaledStores;
import io.teff.engine.storage.WriterLocks;
import io.teff.test.kit.Content;
import io.teff.test.kit.Form;
import io.teff.test.kit.Seed;
import io.teff.test.kit.Threads;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Goal: whatever the last record of a journal is, each collection is consistent, and shows its content before or after
 * an operation, never a state in between.
 *
 * <p>Method: random operations with a {@link RecordingJournal}; then a store is restored from each prefix of the
 * records, and its collections are audited and compared with their content after each operation. Values of 1,000 bytes
 * are overflow values. With several threads only the audits decide.
 */
final class JournalCollectionsTest {
    private static final int OPERATIONS = 400;
    private static final int KEYS = 70;
    private static final int THREADS = 4;
    private static final int OPERATIONS_OF_THREAD = Form.size(1200, 3000, 3000);
    private static final int IMAGES = Form.size(25, 150, 150);
    private static final int FAILURES = Form.size(12, 60, 60);
    /** Records between two restores of a collection that is being cleared or dropped. */
    private static final int RECORDS_BETWEEN = Form.size(25, 5, 5);
    /** Records at the end after each of which the collection is restored. */
    private static final int LAST_RECORDS = Form.size(12, 60, 60);
    /** Changes that have room, between two drops without more. */
    private static final int ROOM_STEP = Form.size(67, 11, 1);
    private static final int ADDITIONS = Form.size(120, 400, 400);
    private static final int PREFIX_OPERATIONS = Form.size(200, 400, 400);
    /** Root and buckets of the directory of names. */
    private static final int DIRECTORY_CHUNKS = 1 + WriterLocks.COUNT;

    private final RecordingJournal journal = new RecordingJournal();

    private static StoreConfig config() {
        return Stores.small().memoryLimitBytes(128 << 20).build();
    }

    private static byte[] value(SplittableRandom random) {
        return Content.of(random.nextInt(6) == 0 ? 1000 : random.nextInt(60), random.nextInt(1000));
    }

    /** Kinds of collections: how they are opened, changed and shown. */
    @SuppressWarnings("unchecked")                           // each kind gets the collection that it has opened
    enum Kind {
        MAP {
            @Override
            ChunkCollection open(Store store) {
                return store.map("it", Codecs.STRING, Codecs.BYTES);
            }

            @Override
            void change(ChunkCollection collection, SplittableRandom random) {
                changeMap((ChunkMap<String, byte[]>) collection, random);
            }
        },
        LONG_MAP {
            @Override
            ChunkCollection open(Store store) {
                return store.longMap("it", Codecs.BYTES);
            }

            @Override
            void change(ChunkCollection collection, SplittableRandom random) {
                ChunkMap<Long, byte[]> map = (ChunkMap<Long, byte[]>) collection;
                long key = random.nextInt(KEYS * 5);
                switch (random.nextInt(4)) {
                    case 0, 1 -> map.put(key, value(random));
                    case 2 -> map.remove(key);
                    default -> map.update(key, editor -> {
                        if (editor.length() > 0) {
                            editor.putByte(editor.length() - 1, (byte) 9);
                        }
                    });
                }
            }
        },
        SORTED_MAP {
            @Override
            ChunkCollection open(Store store) {
                return store.sortedMap("it", Codecs.STRING, Codecs.BYTES);
            }

            @Override
            void change(ChunkCollection collection, SplittableRandom random) {
                changeMap((ChunkSortedMap<String, byte[]>) collection, random);
            }
        },
        SET {
            @Override
            ChunkCollection open(Store store) {
                return store.set("it", Codecs.STRING);
            }

            @Override
            void change(ChunkCollection collection, SplittableRandom random) {
                ChunkSet<String> set = (ChunkSet<String>) collection;
                if (random.nextInt(3) > 0) {
                    set.add(key(random));
                } else {
                    set.remove(key(random));
                }
            }
        },
        LIST {
            @Override
            ChunkCollection open(Store store) {
                return store.list("it", Codecs.BYTES);
            }

            @Override
            void change(ChunkCollection collection, SplittableRandom random) {
                changeList((ChunkList<byte[]>) collection, random);
            }
        },
        QUEUE {
            @Override
            ChunkCollection open(Store store) {
                return store.queue("it", Codecs.BYTES);
            }

            @Override
            void change(ChunkCollection collection, SplittableRandom random) {
                ChunkQueue<byte[]> queue = (ChunkQueue<byte[]>) collection;
                switch (random.nextInt(8)) {
                    case 0, 1, 2, 3, 4 -> queue.add(value(random));
                    case 5, 6 -> queue.poll();
                    default -> {
                        var walk = queue.iterator();
                        for (int i = random.nextInt(20); i > 0 && walk.hasNext(); i--) {
                            walk.next();
                            if (i == 1) {
                                walk.remove();
                            }
                        }
                    }
                }
            }
        };

        abstract ChunkCollection open(Store store);

        abstract void change(ChunkCollection collection, SplittableRandom random);

        private static String key(SplittableRandom random) {
            return "a key of some length " + random.nextInt(KEYS * 4);
        }

        private static void changeMap(ConcurrentMap<String, byte[]> map, SplittableRandom random) {
            String key = key(random);
            switch (random.nextInt(8)) {
                case 0, 1, 2, 3 -> map.put(key, value(random));
                case 4, 5 -> map.remove(key);
                case 6 -> map.merge(key, new byte[] {1}, (_, _) -> Content.of(random.nextInt(800), 3));
                default -> map.computeIfPresent(key, (_, before) -> before.length > 20 ? null : new byte[700]);
            }
        }

        private static void changeList(ChunkList<byte[]> list, SplittableRandom random) {
            int size = list.size();
            switch (random.nextInt(8)) {
                case 0, 1, 2, 3 -> list.add(value(random));
                case 4 -> list.add(random.nextInt(size + 1), value(random));
                case 5 -> list.add(new byte[5]);
                case 6 -> {
                    if (size > 0) {
                        list.set(random.nextInt(size), value(random));
                    }
                }
                default -> {
                    if (size > 0) {
                        list.remove(random.nextInt(size));
                    }
                }
            }
        }
    }

    /** Returns the content of a collection in a comparable form. */
    private static String shown(ChunkCollection collection) {
        StringBuilder text = new StringBuilder();
        if (collection instanceof Map<?, ?> map) {
            new TreeMap<>(map).forEach((key, value) -> text.append(key).append('=').append(text(value)).append(' '));
        } else {
            List<String> elements = new ArrayList<>();
            for (Object element : (Iterable<?>) collection) {
                elements.add(text(element));
            }
            if (collection instanceof ChunkSet<?>) {
                elements.sort(null);
            }
            text.append(elements);
        }
        return text.toString();
    }

    private static String text(Object element) {
        return element instanceof byte[] bytes
            ? bytes.length + ":" + Integer.toHexString(java.util.Arrays.hashCode(bytes)) : element.toString();
    }

    @ParameterizedTest
    @EnumSource
    void anyPrefixOfRecords_isBeforeOrAfterAnOperation(Kind kind) {
        long seed = Seed.first();
        SplittableRandom random = Seed.random(seed);
        List<String> shown = new ArrayList<>();
        List<Integer> sizes = new ArrayList<>();
        try (Store store = JournaledStores.open(Store.class, config(), journal, restorer -> { })) {
            ChunkCollection collection = kind.open(store);
            for (int i = 0; i < PREFIX_OPERATIONS; i++) {
                shown.add(shown(collection));
                sizes.add(journal.size());
                kind.change(collection, random);
            }
            shown.add(shown(collection));
            sizes.add(journal.size());
        }
        for (int count = sizes.getFirst(), next = 1; count <= journal.size(); count++) {
            while (next < sizes.size() - 1 && sizes.get(next) < count) {
                next++;
            }
            try (Store restored = journal.restore(count, config(), new RecordingJournal())) {
                ChunkCollection collection = kind.open(restored);
                collection.audit();
                String now = shown(collection);
                assertTrue(now.equals(shown.get(next - 1)) || now.equals(shown.get(next)),
                    now + "\nis neither\n" + shown.get(next - 1) + "\nnor\n" + shown.get(next));
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("after " + count + " of " + journal.size() + " records, operation " + next
                    + "; " + Seed.reproduce(getClass(), seed), e);
            }
        }
        assertTrue(journal.groups.get() > 0, "no group");
    }

    /** The journal fails when a change is made: memory may contain the change or not, and reads go on. */
    @ParameterizedTest
    @EnumSource
    void failingJournal_leavesAWholeCollectionInMemory(Kind kind) {
        int failed = 0;
        for (long seed = Seed.first(); failed < FAILURES; seed++) {
            RecordingJournal failing = new RecordingJournal();
            SplittableRandom random = Seed.random(seed);
            try (Store store = JournaledStores.open(Store.class, config(), failing, restorer -> { });
                 Store twin = JournaledStores.open(Store.class, config(), new RecordingJournal(), restorer -> { })) {
                ChunkCollection collection = kind.open(store);
                ChunkCollection other = kind.open(twin);
                for (int i = random.nextInt(KEYS); i > 0; i--) {
                    change(kind, collection, other, random);
                }
                String before = shown(collection);
                failing.atRoom.set(() -> failing.failAfter(0));
                try {
                    change(kind, collection, other, random);
                } catch (StoreException e) {
                    assertEquals(StoreException.Category.FATAL, e.category());
                    failed++;
                }
                collection.audit();
                store.audit();
                String now = shown(collection);
                assertTrue(now.equals(before) || now.equals(shown(other)), now + "\nis neither\n" + before);
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError(Seed.reproduce(getClass(), seed), e);
            }
        }
    }

    /** The wait for the device is refused after the change was made: the change is present and journaled. */
    @ParameterizedTest
    @EnumSource
    void changeWhoseWaitIsRefused_isPresentAndJournaled(Kind kind) {
        long seed = Seed.first();
        SplittableRandom random = Seed.random(seed);
        int refused = 0;
        try (Store store = JournaledStores.open(Store.class, config(), journal, restorer -> { });
             Store twin = JournaledStores.open(Store.class, config(), new RecordingJournal(), restorer -> { })) {
            ChunkCollection collection = kind.open(store);
            ChunkCollection other = kind.open(twin);
            for (int i = 0; i < OPERATIONS; i++) {
                journal.donesLeft.set(random.nextInt(2));
                try {
                    change(kind, collection, other, random);
                } catch (StoreException e) {
                    assertEquals(StoreException.Category.DEGRADED, e.category());
                    refused++;
                }
                journal.donesLeft.set(Integer.MAX_VALUE);
                collection.audit();
                assertEquals(shown(other), shown(collection));
            }
            store.audit();
            try (Store restored = journal.restore(journal.size(), config(), new RecordingJournal())) {
                ChunkCollection kept = kind.open(restored);
                kept.audit();
                assertEquals(shown(collection), shown(kept));
            }
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError(Seed.reproduce(getClass(), seed), e);
        }
        assertTrue(refused > OPERATIONS / 10, "refused " + refused);
    }

    /** Like the previous test for opening a collection, any step of which may be refused. */
    @ParameterizedTest
    @EnumSource
    void openingThatIsRefusedWhenItIsMade_leavesAWholeCollectionOrNone(Kind kind) {
        boolean isOpen = false;
        for (int allowed = 0; !isOpen; allowed++) {
            RecordingJournal own = new RecordingJournal();
            try (Store store = JournaledStores.open(Store.class, config(), own, restorer -> { })) {
                own.donesLeft.set(allowed);
                try {
                    kind.open(store);
                    isOpen = true;
                } catch (StoreException e) {
                    assertEquals(StoreException.Category.DEGRADED, e.category());
                }
                own.donesLeft.set(Integer.MAX_VALUE);
                SplittableRandom random = Seed.random(allowed);
                ChunkCollection collection = kind.open(store);
                for (int i = 0; i < KEYS; i++) {
                    kind.change(collection, random);
                }
                collection.audit();
                try (Store restored = own.restore(own.size(), config(), new RecordingJournal())) {
                    ChunkCollection kept = kind.open(restored);
                    kept.audit();
                    assertEquals(shown(collection), shown(kept));
                }
                assertTrue(store.names().drop("it"));
                assertTrue(store.names().all().isEmpty());
            }
        }
    }

    /** Changes a collection and a twin in the same way. */
    private static void change(Kind kind, ChunkCollection collection, ChunkCollection twin, SplittableRandom random) {
        long seed = random.nextLong();
        kind.change(twin, Seed.random(seed));
        kind.change(collection, Seed.random(seed));
    }

    /** If the journal has no room, no operation has an effect. */
    @ParameterizedTest
    @EnumSource
    void refusedOperation_changesNothing(Kind kind) {
        long seed = Seed.first();
        SplittableRandom random = Seed.random(seed);
        int refused = 0;
        try (Store store = JournaledStores.open(Store.class, config(), journal, restorer -> { })) {
            ChunkCollection collection = kind.open(store);
            for (int i = 0; i < OPERATIONS; i++) {
                String before = shown(collection);
                int records = journal.size();
                journal.beginsLeft.set(0);
                try {
                    kind.change(collection, random);
                } catch (StoreException e) {
                    assertEquals(StoreException.Category.DEGRADED, e.category());
                    refused++;
                }
                assertEquals(before, shown(collection));
                assertEquals(records, journal.size());
                journal.beginsLeft.set(Integer.MAX_VALUE);
                kind.change(collection, random);
            }
            collection.audit();
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError(Seed.reproduce(getClass(), seed), e);
        }
        assertTrue(refused > OPERATIONS / 2, "refused " + refused);
    }

    @ParameterizedTest
    @EnumSource
    void changesOfManyThreads_leaveWholeCollections(Kind kind) throws InterruptedException {
        long seed = Seed.first();
        String last;
        try (Store store = JournaledStores.open(Store.class, config(), journal, restorer -> { })) {
            ChunkCollection collection = kind.open(store);
            AtomicBoolean done = new AtomicBoolean();
            Threads.Running defragmenter = Threads.start("defragmenter", _ -> {
                while (!done.get()) {
                    store.defragment();
                }
            });
            try {
                Threads.runAll(THREADS, number -> {
                    SplittableRandom random = Seed.random(seed + number);
                    for (int i = 0; i < OPERATIONS_OF_THREAD; i++) {
                        try {
                            kind.change(collection, random);
                        } catch (IndexOutOfBoundsException e) {
                            assertEquals(Kind.LIST, kind, e.toString()); // another thread has shortened the list
                        }
                    }
                });
            } finally {
                done.set(true);
                defragmenter.end();
            }
            last = shown(collection);
        }
        SplittableRandom random = Seed.random(seed);
        for (int image = 0; image <= IMAGES; image++) {
            int count = image == IMAGES ? journal.size() : random.nextInt(10, journal.size());
            try (Store restored = journal.restore(count, config(), new RecordingJournal())) {
                ChunkCollection collection = kind.open(restored);
                collection.audit();
                if (image == IMAGES) {
                    assertEquals(last, shown(collection));
                }
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("after " + count + " of " + journal.size() + " records; "
                    + Seed.reproduce(getClass(), seed), e);
            }
        }
    }

    /** A take from a segment to which another thread adds is journaled only after that add. */
    @Test
    void queueWhoseEndsMeet_isWholeWhateverWasKept() throws InterruptedException {
        try (Store store = JournaledStores.open(Store.class, config(), journal, restorer -> { })) {
            ChunkQueue<byte[]> queue = store.queue("it", Codecs.BYTES);
            queue.add(new byte[10]);
            int before = journal.size();
            Thread taker = Thread.ofPlatform().unstarted(queue::poll);
            journal.atRoom.set(() -> {
                taker.start();
                Threads.await("the taker waits",
                    () -> taker.getState() == Thread.State.WAITING || taker.getState() == Thread.State.TERMINATED);
            });
            queue.add(new byte[1000]);
            taker.join();
            for (int count = before; count <= journal.size(); count++) {
                try (Store restored = journal.restore(count, config(), new RecordingJournal())) {
                    ChunkCollection collection = Kind.QUEUE.open(restored);
                    collection.audit();
                    shown(collection);
                }
            }
        }
    }

    /** A change that builds on a node being split is not acknowledged before the split is journaled. */
    @ParameterizedTest
    @EnumSource(names = {"MAP", "SORTED_MAP"})
    void additionByAnotherThread_isKeptWhenAcknowledged(Kind kind) throws InterruptedException {
        try (Store store = JournaledStores.open(Store.class, config(), journal, restorer -> { })) {
            @SuppressWarnings("unchecked")
            ConcurrentMap<String, byte[]> map = (ConcurrentMap<String, byte[]>) kind.open(store);
            for (int i = 0; i < ADDITIONS; i++) {
                String key = "key " + (OPERATIONS + i);
                AtomicInteger acknowledged = new AtomicInteger();
                Thread other = Thread.ofPlatform().unstarted(() -> {
                    map.put(key + " other", new byte[40]);
                    acknowledged.set(journal.size());
                });
                journal.atRoom.set(() -> {
                    other.start();
                    Threads.await("the other thread waits",
                        () -> other.getState() == Thread.State.WAITING || other.getState() == Thread.State.TERMINATED);
                });
                map.put(key, new byte[60]);
                other.join();
                try (Store restored = journal.restore(acknowledged.get(), config(), new RecordingJournal())) {
                    ChunkCollection collection = kind.open(restored);
                    collection.audit();
                    assertTrue(((Map<?, ?>) collection).containsKey(key + " other"), key);
                }
            }
        }
    }

    /** Clearing and dropping consist of steps; after each step there is a consistent collection or none. */
    @ParameterizedTest
    @EnumSource
    void clearAndDrop_leaveWholeCollections(Kind kind) {
        SplittableRandom random = Seed.random(kind.ordinal());
        int before;
        int cleared;
        try (Store store = JournaledStores.open(Store.class, config(), journal, restorer -> { })) {
            ChunkCollection collection = kind.open(store);
            for (int i = 0; i < OPERATIONS * 2; i++) {
                kind.change(collection, random);
            }
            before = journal.size();
            if (collection instanceof Map<?, ?> map) {
                map.clear();
            } else {
                ((java.util.Collection<?>) collection).clear();
            }
            cleared = journal.size();
            for (int i = 0; i < OPERATIONS; i++) {
                kind.change(collection, random);
            }
            store.names().drop("it");
        }
        long chunksLeft = 0;
        int end = journal.size() - LAST_RECORDS;
        for (int count = before; count <= journal.size(); count += Math.clamp(end - count, 1, RECORDS_BETWEEN)) {
            try (Store restored = journal.restore(count, config(), new RecordingJournal())) {
                boolean isThere = restored.names().get("it").isPresent();
                assertTrue(isThere || count > cleared);
                ChunkCollection collection = kind.open(restored);
                collection.audit();
                if (count == cleared || count > cleared && !isThere) {
                    assertEquals("[]".length() * (collection instanceof Map ? 0 : 1), shown(collection).length());
                }
                if (!isThere) {
                    restored.names().drop("it");
                    chunksLeft = restored.stats().chunks();
                }
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("after " + count + " of " + journal.size() + " records", e);
            }
        }
        assertEquals(DIRECTORY_CHUNKS, chunksLeft, "what is left of a dropped collection");
    }

    /** If the journal has no room, a drop is either refused before it changes anything, or completes. */
    @ParameterizedTest
    @EnumSource
    void drop_whenThereIsNoRoom_isWholeOrRefused(Kind kind) {
        boolean isDropped = false;
        for (int allowed = 0; !isDropped; allowed += ROOM_STEP) {
            assertTrue(allowed < OPERATIONS, "it is refused however much room there is");
            RecordingJournal own = new RecordingJournal();
            try (Store store = JournaledStores.open(Store.class, config(), own, restorer -> { })) {
                SplittableRandom random = Seed.random(allowed);
                ChunkCollection collection = kind.open(store);
                for (int i = 0; i < OPERATIONS; i++) {
                    kind.change(collection, random);
                }
                own.beginsLeft.set(allowed);
                try {
                    isDropped = store.names().drop("it");
                } catch (StoreException e) {
                    assertEquals(StoreException.Category.DEGRADED, e.category());
                    collection.audit();
                }
                own.beginsLeft.set(Integer.MAX_VALUE);
                assertEquals(!isDropped, store.names().get("it").isPresent());
                assertEquals(!isDropped, store.names().drop("it"));
                try (Store restored = own.restore(own.size(), config(), new RecordingJournal())) {
                    assertTrue(restored.names().get("it").isEmpty());
                }
            }
        }
    }

    @Test
    void collectionsOfAllKinds_areThereAgain() {
        SplittableRandom random = Seed.random(1);
        List<String> shown = new ArrayList<>();
        try (Store store = JournaledStores.open(Store.class, config(), journal, restorer -> { })) {
            for (int i = 0; i < 3; i++) {
                ChunkList<byte[]> list = store.list("list " + i, Codecs.BYTES);
                ChunkMap<String, String> map = store.map("map " + i, Codecs.STRING, Codecs.STRING);
                for (int j = 0; j < 500; j++) {
                    list.add(value(random));
                    map.put("key " + j, "value " + i);
                }
                shown.add(shown(list));
                shown.add(shown(map));
            }
            store.names().drop("map 1");
        }
        try (Store store = journal.restore(journal.size(), config(), journal)) {
            assertEquals(5, store.names().all().size());
            assertEquals(shown.get(0), shown(store.list("list 0", Codecs.BYTES)));
            assertEquals(shown.get(5), shown(store.map("map 2", Codecs.STRING, Codecs.STRING)));
            assertEquals(0, store.map("map 1", Codecs.STRING, Codecs.STRING).size());
        }
    }
}
