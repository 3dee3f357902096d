package io.teff.tools.graph;

import io.teff.tools.console.UsageOption;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The {@code graph} command: holds the commands for graphs. */
@Command(
    name = "graph",
    description = {
        "Loads graphs from files, generators and data of this machine into a durable store, and answers questions.",
        "A graph stays in its folder until it is replaced or the folder is deleted."},
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:success", "1:the work failed, or there is no such graph, vertex or path",
        "2:wrong command line"},
    footerHeading = "%nExamples:%n",
    footer = {"  ./teff graph load debian", "  ./teff graph rebuild libpng16-16 --svg=levels.svg",
        "  ./teff graph load wordnet --store=words", "  ./teff graph path dog justice --store=words",
        "  ./teff graph load kronecker:16 --store=k16", "  ./teff graph bfs 1 --store=k16"},
    subcommands = {GraphLoadCommand.class, ExportQuestion.class, InfoQuestion.class, NeighboursQuestion.class,
        BfsQuestion.class, PathQuestion.class, RebuildQuestion.class, ComponentsQuestion.class, CyclesQuestion.class,
        RankQuestion.class, CoresQuestion.class, TrianglesQuestion.class, CommunitiesQuestion.class,
        PartsCommand.class},
    sortOptions = false)
public final class GraphCommand implements Callable<Integer> {
    @Mixin
    @SuppressWarnings("UnusedVariable") // picocli reads it
    private UsageOption usage = new UsageOption();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** Refuses a command line that names no subcommand. */
    @Override
    public Integer call() {
        throw new ParameterException(spec.commandLine(), "name a command: load, export, info, neighbours, bfs, path, "
            + "rebuild, components, cycles, pagerank, cores, triangles, communities or parts");
    }
}
