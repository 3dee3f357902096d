package io.teff.tools.graph;

import io.teff.graph.edges.EdgeSource;
import io.teff.graph.formats.AdjacencyEdges;
import io.teff.graph.formats.EdgeWriters;
import io.teff.graph.formats.GraphFiles;
import io.teff.tools.console.Figures;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The {@code graph export} command. */
@Command(
    name = "export",
    description = {"Writes a graph to a file.", "The end of its name chooses the format: .graphml or .xml with names "
        + "and labels; .mtx, Matrix Market; .bin, a binary edge list; otherwise a text with names. A further end .gz "
        + "compresses the file. Other formats than GraphML write sets of labels as numbers."},
    footerHeading = "%nExample:%n",
    footer = "  ./teff graph export packages.graphml.gz",
    sortOptions = false)
final class ExportQuestion extends GraphQuestion<ExportQuestion.Exported> {
    private static final Set<GraphFiles.Format> WRITTEN = Set.of(GraphFiles.Format.GRAPHML, GraphFiles.Format.MTX,
        GraphFiles.Format.BINARY, GraphFiles.Format.EDGES);

    @Parameters(arity = "1", paramLabel = "FILE", description = "The file to write; it must not exist.")
    private Path file = Path.of("graph.txt");

    /** The answer. */
    record Exported(String file, long bytes) {}

    @Override
    void checkOptions() {
        check(WRITTEN.contains(GraphFiles.formatOf(file)), "there is no writer for " + file + "; ends of names: "
            + ".graphml, .mtx, .bin, .txt, each perhaps with .gz");
    }

    @Override
    Exported answer(OpenGraph open, GraphProgress progress) throws IOException {
        if (Files.exists(file)) {
            throw new GraphFailure("the file " + file + " exists");
        }
        progress.at("writing " + file, 0, -1);
        EdgeSource edges = new AdjacencyEdges(open.graph());
        switch (GraphFiles.formatOf(file)) {
            case GRAPHML -> EdgeWriters.writeGraphMl(edges, open.names(), open.labels(), file);
            case MTX -> EdgeWriters.writeMatrixMarket(edges, file);
            case BINARY -> EdgeWriters.writeBinary(edges, file);
            default -> EdgeWriters.writeText(edges, open.names(), file);
        }
        return new Exported(file.toString(), Files.size(file));
    }

    @Override
    void write(Exported exported, PrintWriter out) {
        out.println("EXPORTED  " + exported.file() + ", " + Figures.bytes(exported.bytes()));
    }
}
