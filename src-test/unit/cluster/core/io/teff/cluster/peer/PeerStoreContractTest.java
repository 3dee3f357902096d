package io.teff.cluster.peer;

import io.teff.cluster.ClientConfig;
import io.teff.cluster.ClusterStore;
import io.teff.engine.ChunkStore;
import io.teff.engine.config.StoreConfig;
import io.teff.test.store.ChunkStoreContract;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The contract of all stores, kept by a client of real peers, each of which backs up the other's zones. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class PeerStoreContractTest extends ChunkStoreContract {
    private static final int PEERS = 2;
    private static final int ZONES = 6;
    private static final int RING_BYTES = 8 << 20;
    private static final int LOG_BYTES = 16 << 20;
    private static final List<PeerCluster> CLUSTERS = new ArrayList<>();

    /** Address of the superpeer of the cluster with much memory, which all tests use. */
    private static String address = "";

    @TempDir
    private static Path folder;

    @Override
    protected ChunkStore open(StoreConfig config) throws IOException {
        boolean isSmall = config.memoryLimitBytes() < 64L << 20;
        if (isSmall) {
            return connect(start(48 << 20), config);
        }
        if (address.isEmpty()) {
            address = start(256 << 20);
        }
        ClusterStore store = connect(address, config);
        store.names().all().keySet().forEach(name -> store.names().drop(name));
        return store;
    }

    /** Another client may drop a collection and make it anew: each opening looks at the directory. */
    @Override
    protected boolean keepsObjects() {
        return false;
    }

    @Override
    protected Map<String, String> exceptions() {
        return Map.of("full_isAStatusOfLongChunksAndOfCidsToo", "the test has chunks of 4 MiB, and chunks of a cluster"
            + " have at most 1 MiB; ClusterStoreTest has the status of a full cluster");
    }

    private static ClusterStore connect(String superpeer, StoreConfig config) {
        return ClusterStore.connect(ClientConfig.builder(superpeer).lockTimeoutNs(config.lockTimeoutNs()).build());
    }

    private static String start(int memoryBytes) throws IOException {
        String name = "contract-" + System.nanoTime();
        PeerCluster cluster = new PeerCluster(name, folder.resolve(name), 1);
        CLUSTERS.add(cluster);
        for (int i = 0; i < PEERS; i++) {
            cluster.start(i, Peer.start(cluster.config(i).withBytes(memoryBytes, RING_BYTES, LOG_BYTES)
                .withZones(ZONES, 1, 200_000_000L)));
        }
        cluster.awaitServed(PEERS * ZONES);
        return "loop:" + name + "-superpeer";
    }

    @AfterAll
    static void closeClusters() throws IOException {
        for (PeerCluster cluster : CLUSTERS) {
            cluster.close();
        }
    }
}
