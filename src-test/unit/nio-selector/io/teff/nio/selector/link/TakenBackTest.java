package io.teff.nio.selector.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.teff.nio.selector.SelectorSettings;
import io.teff.nio.selector.TeffSelectorProvider;
import io.teff.nio.selector.report.LinkReason;
import io.teff.nio.selector.report.Reports;
import io.teff.rdma.RdmaException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A client takes its offer back after the server has accepted the connection with a link, because the answer to the
 * offer was late. The client is made of the parts below the channels.
 */
@Timeout(120)
final class TakenBackTest {
    private static final SelectorProvider JDK = SelectorProvider.provider();

    @TempDir
    private Path folder;

    @Test
    void offer_takenBackBehindTheAccept_leavesAStreamByTcp() throws Exception {
        final Path registry = folder.resolve("registry");
        try (TeffSelectorProvider provider = TeffSelectorProvider.create(SelectorSettings.DEFAULT
                .withRegistry(registry.toString()));
                ServerSocketChannel listener = provider.openServerSocketChannel();
                SocketChannel client = JDK.openSocketChannel();
                TcpWatch watch = TcpWatch.open(JDK)) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            client.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            final UcxCore core = core(watch);
            final SocketChannel unix = JDK.openSocketChannel(StandardProtocolFamily.UNIX);
            unix.connect(UnixDomainSocketAddress.of(sideSocket(registry, listener.socket().getLocalPort())));
            try (SideConnection side = new SideConnection(unix)) {
                final long link = offer(core, side, listener.socket().getLocalPort(), client.socket().getLocalPort());
                client.connect(listener.getLocalAddress());
                write(client, "to the server, ");
                try (SocketChannel server = listener.accept()) {
                    assertEquals(1, provider.counts().get(LinkReason.UCX));
                    write(server, "to the client, ");
                    side.send(SideConnection.frame(SideConnection.WITHDRAW).putLong(link));
                    assertEquals("to the client, ", read(client, 15));
                    write(server, "and more");
                    assertEquals("and more", read(client, 8));
                    write(client, "and back");
                    assertEquals("to the server, and back", read(server, 23));
                    client.shutdownOutput();
                    assertEquals(-1, server.read(ByteBuffer.allocate(1)));
                    assertEquals(1, provider.counts().get(LinkReason.FELL_BACK));
                }
            } finally {
                core.close();
            }
        }
    }

    private static UcxCore core(TcpWatch watch) {
        try {
            return UcxCore.open("", watch, new Reports(), 0);
        } catch (RdmaException | LinkageError e) {
            assumeTrue(false, () -> "no UCX: " + e);
            throw e;
        }
    }

    private static Path sideSocket(Path registry, int port) throws IOException {
        final Path socket = ListenerRegistry.open(registry.toString()).find(InetAddress.getLoopbackAddress(), port);
        if (socket == null) {
            throw new IOException("no port " + port + " in " + registry);
        }
        return socket;
    }

    /** Makes a path to the server, and offers a link that no channel of this side will use. */
    private static long offer(UcxCore core, SideConnection side, int port, int clientPort) throws Exception {
        final PeerPath path = core.path(false);
        side.send(PeerListener.hello(core, path));
        final ByteBuffer hello = side.receive();
        assertEquals(SideConnection.HELLO, hello.getInt());
        PeerListener.readHello(core, path, hello);
        path.dial();
        assertTrue(path.awaitOpened(TimeUnit.SECONDS.toNanos(30)));
        side.send(SideConnection.putAddress(SideConnection.frame(SideConnection.OFFER).putLong(1).putInt(port)
            .putInt(clientPort).putLong(-1), InetAddress.getLoopbackAddress().getAddress()));
        final ByteBuffer answer = side.receive();
        assertEquals(SideConnection.ANSWER, answer.getInt());
        assertEquals(1, answer.getLong());
        return answer.getLong();
    }

    private static void write(SocketChannel channel, String text) throws IOException {
        channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)));
    }

    private static String read(SocketChannel channel, int length) throws IOException {
        final ByteBuffer bytes = ByteBuffer.allocate(length);
        while (bytes.hasRemaining() && channel.read(bytes) >= 0) {
            assertTrue(bytes.position() <= length);
        }
        return new String(bytes.array(), 0, bytes.position(), StandardCharsets.US_ASCII);
    }
}
