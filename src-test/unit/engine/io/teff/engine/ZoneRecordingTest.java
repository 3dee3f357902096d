package io.teff.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.error.Status;
import io.teff.engine.error.StoreException;
import io.teff.engine.error.ZoneDroppedException;
import io.teff.engine.journal.JournaledStores;
import io.teff.engine.zone.ChunkChange;
import io.teff.engine.zone.ChunkChange.Change;
import io.teff.engine.zone.ChunkChange.Condition;
import io.teff.engine.zone.ZoneChanges;
import io.teff.engine.zone.ZoneFill;
import io.teff.engine.zone.ZoneRecording;
import io.teff.engine.zone.Zones;
import io.teff.test.kit.Form;
import io.teff.test.kit.Seed;
import io.teff.test.kit.Threads;
import java.util.HashSet;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Goal: what a journal gets from the begin of a recording on restores the zone alone, whatever changes it meanwhile,
 * and no CID of before is issued again.
 *
 * <p>Method: a zone with a history is recorded while threads change it; another store is filled with the later records
 * only, and compared.
 */
@Tag("modes")
final class ZoneRecordingTest {
    private static final int ZONE = 5;
    private static final int THREADS = 3;
    private static final int ROUNDS = Form.size(4, 12, 12);
    private static final int LENGTH_MAX = 90;
    /** Bounds the journal if the recording gets little of the processors. */
    private static final int STEPS_MAX = 10_000_000;
    private static final int CHURNS_MAX = 400;

    private final RecordingJournal journal = new RecordingJournal().takeWholeChunks();
    private final Store store = JournaledStores.open(Store.class, Stores.small().build(), journal, _ -> { });
    private final Zones zones = Zones.of(store);
    private final ChunkStore zone = zones.add(ZONE);

    @AfterEach
    void close() {
        store.audit();
        store.close();
    }

    /** The store's own journal gets what goes through the zone's own view, and changes of collections. */
    @Test
    void changes_withAnotherJournal_areRecordedThere() {
        RecordingJournal other = new RecordingJournal().takeWholeChunks();
        ZoneChanges changes = zones.changes(ZONE, other);
        long own = zone.create(8);
        int before = journal.size();
        long cid = changes.store().create(new byte[] {1, 2});
        assertEquals(Status.OK, changes.store().put(own, new byte[8]));
        assertEquals(Status.OK, changes.change(List.of(new ChunkChange(cid, Condition.PRESENT, null, Change.PUT,
            new byte[] {3}), new ChunkChange(own, Condition.NONE, null, Change.REMOVE, null))));
        assertEquals(before, journal.size());
        assertEquals(3, other.size());
        assertArrayEquals(new byte[] {3}, zone.chunks().get(cid).orElseThrow());
        assertEquals(Status.ABSENT, zone.size(own));
        assertEquals(before, journal.size());
        assertSame(zone.names(), changes.store().names(), "an open collection is one object");
        zones.drop(ZONE);
        assertThrows(ZoneDroppedException.class, () -> changes.store().create(1));
        assertThrows(ZoneDroppedException.class, () -> changes.change(List.of()));
        assertThrows(NoSuchElementException.class, () -> zones.changes(ZONE, other));
    }

    private void record(int bytes) {
        finish(zones.record(ZONE, null), bytes);
    }

    private static void finish(ZoneRecording recording, int bytes) {
        for (int step = 0; recording.next(bytes); step++) {
            assertTrue(step < STEPS_MAX, "it does not end");
        }
    }

    /** Compares a store that has only the records after a position with the zone, and issues ids there. */
    private void compare(long position, Set<Long> issued, String seed) {
        try (Store other = Stores.open()) {
            ZoneFill fill = Zones.of(other).fill(ZONE);
            journal.fill(ZONE, position, fill);
            ChunkStore restored = fill.publish();
            Set<Long> expected = cids(zone);
            assertEquals(expected, cids(restored), seed);
            for (long cid : expected) {
                assertArrayEquals(zone.chunks().get(cid).orElseThrow(), restored.chunks().get(cid).orElseThrow(),
                    () -> Cid.toString(cid) + " " + seed);
                byte[] content = zone.chunks().get(cid).orElseThrow();
                assertEquals(zone.put(cid, content), restored.put(cid, content), () -> "read-only or not " + seed);
            }
            for (int i = 0; i < 20_000; i++) {
                long cid = restored.create(1);
                assertFalse(issued.contains(cid), () -> Cid.toString(cid) + " is issued twice " + seed);
            }
            other.audit();
        }
    }

    private static Set<Long> cids(ChunkStore of) {
        Set<Long> cids = new HashSet<>();
        of.ids().forEach(cids::add);
        return cids;
    }

    @Test
    void record_ofAQuietZone_hasEveryChunk_andEveryIdOfBefore() {
        Set<Long> issued = new HashSet<>();
        long[] many = new long[10_000];
        zone.batch().create(8, many, 0, many.length, true);
        for (long cid : many) {
            issued.add(cid);
            zone.remove(cid);                                   // the pages of their ids are released
        }
        for (int length = 0; length < 300; length++) {
            long cid = zone.create(new byte[length]);
            issued.add(cid);
            if (length % 3 == 0) {
                zone.remove(cid);
            } else if (length % 7 == 0) {
                zone.seal(cid);
            }
        }
        for (int length : new int[] {65_536, 70_000, 2 << 20}) {
            issued.add(zone.create(new byte[length]));
        }
        issued.add(zone.ids().reserve());
        long position = journal.position();
        record(4_096);
        compare(position, issued, "");
    }

    @Test
    void record_whileThreadsChangeTheZone_restoresItAlone() throws InterruptedException {
        long seed = Seed.first();
        String reproduce = Seed.reproduce(ZoneRecordingTest.class, seed);
        System.out.println(reproduce);
        Set<Long> issued = ConcurrentHashMap.newKeySet();
        for (int round = 0; round < ROUNDS; round++) {
            SplittableRandom random = Seed.random(seed + round);
            churn(random.split(), 2_000, issued);
            AtomicBoolean isOver = new AtomicBoolean();
            long[] position = new long[1];
            Threads.runAll(1 + THREADS, number -> {
                if (number > 0) {
                    SplittableRandom own = Seed.random(seed * 31 + number);
                    for (int i = 0; i < CHURNS_MAX && !isOver.get(); i++) {
                        churn(own, 50, issued);
                    }
                    return;
                }
                try {
                    position[0] = journal.position();
                    record(1 + random.nextInt(2_000));
                } finally {
                    isOver.set(true);
                }
            });
            compare(position[0], issued, reproduce);
        }
    }

    /** A recording that begins between the record of a create and its entry must wait for the entry. */
    @Test
    void record_whileAChunkIsRecordedButNotThere_waitsForIt() throws InterruptedException {
        Set<Long> issued = ConcurrentHashMap.newKeySet();
        issued.add(zone.create(new byte[30]));
        long[] position = new long[1];
        AtomicReference<Thread> recorder = new AtomicReference<>();
        AtomicBoolean hasBegun = new AtomicBoolean();
        journal.beforeCommit.set(() -> {
            position[0] = journal.position();
            recorder.set(Thread.ofPlatform().start(() -> {
                ZoneRecording recording = zones.record(ZONE, null);
                hasBegun.set(true);
                finish(recording, 1_000);
            }));
            Threads.await("it waits for this thread, or has ended",
                () -> hasBegun.get() && recorder.get().getState() != Thread.State.RUNNABLE);
        });
        issued.add(zone.create(new byte[40]));
        recorder.get().join();
        compare(position[0], issued, "");
    }

    /** Creates, changes and removes chunks; leaves some of them. */
    private void churn(SplittableRandom random, int steps, Set<Long> issued) {
        long[] own = new long[16];
        for (int i = 0; i < steps; i++) {
            int at = random.nextInt(own.length);
            int length = random.nextInt(LENGTH_MAX);
            byte[] content = new byte[length];
            random.nextBytes(content);
            if (own[at] == 0) {
                own[at] = zone.create(content);
                assertTrue(issued.add(own[at]), "issued twice");
                continue;
            }
            switch (random.nextInt(8)) {
                case 0, 1 -> zone.put(own[at], content);
                case 2 -> zone.resize(own[at], length);
                case 3 -> {
                    zone.seal(own[at]);
                    own[at] = 0;
                }
                default -> {
                    assertTrue(zone.remove(own[at]) >= 0);
                    own[at] = 0;
                }
            }
        }
        for (int at = 1; at < own.length; at++) {
            if (own[at] != 0) {
                zone.remove(own[at]);
            }
        }
    }

    @Test
    void next_thatTheJournalRefuses_canBeRepeated() {
        Set<Long> issued = new HashSet<>();
        for (int i = 0; i < 100; i++) {
            issued.add(zone.create(new byte[i]));
        }
        long position = journal.position();
        ZoneRecording recording = zones.record(ZONE, null);
        int refused = 0;
        for (boolean isLeft = true; isLeft; ) {
            journal.beginsLeft.set(7);
            try {
                isLeft = recording.next(1_000_000);
            } catch (StoreException e) {
                refused++;
            }
        }
        journal.beginsLeft.set(Integer.MAX_VALUE);
        assertTrue(refused > 10, () -> "the journal has refused");
        compare(position, issued, "");
    }

    @Test
    void record_ofADroppedZone_ends() {
        assertThrows(NoSuchElementException.class, () -> zones.record(77, null));
        assertTrue(zone.create(10) > 0);
        ZoneRecording recording = zones.record(ZONE, null);
        zones.drop(ZONE);
        assertThrows(ZoneDroppedException.class, () -> recording.next(1));
    }

    @Test
    void record_ofAStoreWithoutJournal_hasNothingToDo() {
        try (Store plain = Stores.open()) {
            assertTrue(Zones.of(plain).add(ZONE).create(10) != Status.FULL);
            assertFalse(Zones.of(plain).record(ZONE, null).next(1));
        }
    }
}
