package io.teff.test.nio.programs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.nio.selector.report.LinkReason;
import io.teff.test.kit.Form;
import io.teff.test.kit.tier.FullTier;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Two members of Hazelcast with a map of both, and a client in a process without the provider. */
@FullTier("three processes and twenty seconds; TomcatTest has a server with the provider in the gate")
@Tag("processes")
final class HazelcastTest {
    private static final int SECONDS = Form.size(10, 60);

    @TempDir
    private Path folder;

    @ParameterizedTest
    @MethodSource("io.teff.test.nio.programs.Transports#ofForm")
    void hazelcast_memberThatLeaves_leavesAllEntries(Transports by) throws Exception {
        Program.assumeLinks(folder);
        final String cluster = "teff-" + UUID.randomUUID();
        try (Program first = Program.withProvider(by, folder, HazelcastMember.class, cluster);
                Program second = Program.withProvider(by, folder, HazelcastMember.class, cluster, first.port(),
                    by.seconds(SECONDS))) {
            assertEquals("2", second.await("MEMBERS"));
            try (Program plain = Program.plain(folder, HazelcastCaller.class, cluster, first.port())) {
                assertTrue(Long.parseLong(plain.done()) > 0, plain::toString);
            }
            assertTrue(Long.parseLong(second.done()) > 0, second::toString);
            first.end();
            assertEquals(String.valueOf(HazelcastMember.KEYS), first.await("ENTRIES"));
            assertTrue(first.count(LinkReason.UCX) + second.count(LinkReason.UCX) >= 2, () -> first + "\n" + second);
            assertTrue(first.count(LinkReason.PLAIN_CLIENT) >= 1, first::toString);
        }
    }
}
