package io.teff.test.nio.programs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.nio.selector.SelectorSettings;
import io.teff.nio.selector.TeffSelectorProvider;
import io.teff.nio.selector.report.LinkReason;
import io.teff.test.kit.ChildJvm;
import io.teff.test.kit.ChildProcess;
import io.teff.test.kit.Starts;
import io.teff.test.kit.Threads;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;

/** A process of a test, with or without the provider. The last lines of its output are part of each failure. */
final class Program implements AutoCloseable {
    private static final long SECONDS_MAX = 300;
    private static final long END_SECONDS = 60;
    /** On a busy machine, two JVMs that start at once may need longer for their path than the default. */
    private static final int FIRST_WAIT_MS = 30_000;
    private static final int LINES_SHOWN = 60;
    private static final int DUMP_SHOWN = 400;
    private static final List<String> PROVIDER = List.of(
        "-Djava.nio.channels.spi.SelectorProvider=" + TeffSelectorProvider.class.getName(),
        "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED");

    private final String name;
    private final Process process;
    private final Path output;

    private Program(String name, Process process, Path output) {
        this.name = name;
        this.process = process;
        this.output = output;
    }

    /** Starts a process with the provider. */
    static Program withProvider(Transports transports, Path folder, Class<?> main, Object... arguments)
            throws IOException {
        return start(folder, transports, main, arguments);
    }

    /** Starts a process without the provider. */
    static Program plain(Path folder, Class<?> main, Object... arguments) throws IOException {
        return start(folder, Transports.NO_PROVIDER, main, arguments);
    }

    private static Program start(Path folder, Transports transports, Class<?> main, Object... arguments)
            throws IOException {
        final List<String> command = new ArrayList<>(List.of(ChildProcess.java(), "-ea", "-Xmx768m", "-Xss512k",
            "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", ChildJvm.NATIVE, "--sun-misc-unsafe-memory-access=allow"));
        if (transports != Transports.NO_PROVIDER) {
            command.addAll(PROVIDER);
            command.add(transports.option());
            command.add("-Dteff.nio.registry=" + folder.resolve("registry"));
            command.add("-Dteff.nio.firstWaitMs=" + FIRST_WAIT_MS);
        }
        command.addAll(List.of("-cp", ChildProcess.everything(), main.getName()));
        for (Object argument : arguments) {
            command.add(argument.toString());
        }
        final Path output = Files.createTempFile(folder, main.getSimpleName() + "-", ".txt");
        Starts.JVM.count();
        final ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile())
            .redirectErrorStream(true).redirectOutput(output.toFile());
        if (transports != Transports.NO_PROVIDER) {
            builder.environment().putAll(transports.variables());
        }
        return new Program(main.getSimpleName() + " " + transports, builder.start(), output);
    }

    /** Skips a test where UCX is missing. */
    static void assumeLinks(Path folder) throws IOException {
        final SelectorSettings settings = SelectorSettings.DEFAULT.withRegistry(folder.resolve("registry").toString());
        try (TeffSelectorProvider client = TeffSelectorProvider.create(settings);
                TeffSelectorProvider server = TeffSelectorProvider.create(settings);
                ServerSocketChannel listener = server.openServerSocketChannel();
                SocketChannel dialed = client.openSocketChannel()) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            dialed.connect(listener.getLocalAddress());
            listener.accept().close();
            Assumptions.assumeTrue(client.counts().get(LinkReason.NO_UCX) == 0, () -> "no UCX: "
                + client.lastFailure());
        }
    }

    private List<String> lines() {
        try (var all = Files.lines(output, java.nio.charset.StandardCharsets.ISO_8859_1)) {
            return all.toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@return all lines that begin with a word, without the word} */
    List<String> all(String word) {
        return lines().stream().filter(line -> line.startsWith(word + " "))
            .map(line -> line.substring(word.length() + 1)).toList();
    }

    /** Waits for a line that begins with a word; returns the rest of the line. */
    String await(String word) {
        Threads.await(SECONDS_MAX, () -> word + " of " + this, () -> !all(word).isEmpty() || !process.isAlive());
        final Optional<String> found = all(word).stream().findFirst();
        return found.orElseThrow(() -> new AssertionError(this + " has ended"));
    }

    /** {@return the port that a server has told} */
    int port() {
        return Integer.parseInt(await(Told.READY));
    }

    /** Lets the process end by itself, and checks that it did well. */
    void end() throws IOException, InterruptedException {
        process.getOutputStream().close();
        if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
            new ProcessBuilder("kill", "-3", String.valueOf(process.pid())).start().waitFor();
            process.waitFor(2, TimeUnit.SECONDS);
            final List<String> dump = lines();
            close();
            throw new AssertionError(name + " does not end\n"
                + String.join("\n", dump.subList(Math.max(0, dump.size() - DUMP_SHOWN), dump.size())));
        }
        assertEquals(0, process.exitValue(), this::toString);
    }

    /** Waits until the process has done its work and ended; returns what it told. */
    String done() throws IOException, InterruptedException {
        final String told = await(Told.DONE);
        end();
        System.out.println("nio-programs: " + name + " has done " + told + ", connections " + await(Told.COUNTS));
        return told;
    }

    /** {@return the number of connections for a reason, told at the end} */
    long count(LinkReason reason) {
        final String counts = await(Told.COUNTS);
        final Matcher matcher = Pattern.compile("\\b" + reason + "=(\\d+)").matcher(counts);
        return matcher.find() ? Long.parseLong(matcher.group(1)) : 0;
    }

    /** Checks that links were used, and that no connection was worse off than it had to be. */
    void assertLinks(long atLeast) {
        assertTrue(count(LinkReason.UCX) >= atLeast, this::toString);
        assertEquals(0, count(LinkReason.NO_UCX) + count(LinkReason.UNREACHABLE), this::toString);
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    @Override
    public String toString() {
        final List<String> lines = lines();
        return name + ":\n" + String.join("\n", lines.subList(Math.max(0, lines.size() - LINES_SHOWN), lines.size()));
    }
}
