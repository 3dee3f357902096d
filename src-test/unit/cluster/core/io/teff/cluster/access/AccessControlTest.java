package io.teff.cluster.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.config.SecretFiles;
import io.teff.cluster.config.TlsFiles;
import io.teff.cluster.net.config.AcceptedKeys.Key;
import io.teff.cluster.net.message.Caller;
import io.teff.cluster.net.message.DeniedException;
import io.teff.engine.os.Clock;
import io.teff.test.kit.PemAuthority;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.jspecify.annotations.Nullable;

/** Files of roles, the principals behind secrets and certificates, their limits, and replacements of files. */
final class AccessControlTest {
    private static final long LOOK_NS = TimeUnit.SECONDS.toNanos(21);

    @TempDir
    private Path folder;
    private final AtomicLong nowNs = new AtomicLong(1);
    private final Clock clock = nowNs::get;

    private Path file(String name, String content) throws IOException {
        final Path file = Files.writeString(folder.resolve(name), content);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        return file;
    }

    private AccessControl access(String roles) throws IOException {
        file("secret", "the secret of nodes");
        file("token", "the token of a principal");
        return AccessControl.read(SecretFiles.read(folder.resolve("secret"), clock), file("roles.toml", roles),
            type -> type == 1 ? Right.NODE : Right.READ);
    }

    private static Caller caller(AccessControl access, String secret, @Nullable X509Certificate certificate) {
        for (Key key : access.keys(certificate)) {
            if (new String(key.secret(), StandardCharsets.UTF_8).equals(secret)) {
                return key.caller();
            }
        }
        throw new AssertionError("the secret is not accepted: " + secret);
    }

    private static boolean isAccepted(AccessControl access, String secret) {
        return access.keys(null).stream().anyMatch(key ->
            new String(key.secret(), StandardCharsets.UTF_8).equals(secret));
    }

    // ---- principals ----

    @Test
    void secretOfTheCluster_isThatOfNodes_andATokenThatOfItsPrincipal() throws IOException {
        final AccessControl access = access("""
            # principals
            [reporting]
            roles = "reader"
            token-file = "token"
            """);
        assertNull(caller(access, "the secret of nodes", null));
        final Caller reporting = caller(access, "the token of a principal", null);
        assertNotNull(reporting);
        assertNull(reporting.admit(2, 100, 0));
        final DeniedException denied = reporting.admit(1, 100, 0);
        assertNotNull(denied);
        assertEquals("the principal reporting may not speak for a node (type 1): the role of nodes, by the secret of "
            + "the cluster, may", denied.getMessage());
        assertTrue(reporting.mayUse(2));
        assertFalse(reporting.mayUse(1));
        assertTrue(reporting.mayHave(0xF000));
        assertFalse(reporting.mayHave(16), "the NID of a peer");
    }

    @Test
    void certificate_namesAPrincipal_amongProcessesWithTheSecret() throws Exception {
        final PemAuthority authority = PemAuthority.make(folder, "authority");
        final AccessControl access = access("""
            [ops]
            roles = ["operator", "reader"]
            certificate = "teff:ops"
            """);
        final X509Certificate ops = TlsFiles.certificates(
            authority.sign("ops", "-ext", "san=uri:teff:ops").certificate()).getFirst();
        final X509Certificate other = TlsFiles.certificates(
            authority.sign("other", "-ext", "san=uri:teff:other").certificate()).getFirst();
        assertEquals("ops, reader, operator", String.valueOf(caller(access, "the secret of nodes", ops)));
        assertNull(caller(access, "the secret of nodes", other));
    }

    @Test
    void tokenWithACertificate_needsBoth() throws Exception {
        final PemAuthority authority = PemAuthority.make(folder, "authority");
        final AccessControl access = access("""
            [ops]
            roles = "operator"
            token-file = "token"
            certificate = "teff:ops"
            """);
        assertFalse(isAccepted(access, "the token of a principal"));
        final X509Certificate ops = TlsFiles.certificates(
            authority.sign("ops", "-ext", "san=uri:teff:ops").certificate()).getFirst();
        assertNotNull(caller(access, "the token of a principal", ops));
        assertNull(caller(access, "the secret of nodes", ops), "without the token it is a node by its secret");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        roles = "reader"                                | line 1
        [a]\\nroles = "king"\\ntoken-file = "token"      | is no role
        [a]\\ntoken-file = "token"                       | needs roles
        [a]\\nroles = "reader"                           | needs roles, and token-file or certificate
        [a]\\nroles = "reader"\\ntoken-file = "missing"   | missing
        [a]\\nroles = "reader"\\nroles = "reader"         | twice
        [a]\\nkings = "reader"                           | one of the keys
        [a]\\n[a]                                        | twice
        [a]\\nroles = reader                             | line 2
        [a]\\nroles = "reader"\\ntoken-file = "secret"    | has the token of another principal, or of nodes
        [a]\\nroles = "reader"\\ncertificate = "a b"      | no DNS name
        [a]\\nroles = "reader"\\ntoken-file = "token"\\nrequests-per-second = "x" | no number
        """)
    void fileThatBreaksARule_isRefusedWithItsPlace(String text, String fault) {
        final IOException thrown = assertThrows(IOException.class, () -> access(text.replace("\\n", "\n")));
        assertTrue(String.valueOf(thrown.getMessage()).contains(fault), thrown::getMessage);
        assertTrue(thrown instanceof FileSystemException, thrown::toString);
    }

    @Test
    void listOfCollections_takesChunksAndJobsAway_unlessChunksAreNamed() throws IOException {
        file("other", "the token of another");
        final AccessControl access = access("""
            [sales]
            roles = "writer"
            token-file = "token"
            collections = ["sales*", "accounts"]
            [all]
            roles = "writer"
            token-file = "other"
            collections = ["sales*"]
            chunks = true
            """);
        final SessionCaller sales = (SessionCaller) caller(access, "the token of a principal", null);
        sales.requireCollection(Right.WRITE, "sales of May");
        sales.requireCollection(Right.READ, "accounts");
        assertThrows(DeniedException.class, () -> sales.requireCollection(Right.READ, "accounts 2"));
        assertThrows(DeniedException.class, () -> sales.requireCollection(Right.READ, "sale"));
        assertThrows(DeniedException.class, () -> sales.requireCollection(Right.READ, "*"));
        final DeniedException chunk = assertThrows(DeniedException.class, () ->
            sales.requireCollection(Right.WRITE, null));
        assertEquals("change chunks by their CIDs", chunk.right());
        assertThrows(DeniedException.class, () -> sales.run(() -> SessionCaller.require(Right.COMPUTE, "")));
        final SessionCaller all = (SessionCaller) caller(access, "the token of another", null);
        all.requireCollection(Right.WRITE, null);
        all.run(() -> SessionCaller.require(Right.COMPUTE, ""));
    }

    @Test
    void listOfServices_holdsForNamesAndPrefixes() throws IOException {
        final SessionCaller jobs = (SessionCaller) caller(access("""
            [jobs]
            roles = "writer"
            token-file = "token"
            services = ["jobs/*", "leader"]
            """), "the token of a principal", null);
        jobs.run(() -> {
            SessionCaller.requireService(Right.WRITE, "jobs/7", false);
            SessionCaller.requireService(Right.READ, "leader", false);
            SessionCaller.requireService(Right.READ, "jobs/a", true);
            assertThrows(DeniedException.class, () -> SessionCaller.requireService(Right.READ, "jobs", true));
            assertThrows(DeniedException.class, () -> SessionCaller.requireService(Right.READ, "leader", true));
            assertThrows(DeniedException.class, () -> SessionCaller.requireService(Right.READ, "other", false));
        });
        SessionCaller.requireService(Right.WRITE, "other", false);  // a node
    }

    // ---- replacements ----

    @Test
    void principalThatLeavesTheFile_mayDoNothing_andOneWhoseTokenIsReplaced_mustProveAgain() throws IOException {
        final String roles = """
            [reporting]
            roles = "reader"
            token-file = "token"
            """;
        final AccessControl access = access(roles);
        final Caller before = caller(access, "the token of a principal", null);
        assertNull(before.admit(2, 1, 0));
        file("roles.toml", "# nobody\n");
        assertNull(before.admit(2, 1, 0), "the file is looked at every ten seconds");
        nowNs.addAndGet(LOOK_NS);
        assertNotNull(before.admit(2, 1, 0));
        assertFalse(isAccepted(access, "the token of a principal"));
        assertFalse(before.mustProveAgain(), "a refusal names what is missing");
        file("roles.toml", roles);
        nowNs.addAndGet(LOOK_NS);
        assertNull(before.admit(2, 1, 0));
        assertFalse(before.mustProveAgain());
        file("token", "a token that is new here");
        nowNs.addAndGet(LOOK_NS);
        assertTrue(isAccepted(access, "a token that is new here"));
        nowNs.addAndGet(LOOK_NS);
        assertTrue(before.mustProveAgain());
        assertFalse(caller(access, "a token that is new here", null).mustProveAgain());
    }

    @Test
    void brokenFile_changesNothing_andIsAProblem() throws IOException {
        final AccessControl access = access("""
            [reporting]
            roles = "reader"
            token-file = "token"
            """);
        assertEquals(List.of(), access.problems());
        final String digest = access.table().digest();
        file("roles.toml", "[reporting");
        nowNs.addAndGet(LOOK_NS);
        assertEquals(digest, access.table().digest());
        assertTrue(access.problems().getFirst().contains("the present roles stay in use"),
            access.problems()::toString);
        assertTrue(isAccepted(access, "the token of a principal"));
    }

    @Test
    void secret_isReplacedInSteps_ofWhichNeighboursFit() throws IOException {
        final Path file = file("secret", "the old secret of all");
        final SecretFiles secret = SecretFiles.read(file, clock);
        assertEquals(0, secret.step());
        file("secret.next", "the new secret of all");
        nowNs.addAndGet(LOOK_NS);
        assertEquals(1, secret.step());
        assertEquals("the old secret of all", text(secret));
        assertEquals(2, secret.accepted().size());
        file("secret.before", "the old secret of all");
        Files.move(folder.resolve("secret.next"), file, StandardCopyOption.REPLACE_EXISTING);
        nowNs.addAndGet(LOOK_NS);
        assertEquals(2, secret.step());
        assertEquals("the new secret of all", text(secret));
        assertEquals(2, secret.accepted().size());
        Files.delete(folder.resolve("secret.before"));
        nowNs.addAndGet(LOOK_NS);
        assertEquals(0, secret.step());
        assertEquals(1, secret.accepted().size());
        Files.delete(file);
        nowNs.addAndGet(LOOK_NS);
        assertEquals("the new secret of all", text(secret), "a file that is missing changes nothing");
        assertNotNull(secret.fault());
    }

    private static String text(SecretFiles secret) {
        return new String(secret.used().bytes(), StandardCharsets.UTF_8);
    }

    @Test
    void refusalsAndActs_areEventsOfFlightRecorder() throws Exception {
        final SessionCaller ops = (SessionCaller) caller(access("""
            [ops]
            roles = "operator"
            token-file = "token"
            """), "the token of a principal", null);
        final Path file = folder.resolve("access.jfr");
        try (Recording recording = new Recording()) {
            recording.enable("io.teff.Access");
            recording.start();
            ops.run(() -> SessionCaller.require(Right.OPERATE, "drain"));
            assertNotNull(ops.admit(1, 1, 0));
            recording.stop();
            recording.dump(file);
        }
        assertEquals(List.of("ops operate the cluster: drain true", "ops speak for a node (type 1) false"),
            RecordingFile.readAllEvents(file).stream().map(event -> event.getString("principal") + ' '
                + event.getString("right") + ' ' + event.getBoolean("isAllowed")).toList());
    }

    // ---- limits ----

    @Test
    void limits_refuseWhatIsTooMuch_andOnlyForATime() throws IOException {
        final Caller slow = caller(access("""
            [slow]
            roles = "reader"
            token-file = "token"
            requests-per-second = 10
            bytes-per-second = "1k"
            open-requests = 3
            """), "the token of a principal", null);
        for (int i = 0; i <= 10; i++) {
            assertNull(slow.admit(2, 1, 0), "an unused second counts");
        }
        final DeniedException denied = slow.admit(2, 1, 0);
        assertNotNull(denied);
        assertTrue(denied.isLimit());
        assertEquals("the principal slow is over its limit of 10 requests a second at a node", denied.getMessage());
        nowNs.addAndGet(TimeUnit.MILLISECONDS.toNanos(101));
        assertNull(slow.admit(2, 1, 0));
        assertNotNull(slow.admit(2, 1, 0));
        nowNs.addAndGet(TimeUnit.SECONDS.toNanos(5));
        assertNull(slow.admit(2, 10_000, 0), "a message of any length begins while nothing is owed");
        assertNotNull(slow.admit(2, 1, 0), "ten seconds are owed");
        nowNs.addAndGet(TimeUnit.SECONDS.toNanos(10));
        assertNull(slow.admit(2, 1, 2));
        assertNotNull(slow.admit(2, 1, 3), "three requests wait");
    }
}
