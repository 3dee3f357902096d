package io.teff.cluster.peer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.teff.cluster.meta.ZoneRow;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: a peer's folder that was put back from a copy serves nothing that it lacks. The zones wait for the newer
 * folder, and have every acknowledged chunk when the newer folder is back.
 *
 * <p>Method: two peers in this process. Both end, one folder is copied, both work again and end, and the copy takes the
 * place of the folder.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OlderFolderTest {
    private static final int CHUNKS = 60;
    private static final String OLDER = "the folder is an older copy";

    @TempDir
    private Path folder;

    private final Map<Long, Integer> chunks = new HashMap<>();

    private static byte[] content(int number) {
        return ByteBuffer.allocate(64).putInt(number).putInt(60, number).array();
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path each : (Iterable<Path>) all::iterator) {
                Files.copy(each, to.resolve(from.relativize(each).toString()));
            }
        }
    }

    private void work(PeerCluster cluster) throws IOException {
        cluster.start(0);
        cluster.start(1);
        cluster.awaitServed(12);
        PeerCluster.await(() -> cluster.rows().stream().noneMatch(row -> row.backups().isEmpty()),
            () -> "backups " + cluster.rows());
        List<ZoneRow> rows = cluster.rows();
        for (int i = 0; i < CHUNKS; i++) {
            chunks.put(cluster.create(rows.get(i % rows.size()).zone(), content(i)), i);
        }
        cluster.killAttested(1);
        cluster.killAttested(0);
    }

    @Test
    void folderPutBackFromACopy_servesNothing_andTheNewerFolderServesEverything() throws IOException {
        Path own = folder.resolve("peer-0");
        Path older = folder.resolve("older");
        Path newer = folder.resolve("newer");
        try (PeerCluster cluster = new PeerCluster("older-folder-" + System.nanoTime(), folder, 1)) {
            work(cluster);
            copy(own, older);
            work(cluster);
            Files.move(own, newer);
            copy(older, own);
            cluster.start(0);
            PeerCluster.await(() -> cluster.lines().contains(OLDER), () -> "the peer says nothing of its folder");
            for (ZoneRow row : cluster.rows()) {
                assertNull(cluster.host(row), row::toString);
            }
            cluster.killAttested(0);
            Files.move(own, folder.resolve("put-away"));
            Files.move(newer, own);
            cluster.start(0);
            cluster.start(1);
            cluster.awaitServed(12);
            chunks.forEach((cid, number) -> assertArrayEquals(content(number), cluster.read(cid), "chunk " + number));
        }
    }
}
