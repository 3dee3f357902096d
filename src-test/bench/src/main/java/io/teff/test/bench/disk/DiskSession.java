package io.teff.test.bench.disk;

import com.fasterxml.jackson.jr.ob.JSON;
import io.teff.test.bench.store.Named;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures one method in this JVM, which was started for it alone, and writes the figures as JSON. */
@Command(name = "disk-session", hidden = true,
    description = "Measures one way to write and read files; started by the comparison of them.")
public final class DiskSession implements Callable<Integer> {
    @Option(names = "--method", required = true)
    private String method = "";
    @Option(names = "--file", required = true)
    private Path file = Path.of("");
    @Option(names = "--measure-ms", required = true)
    private int measureMs;
    @Option(names = "--out", required = true)
    private Path out = Path.of("");

    /** Made by the library of the command line. */
    public DiskSession() {}

    @Override
    public Integer call() throws IOException {
        DiskPlan plan = new DiskPlan(Named.of(DiskMethod.values(), method).orElseThrow(), file, measureMs);
        Files.writeString(out, JSON.std.asString(new DiskTrial(plan).run()));
        return 0;
    }
}
