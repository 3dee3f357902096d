package io.teff.test.bench.index;

import com.fasterxml.jackson.jr.ob.JSON;
import io.teff.engine.Store;
import io.teff.engine.config.StoreConfig;
import io.teff.recovery.DurableConfig;
import io.teff.recovery.DurableStore;
import io.teff.recovery.Level;
import io.teff.test.bench.store.Named;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures the indexes of one store in this JVM, and writes the figures as JSON. */
@Command(name = "index-session", hidden = true,
    description = "Measures one store; started by the benchmark of indexes.")
public final class IndexSession implements Callable<Integer> {
    @Option(names = "--kind", required = true)
    private String kind = "";
    @Option(names = "--entries", required = true)
    private int entries;
    @Option(names = "--puts", required = true)
    private int puts;
    @Option(names = "--folder", required = true)
    private Path folder = Path.of("");
    @Option(names = "--memory", required = true)
    private long memoryBytes;
    @Option(names = "--out", required = true)
    private Path out = Path.of("");

    /** Made by the library of the command line. */
    public IndexSession() {}

    @Override
    public Integer call() throws IOException {
        StoreConfig config = StoreConfig.builder().memoryLimitBytes(memoryBytes).build();
        Files.writeString(out, JSON.std.asString(switch (Named.of(IndexKind.values(), kind).orElseThrow()) {
            case MEMORY -> {
                try (Store store = Store.open(config)) {
                    yield run(store);
                }
            }
            case LOGGED -> {
                try (DurableStore durable = DurableStore.open(folder, DurableConfig.builder().store(config)
                    .level(Level.LOGGED).build())) {
                    yield run(durable.store());
                }
            }
        }));
        return 0;
    }

    private Map<String, Double> run(Store store) {
        return new IndexTrial(store, entries, puts).run();
    }
}
