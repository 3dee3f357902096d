package io.teff.test.nio.programs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.nio.selector.report.LinkReason;
import io.teff.test.kit.Form;
import io.teff.test.kit.tier.FullTier;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** gRPC over netty: unary calls and streams, also from a process without the provider. */
@FullTier("three processes and ten seconds of calls; TomcatTest has a server with the provider in the gate")
@Tag("processes")
final class GrpcTest {
    private static final int SECONDS = Form.size(10, 60);

    @TempDir
    private Path folder;

    @ParameterizedTest
    @MethodSource("io.teff.test.nio.programs.Transports#ofForm")
    void grpc_unaryCallsAndStreams_answerEachMessage(Transports by) throws Exception {
        Program.assumeLinks(folder);
        try (Program server = Program.withProvider(by, folder, GrpcServer.class);
                Program client = Program.withProvider(by, folder, GrpcClient.class, server.port(), by.seconds(SECONDS));
                Program plain = Program.plain(folder, GrpcClient.class, server.port(), 1)) {
            assertTrue(Long.parseLong(plain.done()) > 0, plain::toString);
            assertTrue(Long.parseLong(client.done()) > 0, client::toString);
            assertEquals(List.of("true", "true", "true", "true"), client.all("TERMINATED"), client::toString);
            client.assertLinks(4);
            server.end();
            assertEquals(List.of(), server.all("ERROR"), server::toString);
            server.assertLinks(4);
            assertTrue(server.count(LinkReason.PLAIN_CLIENT) >= 4, server::toString);
        }
    }
}
