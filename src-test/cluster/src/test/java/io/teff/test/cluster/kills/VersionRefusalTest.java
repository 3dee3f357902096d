package io.teff.test.cluster.kills;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.ClusterStore;
import io.teff.test.kit.Threads;
import io.teff.test.kit.tier.FullTier;
import io.teff.test.net.HostilePeer;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What another build has written or says in another version is refused by name, with the versions of both sides, and
 * changes nothing: a greeting, the log of a peer, the journal of a superpeer.
 */
@Tag("processes")
@FullTier("a cluster of processes; HandshakeTest and LogVersionsTest have the refusals without processes")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
final class VersionRefusalTest {
    private static final int LATER = 9;
    private static final int LOWEST_AT = 16;
    private static final int REFUSED_BYTES = 58;
    private static final int VERSION_OF_LOG_AT = 18;
    private static final int VERSION_OF_JOURNAL_AT = 16;
    private static final int CRC_OF_JOURNAL_AT = 28;

    @TempDir
    private Path folder;

    @Test
    void laterVersions_areRefused_withTheVersionsOfBothSides() throws Exception {
        try (LocalCluster cluster = new LocalCluster(folder.resolve("cluster"), null, 3, 3);
             ClusterStore store = cluster.connect()) {
            long cid = store.create(new byte[] {1, 2, 3});
            cluster.awaitBacked();
            greeting(cluster);
            logOfAPeer(cluster);
            journalOfASuperpeer(cluster);
            cluster.awaitBacked();
            assertEquals(3, store.get(cid, new byte[3]));
        }
    }

    private static void greeting(LocalCluster cluster) throws IOException {
        String address = cluster.entrance().getFirst();
        int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
        ByteBuffer hello = ByteBuffer.wrap(HostilePeer.hello(60_000, 1, 1)).order(ByteOrder.LITTLE_ENDIAN);
        hello.putShort(LOWEST_AT, (short) LATER).putShort(LOWEST_AT + Short.BYTES, (short) (LATER + 1));
        byte[] answer = new byte[REFUSED_BYTES];
        try (Socket socket = new Socket("127.0.0.1", port)) {
            socket.getOutputStream().write(hello.array());
            new DataInputStream(socket.getInputStream()).readFully(answer);
        }
        ByteBuffer refused = ByteBuffer.wrap(answer).order(ByteOrder.LITTLE_ENDIAN);
        assertEquals(List.of(5, 1), List.of(refused.getInt(4), (int) refused.getShort(8)), "REFUSED, version");
        assertEquals(List.of(2, 2), List.of((int) refused.getShort(10), (int) refused.getShort(12)), "own versions");
        Threads.await("the log has both versions", () -> log(cluster, "superpeer-1").contains(
            "it has versions 9 to 10 of the protocol, and this node version 2"));
    }

    private static String log(LocalCluster cluster, String node) {
        try {
            return cluster.log(node);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void logOfAPeer(LocalCluster cluster) throws IOException, InterruptedException {
        String peer = cluster.peers().getFirst();
        cluster.awaitServed(cluster.kill(peer));
        cluster.awaitTrue("the end is noticed", () -> cluster.mayStart(peer));
        Path log = cluster.data(peer).resolve("backups");
        List<Path> manifests;
        try (var files = Files.list(log)) {
            manifests = files.filter(file -> file.getFileName().toString().startsWith("manifest-")).toList();
        }
        assertEquals(2, manifests.size(), manifests::toString);
        List<byte[]> before = List.of(Files.readAllBytes(manifests.get(0)), Files.readAllBytes(manifests.get(1)));
        for (Path manifest : manifests) {
            byte[] bytes = Files.readAllBytes(manifest);
            ByteBuffer record = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
            record.putInt(VERSION_OF_LOG_AT, LATER);
            record.putInt(0, crc(bytes, Integer.BYTES, 10 + record.getInt(4)));
            Files.write(manifest, bytes);
        }
        String said = cluster.run(1, "start", peer);
        assertTrue(said.contains("its version is 9, not 1, 2 or 4"), said);
        for (int i = 0; i < manifests.size(); i++) {
            Files.write(manifests.get(i), before.get(i));
        }
        cluster.start(peer);
    }

    private static int crc(byte[] bytes, int from, int to) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, from, to - from);
        return (int) crc.getValue();
    }

    private static void journalOfASuperpeer(LocalCluster cluster) throws IOException, InterruptedException {
        String superpeer = cluster.superpeers().getLast();
        cluster.kill(superpeer);
        cluster.awaitTrue("the end is noticed", () -> cluster.mayStart(superpeer));
        Path journal;
        try (var files = Files.list(cluster.cell(superpeer))) {
            journal = files.filter(file -> file.getFileName().toString().startsWith("journal-")).findFirst()
                .orElseThrow();
        }
        byte[] before = Files.readAllBytes(journal);
        byte[] bytes = before.clone();
        ByteBuffer head = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        head.putInt(VERSION_OF_JOURNAL_AT, LATER).putInt(CRC_OF_JOURNAL_AT, crc(bytes, 0, CRC_OF_JOURNAL_AT));
        Files.write(journal, bytes);
        String said = cluster.run(1, "start", superpeer);
        assertTrue(said.contains("has version 9 of the format, and this build reads version 2"), said);
        Files.write(journal, before);
        cluster.startTogether(List.of(superpeer));
    }
}
