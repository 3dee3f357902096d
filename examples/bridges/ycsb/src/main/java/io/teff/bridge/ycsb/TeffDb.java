package io.teff.bridge.ycsb;

import io.teff.cluster.ClusterStore;
import io.teff.engine.ChunkStore;
import io.teff.engine.Store;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.ChunkMap;
import io.teff.engine.collect.ChunkSortedMap;
import io.teff.recovery.DurableStore;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;
import site.ycsb.DBException;

/**
 * The binding of YCSB to Teff. All threads of a process with the same store use one object. Properties:
 *
 * <ul>
 *   <li>{@code teff.store}: {@code local} (default), {@code durable} or {@code cluster};
 *   <li>{@code teff.folder}: of a durable store, default {@code ycsb-data};
 *   <li>{@code teff.superpeers}: addresses of the superpeers of a cluster, with commas;
 *   <li>{@code teff.ordered}: whether records are in a sorted map, which scans need; default true if the workload has
 *       scans.
 * </ul>
 */
public final class TeffDb extends MapDb {
    /** Property: kind of the store. */
    public static final String STORE = "teff.store";
    /** Property: folder of a durable store. */
    public static final String FOLDER = "teff.folder";
    /** Property: superpeers of a cluster. */
    public static final String SUPERPEERS = "teff.superpeers";
    /** Property: whether the records are in a sorted map. */
    public static final String ORDERED = "teff.ordered";
    private static final String SCANS = "scanproportion";

    private static @Nullable Shared shared;
    private static int users;

    private @Nullable ConcurrentMap<String, byte[]> map;

    /** State of all threads. */
    private record Shared(ChunkStore store, AutoCloseable owner) {}

    /** Makes a binding that YCSB opens by {@link #init}. */
    public TeffDb() {
        super();
    }

    @Override
    public void init() throws DBException {
        final Properties properties = getProperties();
        final boolean hasScans = Double.parseDouble(properties.getProperty(SCANS, "0")) > 0;
        final boolean isOrdered = Boolean.parseBoolean(properties.getProperty(ORDERED, Boolean.toString(hasScans)));
        final ChunkStore store = open(properties);
        map = isOrdered ? store.sortedMap("ycsb-sorted", Codecs.STRING, Codecs.BYTES)
            : store.map("ycsb", Codecs.STRING, Codecs.BYTES);
    }

    private static synchronized ChunkStore open(Properties properties) throws DBException {
        Shared opened = shared;
        if (opened == null) {
            opened = switch (properties.getProperty(STORE, "local")) {
                case "local" -> {
                    final Store store = Store.open();
                    yield new Shared(store, store);
                }
                case "durable" -> {
                    final DurableStore durable = DurableStore.open(Path.of(properties.getProperty(FOLDER,
                        "ycsb-data")));
                    yield new Shared(durable.store(), durable);
                }
                case "cluster" -> {
                    final ClusterStore store = ClusterStore.connect(properties.getProperty(SUPERPEERS,
                        "tcp:127.0.0.1:7400").split(","));
                    yield new Shared(store, store);
                }
                default -> throw new DBException(STORE + "=" + properties.getProperty(STORE)
                    + " is not local, durable or cluster");
            };
            shared = opened;
        }
        users++;
        return opened.store;
    }

    @Override
    public void cleanup() throws DBException {
        map = null;
        close();
    }

    private static synchronized void close() throws DBException {
        final Shared opened = shared;
        if (--users == 0 && opened != null) {
            shared = null;
            try {
                opened.owner.close();
            } catch (Exception e) {
                throw new DBException(e);
            }
        }
    }

    private ConcurrentMap<String, byte[]> map() {
        return Objects.requireNonNull(map, "init was not called");
    }

    @Override
    protected byte @Nullable [] get(String key) {
        return map().get(key);
    }

    @Override
    protected void put(String key, byte[] record) {
        if (map() instanceof ChunkMap<String, byte[]> hash) {
            hash.set(key, record);
        } else {
            ((ChunkSortedMap<String, byte[]>) map()).set(key, record);
        }
    }

    @Override
    protected boolean change(String key, Map<String, byte[]> fields) {
        return map().computeIfPresent(key, (_, record) -> Records.with(record, fields)) != null;
    }

    @Override
    protected void remove(String key) {
        map().remove(key);
    }

    @Override
    protected @Nullable Iterable<byte[]> from(String first, int count) {
        return map() instanceof ChunkSortedMap<String, byte[]> sorted
            ? sorted.tailMap(first, true).values().stream().limit(count).toList() : null;
    }
}
