package io.teff.cluster.net;

import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.message.Answer;
import io.teff.cluster.net.message.HandledBy;
import io.teff.cluster.net.message.MessageType;
import io.teff.cluster.net.message.NetworkException;
import io.teff.cluster.net.message.RequestType;
import io.teff.engine.codec.schema.Codecs;
import io.teff.test.kit.Threads;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Goal: threads that answer, deadlines and ends of sessions meet, and each request still ends once; handlers of a pool
 * never wait for those of others.
 *
 * <p>Method: networks with threads in the process.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class LaterAnswerThreadsTest {
    private static final long PATIENCE_S = 60;
    private static final AtomicInteger NAMES = new AtomicInteger();
    private static final RequestType<Long, Long> LATER = RequestType.of(3, Codecs.LONG, Codecs.LONG);
    private static final RequestType<Long, Long> SLOW = RequestType.of(4, Codecs.LONG, Codecs.LONG);
    private static final MessageType<Long> RUNS = MessageType.of(5, Codecs.LONG);
    private static final int COUNT = 20_000;

    private final String name = "loop:later-answer-threads-test-" + NAMES.incrementAndGet() + "-";

    private NetworkConfig.Builder config(int nid) {
        return PatientConfig.of(nid).listen(name + nid).addresses(to -> name + to).handlerThreads(1).lingerNs(0);
    }

    private static void await(CountDownLatch latch) throws InterruptedException {
        assertTrue(latch.await(PATIENCE_S, TimeUnit.SECONDS));
    }

    private static void awaitNoneOpen(Network network) {
        Threads.await("the end of all requests", () -> network.stats().requestsOpen() == 0);
    }

    /** Three threads try to end each request, and the deadlines of some pass meanwhile. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void completeByManyThreads_endsEachRequestOnce(boolean isAgent) throws Exception {
        final Queue<Answer<Long>> handles = new ConcurrentLinkedQueue<>();
        final AtomicLong ended = new AtomicLong();
        final AtomicBoolean isOver = new AtomicBoolean();
        final List<Thread> threads = new ArrayList<>();
        try (Network one = Network.open(config(1).build()); Network two = Network.open(config(2).build())) {
            two.answerLater(LATER, isAgent ? HandledBy.AGENT : HandledBy.pool("later", 2), (from, number, answer) -> {
                for (int i = 0; i < 3; i++) {
                    handles.add(answer);
                }
            });
            for (int i = 0; i < 3; i++) {
                threads.add(Thread.ofPlatform().start(() -> {
                    while (!isOver.get() || !handles.isEmpty()) {
                        final Answer<Long> next = handles.poll();
                        if (next == null) {
                            Thread.onSpinWait();
                        } else if (next.complete(49L)) {
                            ended.incrementAndGet();
                        }
                    }
                }));
            }
            final SplittableRandom random = new SplittableRandom(7);
            final List<CompletableFuture<Long>> all = new ArrayList<>();
            for (int i = 0; i < COUNT; i++) {
                all.add(one.request(2, LATER, 7L, random.nextInt(4) == 0 ? random.nextLong(1, 2_000_000)
                    : 60_000_000_000L));
            }
            long answered = 0;
            try {
                for (CompletableFuture<Long> request : all) {
                    try {
                        assertEquals(49L, request.join());
                        answered++;
                    } catch (CompletionException e) {
                        assertEquals(NetworkException.Reason.TIMED_OUT, ((NetworkException) e.getCause()).reason());
                    }
                }
                awaitNoneOpen(two);
            } finally {
                isOver.set(true);
            }
            for (Thread thread : threads) {
                thread.join();
            }
            assertTrue(answered <= ended.get() && ended.get() <= COUNT, answered + " of " + ended);
            assertTrue(answered > 0);
            assertEquals(answered, one.stats().requestsAnswered());
        }
    }

    /** The only handler thread is occupied: types with a pool of their own go on, and so does the agent. */
    @Test
    void pool_neverWaitsForOtherHandlers() throws Exception {
        final CountDownLatch busy = new CountDownLatch(1);
        final CountDownLatch free = new CountDownLatch(1);
        final CountDownLatch runs = new CountDownLatch(100);
        final HandledBy pool = HandledBy.pool("runs", 1);
        try (Network one = Network.open(config(1).build()); Network two = Network.open(config(2).build())) {
            two.answer(SLOW, (from, number) -> {
                busy.countDown();
                free.await();
                return number;
            });
            two.handle(RUNS, pool, (from, number) -> {
                assertTrue(Thread.currentThread().getName().contains("-runs-"));
                runs.countDown();
            });
            two.answer(LATER, pool, (from, number) -> number * number);
            final List<CompletableFuture<Long>> slow = new ArrayList<>();
            for (long i = 0; i < 100; i++) {
                slow.add(one.request(2, SLOW, i));
            }
            await(busy);
            for (long i = 0; i < 100; i++) {
                one.send(2, 1, RUNS, i);
            }
            await(runs);
            assertEquals(9L, one.call(2, LATER, 3L));
            assertEquals(100, slow.stream().filter(it -> !it.isDone()).count());
            free.countDown();
            for (CompletableFuture<Long> request : slow) {
                request.get(PATIENCE_S, TimeUnit.SECONDS);
            }
        }
    }

    /** A handler of a pool of one thread that waits for an answer is replaced meanwhile, as shared handlers are. */
    @Test
    void handlerOfAPoolThatWaits_isReplaced() throws Exception {
        final HandledBy pool = HandledBy.pool("nested", 1);
        try (Network one = Network.open(config(1).build()); Network two = Network.open(config(2).build())) {
            one.answer(LATER, pool, (from, depth) -> depth == 0 ? 0 : one.call(2, LATER, depth - 1) + 1);
            two.answer(LATER, pool, (from, depth) -> depth == 0 ? 0 : two.call(1, LATER, depth - 1) + 1);
            assertEquals(100L, one.call(2, LATER, 100L));
        }
    }

    @Test
    void close_withOpenRequests_endsThemAndAllThreads() throws Exception {
        final Queue<Answer<Long>> handles = new ConcurrentLinkedQueue<>();
        final Queue<Thread> threads = new ConcurrentLinkedQueue<>();
        try (Network one = Network.open(config(1).build())) {
            final Network two = Network.open(config(2).build());
            two.answerLater(LATER, HandledBy.pool("closing", 2), (from, number, answer) -> {
                threads.add(Thread.currentThread());
                handles.add(answer);
            });
            final List<CompletableFuture<Long>> all = new ArrayList<>();
            for (int i = 0; i < 1000; i++) {
                all.add(one.request(2, LATER, 7L, Long.MAX_VALUE));
            }
            Threads.await("all handles", () -> handles.size() >= 1000);
            two.close();
            assertTrue(threads.stream().noneMatch(Thread::isAlive));
            all.forEach(it -> assertThrows(CompletionException.class, it::join));
            assertEquals(0, two.stats().requestsOpen());
            assertEquals(1000, two.stats().requestsUnanswered());
            handles.forEach(it -> assertTrue(!it.isOpen() && !it.complete(1L) && !it.fail("late")));
        }
    }

    /** A pool whose first handler is registered after the end of its network has no threads. */
    @Test
    @SuppressWarnings("try")                                    // closed twice on purpose
    void poolOfAClosedNetwork_hasNoThreads() throws IOException {
        try (Network one = Network.open(config(1).build())) {
            one.close();
            one.handle(RUNS, HandledBy.pool("never", 1), (from, number) -> { });
            assertTrue(Thread.getAllStackTraces().keySet().stream().noneMatch(it -> it.getName().contains("-never-")));
        }
    }
}
