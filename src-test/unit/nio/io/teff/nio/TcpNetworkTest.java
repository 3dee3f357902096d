package io.teff.nio;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.teff.cluster.net.MessageType;
import io.teff.cluster.net.Network;
import io.teff.cluster.net.NetworkConfig;
import io.teff.cluster.net.NetworkException;
import io.teff.cluster.net.NetworkException.Reason;
import io.teff.cluster.net.RequestType;
import io.teff.engine.codec.Codecs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * Goal: two nodes talk over TCP as they do inside of a process.
 *
 * <p>Method: real sockets of this machine.
 */
final class TcpNetworkTest {
    private static final MessageType<Long> NUMBERS = MessageType.of(1, Codecs.LONG);
    private static final RequestType<byte[], byte[]> ECHO = RequestType.of(2, Codecs.BYTES, Codecs.BYTES);

    private final Map<Integer, String> book = new ConcurrentHashMap<>();

    private NetworkConfig.Builder config(int nid) {
        return NetworkConfig.builder(nid).listen("tcp:127.0.0.1:0").addresses(book::get);
    }

    private Network open(NetworkConfig.Builder config) throws IOException {
        final Network network = Network.open(config.build());
        book.put(network.nid(), network.addresses().getFirst());
        return network;
    }

    @Test
    void messagesAndRequests_overRealSockets() throws IOException, InterruptedException {
        final int count = 200_000;
        try (Network one = open(config(1)); Network two = open(config(2))) {
            final CountDownLatch left = new CountDownLatch(count);
            final AtomicLong next = new AtomicLong();
            final AtomicLong wrong = new AtomicLong();
            two.handle(NUMBERS, (from, number) -> {
                wrong.addAndGet(number == next.getAndIncrement() ? 0 : 1);
                left.countDown();
            });
            two.answer(ECHO, (from, bytes) -> bytes);
            for (long i = 0; i < count; i++) {
                one.send(2, 1, NUMBERS, i);
            }
            left.await();
            assertEquals(0, wrong.get());
            final SplittableRandom random = new SplittableRandom(1);
            for (int length : new int[] {0, 10, 70_000, 3_000_000}) {
                final byte[] bytes = new byte[length];
                random.nextBytes(bytes);
                assertArrayEquals(bytes, one.call(2, ECHO, bytes));
            }
        }
    }

    @Test
    void unknownAndRefusingNodes_areUnreachable() throws IOException {
        book.put(3, "tcp:127.0.0.1:1");
        try (Network one = open(config(1))) {
            for (int nid : new int[] {3, 4}) {
                final var future = one.request(nid, ECHO, new byte[1]);
                final var thrown = assertThrows(CompletionException.class, future::join);
                assertEquals(Reason.UNREACHABLE, ((NetworkException) thrown.getCause()).reason());
            }
        }
    }

    @Test
    void wrongSecret_isRefused() throws IOException {
        final byte[] secret = "a secret of the cluster".getBytes(StandardCharsets.UTF_8);
        try (Network one = open(config(1).secret(new byte[16])); Network two = open(config(2).secret(secret));
             Network three = open(config(3).secret(secret))) {
            two.answer(ECHO, (from, bytes) -> bytes);
            assertArrayEquals(new byte[3], three.request(2, ECHO, new byte[3]).join());
            final var future = one.request(2, ECHO, new byte[1]);
            assertThrows(CompletionException.class, future::join);
        }
    }

    @Test
    void addressesOfOthers_needASecret() {
        assertThrows(IOException.class, () -> Network.open(NetworkConfig.builder(1).listen("tcp:0.0.0.0:0").build()));
        assertThrows(IOException.class, () -> Network.open(NetworkConfig.builder(1).listen("udp:1").build()));
        assertThrows(IOException.class,
            () -> Network.open(NetworkConfig.builder(1).listen("tcp:127.0.0.1:x").build()));
    }
}
