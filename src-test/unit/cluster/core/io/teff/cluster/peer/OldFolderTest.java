package io.teff.cluster.peer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.NodeRow;
import io.teff.engine.os.LockedException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Peers in folders of other processes, of other clusters, and of earlier times. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OldFolderTest {
    private static final int CHUNKS = 60;

    @TempDir
    private Path folder;

    private static byte[] content(int number) {
        return ByteBuffer.allocate(64).putInt(number).array();
    }

    private PeerCluster open(String name, int... peers) throws IOException {
        PeerCluster cluster = new PeerCluster(name + System.nanoTime(), folder, 2);
        for (int peer : peers) {
            cluster.start(peer);
        }
        cluster.awaitServed(peers.length * 6);
        return cluster;
    }

    private static List<Long> create(PeerCluster cluster) {
        List<Long> cids = new ArrayList<>();
        for (int i = 0; i < CHUNKS; i++) {
            cids.add(cluster.create(cluster.rows().get(i % cluster.rows().size()).zone(), content(i)));
        }
        return cids;
    }

    @Test
    void secondPeer_inTheFolderOfOneThatRuns_isRefused_andTheFirstGoesOn() throws IOException {
        try (PeerCluster cluster = open("one-folder-", 0, 1, 2)) {
            NodeRef first = cluster.peer(1).node();
            PeerConfig second = cluster.config(1).withAddress("loop:second-" + System.nanoTime());
            String said = assertThrows(LockedException.class, () -> Peer.start(second)).getMessage();
            assertTrue(said.contains(String.valueOf(ProcessHandle.current().pid())), said);
            assertTrue(said.contains(folder.resolve("peer-1").toString()), said);
            assertEquals(3, alive(cluster));
            assertEquals(first, cluster.peer(1).node());
            List<Long> cids = create(cluster);
            assertArrayEquals(content(7), cluster.read(cids.get(7)));
        }
    }

    private static long alive(PeerCluster cluster) {
        return cluster.read(machine -> machine.nodesSince(-1)).stream().filter(NodeRow::isAlive).count();
    }

    /** The zones and copies of the other cluster have the numbers of those that the folder has. */
    @Test
    void peer_withTheFolderOfAnotherCluster_isRefused_andTheOthersGoOn() throws IOException {
        try (PeerCluster old = open("old-", 0, 1, 2)) {
            create(old);
        }
        try (PeerCluster cluster = open("new-", 3, 4, 5)) {
            List<Long> cids = create(cluster);
            String said = assertThrows(IOException.class, () -> Peer.start(cluster.config(1))).getMessage();
            assertTrue(said.contains("the address is that of another cluster"), said);
            assertEquals(3, alive(cluster), "it has not joined");
            cluster.killAttested(4);
            for (int i = 0; i < CHUNKS; i++) {
                assertArrayEquals(content(i), cluster.read(cids.get(i)), "chunk " + i);
            }
        }
    }

    /** While a peer was away its chunks were changed and removed; then it is made a backup and an owner again. */
    @Test
    void peer_thatComesBackAfterItsZonesHaveMoved_servesNothingOld() throws IOException {
        try (PeerCluster cluster = open("away-", 0, 1, 2)) {
            List<Long> cids = create(cluster);
            cluster.killAttested(1);
            for (int i = 0; i < CHUNKS; i++) {
                if (i % 3 == 0) {
                    cluster.remove(cids.get(i));
                } else {
                    cluster.put(cids.get(i), content(1_000 + i));
                }
            }
            cluster.start(1);
            PeerCluster.await(() -> cluster.isSettled() && cluster.rows().stream()
                .allMatch(row -> row.backups().size() == 2 && row.learners().isEmpty()), () -> "" + cluster.rows());
            cluster.killAttested(0);
            cluster.awaitServed(1);
            cluster.killAttested(2);
            for (int i = 0; i < CHUNKS; i++) {
                byte[] read = cluster.read(cids.get(i));
                assertEquals(1, cluster.numberOf(cluster.owner((int) (cids.get(i) >>> 48))), "the one that is left");
                if (i % 3 == 0) {
                    assertNull(read, "chunk " + i);
                } else {
                    assertArrayEquals(content(1_000 + i), read, "chunk " + i);
                }
            }
        }
    }
}
