package io.teff.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.config.DebugLevel;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.config.TestConfig;
import io.teff.engine.error.Status;
import io.teff.engine.journal.JournaledStores;
import io.teff.engine.zone.ZoneFill;
import io.teff.engine.zone.Zones;
import io.teff.test.kit.Content;
import io.teff.test.kit.Form;
import io.teff.test.kit.Seed;
import io.teff.test.kit.Threads;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLongArray;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.jspecify.annotations.Nullable;

/**
 * Goal: whatever is done to the zones of a store, each zone equals its model, no id is issued twice across a drop and a
 * fill from the journal, readers of other threads see whole contents or nothing, and all invariants hold at every
 * moment.
 *
 * <p>Method: each of four threads changes zones of its own by random operations, and compares them with maps. It drops
 * its zones, and sooner or later fills them from the journal and publishes them. Meanwhile it reads, locks and views
 * chunks of the other threads' zones. A fifth thread audits, defragments, trims and lists the store.
 */
@Tag("modes")
@Tag("heavy")
final class ZonesModelTest {
    private static final int THREADS = 4;
    private static final int ZONES_EACH = 3;
    private static final int FIRST_ZONE = 100;
    private static final int OPERATIONS = Form.size("teff.zones.operations", 2500, 8000, 60_000);
    private static final int LENGTH_MAX = 80_000;
    private static final int RECENT = 256;

    /** Chunks of all threads, which may be gone. */
    private final AtomicLongArray recent = new AtomicLongArray(RECENT);

    @ParameterizedTest
    @EnumSource(value = DebugLevel.class, names = {"OFF", "QUARANTINE"})
    void randomOperations_ofSeveralThreads_equalTheModel(DebugLevel level) throws InterruptedException {
        long seed = Seed.first();
        StoreConfig config = TestConfig.defragSlackBytes(TestConfig.stripes(StoreConfig.builder()
            .memoryLimitBytes(256 << 20).debugLevel(level), 64), 0).build();
        RecordingJournal journal = new RecordingJournal().takeWholeChunks();
        try (Store store = JournaledStores.open(Store.class, config, journal, restorer -> { })) {
            AtomicBoolean isDone = new AtomicBoolean();
            Threads.Running care = Threads.start("care", ignored -> care(store, isDone));
            try {
                Threads.runAll(THREADS, number -> new Worker(store, journal, number, seed + number).run());
            } finally {
                isDone.set(true);
                care.end();
            }
            Threads.await("the memory of all zones", () -> Stores.space(store).tables.inventory().hidden().isEmpty());
            store.audit();
            assertEquals(0, store.stats().chunks());
            assertEquals(0, store.stats().tableBytes());
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError(Seed.reproduce(ZonesModelTest.class, seed), e);
        }
    }

    private static void care(Store store, AtomicBoolean isDone) {
        for (int round = 0; !isDone.get(); round++) {
            store.audit();
            store.defragment();
            store.heap(3);
            store.locks().list();
            store.ids().forEach(cid -> assertTrue(Cid.nid(cid) >= FIRST_ZONE));
            if (round % 8 == 0) {
                store.trim();
            }
        }
    }

    /** A zone and its model. */
    private static final class Known {
        private final int id;
        private @Nullable ChunkStore view;
        private boolean isAdded;
        private final Map<Long, byte[]> chunks = new HashMap<>();
        private final List<Long> cids = new ArrayList<>();
        private final Set<Long> issued = new HashSet<>();
        private final Map<Long, Long> map = new HashMap<>();

        Known(int id) {
            this.id = id;
        }
    }

    /** A thread with zones of its own. */
    private final class Worker {
        private final Store store;
        private final Zones zones;
        private final RecordingJournal journal;
        private final SplittableRandom random;
        private final List<Known> own = new ArrayList<>();
        private final byte[] buffer = new byte[LENGTH_MAX];

        Worker(Store store, RecordingJournal journal, int number, long seed) {
            this.store = store;
            this.zones = Zones.of(store);
            this.journal = journal;
            this.random = Seed.random(seed);
            for (int i = 0; i < ZONES_EACH; i++) {
                own.add(new Known(FIRST_ZONE + number * ZONES_EACH + i));
            }
        }

        void run() {
            for (int step = 0; step < OPERATIONS; step++) {
                Known zone = own.get(random.nextInt(ZONES_EACH));
                ChunkStore view = zone.view;
                if (view == null) {
                    bring(zone);
                } else if (random.nextInt(400) == 0) {
                    drop(zone, view);
                } else {
                    change(zone, view);
                }
                visitOthers();
            }
            for (Known zone : own) {
                if (zone.view != null) {
                    check(zone, zone.view);
                    zones.drop(zone.id);
                }
            }
        }

        /** Adds a zone once; after a drop, fills it from the journal. An added one would issue the same ids again. */
        private void bring(Known zone) {
            if (zone.isAdded) {
                ZoneFill fill = zones.fill(zone.id);
                journal.fill(zone.id, 0, fill);
                if (random.nextInt(4) == 0) {
                    fill.discard();
                } else {
                    ChunkStore view = fill.publish();
                    zone.view = view;
                    check(zone, view);
                }
            } else {
                zone.view = zones.add(zone.id);
                zone.isAdded = true;
            }
        }

        private void drop(Known zone, ChunkStore view) {
            check(zone, view);
            zones.drop(zone.id);
            for (long cid : zone.chunks.keySet()) {
                assertEquals(Status.ABSENT, view.get(cid, buffer));
                assertEquals(Status.ABSENT, store.size(cid));
            }
            zone.view = null;
            if (random.nextBoolean()) {
                bring(zone);
            }
        }

        private void check(Known zone, ChunkStore view) {
            zone.chunks.forEach((cid, content) -> {
                assertEquals(content.length, store.get(cid, buffer), () -> Cid.toString(cid));
                assertEquals(content.length, view.get(cid, buffer));
                assertArrayEquals(content, Arrays.copyOf(buffer, content.length));
            });
            assertEquals(zone.map, new HashMap<>(view.map("map", Codecs.LONG, Codecs.LONG)));
        }

        private void change(Known zone, ChunkStore view) {
            int kind = random.nextInt(100);
            if (kind < 35 || zone.cids.isEmpty()) {
                byte[] content = content();
                long cid = kind % 7 == 0 ? reserved(view, content) : view.create(content);
                assertTrue(zone.issued.add(cid), () -> Cid.toString(cid) + " was issued before");
                assertEquals(zone.id, Cid.nid(cid));
                zone.chunks.put(cid, content);
                zone.cids.add(cid);
                recent.set(random.nextInt(RECENT), cid);
            } else if (kind < 60) {
                int at = random.nextInt(zone.cids.size());
                long cid = zone.cids.get(at);
                assertEquals(zone.chunks.remove(cid).length, (kind % 2 == 0 ? store : view).remove(cid));
                zone.cids.set(at, zone.cids.getLast());
                zone.cids.removeLast();
            } else if (kind < 75) {
                long cid = zone.cids.get(random.nextInt(zone.cids.size()));
                byte[] content = content();
                assertEquals(Status.OK, view.put(cid, content));
                zone.chunks.put(cid, content);
            } else {
                changeMap(zone, view, kind);
            }
        }

        private long reserved(ChunkStore view, byte[] content) {
            long cid = view.ids().reserve();
            assertEquals(Status.OK, view.ids().createAt(cid, content));
            return cid;
        }

        private byte[] content() {
            int length = random.nextInt(200) == 0 ? random.nextInt(LENGTH_MAX) : random.nextInt(8, 120);
            return Content.of(length, random.nextLong());
        }

        private void changeMap(Known zone, ChunkStore view, int kind) {
            Map<Long, Long> map = view.map("map", Codecs.LONG, Codecs.LONG);
            long key = random.nextInt(2_000);
            long value = random.nextLong();
            if (kind < 90) {
                assertEquals(zone.map.put(key, value), map.put(key, value));
            } else {
                assertEquals(zone.map.remove(key), map.remove(key));
            }
        }

        /** Uses a chunk that another thread may remove or drop at any moment. */
        private void visitOthers() {
            long cid = recent.get(random.nextInt(RECENT));
            switch (random.nextInt(8)) {
                case 0 -> {
                    if (store.locks().lockRead(cid, 0) == Status.OK) {
                        int length = store.get(cid, buffer);
                        assertTrue(length == Status.ABSENT || Content.isWhole(buffer, length));
                        int unlocked = store.locks().unlock(cid);
                        assertEquals(Status.OK, unlocked, () -> Cid.toString(cid));
                    }
                }
                case 1 -> store.views().read(cid, view -> {
                    for (int i = 0; i < view.length(); i++) {
                        buffer[i] = view.getByte(i);
                    }
                    assertTrue(Content.isWhole(buffer, (int) view.length()));
                });
                default -> {
                    int length = store.get(cid, buffer);
                    assertTrue(length == Status.ABSENT || Content.isWhole(buffer, length));
                }
            }
        }
    }
}
