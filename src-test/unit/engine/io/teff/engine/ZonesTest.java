package io.teff.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.error.Status;
import io.teff.engine.journal.ChunkRestorer;
import io.teff.engine.journal.JournaledStores;
import io.teff.engine.report.HeapReport;
import io.teff.engine.report.Progress;
import io.teff.engine.zone.ZoneFill;
import io.teff.engine.zone.ZoneStats;
import io.teff.engine.zone.Zones;
import io.teff.test.kit.Content;
import io.teff.test.kit.Threads;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Goal: each zone has chunks, ids, names and collections of its own, in one store. Method: a few zones. */
@Tag("modes")
final class ZonesTest {
    private static final byte[] ABC = {1, 2, 3};

    private final Store store = Stores.open();
    private final Zones zones = Zones.of(store);

    @AfterEach
    void close() {
        store.audit();
        store.close();
    }

    private static byte[] content(ChunkStore of, long cid) {
        return of.chunks().get(cid).orElseThrow();
    }

    private static List<Long> cids(ChunkStore of) {
        List<Long> cids = new ArrayList<>();
        of.ids().forEach(cids::add);
        return cids;
    }

    // ---- adding ----

    @Test
    void add_creates_areInTheZoneAndVisibleEverywhere() {
        ChunkStore five = zones.add(5);
        ChunkStore six = zones.add(6);
        long own = store.create(ABC);
        long inFive = five.create(ABC);
        long inSix = six.create(new byte[] {4});
        assertEquals(List.of(store.config().nid(), 5, 6), List.of(Cid.nid(own), Cid.nid(inFive), Cid.nid(inSix)));
        for (ChunkStore each : List.of(store, five, six)) {
            assertArrayEquals(ABC, content(each, own));
            assertArrayEquals(ABC, content(each, inFive));
            assertArrayEquals(new byte[] {4}, content(each, inSix));
        }
        assertEquals(Status.OK, six.put(inFive, new byte[] {7, 8}));
        assertArrayEquals(new byte[] {7, 8}, content(store, inFive));
        assertEquals(1, store.remove(inSix));
        assertFalse(six.exists(inSix));
        assertEquals(List.of(inFive), cids(five));
        assertEquals(List.of(), cids(six));
        assertEquals(Set.of(own, inFive), new HashSet<>(cids(store)));
    }

    @Test
    void add_wrongIds_areRefused() {
        for (int wrong : new int[] {-1, 0, 65_534, 65_535, 65_536, store.config().nid()}) {
            assertThrows(IllegalArgumentException.class, () -> zones.add(wrong), "zone " + wrong);
            assertThrows(IllegalArgumentException.class, () -> zones.fill(wrong), "zone " + wrong);
            assertNull(zones.zone(wrong));
            zones.drop(wrong);
        }
        ChunkStore highest = zones.add(Zones.ZONE_MAX);
        zones.add(7);
        assertThrows(IllegalStateException.class, () -> zones.add(7));
        assertThrows(IllegalStateException.class, () -> zones.fill(7));
        store.ids().createAt(Cid.of(9, 1), ABC);
        assertThrows(IllegalStateException.class, () -> zones.add(9), "chunks of this creator exist");
        assertArrayEquals(new int[] {7, Zones.ZONE_MAX}, zones.ids());
        assertSame(highest, Zones.of(store).zone(Zones.ZONE_MAX));
        assertNull(zones.zone(9));
        assertNull(zones.zone(10));
    }

    @Test
    void ids_ofAView_areOfItsZoneOnly() {
        ChunkStore five = zones.add(5);
        long reserved = five.ids().reserve();
        assertEquals(5, Cid.nid(reserved));
        assertThrows(IllegalArgumentException.class, () -> five.ids().createAt(Cid.of(6, 1), ABC));
        assertThrows(IllegalArgumentException.class, () -> five.ids().createAt(Cid.of(5, 0), ABC));
        assertEquals(Status.OK, five.ids().createAt(reserved, ABC));
        assertEquals(Status.OK, store.ids().createAt(Cid.of(5, 100_000), ABC));
        assertEquals(Status.EXISTS, five.ids().createAt(Cid.of(5, 100_000), ABC));
        long[] many = new long[10_000];
        assertEquals(many.length, five.batch().create(8, many, 0, many.length, true));
        Set<Long> issued = new HashSet<>(List.of(reserved, Cid.of(5, 100_000)));
        for (long cid : many) {
            assertTrue(issued.add(cid));
            assertEquals(many[0] + issued.size() - 3, cid);
        }
    }

    @Test
    void stats_ofAZone_countEachKindOfChange() {
        ChunkStore five = zones.add(5);
        ChunkStore six = zones.add(6);
        long small = five.create(new byte[10]);
        long large = five.create(100_000);
        assertEquals(Status.OK, five.ids().createAt(Cid.of(5, 77_000), new byte[4]));
        five.locks().create(ABC, 0, 3, true);
        six.create(new byte[1]);
        assertNumbers(5, 4, 10 + 100_000 + 4 + 3);
        five.put(small, new byte[20]);
        five.resize(large, 90_000);
        store.remove(Cid.of(5, 77_000));
        assertNumbers(5, 3, 20 + 90_000 + 3);
        assertNumbers(6, 1, 1);
        assertTrue(zones.stats(5).takenBytes() >= zones.stats(5).payloadBytes());
        assertThrows(NoSuchElementException.class, () -> zones.stats(7));
        assertThrows(NoSuchElementException.class, () -> zones.stats(store.config().nid()));
    }

    private void assertNumbers(int zone, long chunks, long payloadBytes) {
        ZoneStats stats = zones.stats(zone);
        assertEquals(List.of((long) zone, chunks, payloadBytes), List.of((long) stats.zone(), stats.chunks(),
            stats.payloadBytes()));
        store.audit();
    }

    @Test
    void names_ofZones_areIndependent() {
        ChunkStore five = zones.add(5);
        ChunkStore six = zones.add(6);
        for (ChunkStore each : List.of(store, five, six)) {
            long cid = each.create(ABC);
            each.names().bind("root", cid);
            each.map("map", Codecs.STRING, Codecs.LONG).put("key", cid);
            each.list("list", Codecs.LONG).add(cid);
        }
        for (ChunkStore each : List.of(store, five, six)) {
            long cid = each.names().get("root").orElseThrow().cid();
            assertEquals(cid, each.map("map", Codecs.STRING, Codecs.LONG).get("key"));
            assertEquals(List.of(cid), new ArrayList<>(each.list("list", Codecs.LONG)));
            assertEquals(Set.of("root", "map", "list"), each.names().all().keySet());
        }
        assertTrue(cids(five).stream().allMatch(cid -> Cid.nid(cid) == 5));
        assertTrue(cids(five).contains(Cid.of(5, 0)), "the root of its names");
        assertTrue(five.names().drop("map"));
        assertEquals(1, six.map("map", Codecs.STRING, Codecs.LONG).size());
    }

    @Test
    void names_rootRemovedByHand_isMadeAgain() {
        ChunkStore five = zones.add(5);
        five.create(ABC);
        assertTrue(five.names().all().isEmpty());
        assertEquals(Status.ABSENT, five.remove(Cid.of(5, 0)));
        five.names().bind("a", five.create(ABC));
        assertTrue(five.remove(Cid.of(5, 0)) > 0);
        store.audit();
        for (int i = 0; i < 10_000; i++) {
            assertTrue(Cid.index(five.create(ABC)) != 0);
        }
    }

    // ---- filling ----

    @Test
    void fill_untilPublished_isInvisible() {
        ZoneFill fill = zones.fill(5);
        long cid = Cid.of(5, 1_000);
        fill.put(cid, false, MemorySegment.ofArray(ABC), 0, 3);
        ChunkRestorer.Pieces pieces = fill.begin(4);
        store.audit();
        pieces.write(0, MemorySegment.ofArray(new byte[] {1, 2, 3, 4}), 0, 4);
        pieces.put(Cid.of(5, 5), true);
        fill.begin(70_000).discard();
        assertNull(zones.zone(5));
        assertFalse(store.exists(cid));
        assertEquals(List.of(), cids(store));
        assertThrows(IllegalStateException.class, () -> zones.fill(5));
        assertThrows(IllegalArgumentException.class, () -> fill.removed(Cid.of(6, 1)));
        assertThrows(IllegalArgumentException.class, () -> fill.put(Cid.of(6, 1), false, MemorySegment.ofArray(ABC), 0,
            3));
        assertFalse(fill.useHeadroom());
        store.audit();
        ChunkStore five = fill.publish();
        assertSame(five, zones.zone(5));
        assertEquals(5, fill.zone());
        assertArrayEquals(ABC, content(store, cid));
        assertEquals(Status.READ_ONLY, five.put(Cid.of(5, 5), ABC));
        assertNumbers(5, 2, 7);
        assertThrows(IllegalStateException.class, fill::publish);
        fill.discard();
        assertTrue(five.exists(cid));
    }

    @Test
    void publish_idsThatTheFillerNamed_areNeverIssued() {
        ZoneFill fill = zones.fill(5);
        Set<Long> known = new HashSet<>();
        for (int index = 1; index < 9_000; index++) {
            long cid = Cid.of(5, index) | (long) (index % 7) << 40;
            known.add(cid);
            switch (index % 3) {
                case 0 -> fill.put(cid, false, MemorySegment.ofArray(ABC), 0, 3);
                case 1 -> fill.removed(cid);
                default -> fill.reserved(cid);
            }
        }
        fill.removed(Cid.of(5, 20_000) | 255L << 40);           // its last generation
        known.add(Cid.of(5, 20_000) | 255L << 40);
        ChunkStore five = fill.publish();
        store.audit();
        for (int i = 0; i < 30_000; i++) {
            long cid = five.create(ABC);
            assertTrue(known.add(cid), () -> Cid.toString(cid));
            assertTrue(Cid.index(cid) != 20_000);
            boolean isNext = Cid.index(cid) % 3 == 1 && (cid >>> 40 & 255) == Cid.index(cid) % 7 + 1;
            assertTrue(Cid.index(cid) >= 9_000 || isNext, () -> Cid.toString(cid) + " is not the next of its index");
        }
    }

    @Test
    void fill_severalThreadsWhileOtherZonesChange_hasEachChunk() throws InterruptedException {
        ChunkStore six = zones.add(6);
        ZoneFill fill = zones.fill(5);
        Threads.runAll(4, number -> {
            for (int index = 1 + number; index <= 40_000; index += 4) {
                long cid = Cid.of(5, index);
                fill.removed(cid);
                if (index % 5 != 0) {
                    fill.put(cid, false, MemorySegment.ofArray(Content.of(index % 90, cid)), 0, index % 90);
                }
                six.remove(six.create(ABC));
            }
        });
        store.audit();
        ChunkStore five = fill.publish();
        store.audit();
        byte[] buffer = new byte[100];
        for (int index = 1; index <= 40_000; index++) {
            long cid = Cid.of(5, index);
            int length = five.get(cid, buffer);
            assertEquals(index % 5 == 0 ? Status.ABSENT : index % 90, length);
            assertTrue(length < 0 || Content.isWhole(buffer, length) && (length < 8 || Content.tag(buffer) == cid));
        }
        assertEquals(32_000, zones.stats(5).chunks());
    }

    @Test
    void publish_collections_areFoundByTheirNames() {
        RecordingJournal journal = new RecordingJournal().takeWholeChunks();
        try (Store first = JournaledStores.open(Store.class, Stores.small().build(), journal, restorer -> { })) {
            ChunkStore five = Zones.of(first).add(5);
            for (long i = 0; i < 3_000; i++) {
                five.map("map", Codecs.LONG, Codecs.STRING).put(i % 500, "value " + i);
            }
            five.names().bind("chunk", five.create(ABC));
        }
        ZoneFill fill = zones.fill(5);
        journal.fill(5, 0, fill);
        ChunkStore five = fill.publish();
        assertEquals(500, five.map("map", Codecs.LONG, Codecs.STRING).size());
        assertEquals("value 2999", five.map("map", Codecs.LONG, Codecs.STRING).get(499L));
        assertArrayEquals(ABC, content(five, five.names().get("chunk").orElseThrow().cid()));
        five.map("map", Codecs.LONG, Codecs.STRING).put(7L, "new");
    }

    @Test
    void discard_memory_comesBack() {
        long before = store.stats().usedBytes();
        ZoneFill fill = zones.fill(5);
        fill.put(Cid.of(5, 3), false, MemorySegment.ofArray(new byte[1 << 20]), 0, 1 << 20);
        fill.removed(Cid.of(5, 70_000));
        fill.discard();
        fill.discard();
        assertThrows(IllegalStateException.class, fill::publish);
        Threads.await("the background thread", () -> store.stats().usedBytes() <= before);
        zones.add(5).create(ABC);
    }

    // ---- care ----

    @Test
    void snapshot_ofZones_hasTheirVisibleChunks(@TempDir Path folder) {
        long inFive = zones.add(5).create(ABC);
        zones.add(6).map("map", Codecs.LONG, Codecs.LONG).put(1L, 2L);
        ZoneFill fill = zones.fill(7);
        fill.put(Cid.of(7, 1), false, MemorySegment.ofArray(ABC), 0, 3);
        Path path = folder.resolve("snapshot");
        long chunks = store.snapshot(path).chunks();
        assertEquals(cids(store).size(), chunks);
        HeapReport report = Store.analyze(path, 3, Progress.NONE);
        assertEquals(chunks, report.chunks());
        assertEquals(chunks, store.heap(0).chunks());
        try (Store restored = Store.restore(path, Stores.small().build())) {
            assertArrayEquals(ABC, content(restored, inFive));
            assertEquals(cids(store), cids(restored));
            assertThrows(IllegalStateException.class, () -> Zones.of(restored).add(5));
            restored.audit();
        }
        assertNotNull(fill.publish());
    }

    @Test
    void defragment_manyZones_movesTheirChunks() {
        List<Long> kept = new ArrayList<>();
        for (int zone = 1; zone <= 20; zone++) {
            if (zone != store.config().nid()) {
                ChunkStore view = zones.add(zone);
                for (int i = 0; i < 4_000; i++) {
                    long cid = view.create(new byte[] {(byte) zone, (byte) i, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
                    if (i % 10 == 0) {
                        kept.add(cid);
                    } else {
                        view.remove(cid);
                    }
                }
            }
        }
        assertTrue(store.defragment().movedChunks() >= 0);
        store.audit();
        kept.forEach(cid -> assertEquals(Cid.nid(cid), content(store, cid)[0]));
    }
}
