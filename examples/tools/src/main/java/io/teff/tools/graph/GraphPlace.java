package io.teff.tools.graph;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The options of each command that say which graph is meant. Commands mix this class in. */
public final class GraphPlace {
    @Option(names = "--store", paramLabel = "DIR", defaultValue = "graph-store",
        description = "Folder of the durable store with the graph (default: ${DEFAULT-VALUE}).")
    private Path store = Path.of("graph-store");

    @Option(names = "--name", paramLabel = "GRAPH", defaultValue = "graph",
        description = "Name of the graph in the store (default: ${DEFAULT-VALUE}).")
    private String name = "graph";

    /** Makes the options. */
    public GraphPlace() {}

    Path store() {
        return store;
    }

    String name() {
        return name;
    }
}
