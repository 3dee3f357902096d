package io.teff.cluster.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.ClientConfig;
import io.teff.cluster.ClusterStore;
import io.teff.cluster.consensus.SuperpeerLog;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.MachineState;
import io.teff.cluster.meta.MetadataMachine;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.identity.ClusterId;
import io.teff.cluster.superpeer.MemoryLogs;
import io.teff.cluster.superpeer.Superpeer;
import io.teff.engine.error.StoreException;
import io.teff.engine.error.StoreException.Category;
import io.teff.engine.os.Platform;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: nodes and clients of a cluster take no other cluster for theirs. A cluster that was founded anew at the same
 * addresses is another cluster.
 *
 * <p>Method: a superpeer and a peer inside this process. The test replaces both, or the superpeer alone, at the same
 * addresses.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TwoClustersTest {
    private static final String REASON = "the cluster was founded anew at these addresses, or the address is that of"
        + " another cluster";
    private static final int ROUNDS = 10;

    @TempDir
    private Path folder;

    private final String name = "two-clusters-" + System.nanoTime();

    private PeerCluster begin(String its) throws IOException {
        PeerCluster cluster = new PeerCluster(name, folder.resolve(its), 2);
        cluster.start(0);
        cluster.awaitServed(6);
        return cluster;
    }

    private static String refusal(ClusterId found, ClusterId expected) {
        return "it is of " + found + ", expected " + expected + ": " + REASON;
    }

    private static void assertRefused(String reason, ClusterStore store, long cid) {
        StoreException thrown = assertThrows(StoreException.class, () -> store.fields().getAndAddLong(cid, 0, 1));
        assertTrue(String.valueOf(thrown.getMessage()).contains(reason), thrown::toString);
        assertEquals(Category.DEGRADED, thrown.category());
    }

    @Test
    void aClientOfADeletedCluster_isTold_andChangesNothing() throws IOException {
        PeerCluster first = begin("first");
        ClusterId deleted = first.id();
        try (ClusterStore before = first.connect()) {
            long counter = before.create(new byte[8]);
            before.fields().getAndAddLong(counter, 0, 1);
            first.close();
            checkFolder(deleted);
            try (PeerCluster second = begin("second"); ClusterStore after = second.connect()) {
                assertNotEquals(deleted, second.id());
                long its = after.create(new byte[8]);
                for (int i = 0; i < ROUNDS; i++) {
                    assertRefused(refusal(second.id(), deleted), before, counter);
                    after.fields().getAndAddLong(its, 0, 1);
                }
                assertEquals(ROUNDS, after.fields().getLong(its, 0, -1));
            }
        }
    }

    /** A folder stays with its cluster. */
    private void checkFolder(ClusterId own) throws IOException {
        try (NodeFolder its = NodeFolder.open(Platform.SYSTEM, folder.resolve("first").resolve("peer-0"), Peer.LOG)) {
            assertEquals(own, its.cluster());
            IOException thrown = assertThrows(IOException.class, () -> its.joined(new ClusterId(1, 2, "")));
            assertTrue(String.valueOf(thrown.getMessage()).contains(own.hex()), thrown::toString);
            assertThrows(IOException.class, () -> its.check("other"));
        }
    }

    /** A cluster without a name is not the cluster that a client expects by name. */
    private void checkName(ClusterId own) {
        StoreException thrown = assertThrows(StoreException.class, () -> ClusterStore.connect(ClientConfig.builder(
            "loop:" + name + "-superpeer").cluster("orders").timeoutNs(TimeUnit.SECONDS.toNanos(20)).build()));
        assertTrue(String.valueOf(thrown.getMessage()).contains("it is of " + own
            + ", expected a cluster named orders"), thrown::toString);
    }

    @Test
    void peersAndClients_refuseTheSuperpeerOfAnotherCluster() throws IOException {
        try (PeerCluster cluster = begin("first"); ClusterStore store = cluster.connect()) {
            ClusterId own = cluster.id();
            checkName(own);
            long counter = store.create(new byte[8]);
            PeerCluster.await(() -> cluster.peer(0).tables().version() == cluster.read(MetadataMachine::version),
                () -> "the peer's tables lag behind");
            List<ZoneRow> rows = cluster.rows();
            long version = cluster.peer(0).tables().version();
            cluster.replaceSuperpeer();
            ClusterId other = cluster.id();
            PeerCluster.await(() -> String.valueOf(cluster.peer(0).misfit()).contains(refusal(other, own)),
                () -> "the peer says " + cluster.peer(0).misfit());
            assertEquals(version, cluster.peer(0).tables().version());
            assertEquals(rows, cluster.peer(0).tables().zones());
            assertEquals(0, cluster.rows().size(), "the other superpeer knows the peer");
            assertEquals(0, store.fields().getAndAddLong(counter, 0, 1), "the peer holds its lease");
        }
    }

    @Test
    void aSuperpeerWhoseFolderIsOfAnotherCluster_doesNothing() throws IOException {
        ClusterId own = new ClusterId(1, 2, "orders");
        SuperpeerLog log = MemoryLogs.member(new MachineState.Settings(1, 2));
        ClusterId other = new ClusterId(3, 4, "orders");
        log.propose(new Command.Founded(other)).join();
        try (Superpeer superpeer = Superpeer.start(0, NetworkConfig.builder(1).listen("loop:" + name)
                .addresses(_ -> null).cluster(own).build(), log, PeerCluster.TERMS, Platform.SYSTEM)) {
            PeerCluster.await(() -> superpeer.misfit() != null, () -> "the superpeer takes part");
            assertEquals("this superpeer is of " + own + ", and the other superpeers are of " + other
                + ": its folder is that of another cluster", superpeer.misfit());
            assertEquals(Long.valueOf(0), log.read(machine -> machine.life(0)), "it has announced itself");
        }
    }
}
