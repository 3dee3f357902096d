package io.teff.nio.selector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.nio.selector.report.LinkReason;
import io.teff.test.kit.ChildJvm;
import io.teff.test.kit.ChildProcess;
import io.teff.test.kit.Starts;
import io.teff.test.kit.Threads;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Connections by UCX between two processes, the kill of a process, and the provider of the system property. */
@Tag("processes")
@Tag("system")
final class ProcessesTest {
    private static final int ROUNDS = 200;
    private static final String PROPERTY =
        "-Djava.nio.channels.spi.SelectorProvider=io.teff.nio.selector.TeffSelectorProvider";

    @TempDir
    private Path folder;

    @Test
    @Timeout(60)
    void echo_ofAnotherProcess_isResetWhenTheProcessIsKilled() throws Exception {
        final Process process = start();
        try (Providers providers = new Providers(folder)) {
            providers.assumeLinks();
            Threads.await("the port of the server", () -> Files.exists(folder.resolve("port")));
            final InetSocketAddress address = new InetSocketAddress("127.0.0.1",
                Integer.parseInt(Files.readString(folder.resolve("port"))));
            final long before = providers.client.counts().get(LinkReason.UCX);
            try (SocketChannel channel = providers.client.openSocketChannel()) {
                channel.connect(address);
                assertEquals(before + 1, providers.client.counts().get(LinkReason.UCX),
                    () -> providers.client.counts() + " " + providers.client.lastFailure());
                echo(channel, ROUNDS);
                process.destroyForcibly().waitFor();
                assertThrows(IOException.class, () -> assertTrue(channel.read(ByteBuffer.allocate(1)) >= 0));
            }
            final SocketChannel late = providers.client.openSocketChannel();
            assertThrows(ConnectException.class, () -> late.connect(address));
        } finally {
            process.destroyForcibly();
        }
    }

    /** A program that answers no offer in time keeps the links that it has. */
    @Test
    @Timeout(60)
    void links_ofAProcessThatStandsStill_stay() throws Exception {
        final Process process = start();
        try (Providers providers = new Providers(folder)) {
            providers.assumeLinks();
            Threads.await("the port of the server", () -> Files.exists(folder.resolve("port")));
            final InetSocketAddress address = new InetSocketAddress("127.0.0.1",
                Integer.parseInt(Files.readString(folder.resolve("port"))));
            final long before = providers.client.counts().get(LinkReason.UCX);
            try (SocketChannel early = providers.client.openSocketChannel();
                    SocketChannel late = providers.client.openSocketChannel()) {
                early.connect(address);
                echo(early, 1);
                signal(process, "STOP");
                late.connect(address);
                signal(process, "CONT");
                echo(late, ROUNDS);
                echo(early, ROUNDS);
                assertTrue(providers.client.counts().get(LinkReason.UCX) > before);
            }
        } finally {
            process.destroyForcibly();
        }
    }

    private Process start() throws Exception {
        final String file = "/" + EchoProgram.class.getName().replace('.', '/') + ".class";
        final String place = Path.of(EchoProgram.class.getResource(file).toURI()).toString();
        final String root = place.substring(0, place.length() - file.length());
        Starts.JVM.count();
        return new ProcessBuilder(ChildProcess.java(), ChildJvm.NATIVE, "-Xmx128m", "-cp",
            root + File.pathSeparator + ChildProcess.everything(),
            EchoProgram.class.getName(), folder.toString()).redirectErrorStream(true)
            .redirectOutput(folder.resolve("output").toFile()).start();
    }

    private static void echo(SocketChannel channel, int rounds) throws IOException {
        for (int i = 1; i <= rounds; i++) {
            final ByteBuffer bytes = ByteBuffer.allocate(i * 100);
            bytes.put(0, (byte) i);
            channel.write(bytes);
            bytes.flip();
            while (bytes.hasRemaining()) {
                channel.read(bytes);
            }
            assertEquals((byte) i, bytes.get(0));
        }
    }

    private static void signal(Process process, String name) throws IOException, InterruptedException {
        assertEquals(0, new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid())).start().waitFor());
        final Path state = Path.of("/proc", String.valueOf(process.pid()), "stat");
        Threads.await(name, () -> {
            try {
                return Files.readString(state).contains(") T ") == name.equals("STOP");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    @Test
    void property_withoutItsFlag_namesTheFlag() throws InterruptedException {
        final ChildJvm.Result result = ChildJvm.run(PropertyProgram.class, ChildJvm.NATIVE, PROPERTY);
        assertTrue(result.output().contains("--add-exports java.base/sun.nio.ch=ALL-UNNAMED"), result::output);
    }

    @Test
    void property_withItsFlag_servesTheClientOfTheJdk() throws InterruptedException {
        final ChildJvm.Result result = ChildJvm.run(PropertyProgram.class, ChildJvm.NATIVE, PROPERTY,
            "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED", "-Dteff.nio.registry=" + folder.resolve("registry"));
        assertTrue(result.output().contains("answers 20, pipes true"), result::output);
    }
}
