package io.teff.cluster.peer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.ZoneRow;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Four peers and a superpeer in this process, over real messages. */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PeerTest {
    private static final int PEERS = 4;
    private static final int CHUNKS = 600;

    @TempDir
    private Path folder;

    private PeerCluster cluster;

    @BeforeEach
    void start() throws IOException {
        cluster = new PeerCluster("peer-test-" + System.nanoTime(), folder, 2);
        for (int i = 0; i < PEERS; i++) {
            cluster.start(i, Peer.start(cluster.config(i), new MemoryCopyLog()));
        }
        cluster.awaitServed(PEERS * 6);
    }

    @AfterEach
    void close() throws IOException {
        cluster.close();
    }

    private static byte[] content(int number) {
        return ByteBuffer.allocate(64).putInt(number).putInt(60, number).array();
    }

    private Map<Long, Integer> createChunks(int first) {
        List<ZoneRow> rows = cluster.rows();
        Map<Long, Integer> chunks = new HashMap<>();
        for (int i = first; i < first + CHUNKS; i++) {
            chunks.put(cluster.create(rows.get(i % rows.size()).zone(), content(i)), i);
        }
        return chunks;
    }

    private void check(Map<Long, Integer> chunks) {
        chunks.forEach((cid, number) -> assertArrayEquals(content(number), cluster.read(cid), () -> "chunk " + number));
    }

    @Test
    void zones_areCreated_withTwoBackupsEach_andServeChunks() {
        for (ZoneRow row : cluster.rows()) {
            assertEquals(2, row.backups().size(), row::toString);
        }
        Map<Long, Integer> chunks = createChunks(0);
        check(chunks);
        for (ZoneRow row : cluster.rows()) {
            for (Peer peer : cluster.peers()) {
                if (row.hasBackup(peer.node())) {
                    assertTrue(peer.stats().backups().copies() > 0);
                }
            }
        }
    }

    @Test
    void peerThatDies_andThenAnother_everyAcknowledgedChunkIsServedByOthers() throws IOException {
        Map<Long, Integer> chunks = createChunks(0);
        NodeRef first = cluster.peer(1).node();
        cluster.kill(1);
        check(chunks);
        assertFalse(cluster.isNamed(first));
        chunks.putAll(createChunks(CHUNKS));
        cluster.kill(3);
        check(chunks);
        chunks.putAll(createChunks(2 * CHUNKS));
        check(chunks);
        for (Peer peer : cluster.peers()) {
            peer.stats().recoveries().forEach(System.out::println);
        }
    }
}
