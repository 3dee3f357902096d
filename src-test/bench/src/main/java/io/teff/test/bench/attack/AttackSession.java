package io.teff.test.bench.attack;

import com.fasterxml.jackson.jr.ob.JSON;
import io.teff.test.bench.store.Named;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures one attack in this JVM, which was started for it alone, and writes the figures as JSON. */
@Command(name = "attack-session", hidden = true,
    description = "Measures one way to attack; started by the comparison of them.")
public final class AttackSession implements Callable<Integer> {
    @Option(names = "--kind", required = true)
    private String kind = "";
    @Option(names = "--cuts", required = true)
    private int cuts;
    @Option(names = "--measure-ms", required = true)
    private int measureMs;
    @Option(names = "--pairs", required = true)
    private int pairs;
    @Option(names = "--rate", required = true)
    private int rate;
    @Option(names = "--out", required = true)
    private Path out = Path.of("");

    /** Made by the library of the command line. */
    public AttackSession() {}

    @Override
    public Integer call() throws Exception {
        AttackPlan plan = new AttackPlan(Named.of(Attack.values(), kind).orElseThrow(), cuts, measureMs, pairs, rate);
        Files.writeString(out, JSON.std.asString(plan.kind().isFlood() ? new FloodTrial(plan).run()
            : new CutTrial(plan).run()));
        return 0;
    }
}
