package io.teff.engine;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.chunk.ChunkSpace;
import io.teff.engine.error.StoreClosedException;
import io.teff.engine.os.Clock;
import io.teff.test.kit.tier.FullTier;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Goal: a store in which an error of the JVM has ended a thread in the middle of a change can be closed, whatever the
 * thread has left locked, and all threads that wait for that get an exception. Method: a thread enters stripes, takes
 * an allocation stripe, and ends; time passes quickly.
 */
@Tag("modes")
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class AbandonedStripeTest {
    /** Waits take a thousandth of their time. */
    private static final Clock QUICK = new Clock() {
        @Override
        public long nowNs() {
            return System.nanoTime();
        }

        @Override
        public void park(Object blocker, long ns) {
            Clock.super.park(blocker, ns / 1000 + 1);
        }
    };

    private final Store store = Stores.open(QUICK);
    private final ChunkSpace space = Stores.space(store);
    private final long cid = store.create(new byte[8]);
    private final long other = store.create(new byte[8]);

    private void end(Runnable change) throws InterruptedException {
        Thread thread = new Thread(change);
        thread.start();
        thread.join();
    }

    private void assertClosed() {
        store.close();
        assertFalse(store.isOpen());
        assertThrows(StoreClosedException.class, () -> store.get(cid, new byte[8]));
        assertThrows(StoreClosedException.class, () -> store.get(other, new byte[8]));
        assertThrows(StoreClosedException.class, () -> store.put(cid, new byte[8]));
        assertThrows(StoreClosedException.class, () -> store.create(new byte[8]));
        store.close();
    }

    @Test
    void close_afterAnEndInsideAStripe_ends() throws InterruptedException {
        end(() -> space.stripes.enter(space.stripes.of(cid)));
        assertClosed();
    }

    @Test
    void close_afterAnEndInsideAllStripes_ends() throws InterruptedException {
        end(space.stripes::enterAll);
        assertClosed();
    }

    @Test
    @FullTier("5 s of waiting. close_afterAnEndInsideAStripe_ends has the same wait for another kind of stripe.")
    void close_afterAnEndInsideAnAllocationStripe_ends() throws InterruptedException {
        end(space.allocStripes::acquire);
        assertClosed();
    }

    @Test
    void close_whileOthersWaitForTheStripe_endsTheirWaits() throws Exception {
        end(() -> space.stripes.enter(space.stripes.of(cid)));
        List<Runnable> waits = List.of(() -> store.put(cid, new byte[8]), () -> store.get(cid, new byte[8]),
            () -> store.remove(cid), store::audit, store::trim);
        CountDownLatch begun = new CountDownLatch(waits.size());
        List<AtomicReference<Throwable>> thrown = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (Runnable wait : waits) {
            AtomicReference<Throwable> its = new AtomicReference<>();
            Thread thread = new Thread(() -> {
                begun.countDown();
                its.set(assertThrows(Throwable.class, wait::run));
            });
            thrown.add(its);
            threads.add(thread);
            thread.start();
        }
        assertTrue(begun.await(50, TimeUnit.SECONDS));
        assertClosed();
        for (int i = 0; i < threads.size(); i++) {
            threads.get(i).join();
            assertTrue(thrown.get(i).get() instanceof StoreClosedException, "wait " + i + ": " + thrown.get(i));
        }
    }

    /** The writer was slow and has not ended: what it does afterwards harms nothing. */
    @Test
    void writer_thatLeavesAfterTheClose_leavesAClosedStripe() throws InterruptedException {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch closed = new CountDownLatch(1);
        Thread slow = new Thread(() -> {
            space.stripes.enter(space.stripes.of(cid));
            entered.countDown();
            try {
                closed.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            space.stripes.leave(space.stripes.of(cid));
        });
        slow.start();
        entered.await();
        store.close();
        closed.countDown();
        slow.join();
        assertClosed();
    }
}
