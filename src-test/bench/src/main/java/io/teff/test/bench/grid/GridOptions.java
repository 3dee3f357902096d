package io.teff.test.bench.grid;

import io.teff.test.bench.store.Named;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Option;

/** The options by which the comparison tells its processes the plan. */
final class GridOptions {
    @Option(names = "--kind", required = true)
    private String kind = "";
    @Option(names = "--nodes", required = true)
    private int nodes;
    @Option(names = "--backups", required = true)
    private int backups;
    @Option(names = "--memory-mib", required = true)
    private int memoryMiB;
    @Option(names = "--entries", required = true)
    private int entries;
    @Option(names = "--bytes", required = true)
    private int bytes;
    @Option(names = "--threads", split = ",", required = true)
    private List<Integer> threads = List.of();
    @Option(names = "--measure-ms", required = true)
    private int measureMs;
    @Option(names = "--port", required = true)
    private int port;
    @Option(names = "--folder", required = true)
    private Path folder = Path.of("");

    GridPlan plan(boolean kills) {
        return new GridPlan(Named.of(GridKind.values(), kind).orElseThrow(), nodes, backups, memoryMiB, entries, bytes,
            threads, measureMs, kills, port, folder);
    }
}
