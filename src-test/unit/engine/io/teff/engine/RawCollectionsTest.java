package io.teff.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.collect.ChunkCollection;
import io.teff.engine.collect.ChunkList;
import io.teff.engine.collect.ChunkQueue;
import io.teff.engine.collect.ChunkSortedMap;
import io.teff.engine.error.ZoneDroppedException;
import io.teff.engine.journal.Journal;
import io.teff.engine.journal.JournaledStores;
import io.teff.engine.raw.QueuePlaces;
import io.teff.engine.raw.RawCollection;
import io.teff.engine.raw.RawCollections;
import io.teff.engine.raw.RawStep;
import io.teff.engine.zone.ZoneFill;
import io.teff.engine.zone.Zones;
import io.teff.test.kit.Seed;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Queues, lists and sorted maps of a zone under one lock: what the journal gets of each change. */
class RawCollectionsTest {
    private static final int ZONE = 5;
    private static final int CHANGES = 1_500;
    private static final int RESTORES = 6;
    private static final int KEYS = 400;
    private static final int VALUE_BYTES_MAX = 900;

    /** Records whole chunks, as the ring of a peer does. */
    private final RecordingJournal journal = new RecordingJournal().takeWholeChunks();
    private final Store store = JournaledStores.open(Store.class, Stores.small().build(), journal, _ -> { });
    private final ChunkStore zone = Zones.of(store).add(ZONE);
    private final RawCollections collections = RawCollections.of(zone);

    @AfterEach
    void close() {
        store.audit();
        store.close();
    }

    /** A change that counts its calls, and the records of the journal at each call. */
    private final class Change implements RawStep {
        private final BooleanSupplier run;
        private int atChange = -1;
        private int recorded;

        Change(BooleanSupplier run) {
            this.run = run;
        }

        @Override
        public boolean mayAdd() {
            return true;
        }

        @Override
        public boolean run() {
            return run.getAsBoolean();
        }

        @Override
        public void changed() {
            atChange = journal.size();
        }

        @Override
        public void recorded() {
            recorded = journal.size();
        }
    }

    private static byte[] value(SplittableRandom random) {
        byte[] bytes = new byte[random.nextInt(8) == 0 ? random.nextInt(VALUE_BYTES_MAX) : random.nextInt(40)];
        random.nextBytes(bytes);
        return bytes;
    }

    @SuppressWarnings("unchecked")
    private static ChunkQueue<byte[]> queue(ChunkCollection content) {
        return (ChunkQueue<byte[]>) content;
    }

    @SuppressWarnings("unchecked")
    private static ChunkList<byte[]> list(ChunkCollection content) {
        return (ChunkList<byte[]>) content;
    }

    @SuppressWarnings("unchecked")
    private static ChunkSortedMap<String, byte[]> map(ChunkCollection content) {
        return (ChunkSortedMap<String, byte[]>) content;
    }

    private static List<String> shown(ChunkCollection content) {
        List<String> shown = new ArrayList<>();
        switch (content) {
            case ChunkSortedMap<?, ?> map -> map.forEach((key, value) -> shown.add(key + "="
                + Arrays.toString((byte[]) value)));
            case Iterable<?> elements -> elements.forEach(each -> shown.add(Arrays.toString((byte[]) each)));
            default -> throw new AssertionError(content);
        }
        return shown;
    }

    private static boolean step(ChunkCollection content, SplittableRandom random) {
        return switch (content) {
            case ChunkQueue<?> any -> step(queue(any), random);
            case ChunkList<?> any -> step(list(any), random);
            default -> step(map(content), random);
        };
    }

    private static boolean step(ChunkQueue<byte[]> queue, SplittableRandom random) {
        return switch (random.nextInt(5)) {
            case 0 -> queue.poll() != null;
            case 1 -> queue.skip();
            default -> queue.add(value(random));
        };
    }

    private static boolean step(ChunkList<byte[]> list, SplittableRandom random) {
        int size = list.size();
        int index = size == 0 ? 0 : random.nextInt(size);
        switch (size == 0 ? 0 : random.nextInt(6)) {
            case 0, 1 -> list.add(index, value(random));
            case 2 -> list.remove(index);
            case 3 -> list.set(index, value(random));
            default -> list.add(value(random));
        }
        return true;
    }

    private static boolean step(ChunkSortedMap<String, byte[]> map, SplittableRandom random) {
        String key = "key " + random.nextInt(KEYS);
        if (random.nextInt(4) == 0) {
            return map.delete(key);
        }
        map.set(key, value(random));
        return true;
    }

    /** Goal: each prefix of the journal is the collection of a moment; each change is one record, or none. */
    @Test
    void change_isOneRecord_andEachBeginningOfTheJournalIsACollectionOfAMoment() {
        long seed = Seed.first();
        String reproduce = Seed.reproduce(RawCollectionsTest.class, seed);
        SplittableRandom random = new SplittableRandom(seed);
        for (RawCollection of : List.of(collections.queue("jobs", "bytes"), collections.list("entries", "bytes"),
            collections.sortedMap("prices", "string", "bytes", ""))) {
            List<Integer> records = new ArrayList<>();
            List<List<String>> moments = new ArrayList<>();
            for (int i = 0; i < CHANGES; i++) {
                int before = journal.size();
                Change change = new Change(() -> step(of.content(), random));
                of.change(change, journal);
                int expected = change.atChange < 0 ? before : before + 1;
                assertEquals(expected, change.recorded, reproduce);
                assertEquals(expected, journal.size(), reproduce);
                if (i % (CHANGES / 50) == 0) {
                    records.add(journal.size());
                    moments.add(shown(of.content()));
                }
            }
            of.content().audit();
            for (int i = 0; i < RESTORES; i++) {
                int which = random.nextInt(records.size());
                assertEquals(moments.get(which), restored(of.root(), records.get(which)), reproduce);
            }
        }
    }

    private List<String> restored(long root, int count) {
        try (Store other = Stores.open()) {
            ZoneFill fill = Zones.of(other).fill(ZONE);
            journal.fillFirst(ZONE, count, fill);
            RawCollection again = Objects.requireNonNull(RawCollections.of(fill.publish()).at(root));
            assertEquals(root, again.root());
            again.content().audit();
            return shown(again.content());
        }
    }

    @Test
    void places_ofAQueue_nameOneElementEach() {
        RawCollection jobs = collections.queue("jobs", "bytes");
        ChunkQueue<byte[]> queue = queue(jobs.content());
        @SuppressWarnings("unchecked") QueuePlaces<byte[]> places = (QueuePlaces<byte[]>) jobs.content();
        for (int i = 0; i < 900; i++) {
            queue.add(new byte[] {(byte) i, (byte) (i >> 8)});
        }
        QueuePlaces.PlaceWalk<byte[]> walk = places.behind(0, 0);
        byte[] third = null;
        for (int i = 0; i < 3; i++) {
            third = walk.next();
        }
        assertEquals(2, Objects.requireNonNull(third)[0]);
        long segment = walk.segment();
        int at = walk.at();
        assertEquals(3, Objects.requireNonNull(places.behind(segment, at).next())[0]);
        assertFalse(places.removeAt(segment, at + 1), "no element begins there");
        assertTrue(places.removeAt(segment, at));
        assertFalse(places.removeAt(segment, at));
        assertEquals(899, queue.longSize());
        assertEquals(3, Objects.requireNonNull(places.behind(segment, at).next())[0]);
        for (int i = 0; i < 890; i++) {
            assertTrue(queue.skip());
        }
        assertFalse(places.removeAt(segment, at), "the segment is gone");
        assertEquals(queue.peek()[0], Objects.requireNonNull(places.behind(segment, at).next())[0]);
        assertEquals(queue.peek()[0], Objects.requireNonNull(places.behind(jobs.root(), 16).next())[0], "no segment");
        queue.audit();
    }

    /** Why an element has at most 900,000 bytes: all chunks of its change fit into a record of 1 MiB. */
    @Test
    void largestChange_fitsIntoARecord() {
        RawCollection entries = collections.list("entries", "bytes");
        ChunkList<byte[]> list = list(entries.content());
        for (int i = 0; i < 8 * ChunkList.SEGMENT; i++) {
            list.add(new byte[504]);
        }
        byte[] largest = new byte[900_000];
        long most = 0;
        for (int index : new int[] {40, 3 * ChunkList.SEGMENT, 1, 7 * ChunkList.SEGMENT + 5}) {
            int before = journal.size();
            entries.change(new Change(() -> {
                list.add(index, largest);
                return true;
            }), journal);
            assertEquals(before + 1, journal.size());
            most = Math.max(most, journal.lastBytes());
            entries.change(new Change(() -> list.remove(index) != null), journal);
            most = Math.max(most, journal.lastBytes());
        }
        assertTrue(most > 930_000 && most < Journal.CONTENT_BYTES_MAX - 2_000, most + " bytes");
        list.clear();
        RawCollection map = collections.sortedMap("prices", "string", "bytes", "");
        for (int i = 0; i < 3_000; i++) {
            map(map.content()).set("k".repeat(900) + i % 50 + i, new byte[90]);
        }
        for (int i = 0; i < 50; i++) {
            int key = i;
            map.change(new Change(() -> map(map.content()).set("k".repeat(1_000) + key, largest)), journal);
            assertTrue(journal.lastBytes() < Journal.CONTENT_BYTES_MAX - 2_000, journal.lastBytes() + " bytes");
            map(map.content()).delete("k".repeat(1_000) + key);
        }
    }

    @Test
    void open_ofTheSameName_isTheSameCollection_andUnknownOrdersAreRefused() {
        RawCollection map = collections.sortedMap("prices", "string", "bytes", "reverse order");
        assertSame(map, collections.sortedMap("prices", "string", "bytes", "reverse order"));
        assertSame(map, collections.at(map.root()));
        assertNotNull(map.keys());
        assertNull(collections.at(map.root() + 1));
        assertThrows(IllegalArgumentException.class, () -> collections.sortedMap("prices", "string", "bytes",
            "natural order"));
        String text = assertThrows(IllegalArgumentException.class, () -> collections.sortedMap("places", "string",
            "bytes", "by row")).getMessage();
        assertTrue(text.contains("'by row'") && text.contains("places"), text);
        assertThrows(IllegalArgumentException.class, () -> collections.sortedMap("places", "{int row}", "bytes", ""));
        assertThrows(IllegalArgumentException.class, () -> collections.list("prices", "bytes"));
        assertThrows(IllegalArgumentException.class, () -> RawCollections.of(store));
        map(map.content()).set("a", "b".getBytes(StandardCharsets.UTF_8));
        assertEquals(1, map.read(() -> map.content().longSize()));
    }

    /** A change that throws has its steps up to then in the journal, as a whole collection, and no result. */
    @Test
    void change_thatThrows_leavesAWholeCollection() {
        RawCollection entries = collections.list("entries", "bytes");
        Change change = new Change(() -> {
            list(entries.content()).add(new byte[] {1});
            throw new IllegalStateException("planted");
        });
        assertThrows(IllegalStateException.class, () -> entries.change(change, journal));
        assertEquals(-1, change.atChange);
        assertEquals(shown(entries.content()), restored(entries.root(), journal.size()));
        journal.beginsLeft.set(0);
        assertThrows(RuntimeException.class, () -> entries.change(new Change(() -> list(entries.content())
            .add(new byte[2])), journal));
        journal.beginsLeft.set(Integer.MAX_VALUE);
        assertEquals(1, entries.content().longSize());
        Zones.of(store).drop(ZONE);
        assertThrows(ZoneDroppedException.class, () -> entries.change(new Change(() -> list(entries.content())
            .add(new byte[2])), journal));
    }
}
