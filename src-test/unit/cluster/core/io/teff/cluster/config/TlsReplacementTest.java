package io.teff.cluster.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.net.config.CertificateName;
import io.teff.engine.os.Clock;
import io.teff.test.kit.PemFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** New files for TLS are taken while the node runs, if they belong together; ends are announced. */
final class TlsReplacementTest {
    @TempDir
    private static Path shared;
    private static PemFiles first;
    private static PemFiles second;

    @TempDir
    private Path folder;
    private final Time time = new Time();
    private TlsPlaces places;

    /** A clock that the test moves. */
    private static final class Time implements Clock {
        private final long startMs = Clock.SYSTEM.epochMs();
        private long passedNs;

        @Override
        public long nowNs() {
            return passedNs;
        }

        @Override
        public long epochMs() {
            return startMs + Duration.ofNanos(passedNs).toMillis();
        }
    }

    @BeforeAll
    static void makeKeys() throws Exception {
        first = PemFiles.make(shared, "first", "-keyalg", "EC", "-groupname", "secp256r1", "-validity", "90");
        second = PemFiles.make(shared, "second", "-keyalg", "EC", "-groupname", "secp256r1", "-validity", "90");
    }

    @BeforeEach
    void copyFirst() throws Exception {
        places = new TlsPlaces(folder.resolve("node.key"), folder.resolve("node.crt"), folder.resolve("node.crt"));
        replace(first.key(), places.key());
        replace(first.certificate(), places.certificate());
    }

    /** Replaces a file as mounted secrets are replaced: by a new file with the name. */
    private void replace(Path source, Path target) throws IOException {
        Path fresh = Files.copy(source, folder.resolve("fresh"), StandardCopyOption.COPY_ATTRIBUTES);
        Files.move(fresh, target, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }

    private void pass(Duration duration) {
        time.passedNs += duration.toNanos();
    }

    /** Returns the name of the certificate with which a connection begins. */
    private static String name(Tls tls) {
        SSLEngine engine = tls.context().createSSLEngine();
        assertNotNull(engine);
        return tls.ends().getFirst().name();
    }

    @Test
    void newFiles_areTakenAtTheNextLook_andHaveAContextOfTheirOwn() throws Exception {
        Tls tls = Tls.read(places, time);
        var sessions = tls.context().getClientSessionContext();
        replace(second.key(), places.key());
        replace(second.certificate(), places.certificate());
        assertEquals("CN=first", name(tls), "the last look is not long ago");
        pass(Duration.ofNanos(TlsSource.LOOK_NS));
        assertEquals("CN=second", name(tls));
        assertNotSame(sessions, tls.context().getClientSessionContext(), "no session is continued");
        assertNull(tls.fault());
    }

    @Test
    void halfOfAReplacement_isNotTaken_andReportedAtTheSecondLook() throws Exception {
        Tls tls = Tls.read(places, time);
        replace(second.key(), places.key());
        pass(Duration.ofNanos(TlsSource.LOOK_NS));
        assertEquals("CN=first", name(tls));
        assertNull(tls.fault());
        pass(Duration.ofNanos(TlsSource.LOOK_NS));
        assertEquals("CN=first", name(tls));
        assertTrue(tls.fault().contains("the new files for TLS are not used: " + places.certificate()), tls::fault);
        assertEquals(List.of(tls.fault()), tls.problems());
        replace(second.certificate(), places.certificate());
        pass(Duration.ofNanos(TlsSource.LOOK_NS));
        assertEquals("CN=second", name(tls));
        assertNull(tls.fault());
        assertEquals(List.of(), tls.problems());
    }

    @Test
    void missingFile_leavesTheOldCertificateInUse() throws Exception {
        Tls tls = Tls.read(places, time);
        Files.delete(places.key());
        pass(Duration.ofNanos(TlsSource.LOOK_NS));
        assertEquals("CN=first", name(tls));
    }

    @Test
    void end_isAProblemFor30Days_andNamedWithItsDate() throws Exception {
        Tls tls = Tls.read(places, time);
        CertificateEnd end = tls.ends().getFirst();
        assertEquals(1, tls.ends().size(), "the certificate is its own authority");
        assertEquals(List.of(), tls.problems());
        Instant day = end.end().minus(Duration.ofDays(30));
        assertEquals(0, end.announcements(day.minusSeconds(1)));
        assertEquals(1, end.announcements(day));
        assertEquals(1, end.announcements(end.end().minus(Duration.ofDays(7)).minusSeconds(1)));
        assertEquals(2, end.announcements(end.end().minus(Duration.ofDays(7))));
        assertEquals(3, end.announcements(end.end().minus(Duration.ofDays(1))));
        assertEquals(4, end.announcements(end.end()));
        pass(Duration.ofDays(85));
        String soon = tls.problems().getFirst();
        assertTrue(soon.startsWith("the certificate of CN=first in " + places.certificate() + " is valid until "
            + end.end() + ", for "), soon);
        pass(Duration.ofDays(6));
        assertEquals("the certificate of CN=first in " + places.certificate() + " has expired: it was valid until "
            + end.end(), tls.problems().getFirst());
    }

    @Test
    void expiredNewFiles_areRefused() throws Exception {
        Tls tls = Tls.read(places, time);
        PemFiles old = PemFiles.make(folder, "old", "-keyalg", "EC", "-groupname", "secp256r1", "-startdate", "-3d",
            "-validity", "1");
        replace(old.key(), places.key());
        replace(old.certificate(), places.certificate());
        pass(Duration.ofNanos(TlsSource.LOOK_NS));
        assertEquals("CN=first", name(tls));
        pass(Duration.ofNanos(TlsSource.LOOK_NS));
        assertEquals("CN=first", name(tls));
        assertTrue(tls.fault().contains("has the certificate of CN=old, which was valid until"), tls::fault);
    }

    @Test
    void newCertificate_thatBreaksTheRuleForNames_isNotUsed() throws Exception {
        PrivateKey key = TlsFiles.key(places.key());
        List<X509Certificate> chain = TlsFiles.certificates(places.certificate());
        OwnName peer = new OwnName(new CertificateName("teff:superpeer"), false);
        Tls tls = Tls.of(places, key, chain, chain, peer, time);
        PemFiles named = PemFiles.make(folder, "named", "-keyalg", "EC", "-groupname", "secp256r1", "-ext",
            "san=uri:teff:superpeer");
        replace(named.key(), places.key());
        replace(named.certificate(), places.certificate());
        pass(Duration.ofNanos(TlsSource.LOOK_NS));
        assertEquals("CN=first", name(tls));
        pass(Duration.ofNanos(TlsSource.LOOK_NS));
        assertEquals("CN=first", name(tls));
        assertTrue(tls.fault().contains("CN=named, which has the name teff:superpeer of superpeers"), tls::fault);
    }

    private NamedTrust trust(PemFiles trusted) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setCertificateEntry("trusted", TlsFiles.certificates(trusted.certificate()).getFirst());
        TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
        factory.init(store);
        return new NamedTrust((X509ExtendedTrustManager) factory.getTrustManagers()[0], time);
    }

    private static X509Certificate[] chain(PemFiles files) throws IOException {
        return TlsFiles.certificates(files.certificate()).toArray(X509Certificate[]::new);
    }

    @Test
    void trust_thatRefusesAnExpiredCertificate_namesTheCertificateAndItsEnd() throws Exception {
        NamedTrust trust = trust(second);
        X509Certificate[] chain = chain(first);
        String unknown = assertThrows(CertificateException.class,
            () -> trust.checkClientTrusted(chain, "EC")).getMessage();
        assertTrue(unknown.startsWith("the other side has the certificate of CN=first, issued by CN=first, which this "
            + "node does not trust: "), unknown);
        pass(Duration.ofDays(91));
        String expired = assertThrows(CertificateException.class,
            () -> trust.checkServerTrusted(chain, "EC")).getMessage();
        assertEquals("the other side has the certificate of CN=first, which was valid until "
            + chain[0].getNotAfter().toInstant(), expired);
    }

    @Test
    void certificate_thatIsItsOwnAuthority_isTrustedAfterItsEnd() throws Exception {
        PemFiles old = PemFiles.make(folder, "old", "-keyalg", "EC", "-groupname", "secp256r1", "-startdate", "-3d",
            "-validity", "1");
        trust(old).checkClientTrusted(chain(old), "EC");
    }
}
