package io.teff.engine.zone;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.ChunkStore;
import io.teff.engine.Cid;
import io.teff.engine.Store;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.error.Status;
import io.teff.engine.zone.ChunkChange.Change;
import io.teff.engine.zone.ChunkChange.Condition;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Groups of changes of chunks of one zone: all or nothing, under any condition, shortage and concurrency. */
class ZoneChangesTest {
    private static final int ZONE = 9;
    private static final byte[] ABC = {1, 2, 3};
    private static final byte[] LONGER = {4, 5, 6, 7, 8, 9, 10, 11, 12};
    private static final int THREADS = 4;
    private static final int TRANSFERS = 3_000;

    private final Store store = Store.open(StoreConfig.builder().name("changes").memoryLimitBytes(16L << 20).build());
    private final Zones zones = Zones.of(store);
    private final ChunkStore view = zones.add(ZONE);
    private final long one = view.create(ABC);
    private final long two = view.create(LONGER);

    @AfterEach
    void close() {
        store.audit();
        store.close();
    }

    private static ChunkChange put(long cid, byte[] content) {
        return new ChunkChange(cid, Condition.NONE, null, Change.PUT, content);
    }

    private static ChunkChange check(long cid, Condition condition, byte[] expected) {
        return new ChunkChange(cid, condition, expected, Change.NONE, null);
    }

    private static ChunkChange remove(long cid) {
        return new ChunkChange(cid, Condition.NONE, null, Change.REMOVE, null);
    }

    private int change(ChunkChange... changes) {
        return zones.changes(ZONE, null).change(List.of(changes));
    }

    private byte[] content(long cid) {
        return view.chunks().get(cid).orElseThrow();
    }

    @Test
    void change_whoseConditionsHold_isDoneAsAWhole() {
        long gone = view.create(ABC);
        long absent = view.create(ABC);
        view.remove(absent);
        assertEquals(Status.OK, change(put(one, LONGER), put(two, new byte[0]), remove(gone),
            check(absent, Condition.ABSENT, null)));
        assertArrayEquals(LONGER, content(one));
        assertArrayEquals(new byte[0], content(two));
        assertEquals(Status.ABSENT, view.size(gone));
        assertEquals(Status.OK, change(new ChunkChange(one, Condition.EQUAL, LONGER, Change.PUT, ABC),
            new ChunkChange(two, Condition.EQUAL, new byte[0], Change.REMOVE, null)));
        assertArrayEquals(ABC, content(one));
        assertEquals(Status.ABSENT, view.size(two));
        assertEquals(1, zones.stats(ZONE).chunks());
        assertEquals(Status.OK, change());
    }

    @Test
    void change_thatIsRefused_changesNothing() {
        long gone = view.create(ABC);
        view.remove(gone);
        long sealed = view.createReadOnly(ABC);
        assertEquals(2, change(put(one, LONGER), put(gone, ABC)));
        assertEquals(2, change(remove(one), check(gone, Condition.PRESENT, null)));
        assertEquals(2, change(put(one, LONGER), check(two, Condition.ABSENT, null)));
        assertEquals(2, change(put(one, LONGER), check(two, Condition.EQUAL, ABC)));
        assertEquals(1, change(check(gone, Condition.EQUAL, new byte[0]), put(one, LONGER)));
        assertEquals(Status.READ_ONLY, change(put(one, LONGER), put(sealed, LONGER)));
        assertArrayEquals(ABC, content(one));
        assertArrayEquals(LONGER, content(two));
        assertThrows(IllegalArgumentException.class, () -> change(put(one, LONGER), put(one, ABC)));
        assertThrows(IllegalArgumentException.class, () -> change(put(Cid.of(ZONE + 1, 5), ABC)));
        assertThrows(IllegalArgumentException.class, () -> change(put(one, new byte[1 << 19]),
            put(two, new byte[(1 << 19) + 1])));
        assertThrows(NoSuchElementException.class, () -> zones.changes(ZONE + 1, null));
        assertEquals(Status.OK, change(remove(sealed)));
    }

    @Test
    void change_whoseNumberIsAbove_changesNothing() {
        byte[] five = {5, 0, 0, 0, 0, 0, 0, 0};
        byte[] six = {6, 0, 0, 0, 0, 0, 0, 0};
        long fence = view.create(new byte[Long.BYTES]);
        assertEquals(Status.OK, change(put(one, LONGER), new ChunkChange(fence, Condition.NOT_ABOVE, five, Change.PUT,
            five)));
        assertEquals(Status.OK, change(new ChunkChange(fence, Condition.NOT_ABOVE, five, Change.PUT, six)));
        assertEquals(2, change(put(one, ABC), new ChunkChange(fence, Condition.NOT_ABOVE, five, Change.PUT, five)));
        assertArrayEquals(LONGER, content(one));
        assertArrayEquals(six, content(fence));
        assertEquals(1, change(check(two, Condition.NOT_ABOVE, six)), "a chunk of another length");
        assertRefused(Condition.NOT_ABOVE, ABC, Change.NONE, null);
        assertRefused(Condition.NOT_ABOVE, null, Change.NONE, null);
    }

    /** Else memory would be put into an entry that no chunk has. */
    @Test
    void change_ofAChunkThatMustBeAbsent_orWithoutItsContent_isNone() {
        assertRefused(Condition.ABSENT, null, Change.PUT, ABC);
        assertRefused(Condition.ABSENT, null, Change.REMOVE, null);
        assertRefused(Condition.NONE, null, Change.PUT, null);
        assertRefused(Condition.NONE, null, Change.NONE, ABC);
        assertRefused(Condition.EQUAL, null, Change.NONE, null);
        assertRefused(Condition.PRESENT, ABC, Change.NONE, null);
    }

    private void assertRefused(Condition condition, byte @Nullable [] expected, Change change,
            byte @Nullable [] content) {
        ChunkChange wrong = new ChunkChange(one, condition, expected, change, content);
        assertThrows(IllegalArgumentException.class, () -> change(wrong));
    }

    @Test
    void change_ofALockedOrPinnedChunk_isRefused() throws Exception {
        try (ExecutorService other = Executors.newSingleThreadExecutor()) {
            assertEquals(Status.OK, other.submit(() -> view.locks().lockRead(two, 0)).get());
            assertEquals(Status.LOCKED, change(put(one, LONGER), put(two, ABC)));
            assertEquals(Status.OK, change(put(one, LONGER), check(two, Condition.PRESENT, null)), "it is only read");
            assertEquals(Status.OK, other.submit(() -> view.locks().unlock(two)).get());
            assertEquals(Status.OK, other.submit(() -> view.locks().lockWrite(two, 0)).get());
            assertEquals(Status.LOCKED, change(put(one, ABC), check(two, Condition.PRESENT, null)));
            assertEquals(Status.OK, other.submit(() -> view.locks().unlock(two)).get());
        }
        try (var pin = store.pins().pin(two)) {
            assertTrue(pin != null);
            assertEquals(Status.PINNED, change(put(one, ABC), put(two, ABC)));
        }
        assertArrayEquals(LONGER, content(one));
        RemoteHolder holder = new RemoteHolder("someone");
        holder.act();
        assertEquals(Status.OK, view.locks().lockWrite(two, 0));
        assertEquals(Status.OK, change(put(one, ABC), put(two, ABC)));
        RemoteHolder.rest();
        assertEquals(Status.LOCKED, change(put(one, LONGER), put(two, LONGER)));
        assertEquals(Status.LOCKED, view.put(two, LONGER), "at once");
        holder.act();
        assertEquals(Status.OK, view.locks().unlock(two));
        RemoteHolder.rest();
        assertArrayEquals(ABC, content(two));
    }

    @Test
    void change_withoutMemory_changesNothing() {
        List<Long> cids = new ArrayList<>();
        for (long cid = view.create(1 << 18); cid != Status.FULL; cid = view.create(1 << 18)) {
            cids.add(cid);
        }
        assertEquals(Status.FULL, change(put(one, LONGER), put(cids.get(0), new byte[1 << 19]),
            put(cids.get(1), new byte[1 << 18])));
        assertArrayEquals(ABC, content(one));
        assertEquals(1 << 18, view.size(cids.get(0)));
        store.audit();
    }

    /** Moves units between chunks; returns how many groups were done. */
    private int transfer(long[] accounts, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int done = 0;
        for (int i = 0; i < TRANSFERS; i++) {
            long from = accounts[random.nextInt(accounts.length)];
            long to = accounts[random.nextInt(accounts.length)];
            if (from != to) {
                byte[] debit = content(from);
                byte[] credit = content(to);
                int result = change(
                    new ChunkChange(from, Condition.EQUAL, debit, Change.PUT, number(debit, -1)),
                    new ChunkChange(to, Condition.EQUAL, credit, Change.PUT, number(credit, 1)));
                assertTrue(result >= 0, () -> Status.name(result));
                done += result == Status.OK ? 1 : 0;
            }
        }
        return done;
    }

    /** The number with another sum; its length changes with its sign. */
    private static byte[] number(byte[] content, long delta) {
        long value = ByteBuffer.wrap(content).getLong() + delta;
        return ByteBuffer.allocate(value < 0 ? 24 : 8).putLong(value).array();
    }

    @Test
    void changes_ofManyThreads_keepTheSum() throws Exception {
        long[] accounts = new long[5];
        for (int i = 0; i < accounts.length; i++) {
            accounts[i] = view.create(new byte[8]);
        }
        List<Future<Integer>> running = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            for (int i = 0; i < THREADS; i++) {
                long seed = i;
                running.add(threads.submit(() -> transfer(accounts, seed)));
            }
            for (Future<Integer> next : running) {
                assertTrue(next.get() > 0);
            }
        }
        long sum = 0;
        for (long account : accounts) {
            sum += ByteBuffer.wrap(content(account)).getLong();
        }
        assertEquals(0, sum);
    }
}
