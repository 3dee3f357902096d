package io.teff.test.bench.net;

import com.fasterxml.jackson.jr.ob.JSON;
import io.teff.test.bench.store.Named;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures one way to send messages in this JVM, which was started for it alone, and writes the figures as JSON. */
@Command(name = "net-session", hidden = true,
    description = "Measures one way to send messages; started by the comparison of them.")
public final class NetSession implements Callable<Integer> {
    @Option(names = "--kind", required = true)
    private String kind = "";
    @Option(names = "--mode", required = true)
    private String mode = "";
    @Option(names = "--bytes", required = true)
    private int bytes;
    @Option(names = "--threads", required = true)
    private int threads;
    @Option(names = "--links", required = true)
    private int links;
    @Option(names = "--measure-ms", required = true)
    private int measureMs;
    @Option(names = "--out", required = true)
    private Path out = Path.of("");

    /** Made by the library of the command line. */
    public NetSession() {}

    @Override
    public Integer call() throws Exception {
        NetCase what = new NetCase(Named.of(NetMode.values(), mode).orElseThrow(), bytes, threads, links);
        NetPlan plan = new NetPlan(Named.of(NetKind.values(), kind).orElseThrow(), what, measureMs);
        Files.writeString(out, JSON.std.asString(new NetTrial(plan).run()));
        return 0;
    }
}
