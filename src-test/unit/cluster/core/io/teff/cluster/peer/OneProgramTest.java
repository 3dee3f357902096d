package io.teff.cluster.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.ChunkStore;
import io.teff.engine.collect.ChunkList;
import io.teff.engine.collect.ChunkMap;
import io.teff.engine.collect.ChunkQueue;
import io.teff.engine.collect.ChunkSortedMap;
import io.teff.engine.collect.ValueChange;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One program, unchanged, on a store in memory, a durable store and a cluster; and what a missing module says. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OneProgramTest {
    private static final int PEERS = 2;
    private static final int ZONES = 3;

    @TempDir
    private Path folder;

    record Account(String owner, long cents) {
        Account plus(Account other) {
            return new Account(owner, cents + other.cents);
        }
    }

    /** The program of the README. */
    private static String run(String address) {
        try (ChunkStore store = ChunkStore.open(address)) {
            ChunkMap<String, Account> accounts = store.map("accounts", String.class, Account.class);
            accounts.put("me", new Account("me", 40));
            accounts.putIfAbsent("you", new Account("you", 7));
            accounts.merge("me", new Account("me", 2), Account::plus);
            accounts.remove("you");
            ChunkQueue<String> jobs = store.queue("jobs", String.class);
            jobs.clear();
            jobs.addAll(List.of("read", "write", "sync"));
            ChunkList<String> done = store.list("done", String.class);
            done.clear();
            done.add(jobs.remove());
            done.addFirst(jobs.poll());
            ChunkSortedMap<String, Long> counts = store.sortedMap("counts", String.class, Long.class);
            counts.clear();
            done.forEach(job -> counts.merge(job, 1L, Long::sum));
            counts.put("sync", 0L);
            ChunkMap<String, Long> views = store.map("views", String.class, Long.class);
            views.putAll(Map.of("index", 1L, "help", 2L));
            views.apply("index", ValueChange.add(4));
            return accounts + " " + jobs + ' ' + done + ' ' + counts.descendingMap() + ' ' + counts.floorKey("t") + ' '
                + new TreeMap<>(views.getAll(List.of("help", "index", "none")));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory:", "file:", "loop:"})
    void program_runsOnEachStore(String scheme) throws IOException {
        String expected = "{me=Account[owner=me, cents=42]} [sync] [write, read] {write=1, sync=0, read=1} sync "
            + "{help=2, index=5}";
        if (!scheme.equals("loop:")) {
            assertEquals(expected, run(scheme.equals("file:") ? scheme + folder.resolve("store") : scheme));
            return;
        }
        String name = "one-program-" + System.nanoTime();
        try (PeerCluster cluster = new PeerCluster(name, folder, 1)) {
            for (int i = 0; i < PEERS; i++) {
                cluster.start(i, Peer.start(cluster.config(i).withZones(ZONES, 1, 100_000_000L)));
            }
            cluster.awaitServed(PEERS * ZONES);
            assertEquals(expected, run("loop:" + name + "-superpeer"));
        }
    }

    @Test
    void file_hasItsContentsAfterTheNextOpening_andIsClosedWithItsStore() {
        String address = "file:" + folder.resolve("kept");
        run(address);
        try (ChunkStore store = ChunkStore.open(address)) {
            assertEquals(42, store.map("accounts", String.class, Account.class).get("me").cents());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "memory", ":", "memory:more", "file:"})
    void address_withoutAMeaning_isNamed(String address) {
        String text = assertThrows(IllegalArgumentException.class, () -> ChunkStore.open(address)).getMessage();
        assertTrue(text.contains("address=" + address), text);
    }

    /**
     * The classes of the engine alone, without its services. The loader has no parent: the platform class loader would
     * find the modules of this test.
     */
    @ParameterizedTest
    @ValueSource(strings = {"file:/data", "tcp:127.0.0.1:7400"})
    void address_ofAMissingModule_namesTheModule(String address) throws Exception {
        URL engine = ChunkStore.class.getProtectionDomain().getCodeSource().getLocation();
        try (URLClassLoader alone = new URLClassLoader(new URL[] {engine}, null) {
            @Override
            public Enumeration<URL> getResources(String name) throws IOException {
                return name.startsWith("META-INF/services") ? Collections.emptyEnumeration()
                    : super.getResources(name);
            }
        }) {
            Method open = alone.loadClass(ChunkStore.class.getName()).getMethod("open", String.class);
            Throwable thrown = assertThrows(InvocationTargetException.class, () -> open.invoke(null, address))
                .getCause();
            String module = address.startsWith("file") ? "teff-recovery" : "teff-cluster";
            assertTrue(thrown instanceof IllegalArgumentException && thrown.getMessage().contains(module),
                thrown.toString());
        }
    }
}
