package io.teff.cluster.peer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.ClusterStore;
import io.teff.cluster.admin.ClusterBackups;
import io.teff.cluster.admin.ClusterBackups.Progress;
import io.teff.cluster.admin.ClusterBackups.Transfer;
import io.teff.engine.ChunkStore;
import io.teff.engine.Cid;
import io.teff.engine.Store;
import io.teff.engine.collect.ChunkMap;
import io.teff.engine.collect.ChunkSortedMap;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.error.Status;
import io.teff.recovery.DurableConfig;
import io.teff.recovery.DurableStore;
import io.teff.test.kit.tier.FullTier;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The way of a local store into a cluster and back: chunks with their CIDs, and collections of all kinds. */
@FullTier("starts two clusters, 10 s; ZoneCaptureTest of the gate has the files of zones")
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StoreTransferTest {
    private static final int ENTRIES = 400;
    private static final Consumer<Progress> SILENT = _ -> { };

    @TempDir
    private Path folder;
    private final ClusterBackups backups = ClusterBackups.load();
    private long plain;
    private long sealed;

    /** A value whose codec has a description of fields. */
    record Person(String name, int age) {}

    private void fill(ChunkStore store) {
        plain = store.create(new byte[] {1, 2, 3});
        sealed = store.createReadOnly(new byte[] {4});
        assertEquals(9, store.remove(store.create(new byte[9])));
        store.names().bind("plain", plain);
        for (int i = 0; i < ENTRIES; i++) {
            store.map("map", String.class, Person.class).put("key " + i, new Person("name " + i, i));
            store.longMap("numbers", String.class).put((long) i, "value " + i);
            store.set("set", Integer.class).add(i);
            store.list("list", Long.class).add((long) i);
            store.queue("queue", String.class).add("element " + i);
            store.sortedMap("sorted", Integer.class, String.class).put(i, "value " + i);
        }
    }

    private void assertContent(ChunkStore store, long plainCid, long sealedCid) {
        assertArrayEquals(new byte[] {1, 2, 3}, store.chunks().get(plainCid).orElseThrow());
        assertArrayEquals(new byte[] {4}, store.chunks().get(sealedCid).orElseThrow());
        assertEquals(Status.READ_ONLY, store.put(sealedCid, new byte[1]));
        assertEquals(plainCid, store.names().get("plain").orElseThrow().cid());
        assertEquals(ENTRIES, store.map("map", String.class, Person.class).longSize());
        assertEquals(new Person("name 7", 7), store.map("map", String.class, Person.class).get("key 7"));
        assertEquals(ENTRIES, store.longMap("numbers", String.class).longSize());
        assertEquals("value 8", store.longMap("numbers", String.class).get(8));
        assertEquals(ENTRIES, store.set("set", Integer.class).size());
        assertTrue(store.set("set", Integer.class).contains(9));
        assertEquals(IntStream.range(0, ENTRIES).mapToObj(i -> (long) i).toList(),
            List.copyOf(store.list("list", Long.class)));
        assertEquals("element 0", store.queue("queue", String.class).peek());
        assertEquals(ENTRIES, store.queue("queue", String.class).size());
        assertEquals("value 3", store.sortedMap("sorted", Integer.class, String.class).get(3));
        assertEquals(ENTRIES - 1, store.sortedMap("sorted", Integer.class, String.class).lastKey());
        store.map("map", String.class, Person.class).audit();
        store.map("map", String.class, Person.class).put("new", new Person("new", 1));
        store.map("map", String.class, Person.class).remove("new");
    }

    private PeerCluster cluster(String name) throws IOException {
        PeerCluster made = new PeerCluster("transfer-" + name + '-' + System.nanoTime(), folder.resolve(name), 1);
        for (int i = 0; i < 2; i++) {
            made.start(i, Peer.start(made.config(i).withZones(2, 1, 100_000_000L)));
        }
        made.awaitServed(4);
        return made;
    }

    @Test
    void durableStore_intoAClusterAndBack_isTheSame() throws IOException {
        Path local = folder.resolve("local");
        try (DurableStore store = DurableStore.open(local, DurableConfig.builder()
            .store(StoreConfig.builder().nid(3).build()).build())) {
            fill(store.store());
        }
        try (PeerCluster cluster = cluster("way"); ClusterStore store = cluster.connect()) {
            Transfer in = backups.importStore(cluster.client(), local, SILENT);
            assertEquals(new Transfer(2, 6, 6 * ENTRIES, List.of()), in);
            assertContent(store, plain, sealed);
            assertThrows(IOException.class, () -> backups.importStore(cluster.client(), local, SILENT));
            backups.take(cluster.client(), folder.resolve("backup"), null, SILENT);
        }
        Transfer out = backups.exportStore(folder.resolve("backup"), folder.resolve("store"), SILENT);
        assertEquals(6, out.collections());
        assertEquals(6 * ENTRIES, out.elements());
        try (DurableStore store = DurableStore.open(folder.resolve("store"))) {
            assertContent(store.store(), plain, sealed);
            store.audit();
        }
    }

    /** The same person in a later version of the program. */
    record LaterPerson(String name, int age, String city) {}

    /** A local store takes values of one version: others are named, and are not written in part. */
    @Test
    void export_ofValuesOfSeveralVersions_isRefusedByName_untilOneVersionHasWrittenAll() throws IOException {
        try (PeerCluster cluster = cluster("forms"); ClusterStore store = cluster.connect()) {
            ChunkMap<String, Person> olds = store.map("people", String.class, Person.class);
            olds.put("ada", new Person("Ada", 40));
            ChunkMap<String, LaterPerson> news = store.map("people", String.class, LaterPerson.class);
            news.put("bob", new LaterPerson("Bob", 30, "Bonn"));
            store.sortedMap("sorted", String.class, Person.class).put("eve", new Person("Eve", 50));
            ChunkSortedMap<String, LaterPerson> sorted = store.sortedMap("sorted", String.class, LaterPerson.class);
            sorted.put("joe", new LaterPerson("Joe", 60, "Rome"));
            backups.take(cluster.client(), folder.resolve("mixed"), null, SILENT);
            news.replaceAll((_, person) -> person);
            sorted.replaceAll((_, person) -> person);
            backups.take(cluster.client(), folder.resolve("even"), null, SILENT);
        }
        assertTrue(assertThrows(IOException.class, () -> backups.exportStore(folder.resolve("mixed"),
            folder.resolve("refused"), SILENT)).getMessage().contains("people"));
        backups.exportStore(folder.resolve("even"), folder.resolve("taken"), SILENT);
        try (DurableStore store = DurableStore.open(folder.resolve("taken"))) {
            ChunkMap<String, LaterPerson> people = store.store().map("people", String.class, LaterPerson.class);
            assertEquals(30, people.get("bob").age());
            assertEquals("Bonn", people.get("bob").city());
            assertEquals(40, people.get("ada").age());
            people.audit();
            assertEquals(50, store.store().sortedMap("sorted", String.class, LaterPerson.class).get("eve").age());
        }
    }

    /** No zone has the number 0: chunks of a store without a NID get the number of a new zone. */
    @Test
    void snapshot_ofAStoreWithoutNid_getsANewZone() throws IOException {
        Path snapshot = folder.resolve("snapshot");
        try (Store store = Store.open(StoreConfig.builder().build())) {
            fill(store);
            store.snapshot(snapshot);
        }
        try (PeerCluster cluster = cluster("other"); ClusterStore store = cluster.connect()) {
            Transfer in = backups.importStore(cluster.client(), snapshot, SILENT);
            assertEquals(1, in.moved().size(), in::toString);
            int zone = cluster.rows().getLast().zone();
            assertEquals(List.of("CIDs of creator 0 have the creator " + zone + " now"), in.moved());
            assertContent(store, Cid.of(zone, plain), Cid.of(zone, sealed));
        }
    }
}
