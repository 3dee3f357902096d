package io.teff.cluster.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.ClientConfig;
import io.teff.cluster.ClusterStore;
import io.teff.cluster.UnknownOutcomeException;
import io.teff.cluster.admin.ClusterAdmin;
import io.teff.cluster.net.Network;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.error.StoreException.Category;
import io.teff.engine.error.StoreException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: a client that cannot talk to its superpeers learns the reason at once, and not at its deadline. Method: the
 * deadline is an hour.
 */
@Timeout(120)
class MisfitClientTest {
    private static final String SECRET = "a secret of the cluster";
    private static final String ADDRESS = "loop:misfit-client-test-";

    private static Network superpeer(int nid) throws IOException {
        return Network.open(NetworkConfig.builder(nid).listen(ADDRESS + nid)
            .secret(SECRET.getBytes(StandardCharsets.US_ASCII)).build());
    }

    private static ClientConfig config(String secret, String... addresses) {
        return ClientConfig.builder(addresses).timeoutNs(TimeUnit.HOURS.toNanos(1))
            .secret(secret.getBytes(StandardCharsets.US_ASCII)).build();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "another secret of a cluster"})
    void otherSecret_isToldAtOnce(String secret) throws IOException {
        try (Network _ = superpeer(1); Network _ = superpeer(2); Network _ = superpeer(3)) {
            for (String[] addresses : new String[][] {{ADDRESS + 1}, {ADDRESS + 3, ADDRESS + 1},
                {ADDRESS + 1, ADDRESS + 2, ADDRESS + 3}}) {
                ClientConfig config = config(secret, addresses);
                StoreException failure = assertThrows(StoreException.class, () -> ClusterStore.connect(config));
                assertEquals(Category.DEGRADED, failure.category());
                String text = failure.getMessage();
                assertTrue(text.contains("need the same secret") && text.contains("secret(Path)")
                    && text.contains(secret.isEmpty() ? "this node has no secret" : "a secret of 27 bytes"), text);
                IOException other = assertThrows(IOException.class, () -> ClusterAdmin.connect(config));
                assertTrue(other.getMessage().contains("need the same secret"), other::toString);
            }
        }
    }

    /** The last dial is under way at the deadline; the reason of the earlier dials must not be lost. */
    @Test
    void otherSecretOfAPeer_isToldAtTheDeadline() throws IOException {
        try (TestCell cell = new TestCell();
             TestPeer peer = new TestPeer(cell, SECRET.getBytes(StandardCharsets.US_ASCII));
             ClusterStore store = ClusterStore.connect(ClientConfig.builder(cell.address())
                 .timeoutNs(TimeUnit.SECONDS.toNanos(2)).build())) {
            peer.open(cell.zones(peer.node, 1), StoreConfig.builder().memoryLimitBytes(64L << 20).build());
            RuntimeException failure = assertThrows(RuntimeException.class, () -> store.create(new byte[1]));
            assertTrue(failure instanceof UnknownOutcomeException       // a request was under way at the deadline
                || failure instanceof StoreException known && known.category() == Category.RETRY, failure::toString);
            assertTrue(failure.getMessage().contains("need the same secret"), failure::getMessage);
        }
    }

    @Test
    void addressWithoutTransport_isToldAtOnce() {
        ClientConfig config = config("", "pigeon:host:7400");
        StoreException failure = assertThrows(StoreException.class, () -> ClusterStore.connect(config));
        assertEquals(Category.DEGRADED, failure.category());
        assertTrue(failure.getMessage().contains("this process has no transport for pigeon:host:7400"),
            failure::toString);
    }
}
