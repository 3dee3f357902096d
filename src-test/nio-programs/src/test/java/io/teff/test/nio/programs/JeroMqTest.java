package io.teff.test.nio.programs;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.nio.selector.report.LinkReason;
import io.teff.test.kit.Form;
import io.teff.test.kit.tier.FullTier;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** JeroMQ, whose selectors hold pipes beside connections: requests and a stream, also without the provider. */
@FullTier("three processes and ten seconds; TomcatTest has a server with the provider in the gate")
@Tag("processes")
final class JeroMqTest {
    private static final int SECONDS = Form.size(10, 60);

    @TempDir
    private Path folder;

    @ParameterizedTest
    @MethodSource("io.teff.test.nio.programs.Transports#ofForm")
    void jeromq_requestsAndPushes_arriveOnce(Transports by) throws Exception {
        Program.assumeLinks(folder);
        try (Program server = Program.withProvider(by, folder, JeroMqServer.class)) {
            final String pull = server.await("PULL");
            try (Program plain = Program.plain(folder, JeroMqClient.class, server.port(), pull, 1)) {
                assertTrue(Long.parseLong(plain.done()) > 0, plain::toString);
            }
            try (Program client = Program.withProvider(by, folder, JeroMqClient.class, server.port(), pull,
                    by.seconds(SECONDS))) {
                assertTrue(Long.parseLong(client.done()) > 0, client::toString);
                client.assertLinks(2);
            }
            server.end();
            server.assertLinks(2);
            assertTrue(server.count(LinkReason.PLAIN_CLIENT) >= 2, server::toString);
        }
    }
}
