package io.teff.test.bench.codec;

import io.teff.test.bench.codec.CodecFigures.Figure;
import io.teff.test.bench.report.CommandSupport;
import io.teff.test.bench.report.Machine;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The {@code bench codecs} command: runs {@link CodecBench} in rounds in which each library runs once. */
@Command(
    name = "codecs",
    description = {
        "Compares Teff's codecs with other serializers: bytes per value, time to write and to read, bytes allocated.",
        "Each measurement has a JVM of its own. Results are the medians of the rounds."},
    sortOptions = false)
public final class CodecReport implements Callable<Integer> {
    private static final String ALLOCATED = "gc.alloc.rate.norm";

    @Option(names = "--codecs", split = ",", paramLabel = "NAME",
        description = "Libraries to compare (default: all): ${COMPLETION-CANDIDATES}.")
    private @Nullable List<CodecKind> codecs;

    @Option(names = "--shapes", split = ",", paramLabel = "NAME",
        description = "Kinds of values (default: all): ${COMPLETION-CANDIDATES}.")
    private @Nullable List<ShapeKind> shapes;

    @Option(names = "--rounds", paramLabel = "N", defaultValue = "3",
        description = "Rounds (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(names = "--measure-ms", paramLabel = "MS", defaultValue = "300",
        description = "Time of each of five measurements, after as many to warm up (default: ${DEFAULT-VALUE}).")
    private int measureMs;

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    @Option(names = {"-h", "--help"}, usageHelp = true, description = "Show this help and exit.")
    @SuppressWarnings("UnusedVariable") // read by the library
    private boolean helpRequested;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** Made by the library of the command line. */
    public CodecReport() {}

    @Override
    public Integer call() throws IOException, RunnerException {
        CommandSupport.check(spec, rounds >= 1 && measureMs >= 1, "--rounds=" + rounds + " and --measure-ms="
            + measureMs + " must be at least 1");
        CodecFigures figures = new CodecFigures();
        for (int round = 1; round <= rounds; round++) {
            for (ShapeKind shape : shapes != null ? shapes : Arrays.asList(ShapeKind.values())) {
                for (CodecKind codec : codecs != null ? codecs : Arrays.asList(CodecKind.values())) {
                    CommandSupport.progress(spec, "round %d of %d, %s: %s ... ", round, rounds, shape.title(),
                        codec.title());
                    Figure figure = measure(shape, codec);
                    figures.add(shape, codec, figure);
                    CommandSupport.progress(spec, "%.0f ns to write, %.0f ns to read%n", figure.writeNs(),
                        figure.readNs());
                }
            }
        }
        PrintWriter out = spec.commandLine().getOut();
        out.println(json ? figures.json(Machine.here()) : figures.table(Machine.here()));
        out.flush();
        return 0;
    }

    private Figure measure(ShapeKind shape, CodecKind codec) throws RunnerException {
        TimeValue time = TimeValue.milliseconds(measureMs);
        Collection<RunResult> results = new Runner(new OptionsBuilder().include(CodecBench.class.getName())
            .param("codec", codec.name()).param("shape", shape.name()).forks(1).warmupTime(time).measurementTime(time)
            .addProfiler(GCProfiler.class).verbosity(VerboseMode.SILENT).shouldFailOnError(true).build()).run();
        RunResult write = find(results, "write");
        RunResult read = find(results, "read");
        return new Figure(codec.trip(shape).prepare(), time(write), time(read), allocated(write), allocated(read));
    }

    private static RunResult find(Collection<RunResult> results, String benchmark) {
        return results.stream().filter(result -> result.getParams().getBenchmark().endsWith("." + benchmark))
            .findFirst().orElseThrow();
    }

    private static double time(RunResult result) {
        return result.getPrimaryResult().getScore();
    }

    private static double allocated(RunResult result) {
        String name = result.getSecondaryResults().keySet().stream().filter(key -> key.endsWith(ALLOCATED)).findFirst()
            .orElseThrow();
        return Objects.requireNonNull(result.getSecondaryResults().get(name)).getScore();
    }
}
