package io.teff.nio.selector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.teff.test.kit.ChildJvm;
import io.teff.test.kit.ChildProcess;
import io.teff.test.kit.Form;
import io.teff.test.kit.Namespaces;
import io.teff.test.kit.Namespaces.Cut;
import io.teff.test.kit.Seed;
import io.teff.test.kit.Starts;
import io.teff.test.kit.tier.FullTier;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.Writer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: programs on different machines talk by UCX where side ports and secret allow, and by TCP everywhere else,
 * without a long wait. Method: two JVMs in network namespaces of their own with a router between them, UCX over
 * TCP; the router and the firewalls of the namespaces cut and refuse. The machine must allow it, which takes root.
 */
@Tag("processes")
@Tag("system")
@FullTier("cuts of seconds, which take root; SidePortTest has the search and the strangers")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
final class OtherMachineTest {
    private static final int STEPS = 60;
    private static final int PORT = 7_000;
    private static final String SIDE_PORTS = "7690-7693";
    private static final String SECRET = "0123456789abcdef";
    /** Far beyond what a busy machine needs. */
    private static final int WAIT_MS = 30_000;
    /** A program that hangs ends by then, and the test with it. */
    private static final int LIFE_S = 150;

    @TempDir
    private Path folder;
    private Namespaces namespaces;
    private final List<Program> programs = new ArrayList<>();

    /** A program in a namespace. */
    private static final class Program {
        private final Process process;
        private final BufferedReader output;
        private final Writer input;

        private Program(Process process) {
            this.process = process;
            output = process.inputReader();
            input = process.outputWriter();
        }

        private void say(String line) throws IOException {
            input.write(line + "\n");
            input.flush();
        }

        private String hear(String beginning) throws IOException {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                if (line.startsWith(beginning)) {
                    return line;
                }
                System.out.println("other machine: " + line);
            }
            throw new IOException("the program has ended");
        }

        private String ask(String line) throws IOException {
            say(line);
            return hear(line.substring(0, line.indexOf(' ')));
        }

        private String counts() throws IOException {
            say("counts");
            return hear("");
        }
    }

    @BeforeEach
    void makeNamespaces() throws IOException, InterruptedException {
        final String missing = Namespaces.missing();
        if (missing != null) {
            System.out.println("other machines: skipped, " + missing);
        }
        assumeTrue(missing == null, missing);
        try (Providers providers = new Providers(folder)) {
            providers.assumeLinks();
        }
        namespaces = new Namespaces();
    }

    @AfterEach
    void end() throws InterruptedException {
        for (Program program : programs) {
            program.process.destroyForcibly().waitFor();
        }
        if (namespaces != null) {
            namespaces.close();
        }
    }

    private Program start(String side, String... flags) throws IOException {
        return startWith(SECRET, side, flags);
    }

    private Program startWith(String secret, String side, String... flags) throws IOException {
        final Path file = folder.resolve("secret-" + side + secret.length());
        if (!Files.exists(file)) {
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.writeString(file, secret + "\n");
        }
        final String[] names = RemoteProgram.class.getName().split("\\.");
        Path root = Path.of(java.net.URI.create(RemoteProgram.class.getResource("RemoteProgram.class").toString()));
        for (int i = 0; i < names.length; i++) {
            root = root.getParent();
        }
        final List<String> command = new ArrayList<>(namespaces.within(side));
        command.addAll(List.of(ChildProcess.java(), "-ea", "-Xmx128m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC",
            "-XX:-CreateCoredumpOnCrash", ChildJvm.NATIVE, "-Dteff.nio.registry=" + folder.resolve("registry"),
            "-Dteff.nio.transports=tcp", "-Dteff.nio.sidePorts=" + SIDE_PORTS, "-Dteff.nio.sideSecretFile=" + file));
        if (List.of(flags).stream().noneMatch(flag -> flag.contains("sideWaitMs"))) {
            command.add("-Dteff.nio.sideWaitMs=" + WAIT_MS);
        }
        command.addAll(List.of(flags));
        command.addAll(List.of("-cp", root + File.pathSeparator + ChildProcess.everything(),
            RemoteProgram.class.getName()));
        final ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("UCX_NET_DEVICES", "eth0");   // both machines are one, with one loopback device
        Starts.JVM.count();
        final Process process = builder.start();
        CompletableFuture.delayedExecutor(LIFE_S, TimeUnit.SECONDS).execute(process::destroyForcibly);
        final Program program = new Program(process);
        programs.add(program);
        program.hear("ready");
        return program;
    }

    private Program server(String... flags) throws IOException {
        final Program server = start("b", flags);
        server.say("listen " + PORT + " echo");
        server.hear("listening");
        server.say("listen " + (PORT + 1) + " speak");
        server.hear("listening");
        return server;
    }

    private static String to(String verb, int port, int size) {
        return verb + " " + Namespaces.address("b") + " " + port + " " + size;
    }

    // ---- ways ----

    @Test
    void programs_ofTwoMachines_talkByUcx_andToOthersByTcp() throws Exception {
        final Program server = server();
        final Program client = start("a");
        for (int size : new int[] {1, 1_000, 3_000_000}) {
            assertUcx("echo right ucx", client.ask(to("echo", PORT, size)), client);
        }
        assertUcx("greeted hello ucx", client.ask(to("greeted", PORT + 1, 0)), client);
        client.say("listen " + PORT + " echo");                 // one folder has both: the namespaces differ
        client.hear("listening");
        assertUcx("echo right ucx", server.ask("echo " + Namespaces.address("a") + " " + PORT + " 1000"), server);
        final Program second = start("b");                      // its side port is the second
        second.say("listen " + (PORT + 2) + " echo");
        second.hear("listening");
        assertUcx("echo right ucx", client.ask(to("echo", PORT + 2, 1_000)), client);
        final Program plain = start("a", "-Dprogram.provider=jdk");
        assertUcx("echo right tcp", plain.ask(to("echo", PORT, 1_000)), plain);
        assertUcx("greeted hello tcp", plain.ask(to("greeted", PORT + 1, 0)), plain);
        final Program plainServer = start("b", "-Dprogram.provider=jdk");
        plainServer.say("listen " + (PORT + 3) + " echo");
        plainServer.hear("listening");
        assertUcx("echo right tcp", client.ask(to("echo", PORT + 3, 1_000)), client);
        assertTrue(client.counts().contains("NO_LISTENER=1 "));
    }

    @Test
    void machines_withSeveralAddresses_talkByUcxAtEach() throws Exception {
        server();
        final String server = namespaces.addAddress("b");
        final String client = namespaces.addAddress("a");
        final Program program = start("a");
        final String size = " " + PORT + " 1000";
        assertUcx("echo right ucx", program.ask("echo " + server + size), program);
        assertUcx("echo right ucx", program.ask("echo " + server + size + " " + client), program);
        assertUcx("echo right ucx", program.ask("echo " + Namespaces.address("b") + size + " " + client), program);
    }

    private static void assertUcx(String expected, String found, Program client) throws IOException {
        if (!found.startsWith(expected)) {
            throw new AssertionError(found + " instead of " + expected + "; " + client.counts());
        }
    }

    @Test
    void scripts_betweenMachines_haveTheResultsOfTheJdk() throws Exception {
        final long first = Seed.first();
        final int count = Form.size(10, 40, 1_000);
        final Program server = start("b");
        final Program client = start("a");
        server.say("script server " + (PORT + 4) + " " + first + " " + count);
        server.hear("listening");
        client.say("script " + Namespaces.address("b") + " " + (PORT + 4) + " " + first + " " + count);
        final Program[] ends = {client, server};
        for (long seed = first; seed < first + count; seed++) {
            final List<String> expected = expected(seed);
            final List<String> found = relay(ends);
            assertEquals(expected, found, Seed.reproduce(OtherMachineTest.class, seed));
        }
        final String counts = client.hear("done");
        assertTrue(counts.contains("UCX=" + count + " "), counts);
    }

    /** Carries the turns of a script between the ends; returns the results of the client. */
    private static List<String> relay(Program... ends) throws Exception {
        final FutureTask<List<String>> other = task(() -> relay(ends[1], ends[0], true));
        final List<String> found = relay(ends[0], ends[1], false);
        assertEquals(found, other.get());
        return found;
    }

    private static List<String> relay(Program from, Program to, boolean isServer) throws IOException {
        from.hear("begun");
        while (true) {
            final String line = from.output.readLine();
            if (line == null) {
                throw new IOException("the program has ended, server " + isServer);
            }
            if (line.startsWith("lines ")) {
                return List.of(line.substring("lines ".length()).split("\u0001"));
            }
            if (!line.startsWith("turn ")) {
                throw new IOException(line);
            }
            to.say(line.substring("turn ".length()));
        }
    }

    private static <T> FutureTask<T> task(Callable<T> step) {
        final FutureTask<T> task = new FutureTask<>(step);
        Thread.ofVirtual().start(task);
        return task;
    }

    /** The results of a script on channels of the JDK. */
    private static List<String> expected(long seed) throws Exception {
        final List<BlockingQueue<String>> ways =
            List.of(new ArrayBlockingQueue<>(STEPS), new ArrayBlockingQueue<>(STEPS));
        try (ServerSocketChannel listener = ServerSocketChannel.open()) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            final SocketChannel dialed = SocketChannel.open(listener.getLocalAddress());
            final SocketChannel accepted = listener.accept();
            final FutureTask<List<String>> other = task(() -> Script.runEnd(seed, STEPS, 1, accepted, Providers.JDK,
                turns(ways.get(1), ways.get(0))));
            final List<String> found = Script.runEnd(seed, STEPS, 0, dialed, Providers.JDK,
                turns(ways.get(0), ways.get(1)));
            assertEquals(found, other.get());
            return found;
        }
    }

    private static Script.Turns turns(BlockingQueue<String> out, BlockingQueue<String> in) {
        return new Script.Turns() {
            @Override
            public void tell(String state) {
                out.add(state);
            }

            @Override
            public String hear() throws IOException {
                try {
                    return in.take();
                } catch (InterruptedException e) {
                    throw new IOException(e);
                }
            }
        };
    }

    // ---- reasons for TCP ----

    private double connectMs(Program client, String reason) throws IOException {
        final String line = client.ask(to("echo", PORT, 1_000));
        assertUcx("echo right tcp", line, client);
        final String counts = client.counts();
        assertTrue(counts.contains(reason + "="), () -> line + "; " + counts);
        return Double.parseDouble(line.split(" ")[3]);
    }

    /** The first connect waits for the firewall within its limit, and the next does not. */
    @Test
    void sidePort_behindAFirewall_delaysTheFirstConnectAlone() throws Exception {
        server();
        namespaces.rule("b", true, "INPUT -p tcp --dport 7690:7693 -j DROP");
        final Program client = start("a", "-Dteff.nio.sideWaitMs=2000");
        final double firstMs = connectMs(client, "NO_SIDE_PORT");
        final double secondMs = connectMs(client, "NO_SIDE_PORT");
        System.out.println("other machines: connect with a firewall that drops: " + firstMs + " ms, then " + secondMs
            + " ms");
        assertTrue(firstMs >= 400, () -> firstMs + " ms: the search did not wait");
        assertTrue(secondMs < firstMs, () -> secondMs + " ms behind " + firstMs + " ms");
    }

    @Test
    void portsOfUcx_behindAFirewall_leaveTcp() throws Exception {
        server();
        namespaces.rule("b", true, "INPUT -p tcp --dport 10000:65535 --syn -j DROP");
        final Program client = start("a", "-Dteff.nio.sideWaitMs=3000");
        connectMs(client, "NO_PATH");
        connectMs(client, "NO_PATH");
    }

    @Test
    void secret_thatDiffers_leavesTcp() throws Exception {
        server();
        final Program client = startWith(SECRET + SECRET, "a");
        connectMs(client, "OTHER_SECRET");
        connectMs(client, "OTHER_SECRET");
    }

    /** The port of the program leads to another port by translation, and the side port does not show it. */
    @Test
    void port_thatIsTranslated_endsInTcp() throws Exception {
        server();
        namespaces.rule("b", true, "PREROUTING -t nat -p tcp --dport 7005 -j REDIRECT --to-ports 7000");
        final Program client = start("a");
        assertUcx("echo right tcp", client.ask(to("echo", PORT + 5, 1_000)), client);
        assertUcx("echo right ucx", client.ask(to("echo", PORT, 1_000)), client);
    }

    /** The client's address is translated for the program's ports alone, so the agreement is never found. */
    @Test
    void address_thatIsTranslatedForTheProgramAlone_endsInTcpInTime() throws Exception {
        final Program server = server();
        server.say("listen " + (PORT + 4) + " late");
        server.hear("listening");
        namespaces.rule("b", true, "INPUT -t nat -p tcp --dport 7000 -j SNAT --to-source 10.99.99.99");
        namespaces.rule("b", true, "INPUT -t nat -p tcp --dport 7004 -j SNAT --to-source 10.99.99.99");
        final Program client = start("a", "-Dteff.nio.sideWaitMs=4000");
        assertUcx("greeted hello ucx", client.ask(to("greeted", PORT + 1, 0)), client);
        assertUcx("echo right", client.ask(to("echo", PORT, 1_000)), client);       // falls back with the first answer
        assertTrue(client.counts().contains("FELL_BACK=1 "), client.counts());
        final String late = to("echo", PORT + 4, RemoteProgram.LATE_BYTES);
        assertUcx("echo right", client.ask(late), client);                          // falls back behind the wait
        assertTrue(client.counts().contains("FELL_BACK=2 "), client.counts());
        assertUcx("echo right tcp", client.ask(late), client);
    }

    // ---- ends ----

    @Test
    void stream_acrossACut_isWholeOrEndsWithAFailure() throws Exception {
        server();
        final Program client = start("a");
        client.say(to("stream", PORT, 0));
        assertEquals("streaming ucx", client.hear("streaming"));
        namespaces.cut(Cut.BOTH, false);
        TimeUnit.SECONDS.sleep(1);
        namespaces.cut(Cut.BOTH, true);
        client.say("enough");
        assertWhole(client.hear("streamed"));
        client.say(to("stream", PORT, 0));
        client.hear("streaming");
        namespaces.cut(Cut.RST, false);
        TimeUnit.SECONDS.sleep(1);
        client.say("enough");
        final String end = client.hear("streamed");
        namespaces.cut(Cut.RST, true);
        assertWhole(end);
    }

    private static void assertWhole(String line) {
        System.out.println("other machines: " + line);
        assertFalse(line.contains("wrong") || line.contains("to an end"), line);
    }

    @Test
    void program_thatIsKilled_resetsItsConnections() throws Exception {
        final Program server = server();
        final Program client = start("a");
        client.say(to("hold", PORT, 0));
        assertEquals("holding ucx", client.hear("holding"));
        server.process.destroyForcibly().waitFor();
        assertEquals("held java.net.SocketException: Connection reset", client.hear("held"));
        final Program next = server();                          // takes the ports again
        assertUcx("echo right", client.ask(to("echo", PORT, 1_000)), client);
        assertTrue(next.process.isAlive());
    }
}
