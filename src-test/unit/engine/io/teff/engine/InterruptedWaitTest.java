package io.teff.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.teff.engine.chunk.ChunkSpace;
import io.teff.test.kit.Threads;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Goal: a thread whose interrupt flag is set waits without a processor, and ends its operation with the flag set.
 *
 * <p>Method: twice as many interrupted threads as there are processors wait for something that this test holds. All of
 * them must be seen parked, and another virtual thread must find a carrier.
 */
@Tag("modes")
final class InterruptedWaitTest {
    /** The kinds of threads. */
    enum Kind {
        PLATFORM(Thread.ofPlatform().daemon().factory()), VIRTUAL(Thread.ofVirtual().factory());

        private final ThreadFactory factory;

        Kind(ThreadFactory factory) {
            this.factory = factory;
        }
    }

    @ParameterizedTest
    @EnumSource
    void put_whileNoChangeIsAdmitted_waitsParked(Kind kind) throws InterruptedException {
        try (Store store = Stores.open()) {
            long cid = store.create(new byte[8]);
            ChunkSpace space = Stores.space(store);
            space.stripes.freeze();
            check(kind, () -> store.put(cid, new byte[8]), space.stripes::thaw);
        }
    }

    @ParameterizedTest
    @EnumSource
    void create_whileNothingIsAllocated_waitsParked(Kind kind) throws InterruptedException {
        try (Store store = Stores.open()) {
            ChunkSpace space = Stores.space(store);
            space.allocStripes.acquireAll();
            check(kind, () -> store.create(new byte[8]), space.allocStripes::releaseAll);
        }
    }

    @ParameterizedTest
    @EnumSource
    void get_ofAHeldChunk_waitsParked(Kind kind) throws InterruptedException {
        try (Store store = Stores.open()) {
            long cid = store.create(new byte[8]);
            ChunkLock held = store.locks().hold(cid, true, 0).orElseThrow();
            check(kind, () -> store.get(cid, new byte[8]), held::close);
        }
    }

    /** Checks an operation that ends with an interrupt pending, when it is released and not before. */
    private static void check(Kind kind, LongSupplier operation, Runnable release) throws InterruptedException {
        List<Thread> waiters = new ArrayList<>();
        AtomicInteger right = new AtomicInteger();
        int count = 2 * Runtime.getRuntime().availableProcessors();
        for (int i = 0; i < count; i++) {
            Thread waiter = kind.factory.newThread(() -> {
                Thread.currentThread().interrupt();
                if (operation.getAsLong() >= 0 && Thread.interrupted()) {
                    right.incrementAndGet();
                }
            });
            waiter.start();
            waiters.add(waiter);
        }
        try {
            for (Thread waiter : waiters) {
                Threads.await("parked", () -> waiter.getState() == Thread.State.TIMED_WAITING);
                waiter.interrupt();
                Threads.await("parked again", () -> waiter.getState() == Thread.State.TIMED_WAITING);
            }
            Thread.startVirtualThread(() -> { }).join();
            assertEquals(0, right.get());
        } finally {
            release.run();
        }
        for (Thread waiter : waiters) {
            waiter.join();
        }
        assertEquals(count, right.get());
    }
}
