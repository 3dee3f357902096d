package io.teff.cluster.client;

import io.teff.cluster.ClientConfig;
import io.teff.cluster.ClusterStore;
import io.teff.engine.ChunkStore;
import io.teff.engine.config.StoreConfig;
import io.teff.test.store.LockContract;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;

/** The contract of operations on chunks and their locks, kept by a client whose chunks are at two peers. */
final class ClusterStoreContractTest extends LockContract {
    private final List<AutoCloseable> opened = new ArrayList<>();

    @Override
    protected ChunkStore open(StoreConfig config) throws IOException {
        TestCell cell = new TestCell();
        opened.add(cell);
        for (int i = 0; i < 2; i++) {
            TestPeer peer = new TestPeer(cell);
            opened.addFirst(peer);
            peer.open(cell.zones(peer.node, 1), config);
        }
        return ClusterStore.connect(ClientConfig.builder(cell.address()).lockTimeoutNs(config.lockTimeoutNs()).build());
    }

    @AfterEach
    void closePeers() throws Exception {
        for (AutoCloseable next : opened) {
            next.close();
        }
    }
}
