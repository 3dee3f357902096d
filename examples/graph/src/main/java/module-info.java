/** Graphs in a store, loaders and algorithms. */
module io.teff.graph {
    requires transitive io.teff.engine;
    requires static org.jspecify;

    exports io.teff.graph;
    exports io.teff.graph.algorithms;
    exports io.teff.graph.algorithms.program;
    exports io.teff.graph.edges;
    exports io.teff.graph.work;
}
