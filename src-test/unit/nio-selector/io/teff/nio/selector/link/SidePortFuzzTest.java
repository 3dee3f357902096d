package io.teff.nio.selector.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.nio.selector.report.LinkReason;
import io.teff.test.kit.Form;
import io.teff.test.kit.Seed;
import io.teff.test.kit.tier.FullTier;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: a byte that is changed between two programs with the secret makes no link, and harms neither program. Method: a
 * relay before the side port changes one byte of one direction, at each place in turn.
 */
@FullTier("a changed length is noticed by the wait of the settings, hundreds of times")
final class SidePortFuzzTest {
    private static final int WAIT_MS = 300;
    /** The handshake, FIND, HELLO and OFFER with their answers end before this byte. */
    private static final int PLACES = 450;

    @TempDir
    private Path folder;
    private SideRig rig;

    /** Passes bytes on, and changes a single byte. */
    private final class Relay implements AutoCloseable {
        private final ServerSocket door;
        private final int inside;
        private final int place;
        private final boolean isOfDialer;
        private final int change;
        private final AtomicBoolean hasChanged = new AtomicBoolean();

        private Relay(int inside, int place, boolean isOfDialer, int change) throws IOException {
            door = new ServerSocket(rig.firstPort, 10, rig.host);
            this.inside = inside;
            this.place = place;
            this.isOfDialer = isOfDialer;
            this.change = change;
            Thread.ofVirtual().start(this::run);
        }

        private void run() {
            try (Socket from = door.accept(); Socket to = new Socket(rig.host, inside)) {
                final Thread back = Thread.ofVirtual().start(() -> pass(to, from, !isOfDialer));
                pass(from, to, isOfDialer);
                back.join();
            } catch (IOException e) {
                assertTrue(door.isClosed() || door.isBound());
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        private void pass(Socket from, Socket to, boolean isChanging) {
            int at = 0;
            try {
                final InputStream input = from.getInputStream();
                final OutputStream output = to.getOutputStream();
                final byte[] bytes = new byte[1 << 16];
                for (int count = input.read(bytes); count >= 0; count = input.read(bytes)) {
                    if (isChanging && place >= at && place < at + count) {
                        bytes[place - at] ^= (byte) change;
                        hasChanged.set(true);
                    }
                    output.write(bytes, 0, count);
                    at += count;
                }
                to.shutdownOutput();
            } catch (IOException e) {
                assertTrue(at >= 0);                            // an end of either side
            }
        }

        @Override
        public void close() throws IOException {
            door.close();
        }
    }

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
    void bytes_changedOnTheirWay_makeNoLink() throws Exception {
        final SplittableRandom random = new SplittableRandom(Seed.first());
        rig.blockFirst();
        final PeerListener program = rig.program(1, SideRig.PROGRAM_PORT);
        final int inside = program.sidePort();
        program.setSidePort(rig.firstPort);                     // the relay
        rig.unblockFirst();
        final int rounds = Form.size(40, 240, 2 * PLACES);
        int changed = 0;
        for (int i = 0; i < rounds; i++) {
            final int place = (int) ((long) i * PLACES / rounds);
            final boolean isOfDialer = random.nextBoolean();
            try (Relay relay = new Relay(inside, place, isOfDialer, 1 << random.nextInt(8));
                    RemotePeers peers = rig.freshClient(1, WAIT_MS)) {
                final Fabric.Outcome outcome = rig.offerAlone(peers, SideRig.PROGRAM_PORT);
                if (relay.hasChanged.get()) {
                    changed++;
                    assertTrue(outcome.link() == null || outcome.link().peerNumber() == 0,
                        () -> "a link behind a change at " + place + ", of the dialer " + isOfDialer);
                }
            }
        }
        assertTrue(changed > rounds / 3, changed + " of " + rounds + " places were reached");
        try (Relay relay = new Relay(inside, Integer.MAX_VALUE, true, 0);
                RemotePeers peers = rig.freshClient(1, SideRig.WAIT_MS)) {
            assertEquals(LinkReason.UCX, rig.offer(peers, SideRig.PROGRAM_PORT).reason());
            assertNull(relay.hasChanged.get() ? relay : null);
        }
    }
}
