package io.teff.nio.selector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.nio.selector.report.LinkReason;
import io.teff.test.kit.Form;
import io.teff.test.kit.Seed;
import java.io.IOException;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Random scripts have equal results on the JDK's provider and on this provider, with peers of both kinds. */
final class ContractTest {
    private static final int STEPS = 60;

    @TempDir
    private Path folder;

    @Test
    void scripts_byTcp_haveTheResultsOfTheJdk() throws IOException {
        try (Providers providers = new Providers(SelectorSettings.DEFAULT.withTcpOnly())) {
            compare(providers.client, providers.server);
        }
    }

    @Test
    void scripts_byUcx_haveTheResultsOfTheJdk() throws IOException {
        try (Providers providers = new Providers(folder)) {
            providers.assumeLinks();
            final long before = providers.client.counts().get(LinkReason.UCX);
            compare(providers.client, providers.server);
            assertTrue(providers.client.counts().get(LinkReason.UCX) > before, () -> providers.client.counts() + " "
                + providers.client.lastFailure());
        }
    }

    @Test
    void scripts_withinAProgram_haveTheResultsOfTheJdk() throws IOException {
        try (Providers providers = new Providers(folder)) {
            compare(providers.server, providers.server);
        }
    }

    @Test
    void scripts_withOtherPrograms_haveTheResultsOfTheJdk() throws IOException {
        try (Providers providers = new Providers(folder)) {
            compare(providers.client, Providers.JDK);
            compare(Providers.JDK, providers.server);
            assertEquals(0, providers.client.counts().get(LinkReason.UCX));
            assertEquals(0, providers.server.counts().get(LinkReason.UCX));
        }
    }

    private static void compare(SelectorProvider client, SelectorProvider server) throws IOException {
        final long first = Seed.first();
        final int count = Form.size(25, 250, 5_000);
        for (long seed = first; seed < first + count; seed++) {
            final String reproduce = Seed.reproduce(ContractTest.class, seed);
            final List<String> expected = Script.run(seed, STEPS, Providers.JDK, Providers.JDK);
            final List<String> found;
            try {
                found = Script.run(seed, STEPS, client, server);
            } catch (IOException | RuntimeException | AssertionError e) {
                throw new AssertionError(reproduce, e);
            }
            for (int i = 0; i < Math.max(expected.size(), found.size()); i++) {
                assertEquals(line(expected, i), line(found, i), "line " + i + " behind "
                    + expected.subList(Math.max(0, i - 3), Math.min(i, expected.size())) + ", " + reproduce);
            }
        }
    }

    private static String line(List<String> lines, int index) {
        return index < lines.size() ? lines.get(index) : "no line";
    }
}
