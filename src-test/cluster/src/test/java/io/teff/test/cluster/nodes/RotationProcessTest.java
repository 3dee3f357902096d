package io.teff.test.cluster.nodes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.ClientConfig;
import io.teff.cluster.ClusterStore;
import io.teff.test.kit.ChildProcess.Result;
import io.teff.test.kit.PemAuthority;
import io.teff.test.kit.PemFiles;
import io.teff.test.kit.Threads;
import io.teff.test.kit.tier.FullTier;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The secret, a token and the certificates of a cluster of processes are replaced while two clients work: one with the
 * secret, one with the token. No call fails, no process is restarted, and the old secret and token open nothing
 * afterwards.
 */
@Tag("processes")
@FullTier("2 minutes: files are looked at every ten seconds; RotateCommandTest has the steps without a cluster")
@Timeout(value = 15, unit = TimeUnit.MINUTES)
final class RotationProcessTest {
    private static final int PEERS = 3;
    private static final int CHUNKS = 64;
    private static final int BETWEEN = 200;
    private static final long PATIENCE_S = 120;
    private static final String SHOP = "shop";

    @TempDir
    private Path folder;
    private ConfiguredCluster cluster;
    private PemAuthority authority;
    private Path secret;
    private Path token;

    /** A client that puts and gets until the end; the first call that fails ends the work. */
    private static final class Load implements AutoCloseable {
        private final AtomicBoolean isOver = new AtomicBoolean();
        private final AtomicLong rounds = new AtomicLong();
        private final ClusterStore store;
        private final Threads.Running running;

        Load(String name, ClusterStore store) {
            this.store = store;
            long[] cids = new long[CHUNKS];
            for (int i = 0; i < CHUNKS; i++) {
                cids[i] = store.create(new byte[Long.BYTES]);
            }
            running = Threads.start(name, _ -> {
                byte[] found = new byte[Long.BYTES];
                for (long round = 0; !isOver.get(); round++) {
                    long cid = cids[(int) (round % CHUNKS)];
                    byte[] value = ByteBuffer.allocate(Long.BYTES).putLong(round).array();
                    assertEquals(0, store.put(cid, value));
                    assertEquals(Long.BYTES, store.get(cid, found));
                    assertEquals(round, ByteBuffer.wrap(found).getLong());
                    rounds.incrementAndGet();
                }
            });
        }

        /** Waits for further rounds. */
        void goOn() {
            long wanted = rounds.get() + BETWEEN;
            Threads.await(PATIENCE_S, () -> running.thread().getName() + " goes on", () -> rounds.get() >= wanted
                || !running.thread().isAlive());
            if (!running.thread().isAlive()) {
                throw new AssertionError(running.thread().getName() + " has ended: " + failure());
            }
        }

        private String failure() {
            try {
                running.end();
                return "without a failure";
            } catch (AssertionError e) {
                return String.valueOf(e.getCause());
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                return "interrupted";
            }
        }

        void end() throws InterruptedException {
            isOver.set(true);
            running.end();
        }

        @Override
        public void close() {
            isOver.set(true);
            store.close();
        }
    }

    private static void replace(PemFiles fresh, Path key, Path certificate) throws IOException {
        Files.move(fresh.key(), key, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        Files.move(fresh.certificate(), certificate, StandardCopyOption.REPLACE_EXISTING,
            StandardCopyOption.ATOMIC_MOVE);
    }

    private void start() throws Exception {
        secret = ConfiguredCluster.secret(folder.resolve("secret"), "the first secret of all nodes");
        token = ConfiguredCluster.secret(folder.resolve(SHOP), "the first token of the shop");
        Files.writeString(folder.resolve("roles.toml"), "[shop]\nroles = \"writer\"\ntoken-file = \"shop\"\n");
        authority = PemAuthority.make(folder, "authority");
        replace(authority.sign("first"), folder.resolve("node.key"), folder.resolve("node.crt"));
        cluster = new ConfiguredCluster(folder, PEERS, """
            secret-file = "secret"
            roles-file = "roles.toml"
            tls-key = "node.key"
            tls-certificate = "node.crt"
            tls-authority = "authority.crt"
            """);
        cluster.awaitBacked(client(secret));
    }

    private ClientConfig client(Path file) throws IOException {
        return tls(ClientConfig.builder(cluster.entrance()).secret(file)).timeoutNs(TimeUnit.SECONDS.toNanos(60))
            .build();
    }

    private ClientConfig.Builder tls(ClientConfig.Builder client) throws IOException {
        return client.tls(folder.resolve("node.key"), folder.resolve("node.crt"), authority.certificate());
    }

    /** Takes the next step for a file; both clients go on. */
    private void step(Path file, String expected, Load... loads) {
        List<String> words = new ArrayList<>(List.of("cluster", "rotate", file.toString(), "--superpeers",
            cluster.entrance(), "--tls-key", folder.resolve("node.key").toString(), "--tls-certificate",
            folder.resolve("node.crt").toString(), "--tls-authority", authority.certificate().toString()));
        Result result = TeffCommand.here(words.toArray(String[]::new));
        assertEquals(0, result.exitCode(), () -> result.output() + result.errors());
        assertTrue(result.output().startsWith(expected), result::output);
        for (Load load : loads) {
            load.goOn();
        }
    }

    /** Waits until a secret opens nothing: each node looks at its files every ten seconds. */
    private void awaitRefused(byte[] old) throws IOException {
        ClientConfig config = tls(ClientConfig.builder(cluster.entrance()).secret(old))
            .timeoutNs(TimeUnit.SECONDS.toNanos(20)).build();
        Threads.await(PATIENCE_S, () -> "the old secret opens nothing", () -> {
            try (ClusterStore store = ClusterStore.connect(config)) {
                store.create(new byte[] {1});
                return false;
            } catch (RuntimeException refused) {
                assertTrue(String.valueOf(refused.getMessage()).contains("secret"), refused::getMessage);
                return true;
            }
        });
    }

    @Test
    void secretTokenAndCertificates_areReplaced_whileClientsWork() throws Exception {
        start();
        try (ConfiguredCluster _ = cluster;
             Load nodes = new Load("client with the secret", ClusterStore.connect(client(secret)));
             Load shop = new Load("client with the token", ClusterStore.connect(client(token)))) {
            byte[] oldSecret = Files.readAllBytes(secret);
            byte[] oldToken = Files.readAllBytes(token);
            for (String expected : List.of("step 1 of 3", "step 2 of 3", "step 3 of 3")) {
                step(secret, expected, nodes, shop);
                step(token, expected, nodes, shop);
            }
            awaitRefused(oldSecret);
            awaitRefused(oldToken);
            replaceCertificates();
            nodes.goOn();
            shop.goOn();
            for (Path file : List.of(secret, token)) {
                try (ClusterStore store = ClusterStore.connect(client(file))) {
                    assertEquals(1, store.get(store.create(new byte[] {1}), new byte[1]));
                }
            }
            nodes.end();
            shop.end();
            cluster.checkAlive();
            System.out.println("changes while secret, token and certificates were replaced: " + nodes.rounds + " and "
                + shop.rounds);
        }
    }

    private void replaceCertificates() throws Exception {
        replace(authority.sign("second"), folder.resolve("node.key"), folder.resolve("node.crt"));
        cluster.names().forEach(node -> cluster.awaitLog(node, "certificate-taken"));
    }
}
