package io.teff.test.rdma.guest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.rdma.verbs.queue.CompletionQueue;
import io.teff.rdma.verbs.queue.QueuePairType;
import io.teff.rdma.verbs.queue.SendBatch;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Waits that sleep, threads that share objects, closes beside calls, and the bytes that the data path allocates. */
final class WaitInGuest {
    private static final int ROUNDS = 2000;

    @Test
    void await_inAnotherThread_wakesForEachMessage() throws InterruptedException {
        try (Link link = Link.of(QueuePairType.RC)) {
            AtomicInteger seen = new AtomicInteger();
            AtomicReference<Throwable> failure = new AtomicReference<>();
            for (int i = 0; i < 16; i++) {
                link.right.receive(i, i * 8L, 8);
            }
            Thread receiver = Thread.ofPlatform().start(() -> {
                try {
                    while (seen.get() < 200) {
                        link.right.await();
                        assertTrue(link.right.one.isSuccess(0));
                        link.right.receive(seen.incrementAndGet(), 0, 8);
                    }
                } catch (RuntimeException | AssertionError e) {
                    failure.set(e);
                }
            });
            for (int i = 0; i < 200; i++) {
                link.left.sends.send(i).add(link.left.region, 0, 8).signalled();
                link.left.post();
                link.left.await();
                assertTrue(link.left.one.isSuccess(0));
            }
            receiver.join();
            assertNull(failure.get());
            assertEquals(200, seen.get());
        }
    }

    @Test
    void await_withoutACompletion_endsAtItsTime() {
        try (Link link = Link.of(QueuePairType.RC)) {
            long start = System.nanoTime();
            assertEquals(0, link.left.queue.await(link.left.one, Guest.MOMENT_NS));
            assertTrue(System.nanoTime() - start >= Guest.MOMENT_NS);
            assertNull(link.left.channel.await(0));
            CompletionQueue second = CompletionQueue.create(link.left.context, 4, link.left.channel);
            assertThrows(IllegalStateException.class, () -> second.await(link.left.one, 1));
            CompletionQueue without = CompletionQueue.create(link.left.context, 4);
            assertThrows(IllegalStateException.class, () -> without.await(link.left.one, 1));
        }
    }

    @Test
    void close_besideAWait_endsIt() throws InterruptedException {
        Link link = Link.of(QueuePairType.RC);
        List<Throwable> ends = new ArrayList<>();
        CountDownLatch running = new CountDownLatch(1);
        Thread waiter = Thread.ofPlatform().start(() -> {
            running.countDown();
            try {
                link.left.queue.await(link.left.one, Guest.PATIENCE_NS * 10);
            } catch (IllegalStateException e) {
                ends.add(e);
            }
        });
        running.await();
        link.close();
        waiter.join();
        assertInstanceOf(IllegalStateException.class, ends.getFirst());
    }

    /** An armed channel that waits for solicited receives alone stays silent for others. */
    @Test
    void arm_forSolicitedReceives_ignoresOthers() {
        try (Link link = Link.of(QueuePairType.RC)) {
            link.right.receive(1, 0, 8);
            link.right.receive(2, 0, 8);
            link.right.queue.arm(true);
            link.left.sends.send(1).add(link.left.region, 0, 8).signalled();
            link.left.post();
            link.left.await();
            assertNull(link.right.channel.await(Guest.MOMENT_NS));
            link.left.sends.send(2).add(link.left.region, 0, 8).signalled().solicited();
            link.left.post();
            link.left.await();
            assertSame(link.right.queue, link.right.channel.await(Guest.PATIENCE_NS));
        }
    }

    /** Four threads post to one queue pair, each with a batch of its own; each request is done once. */
    @Test
    void post_byFourThreads_keepsEachChainWhole() throws InterruptedException {
        try (Link link = Link.of(QueuePairType.RC)) {
            AtomicReference<Throwable> failure = new AtomicReference<>();
            List<Thread> threads = new ArrayList<>();
            for (int t = 0; t < 4; t++) {
                int thread = t;
                threads.add(Thread.ofPlatform().start(() -> {
                    try {
                        adds(link, thread);
                    } catch (RuntimeException | AssertionError e) {
                        failure.set(e);
                    }
                }));
            }
            int left = 4 * 25;
            while (left > 0 && failure.get() == null) {
                link.left.await();
                assertNull(link.left.one.failure(0));
                left--;
            }
            for (Thread thread : threads) {
                thread.join();
            }
            assertNull(failure.get());
            assertEquals(4 * 25 * 4, link.right.memory().get(ValueLayout.JAVA_LONG, 0));
        }
    }

    private static void adds(Link link, int thread) {
        SendBatch batch = new SendBatch(4, 1);
        for (int i = 0; i < 25; i++) {
            for (int k = 0; k < 4; k++) {
                batch.fetchAndAdd(thread, link.right.region.address(), link.right.region.remoteKey(), 1)
                    .add(link.left.region, 64L * thread, 8);
            }
            batch.signalled();
            while (batch.count() > 0) {
                link.left.pair.post(batch);
                Thread.yield();
            }
        }
    }

    /** Threads post and poll while the context is closed: each of them gets an exception, and the JVM lives. */
    @Test
    void close_besidePostsAndPolls_endsThemWithAnException() throws InterruptedException {
        for (int round = 0; round < 10; round++) {
            Link link = Link.of(QueuePairType.RC);
            CountDownLatch running = new CountDownLatch(2);
            AtomicInteger refused = new AtomicInteger();
            Thread poster = Thread.ofPlatform().start(() -> {
                running.countDown();
                try {
                    while (true) {
                        link.left.sends.clear();
                        link.left.sends.write(1, link.right.region.address(), link.right.region.remoteKey())
                            .add(link.left.region, 0, 8).signalled();
                        link.left.pair.post(link.left.sends);
                        Thread.yield();
                    }
                } catch (IllegalStateException e) {
                    refused.incrementAndGet();
                }
            });
            Thread poller = Thread.ofPlatform().start(() -> {
                running.countDown();
                try {
                    while (true) {
                        link.left.queue.poll(link.left.one);
                        Thread.yield();
                    }
                } catch (IllegalStateException e) {
                    refused.incrementAndGet();
                }
            });
            running.await();
            link.left.close();
            poster.join();
            poller.join();
            link.close();
            assertEquals(2, refused.get());
        }
    }

    @Test
    void dataPath_onceItIsWarm_allocatesNothing() {
        com.sun.management.ThreadMXBean threads =
            (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        try (Link link = Link.of(QueuePairType.RC)) {
            work(link, ROUNDS);
            long before = threads.getCurrentThreadAllocatedBytes();
            work(link, ROUNDS);
            long bytes = threads.getCurrentThreadAllocatedBytes() - before;
            assertTrue(bytes < ROUNDS, () -> bytes + " bytes in " + ROUNDS + " rounds");
        }
    }

    /** Posts a receive and a send, polls both completions, and reads and writes memory of the peer. */
    private static void work(Link link, int rounds) {
        Side left = link.left;
        Side right = link.right;
        for (int i = 0; i < rounds; i++) {
            right.receives.receive(i).add(right.region, 0, 8);
            right.pair.post(right.receives);
            left.sends.send(i).add(left.region, 0, 8).write(i, right.region.address() + 64, right.region.remoteKey())
                .add(left.region, 0, 8).fetchAndAdd(i, right.region.address(), right.region.remoteKey(), 1)
                .add(left.region, 8, 8).signalled();
            left.pair.post(left.sends);
            poll(left);
            poll(right);
        }
    }

    private static void poll(Side side) {
        while (side.queue.poll(side.one) == 0) {
            Thread.onSpinWait();
        }
        if (!side.one.isSuccess(0)) {
            throw new AssertionError(side.one.failure(0));
        }
    }
}
