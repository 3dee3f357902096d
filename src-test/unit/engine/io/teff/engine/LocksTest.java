package io.teff.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.config.LockStep;
import io.teff.engine.config.TestConfig;
import io.teff.engine.error.Status;
import io.teff.engine.os.Platform;
import io.teff.test.kit.Content;
import io.teff.test.kit.Threads;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: locks exclude, timeouts are exact, no thread waits for itself, and no thread that could continue stays asleep.
 *
 * <p>Method: a holder and a thread that must wait, seen waiting in {@code list()}; timeouts on a clock that moves only
 * when a thread parks; many threads that count under a lock.
 */
@Tag("modes")
@Tag("plain")
final class LocksTest {
    private static final long EVER = Long.MAX_VALUE;

    private static void awaitWaiters(Store store, int count) {
        Threads.await(count + " waiters", () ->
            store.locks().list().stream().mapToInt(Locks.LockInfo::waiters).sum() == count);
    }

    private static void ok(int status) {
        assertEquals(Status.OK, status, () -> Status.name(status));
    }

    /** An operation of another thread must wait for the write lock, and then see the content that its holder left. */
    @ParameterizedTest
    @ValueSource(ints = {8, 3000, 100_000})
    void writeLock_keepsEverybodyElseOut(int length) throws InterruptedException {
        List<LockedOut> operations = List.of(
            (store, cid) -> assertArrayEquals(Content.of(length, 2), store.chunks().get(cid).orElseThrow()),
            (store, cid) -> ok(store.getBytes(cid, 0, new byte[length], 0, length)),
            (store, cid) -> ok(store.put(cid, Content.of(length, 3))),
            (store, cid) -> ok(store.put(cid, Content.of(length + 1, 3))),
            (store, cid) -> ok(store.putBytes(cid, 0, new byte[8], 0, 8)),
            (store, cid) -> ok(store.resize(cid, length + 9)),
            (store, cid) -> ok(store.seal(cid)),
            (store, cid) -> assertEquals(length, store.remove(cid)),
            (store, cid) -> assertEquals(2, store.fields().getLong(cid, 0, -1)),
            (store, cid) -> ok(store.fields().putLong(cid, 0, 3)),
            (store, cid) -> assertEquals(1, store.fields().compareAndSetLong(cid, 0, 2, 3)),
            (store, cid) -> assertEquals(2, store.fields().getAndAddLong(cid, 0, 3)),
            (store, cid) -> assertEquals(length, store.views().read(cid, view -> assertEquals(2, view.getLong(0)))),
            (store, cid) -> assertEquals(length, store.views().peek(cid, view -> assertEquals(2, view.getLong(0)))),
            (store, cid) -> assertEquals(length, store.views().edit(cid, view -> assertEquals(2, view.getLong(0)))),
            (store, cid) -> store.pins().pin(cid).close(),
            (store, cid) -> {
                ok(store.locks().lockRead(cid, EVER));
                ok(store.locks().unlock(cid));
            },
            (store, cid) -> {
                ok(store.locks().lockWrite(cid, EVER));
                ok(store.locks().unlock(cid));
            });
        for (LockedOut operation : operations) {
            try (Store store = Stores.open()) {
                long cid = store.create(Content.of(length, 1));
                ok(store.locks().lockWrite(cid, 0));
                Threads.Running other = Threads.start("other", ignored -> operation.run(store, cid));
                awaitWaiters(store, 1);
                assertTrue(store.exists(cid), "exists and size do not wait");
                assertEquals(length, store.size(cid));
                ok(store.put(cid, Content.of(length, 2)));
                ok(store.locks().unlock(cid));
                other.end();
                assertEquals(0, store.audit().lockedChunks());
            }
        }
    }

    /** An operation of another thread on a chunk. */
    @FunctionalInterface
    private interface LockedOut {
        void run(Store store, long cid);
    }

    @Test
    void readLock_letsReadersInAndWritersWait() throws InterruptedException {
        FakeTime time = new FakeTime();
        try (Store store = Stores.open(time)) {
            long cid = store.create(Content.of(64, 1));
            ok(store.locks().lockRead(cid, 0));
            ok(store.locks().lockRead(cid, 0));
            ok(store.put(cid, Content.of(64, 2)));
            Threads.start("other", ignored -> {
                assertArrayEquals(Content.of(64, 2), store.chunks().get(cid).orElseThrow());
                assertEquals(Status.LOCKED, store.locks().lockWrite(cid, 0));
                assertEquals(Status.LOCKED, store.put(cid, new byte[64]));
                assertEquals(Status.LOCKED, store.remove(cid));
                ok(store.locks().lockRead(cid, 0));
            }).end();
            // The other thread ended without unlocking: its hold stays, is listed, and keeps writers out.
            assertEquals(3, store.locks().list().getFirst().readers().size());
            assertEquals(Status.LOCKED, store.put(cid, Content.of(64, 3)));
            ok(store.locks().unlock(cid));
            assertEquals(Status.LOCKED, store.locks().swapToWrite(cid, 1000));
            ok(store.locks().unlock(cid));
            assertEquals(Status.NOT_HELD, store.locks().unlock(cid));
        }
    }

    @Test
    void writers_goFirst() throws InterruptedException {
        try (Store store = Stores.open()) {
            long cid = store.create(8L);
            ok(store.locks().lockRead(cid, 0));
            CountDownLatch got = new CountDownLatch(1);
            CountDownLatch go = new CountDownLatch(1);
            Threads.Running writer = Threads.start("writer", ignored -> {
                ok(store.locks().lockWrite(cid, EVER));
                got.countDown();
                go.await();
                ok(store.locks().unlock(cid));
            });
            awaitWaiters(store, 1);
            Threads.start("late", ignored -> assertEquals(Status.LOCKED, store.locks().lockRead(cid, 0))).end();
            ok(store.locks().lockRead(cid, 0));
            ok(store.locks().unlock(cid));
            Threads.Running late = Threads.start("later", ignored -> {
                ok(store.locks().lockRead(cid, EVER));
                assertEquals(0, got.getCount(), "the writer came first");
                ok(store.locks().unlock(cid));
            });
            awaitWaiters(store, 2);
            ok(store.locks().unlock(cid));
            got.await();
            assertFalse(store.locks().isReadHeld(cid));
            go.countDown();
            writer.end();
            late.end();
            assertEquals(List.of(), store.locks().list());
        }
    }

    @Test
    void writerThatGivesUp_letsReadersGoOn() throws InterruptedException {
        FakeTime time = new FakeTime();
        time.stand();
        try (Store store = Stores.open(time)) {
            long cid = store.create(8L);
            ok(store.locks().lockRead(cid, 0));
            Threads.Running writer = Threads.start("writer", ignored ->
                assertEquals(Status.LOCKED, store.locks().lockWrite(cid, 5_000)));
            awaitWaiters(store, 1);
            Threads.Running reader = Threads.start("reader", ignored -> {
                ok(store.locks().lockRead(cid, EVER));
                ok(store.locks().unlock(cid));
            });
            awaitWaiters(store, 2);
            time.pass(5_000);
            writer.end();
            reader.end();
            ok(store.locks().unlock(cid));
            assertEquals(List.of(), store.locks().list());
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 999, 1_000_000, 2_148_000_000L, 5_000_000_000L, 3_600_000_000_000L})
    void timeouts_areExact(long timeoutNs) throws InterruptedException {
        FakeTime time = new FakeTime();
        try (Store store = Store.open(TestConfig.platform(Stores.small().lockTimeoutNs(timeoutNs),
            Platform.SYSTEM.withClock(time)).build())) {
            long cid = store.create(100L);
            ok(store.locks().lockWrite(cid, 0));
            Threads.start("other", ignored -> {
                long begin = time.nowNs();
                assertEquals(Status.LOCKED, store.locks().lockRead(cid, timeoutNs));
                assertEquals(Status.LOCKED, store.locks().lockWrite(cid, timeoutNs));
                assertEquals(Status.LOCKED, store.get(cid, new byte[100]));
                assertEquals(Status.LOCKED, store.put(cid, new byte[100]));
                assertEquals(Status.LOCKED, store.put(cid, new byte[99]));
                assertEquals(Status.LOCKED, store.resize(cid, 99));
                assertEquals(Status.LOCKED, store.remove(cid));
                assertEquals(Status.LOCKED, store.seal(cid));
                assertEquals(Status.LOCKED, store.views().read(cid, view -> { }));
                assertEquals(Status.LOCKED, store.views().edit(cid, view -> { }));
                assertTrue(store.locks().hold(cid, true, timeoutNs).isEmpty());
                assertEquals(Status.LOCKED,
                    store.locks().get(cid, new byte[100], 0, LockStep.LOCK_READ, LockStep.UNLOCK,
                    timeoutNs));
                assertEquals(12 * timeoutNs, time.nowNs() - begin);
            }).end();
            ok(store.locks().unlock(cid));
            assertEquals(0, store.audit().lockedChunks());
        }
    }

    @Test
    void swap_upAndDown_letsNoOtherWriterInBetween() throws InterruptedException {
        try (Store store = Stores.open()) {
            long cid = store.create(8L);
            Threads.runAll(4, number -> {
                for (int i = 0; i < 500; i++) {
                    ok(store.locks().lockRead(cid, EVER));
                    long seen = store.fields().getLong(cid, 0, -1);
                    int swapped = store.locks().swapToWrite(cid, EVER);
                    if (swapped == Status.OK) {
                        assertEquals(seen, store.fields().getLong(cid, 0, -1), "another thread wrote in between");
                        ok(store.fields().putLong(cid, 0, seen + 1));
                        ok(store.locks().swapToRead(cid));
                        assertEquals(seen + 1, store.fields().getLong(cid, 0, -1));
                    } else {
                        assertEquals(Status.LOCKED, swapped, "another thread goes up already");
                    }
                    ok(store.locks().unlock(cid));
                }
            });
            assertTrue(store.fields().getLong(cid, 0, -1) > 0);
            assertEquals(0, store.audit().lockedChunks());
        }
    }

    @Test
    void secondUpgrader_isRefusedAtOnce() throws InterruptedException {
        try (Store store = Stores.open()) {
            long cid = store.create(8L);
            ok(store.locks().lockRead(cid, 0));
            CountDownLatch read = new CountDownLatch(1);
            Threads.Running first = Threads.start("first", ignored -> {
                ok(store.locks().lockRead(cid, 0));
                read.countDown();
                ok(store.locks().swapToWrite(cid, EVER));
                ok(store.locks().unlock(cid));
            });
            read.await();
            awaitWaiters(store, 1);
            assertEquals(Status.LOCKED, store.locks().swapToWrite(cid, EVER));
            ok(store.locks().unlock(cid));
            first.end();
            assertEquals(List.of(), store.locks().list());
        }
    }

    @Test
    void oneselfs_lock_isNeverWaitedFor() {
        try (Store store = Stores.open()) {
            long cid = store.create(8L);
            ok(store.locks().lockWrite(cid, 0));
            assertThrows(IllegalStateException.class, () -> store.locks().lockWrite(cid, EVER));
            assertThrows(IllegalStateException.class, () -> store.locks().lockRead(cid, EVER));
            assertThrows(IllegalStateException.class, () -> store.locks().hold(cid, true, EVER));
            assertEquals(Status.NOT_HELD, store.locks().swapToWrite(cid, EVER));
            ok(store.locks().swapToRead(cid));
            assertThrows(IllegalStateException.class, () -> store.locks().lockWrite(cid, EVER));
            assertEquals(Status.NOT_HELD, store.locks().swapToRead(cid));
            ok(store.locks().lockRead(cid, EVER));
            ok(store.locks().unlock(cid));
            ok(store.locks().swapToWrite(cid, EVER));
            ok(store.locks().unlock(cid));
            assertEquals(Status.NOT_HELD, store.locks().unlock(cid));
            assertEquals(0, store.audit().lockedChunks());
        }
    }

    /** A swap suspends the thread's other read holds during the write lock: a wait for them would never end. */
    @Test
    void swapWithTwoOwnReadLocks_keepsTheOther() throws InterruptedException {
        try (Store store = Store.open(Stores.small().lockTimeoutNs(EVER).build())) {
            long cid = store.create(100_000);
            ok(store.locks().lockRead(cid, 0));
            ok(store.locks().lockRead(cid, 0));
            assertEquals(100_000, store.views().edit(cid, editor -> editor.putInt(0, 1)));
            ok(store.resize(cid, 200_000));
            ok(store.locks().swapToWrite(cid, EVER));
            assertTrue(store.locks().isWriteHeld(cid));
            assertFalse(store.locks().isReadHeld(cid));
            ok(store.locks().unlock(cid));
            assertTrue(store.locks().isReadHeld(cid));
            Threads.runAll(1, ignored -> {
                ok(store.locks().lockRead(cid, 0));
                ok(store.locks().unlock(cid));
                assertEquals(Status.LOCKED, store.locks().lockWrite(cid, 0));
            });
            ok(store.locks().unlock(cid));
            assertEquals(Status.NOT_HELD, store.locks().unlock(cid));
            assertEquals(0, store.audit().lockedChunks());
        }
    }

    @Test
    void foreignChunkMadeAgain_whileThreadsWait_isTheirs() throws InterruptedException {
        try (Store store = Store.open(Stores.small().lockTimeoutNs(EVER).build())) {
            long cid = Cid.of(7, 100);
            ok(store.ids().createAt(cid, new byte[8]));
            ok(store.locks().lockWrite(cid, 0));
            Threads.Running waiters = Threads.start("waiter", ignored -> {
                int locked = store.locks().lockWrite(cid, EVER);
                if (locked != Status.ABSENT) {
                    ok(locked);
                    ok(store.locks().unlock(cid));
                }
            });
            awaitWaiters(store, 1);
            assertEquals(8, store.remove(cid));
            ok(store.ids().createAt(cid, new byte[16]));
            assertEquals(1, store.audit().chunks());
            waiters.end();
            assertEquals(0, store.audit().lockedChunks());
        }
    }

    /** Other threads may find the new chunk at once, but cannot change it. */
    @Test
    void create_isHeldFromTheFirstMoment() throws InterruptedException {
        try (Store store = Store.open(Stores.small().lockTimeoutNs(0).build())) {
            AtomicBoolean done = new AtomicBoolean();
            Threads.Running remover = Threads.start("remover", ignored -> {
                while (!done.get()) {
                    store.ids().forEach(store::remove);
                }
            });
            for (int i = 0; i < 100_000; i++) {
                boolean write = i % 2 == 0;
                long cid = store.locks().create(new byte[16], 0, 16, write);
                assertEquals(write, store.locks().isWriteHeld(cid));
                assertEquals(!write, store.locks().isReadHeld(cid));
                ok(store.locks().unlock(cid));
            }
            done.set(true);
            remover.end();
            assertEquals(0, store.audit().lockedChunks());
        }
    }

    @Test
    void remove_wakesWaiters_whoFindNothing() throws InterruptedException {
        try (Store store = Stores.open()) {
            long cid = store.create(8L);
            ok(store.locks().lockWrite(cid, 0));
            Threads.Running writer = Threads.start("w", ignored ->
                assertEquals(Status.ABSENT, store.locks().lockWrite(cid, EVER)));
            Threads.Running reader = Threads.start("r", ignored ->
                assertEquals(Status.ABSENT, store.locks().lockRead(cid, EVER)));
            Threads.Running getter = Threads.start("g", ignored ->
                assertThrows(NoSuchElementException.class, () -> store.fields().getAndAddInt(cid, 0, 1)));
            awaitWaiters(store, 3);
            assertEquals(8, store.remove(cid));
            writer.end();
            reader.end();
            getter.end();
            assertEquals(Status.ABSENT, store.locks().unlock(cid));
            assertFalse(store.locks().isWriteHeld(cid));
            assertEquals(0, store.audit().lockedChunks());
        }
    }

    @Test
    void interrupt_isKeptAndEndsNoWait() throws InterruptedException {
        try (Store store = Stores.open()) {
            long cid = store.create(8L);
            ok(store.locks().lockWrite(cid, 0));
            AtomicBoolean kept = new AtomicBoolean();
            Threads.Running other = Threads.start("other", ignored -> {
                ok(store.locks().lockWrite(cid, EVER));
                kept.set(Thread.interrupted());
                ok(store.locks().unlock(cid));
            });
            awaitWaiters(store, 1);
            other.thread().interrupt();
            Threads.await("the interrupt", () -> store.locks().list().getFirst().waiters() == 1);
            ok(store.locks().unlock(cid));
            other.end();
            assertTrue(kept.get());
        }
    }

    @Test
    void list_namesHoldersAndCounts() throws InterruptedException {
        try (Store store = Stores.open()) {
            long cid = store.create(8L);
            long read = store.create(8L);
            ok(store.locks().lockWrite(cid, 0));
            ok(store.locks().lockRead(read, 0));
            Pin pin = store.pins().pin(read);
            Threads.Running other = Threads.start("other", ignored -> store.remove(cid));
            awaitWaiters(store, 1);
            String me = Thread.currentThread().getName() + "#" + Thread.currentThread().threadId();
            assertEquals(List.of(new Locks.LockInfo(cid, me, List.of(), 0, 1),
                new Locks.LockInfo(read, "", List.of(me), 1, 0)), store.locks().list());
            assertEquals(2, store.audit().lockedChunks());
            ok(store.locks().unlock(cid));
            other.end();
            ok(store.locks().unlock(read));
            pin.close();
            assertEquals(List.of(), store.locks().list());
        }
    }

    @Test
    void hold_isATryBlock() throws InterruptedException {
        try (Store store = Stores.open()) {
            long cid = store.create(8L);
            try (ChunkLock lock = store.locks().hold(cid, true, 0).orElseThrow()) {
                assertEquals(cid, lock.cid());
                assertTrue(store.locks().isWriteHeld(cid));
                Threads.start("thief", ignored -> assertThrows(IllegalStateException.class, lock::close)).end();
                assertTrue(store.locks().isWriteHeld(cid));
            }
            assertFalse(store.locks().isWriteHeld(cid));
            ChunkLock lock = store.locks().hold(cid, false, 0).orElseThrow();
            store.remove(cid);
            lock.close();
            lock.close();
            assertThrows(NoSuchElementException.class, () -> store.locks().hold(cid, true, 0));
        }
    }

    @Test
    void operationsWithLockSteps_countExactly() throws InterruptedException {
        try (Store store = Stores.open()) {
            long cid = store.locks().create(new byte[8], 0, 8, true);
            assertTrue(store.locks().isWriteHeld(cid));
            ok(store.locks().unlock(cid));
            AtomicLong sum = new AtomicLong();
            Threads.runAll(4, number -> {
                byte[] buffer = new byte[8];
                for (int i = 0; i < 2000; i++) {
                    assertEquals(8, store.locks().get(cid, buffer, 0, LockStep.LOCK_WRITE, LockStep.NONE, EVER));
                    buffer[0]++;
                    if (buffer[0] == 0) {
                        buffer[1]++;
                    }
                    ok(store.locks().put(cid, buffer, 0, 8, LockStep.NONE, LockStep.UNLOCK, EVER));
                    sum.incrementAndGet();
                }
            });
            assertEquals(sum.get(), store.fields().getShort(cid, 0, (short) -1));
            assertThrows(IllegalArgumentException.class, () -> store.locks().get(cid, new byte[8], 0, LockStep.UNLOCK,
                LockStep.NONE, 0));
            assertThrows(IllegalArgumentException.class, () -> store.locks().get(cid, new byte[8], 0, LockStep.NONE,
                LockStep.LOCK_READ, 0));
            assertThrows(IllegalArgumentException.class, () -> store.locks().put(cid, new byte[8], 0, 8,
                LockStep.LOCK_READ, LockStep.NONE, 0));
            assertEquals(List.of(), store.locks().list());
        }
    }

    @Test
    void manyReadersAndWriters_loseNoWakeUp() throws InterruptedException {
        try (Store store = Stores.open()) {
            long[] cids = {store.create(8L), store.create(8L)};
            Threads.runAll(8, number -> {
                for (int i = 0; i < 3000; i++) {
                    long cid = cids[(i + number) % 2];
                    if (i % 4 == number % 4) {
                        ok(store.locks().lockWrite(cid, EVER));
                        ok(store.fields().putLong(cid, 0, store.fields().getLong(cid, 0, 0) + 1));
                        ok(store.locks().unlock(cid));
                    } else {
                        ok(store.locks().lockRead(cid, EVER));
                        assertNotEquals(-1, store.fields().getLong(cid, 0, -1));
                        ok(store.locks().unlock(cid));
                    }
                }
            });
            assertEquals(8 * 3000 / 4, store.fields().getLong(cids[0], 0, 0) + store.fields().getLong(cids[1], 0, 0));
            assertEquals(0, store.audit().lockedChunks());
        }
    }

    @Test
    void readOnly_isReadLockedOnly() {
        try (Store store = Stores.open()) {
            long cid = store.createReadOnly(new byte[8]);
            assertEquals(Status.READ_ONLY, store.locks().lockWrite(cid, 0));
            ok(store.locks().lockRead(cid, 0));
            assertEquals(Status.READ_ONLY, store.locks().swapToWrite(cid, 0));
            ok(store.seal(cid));
            ok(store.locks().unlock(cid));
            long own = store.create(8L);
            ok(store.locks().lockWrite(own, 0));
            ok(store.seal(own));
            assertTrue(store.locks().isReadHeld(own));
            assertEquals(8, store.remove(own));
            assertEquals(0, store.audit().lockedChunks());
        }
    }
}
