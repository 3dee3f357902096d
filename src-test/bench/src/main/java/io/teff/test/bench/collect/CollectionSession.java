package io.teff.test.bench.collect;

import com.fasterxml.jackson.jr.ob.JSON;
import io.teff.test.bench.store.Named;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures one structure in this JVM, which was started for it alone, and writes the figures as JSON. */
@Command(name = "collection-session", hidden = true,
    description = "Measures one structure; started by the comparison of collections.")
public final class CollectionSession implements Callable<Integer> {
    @Option(names = "--structure", required = true)
    private String structure = "";
    @Option(names = "--entries", required = true)
    private int entries;
    @Option(names = "--memory", required = true)
    private long memoryBytes;
    @Option(names = "--warm-up-ms", required = true)
    private int warmUpMs;
    @Option(names = "--measure-ms", required = true)
    private int measureMs;
    @Option(names = "--rate", required = true)
    private int rate;
    @Option(names = "--out", required = true)
    private Path out = Path.of("");

    /** Made by the library of the command line. */
    public CollectionSession() {}

    @Override
    public Integer call() throws IOException {
        CollectionKind kind = Named.of(CollectionKind.values(), structure).orElseThrow();
        CollectionPlan plan = new CollectionPlan(kind, entries, memoryBytes, warmUpMs, measureMs, rate);
        Files.writeString(out, JSON.std.asString(kind.trial(plan).run()));
        return 0;
    }
}
