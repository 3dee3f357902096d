package io.teff.cluster.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.teff.cluster.ClientConfig;
import io.teff.cluster.ClusterStore;
import io.teff.cluster.WriteLevel;
import io.teff.cluster.message.CellMessages;
import io.teff.cluster.message.TableRequest;
import io.teff.cluster.net.Network;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.error.Status;
import io.teff.engine.os.Platform;
import java.io.IOException;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Goal: clients that draw the same NID do not disturb each other for longer than another draw takes. Method: two
 * clients with the same random numbers; a process that takes the NID of a client.
 */
@Timeout(300)
class DrawnNidTest {
    private static final StoreConfig CONFIG = StoreConfig.builder().memoryLimitBytes(64L << 20).build();
    /** Shorter than the time for which a session waits for another link. */
    private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(8);
    private static final byte[] ABC = {1, 2, 3};

    private TestCell cell;
    private TestPeer peer;

    @BeforeEach
    void openAll() throws IOException {
        cell = new TestCell();
        peer = new TestPeer(cell);
        peer.open(cell.zones(peer.node, 1), CONFIG);
    }

    @AfterEach
    void closeAll() {
        peer.close();
        cell.close();
    }

    private ClusterStore connect() {
        return RemoteStore.of(ClusterClient.connect(ClientConfig.builder(cell.address()).timeoutNs(LIMIT_NS).build(),
            Platform.SYSTEM.withChance(new Random(1)::nextLong)), WriteLevel.BACKED);
    }

    @Test
    void secondClientWithTheSameDraws_drawsAgain() {
        try (ClusterStore first = connect()) {
            long cid = first.create(ABC);
            try (ClusterStore second = connect()) {
                for (int i = 0; i < 10; i++) {
                    assertEquals(Status.OK, first.put(cid, ABC));
                    assertEquals(Status.OK, second.put(cid, ABC));
                }
            }
            assertEquals(2, cell.askers.size(), () -> "the first client has kept its NID: " + cell.askers);
        }
    }

    /** The first change needs a session: the superpeer is asked, which refuses the client. */
    @Test
    void clientWhoseNidAnotherProcessHas_drawsAgain() throws Exception {
        try (ClusterStore client = connect()) {
            try (Network other = Network.open(NetworkConfig.builder(cell.askers.iterator().next())
                .addresses(_ -> cell.address()).build())) {
                other.call(CellMessages.nid(0), CellMessages.TABLE, new TableRequest(-1), LIMIT_NS);
                long cid = client.create(ABC);
                assertEquals(ABC.length, client.size(cid));
            }
        }
    }
}
