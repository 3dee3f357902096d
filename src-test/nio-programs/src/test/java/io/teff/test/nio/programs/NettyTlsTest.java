package io.teff.test.nio.programs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.nio.selector.report.LinkReason;
import io.teff.test.kit.Form;
import io.teff.test.kit.PemAuthority;
import io.teff.test.kit.PemFiles;
import io.teff.test.kit.tier.FullTier;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** HTTP of netty with TLS: clients of netty and of the JDK, the latter also without the provider. */
@FullTier("four processes and twenty seconds; NettyTest has HTTP without TLS in the gate")
@Tag("processes")
final class NettyTlsTest {
    private static final int SECONDS = Form.size(10, 60);

    @TempDir
    private Path folder;

    @ParameterizedTest
    @MethodSource("io.teff.test.nio.programs.Transports#ofForm")
    void https_ofNettyAndOfTheJdk_answersEachRequest(Transports by) throws Exception {
        Program.assumeLinks(folder);
        final PemAuthority authority = PemAuthority.make(folder, "authority");
        final PemFiles server = authority.sign("server", "-ext", "san=ip:127.0.0.1");
        try (Program serving = Program.withProvider(by, folder, NettyTlsServer.class, server.certificate(),
                server.key())) {
            call(Program.plain(folder, JdkTlsClient.class, serving.port(), 1, authority.certificate()), 0);
            call(Program.withProvider(by, folder, JdkTlsClient.class, serving.port(), by.seconds(SECONDS) / 2,
                authority.certificate()), 1);
            call(Program.withProvider(by, folder, NettyTlsClient.class, serving.port(), by.seconds(SECONDS) / 2,
                authority.certificate()), 8);
            serving.end();
            assertEquals(List.of(), serving.all("ERROR"), serving::toString);
            serving.assertLinks(9);
            assertTrue(serving.count(LinkReason.PLAIN_CLIENT) >= 1, serving::toString);
        }
    }

    private static void call(Program client, int links) throws Exception {
        try (client) {
            assertTrue(Long.parseLong(client.done()) > 0, client::toString);
            client.assertLinks(links);
        }
    }
}
