package io.teff.cluster.net.agent;

import io.teff.cluster.net.Network;
import io.teff.cluster.net.NetworkAccess;
import io.teff.cluster.net.agent.HeldLinks.HeldLink;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.message.MessageType;
import io.teff.cluster.net.message.NetworkException;
import io.teff.cluster.net.message.RequestType;
import io.teff.cluster.net.stream.Session;
import io.teff.cluster.net.transport.Capability;
import io.teff.engine.codec.schema.Codecs;
import io.teff.test.kit.Threads;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Goal: a caller that waits for an answer writes its request itself while the agent sleeps, and only then; the
 * remaining work is the agent's, and nothing is lost or sent twice if a thread does not return from a write.
 *
 * <p>Method: two networks without threads, over links advanced by the test. A thread that holds the agent's duty stands
 * for a busy agent.
 */
final class SenderFlushTest {
    private static final RequestType<Long, Long> SQUARES = RequestType.of(2, Codecs.LONG, Codecs.LONG);
    private static final MessageType<byte[]> BYTES = MessageType.of(3, Codecs.BYTES);
    private static final long MILLISECOND = 1_000_000;
    private static final long SECOND = 1000 * MILLISECOND;

    private final HeldLinks links = new HeldLinks();
    private final StillNetworks still = new StillNetworks(SECOND);
    private final List<Long> asked = new ArrayList<>();

    private Network open(int nid, int transports) throws IOException {
        final NetworkConfig.Builder its = NetworkConfig.builder(nid).listen(HeldLinks.ADDRESS + nid)
            .addresses(to -> HeldLinks.ADDRESS + to).handlers(Runnable::run).ringBytes(1 << 16, 1 << 16)
            .sendTimeoutNs(0);
        final Transports all = new Transports(Map.of("held", () -> links.transport(nid),
            "other", () -> new HeldLinks().transport(nid)), false);
        final Network network = still.open(its, all);
        if (transports > 1) {
            all.of("other:");
        }
        network.answer(SQUARES, (_, number) -> {
            asked.add(number);
            return number * number;
        });
        network.handle(BYTES, (_, _) -> { });
        return network;
    }

    @BeforeEach
    void open() throws IOException {
        begin(1);
    }

    /** Opens two nodes with a resting link. */
    private void begin(int transports) throws IOException {
        links.capabilities = Set.of(Capability.SENDERS_WRITE);
        open(1, transports);
        open(2, transports);
        final CompletableFuture<Long> first = ask(1);
        pass(SECOND);
        assertEquals(1, first.join());
        asked.clear();
    }

    @AfterEach
    void close() {
        still.close();
    }

    private CompletableFuture<Long> ask(long number) {
        return NetworkAccess.begin(still.first(), 2, SQUARES, number, 60 * SECOND, true);
    }

    private void pass(long ns) {
        for (final long end = still.nowNs + ns; still.nowNs < end; still.nowNs += MILLISECOND) {
            for (int work = 1; work > 0; ) {
                work = links.passAll() + still.work();
            }
        }
    }

    private HeldLink link() {
        return links.open();
    }

    private boolean isWritten() {
        return link().listener.next() != null;
    }

    private void assertIsAnswered(CompletableFuture<Long> request, long number) {
        pass(SECOND / 10);
        assertTrue(request.isDone(), "it was not sent");
        assertEquals(number * number, request.join());
        assertEquals(List.of(number), asked);
        asked.clear();
    }

    // ---- while the agent sleeps ----

    @Test
    void request_agentSleeps_isWrittenAtOnce() {
        for (long number = 2; number < 5; number++) {
            final CompletableFuture<Long> request = ask(number);
            assertTrue(isWritten());
            assertEquals(0, NetworkAccess.agent(still.first()).doWork(), "the agent was told");
            assertIsAnswered(request, number);
        }
    }

    @Test
    void request_withoutAWaiter_isWrittenByTheAgent() {
        final CompletableFuture<Long> request = still.first().request(2, SQUARES, 2L, 60 * SECOND);
        assertFalse(isWritten());
        assertIsAnswered(request, 2);
    }

    @Test
    void call_agentSleeps_isWrittenAtOnce() throws InterruptedException {
        assertTrue(isWrittenByCall(Thread.ofPlatform()));
    }

    /** A virtual thread may lose its carrier for long while it holds the duty. */
    @Test
    void call_ofAVirtualThread_isTheAgents() throws InterruptedException {
        assertFalse(isWrittenByCall(Thread.ofVirtual()));
    }

    @Test
    void callWhoseTimeIsOver_endsItself_thoughNoAgentRuns() {
        final Network network = still.first();
        final NetworkException thrown = assertThrows(NetworkException.class, () -> network.call(2, SQUARES, 2L, 1));
        assertEquals(NetworkException.Reason.TIMED_OUT, thrown.reason());
        assertEquals(1, network.stats().requestsTimedOut());
        assertEquals(0, network.stats().requestsInFlight());
        assertThrows(IllegalArgumentException.class, () -> network.call(2, SQUARES, 2L, 0));
    }

    private boolean isWrittenByCall(Thread.Builder kind) throws InterruptedException {
        final CompletableFuture<Long> called = new CompletableFuture<>();
        final Thread caller = kind.start(() -> {
            try {
                called.complete(still.first().call(2, SQUARES, 2L));
            } catch (InterruptedException e) {
                called.completeExceptionally(e);
            }
        });
        Threads.await("the caller waits", () -> caller.getState() == Thread.State.TIMED_WAITING || !caller.isAlive());
        final boolean isWritten = isWritten();
        pass(SECOND / 10);
        caller.join();
        assertIsAnswered(called, 2);
        return isWritten;
    }

    /** Frames put by other threads are written along. */
    @Test
    void request_othersHavePut_goesInItsPlace() {
        still.first().send(2, 1, BYTES, new byte[1]);
        final CompletableFuture<Long> request = ask(2);
        assertFalse(isWritten(), "the agent was told of the message, and has both");
        assertIsAnswered(request, 2);
    }

    @Test
    void request_agentWorks_isTheAgents() throws InterruptedException {
        final CountDownLatch isAtWork = new CountDownLatch(1);
        final CountDownLatch isOver = new CountDownLatch(1);
        final Thread agent = Thread.ofPlatform().start(() -> {
            NetworkAccess.agent(still.first()).begin();
            isAtWork.countDown();
            try {
                isOver.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            NetworkAccess.agent(still.first()).leave();
        });
        isAtWork.await();
        final CompletableFuture<Long> request = ask(2);
        assertFalse(isWritten());
        isOver.countDown();
        agent.join();
        final CompletableFuture<Long> next = ask(3);
        assertFalse(isWritten(), "the agent was told, and has both");
        pass(SECOND / 10);
        assertEquals(List.of(4L, 9L), List.of(request.join(), next.join()));
    }

    /** Sent from a listener, or from a stage chained to a request. */
    @Test
    void request_byTheAgentItself_isWrittenLater() {
        NetworkAccess.agent(still.first()).begin();
        final CompletableFuture<Long> request = ask(2);
        assertFalse(isWritten());
        NetworkAccess.agent(still.first()).leave();
        assertIsAnswered(request, 2);
    }

    @Test
    void request_transportCannot_isTheAgents() {
        links.capabilities = Set.of();
        final CompletableFuture<Long> request = ask(2);
        assertFalse(isWritten());
        assertIsAnswered(request, 2);
    }

    /** An agent with several transports waits in none of them, so the caller would not see the answer. */
    @Test
    void request_severalTransports_isTheAgents() throws IOException {
        close();
        links.all.clear();
        begin(2);
        final CompletableFuture<Long> request = ask(2);
        assertFalse(isWritten());
        assertIsAnswered(request, 2);
    }

    @Test
    void request_noLink_isTheAgents() {
        link().breakBoth();
        final int before = links.all.size();
        final CompletableFuture<Long> request = ask(2);
        assertEquals(before, links.all.size(), "only the agent dials");
        assertIsAnswered(request, 2);
    }

    // ---- what is left over ----

    @Test
    void write_linkTakesAPart_agentGoesOn() {
        links.taken = bytes -> bytes / 2;
        final CompletableFuture<Long> request = ask(2);
        assertTrue(isWritten());
        assertTrue(NetworkAccess.agent(still.first()).doWork() > 0, "a selector has to be told what it is to wait for");
        links.taken = bytes -> bytes;
        pass(SECOND / 10);
        assertEquals(List.of(), asked, "half of it");
        link().dialer.writable();
        assertIsAnswered(request, 2);
    }

    @Test
    void write_linkTakesNothing_agentGoesOn() {
        links.taken = _ -> 0;
        final CompletableFuture<Long> request = ask(2);
        assertFalse(isWritten());
        links.taken = bytes -> bytes;
        link().dialer.writable();
        assertIsAnswered(request, 2);
    }

    // ---- threads that do not come back ----

    /**
     * The number of written bytes is unknown: the link ends, and the stream continues over another one, without
     * duplicates.
     */
    @Test
    void write_throwsBefore_streamGoesOnOverAnotherLink() {
        links.taken = bytes -> {
            links.taken = it -> it;
            throw new StackOverflowError("planned");
        };
        assertGoesOnOnce();
    }

    @Test
    void write_throwsInTheMiddle_streamGoesOnOverAnotherLink() {
        links.taken = bytes -> {
            links.taken = it -> it;
            return bytes / 2;
        };
        throwOnceWhenWritten();
        assertGoesOnOnce();
    }

    /** The other side has the bytes, and acknowledges them. */
    @Test
    void write_throwsAfter_streamGoesOnOverAnotherLink() {
        throwOnceWhenWritten();
        assertGoesOnOnce();
    }

    /**
     * As {@link #write_throwsAfter_streamGoesOnOverAnotherLink}, but acknowledged before the agent has found that the
     * link is broken.
     */
    @Test
    void write_throwsAfterAndIsAcknowledged_streamGoesOnOverAnotherLink() {
        throwOnceWhenWritten();
        assertThrows(StackOverflowError.class, () -> ask(2));
        links.passAll();
        NetworkAccess.agent(still.last()).doWork();
        still.nowNs += NetworkAccess.agent(still.first()).config().acknowledgeNs();
        NetworkAccess.agent(still.last()).activate(NetworkAccess.agent(still.last()).connection(1));
        NetworkAccess.agent(still.last()).doWork();
        links.passAll();
        assertEquals(List.of(2L), asked);
        NetworkAccess.agent(still.first()).activate(NetworkAccess.agent(still.first()).connection(2));
        NetworkAccess.agent(still.first()).doWork();
        pass(SECOND);
        assertIsAnswered(ask(3), List.of(2L, 3L));
    }

    private void throwOnceWhenWritten() {
        links.whenWritten = () -> {
            links.whenWritten = () -> { };
            throw new StackOverflowError("planned");
        };
    }

    private void assertGoesOnOnce() {
        final HeldLink link = link();
        assertThrows(StackOverflowError.class, () -> ask(2));
        final CompletableFuture<Long> next = ask(3);
        NetworkAccess.agent(still.first()).activate(NetworkAccess.agent(still.first()).connection(2));
        NetworkAccess.agent(still.first()).doWork();
        pass(SECOND);
        assertTrue(link.dialer.isOver());
        assertIsAnswered(next, List.of(2L, 3L));
    }

    private void assertIsAnswered(CompletableFuture<Long> request, List<Long> all) {
        pass(SECOND / 10);
        assertEquals(all.getLast() * all.getLast(), request.join());
        assertEquals(all, asked);
        assertEquals(0, still.first().stats().sessionsLost());
        assertEquals(0, still.last().stats().sessionsLost());
    }

    /** Other callers signal the agent again where there is no link yet. */
    @Test
    void flush_throws_nextOneTells() {
        link().breakBoth();
        final Connection connection = NetworkAccess.agent(still.first()).connection(2);
        pass(SECOND);
        links.capabilities = null;                              // asked for it throws
        assertThrows(NullPointerException.class, () -> ask(2));
        links.capabilities = Set.of();
        final CompletableFuture<Long> next = ask(3);
        assertTrue(NetworkAccess.agent(still.first()).doWork() > 0, () -> "nobody has told " + connection);
        assertIsAnswered(next, List.of(2L, 3L));
    }

    /** Makes the first signal to the agent throw; returns a counter of signals. */
    private int[] throwWhenTold() {
        final int[] told = new int[1];
        links.whenWoken = () -> {
            if (++told[0] == 1) {
                throw new StackOverflowError("planned");
            }
        };
        return told;
    }

    @Test
    void signalHandled_throws_nextOneTells() {
        final Connection connection = NetworkAccess.agent(still.first()).connection(2);
        final int[] told = throwWhenTold();
        connection.setKnown();
        assertTrue(connection.stall());
        assertThrows(StackOverflowError.class, connection::signalHandled);
        connection.signalHandled();
        assertEquals(2, told[0]);
    }

    @Test
    void signal_throws_nextOneTells() {
        final int[] told = throwWhenTold();
        assertThrows(StackOverflowError.class, () -> still.first().send(2, 1, BYTES, new byte[1]));
        still.first().send(2, 1, BYTES, new byte[1]);
        assertEquals(2, told[0]);
    }

    /** The thread that was to signal the agent has failed after another thread relied on it: no signal was sent. */
    @Test
    void request_withoutASignal_isSentInATick() {
        NetworkAccess.agent(still.first()).connection(2).setKnown();
        assertIsAnswered(still.first().request(2, SQUARES, 2L, 60 * SECOND), 2);
    }

    /** Whichever step fails at the end, no thread waits forever. */
    @Test
    void close_throws_requestsAndLinksEnd() {
        final HeldLink link = link();
        final CompletableFuture<Long> request = still.first().request(2, SQUARES, 2L, 60 * SECOND);
        links.taken = _ -> {
            throw new StackOverflowError("planned");
        };
        assertThrows(StackOverflowError.class, () -> NetworkAccess.agent(still.first()).close());
        links.taken = bytes -> bytes;
        assertTrue(request.isCompletedExceptionally());
        assertTrue(link.dialer.isOver());
    }

    // ---- what was handled ----

    /** Handlers that finish while a caller writes: the other side waits for credit. */
    @Test
    void write_muchWasHandledMeanwhile_isTheAgents() {
        final Session session = Objects.requireNonNull(NetworkAccess.agent(still.first()).connection(2).known());
        final long half = NetworkAccess.agent(still.first()).config().windowBytes() / 2;
        final int[] looks = new int[1];
        links.whenWritten = () -> still.whenAsked = () -> {
            if (++looks[0] == 2) {                              // after it has checked for more to write
                session.consumed(half);
            }
        };
        final CompletableFuture<Long> request = ask(2);
        links.whenWritten = () -> { };
        still.whenAsked = () -> { };
        assertTrue(NetworkAccess.agent(still.first()).doWork() > 0, "the agent was not told");
        session.consumed(-half);
        assertIsAnswered(request, 2);
    }

    @Test
    void flush_connectionThatNobodyKnows_isRefused() {
        final Connection unknown = NetworkAccess.agent(still.first()).connection(7);
        assertFalse(NetworkAccess.agent(still.first()).flush(unknown));
        assertNull(unknown.channel());
        assertNotNull(NetworkAccess.agent(still.first()).connection(2).channel());
    }
}
