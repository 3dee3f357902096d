package io.teff.cluster.peer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.meta.ZoneRow;
import io.teff.recovery.backup.ZoneCopy;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A peer whose files were damaged while it was away. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DamagedCopyTest {
    private static final int CHUNKS = 200;
    private static final int CHUNK_BYTES = 2_000;

    @TempDir
    private Path folder;

    private static byte[] content(int number) {
        return ByteBuffer.allocate(CHUNK_BYTES).putInt(number).array();
    }

    @Test
    void peer_withADamagedSegment_saysWhichCopiesItCannotUse_andNothingIsLost() throws IOException {
        try (PeerCluster cluster = new PeerCluster("damage-" + System.nanoTime(), folder, 2)) {
            for (int peer = 0; peer < 3; peer++) {
                cluster.start(peer);
            }
            cluster.awaitServed(18);
            List<ZoneRow> rows = cluster.rows();
            List<Long> cids = new ArrayList<>();
            for (int i = 0; i < CHUNKS; i++) {
                cids.add(cluster.create(rows.get(i % rows.size()).zone(), content(i)));
            }
            PeerCluster.await(() -> isBacked(cluster), () -> "" + cluster.rows());
            cluster.killAttested(1);
            List<Path> damaged = damage(folder.resolve("peer-1").resolve(Peer.LOG));
            Map<ZoneCopy, List<String>> found = cluster.start(1).damage();
            assertTrue(!damaged.isEmpty());
            assertEquals(damaged.stream().map(Path::toString).toList(), found.values().stream()
                .map(parts -> parts.getFirst().substring(0, parts.getFirst().indexOf(':'))).sorted().toList());
            PeerCluster.await(() -> isBacked(cluster), () -> "" + cluster.rows());
            for (int i = 0; i < CHUNKS; i++) {
                assertArrayEquals(content(i), cluster.read(cids.get(i)), "chunk " + i);
            }
            assertEquals(Map.of(), cluster.peers().getFirst().damage());
        }
    }

    private static boolean isBacked(PeerCluster cluster) {
        return cluster.isSettled() && cluster.rows().stream().allMatch(row -> row.backups().size() == 2
            && row.learners().isEmpty());
    }

    /** Flips a byte of each segment of a log that has records. */
    private static List<Path> damage(Path log) throws IOException {
        List<Path> damaged = new ArrayList<>();
        try (Stream<Path> files = Files.list(log.resolve("segments"))) {
            for (Path file : files.sorted().toList()) {
                byte[] bytes = Files.readAllBytes(file);
                int last = bytes.length - 1;
                while (last > 0 && bytes[last] == 0) {
                    last--;
                }
                if (last > CHUNK_BYTES) {
                    bytes[last / 2]++;
                    Files.write(file, bytes);
                    damaged.add(log.relativize(file));
                }
            }
        }
        return damaged;
    }
}
