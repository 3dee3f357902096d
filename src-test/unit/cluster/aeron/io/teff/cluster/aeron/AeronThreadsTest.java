package io.teff.cluster.aeron;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.teff.cluster.net.Network;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.message.RequestType;
import io.teff.engine.codec.schema.Codecs;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: a main method that returns, or throws, ends its process, although a network with Aeron is open.
 *
 * <p>Method: all threads that two networks start, the media driver's included, must be daemons.
 */
final class AeronThreadsTest {
    private static final long MINUTE_NS = 60_000_000_000L;
    private static final RequestType<Long, Long> SQUARES = RequestType.of(1, Codecs.LONG, Codecs.LONG);

    @ParameterizedTest
    @ValueSource(strings = {"aeron:udp?endpoint=127.0.0.1:0", "aeron:udp?endpoint=localhost:0", "aeron:ipc"})
    void threadsOfANetwork_keepNoProcessAlive(String address) throws IOException, InterruptedException {
        final Set<Thread> before = new HashSet<>(Thread.getAllStackTraces().keySet());
        try (Network one = Network.open(NetworkConfig.builder(1).listen(address).build());
             Network two = Network.open(NetworkConfig.builder(2).listen(address)
                 .reachNs(MINUTE_NS).requestTimeoutNs(MINUTE_NS).addresses(_ -> one.addresses().getFirst()).build())) {
            one.answer(SQUARES, (_, number) -> number * number);
            assertEquals(9L, two.call(1, SQUARES, 3L));
            final List<String> keep = Thread.getAllStackTraces().keySet().stream()
                .filter(it -> !before.contains(it) && !it.isDaemon()).map(Thread::getName).toList();
            assertEquals(List.of(), keep);
        }
    }
}
