package io.teff.tools.graph;

import io.teff.engine.ChunkStore;
import io.teff.engine.Store;
import io.teff.engine.compute.JobException;
import io.teff.engine.error.StoreException;
import io.teff.graph.cluster.PartedGraph;
import io.teff.graph.cluster.PartedLoader;
import io.teff.graph.cluster.PartedRuns;
import io.teff.graph.cluster.RunOptions.OnWorkerLoss;
import io.teff.graph.cluster.RunOptions;
import io.teff.graph.formats.ReadOptions;
import io.teff.graph.generate.GeneratorForm;
import io.teff.graph.load.LoadOptions;
import io.teff.graph.work.Workers;
import io.teff.tools.console.Figures;
import io.teff.tools.console.JsonDocument;
import io.teff.tools.console.ProgressLine;
import io.teff.tools.console.QuietOption;
import io.teff.tools.console.UsageOption;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.NoSuchElementException;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The {@code graph parts} command: graphs in parts, in the zones of a cluster. */
@Command(
    name = "parts",
    description = {
        "Loads a graph into the zones of a cluster, and runs algorithms in supersteps where the parts are.",
        "ACTION is one of: load SOURCE, info, bfs VERTEX, paths VERTEX, components, pagerank, cores, communities, "
            + "triangles, drop. SOURCE is as in ./teff graph load; vertices are numbers.",
        "An answer tells the messages between the workers, and their bytes for each arc."},
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:success", "1:the work failed, or there is no such graph or vertex", "2:wrong command line"},
    footerHeading = "%nExamples:%n",
    footer = {"  ./teff graph parts load kronecker:16 --at=tcp:127.0.0.1:7400",
        "  ./teff graph parts bfs 1 --at=tcp:127.0.0.1:7400 --json"},
    sortOptions = false)
final class PartsCommand implements Callable<Integer> {
    private static final double SECOND_NS = TimeUnit.SECONDS.toNanos(1);

    /** Kind of the operation. */
    enum Action { LOAD, INFO, BFS, PATHS, COMPONENTS, PAGERANK, CORES, COMMUNITIES, TRIANGLES, DROP }

    @Parameters(index = "0", paramLabel = "ACTION", description = "What to do.")
    private String action = "";

    @Parameters(index = "1", arity = "0..1", paramLabel = "ARGUMENT", description = "Source, or number of a vertex.")
    private @Nullable String argument;

    @Option(names = "--at", required = true, paramLabel = "ADDRESS",
        description = "Address of the store: tcp:HOST:PORT,... of superpeers, or file:DIR.")
    private String address = "";

    @Option(names = "--name", paramLabel = "GRAPH", defaultValue = "graph",
        description = "Name of the graph in the store (default: ${DEFAULT-VALUE}).")
    private String name = "graph";

    @Option(names = "--on-loss", paramLabel = "WAY", defaultValue = "run",
        description = "If a node ends: run begins anew, step runs the superstep of the lost worker again, fail ends "
            + "(default: ${DEFAULT-VALUE}).")
    private String onLoss = "run";

    @Option(names = "--undirected", description = "load: arcs of a directed source become edges without direction.")
    private boolean isUndirected;

    @Option(names = "--seed", paramLabel = "N", defaultValue = "1",
        description = "load: seed of a generator (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Option(names = "--weights", description = "load: a generator gives weights from 0 to 1.")
    private boolean isWeighted;

    @Option(names = "--rounds", paramLabel = "N", defaultValue = "20",
        description = "Rounds of pagerank and communities (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(names = "--json", description = "Write the answer as a JSON document (default: as text).")
    private boolean json;

    @Mixin
    private QuietOption quiet = new QuietOption();

    @Mixin
    @SuppressWarnings("UnusedVariable") // picocli reads it
    private UsageOption usage = new UsageOption();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** The answer, which becomes the JSON document. */
    record Answer(String graph, String action, String result, int vertices, long arcs, int parts, double seconds,
                  int supersteps, long messages, double messagesPerArc, double bytesPerArc, long restarts) {}

    @Override
    public Integer call() throws IOException {
        Action chosen = chosen();
        OnWorkerLoss way = way();
        GraphProgress progress = new GraphProgress();
        ProgressLine.Style style = quiet.isSet() ? ProgressLine.Style.NONE : ProgressLine.suitable();
        try {
            Answer answer;
            try (ProgressLine _ = ProgressLine.start(spec.commandLine().getErr(), style, progress::line);
                ChunkStore store = ChunkStore.open(address)) {
                answer = answer(store, chosen, RunOptions.DEFAULT.onLoss(way), progress);
            }
            PrintWriter out = spec.commandLine().getOut();
            if (json) {
                out.println(JsonDocument.write(answer));
            } else {
                write(answer, out);
            }
            out.flush();
            return GraphExit.GOOD;
        } catch (GraphFailure | StoreException | JobException | IOException | IllegalStateException
                 | IllegalArgumentException | NoSuchElementException e) {
            PrintWriter err = spec.commandLine().getErr();
            err.println(spec.qualifiedName() + ": " + e.getMessage());
            err.flush();
            return GraphExit.FAILED;
        }
    }

    private Action chosen() {
        for (Action each : Action.values()) {
            if (each.name().toLowerCase(Locale.ROOT).equals(action)) {
                boolean needs = each == Action.LOAD || each == Action.BFS || each == Action.PATHS;
                if (needs != (argument != null)) {
                    throw new ParameterException(spec.commandLine(), action + (needs ? " needs an argument"
                        : " takes no argument"));
                }
                return each;
            }
        }
        throw new ParameterException(spec.commandLine(), "there is no action " + action);
    }

    private OnWorkerLoss way() {
        return switch (onLoss) {
            case "run" -> OnWorkerLoss.RESTART_RUN;
            case "step" -> OnWorkerLoss.RESTART_STEP;
            case "fail" -> OnWorkerLoss.FAIL;
            default -> throw new ParameterException(spec.commandLine(), "--on-loss=" + onLoss
                + " is not run, step or fail");
        };
    }

    private Answer answer(ChunkStore store, Action chosen, RunOptions options, GraphProgress progress)
            throws IOException {
        long begun = System.nanoTime();
        if (chosen == Action.DROP) {
            boolean isDropped = PartedGraph.drop(store, name);
            return new Answer(name, action, isDropped ? "removed" : "there was no such graph", 0, 0, 0,
                (System.nanoTime() - begun) / SECOND_NS, 0, 0, 0, 0, 0);
        }
        PartedGraph graph = chosen == Action.LOAD ? load(store, options, progress) : PartedGraph.open(store, name);
        try (PartedRuns runs = new PartedRuns(graph, options, progress)) {
            if (chosen != Action.LOAD && chosen != Action.INFO) {
                runs.open();
                begun = System.nanoTime();
            }
            String result = chosen == Action.LOAD || chosen == Action.INFO
                ? Figures.bytes(graph.arcBytes()) + (graph.directed() ? ", directed" : "")
                    + (graph.weighted() ? ", weighted" : "")
                : new PartsRun(runs, rounds).run(chosen, argument == null ? "" : argument);
            double seconds = (System.nanoTime() - begun) / SECOND_NS;
            double arcs = Math.max(1, graph.arcCount());
            return new Answer(name, action, result, graph.vertexCount(), graph.arcCount(),
                graph.partition().parts(), seconds, runs.figures().supersteps(), runs.figures().sentCount(),
                runs.figures().sentCount() / arcs, runs.figures().sentBytes() / arcs, runs.figures().restarts());
        }
    }

    private PartedGraph load(ChunkStore store, RunOptions options, GraphProgress progress) throws IOException {
        String source = argument == null ? "" : argument;
        if (GeneratorForm.isGenerator(source)) {
            GeneratorForm.parse(source, seed, isWeighted);
        }
        GraphSources sources = new GraphSources(source, null, ReadOptions.defaults(), seed, isWeighted, null);
        try (Store names = Store.open(); Workers workers = Workers.ofProcessors()) {
            return new PartedLoader(store, workers).options(LoadOptions.DEFAULT.ignoreDirection(isUndirected))
                .building(options).watch(progress).load(name, sources.open(names, name, progress, _ -> { }).edges());
        }
    }

    private static void write(Answer answer, PrintWriter out) {
        out.println(Figures.text("%s  graph %s: %s, in %.3f s", answer.action().toUpperCase(Locale.ROOT),
            answer.graph(), answer.result(), answer.seconds()));
        if (answer.parts() > 0) {
            out.println(Figures.text("  graph        %s vertices, %s arcs, %d parts", Figures.count(answer.vertices()),
                Figures.count(answer.arcs()), answer.parts()));
        }
        if (answer.supersteps() > 0) {
            out.println(Figures.text("  messages     %s in %d supersteps, %.3f and %.2f bytes per arc, %d restarts",
                Figures.count(answer.messages()), answer.supersteps(), answer.messagesPerArc(), answer.bytesPerArc(),
                answer.restarts()));
        }
    }
}
