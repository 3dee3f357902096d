package io.teff.cluster.terminal.local;

import picocli.CommandLine.Parameters;

/** A command for one node of the cluster in a folder. */
abstract class OneNodeCommand extends LocalCommand {
    @Parameters(paramLabel = "NODE", description = "The node, such as peer-1.")
    private String name = "";

    @Override
    public final Integer call() {
        ClusterFolder cluster = folder().open();
        print(run(cluster, cluster.node(name)));
        return 0;
    }

    /** Does the work; returns a text with the result. */
    abstract String run(ClusterFolder cluster, LocalNode node);
}
