package io.teff.cluster.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.config.SecretFiles;
import io.teff.cluster.net.Network;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.message.NetworkException;
import io.teff.cluster.net.message.NetworkException.Reason;
import io.teff.cluster.net.message.RequestType;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.os.Clock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: while a secret is replaced, nodes in the same step and in neighbouring steps accept each other, and a node
 * before the first step and a node behind the last step do not.
 *
 * <p>Method: two networks of this process for each pair of steps, each with the files of its step.
 */
final class RotationTest {
    private static final RequestType<Long, Long> ASK = RequestType.of(1, Codecs.LONG, Codecs.LONG);
    private static final String OLD = "the old secret of nodes";
    private static final String NEW = "the new secret of nodes";
    private static final int STEPS = 4;
    private static final int CLIENT = 0xF001;
    private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(30);

    @TempDir
    private Path folder;
    private final AtomicLong nowNs = new AtomicLong(1);
    private final Clock clock = nowNs::get;

    private static void write(Path file, String content) throws IOException {
        Files.deleteIfExists(file);
        if (!content.isEmpty()) {
            Files.setPosixFilePermissions(Files.writeString(file, content),
                PosixFilePermissions.fromString("rw-------"));
        }
    }

    /** Puts the files of a step: 0 before the replacement, 3 behind it. */
    private static Path files(Path file, int step) throws IOException {
        write(file, step < 2 ? OLD : NEW);
        write(SecretFiles.next(file), step == 1 ? NEW : "");
        write(SecretFiles.before(file), step == 2 ? OLD : "");
        return file;
    }

    private AccessControl access(String name, int step) throws IOException {
        return AccessControl.open(SecretFiles.read(files(folder.resolve(name), step), clock));
    }

    /** Returns a node's access with a principal, whose token is in a file. */
    private AccessControl accessOf(Path token) throws IOException {
        write(folder.resolve("secret"), "the secret of nodes");
        Path roles = folder.resolve("roles");
        write(roles, "[shop]\nroles = \"writer\"\ntoken-file = \"%s\"\n".formatted(token.getFileName()));
        return AccessControl.read(SecretFiles.read(folder.resolve("secret"), clock), roles, _ -> Right.WRITE);
    }

    private static NetworkConfig.Builder network(int nid, AccessControl access) {
        return NetworkConfig.builder(nid).secrets(access::secret).admission(access);
    }

    private static boolean isAnswered(AccessControl listener, AccessControl dialer, String address) throws IOException {
        try (Network one = Network.open(network(1, listener).listen(address).build());
             Network two = Network.open(network(2, dialer).addresses(_ -> address).build())) {
            one.answer(ASK, (_, number) -> number + 1);
            return two.request(1, ASK, 7L, LIMIT_NS).join() == 8;
        } catch (CompletionException e) {
            assertEquals(Reason.MISFIT, ((NetworkException) e.getCause()).reason());
            return false;
        }
    }

    @Test
    void nodesInNeighbouringSteps_acceptEachOther() throws IOException {
        for (int of = 0; of < STEPS; of++) {
            for (int by = 0; by < STEPS; by++) {
                final boolean isNear = Math.abs(of - by) <= 1;
                final boolean isAnswered = isAnswered(access("one", of), access("two", by),
                    "loop:rotation-" + of + '-' + by);
                assertEquals(isNear || isAccepted(of, by), isAnswered, "listener in step " + of + ", dialer in step "
                    + by);
            }
        }
    }

    /** Returns whether a listener accepts a dialer that is two steps away: if the secret of the dialer is accepted. */
    private static boolean isAccepted(int listener, int dialer) {
        final boolean isOld = dialer < 2;
        return isOld ? listener < 3 : listener > 0;
    }

    @Test
    void step_isTakenByARunningNode_forNewLinks_andOldLinksGoOn() throws IOException {
        final Path file = files(folder.resolve("secret"), 0);
        final AccessControl access = AccessControl.open(SecretFiles.read(file, clock));
        final AccessControl client = access("client", 0);
        final String address = "loop:rotation";
        try (Network node = Network.open(network(1, access).listen(address).build());
             Network old = Network.open(network(2, client).addresses(_ -> address).build())) {
            node.answer(ASK, (_, number) -> number + 1);
            assertEquals(8L, old.request(1, ASK, 7L, LIMIT_NS).join());
            for (int step = 1; step < STEPS; step++) {
                files(file, step);
                nowNs.addAndGet(SecretFiles.LOOK_NS);
                assertEquals(9L, old.request(1, ASK, 8L, LIMIT_NS).join());
                final AccessControl same = access("same" + step, step);
                try (Network next = Network.open(network(2 + step, same).addresses(_ -> address).build())) {
                    assertEquals(10L, next.request(1, ASK, 9L, LIMIT_NS).join());
                }
            }
        }
    }

    /** The session goes on with another link, whose proof is by the present token. */
    @Test
    void token_isReplaced_whileTheSessionGoesOn_andTheOldTokenOpensNothing() throws IOException {
        final Path token = files(folder.resolve("token"), 0);
        final SecretFiles its = SecretFiles.read(token, clock);
        final String address = "loop:rotation-of-a-token";
        try (Network node = Network.open(network(1, accessOf(token)).listen(address).build());
             Network shop = Network.open(NetworkConfig.builder(CLIENT).secrets(() -> its.used().bytes())
                 .addresses(_ -> address).build());
             Network late = Network.open(NetworkConfig.builder(CLIENT + 1)
                 .secret(OLD.getBytes(StandardCharsets.US_ASCII)).addresses(_ -> address)
                 .awayNs(TimeUnit.MILLISECONDS.toNanos(50)).build())) {
            node.answer(ASK, (_, number) -> number + 1);
            assertEquals(5L, late.request(1, ASK, 4L, LIMIT_NS).join());
            for (int step = 0; step < STEPS; step++) {
                files(token, step);
                for (int look = 0; look < 3; look++) {
                    nowNs.addAndGet(SecretFiles.LOOK_NS);
                    assertEquals(9L, shop.request(1, ASK, 8L, LIMIT_NS).join(), "step " + step);
                }
            }
            assertEquals(1, node.stats(CLIENT).reconnects());
            // the session ends by its lost link, and the next session is refused
            assertThrows(CompletionException.class, () -> late.request(1, ASK, 4L, LIMIT_NS).join());
            final CompletionException refused = assertThrows(CompletionException.class,
                () -> late.request(1, ASK, 4L, LIMIT_NS).join());
            assertTrue(refused.getCause().getMessage().contains("different secrets"), refused::toString);
        }
    }
}
