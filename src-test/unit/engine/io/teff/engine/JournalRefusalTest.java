package io.teff.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.chunk.ChunkSpace;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.error.Status;
import io.teff.engine.error.StoreException;
import io.teff.engine.journal.JournaledStores;
import io.teff.engine.table.EntryWord;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/**
 * Goal: an operation of several steps that a journal refuses reports the steps it has done, and leaves no other step
 * behind.
 *
 * <p>Method: {@link RecordingJournal}, which refuses after any number of steps.
 */
final class JournalRefusalTest {
    private final RecordingJournal journal = new RecordingJournal();

    private static Store open(RecordingJournal journal) {
        return JournaledStores.open(Store.class, config(), journal, restorer -> { });
    }

    private static StoreConfig config() {
        return Stores.small().memoryLimitBytes(256 << 20).build();
    }

    /** Returns the number of reserved indexes of the store. */
    private static int reserved(Store store) {
        ChunkSpace space = Stores.space(store);
        int reserved = 0;
        for (long index = 1; index < space.ids.end(); index++) {
            long entry = space.own.entry(index);
            reserved += entry > 0 && EntryWord.state(space.memory.getLong(entry)) == EntryWord.RESERVED ? 1 : 0;
        }
        return reserved;
    }

    private static void assertReserved(int expected, Store store, RecordingJournal kept) {
        assertEquals(expected, reserved(store));
        try (Store restored = kept.restore(kept.size(), config(), new RecordingJournal())) {
            assertEquals(expected, reserved(restored));
        }
    }

    /** A refused call has reserved no CID or all CIDs, and no CID stays reserved that the caller does not know. */
    @Test
    void reservations_areRefusedAsAWhole() {
        for (int begins = 0; begins < 4; begins++) {
            RecordingJournal refusing = new RecordingJournal();
            try (Store store = open(refusing)) {
                refusing.beginsLeft.set(begins);
                int known = 0;
                try {
                    known = store.ids().reserve(new long[3000], 0, 3000);
                } catch (StoreException e) {
                    assertEquals("no room: nothing was changed", e.getMessage());
                }
                assertReserved(known, store, refusing);
                refusing.beginsLeft.set(begins);
                try {
                    store.locks().unlock(store.locks().create(new byte[9], 0, 9, true));
                } catch (StoreException e) {
                    assertEquals("no room: nothing was changed", e.getMessage());
                    assertEquals(0, store.stats().chunks());
                }
                assertReserved(known, store, refusing);
                refusing.beginsLeft.set(Integer.MAX_VALUE);
                assertTrue(store.locks().list().isEmpty());
                store.audit();
            }
        }
    }

    @Test
    void reservations_ofAJournalThatFails_areGivenBack() {
        for (int claims : new int[] {0, 1, 1024, 1025, 2999}) {
            RecordingJournal failing = new RecordingJournal();
            try (Store store = open(failing)) {
                failing.failAfter(claims);
                assertThrows(StoreException.class, () -> store.ids().reserve(new long[3000], 0, 3000));
                assertEquals(0, reserved(store));
                store.audit();
            }
        }
    }

    /** A refused batch reports exactly the changes it has made. */
    @Test
    void batchThatIsRefusedMidway_saysHowFarItCame() {
        try (Store store = open(journal)) {
            int count = 3000;
            long[] cids = new long[count];
            int[] lengths = new int[count];
            Arrays.fill(lengths, 8);
            MemorySegment source = MemorySegment.ofArray(new byte[8 * count]);
            assertPart(store, 1, count, 0, () -> store.batch().create(8, cids, 0, count, true));
            for (boolean isConsecutive : new boolean[] {true, false}) {
                int begins = isConsecutive ? 3 : 70;            // one for all, and one for 1,024 of them
                int done = isConsecutive ? 2048 : 70;
                assertPart(store, begins, count, done, () -> store.batch().create(8, cids, 0, count, isConsecutive));
                assertEquals(done, Arrays.stream(cids).filter(store::exists).count());
                assertEquals(Status.FULL, cids[done]);
                assertPart(store, begins, count, done,
                    () -> store.batch().create(source, lengths, cids, 0, isConsecutive));
                assertEquals(done, Arrays.stream(cids).filter(store::exists).count());
                assertEquals(Status.FULL, cids[done]);
            }
            assertEquals(count, store.batch().create(8, cids, 0, count, true));
            assertPart(store, 0, count, 0, () -> store.batch().put(cids, 0, source, lengths, new int[count]));
            assertPart(store, 9, count, 9, () -> store.batch().put(cids, 0, source, lengths, new int[count]));
            long[] sizes = new long[count];
            assertPart(store, 8, count, 8, () -> store.batch().resize(cids, 0, sizes, new int[count]));
            assertEquals(8, Arrays.stream(cids).filter(cid -> store.size(cid) == 0).count());
            assertPart(store, 7, count, 7, () -> store.batch().remove(cids, 0, count, sizes));
            assertEquals(count - 7, Arrays.stream(cids).filter(store::exists).count());
            try (Store restored = journal.restore(journal.size(), config(), new RecordingJournal())) {
                assertEquals(store.stats().chunks(), restored.stats().chunks());
            }
        }
    }

    private void assertPart(Store store, int begins, int count, int done, Runnable batch) {
        journal.beginsLeft.set(begins);
        StoreException refused = assertThrows(StoreException.class, batch::run);
        journal.beginsLeft.set(Integer.MAX_VALUE);
        assertEquals(StoreException.Category.DEGRADED, refused.category());
        assertEquals(done == 0 ? "no room: nothing was changed"
            : "refused after " + done + " of the batch's " + count + " chunks, at the next one: no room: nothing was "
                + "changed", refused.getMessage());
        store.audit();
    }
}
