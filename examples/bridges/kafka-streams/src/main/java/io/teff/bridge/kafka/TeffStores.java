package io.teff.bridge.kafka;

import io.teff.recovery.DurableConfig;
import io.teff.recovery.Level;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Suppliers of state stores, for {@code Stores.keyValueStoreBuilder} and {@code Materialized.as}.
 *
 * <pre>{@code
 * builder.table("users", Materialized.as(TeffStores.keyValueStore("users")));
 * }</pre>
 */
public final class TeffStores {
    /** Heap for the last changes of a store, as the write buffer of Kafka's own persistent store has. */
    public static final long RECENT_BYTES = 16L << 20;

    private TeffStores() {}

    /**
     * Returns a supplier of durable stores. A store's folder is in the folder of its task. A change is on the device
     * after the next commit of Kafka Streams.
     *
     * @param name name of the store, as in all suppliers of Kafka Streams
     * @return the supplier
     */
    public static KeyValueBytesStoreSupplier keyValueStore(String name) {
        return keyValueStore(name, DurableConfig.builder().level(Level.MEMORY).build());
    }

    /**
     * Returns a supplier of durable stores with a configuration.
     *
     * @param name name of the store
     * @param config configuration of each store: each task has one
     * @return the supplier
     */
    public static KeyValueBytesStoreSupplier keyValueStore(String name, DurableConfig config) {
        return keyValueStore(name, config, RECENT_BYTES);
    }

    /**
     * Returns a supplier of durable stores with a configuration and a limit of the heap for the last changes.
     *
     * @param name name of the store
     * @param config configuration of each store: each task has one
     * @param recentBytes heap for the last changes of a store, about; when it is full, the changes go to the durable
     *     store together. With 0 each change goes to the durable store at the next change
     * @return the supplier
     */
    public static KeyValueBytesStoreSupplier keyValueStore(String name, DurableConfig config, long recentBytes) {
        if (recentBytes < 0) {
            throw new IllegalArgumentException("recentBytes=" + recentBytes);
        }
        return new Supplier(name, config, recentBytes);
    }

    private record Supplier(String name, DurableConfig config, long recentBytes) implements KeyValueBytesStoreSupplier {
        @Override
        public KeyValueStore<Bytes, byte[]> get() {
            return new TeffStateStore(name, config, recentBytes);
        }

        @Override
        public String metricsScope() {
            return "teff";
        }
    }
}
