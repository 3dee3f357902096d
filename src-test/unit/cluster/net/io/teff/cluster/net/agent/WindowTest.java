package io.teff.cluster.net.agent;

import io.teff.cluster.net.Network;
import io.teff.cluster.net.NetworkAccess;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.message.MessageType;
import io.teff.cluster.net.message.RequestType;
import io.teff.cluster.net.stream.Session;
import io.teff.cluster.net.wire.Control;
import io.teff.cluster.net.wire.Frame;
import io.teff.engine.codec.schema.Codecs;
import io.teff.test.kit.Threads;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Goal: windows of any size work together, and a sender that waits for credit gets it as soon as it is available.
 *
 * <p>Method: networks without threads, whose clock the test sets.
 */
final class WindowTest {
    private static final MessageType<byte[]> BYTES = MessageType.of(1, Codecs.BYTES);
    private static final RequestType<Integer, byte[]> MUCH = RequestType.of(2, Codecs.INT, Codecs.BYTES);
    private static final long HOUR = 3_600_000_000_000L;
    private static final int WINDOW_MIN = 256 << 10;
    private static final int MESSAGE_BYTES = 1 << 10;

    private final List<Runnable> tasks = new ArrayList<>();
    private final StillNetworks still = new StillNetworks(1);

    private NetworkConfig.Builder config(int nid) {
        return patient(still.config(nid));
    }

    private static NetworkConfig.Builder patient(NetworkConfig.Builder its) {
        return its.sendTimeoutNs(0).requestTimeoutNs(HOUR).awayNs(HOUR).silenceNs(HOUR).reachNs(HOUR);
    }

    @AfterEach
    void close() {
        still.audit();
        still.close();
    }

    private void settle() {
        still.settle(100, 5_000_000);
    }

    /**
     * Before there is a link, a sender assumes its own window size for the peer, and fills one ring after the other.
     */
    @Test
    void messagesBeforeTheFirstLink_areMoreThanASmallerWindow_areHandled() throws IOException {
        final AtomicInteger handled = new AtomicInteger();
        final Network one = still.open(config(1).windowBytes(4 << 20));
        int sent = 0;
        while (one.offer(2, 0, BYTES, new byte[MESSAGE_BYTES])) {
            sent++;
        }
        assertTrue(sent > 1_900, sent + " messages before there is a link");
        final Network two = still.open(config(2).handlers(tasks::add).windowBytes(WINDOW_MIN));
        two.handle(BYTES, (from, bytes) -> handled.incrementAndGet());
        settle();
        while (!tasks.isEmpty()) {
            tasks.removeFirst().run();
            if (tasks.isEmpty()) {
                settle();
            }
        }
        assertEquals(0, two.stats().sessionsLost(),
            () -> String.valueOf(NetworkAccess.agent(one).connection(2).lastEnd()));
        assertEquals(sent, handled.get());
    }

    /** The other side has a window of the default size. */
    @Test
    void messagesToTheLargestWindow_areHandled() throws IOException {
        final AtomicInteger handled = new AtomicInteger();
        final Network one = still.open(config(1));
        final Network two = still.open(config(2).windowBytes(1L << 40));
        for (Network it : still.all) {
            it.handle(BYTES, (from, bytes) -> handled.incrementAndGet());
        }
        for (int i = 0; i < 3; i++) {
            assertTrue(one.offer(2, 0, BYTES, new byte[MESSAGE_BYTES]));
            assertTrue(two.offer(1, 0, BYTES, new byte[MESSAGE_BYTES]));
            settle();
        }
        assertEquals(6, handled.get(), one.stats()::toString);
    }

    /** The agent waits for credit as for any other event: its ticks are not more frequent. */
    @Test
    void answersThatCannotBeSent_agentRests() throws IOException {
        final HeldLinks links = new HeldLinks();
        final Network one = open(links, 1, patient(NetworkConfig.builder(1)).handlers(tasks::add)
            .ringBytes(1 << 20, 1 << 20));
        final Network two = open(links, 2, patient(NetworkConfig.builder(2)).handlers(Runnable::run)
            .windowBytes(WINDOW_MIN));
        one.answer(MUCH, (from, bytes) -> new byte[bytes]);
        final List<CompletableFuture<byte[]>> requests = new ArrayList<>();
        for (int i = 0; i < 2 * WINDOW_MIN / MESSAGE_BYTES; i++) {
            requests.add(two.request(1, MUCH, MESSAGE_BYTES));
            settle(links);
        }
        tasks.forEach(Runnable::run);
        settle();
        assertTrue(Objects.requireNonNull(NetworkAccess.agent(one).connection(2).channel()).isStalled());
        for (int tick = 0; tick < 10; tick++) {
            still.nowNs += NetworkAccess.agent(one).idleNs();
            work(one);
            assertTrue(NetworkAccess.agent(one).idleNs()
                > NetworkAccess.agent(one).config().tickNs(), "it looks again without being told");
        }
        settle(links);
        assertTrue(requests.stream().allMatch(CompletableFuture::isDone));
    }

    private Network open(HeldLinks links, int nid, NetworkConfig.Builder config) throws IOException {
        return still.open(config.listen(HeldLinks.ADDRESS + nid).addresses(to -> HeldLinks.ADDRESS + to),
            new Transports(Map.of("held", () -> links.transport(nid)), false));
    }

    private void settle(HeldLinks links) {
        do {
            settle();
        } while (links.passAll() > 0);
    }

    /** Its own frames have no credit, so it polls nothing else; no time passes until a tick. */
    @Test
    void messagesHandledWhileNothingCanBeSent_areReportedAtOnce() throws IOException {
        final Network one = still.open(config(1).handlers(tasks::add).windowBytes(2 * WINDOW_MIN)
            .ringBytes(1 << 20, 1 << 20));
        final Network two = still.open(config(2).windowBytes(WINDOW_MIN));
        one.answer(MUCH, (from, bytes) -> new byte[bytes]);
        one.handle(BYTES, (from, bytes) -> { });
        final CompletableFuture<byte[]> first = two.request(1, MUCH, 1);
        settle();
        tasks.removeFirst().run();
        settle();
        assertTrue(first.isDone());
        final int requests = 2 * WINDOW_MIN / MESSAGE_BYTES;
        for (int i = 0; i < requests; i++) {
            assertFalse(two.request(1, MUCH, MESSAGE_BYTES).isDone());
        }
        while (two.offer(1, 0, BYTES, new byte[MESSAGE_BYTES])) {
            still.work();
        }
        for (int i = 0; i < requests; i++) {
            tasks.removeFirst().run();
        }
        Threads.await("no work", () -> work(one) == 0 && NetworkAccess.agent(one).idleNs() > 0);
        final Session session = NetworkAccess.agent(one).connection(2).session();
        final long before = session.toldLimit();
        final long sent = one.stats().bytesSent();
        tasks.forEach(Runnable::run);
        assertTrue(session.isLimitDue(), one.stats()::toString);
        assertTrue(work(one) > 0, "nobody has told the agent");
        assertEquals(Control.BYTES_MAX, one.stats().bytesSent() - sent, "else there was credit");
        assertTrue(session.toldLimit() > before);
    }

    /** The excess is a few bytes, though the windows granted so far would explain megabytes. */
    @Test
    void moreThanWasAllowed_endsTheLink() throws IOException {
        final HeldLinks links = new HeldLinks();
        final Network one = open(links, 1, patient(NetworkConfig.builder(1)).ringBytes(1 << 20, 1 << 20));
        final Network two = open(links, 2, patient(NetworkConfig.builder(2)).handlers(tasks::add)
            .windowBytes(WINDOW_MIN));
        two.handle(BYTES, (from, bytes) -> { });
        assertTrue(one.offer(2, 0, BYTES, new byte[MESSAGE_BYTES]));
        settle(links);
        final Session session = NetworkAccess.agent(two).connection(1).session();
        assertEquals(WINDOW_MIN, session.toldLimit());
        final Session liar = NetworkAccess.agent(one).connection(2).session();
        assertTrue(liar.progress(liar.out.acked(), WINDOW_MIN + 2 * MESSAGE_BYTES + Frame.BYTES_MAX));
        while (one.offer(2, 0, BYTES, new byte[MESSAGE_BYTES])) {
            assertEquals(0, two.stats().linksLost());
        }
        Threads.await("no work", () -> work(one) == 0 && links.passAll() == 0);
        assertEquals(1, two.stats().linksLost(), two.stats()::toString);
    }

    private static int work(Network network) {
        return NetworkAccess.agent(network).doWork();
    }
}
