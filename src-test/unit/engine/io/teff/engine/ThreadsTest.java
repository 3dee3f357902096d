package io.teff.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.teff.engine.error.Status;
import io.teff.test.kit.Content;
import io.teff.test.kit.Form;
import io.teff.test.kit.Threads;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Goal: any number of threads may use a store, in sequence or together, platform or virtual.
 *
 * <p>Method: each thread creates, changes, locks and reads a chunk of its own and one of a neighbour; at the end every
 * chunk is compared.
 */
@Tag("modes")
final class ThreadsTest {
    private static final int SEQUENTIAL = Form.size(1000, 3000, 10_000);
    private static final int VIRTUAL = 100_000;

    @Test
    void manyPlatformThreadsInSequence_allWork() throws InterruptedException {
        try (Store store = Stores.open()) {
            AtomicLongArray cids = new AtomicLongArray(SEQUENTIAL);
            AtomicReference<Throwable> failure = new AtomicReference<>();
            for (int i = 0; i < SEQUENTIAL; i++) {
                int number = i;
                Thread thread = Thread.ofPlatform().start(() -> work(store, cids, number, failure));
                thread.join();
            }
            Threads.rethrow(failure.get());
            check(store, cids);
        }
    }

    @Test
    void hundredThousandVirtualThreads_allWork() {
        try (Store store = Stores.open()) {
            AtomicLongArray cids = new AtomicLongArray(VIRTUAL);
            AtomicReference<Throwable> failure = new AtomicReference<>();
            try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
                for (int i = 0; i < VIRTUAL; i++) {
                    int number = i;
                    executor.execute(() -> work(store, cids, number, failure));
                }
            }
            Threads.rethrow(failure.get());
            check(store, cids);
        }
    }

    private static byte[] content(int number) {
        return Content.of(8 + number % 57, number);
    }

    private static void work(Store store, AtomicLongArray cids, int number, AtomicReference<Throwable> failure) {
        try {
            long scratch = store.create(content(number + 1));
            long cid = store.create(content(number + 2));
            assertEquals(Status.OK, store.locks().lockWrite(cid, Long.MAX_VALUE));
            assertEquals(Status.OK, store.put(cid, content(number)));
            assertEquals(Status.OK, store.locks().unlock(cid));
            assertArrayEquals(content(number), store.chunks().get(cid).orElseThrow());
            long neighbour = cids.get(number / 2);
            if (neighbour != Cid.NONE) {
                assertArrayEquals(content(number / 2), store.chunks().get(neighbour).orElseThrow());
            }
            assertEquals(content(number + 1).length, store.remove(scratch));
            cids.set(number, cid);
        } catch (RuntimeException | Error e) {
            failure.compareAndSet(null, e);
        }
    }

    private static void check(Store store, AtomicLongArray cids) {
        for (int i = 0; i < cids.length(); i++) {
            assertArrayEquals(content(i), store.chunks().get(cids.get(i)).orElseThrow());
        }
        assertEquals(cids.length(), store.audit().chunks());
    }
}
