package io.teff.test.bench.nio;

import com.fasterxml.jackson.jr.ob.JSON;
import io.teff.test.bench.store.Named;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures one provider in this JVM, which was started for it alone, and writes the figures as JSON. */
@Command(name = "nio-session", hidden = true,
    description = "Measures one selector provider; started by the comparison of them.")
public final class NioSession implements Callable<Integer> {
    @Option(names = "--kind", required = true)
    private String kind = "";
    @Option(names = "--mode", required = true)
    private String mode = "";
    @Option(names = "--bytes", required = true)
    private int bytes;
    @Option(names = "--connections", required = true)
    private int connections;
    @Option(names = "--measure-ms", required = true)
    private int measureMs;
    @Option(names = "--out", required = true)
    private Path out = Path.of("");

    /** Made by the library of the command line. */
    public NioSession() {}

    @Override
    public Integer call() throws Exception {
        final NioCase what = new NioCase(Named.of(NioMode.values(), mode).orElseThrow(), bytes, connections);
        final NioPlan plan = new NioPlan(Named.of(NioKind.values(), kind).orElseThrow(), what, measureMs);
        Files.writeString(out, JSON.std.asString(new NioTrial(plan).run()));
        return 0;
    }
}
