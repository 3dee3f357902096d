package io.teff.bridge.spring;

import io.teff.recovery.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The properties {@code teff.*}.
 *
 * @param mode the kind of the store
 * @param name name of the store, which metrics show
 * @param memory memory limit of a store in this process; without the property the engine's default
 * @param folder folder of a durable store
 * @param level durability of a change of a durable store when its call returns
 * @param superpeers addresses of the superpeers of a cluster
 * @param secret file with the secret of a cluster; without the property the cluster has none
 * @param timeout deadline of a call to a cluster
 */
@ConfigurationProperties("teff")
public record TeffProperties(@DefaultValue("memory") Mode mode, @DefaultValue("teff") String name,
        @Nullable DataSize memory, @DefaultValue("teff-data") Path folder, @DefaultValue("logged") Level level,
        @DefaultValue("tcp:127.0.0.1:7400") List<String> superpeers, @Nullable Path secret,
        @DefaultValue("30s") Duration timeout) {
    /** Kinds of stores. */
    public enum Mode {
        /** A store in this process that ends with the process. */
        MEMORY,
        /** A store in this process with a log in a folder. */
        DURABLE,
        /** A client of a cluster. */
        CLUSTER
    }
}
