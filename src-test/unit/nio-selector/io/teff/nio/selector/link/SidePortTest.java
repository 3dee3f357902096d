package io.teff.nio.selector.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.nio.selector.report.LinkReason;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: programs find each other by side ports, strangers cost little, and a search without success ends in time and
 * is remembered. Method: the classes behind the fabric over the loopback address, where the fabric would take the
 * registry.
 */
final class SidePortTest {
    private static final int WAIT_MS = SideRig.WAIT_MS;
    private static final int PROGRAM_PORT = SideRig.PROGRAM_PORT;

    @TempDir
    private Path folder;
    private SideRig rig;

    @BeforeEach
    void open() throws IOException {
        rig = SideRig.open(folder);
        Assumptions.assumeTrue(rig != null, "no UCX");
    }

    @AfterEach
    void close() throws Exception {
        if (rig != null) {
            rig.close();
        }
    }

    @Test
    void offer_isTaken_byTheProgramThatListens() throws IOException {
        rig.program(1, 0);
        final PeerListener second = rig.program(1, PROGRAM_PORT);
        assertEquals(rig.firstPort + 1, second.sidePort());
        final RemotePeers peers = rig.client(1, WAIT_MS);
        for (int i = 0; i < 3; i++) {                           // the first program of the machine knows the second
            final Fabric.Outcome outcome = rig.offer(peers, PROGRAM_PORT);
            assertEquals(LinkReason.UCX, outcome.reason(), () -> String.valueOf(rig.reports.lastFailure()));
            assertNotNull(outcome.link());
        }
        assertEquals(LinkReason.NO_LISTENER, rig.offer(peers, PROGRAM_PORT + 1).reason());
        assertEquals(LinkReason.UCX, rig.offer(peers, PROGRAM_PORT).reason());
    }

    @Test
    void offer_isTaken_overVersion6() throws IOException {
        rig.host = InetAddress.ofLiteral("::1");
        Assumptions.assumeTrue(NetworkInterface.getByInetAddress(rig.host) != null, "no IPv6");
        rig.program(1, PROGRAM_PORT);
        assertEquals(LinkReason.UCX, rig.offer(rig.client(1, WAIT_MS), PROGRAM_PORT).reason(),
            () -> String.valueOf(rig.reports.lastFailure()));
    }

    @Test
    void offer_toAProgramWithAnotherSecret_isForTcp_andGoesOnToTheNext() throws IOException {
        rig.program(2, PROGRAM_PORT);
        final RemotePeers peers = rig.client(1, WAIT_MS);
        assertEquals(LinkReason.OTHER_SECRET, rig.offer(peers, PROGRAM_PORT).reason());
        rig.program(1, PROGRAM_PORT);
        assertEquals(LinkReason.OTHER_SECRET, rig.offer(peers, PROGRAM_PORT).reason());     // remembered
        assertEquals(LinkReason.UCX, rig.offer(rig.client(1, WAIT_MS), PROGRAM_PORT).reason());
    }

    @Test
    void offer_withoutAnySidePort_isForTcp_andRemembered() throws IOException {
        final RemotePeers peers = rig.client(1, WAIT_MS);
        assertEquals(LinkReason.NO_SIDE_PORT, rig.offer(peers, PROGRAM_PORT).reason());
        rig.program(1, PROGRAM_PORT);
        assertEquals(LinkReason.NO_SIDE_PORT, rig.offer(peers, PROGRAM_PORT).reason());
    }

    @Test
    void offer_toAPortThatSaysNothing_orSomethingElse_endsInTime() throws Exception {
        final int waitMs = 400;
        try (ServerSocket silent = new ServerSocket(rig.firstPort);
                ServerSocket other = new ServerSocket(rig.firstPort + 1)) {
            final Thread speaker = Thread.ofVirtual().start(() -> {
                try (Socket stranger = other.accept()) {
                    stranger.getOutputStream().write("HTTP/1.1 400 Bad Request\r\n\r\n".repeat(4)
                        .getBytes(StandardCharsets.US_ASCII));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            final RemotePeers peers = rig.client(1, waitMs);
            final long beginNs = System.nanoTime();
            assertEquals(LinkReason.NO_SIDE_PORT, rig.offer(peers, PROGRAM_PORT).reason());
            final long tookMs = (System.nanoTime() - beginNs) / 1_000_000;
            assertTrue(tookMs < waitMs + 5_000, () -> tookMs + " ms");          // the test's machine may be busy
            speaker.join();
            assertEquals(LinkReason.NO_SIDE_PORT, rig.offer(peers, PROGRAM_PORT).reason());
            silent.accept().close();
        }
    }

    @Test
    void frames_ofAProvenPeer_thatAreWrong_endItsConnectionAlone() throws IOException {
        final PeerListener program = rig.program(1, PROGRAM_PORT);
        final SplittableRandom random = new SplittableRandom(2);
        final byte[] address = rig.core.address();
        for (int i = 0; i < 40; i++) {
            final byte[] changed = address.clone();
            changed[random.nextInt(changed.length)] ^= (byte) (1 + random.nextInt(255));
            final ByteBuffer frame = SideConnection.frame(i % 4 == 0 ? random.nextInt() : SideConnection.HELLO);
            switch (i % 4) {
                case 0 -> frame.putLong(random.nextLong());
                case 1 -> frame.putLong(1).putInt(rig.core.release()).put(changed);
                case 2 -> frame.putLong(1).putInt(rig.core.release()).put(address, 0, random.nextInt(address.length));
                default -> frame.putLong(1).putInt(rig.core.release() + 1).put(address);
            }
            try (SideConnection side = rig.proven(program)) {
                side.send(frame);
                assertThrows(IOException.class, side::receive);
            }
        }
        assertEquals(LinkReason.UCX, rig.offer(rig.client(1, WAIT_MS), PROGRAM_PORT).reason());
    }

    @Test
    void question_withTranslatedAddresses_isAnsweredSo() throws Exception {
        final PeerListener program = rig.program(1, PROGRAM_PORT);
        final PeerDialer dialer = PeerDialer.start(rig.proven(program), WAIT_MS * 1_000_000L);
        final InetAddress other = InetAddress.ofLiteral("10.1.2.3");
        final long waitNs = TimeUnit.SECONDS.toNanos(30);
        assertEquals(program.sidePort(), dialer.find(rig.host, PROGRAM_PORT, rig.host, waitNs));
        assertEquals(PeerListener.TRANSLATED, dialer.find(rig.host, PROGRAM_PORT, other, waitNs));
        assertEquals(PeerListener.TRANSLATED, dialer.find(other, PROGRAM_PORT, rig.host, waitNs));
        assertEquals(PeerListener.NONE, dialer.find(rig.host, 1, rig.host, waitNs));
        dialer.close();
    }

    @Test
    void strangers_beyondTheLimit_areClosedAtOnce_andPeersAreServedBehindThem() throws IOException {
        final PeerListener program = rig.program(1, PROGRAM_PORT);
        final List<SocketChannel> strangers = new ArrayList<>();
        for (int i = 0; i < SidePort.STRANGERS_OF_ADDRESS_MAX; i++) {
            strangers.add(SocketChannel.open(new InetSocketAddress(rig.host, program.sidePort())));
            strangers.getLast().write(ByteBuffer.wrap(new byte[i]));            // and no more
        }
        try (SocketChannel late = SocketChannel.open(new InetSocketAddress(rig.host, program.sidePort()))) {
            assertTrue(isEnded(late));
            final SocketChannel last = strangers.getLast();
            last.configureBlocking(false);
            assertEquals(0, last.read(ByteBuffer.allocate(1)));                 // so its time was not over
            last.configureBlocking(true);
        }
        for (SocketChannel stranger : strangers) {
            assertTrue(isEnded(stranger));                      // by the time of a handshake
            stranger.close();
        }
        assertEquals(LinkReason.UCX, rig.offer(rig.client(1, WAIT_MS), PROGRAM_PORT).reason());
    }

    private static boolean isEnded(SocketChannel channel) {
        try {
            return channel.read(ByteBuffer.allocate(1)) < 0;
        } catch (IOException e) {
            return true;
        }
    }

    @Test
    void bytes_ofStrangers_endTheirConnectionAlone() throws IOException {
        final PeerListener program = rig.program(1, PROGRAM_PORT);
        final SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 50; i++) {
            try (SocketChannel stranger = SocketChannel.open(new InetSocketAddress(rig.host, program.sidePort()))) {
                final byte[] bytes = new byte[48 + random.nextInt(200)];
                random.nextBytes(bytes);
                stranger.write(ByteBuffer.wrap(bytes));
                assertTrue(isEnded(stranger));
            }
        }
        final Fabric.Outcome outcome = rig.offer(rig.client(1, WAIT_MS), PROGRAM_PORT);
        assertEquals(LinkReason.UCX, outcome.reason());
        assertNull(rig.offer(rig.client(2, WAIT_MS), PROGRAM_PORT).link());
    }
}
