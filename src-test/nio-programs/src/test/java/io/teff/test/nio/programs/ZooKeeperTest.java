package io.teff.test.nio.programs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.nio.selector.report.LinkReason;
import io.teff.test.kit.Form;
import io.teff.test.kit.tier.FullTier;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A server of ZooKeeper with 1,000 sessions, and sessions of a process without the provider. */
@FullTier("a process with 2,000 threads; TomcatTest has a server with the provider in the gate")
@Tag("processes")
final class ZooKeeperTest {
    private static final int SESSIONS = 1_000;
    private static final int PLAIN_SESSIONS = 10;
    private static final int SECONDS = Form.size(10, 60);

    @TempDir
    private Path folder;

    @ParameterizedTest
    @MethodSource("io.teff.test.nio.programs.Transports#ofForm")
    void sessions_ofAThousandClients_keepTheirNodes(Transports by) throws Exception {
        Program.assumeLinks(folder);
        try (Program server = Program.withProvider(by, folder, ZooKeeperServerProgram.class, folder);
                Program clients = Program.withProvider(by, folder, ZooKeeperClients.class, server.port(), SESSIONS,
                    by.seconds(SECONDS), "links");
                Program plain = Program.plain(folder, ZooKeeperClients.class, server.port(), PLAIN_SESSIONS, 1,
                    "plain")) {
            assertTrue(Long.parseLong(plain.done()) >= PLAIN_SESSIONS, plain::toString);
            assertTrue(Long.parseLong(clients.done()) >= SESSIONS, clients::toString);
            assertEquals(String.valueOf(SESSIONS), clients.await("NODES"));
            clients.assertLinks(SESSIONS);
            server.end();
            assertEquals("0", server.await("SESSIONS"));
            server.assertLinks(SESSIONS);
            assertTrue(server.count(LinkReason.PLAIN_CLIENT) >= PLAIN_SESSIONS, server::toString);
        }
    }
}
