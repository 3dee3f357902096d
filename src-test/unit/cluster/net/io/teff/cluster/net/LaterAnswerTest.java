package io.teff.cluster.net;

import io.teff.cluster.net.agent.StillNetworks;
import io.teff.cluster.net.message.Answer;
import io.teff.cluster.net.message.HandledBy;
import io.teff.cluster.net.message.MessageType;
import io.teff.cluster.net.message.NetworkException;
import io.teff.cluster.net.message.NetworkException.Reason;
import io.teff.cluster.net.message.NetworkListener;
import io.teff.cluster.net.message.RequestType;
import io.teff.engine.codec.schema.Codecs;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Goal: a request whose handler answers later ends once, is found when its caller waits no longer, and keeps nothing
 * from then on, whatever becomes of its handle.
 *
 * <p>Method: two nodes in one thread and virtual time; the test has the handles, and answers when it likes.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class LaterAnswerTest {
    private static final RequestType<Long, Long> LATER = RequestType.of(3, Codecs.LONG, Codecs.LONG);
    private static final RequestType<Long, byte[]> LONG_ANSWERS = RequestType.of(4, Codecs.LONG, Codecs.BYTES);
    private static final MessageType<byte[]> FILLERS = MessageType.of(5, Codecs.BYTES);
    private static final long STEP_NS = 5_000_000;
    private static final long TIMEOUT_NS = 1_000_000_000;
    private static final int MANY = 5000;

    private final StillNetworks still = new StillNetworks(1);
    private final List<Answer<Long>> handles = new ArrayList<>();
    private final List<Throwable> failures = new ArrayList<>();
    private final Network one;
    private final Network two;

    LaterAnswerTest() throws IOException {
        one = still.open(still.config(1).ringBytes(1 << 16, 1 << 16).sendTimeoutNs(0));
        two = still.open(still.config(2).ringBytes(1 << 16, 1 << 16).listener(new NetworkListener() {
            @Override
            public void failed(int nid, int type, Throwable thrown) {
                failures.add(thrown);
            }
        }));
        two.handle(FILLERS, (from, message) -> { });
    }

    @AfterEach
    void close() {
        still.settle(20, STEP_NS);
        still.audit();
        still.close();
    }

    private void keepHandles(HandledBy by) {
        two.answerLater(LATER, by, (from, number, answer) -> handles.add(answer));
    }

    private static HandledBy by(boolean isAgent) {
        return isAgent ? HandledBy.AGENT : HandledBy.HANDLERS;
    }

    private CompletableFuture<Long> ask() {
        return one.request(2, LATER, 7L, TIMEOUT_NS);
    }

    private static Reason reason(CompletableFuture<?> request) {
        assertTrue(request.isDone(), "it has not ended");
        final Throwable why = assertThrows(CompletionException.class, request::join).getCause();
        return ((NetworkException) why).reason();
    }

    private List<Long> openAndUnanswered() {
        return List.of(two.stats().requestsOpen(), two.stats().requestsUnanswered());
    }

    // ---- answers ----

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void complete_later_answersOnce(boolean isAgent) {
        keepHandles(by(isAgent));
        final CompletableFuture<Long> request = ask();
        still.settle(10, STEP_NS);
        assertFalse(request.isDone());
        assertEquals(List.of(1L, 0L), openAndUnanswered());
        final Answer<Long> handle = handles.getFirst();
        assertTrue(handle.isOpen());
        assertEquals(1, handle.from());
        assertTrue(handle.complete(49L));
        assertFalse(handle.isOpen());
        assertFalse(handle.complete(50L));
        assertFalse(handle.fail("too late"));
        still.settle(10, STEP_NS);
        assertEquals(49L, request.join());
        assertEquals(List.of(0L, 0L), openAndUnanswered());
        assertEquals(1, one.stats().requestsAnswered());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void complete_inTheHandler_answers(boolean isAgent) {
        two.answerLater(LATER, by(isAgent), (from, number, answer) -> {
            assertTrue(answer.complete(number + 1));
            assertFalse(answer.complete(number + 2));
        });
        final CompletableFuture<Long> request = ask();
        still.settle(10, STEP_NS);
        assertEquals(8L, request.join());
        assertEquals(List.of(0L, 0L), openAndUnanswered());
    }

    @Test
    void fail_endsTheRequestWithItsReason() {
        keepHandles(HandledBy.AGENT);
        final CompletableFuture<Long> request = ask();
        still.settle(10, STEP_NS);
        assertTrue(handles.getFirst().fail("no such chunk"));
        still.settle(10, STEP_NS);
        assertEquals(Reason.FAILED, reason(request));
        assertEquals("node 2: no such chunk", assertThrows(CompletionException.class, request::join).getCause()
            .getMessage());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void handlerThatThrows_failsTheRequest(boolean isAgent) {
        two.answerLater(LATER, by(isAgent), (from, number, answer) -> {
            handles.add(answer);
            throw new IllegalStateException("planned");
        });
        final CompletableFuture<Long> request = ask();
        still.settle(10, STEP_NS);
        assertEquals(Reason.FAILED, reason(request));
        assertFalse(handles.getFirst().complete(1L));
        assertEquals(1, failures.size());
        assertEquals(List.of(0L, 0L), openAndUnanswered());
    }

    @Test
    void handlerThatThrowsBehindItsAnswer_isReportedOnly() {
        two.answerLater(LATER, HandledBy.AGENT, (from, number, answer) -> {
            answer.complete(1L);
            throw new IllegalStateException("planned");
        });
        final CompletableFuture<Long> request = ask();
        still.settle(10, STEP_NS);
        assertEquals(1L, request.join());
        assertEquals(1, failures.size());
    }

    @Test
    @SuppressWarnings("NullAway")                               // wrong on purpose
    void answerThatCannotBeWritten_failsTheRequest() {
        keepHandles(HandledBy.AGENT);
        final CompletableFuture<Long> request = ask();
        still.settle(10, STEP_NS);
        assertTrue(handles.getFirst().complete(null));
        still.settle(10, STEP_NS);
        assertEquals(Reason.FAILED, reason(request));
        assertEquals(1, failures.size());
    }

    @Test
    void messageThatIsNoRequest_hasAHandleThatHasEnded() {
        keepHandles(HandledBy.AGENT);
        one.send(2, LATER.request(), 7L);
        still.settle(10, STEP_NS);
        assertFalse(handles.getFirst().isOpen());
        assertFalse(handles.getFirst().complete(1L));
        assertEquals(List.of(0L, 0L), openAndUnanswered());
    }

    /** While an answer has no room, it is kept; the thread that answers does not wait. */
    @Test
    void complete_withoutRoom_returnsAndIsSentInTime() {
        final List<Answer<byte[]>> longOnes = new ArrayList<>();
        two.answerLater(LONG_ANSWERS, HandledBy.AGENT, (from, number, answer) -> longOnes.add(answer));
        final List<CompletableFuture<byte[]>> requests = new ArrayList<>();
        for (long i = 0; i < 100; i++) {
            requests.add(one.request(2, LONG_ANSWERS, i, TIMEOUT_NS));
        }
        still.settle(10, STEP_NS);
        longOnes.forEach(it -> assertTrue(it.complete(new byte[5000])));
        still.settle(10, STEP_NS);
        requests.forEach(it -> assertEquals(5000, it.join().length));
    }

    /** The bytes of requests that wait count as handled: more of them are open than fit into the window. */
    @Test
    void openRequests_leaveTheWindowToOthers() throws IOException {
        keepHandles(HandledBy.HANDLERS);
        final int count = 2 * (1 << 20) / 32;
        for (int i = 0; i < count; i++) {
            var _ = ask();
            if (i % 100 == 0) {
                still.settle(2, 0);
            }
        }
        still.settle(10, 1);
        assertEquals(count, handles.size());
        assertEquals(count, two.stats().requestsOpen());
        still.audit();
        handles.forEach(it -> it.complete(1L));
        still.settle(10, STEP_NS);
        assertEquals(count, one.stats().requestsAnswered());
    }

    // ---- callers that wait no longer ----

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void handleThatIsNeverCompleted_endsWithTheDeadline(boolean isAgent) {
        keepHandles(by(isAgent));
        for (int i = 0; i < MANY; i++) {
            var _ = ask();
            if (i % 100 == 0) {
                still.settle(2, 0);
            }
        }
        still.settle(2, 0);
        assertEquals(List.of((long) MANY, 0L), openAndUnanswered());
        still.nowNs += TIMEOUT_NS;
        still.settle(20, STEP_NS);
        assertEquals(MANY, one.stats().requestsTimedOut());
        assertEquals(List.of(0L, (long) MANY), openAndUnanswered());
        handles.forEach(it -> assertFalse(it.isOpen() || it.complete(1L)));
    }

    /** What says that the callers have given up finds no room at first. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void handleWhoseWithdrawalHasNoRoom_endsLater(boolean isLong) {
        keepHandles(HandledBy.HANDLERS);
        final List<CompletableFuture<Long>> all = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            all.add(ask());
        }
        still.settle(10, 1);
        while (one.offer(2, 0, FILLERS, new byte[isLong ? 5000 : 10])) {
            assertEquals(300, two.stats().requestsOpen());      // the peer takes nothing meanwhile
        }
        all.forEach(it -> it.cancel(false));
        assertEquals(0, one.stats().requestsInFlight());
        assertEquals(300, two.stats().requestsOpen());
        still.settle(20, STEP_NS);
        assertEquals(List.of(0L, 300L), openAndUnanswered());
    }

    /** The table of recent withdrawals has forgotten the number by the time when its handler has its turn. */
    @Test
    void requestWithdrawnBeforeItsHandler_isNotHandled() throws IOException {
        final List<Runnable> tasks = new ArrayList<>();
        keepHandles(HandledBy.executor(tasks::add));
        final int count = 3 * 4096;
        for (int i = 0; i < count; i++) {
            ask().cancel(false);
            if (i % 100 == 0) {
                still.settle(2, 0);
            }
        }
        still.settle(10, STEP_NS);
        tasks.forEach(Runnable::run);
        assertEquals(0, handles.size());
        assertEquals(count, two.stats().requestsWithdrawn());
        assertEquals(List.of(0L, 0L), openAndUnanswered());
    }

    @Test
    void executorThatRefuses_failsTheRequest() {
        keepHandles(HandledBy.executor(_ -> {
            throw new IllegalStateException("planned");
        }));
        final CompletableFuture<Long> request = ask();
        still.settle(10, STEP_NS);
        assertEquals(Reason.FAILED, reason(request));
        assertEquals(List.of(0L, 0L), openAndUnanswered());
    }

    // ---- links and sessions ----

    @Test
    void complete_afterTheLinkWasLost_isSentOverTheNext() {
        keepHandles(HandledBy.AGENT);
        final CompletableFuture<Long> request = ask();
        still.settle(10, STEP_NS);
        Objects.requireNonNull(NetworkAccess.agent(two).connection(1).channel()).fail(new IOException("planned"));
        assertTrue(handles.getFirst().isOpen());
        assertTrue(handles.getFirst().complete(49L));
        still.settle(50, STEP_NS);
        assertEquals(49L, request.join());
        assertEquals(1, one.stats().sessionsResumed());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void endOfTheSession_endsItsHandles(boolean isOwn) {
        keepHandles(HandledBy.AGENT);
        final CompletableFuture<Long> request = ask();
        still.settle(10, STEP_NS);
        close(isOwn ? two : one);
        assertEquals(isOwn ? Reason.LOST : Reason.CLOSED, reason(request));
        assertEquals(List.of(0L, 1L), openAndUnanswered());
        final Answer<Long> handle = handles.getFirst();
        assertFalse(handle.isOpen());
        assertFalse(handle.complete(1L));
        assertFalse(handle.fail("late"));
        assertEquals(0, failures.size());
    }

    private void close(Network network) {
        network.close();
        still.all.remove(network);
        still.settle(10, STEP_NS);
    }

    @Test
    void handlerThatRunsBehindTheEndOfItsSession_hasAHandleThatHasEnded() {
        final List<Runnable> tasks = new ArrayList<>();
        keepHandles(HandledBy.executor(tasks::add));
        var _ = ask();
        still.settle(10, STEP_NS);
        close(one);
        tasks.forEach(Runnable::run);
        assertEquals(List.of(0L, 0L), openAndUnanswered());
        assertTrue(handles.isEmpty());
    }

    // ---- executors and lanes ----

    /** A lane is in order for each executor; types of another executor do not wait for it. */
    @Test
    void lane_ofTwoExecutors_isInOrderInEach() {
        final List<Runnable> tasks = new ArrayList<>();
        final List<Long> slow = new ArrayList<>();
        final List<Long> fast = new ArrayList<>();
        final MessageType<Long> slowType = MessageType.of(11, Codecs.LONG);
        final MessageType<Long> fastType = MessageType.of(12, Codecs.LONG);
        two.handle(slowType, HandledBy.executor(tasks::add), (from, number) -> slow.add(number));
        two.handle(fastType, HandledBy.executor(Runnable::run), (from, number) -> fast.add(number));
        for (long i = 0; i < 10; i++) {
            one.send(2, 1, i % 2 == 0 ? slowType : fastType, i);
        }
        still.settle(10, STEP_NS);
        assertEquals(List.of(1L, 3L, 5L, 7L, 9L), fast);
        assertEquals(1, tasks.size());                          // a lane is one task
        tasks.getFirst().run();
        assertEquals(List.of(0L, 2L, 4L, 6L, 8L), slow);
    }
}
