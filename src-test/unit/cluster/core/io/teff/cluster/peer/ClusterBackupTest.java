package io.teff.cluster.peer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.ClusterStore;
import io.teff.cluster.admin.ClusterBackups;
import io.teff.cluster.admin.ClusterBackups.Progress;
import io.teff.cluster.admin.ClusterBackups.Report;
import io.teff.cluster.operation.PeerBusy;
import io.teff.engine.ChunkStore;
import io.teff.engine.collect.ChunkMap;
import io.teff.engine.error.StoreException;
import io.teff.test.kit.Threads;
import io.teff.test.kit.tier.FullTier;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Backups of a cluster in use, and what is restored from them. A writer for each zone counts: in step s the chunk
 * s mod 16 gets the value s. So the values of a zone show whether they are those of one moment.
 */
@FullTier("starts five clusters, 20 s; ZoneCaptureTest of the gate has the cut, the files and their damage")
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ClusterBackupTest {
    private static final int PEERS = 3;
    private static final int COUNTERS = 16;
    private static final int FILLED = 300;
    private static final int FILLED_BYTES = 100;
    private static final int ENTRIES = 1_000;
    private static final Consumer<Progress> SILENT = _ -> { };

    @TempDir
    private static Path folder;

    private static final ClusterBackups BACKUPS = ClusterBackups.load();
    private static PeerCluster cluster;
    private static ClusterStore store;
    /** The chunks of each writer. */
    private static final Map<Integer, long[]> COUNTED = new ConcurrentHashMap<>();
    /** A number of the services of before the backups. */
    private static long version;
    private static Report first;
    private static Report second;

    /** Fills a cluster, and takes a backup while writers count, and one based on it afterwards. */
    @BeforeAll
    static void start() throws Exception {
        cluster = cluster("source", PEERS);
        store = cluster.connect();
        ChunkMap<String, String> map = store.map("orders", String.class, String.class);
        for (int i = 0; i < ENTRIES; i++) {
            map.set("key " + i, "value " + i);
        }
        for (int i = 0; i < COUNTERS; i++) {
            store.queue("queue", String.class).offer("element " + i);
            store.list("list", Long.class).add((long) i);
            store.sortedMap("sorted", Integer.class, String.class).put(i, "value " + i);
        }
        for (int i = 0; i < COUNTERS; i++) {
            store.services().counter("counter").getAndAdd(2);
        }
        store.services().names().putBound("bound", new byte[] {4});
        version = store.services().names().put("name", new byte[] {1, 2, 3});
        AtomicBoolean isOver = new AtomicBoolean();
        List<Thread> writers = writers(isOver);
        first = BACKUPS.take(cluster.client(), folder.resolve("first"), null, SILENT);
        isOver.set(true);
        for (Thread writer : writers) {
            writer.join();
        }
        map.set("key 7", "changed");
        second = BACKUPS.take(cluster.client(), folder.resolve("second"), folder.resolve("first"), SILENT);
    }

    private static PeerCluster cluster(String name, int peers) throws IOException {
        PeerCluster made = new PeerCluster("backup-" + name + '-' + System.nanoTime(), folder.resolve(name), 1);
        for (int i = 0; i < peers; i++) {
            made.start(i, Peer.start(made.config(i).withZones(2, 1, 100_000_000L)));
        }
        made.awaitServed(2 * peers);
        return made;
    }

    /** Starts a writer for each zone, and returns when each has begun. */
    private static List<Thread> writers(AtomicBoolean isOver) {
        List<Thread> writers = new ArrayList<>();
        for (var row : cluster.rows()) {
            long[] cids = new long[COUNTERS];
            for (int i = 0; i < COUNTERS; i++) {
                cids[i] = cluster.create(row.zone(), new byte[Long.BYTES]);
                fill(row.zone());
            }
            COUNTED.put(row.zone(), cids);
            writers.add(Thread.ofPlatform().start(() -> count(cids, isOver)));
        }
        return writers;
    }

    /** Creates chunks between two counters, so that reading the zone takes longer than a change. */
    private static void fill(int zone) {
        ChunkStore owner = PeerCluster.store(cluster.owner(zone), zone);
        for (int i = 0; i < FILLED; i++) {
            Threads.await("a create", () -> {
                try {
                    return owner.create(new byte[FILLED_BYTES]) > 0;
                } catch (StoreException e) {
                    assertTrue(PeerBusy.is(e), e::toString);
                    return false;
                }
            });
        }
    }

    private static void count(long[] cids, AtomicBoolean isOver) {
        List<Long> passing = new ArrayList<>();
        for (long step = 1; !isOver.get(); step++) {
            byte[] value = ByteBuffer.allocate(Long.BYTES).putLong(step).array();
            assertEquals(0, store.put(cids[(int) (step % COUNTERS)], value));
            passing.add(store.createNear(cids[0], value));
            if (passing.size() > COUNTERS) {
                store.remove(passing.removeFirst());
            }
        }
    }

    @AfterAll
    static void close() throws IOException {
        store.close();
        cluster.close();
    }

    // ---- restore ----

    @Test
    void restore_of8Peers_hasACutOfEachZone() throws IOException {
        try (PeerCluster other = cluster("eight", 8); ClusterStore restored = other.connect()) {
            Report report = BACKUPS.restore(other.client(), folder.resolve("first"), false, SILENT);
            assertEquals(first, report);
            COUNTED.forEach((zone, cids) -> assertCut(zone, cids, restored));
            assertCollections(restored, "value 7");
            assertEquals(2 * COUNTERS, restored.services().counter("counter").get());
            assertArrayEquals(new byte[] {1, 2, 3}, restored.services().names().get("name").orElseThrow().value());
            assertFalse(restored.services().names().get("bound").isPresent());
        }
    }

    private static void assertCut(int zone, long[] cids, ClusterStore restored) {
        long[] values = new long[COUNTERS];
        long last = 0;
        for (int i = 0; i < COUNTERS; i++) {
            values[i] = ByteBuffer.wrap(restored.chunks().get(cids[i]).orElseThrow()).getLong();
            last = Math.max(last, values[i]);
        }
        for (int i = 0; i < COUNTERS; i++) {
            long expected = last - Math.floorMod(last - i, COUNTERS);
            assertEquals(Math.max(expected, 0), values[i], "chunk " + i + " of zone " + zone + " at step " + last);
        }
    }

    private static void assertCollections(ClusterStore restored, String seventh) {
        ChunkMap<String, String> map = restored.map("orders", String.class, String.class);
        assertEquals(ENTRIES, map.longSize());
        assertEquals(seventh, map.get("key 7"));
        map.set("key", "value");
        map.delete("key");
        map.audit();
        assertEquals(COUNTERS, restored.queue("queue", String.class).size());
        assertEquals("element 0", restored.queue("queue", String.class).peek());
        assertEquals(15L, restored.list("list", Long.class).getLast());
        assertEquals("value 3", restored.sortedMap("sorted", Integer.class, String.class).get(3));
    }

    /** The chain of both backups has what the idle cluster has, byte for byte. New CIDs are new. */
    @Test
    void restore_of2Peers_hasTheBytesOfTheCluster() throws IOException {
        try (PeerCluster other = cluster("two", 2); ClusterStore restored = other.connect()) {
            BACKUPS.restore(other.client(), folder.resolve("second"), false, SILENT);
            TreeMap<Long, String> expected = content(store);
            assertEquals(expected, content(restored));
            assertEquals(second.chunks(), expected.size());
            assertCollections(restored, "changed");
            for (long[] cids : COUNTED.values()) {
                assertFalse(expected.containsKey(restored.createNear(cids[0], new byte[1])));
            }
            assertTrue(restored.services().names().get("name").orElseThrow().version() > version);
            assertThrows(IOException.class, () -> BACKUPS.restore(other.client(), folder.resolve("second"), false,
                SILENT));
        }
    }

    private static TreeMap<Long, String> content(ClusterStore of) {
        TreeMap<Long, String> content = new TreeMap<>();
        of.ids().forEach(cid -> content.put(cid, HexFormat.of().formatHex(of.chunks().get(cid)
            .orElseThrow())));
        return content;
    }

    // ---- files ----

    @Test
    void incremental_isSmaller() {
        assertEquals(first.backup(), second.base());
        assertTrue(second.fileBytes() < first.fileBytes() / 2, second + " after " + first);
    }

    @Test
    void verify_damage_namesTheFile() throws IOException {
        assertEquals(List.of(), BACKUPS.verify(folder.resolve("second"), SILENT));
        for (String name : names(folder.resolve("first"))) {
            Path copy = copy(folder.resolve("first"), "damaged-" + name);
            Path file = copy.resolve(name);
            byte[] bytes = Files.readAllBytes(file);
            for (int i = 0; i < 12; i++) {
                byte[] flipped = bytes.clone();
                flipped[(int) ((long) i * (bytes.length - 1) / 11)] ^= (byte) (1 << i % 8);
                Files.write(file, flipped);
                assertNamed(copy, name, "bit of byte " + (long) i * (bytes.length - 1) / 11);
                Files.write(file, Arrays.copyOf(bytes, (int) ((long) i * (bytes.length - 1) / 11)));
                assertNamed(copy, name, "cut");
            }
            Files.delete(file);
            assertNamed(copy, name, "missing");
        }
    }

    private static void assertNamed(Path copy, String name, String what) {
        List<String> faults = BACKUPS.verify(copy, SILENT);
        assertFalse(faults.isEmpty(), name + ": " + what);
        assertTrue(faults.getFirst().contains(name), faults::toString);
    }

    private static List<String> names(Path of) throws IOException {
        try (Stream<Path> files = Files.list(of)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    private static Path copy(Path of, String to) throws IOException {
        Path copy = Files.createDirectories(folder.resolve(to));
        for (String name : names(of)) {
            Files.copy(of.resolve(name), copy.resolve(name));
        }
        return copy;
    }

    @Test
    void take_stoppedInTheMiddle_continues() throws IOException {
        Path target = folder.resolve("stopped");
        assertThrows(IllegalStateException.class, () -> BACKUPS.take(cluster.client(), target, null, progress -> {
            if (progress.done() == 3) {
                throw new IllegalStateException("stopped");
            }
        }));
        assertFalse(Files.exists(target));
        Path unfinished = folder.resolve("stopped.unfinished");
        var taken = Files.getLastModifiedTime(unfinished.resolve("zone-1"));
        Files.write(unfinished.resolve("zone-2"), new byte[100]);
        BACKUPS.take(cluster.client(), target, null, SILENT);
        assertEquals(taken, Files.getLastModifiedTime(target.resolve("zone-1")));
        assertFalse(Files.exists(unfinished));
        assertEquals(List.of(), BACKUPS.verify(target, SILENT));
        assertThrows(FileAlreadyExistsException.class, () -> BACKUPS.take(cluster.client(), target, null, SILENT));
    }

    @Test
    void files_ofOtherBackups_areRefused() throws IOException {
        Path copy = copy(folder.resolve("first"), "mixed");
        Files.copy(folder.resolve("second/zone-1"), copy.resolve("zone-1"),
            StandardCopyOption.REPLACE_EXISTING);
        assertNamed(copy, "zone-1", "of another backup");
        try (PeerCluster other = cluster("foreign", 2)) {
            assertThrows(IOException.class, () -> BACKUPS.take(other.client(), folder.resolve("foreign-backup"),
                folder.resolve("first"), SILENT));
        }
    }
}
