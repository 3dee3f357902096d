package io.teff.tools.graph;

/** Exit codes of the graph commands; picocli gives 2 for a wrong command line. */
final class GraphExit {
    static final int GOOD = 0;
    static final int FAILED = 1;

    private GraphExit() {}
}
