package io.teff.rdma.transport.ucx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.rdma.transport.RdmaTransport;
import io.teff.test.kit.ChildJvm;
import io.teff.test.net.Told;
import io.teff.test.net.TransportEnds;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: dialers that are gone before the listener has answered them crash nothing, while it is used and while it is
 * closed.
 *
 * <p>Method: in a JVM of its own, dialers end at each step of their connection, while the listener stands still; then
 * it goes on, or is closed.
 */
@Tag("system")
final class GoneDialersTest {
    private static final String DONE = "dialers are gone: ";

    @BeforeAll
    static void assume() throws IOException {
        Ucx.assume();
    }

    @ParameterizedTest
    @ValueSource(strings = {Ucx.TCP, Ucx.SHARED})
    void dialersThatAreGone_crashNothing(String address) throws InterruptedException {
        final ChildJvm.Result result = ChildJvm.run(Listener.class,
            Map.of("UCX_KEEPALIVE_INTERVAL", "10us", "UCX_LOG_LEVEL", "fatal"), "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC", ChildJvm.NATIVE, "--", address);
        assertEquals(0, result.exitCode(), result.output());
        assertTrue(result.output().contains(DONE + Listener.DIALERS), result.output());
        assertFalse(result.output().contains("connected 0"), result.output());
    }

    /** The JVM with the listeners. */
    static final class Listener {
        static final int DIALERS = 60;
        /** Polls of the listener with something to do, up to an open link and a few more. */
        private static final int STEPS = 8;
        private static final int ORDERS = 3;
        private static final int POLLS = 40;
        private static final long STEP_NS_MAX = 20_000_000;

        private Listener() {}

        public static void main(String[] arguments) throws IOException {
            int connected = 0;
            for (int i = 0; i < DIALERS; i++) {
                connected += round(arguments[0], i % STEPS, i % ORDERS);
            }
            System.out.println(DONE + DIALERS + ", of which connected " + connected);
        }

        private static int round(String address, int steps, int order) throws IOException {
            final AtomicLong step = new AtomicLong();
            final UcxTransport listening = transport(step);
            final UcxTransport dialing = transport(step);
            final Told dialed = new Told();
            dialed.link = dialing.connect(listening.listen(address, Told.into(new ArrayList<>())), dialed);
            for (int i = 0; i < steps; i++) {
                step(dialing, listening);
            }
            final int connected = dialed.connected;
            if (connected == 1) {
                dialed.link.write(MemorySegment.ofArray(new byte[1000]), 0, 1000);
                poll(dialing);
            }
            step.set(RdmaTransport.CLOSE_NS);
            if (order == 0) {
                TransportEnds.closeAll(List.of(dialing, listening));
            } else if (order == 1) {
                listening.close();
                dialing.close();
            } else {
                dialing.close();
                poll(listening);
                listening.close();
            }
            return connected;
        }

        /** A transport whose clock makes steps. */
        private static UcxTransport transport(AtomicLong step) {
            final AtomicLong clock = new AtomicLong();
            return new UcxTransport(it -> UcxLinks.open(it, () -> clock.addAndGet(step.get())),
                InetAddress::getByName);
        }

        private static void poll(UcxTransport transport) {
            for (int i = 0; i < POLLS; i++) {
                transport.poll();
            }
        }

        /** The dialer goes on until the listener has something to do. */
        private static void step(UcxTransport dialing, UcxTransport listening) {
            final long begin = System.nanoTime();
            do {
                poll(dialing);
            } while (listening.poll() == 0 && System.nanoTime() - begin < STEP_NS_MAX);
        }
    }
}
