package io.teff.test.bench.cluster;

import com.fasterxml.jackson.jr.ob.JSON;
import io.teff.test.bench.store.Named;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures a client and its peers in this JVM, which was started for them alone, and writes the figures as JSON. */
@Command(name = "cluster-session", hidden = true, description = "Measures a client; started by the comparison.")
public final class ClusterSession implements Callable<Integer> {
    @Option(names = "--kind", required = true)
    private String kind = "";
    @Option(names = "--threads", required = true)
    private int threads;
    @Option(names = "--bytes", required = true)
    private int bytes;
    @Option(names = "--measure-ms", required = true)
    private int measureMs;
    @Option(names = "--out", required = true)
    private Path out = Path.of("");

    /** Made by the library of the command line. */
    public ClusterSession() {}

    @Override
    public Integer call() throws Exception {
        ClusterPlan plan = new ClusterPlan(Named.of(ClusterKind.values(), kind).orElseThrow(), threads, bytes,
            measureMs);
        Files.writeString(out, JSON.std.asString(new ClusterTrial(plan).run()));
        return 0;
    }
}
