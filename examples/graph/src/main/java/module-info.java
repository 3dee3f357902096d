/** Graphs in a store, loaders and algorithms. */
module io.teff.graph {
    requires transitive io.teff.engine;
    requires java.xml;
    requires io.teff.recovery;
    requires static org.jspecify;

    exports io.teff.graph.algorithms.program;
    exports io.teff.graph.algorithms;
    exports io.teff.graph.cluster;
    exports io.teff.graph.data;
    exports io.teff.graph.edges;
    exports io.teff.graph.formats;
    exports io.teff.graph.frozen;
    exports io.teff.graph.generate;
    exports io.teff.graph.kernel;
    exports io.teff.graph.load;
    exports io.teff.graph.names;
    exports io.teff.graph.store;
    exports io.teff.graph.work;
    exports io.teff.graph;

    uses io.teff.graph.cluster.ProgramFactory;

    provides io.teff.engine.GroupTask with io.teff.graph.cluster.GraphTask;
}
