package io.teff.cluster.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.config.Tls;
import io.teff.cluster.config.TlsPlaces;
import io.teff.cluster.log.LoggedLines;
import io.teff.cluster.log.NodeLog;
import io.teff.engine.os.Clock;
import io.teff.test.kit.PemFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The end of a certificate is logged 30, 7 and 1 days before and at the end; a replacement is logged once. */
final class CertificateWatchTest {
    private static final int DAYS = 40;

    @TempDir
    private Path folder;
    private final LoggedLines lines = new LoggedLines();
    private long passedMs;

    private final Clock clock = new Clock() {
        @Override
        public long nowNs() {
            return Duration.ofMillis(passedMs).toNanos();
        }

        @Override
        public long epochMs() {
            return Clock.SYSTEM.epochMs() + passedMs;
        }
    };

    private PemFiles make(String name, int days) throws Exception {
        return PemFiles.make(folder, name, "-keyalg", "EC", "-groupname", "secp256r1", "-validity",
            String.valueOf(days));
    }

    @Test
    void end_isLoggedFourTimes_andAReplacementOnce() throws Exception {
        PemFiles made = make("node", DAYS);
        CertificateWatch watch = new CertificateWatch(Tls.read(new TlsPlaces(made.key(), made.certificate(),
            made.certificate()), clock), new NodeLog(lines, clock), clock);
        for (long hour = 0; hour < 24 * (DAYS + 5); hour++) {
            watch.look();
            passedMs += Duration.ofHours(1).toMillis();
        }
        assertEquals(4, lines.lines().size(), lines.lines()::toString);
        assertTrue(lines.lines().getFirst().startsWith("WARNING certificate-ends: the certificate of CN=node in "
            + made.certificate() + " is valid until "), lines.lines()::toString);
        assertTrue(lines.lines().getLast().contains("has expired: it was valid until "), lines.lines()::toString);

        PemFiles next = make("next", 10 * DAYS);
        Files.move(next.key(), made.key(), StandardCopyOption.REPLACE_EXISTING);
        Files.move(next.certificate(), made.certificate(), StandardCopyOption.REPLACE_EXISTING);
        for (int i = 0; i < 3; i++) {
            passedMs += Duration.ofMinutes(1).toMillis();
            watch.look();
        }
        assertEquals(5, lines.lines().size(), lines.lines()::toString);
        assertTrue(lines.lines().getLast().startsWith("INFO certificate-taken: new files for TLS are in use: the "
            + "certificate of CN=next is valid until "), lines.lines()::toString);
    }
}
