package io.teff.tools.graph;

import io.teff.engine.Store;
import io.teff.engine.error.StoreException;
import io.teff.graph.formats.GraphFiles.Format;
import io.teff.graph.formats.ReadOptions;
import io.teff.graph.formats.ReadOptions.ThirdColumn;
import io.teff.graph.generate.GeneratorForm;
import io.teff.graph.load.LoadOptions;
import io.teff.graph.names.GraphInput;
import io.teff.graph.store.GraphLoader;
import io.teff.graph.store.RunForm;
import io.teff.graph.store.StoreGraph;
import io.teff.graph.work.Workers;
import io.teff.recovery.DurableStore;
import io.teff.tools.console.Figures;
import io.teff.tools.console.JsonDocument;
import io.teff.tools.console.ProgressLine;
import io.teff.tools.console.QuietOption;
import io.teff.tools.console.UsageOption;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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

/** The {@code graph load} command. */
@Command(
    name = "load",
    description = {
        "Loads a graph into a durable store.",
        "SOURCE is one of:",
        "- a file: edge list, .bin, .csv, .tsv, .mtx, .metis, .graph, .graphml, .gt, .v with .e; each "
            + "may be compressed by gzip;",
        "- a generator: kronecker:SCALE[,EDGES PER VERTEX], rmat:SCALE,EDGES[,A,B,C], uniform:VERTICES,EDGES, "
            + "grid:ROWS,COLUMNS[,MISSING,DIAGONAL], preferential:VERTICES,EDGES PER VERTEX;",
        "- classes: the classes of this JVM and their references;",
        "- calls: the methods of this JVM and their calls;",
        "- debian: the packages that apt knows, and their relations;",
        "- wordnet: the words of WordNet. If WordNet is not installed, its Debian package (6.5 MB) is downloaded by "
            + "apt-get download into the user's cache, and unpacked there."},
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:the graph is loaded", "1:the source cannot be read, or the store has a graph of that name",
        "2:wrong command line"},
    footerHeading = "%nExamples:%n",
    footer = {"  ./teff graph load friends.txt --third=weight", "  ./teff graph load kronecker:18 --store=k18"},
    sortOptions = false)
final class GraphLoadCommand implements Callable<Integer> {
    private static final double SECOND_NS = TimeUnit.SECONDS.toNanos(1);
    private static final List<String> MAPS = List.of(".numbers", ".names", ".labels");

    @Parameters(arity = "1", paramLabel = "SOURCE", description = "Where the edges come from.")
    private String source = "";

    @Mixin
    private GraphPlace place = new GraphPlace();

    @Option(names = "--replace", description = "Replace a graph of that name.")
    private boolean replace;

    @Option(names = "--format", paramLabel = "FORMAT",
        description = "Format of the file: ${COMPLETION-CANDIDATES} (default: by the end of its name).")
    private @Nullable Format format;

    @Option(names = "--directed", description = "An edge of a text or a table has a direction.")
    private boolean directed;

    @Option(names = "--named", description = "Vertices of an edge list are names, not numbers.")
    private boolean named;

    @Option(names = "--third", paramLabel = "MEANING", defaultValue = "auto",
        description = "Third column of an edge list: ${COMPLETION-CANDIDATES} (default: auto: a weight if the "
            + "first edge has a number there). IGNORED also leaves out the weights of a .gt file.")
    private ThirdColumn third = ThirdColumn.AUTO;

    @Option(names = "--first", paramLabel = "N", defaultValue = "0",
        description = "Number of the first vertex of an edge list, 0 or 1 (default: ${DEFAULT-VALUE}).")
    private int first;

    @Option(names = "--separators", paramLabel = "BYTES",
        description = "Bytes between the columns of an edge list (default: blank, tab, comma and semicolon).")
    private String separators = ReadOptions.ALL_SEPARATORS;

    @Option(names = "--seed", paramLabel = "N", defaultValue = "1",
        description = "Seed of a generator (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Option(names = "--weights", description = "A generator gives weights from 0 to 1.")
    private boolean weighted;

    @Option(names = "--words", paramLabel = "DIR", description = "Folder with the files of WordNet.")
    private @Nullable Path words;

    @Option(names = "--keep-loops", description = "Keep edges from a vertex to itself.")
    private boolean loops;

    @Option(names = "--keep-duplicates", description = "Keep parallel edges; otherwise the smallest weight stays.")
    private boolean duplicates;

    @Option(names = "--compact", description = "Keep distances between neighbours in 1 to 5 bytes: half of the memory.")
    private boolean compact;

    @Option(names = "--json", description = "Write the result as a JSON document (default: as text).")
    private boolean json;

    @Mixin
    private QuietOption quiet = new QuietOption();

    @Mixin
    @SuppressWarnings("UnusedVariable") // picocli reads it
    private UsageOption usage = new UsageOption();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** The result, which becomes the JSON document. */
    record Loaded(String graph, String source, int vertices, long sourceEdges, long arcs, boolean directed,
                  boolean weighted, boolean names, List<String> labels, long storeBytes, double seconds) {}

    @Override
    public Integer call() throws IOException {
        GraphSources sources = checkOptions();
        GraphProgress progress = new GraphProgress();
        ProgressLine.Style style = quiet.isSet() ? ProgressLine.Style.NONE : ProgressLine.suitable();
        try {
            Loaded loaded;
            try (ProgressLine _ = ProgressLine.start(spec.commandLine().getErr(), style, progress::line)) {
                loaded = load(sources, progress);
            }
            PrintWriter out = spec.commandLine().getOut();
            if (json) {
                out.println(JsonDocument.write(loaded));
            } else {
                write(loaded, out);
            }
            out.flush();
            return GraphExit.GOOD;
        } catch (GraphFailure | StoreException | IOException | IllegalStateException e) {
            say("./teff graph load: " + e.getMessage());
            return GraphExit.FAILED;
        }
    }

    private GraphSources checkOptions() {
        try {
            if (GeneratorForm.isGenerator(source)) {
                GeneratorForm.parse(source, seed, weighted);
            }
            ReadOptions options = ReadOptions.defaults().withDirected(directed).withNamed(named).withFirst(first)
                .withThird(third).withSeparators(separators);
            return new GraphSources(source, format, options, seed, weighted, words);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private Loaded load(GraphSources sources, GraphProgress progress) throws IOException {
        long begun = System.nanoTime();
        Path parent = place.store().toAbsolutePath().getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
        String name = place.name();
        try (DurableStore durable = DurableStore.open(place.store()); Workers workers = Workers.ofProcessors()) {
            Store store = durable.store();
            boolean isThere = GraphFacts.all(store).contains(name);
            if (isThere && !replace) {
                throw new GraphFailure("folder " + place.store() + " has a graph " + name + ", loaded from "
                    + GraphFacts.of(store, name).source() + "; --replace replaces it, --name or --store chooses "
                    + "another place");
            }
            drop(store, name);
            GraphInput input = sources.open(store, name, progress, this::say);
            LoadOptions options = LoadOptions.DEFAULT.keepLoops(loops).keepDuplicates(duplicates);
            StoreGraph graph = new GraphLoader(store, workers).options(options).watch(progress)
                .form(compact ? RunForm.PACKED : RunForm.PLAIN).load(name, input.edges());
            new GraphFacts(source, input.names() != null, input.labels() != null).note(store, name);
            progress.at("waiting for the disk", 0, -1);
            durable.sync();
            return new Loaded(name, source, graph.vertexCount(), input.edges().edgeCount(), graph.arcCount(),
                graph.directed(), graph.weighted(), input.names() != null,
                input.labels() == null ? List.of() : input.labels().all(), store.stats().usedBytes(),
                (System.nanoTime() - begun) / SECOND_NS);
        }
    }

    /** Removes a graph, or what an earlier load has left. */
    private static void drop(Store store, String name) {
        GraphFacts.forget(store, name);
        StoreGraph.drop(store, name);
        for (String map : MAPS) {
            if (store.names().get(name + map).isPresent()) {
                store.names().drop(name + map);
            }
        }
    }

    private void say(String line) {
        PrintWriter err = spec.commandLine().getErr();
        err.println(line);
        err.flush();
    }

    private static void write(Loaded loaded, PrintWriter out) {
        out.println(Figures.text("LOADED  graph %s from %s in %.2f s", loaded.graph(), loaded.source(),
            loaded.seconds()));
        out.println("  vertices     " + Figures.count(loaded.vertices()) + (loaded.names() ? ", with names" : ""));
        out.println("  edges        " + Figures.count(loaded.sourceEdges()) + " in the source");
        out.println("  arcs         " + Figures.count(loaded.arcs()) + (loaded.directed() ? ", directed"
            : ", each edge in both directions") + (loaded.weighted() && loaded.labels().isEmpty() ? ", weighted" : ""));
        if (!loaded.labels().isEmpty()) {
            out.println("  labels       " + String.join(", ", loaded.labels()));
        }
        out.println("  memory       " + Figures.bytes(loaded.storeBytes()));
    }
}
