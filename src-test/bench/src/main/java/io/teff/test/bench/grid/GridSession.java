package io.teff.test.bench.grid;

import com.fasterxml.jackson.jr.ob.JSON;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures a system by a client in this JVM, started for the client alone, and writes the figures as JSON. */
@Command(name = "grid-session", hidden = true, description = "Measures a system; started by the comparison.")
public final class GridSession implements Callable<Integer> {
    @Option(names = "--processes", split = ",", required = true)
    private List<Long> processes = List.of();
    @Option(names = "--victim", required = true)
    private long victim;
    @Option(names = "--out", required = true)
    private Path out = Path.of("");
    @Mixin
    private GridOptions options = new GridOptions();

    /** Made by the library of the command line. */
    public GridSession() {}

    @Override
    public Integer call() throws Exception {
        Files.writeString(out, JSON.std.asString(new GridTrial(options.plan(victim != 0), processes, victim).run()));
        return 0;
    }
}
