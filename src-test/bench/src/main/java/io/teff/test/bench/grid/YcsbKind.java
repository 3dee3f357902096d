package io.teff.test.bench.grid;

import io.teff.test.bench.store.Contender;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The systems that run the workloads of YCSB. */
enum YcsbKind implements Contender {
    /** A store in the process of the client. */
    LOCAL("Teff, local store", null),
    /** A durable store in the process of the client. */
    DURABLE("Teff, durable store", null),
    /** A cluster. */
    CLUSTER("Teff, cluster", GridKind.TEFF_MAP),
    /** An {@code IMap} of Hazelcast, by a client. */
    HAZELCAST("Hazelcast", GridKind.HAZELCAST),
    /** A cache of Ignite, by the thin client. */
    IGNITE("Ignite, thin client", GridKind.IGNITE_THIN);

    private final String title;
    private final @Nullable GridKind servers;

    YcsbKind(String title, @Nullable GridKind servers) {
        this.title = title;
        this.servers = servers;
    }

    @Override
    public String title() {
        return title;
    }

    @Override
    public List<String> flags() {
        return servers == null ? List.of() : servers.flags();
    }

    /** Returns the kind of the servers; null without servers. */
    @Nullable GridKind servers() {
        return servers;
    }

    /** Returns whether the records have an order, which workload E needs. */
    boolean hasOrder() {
        return this == LOCAL || this == DURABLE || this == CLUSTER;
    }
}
