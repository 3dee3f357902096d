package io.teff.test.conformance;

import io.teff.cluster.ClusterStore;
import io.teff.engine.ChunkStore;
import io.teff.engine.Store;
import io.teff.engine.collect.ChunkCollection;
import io.teff.engine.config.StoreConfig;
import io.teff.test.clusters.OneProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.Map.Entry;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** One store of each kind for all tests of the process, and unused names in it. */
enum Fresh {
    /** A store in the memory of this process. */
    LOCAL(() -> Store.open(StoreConfig.builder().memoryLimitBytes(1L << 30).build())),
    /** The store of a cluster whose nodes are in this process. */
    CLUSTER(Fresh::connect);

    private static final AtomicLong NAMES = new AtomicLong();

    private final Supplier<ChunkStore> opener;
    private ChunkStore opened;

    Fresh(Supplier<ChunkStore> opener) {
        this.opener = opener;
    }

    /** Returns the store, which lives as long as the process. */
    synchronized ChunkStore store() {
        if (opened == null) {
            opened = opener.get();
        }
        return opened;
    }

    private static ChunkStore connect() {
        return ClusterStore.connect(clusterAddress());
    }

    /** Returns the address of the cluster of this process. */
    static String clusterAddress() {
        return Cluster.ADDRESS;
    }

    /** Starts the cluster when it is wanted. */
    private static final class Cluster {
        private static final String ADDRESS = start();
    }

    private static String start() {
        try {
            Path folder = Files.createTempDirectory("teff-conformance");
            OneProcess cluster = OneProcess.start("conformance", folder);
            Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(folder)));
            return cluster.address();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns a name that no collection of the process has had. */
    static String unused() {
        return "collection-" + NAMES.incrementAndGet();
    }

    /** Puts entries, each an {@code Entry<K, V>}, and audits the map. */
    @SuppressWarnings("unchecked")
    static <K, V, M extends Map<K, V> & ChunkCollection> M filled(M map, Object[] entries) {
        for (Object entry : entries) {
            map.put(((Entry<K, V>) entry).getKey(), ((Entry<K, V>) entry).getValue());
        }
        map.audit();
        return map;
    }

    /** Drops all collections after a test. */
    void dropAll() {
        ChunkStore store = store();
        for (String name : store.names().all().keySet()) {
            store.names().drop(name);
        }
    }
}
