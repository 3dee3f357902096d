package io.teff.cluster.net;

import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.message.NetworkException;
import io.teff.cluster.net.message.NetworkException.Reason;
import io.teff.cluster.net.message.RequestType;
import io.teff.engine.codec.schema.Codecs;
import io.teff.test.kit.Form;
import io.teff.test.kit.Threads;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Goal: no wait for an answer stops a node. The agent's thread is refused each of them, and handlers that wait leave
 * their place to others.
 *
 * <p>Method: two networks in the process with one handler thread each; waits by every method of a future, at every
 * place where the agent calls the application; calls that lead to calls in the other direction.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class AnswerWaitTest {
    private static final long PATIENCE_S = 60;
    /** How long code of the application stops an agent. */
    private static final long STOPPED_NS = 2_000_000_000;
    private static final long STILL_NS = 3_000_000_000L;
    private static final long REQUEST_NS = 100_000_000;
    private static final int DEPTH = 8;
    /** A multiple of 8, as frames are padded. */
    private static final int REQUEST_BYTES = 2000;
    private static final int HEAD_BYTES = 24;
    private static final AtomicInteger NAMES = new AtomicInteger();
    private static final RequestType<Long, Long> SQUARES = RequestType.of(3, Codecs.LONG, Codecs.LONG);
    private static final RequestType<Long, Long> NESTED = RequestType.of(4, Codecs.LONG, Codecs.LONG);
    private static final RequestType<Long, Long> SILENT = RequestType.of(5, Codecs.LONG, Codecs.LONG);
    private static final RequestType<Long, Long> SHORT = RequestType.of(6, Codecs.LONG, Codecs.LONG);

    private final String name = "loop:answer-wait-test-" + NAMES.incrementAndGet() + "-";
    private final CountDownLatch free = new CountDownLatch(1);
    private Network one;
    private Network two;

    /** The ways in which a thread waits for a future, or for a stage that is chained to it. */
    enum Wait {
        JOIN(CompletableFuture::join),
        GET(CompletableFuture::get),
        TIMED_GET(it -> it.get(PATIENCE_S, TimeUnit.SECONDS)),
        STAGE_JOIN(it -> it.thenApply(Function.identity()).join()),
        STAGE_GET(it -> it.thenCombine(it, Long::sum).handle((sum, thrown) -> sum).get()),
        COMPOSED(it -> it.thenCompose(CompletableFuture::completedFuture).join()),
        COPY(it -> it.copy().join()),
        OR_TIMEOUT(it -> it.orTimeout(PATIENCE_S, TimeUnit.SECONDS).join()),
        ON_TIMEOUT(it -> it.completeOnTimeout(1L, PATIENCE_S, TimeUnit.SECONDS).get());

        /** Waits. */
        @FunctionalInterface
        interface Body {
            Long await(CompletableFuture<Long> future) throws Exception;
        }

        private final Body body;

        Wait(Body body) {
            this.body = body;
        }
    }

    private Network open(int nid) throws IOException {
        final NetworkConfig config = PatientConfig.of(nid).listen(name + nid).addresses(to -> name + to)
            .handlerThreads(1).build();
        return Network.open(config, it -> {
            it.answer(SQUARES, (from, number) -> number * number);
            it.answer(NESTED, (from, depth) -> depth == 0 ? 0 : it.call(from, NESTED, depth - 1) + 1);
            it.answer(SILENT, (from, number) -> {
                free.await();
                return number;
            });
        });
    }

    @BeforeEach
    void openNetworks() throws IOException {
        one = open(1);
        two = open(2);
    }

    @AfterEach
    void closeNetworks() {
        free.countDown();
        try (Network first = one; Network second = two) {
            assertEquals(List.of(0L, 0L), List.of(first.stats().requestsInFlight(), second.stats().requestsInFlight()));
        }
    }

    // ---- the agent's thread ----

    /** The answer comes when the stage is attached; behind the answer, the stage would run on this thread. */
    @ParameterizedTest
    @EnumSource
    void waitInAStage_isRefused(Wait wait) throws Exception {
        final CompletableFuture<Throwable> thrown = one.request(2, SILENT, 2L).handle((answer, failure) -> {
            final CompletableFuture<Long> another = one.request(2, SQUARES, answer);
            return assertThrows(Exception.class, () -> wait.body.await(another));
        });
        free.countDown();
        assertRefused(thrown.get(PATIENCE_S, TimeUnit.SECONDS));
        assertEquals(9L, one.call(2, SQUARES, 3L));
    }

    @ParameterizedTest
    @EnumSource
    void waitInAShortHandler_isRefused(Wait wait) throws Exception {
        final AtomicReference<Throwable> thrown = new AtomicReference<>();
        two.answerShort(SHORT, (from, number) -> {
            final CompletableFuture<Long> another = two.request(1, SQUARES, number);
            thrown.set(assertThrows(Exception.class, () -> wait.body.await(another)));
            return number;
        });
        assertEquals(2L, one.call(2, SHORT, 2L));
        assertRefused(thrown.get());
        assertEquals(9L, two.call(1, SQUARES, 3L));
    }

    private static void assertRefused(Throwable thrown) {
        assertInstanceOf(IllegalStateException.class, thrown);
        assertTrue(thrown.getMessage().contains("the agent's thread cannot wait for an answer"), thrown::getMessage);
    }

    /** A stage of a request that has ended by its deadline runs on the agent's thread, too, and the agent goes on. */
    @Test
    void refusedWait_leavesTheAgentItsTimers() throws Exception {
        final CompletableFuture<Long> first = one.request(2, SILENT, 1L, 20_000_000);
        final CompletableFuture<Long> waits = first.handle((answer, failure) -> one.request(2, SILENT, 2L).join());
        assertInstanceOf(IllegalStateException.class,
            assertThrows(ExecutionException.class, () -> waits.get(PATIENCE_S, TimeUnit.SECONDS)).getCause());
        final CompletableFuture<Long> later = one.request(2, SILENT, 3L, 20_000_000);
        final Throwable late = assertThrows(ExecutionException.class, () -> later.get(PATIENCE_S, TimeUnit.SECONDS));
        assertEquals(Reason.TIMED_OUT, ((NetworkException) late.getCause()).reason());
        free.countDown();
        one.call(2, SQUARES, 3L);
        awaitNone(one);
    }

    @Test
    void endedFuture_isNoWait() throws Exception {
        final CompletableFuture<Long> same = one.request(2, SQUARES, 3L).thenCompose(answer -> {
            final CompletableFuture<Long> open = one.request(2, SILENT, 1L);
            assertNull(open.getNow(null));
            assertThrows(Exception.class, () -> open.get(0, TimeUnit.SECONDS));
            assertThrows(IllegalStateException.class, open::resultNow);
            open.cancel(true);
            assertThrows(Exception.class, open::join);
            return CompletableFuture.completedFuture(answer);
        });
        assertEquals(9L, same.get(PATIENCE_S, TimeUnit.SECONDS));
        assertEquals(9L, same.join());
        free.countDown();
    }

    /** Futures that do not know their agent, of a request that is not answered in time. */
    enum Derived {
        ALL_OF(it -> CompletableFuture.allOf(it, it)),
        ANY_OF(it -> CompletableFuture.anyOf(it, it)),
        MINIMAL(it -> it.minimalCompletionStage().toCompletableFuture()),
        OUTER_STAGE(it -> CompletableFuture.completedFuture(1L).thenCombine(it, Long::sum)),
        OUTER_COMPOSED(it -> CompletableFuture.completedFuture(1L).thenCompose(_ -> it));

        private final Function<CompletableFuture<Long>, CompletableFuture<?>> derive;

        Derived(Function<CompletableFuture<Long>, CompletableFuture<?>> derive) {
            this.derive = derive;
        }
    }

    /** A request that waits for a derived future on the agent's thread. */
    private CompletableFuture<Long> stopAgent(Derived derived, long timeoutNs, CountDownLatch waits) {
        return one.request(2, SQUARES, 2L).thenApply(answer -> {
            final CompletableFuture<?> other = derived.derive.apply(one.request(2, SILENT, 1L, timeoutNs));
            waits.countDown();
            other.join();
            return answer;
        });
    }

    /** Calls until the agent works again, whose wait ends with the deadline of what it waits for. */
    private long callUntilAnswered() throws InterruptedException {
        while (true) {
            try {
                return one.call(2, SQUARES, 3L, 500_000_000);
            } catch (NetworkException e) {
                assertEquals(Reason.TIMED_OUT, e.reason());
            }
        }
    }

    private static @Nullable Throwable thrown(Executable call) {
        try {
            call.execute();
            return null;
        } catch (Throwable e) {
            return e;
        }
    }

    /** Each waits for seconds of real time: the gate has one way to derive a future, full has all. */
    private static Stream<Derived> waits() {
        return Stream.of(Derived.values()).limit(Form.isFull() ? Derived.values().length : 1);
    }

    @ParameterizedTest
    @MethodSource("waits")
    void waitForADerivedFuture_endsByTheDeadlineWhenOthersCall(Derived derived) throws Exception {
        final CountDownLatch waits = new CountDownLatch(1);
        final long begunNs = System.nanoTime();
        final CompletableFuture<Long> stopped = stopAgent(derived, STOPPED_NS, waits);
        waits.await();
        final Throwable late = thrown(() -> one.call(2, SQUARES, 3L, 800_000_000));
        if (System.nanoTime() - begunNs < STOPPED_NS) {         // else the machine was too busy: the agent goes on
            assertEquals(Reason.TIMED_OUT, assertInstanceOf(NetworkException.class, late).reason());
            assertTrue(late.getMessage().contains("the agent's thread, which brings answers, stands still"),
                late::getMessage);
        }
        free.countDown();
        assertEquals(9L, callUntilAnswered());
        final Throwable thrown = assertThrows(ExecutionException.class,
            () -> stopped.get(PATIENCE_S, TimeUnit.SECONDS));
        assertEquals(Reason.TIMED_OUT, ((NetworkException) thrown.getCause()).reason());
    }

    /** Each request that ends sends another one: their number must not be a depth of the stack. */
    @Test
    void requestsBehindAnAgentThatStandsStill_endOneAfterTheOther() throws Exception {
        final CountDownLatch waits = new CountDownLatch(1);
        final ThreadLocal<int[]> depth = ThreadLocal.withInitial(() -> new int[1]);
        final AtomicInteger deepest = new AtomicInteger();
        final AtomicInteger ended = new AtomicInteger();
        final long begunNs = System.nanoTime();
        final CompletableFuture<Long> unusedFuture = stopAgent(Derived.ALL_OF, STILL_NS, waits);
        waits.await();
        free.countDown();
        final int count = 500;
        for (int i = 0; i < count; i++) {
            one.request(2, SILENT, 1L, REQUEST_NS).exceptionally(thrown -> {
                final int[] its = depth.get();
                its[0]++;
                deepest.accumulateAndGet(its[0], Math::max);
                ended.incrementAndGet();
                try {
                    final CompletableFuture<Long> unusedAnswer = one.request(2, SILENT, 2L, REQUEST_NS);
                } finally {
                    its[0]--;
                }
                return 0L;
            });
        }
        final boolean isInTime = System.nanoTime() - begunNs < STILL_NS - REQUEST_NS;
        assertEquals(9L, callUntilAnswered());
        awaitNone(one);
        assertTrue(ended.get() > 0 || !isInTime);               // else the agent went on before, and they are answered
        assertEquals(1, deepest.get(), "an action in an action");
    }

    @ParameterizedTest
    @EnumSource
    void waitForADerivedFuture_endsByTheClose(Derived derived) throws Exception {
        final CountDownLatch waits = new CountDownLatch(1);
        final CompletableFuture<Long> stopped = stopAgent(derived, 60_000_000_000L, waits);
        waits.await();
        one.close();
        final Throwable thrown = assertThrows(ExecutionException.class,
            () -> stopped.get(PATIENCE_S, TimeUnit.SECONDS));
        assertEquals(Reason.CLOSED, ((NetworkException) thrown.getCause()).reason());
    }

    // ---- handlers ----

    @Test
    void callsThatLeadToCalls_needNoMoreHandlerThreads() throws InterruptedException {
        assertEquals(DEPTH, one.call(2, NESTED, (long) DEPTH));
        assertEquals(1L, two.call(1, NESTED, 1L));
    }

    @Test
    void manyCallsThatLeadToCalls_needNoMoreHandlerThreads() {
        final List<CompletableFuture<Long>> all = new ArrayList<>();
        for (int i = 0; i < Form.size(100, 1000); i++) {
            all.add((i % 2 == 0 ? one : two).request(i % 2 == 0 ? 2 : 1, NESTED, (long) DEPTH));
        }
        all.forEach(it -> assertEquals(DEPTH, it.join()));
    }

    @ParameterizedTest
    @EnumSource
    void handlersThatWait_needNoMoreHandlerThreads(Wait wait) throws InterruptedException {
        for (Network network : List.of(one, two)) {
            network.answer(SHORT, (from, depth) -> {
                if (depth > 0) {
                    wait.body.await(network.request(from, SHORT, depth - 1));
                }
                return depth;
            });
        }
        assertEquals(DEPTH, one.call(2, SHORT, (long) DEPTH));
    }

    // ---- requests that were given up ----

    @Test
    void requestWithACompletedFuture_isGivenUp() {
        for (int i = 0; i < 3; i++) {
            final CompletableFuture<Long> request = one.request(2, SILENT, 1L);
            switch (i) {
                case 0 -> request.cancel(true);
                case 1 -> request.complete(7L);
                default -> assertThrows(CompletionException.class,
                    () -> request.orTimeout(1, TimeUnit.MILLISECONDS).join());
            }
            awaitNone(one);
            final int failed = i + 1;
            Threads.await("it is counted", () -> one.stats().requestsFailed() >= failed);
            assertEquals(failed, one.stats().requestsFailed());
        }
    }

    /** The next call on the stream arrives behind the withdrawals; the first request occupies the handler thread. */
    @Test
    void requestsThatWereGivenUp_areNotHandled() throws Exception {
        final AtomicInteger handled = new AtomicInteger();
        final CompletableFuture<Void> begun = new CompletableFuture<>();
        two.answer(RequestType.of(9, Codecs.LONG, Codecs.LONG), (from, number) -> {
            begun.complete(null);
            handled.incrementAndGet();
            free.await();
            return number;
        });
        two.answerShort(SHORT, (from, number) -> number);
        final RequestType<Long, Long> type = RequestType.of(9, Codecs.LONG, Codecs.LONG);
        final CompletableFuture<Long> first = one.request(2, type, 0L);
        begun.get(PATIENCE_S, TimeUnit.SECONDS);
        final int count = Form.size(500, 2000);
        final List<CompletableFuture<Long>> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(one.request(2, type, (long) i, i % 2 == 0 ? 1_000_000 : 60_000_000_000L));
        }
        for (int i = 0; i < count; i++) {
            final CompletableFuture<Long> its = all.get(i);
            if (i % 2 == 0) {
                assertThrows(CompletionException.class, its::join);
            } else {
                its.cancel(false);
            }
        }
        one.call(2, SHORT, 1L);
        free.countDown();
        assertEquals(0L, first.get(PATIENCE_S, TimeUnit.SECONDS));
        Threads.await("all withdrawals", () -> two.stats().requestsWithdrawn() >= count);
        assertEquals(1, handled.get());
    }

    /** As many requests wait as there is credit for: what ends their wait must get through. */
    @Test
    void requestsThatWereGivenUp_areNotHandledThoughTheWindowIsFull() throws Exception {
        final AtomicInteger handled = new AtomicInteger();
        final RequestType<byte[], Long> type = RequestType.of(9, Codecs.BYTES, Codecs.LONG);
        two.answer(type, (from, bytes) -> {
            handled.incrementAndGet();
            free.await();
            return 1L;
        });
        final List<CompletableFuture<Long>> all = new ArrayList<>();
        int count = 0;
        while (count < 10_000) {
            try {
                final CompletableFuture<Long> request = one.request(2, type, new byte[REQUEST_BYTES], 100_000_000);
                all.add(request);
                if (request.isDone()) {                         // it may have ended while it waited for room: not sent
                    break;
                }
                count++;
            } catch (NetworkException e) {
                assertEquals(Reason.TIMED_OUT, e.reason());
                break;
            }
        }
        all.forEach(it -> assertThrows(CompletionException.class, it::join));
        final int sent = count;
        final long bytes = sent * (REQUEST_BYTES + 2L * HEAD_BYTES);
        Threads.await("withdrawals arrive", () -> two.stats(1).bytesReceived() >= bytes);
        final int started = handled.get();                      // more of them on a busy machine
        two.answerShort(SHORT, (from, number) -> number);
        final CompletableFuture<Long> behind = CompletableFuture.supplyAsync(() -> one.request(2, SHORT, 1L).join());
        free.countDown();
        assertEquals(1L, behind.get(PATIENCE_S, TimeUnit.SECONDS));
        Threads.await("all ended", () -> two.stats().requestsWithdrawn() + two.stats().messagesHandled() >= sent);
        assertTrue(handled.get() - started < sent / 10 + 10, handled + " of " + sent + ", before " + started);
    }

    private static void awaitNone(Network network) {
        Threads.await("the end of all requests", () -> network.stats().requestsInFlight() == 0);
    }
}
