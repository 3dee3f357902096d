package io.teff.test.rdma.guest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.teff.test.kit.tier.FullTier;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two programs with the selector provider over UCX, whose only transports are those of the devices. They find each
 * other by the registry, or by side ports if each has a registry of its own.
 */
@FullTier("four JVMs, each with a worker of UCX over the devices")
final class SelectorInGuest {
    private static final int PORT = 7_000;

    @TempDir
    private Path folder;

    private Process start(String registry, boolean isClient) throws IOException {
        final Path secret = folder.resolve("secret");
        if (!Files.exists(secret)) {
            Files.createFile(secret,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.writeString(secret, "the secret of the guest\n");
        }
        final List<String> command = new ArrayList<>(List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-ea", "-Xmx128m",
            "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto", "-XX:-CreateCoredumpOnCrash",
            "--enable-native-access=ALL-UNNAMED", "-Dteff.nio.registry=" + folder.resolve(registry),
            "-Dteff.nio.transports=rc_verbs,ud_verbs", "-Dteff.nio.sidePorts=7690-7691",
            "-Dteff.nio.sideSecretFile=" + secret, "-Dteff.nio.sideWaitMs=60000", "-cp",
            System.getProperty("java.class.path"), SelectorProgram.class.getName(), Guest.rightAddress(),
            Integer.toString(PORT)));
        if (isClient) {
            command.add("client");
        }
        final ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("UCX_IB_GID_INDEX", "0");     // the index that UCX picks does not work with rxe
        return builder.start();
    }

    private void talk(String registryOfServer, String registryOfClient) throws IOException, InterruptedException {
        final Process server = start(registryOfServer, false);
        try {
            final BufferedReader output = server.inputReader();
            assertEquals(SelectorProgram.LISTENING, output.readLine());
            final Process client = start(registryOfClient, true);
            try {
                final List<String> lines = client.inputReader().lines().toList();
                System.out.println("selector: " + lines);
                assumeTrue(lines.stream().noneMatch(line -> line.matches(".*NO_UCX=[1-9].*")), "no UCX");
                assertTrue(lines.stream().anyMatch(line -> line.startsWith("ucx 3 of 3")), lines::toString);
            } finally {
                client.destroyForcibly().waitFor();
            }
        } finally {
            server.destroyForcibly().waitFor();
        }
    }

    @Test
    void programs_byTheRegistry_talkOverTheDevices() throws IOException, InterruptedException {
        talk("registry", "registry");
    }

    @Test
    void programs_bySidePorts_talkOverTheDevices() throws IOException, InterruptedException {
        talk("registry-of-server", "registry-of-client");
    }
}
