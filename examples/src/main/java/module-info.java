/**
 * Small programs to copy from.
 */
@SuppressWarnings("module")                                  // the tools are compiled later
module io.teff.examples {
    requires transitive io.teff.engine;
    requires io.teff.recovery;
    requires io.teff.cluster;
    requires io.teff.cluster.net;
    requires static org.jspecify;

    // The demos of the command lines run this example.
    exports io.teff.examples.graph to io.teff.cluster.terminal, io.teff.tools;
}
