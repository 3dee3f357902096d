package io.teff.cluster.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.ClientConfig;
import io.teff.cluster.ClusterStore;
import io.teff.cluster.message.CellMessages;
import io.teff.cluster.net.Network;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.transport.LinkEvents;
import io.teff.cluster.net.transport.Transport;
import io.teff.cluster.net.transport.TransportOptions;
import io.teff.cluster.net.transport.TransportProvider;
import io.teff.engine.error.StoreException;
import io.teff.engine.error.StoreException.Category;
import io.teff.test.kit.Form;
import io.teff.test.kit.Lateness;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Goal: connecting ends within its deadline, and the text of the failure has this time and no negative one, whatever
 * stands at the addresses. Method: random deadlines, and one to five addresses of each kind.
 */
@Timeout(300)
class ConnectDeadlineTest {
    private static final int ROUNDS = Form.size("teff.connect.rounds", 12, 60, 600);
    private static final long LATE_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final AtomicInteger NAMES = new AtomicInteger();

    /** What stands at an address. */
    private enum Kind { NOTHING, NO_ANSWER_TO_LINKS, NO_ANSWER_TO_GREETINGS, OTHER_NODE, NO_TABLES, OTHER_SECRET }

    /** Takes links, and says nothing. */
    private record Mute() implements LinkEvents {
        @Override
        public void connected() {}

        @Override
        public void bytes(MemorySegment memory, long from, int bytes) {}

        @Override
        public void writable() {}

        @Override
        public void closed(@Nullable IOException why) {}
    }

    private static AutoCloseable open(Kind kind, String address, int number) throws IOException {
        NetworkConfig.Builder node = NetworkConfig.builder(CellMessages.nid(number)).listen(address).lingerNs(0);
        return switch (kind) {
            case NOTHING -> () -> { };
            case NO_ANSWER_TO_LINKS -> listen(address);
            case NO_ANSWER_TO_GREETINGS -> poll(listen(address));
            case OTHER_NODE -> Network.open(NetworkConfig.builder(77).listen(address).lingerNs(0).build());
            case NO_TABLES -> Network.open(node.build());
            case OTHER_SECRET -> Network.open(node.secret(new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
                16}).build());
        };
    }

    private static Transport listen(String address) throws IOException {
        ConnectDeadlineTest.class.getModule().addUses(TransportProvider.class);
        Transport loop = ServiceLoader.load(TransportProvider.class).stream().map(ServiceLoader.Provider::get)
            .filter(it -> it.scheme().equals("loop")).findFirst().orElseThrow().open(new TransportOptions(null));
        loop.listen(address, _ -> new Mute());
        return loop;
    }

    private static AutoCloseable poll(Transport transport) {
        AtomicBoolean isOver = new AtomicBoolean();
        Thread thread = Thread.ofPlatform().start(() -> {
            while (!isOver.get()) {
                transport.poll();
                transport.await(TimeUnit.MILLISECONDS.toNanos(1));
            }
        });
        return () -> {
            isOver.set(true);
            thread.join();
            transport.close();
        };
    }

    private static void connect(long seed) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        long timeoutMs = random.nextLong(1, 400);
        List<Kind> kinds = new ArrayList<>();
        List<AutoCloseable> opened = new ArrayList<>();
        String[] addresses = new String[random.nextInt(1, 6)];
        try {
            for (int i = 0; i < addresses.length; i++) {
                kinds.add(Kind.values()[random.nextInt(Kind.values().length)]);
                addresses[i] = "loop:connect-deadline-" + NAMES.incrementAndGet();
                opened.add(open(kinds.getLast(), addresses[i], i));
            }
            ClientConfig config = ClientConfig.builder(addresses).timeoutNs(TimeUnit.MILLISECONDS.toNanos(timeoutMs))
                .build();
            String what = timeoutMs + " ms, " + kinds + ", reproduce: -Dseed=" + seed;
            long begunNs = System.nanoTime();
            StoreException failure = assertThrows(StoreException.class, () -> ClusterStore.connect(config), what);
            long tookNs = System.nanoTime() - begunNs;
            assertTrue(tookNs <= TimeUnit.MILLISECONDS.toNanos(timeoutMs) + LATE_NS, what + " took " + tookNs + " ns");
            assertFalse(failure.getMessage().contains(" -"), what + ": " + failure);
            if (failure.category() == Category.RETRY) {
                String text = "connect to " + List.of(addresses) + ": not done within " + timeoutMs + " ms: ";
                assertTrue(failure.getMessage().startsWith(text), what + ": " + failure);
            } else {
                assertEquals(Category.DEGRADED, failure.category(), what);
                assertTrue(failure.getMessage().contains("secret"), what + ": " + failure);
            }
        } finally {
            for (AutoCloseable each : opened) {
                each.close();
            }
        }
    }

    @Test
    void connect_atAnyAddresses_endsWithinItsDeadline() throws Exception {
        String silent = "loop:connect-deadline-" + NAMES.incrementAndGet();
        try (Transport _ = listen(silent)) {                    // loads the classes of a connection
            ClientConfig brief = ClientConfig.builder(silent).timeoutNs(TimeUnit.MILLISECONDS.toNanos(100)).build();
            assertThrows(StoreException.class, () -> ClusterStore.connect(brief));
        }
        Long only = Long.getLong("seed");
        for (long seed = only == null ? 1 : only; seed <= (only == null ? ROUNDS : only); seed++) {
            long chosen = seed;
            Lateness.retried(() -> connect(chosen));
        }
    }
}
