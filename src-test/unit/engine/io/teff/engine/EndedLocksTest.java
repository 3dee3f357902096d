package io.teff.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.config.StoreConfig;
import io.teff.engine.config.TestConfig;
import io.teff.engine.error.Status;
import io.teff.engine.error.StoreException;
import io.teff.engine.os.Platform;
import io.teff.test.kit.Threads;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Goal: locks of threads that have ended are named as such, can be released, and do not stop snapshots. Method: threads
 * of both kinds, which end while they hold locks; living holders beside them.
 */
final class EndedLocksTest {
    private static final Path PATH = Path.of("ended.teff");
    private static final List<Function<Runnable, Thread>> STARTS = List.of(Thread.ofPlatform()::start,
        Thread.ofVirtual()::start);

    private final MemoryDisk disk = new MemoryDisk();
    private final Store store = Store.open(TestConfig.platform(StoreConfig.builder().memoryLimitBytes(64 << 20)
        .lockTimeoutNs(50_000_000), Platform.SYSTEM.withDisk(disk)).build());

    @AfterEach
    void close() {
        store.audit();
        store.close();
    }

    private static void run(Function<Runnable, Thread> start, Runnable part) throws InterruptedException {
        start.apply(part).join();
    }

    private void ok(int status) {
        assertEquals(Status.OK, status, () -> Status.name(status));
    }

    @Test
    void locksOfEndedThreads_areReleased_andWaitersContinue() throws InterruptedException {
        for (Function<Runnable, Thread> start : STARTS) {
            long cid = store.create(new byte[100]);
            run(start, () -> {
                ok(store.locks().lockRead(cid, 0));
                ok(store.locks().lockRead(cid, 0));
                ok(store.locks().swapToWrite(cid, 0));
            });
            assertTrue(store.locks().list().getFirst().writer().endsWith(" (ended)"));
            assertEquals(Status.LOCKED, store.locks().lockRead(cid, 0));
            Threads.Running waiter = Threads.start("waiter", _ -> {
                ok(store.locks().lockWrite(cid, Long.MAX_VALUE));
                ok(store.locks().unlock(cid));
            });
            Threads.await("the waiter", () -> store.locks().list().getFirst().waiters() == 1);
            assertEquals(2, store.locks().releaseEnded(cid));
            waiter.end();
            assertEquals(0, store.locks().releaseEnded(cid));
            assertEquals(List.of(), store.locks().list());
            ok(store.put(cid, new byte[100]));
        }
    }

    @Test
    void locksOfLivingThreads_stay() throws InterruptedException {
        long cid = store.create(new byte[100]);
        ok(store.locks().lockRead(cid, 0));
        run(STARTS.getFirst(), () -> ok(store.locks().lockRead(cid, 0)));
        assertEquals(1, store.locks().list().getFirst().readers().stream().filter(name -> name.endsWith(" (ended)"))
            .count());
        assertEquals(1, store.locks().releaseEnded(cid));
        assertTrue(store.locks().isReadHeld(cid));
        ok(store.locks().swapToWrite(cid, 0));
        assertEquals(0, store.locks().releaseEnded(cid));
        ok(store.locks().unlock(cid));
        assertEquals(0, store.locks().releaseEnded(Cid.of(0, 4_000)));
    }

    @Test
    void snapshot_doesNotWaitForThreadsThatHaveEnded() throws InterruptedException {
        long cid = store.create(new byte[]{1, 2, 3});
        long large = store.create(new byte[100_000]);
        for (Function<Runnable, Thread> start : STARTS) {
            run(start, () -> {
                store.locks().lockWrite(cid, 0);
                store.locks().lockWrite(large, 0);
            });
            store.snapshot(PATH);
            store.audit();
            try (Store restored = Store.restore(PATH, TestConfig.platform(StoreConfig.builder(),
                Platform.SYSTEM.withDisk(disk)).build())) {
                restored.audit();
                assertEquals(3, restored.size(cid));
                ok(restored.locks().lockWrite(cid, 0));
            }
        }
    }

    @Test
    void snapshot_waitsForLivingThreads() throws InterruptedException {
        long cid = store.create(new byte[]{1, 2, 3});
        CountDownLatch isHeld = new CountDownLatch(1);
        CountDownLatch isEnough = new CountDownLatch(1);
        Threads.Running holder = Threads.start("holder", _ -> {
            ok(store.locks().lockWrite(cid, 0));
            isHeld.countDown();
            isEnough.await();
        });
        isHeld.await();
        assertThrows(StoreException.class, () -> store.snapshot(PATH));
        isEnough.countDown();
        holder.end();
        store.snapshot(PATH);
    }
}
