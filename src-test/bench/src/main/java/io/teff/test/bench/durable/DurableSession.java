package io.teff.test.bench.durable;

import com.fasterxml.jackson.jr.ob.JSON;
import io.teff.test.bench.store.Named;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Does one step with one store in this JVM, which was started for it alone, and writes the figures as JSON. */
@Command(name = "durable-session", hidden = true,
    description = "Measures one store on a disk; started by the comparison of them.")
public final class DurableSession implements Callable<Integer> {
    @Option(names = "--store", required = true)
    private String store = "";
    @Option(names = "--shape", required = true)
    private String shape = "";
    @Option(names = "--step", required = true)
    private DurableStep step = DurableStep.MEASURE;
    @Option(names = "--folder", required = true)
    private Path folder = Path.of("");
    @Option(names = "--entries", required = true)
    private int entries;
    @Option(names = "--measure-ms", required = true)
    private int measureMs;
    @Option(names = "--seconds", required = true)
    private int secondsMax;
    @Option(names = "--started-ms", required = true)
    private long startedMs;
    @Option(names = "--out", required = true)
    private Path out = Path.of("");

    /** Made by the library of the command line. */
    public DurableSession() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        DurablePlan plan = new DurablePlan(Named.of(DurableKind.values(), store).orElseThrow(),
            Named.of(DurableShape.values(), shape).orElseThrow(), step, folder, entries, measureMs, secondsMax,
            startedMs);
        Files.writeString(out, JSON.std.asString(plan.trial().run()));
        return 0;
    }
}
