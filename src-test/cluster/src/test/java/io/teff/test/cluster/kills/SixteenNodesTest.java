package io.teff.test.cluster.kills;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.ClusterStore;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.ZoneRow;
import io.teff.test.kit.ChildProcess;
import io.teff.test.kit.tier.FullTier;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Sixteen processes on one machine: three superpeers and thirteen peers with little memory. The cluster starts, is
 * filled, loses two peers at once, has all chunks, drains a peer, ends, and starts again with its contents. The test
 * prints times and memory.
 */
@Tag("processes")
@FullTier("4 minutes: sixteen processes on one machine; ClusterKillTest has seven")
@Timeout(value = 20, unit = TimeUnit.MINUTES)
final class SixteenNodesTest {
    private static final LocalCluster.Size SIZE = new LocalCluster.Size(3, 13, "64m", 64);
    private static final int CHUNKS = 40_000;
    private static final int BYTES = 64;
    private static final int BATCH = 500;
    /** More than a peer of this size needs: heap, copies and the JVM itself. */
    private static final long MEMORY_KIB_MAX = 400 << 10;

    @TempDir
    private Path folder;
    private final Map<String, String> figures = new LinkedHashMap<>();

    @Test
    void sixteenProcesses_areACluster() throws Exception {
        long begunNs = System.nanoTime();
        try (LocalCluster cluster = new LocalCluster(folder.resolve("cluster"), SIZE, ChildProcess.classPath())) {
            note("up", begunNs);
            cluster.awaitBacked();
            note("all zones backed", begunNs);
            memory(cluster, "memory after the start");
            long[] cids;
            try (ClusterStore store = cluster.connect()) {
                begunNs = System.nanoTime();
                cids = fill(store);
                note(CHUNKS + " creates", begunNs);
                memory(cluster, "memory with the chunks");
                killTwo(cluster, store, cids);
                drain(cluster, store, cids);
            }
            begunNs = System.nanoTime();
            cluster.down();
            note("down", begunNs);
            begunNs = System.nanoTime();
            cluster.upAgain();
            note("up with the contents", begunNs);
            cluster.awaitRows("all zones are served", rows -> rows.stream().allMatch(row -> row.state().isServed()));
            try (ClusterStore store = cluster.connect()) {
                compare(store, cids);
            }
        }
        figures.forEach((what, value) -> System.out.println("16 processes: " + what + ": " + value));
    }

    private void note(String what, long begunNs) {
        figures.put(what, String.format("%.1f s", (System.nanoTime() - begunNs) / 1e9));
    }

    private static long[] fill(ClusterStore store) {
        long[] cids = new long[CHUNKS];
        int[] lengths = new int[BATCH];
        Arrays.fill(lengths, BYTES);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment source = arena.allocate((long) BATCH * BYTES);
            for (int from = 0; from < CHUNKS; from += BATCH) {
                for (int i = 0; i < BATCH; i++) {
                    ByteBuffer chunk = source.asSlice((long) i * BYTES, BYTES).asByteBuffer();
                    chunk.putInt(from + i).putInt(~(from + i));
                }
                assertEquals(BATCH, store.batch().create(source, lengths, cids, from, false));
            }
        }
        return cids;
    }

    private static void compare(ClusterStore store, long[] cids) {
        byte[] found = new byte[BYTES];
        for (int i = 0; i < CHUNKS; i++) {
            assertEquals(BYTES, store.get(cids[i], found));
            ByteBuffer bytes = ByteBuffer.wrap(found);
            assertTrue(bytes.getInt() == i && bytes.getInt() == ~i, "chunk " + i);
        }
    }

    /** Kills two peers at once: each zone has two backups, so nothing may be lost. */
    private void killTwo(LocalCluster cluster, ClusterStore store, long[] cids)
            throws IOException, InterruptedException {
        List<String> victims = List.of(cluster.peers().get(3), cluster.peers().get(8));
        long begunNs = System.nanoTime();
        List<NodeRef> dead = victims.stream().map(cluster::kill).toList();
        for (NodeRef each : dead) {
            cluster.awaitServed(each);
        }
        note("all zones served after two kills", begunNs);
        compare(store, cids);
        note("all chunks read after two kills", begunNs);
        begunNs = System.nanoTime();
        cluster.startTogether(victims);
        cluster.awaitBacked();
        note("both peers back, all zones backed", begunNs);
        compare(store, cids);
    }

    private void drain(LocalCluster cluster, ClusterStore store, long[] cids)
            throws IOException, InterruptedException {
        String peer = cluster.peers().getLast();
        int nid = cluster.nid(peer);
        long begunNs = System.nanoTime();
        cluster.succeed("drain", peer, "--timeout", "240");
        note("drain of a peer", begunNs);
        List<ZoneRow> left = cluster.rows().stream().filter(row -> row.owner() != null && row.owner().nid() == nid
            || row.backups().stream().anyMatch(copy -> copy.node().nid() == nid)).toList();
        assertEquals(List.of(), left, "the peer has nothing");
        compare(store, cids);
    }

    private void memory(LocalCluster cluster, String what) throws IOException {
        long sum = 0;
        long most = 0;
        for (long process : cluster.processes()) {
            for (String line : Files.readAllLines(Path.of("/proc", Long.toString(process), "status"))) {
                if (line.startsWith("VmRSS:")) {
                    long kib = Long.parseLong(line.replaceAll("\\D", ""));
                    sum += kib;
                    most = Math.max(most, kib);
                }
            }
        }
        long found = most;
        assertTrue(most < MEMORY_KIB_MAX, () -> "a process has " + found + " KiB");
        figures.put(what, String.format("%d MiB resident in all, %d MiB the largest process", sum >> 10, most >> 10));
    }
}
