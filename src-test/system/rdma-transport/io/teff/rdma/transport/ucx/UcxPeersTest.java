package io.teff.rdma.transport.ucx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.net.Network;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.message.NetworkException;
import io.teff.cluster.net.message.NetworkException.Reason;
import io.teff.test.kit.ChildJvm;
import io.teff.test.kit.ChildProcess;
import io.teff.test.kit.Starts;
import io.teff.test.kit.Threads;
import io.teff.test.kit.tier.FullTier;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: nodes in processes of their own talk over UCX; a killed one is noticed at once, and its successor reached; a
 * session whose process stood still goes on over another link.
 *
 * <p>Method: JVMs that get SIGKILL, SIGSTOP and SIGCONT.
 */
@FullTier("JVMs that are killed and stopped; UcxNetworkTest reaches nodes that start anew, UcxProcessTest kills a "
    + "process")
@Tag("system")
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("processes")
final class UcxPeersTest {
    private static final long SECOND = 1_000_000_000;
    private static final int CALLS = 1_000;

    @BeforeAll
    static void assume() throws IOException {
        Ucx.assume();
    }

    /** A process with a node. */
    private static final class Child implements AutoCloseable {
        final Process process;
        final List<String> addresses = new ArrayList<>();

        Child(String... listen) throws Exception {
            final String main = "/" + UcxNode.class.getName().replace('.', '/') + ".class";
            final String file = Path.of(UcxNode.class.getResource(main).toURI()).toString();
            final String root = file.substring(0, file.length() - main.length());
            final List<String> command = new ArrayList<>(List.of(ChildProcess.java(), "-ea", "-Xmx128m",
                "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-CreateCoredumpOnCrash", ChildJvm.NATIVE, "-cp",
                root + File.pathSeparator + ChildProcess.everything(), UcxNode.class.getName()));
            command.addAll(List.of(listen));
            Starts.JVM.count();
            process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
            final BufferedReader output = process.inputReader();
            while (addresses.size() < listen.length) {
                final String line = output.readLine();
                assertNotNull(line, "the child has ended");
                if (line.startsWith(UcxNode.ADDRESS)) {
                    addresses.add(line.substring(UcxNode.ADDRESS.length()));
                }
            }
        }

        void signal(String name) throws Exception {
            assertEquals(0, new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor());
        }

        @Override
        public void close() {
            process.destroyForcibly();
            assertNotNull(process.onExit().orTimeout(60, TimeUnit.SECONDS).join());
        }
    }

    private static NetworkConfig.Builder config(AtomicReference<String> address) {
        return NetworkConfig.builder(1).listen(Ucx.ANY).addresses(nid -> address.get()).reachNs(60 * SECOND)
            .requestTimeoutNs(60 * SECOND);
    }

    private static void assertSquares(Network network) throws InterruptedException {
        for (long number = 0; number < CALLS; number++) {
            assertEquals(number * number, network.call(UcxNode.NID, UcxNode.SQUARES, number));
        }
    }

    /** The silence that ends a link is a minute, so what notices the end is UCX. */
    @ParameterizedTest
    @ValueSource(strings = {Ucx.ANY, Ucx.TCP})
    void killedPeer_isNoticedAtOnce_andItsSuccessorReached(String listen) throws Exception {
        final AtomicReference<String> address = new AtomicReference<>();
        try (Network network = Network.open(config(address).silenceNs(60 * SECOND).build())) {
            String at = listen;
            for (int life = 0; life < 3; life++) {
                try (Child child = new Child(at)) {
                    at = child.addresses.getFirst();
                    address.set(at);
                    callSuccessor(network);
                    assertSquares(network);
                    final long lost = network.stats().linksLost();
                    final long begin = System.nanoTime();
                    child.process.destroyForcibly();
                    Threads.await("the end of the link", () -> network.stats().linksLost() > lost);
                    System.out.println("ucx: the end of a killed peer was noticed after "
                        + (System.nanoTime() - begin) / 1_000_000 + " ms");
                }
            }
        }
    }

    /** The first call finds that the session of the killed process has ended. */
    private static void callSuccessor(Network network) throws InterruptedException {
        for (int tries = 0; tries < 10; tries++) {
            try {
                assertEquals(4, network.call(UcxNode.NID, UcxNode.SQUARES, 2L));
                return;
            } catch (NetworkException e) {
                assertEquals(Reason.LOST, e.reason());
            }
        }
        throw new AssertionError("ten sessions were lost");
    }

    /** The peer stands still for longer than a link may be silent; the next link is TCP of the JDK. */
    @Test
    void sessionOfPeerThatStoodStill_continuesOverAnotherTransport() throws Exception {
        final AtomicReference<String> address = new AtomicReference<>();
        try (Child child = new Child(Ucx.ANY, "tcp:127.0.0.1:0");
             Network network = Network.open(config(address).silenceNs(UcxNode.SILENCE_NS).awayNs(60 * SECOND)
                 .build())) {
            address.set(child.addresses.getFirst());
            assertSquares(network);
            child.signal("STOP");
            Threads.await("the end of the link", () -> network.stats().linksLost() > 0);
            final var request = network.request(UcxNode.NID, UcxNode.SQUARES, 9L);
            address.set(child.addresses.getLast());
            child.signal("CONT");
            assertEquals(81, request.join());
            assertSquares(network);
            assertEquals(1, network.stats().sessionsBegun());
            assertEquals(0, network.stats().sessionsLost());
            assertTrue(network.stats().sessionsResumed() > 0);
        }
    }
}
