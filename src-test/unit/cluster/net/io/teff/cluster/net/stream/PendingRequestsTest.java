package io.teff.cluster.net.stream;

import io.teff.cluster.net.Network;
import io.teff.cluster.net.NetworkAccess;
import io.teff.cluster.net.agent.Transports;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.counter.AgentCounters;
import io.teff.cluster.net.loop.LoopProvider;
import io.teff.cluster.net.message.MessageType;
import io.teff.cluster.net.message.RequestType;
import io.teff.cluster.net.transport.TransportOptions;
import io.teff.cluster.net.thread.AnswerWait;
import io.teff.engine.codec.schema.Codecs;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Goal: a request is refused only at the limit of open requests, and does not end before its deadline. */
final class PendingRequestsTest {
    private static final int SLOTS = 1 << 10;
    private static final int LONG_LIVED = 200;
    private static final int LAPS = 5;
    private static final MessageType<Long> NUMBERS = MessageType.of(1, Codecs.LONG);
    private static final RequestType<Long, Long> SQUARES = RequestType.of(2, Codecs.LONG, Codecs.LONG);

    private final PendingRequests requests = new PendingRequests(new AgentCounters(), SLOTS);
    private long nowNs = 1;

    @AfterEach
    void audit() {
        requests.audit();
    }

    private static Request<Long> request() {
        return new Request<>(1, 2, 0, NUMBERS, false, AnswerWait.ALLOWED);
    }

    /** For example watches, or waits for locks, begun one after the other. */
    @Test
    void add_manyInARowWaitForLong_findsRoom() {
        for (int i = 0; i < LONG_LIVED; i++) {
            assertTrue(requests.add(request()) > 0);
        }
        final Set<Long> numbers = new HashSet<>();
        long before = 0;
        for (int i = 0; i < LAPS * SLOTS; i++) {
            final Request<Long> next = request();
            final long number = requests.add(next);
            assertTrue(number > before && numbers.add(number), "request " + i + " has number " + number);
            assertTrue(requests.take(next));
            before = number;
        }
        assertEquals(LONG_LIVED, requests.count());
        assertEquals(LONG_LIVED + LAPS * SLOTS, requests.added());
    }

    @Test
    void add_asManyAsThereMayBe_isRefused() {
        final List<Request<Long>> all = new ArrayList<>();
        for (int i = 0; i < SLOTS; i++) {
            all.add(request());
            assertTrue(requests.add(all.getLast()) > 0, "request " + i);
        }
        for (int i = 0; i < SLOTS; i++) {
            assertEquals(-1, requests.add(request()));
            assertEquals(SLOTS, requests.count());
            assertTrue(requests.take(all.get(i)));
            all.set(i, request());
            assertTrue(requests.add(all.get(i)) > 0, "one is free: " + i);
        }
        assertEquals(2 * SLOTS, requests.added());
        for (Request<Long> it : all) {
            assertTrue(requests.take(it));
        }
        assertEquals(0, requests.count());
    }

    /** The agent has read the clock before the request began, and checks the request now. */
    @Test
    void request_forEver_isNotOverAtOnce() throws IOException {
        final NetworkConfig config = NetworkConfig.builder(1).handlers(Runnable::run)
            .addresses(_ -> "loop:requests-test").build();
        try (Network network = NetworkAccess.make(config, () -> nowNs, () -> 1, List.of(new Transports(
                 Map.of("loop", () -> new LoopProvider().open(new TransportOptions(null))), false)), 1)) {
            nowNs = 1_000_000_000;
            final CompletableFuture<Long> forEver = network.request(2, SQUARES, 7L, Long.MAX_VALUE);
            for (nowNs = 2; nowNs < 1_000_000_000; nowNs += 20_000_000) {
                NetworkAccess.agent(network).doWork();
            }
            assertEquals(0, network.stats().requestsTimedOut());
            assertEquals(false, forEver.isDone());
        }
    }
}
