package io.teff.rdma.verbs.connect;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.teff.rdma.verbs.device.Gid;
import io.teff.rdma.verbs.device.PathMtu;
import io.teff.rdma.verbs.queue.QueuePairAddress;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The frames of the exchange of addresses, whole and damaged, and two sides over the loopback interface. */
final class AddressExchangeTest {
    private static final QueuePairAddress LEFT = new QueuePairAddress(17, 0xabcdef, 3, new Gid(1, 2), PathMtu.MTU_1024);
    private static final QueuePairAddress RIGHT = new QueuePairAddress(18, 5, 0, new Gid(-1, -2), PathMtu.MTU_4096);
    private static final int TIMEOUT_MS = 20_000;

    private static byte[] data(AddressExchange.Peer peer) {
        byte[] bytes = new byte[peer.data().remaining()];
        peer.data().get(bytes);
        return bytes;
    }

    @Test
    void decode_ofAFrame_isWhatWasEncoded() throws IOException {
        byte[] content = {1, 2, 3};
        AddressExchange.Peer peer = AddressExchange.decode(AddressExchange.encode(LEFT, content));
        assertEquals(LEFT, peer.address());
        assertArrayEquals(content, data(peer));
    }

    @Test
    void decode_withAnyBitFlipped_isRefused() {
        byte[] frame = AddressExchange.encode(LEFT, new byte[] {1, 2, 3});
        for (int bit = 0; bit < frame.length * 8; bit++) {
            byte[] damaged = frame.clone();
            damaged[bit / 8] ^= (byte) (1 << bit % 8);
            int flipped = bit;
            assertThrows(IOException.class, () -> {
                int length = AddressExchange.lengthOf(Arrays.copyOf(damaged, 12));
                if (length != damaged.length) {
                    throw new IOException("another length");
                }
                AddressExchange.decode(damaged);
            }, () -> "bit " + flipped);
        }
    }

    @Test
    void exchange_overLoopback_bringsBothAddresses() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CompletableFuture<AddressExchange.Peer> passive = CompletableFuture.supplyAsync(() -> {
                try {
                    return AddressExchange.accept(server, LEFT, new byte[] {9}, TIMEOUT_MS);
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            });
            AddressExchange.Peer left = AddressExchange.connect((InetSocketAddress) server.getLocalSocketAddress(),
                RIGHT, new byte[0], TIMEOUT_MS);
            assertEquals(LEFT, left.address());
            assertArrayEquals(new byte[] {9}, data(left));
            assertEquals(RIGHT, passive.get().address());
            assertEquals(0, passive.get().data().remaining());
        }
    }

    @Test
    void accept_ofAStranger_isRefused() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket stranger = new Socket(server.getInetAddress(), server.getLocalPort())) {
            stranger.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.UTF_8));
            assertThrows(IOException.class, () -> AddressExchange.accept(server, LEFT, new byte[0], TIMEOUT_MS));
        }
    }

    @Test
    void accept_withoutAPeer_endsAtItsTimeout() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThrows(IOException.class, () -> AddressExchange.accept(server, LEFT, new byte[0], 1));
        }
    }
}
