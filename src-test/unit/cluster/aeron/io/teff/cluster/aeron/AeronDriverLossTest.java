package io.teff.cluster.aeron;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.net.Network;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.message.MessageType;
import io.teff.cluster.net.message.NetworkListener;
import io.teff.engine.codec.schema.Codecs;
import io.teff.test.kit.Form;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: when all links break at once, the sessions continue without a lost or duplicated message.
 *
 * <p>Method: the media driver of the process is stopped several times while messages are in flight.
 */
final class AeronDriverLossTest {
    private static final MessageType<Long> NUMBERS = MessageType.of(1, Codecs.LONG);
    private static final long MINUTE_NS = 60_000_000_000L;
    private static final int COUNT = Form.size(100_000, 400_000, 400_000);
    private static final int STOPS = Form.size(1, 4, 4);

    private final Map<Integer, String> book = new ConcurrentHashMap<>();
    private final AtomicInteger away = new AtomicInteger();
    private final AtomicInteger lost = new AtomicInteger();

    private Network open(int nid, String address) throws IOException {
        final Network network = Network.open(NetworkConfig.builder(nid).listen(address).addresses(book::get)
            .reachNs(MINUTE_NS).awayNs(MINUTE_NS).sendTimeoutNs(MINUTE_NS).listener(new NetworkListener() {
                @Override
                public void away(int other, @Nullable Throwable why) {
                    away.incrementAndGet();
                }

                @Override
                public void lost(int other, long messages, String why) {
                    lost.addAndGet(why.contains("closed") ? 0 : 1);
                }
            }).build());
        book.put(nid, network.addresses().getFirst());
        return network;
    }

    @ParameterizedTest
    @ValueSource(strings = {"aeron:udp?endpoint=127.0.0.1:0", "aeron:ipc"})
    void sessions_goOnWithANewDriver(String address) throws IOException, InterruptedException {
        final CountDownLatch left = new CountDownLatch(COUNT);
        final AtomicLong next = new AtomicLong();
        final AtomicLong wrong = new AtomicLong();
        try (Network one = open(1, address); Network two = open(2, address)) {
            two.handle(NUMBERS, (from, number) -> {
                wrong.addAndGet(number == next.getAndIncrement() ? 0 : 1);
                left.countDown();
            });
            for (long i = 0; i < COUNT; i++) {
                one.send(2, 1, NUMBERS, i);
                if (i % (COUNT / STOPS) == COUNT / STOPS / 2) {
                    EmbeddedDriver.stop();
                }
            }
            left.await();
            assertEquals(0, wrong.get());
            assertEquals(0, lost.get());
            assertTrue(away.get() > 0);
        }
    }
}
