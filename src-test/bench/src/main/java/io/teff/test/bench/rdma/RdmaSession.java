package io.teff.test.bench.rdma;

import com.fasterxml.jackson.jr.ob.JSON;
import io.teff.test.bench.store.Named;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures one contender in this JVM, which was started for it alone, and writes the figures as JSON. */
@Command(name = "rdma-session", hidden = true,
    description = "Measures one way to move bytes; started by the comparison of them.")
public final class RdmaSession implements Callable<Integer> {
    @Option(names = "--kind", required = true)
    private String kind = "";
    @Option(names = "--pattern", required = true)
    private String pattern = "";
    @Option(names = "--bytes", required = true, split = ",")
    private List<Integer> bytes = List.of();
    @Option(names = "--measure-ms", required = true)
    private int measureMs;
    @Option(names = "--loop")
    private @Nullable Path loop;
    @Option(names = "--out", required = true)
    private Path out = Path.of("");

    /** Made by the library of the command line. */
    public RdmaSession() {}

    @Override
    public Integer call() throws Exception {
        final RdmaPattern what = Named.of(RdmaPattern.values(), pattern).orElseThrow();
        final RdmaPlan plan = new RdmaPlan(Named.of(RdmaKind.values(), kind).orElseThrow(),
            bytes.stream().map(it -> new RdmaCase(what, it)).toList(), measureMs, null);
        Files.writeString(out, JSON.std.asString(new RdmaTrial(plan, loop).run()));
        return 0;
    }
}
