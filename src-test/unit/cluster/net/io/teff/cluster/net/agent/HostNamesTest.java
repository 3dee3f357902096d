package io.teff.cluster.net.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.net.Network;
import io.teff.cluster.net.NetworkAccess;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.message.NetworkException;
import io.teff.cluster.net.message.NetworkException.Reason;
import io.teff.cluster.net.message.RequestType;
import io.teff.cluster.net.transport.Link;
import io.teff.cluster.net.transport.LinkEvents;
import io.teff.engine.codec.schema.Codecs;
import io.teff.test.kit.Threads;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Goal: of a host with several addresses each is dialed in turn, the right one soon. Method: networks without threads
 * over links in the process, whose addresses have names; time stands still while a name is looked up.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class HostNamesTest {
    private static final long MS = 1_000_000;
    private static final long HOUR = 3_600_000 * MS;
    private static final RequestType<Long, Long> SQUARES = RequestType.of(3, Codecs.LONG, Codecs.LONG);
    private static final AtomicInteger NAMES = new AtomicInteger();
    private static final InetAddress A = InetAddress.ofLiteral("10.0.0.1");
    private static final InetAddress B = InetAddress.ofLiteral("10.0.0.2");
    private static final InetAddress C = InetAddress.ofLiteral("10.0.0.3");

    private final String place = "loop:host-names-" + NAMES.incrementAndGet() + "-";
    private final StillNetworks still = new StillNetworks(0);
    private final Map<String, List<InetAddress>> names = new ConcurrentHashMap<>();
    /** Addresses that answer nothing. */
    private final Set<InetAddress> silent = new HashSet<>();
    /** Addresses in the order of the dials. */
    private final List<String> dialed = new ArrayList<>();
    private final AtomicInteger asked = new AtomicInteger();
    private final AtomicInteger answered = new AtomicInteger();

    /** Links in the process, at addresses that have a number in place of their name. */
    private final class Named extends LoopTap {
        @Override
        public @Nullable String hostName(String address) {
            asked.incrementAndGet();
            return address.substring(place.length());
        }

        @Override
        public String numbered(String address, InetAddress host) {
            return place + host.getHostAddress();
        }

        @Override
        public Link connect(String address, LinkEvents events) throws IOException {
            dialed.add(address.substring(place.length()));
            return silent.contains(InetAddress.ofLiteral(address.substring(place.length()))) ? new Silent(address)
                : super.connect(address, events);
        }

        @Override
        public void wakeUp() {
            super.wakeUp();
            if (Thread.currentThread().getName().equals("teff-lookup")) {
                answered.incrementAndGet();
            }
        }
    }

    /** Never connects. */
    private record Silent(String peer) implements Link {
        @Override
        public int write(MemorySegment memory, long from, int bytes) {
            return 0;
        }

        @Override
        public void close() {}
    }

    @AfterEach
    void close() {
        still.close();
    }

    private Network node(int nid, InetAddress at) throws IOException {
        final Network network = still.open(NetworkConfig.builder(nid).listen(place + at.getHostAddress())
            .handlers(Runnable::run));
        network.answer(SQUARES, (_, number) -> number * number);
        return network;
    }

    private Network caller(NetworkConfig.Builder config) throws IOException {
        return still.open(config.addresses(_ -> place + "cell").handlers(Runnable::run),
            new Transports(Map.of("loop", Named::new), false, host -> {
                final List<InetAddress> found = names.get(host);
                if (found == null) {
                    throw new UnknownHostException(host);
                }
                return found;
            }));
    }

    /** Runs the networks until a condition holds; returns the time that has passed in milliseconds. */
    private long until(BooleanSupplier condition) {
        final long begunNs = still.nowNs;
        while (!condition.getAsBoolean()) {
            Threads.await("the look-up", () -> asked.get() == answered.get());
            if (still.work() == 0) {
                still.nowNs += MS;
            }
            assertTrue(still.nowNs - begunNs < HOUR, "an hour is over");
        }
        return (still.nowNs - begunNs) / MS;
    }

    private long call(Network from, int nid) {
        final CompletableFuture<Long> request = from.request(nid, SQUARES, 3L, HOUR);
        final long tookMs = until(request::isDone);
        assertEquals(9, request.join());
        return tookMs;
    }

    @Test
    void addressesThatRefuse_areLeftAtOnce() throws IOException {
        names.put("cell", List.of(A, B, C));
        node(2, C);
        final Network one = caller(NetworkConfig.builder(1));
        assertTrue(call(one, 2) < 100);
        assertEquals(List.of("10.0.0.1", "10.0.0.2", "10.0.0.3"), dialed);
    }

    @Test
    void addressesThatAreSilent_areLeftAfterAStep() throws IOException {
        names.put("cell", List.of(A, B, C));
        silent.addAll(List.of(A, B));
        node(2, C);
        final Network one = caller(NetworkConfig.builder(1));
        final long tookMs = call(one, 2);
        final long stepMs = HostAddresses.STEP_NS / MS;
        assertTrue(tookMs >= 2 * stepMs && tookMs < 2 * stepMs + 200, tookMs + " ms");
        assertEquals(List.of("10.0.0.1", "10.0.0.2", "10.0.0.3"), dialed);
    }

    @Test
    void reachedAddress_isRemembered_andAChangedNameIsLookedUpAgain() throws IOException {
        names.put("cell", List.of(A, B));
        node(2, B);
        final Network one = caller(NetworkConfig.builder(1));
        call(one, 2);
        final Connection connection = NetworkAccess.agent(one).connection(2);
        connection.channel().fail(new IOException("planned"));
        call(one, 2);
        assertEquals(List.of("10.0.0.1", "10.0.0.2", "10.0.0.2"), dialed);
        dialed.clear();
        still.all.removeFirst().close();
        until(() -> connection.known() == null);
        node(2, C);
        names.put("cell", List.of(C));
        call(one, 2);
        assertEquals("10.0.0.3", dialed.getLast());
    }

    /** A pod that has moved: its old address swallows everything, and the change of its name comes later. */
    @Test
    void nodeThatHasMoved_isReachedAtItsNewAddress_withoutARestartOfTheCaller() throws IOException {
        names.put("cell", List.of(B));
        node(2, B);
        final Network one = caller(NetworkConfig.builder(1));
        call(one, 2);
        silent.add(B);
        still.all.removeFirst().close();
        node(2, C);
        final CompletableFuture<Long> early = one.request(2, SQUARES, 3L, HOUR);
        final long changeNs = still.nowNs + 5_000 * MS;
        until(() -> still.nowNs > changeNs);
        names.put("cell", List.of(C));
        until(early::isDone);
        final long tookMs = call(one, 2);
        assertEquals("10.0.0.3", dialed.getLast());
        assertTrue(tookMs < 10_000, tookMs + " ms");
    }

    /** A name of all nodes: each node is found at its own address. */
    @Test
    void nameOfSeveralNodes_eachIsFound() throws IOException {
        names.put("cell", List.of(A, B, C));
        node(2, A);
        node(3, B);
        node(4, C);
        final Network one = caller(NetworkConfig.builder(1));
        for (int nid = 4; nid >= 2; nid--) {
            assertTrue(call(one, nid) < 100);
        }
    }

    /** The misfit at one address says nothing about the node at another address. */
    @Test
    void misfitAtOneAddress_isNotTheEnd() throws IOException {
        names.put("cell", List.of(A, B));
        still.open(NetworkConfig.builder(2).listen(place + "10.0.0.1").secret(new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
            11, 12, 13, 14, 15, 16}).handlers(Runnable::run));
        node(2, B);
        assertTrue(call(caller(NetworkConfig.builder(1)), 2) < 100);
    }

    @Test
    void addressesThatAllFail_endInTime_andAreNamed() throws IOException {
        names.put("cell", List.of(A, B));
        silent.addAll(List.of(A, B));
        final Network one = caller(NetworkConfig.builder(1).reachNs(1_000 * MS));
        final CompletableFuture<Long> request = one.request(2, SQUARES, 3L, HOUR);
        assertTrue(until(request::isDone) < 1_200);
        final NetworkException failure = (NetworkException) assertThrows(CompletionException.class, request::join)
            .getCause();
        assertEquals(Reason.UNREACHABLE, failure.reason());
        assertTrue(failure.getMessage().contains(place + "cell (10.0.0."), failure::toString);
    }

    @Test
    void unknownName_isUnreachable() throws IOException {
        final Network one = caller(NetworkConfig.builder(1).reachNs(500 * MS));
        final CompletableFuture<Long> request = one.request(2, SQUARES, 3L, HOUR);
        until(request::isDone);
        final CompletionException failure = assertThrows(CompletionException.class, request::join);
        assertTrue(failure.getMessage().contains("unknown host of " + place + "cell"), failure::toString);
        assertEquals(List.of(), dialed);
    }
}
