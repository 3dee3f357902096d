package io.teff.test.nio.programs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.teff.test.kit.ChildProcess;
import io.teff.test.kit.ChildProcess.Result;
import io.teff.test.kit.Project;
import io.teff.test.kit.tier.FullTier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tomcat and a client with connections that stay open, in a guest whose links go over RDMA devices of software. */
@FullTier("a guest with two JVMs, half a minute; TomcatTest has the same programs over shared memory")
@Tag("processes")
final class TomcatInGuestTest {
    private static final String SCRIPT = "src-test/rdma-vm/rdma-vm.sh";
    private static final String LIMIT_SECONDS = "300";
    private static final int CONNECTIONS = 20;
    private static final int SECONDS = 5;

    @TempDir
    private Path folder;

    /** The two programs; runs in the guest. */
    static final class InGuest {
        private InGuest() {}

        public static void main(String[] arguments) throws Exception {
            final Path folder = Files.createTempDirectory("tomcat");
            try (Program server = Program.withProvider(Transports.DEVICES, folder, TomcatServer.class, folder);
                    Program clients = Program.withProvider(Transports.DEVICES, folder, KeepAliveClient.class,
                        server.port(), CONNECTIONS, SECONDS)) {
                final long answers = Long.parseLong(clients.done());
                clients.assertLinks(CONNECTIONS);
                server.end();
                server.assertLinks(CONNECTIONS);
                Told.line(Told.DONE, answers);
            }
        }
    }

    @Test
    void tomcat_overRdmaDevices_answersEachRequest() throws Exception {
        final String script = Project.file(SCRIPT).toString();
        final String info = run("bash", script, "info").output();
        assumeTrue(info.lines().anyMatch(line -> line.startsWith("uml kernel") && !line.contains("not built")),
            "no guest is built; " + SCRIPT + " setup --uml builds it in minutes");
        final Result result = run("bash", script, "run", "--accel", "uml", "--timeout", LIMIT_SECONDS, "--",
            ChildProcess.java(), "-ea", "-Xmx128m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp",
            ChildProcess.everything(), InGuest.class.getName());
        assertEquals(0, result.exitCode(), () -> result.output() + result.errors());
        final long answers = result.output().lines().filter(line -> line.startsWith(Told.DONE + " "))
            .mapToLong(line -> Long.parseLong(line.substring(Told.DONE.length() + 1))).sum();
        assertTrue(answers >= 2 * CONNECTIONS, () -> result.output() + result.errors());
        System.out.println("nio-programs: Tomcat in the guest has answered " + answers + " requests");
    }

    private Result run(String... command) throws Exception {
        return ChildProcess.run(folder, System.getenv(), List.of(command));
    }
}
