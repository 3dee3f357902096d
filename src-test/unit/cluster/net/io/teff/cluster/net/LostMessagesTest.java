package io.teff.cluster.net;

import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.message.MessageType;
import io.teff.cluster.net.message.NetworkListener;
import io.teff.cluster.net.message.RequestType;
import io.teff.engine.codec.schema.Codecs;
import io.teff.test.kit.Threads;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

/**
 * Goal: the reports of lost sessions to the listener agree with the statistics, and a request that has ended is no lost
 * message.
 *
 * <p>Method: sessions that end in each way, with requests that have ended, and requests and messages that have not.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class LostMessagesTest {
    private static final AtomicInteger NAMES = new AtomicInteger();
    private static final RequestType<Long, Long> SQUARES = RequestType.of(3, Codecs.LONG, Codecs.LONG);
    private static final RequestType<Long, Long> SILENT = RequestType.of(4, Codecs.LONG, Codecs.LONG);
    private static final MessageType<Long> NUMBERS = MessageType.of(5, Codecs.LONG);
    private static final int CALLS = 100;

    private final String name = "loop:lost-messages-test-" + NAMES.incrementAndGet() + "-";
    private final List<Long> lost = new CopyOnWriteArrayList<>();
    private long reachNs = 3_600_000_000_000L;
    private final CountDownLatch free = new CountDownLatch(1);

    private Network open(int nid, NetworkListener listener) throws IOException {
        final NetworkConfig config = NetworkConfig.builder(nid).listen(name + nid).reachNs(reachNs).lingerNs(0)
            .addresses(to -> name + to).listener(listener).build();
        return Network.open(config, it -> {
            it.answer(SQUARES, (from, number) -> number * number);
            it.answer(SILENT, (from, number) -> {
                free.await();
                return number;
            });
        });
    }

    private NetworkListener listener() {
        return new NetworkListener() {
            @Override
            public void lost(int nid, long messages, String why) {
                lost.add(messages);
            }
        };
    }

    /** Waits for the end of a number of sessions, and checks that both ways to learn of it say the same. */
    private void awaitLost(Network one, int sessions) {
        Threads.await("the end of " + sessions + " sessions", () -> lost.size() >= sessions);
        assertEquals(sessions, one.stats().sessionsLost());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void callsThatHaveEnded_areNotLost(boolean isOwnClose) throws Exception {
        try (Network one = open(1, listener()); Network two = open(2, NetworkListener.NONE)) {
            for (long i = 0; i < CALLS; i++) {
                assertEquals(i * i, one.call(2, SQUARES, i));
            }
            (isOwnClose ? one : two).close();
            awaitLost(one, 1);
        }
        assertEquals(List.of(0L), lost);
    }

    /** Nothing reaches the other node: a request that has timed out was reported to its caller, a message to no one. */
    @Test
    @SuppressWarnings("try")                                    // closed twice on purpose
    void requestsThatTimedOut_areNotLostButMessagesAre() throws IOException {
        try (Network one = open(1, listener())) {
            one.send(2, NUMBERS, 1L);
            one.send(2, NUMBERS, 2L);
            assertThrows(CompletionException.class, one.request(2, SQUARES, 3L, 1)::join);
            one.close();
            assertEquals(List.of(2L), lost);
            assertEquals(1, one.stats().sessionsLost());
        }
    }

    @Test
    void nodeThatIsNeverReached_isLostOnce() throws IOException {
        reachNs = 20_000_000;
        try (Network one = open(1, listener())) {
            assertThrows(CompletionException.class, one.request(2, SQUARES, 3L)::join);
            awaitLost(one, 1);
            assertEquals(List.of(1L), lost);
        }
        assertEquals(1, lost.size());
    }

    @Test
    @SuppressWarnings("try")                                    // closed twice on purpose
    void requestsThatWait_areLostWithTheirSession() throws Exception {
        try (Network one = open(1, listener()); Network two = open(2, NetworkListener.NONE)) {
            final var waiting = one.request(2, SILENT, 1L, Long.MAX_VALUE);
            Threads.await("the request", () -> two.stats(1).messagesReceived() > 0);
            one.close();
            assertThrows(CompletionException.class, waiting::join);
            assertEquals(1, lost.size());
            assertEquals(1, one.stats().sessionsLost());
            free.countDown();
        }
    }
}
