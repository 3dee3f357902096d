package io.teff.test.bench.grid;

import io.teff.test.bench.process.BenchCluster;
import java.io.IOException;
import java.util.Map;

/** A Teff cluster with three superpeers. */
final class TeffServers implements GridServers {
    private static final int SUPERPEERS = 3;

    private final BenchCluster cluster;

    TeffServers(GridPlan plan) throws IOException, InterruptedException {
        cluster = new BenchCluster(plan.folder(), SUPERPEERS, plan.nodes(), plan.backups(), plan.memoryMiB() + "m",
            plan.port());
    }

    @Override
    public Map<String, Long> processes() {
        return cluster.processes();
    }

    @Override
    public long victim() throws IOException {
        cluster.awaitBacked();
        return cluster.processes().get(cluster.peers().getLast().name());
    }

    @Override
    public void close() throws IOException {
        cluster.close();
    }
}
