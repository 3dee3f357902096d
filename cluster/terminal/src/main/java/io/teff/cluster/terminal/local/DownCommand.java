package io.teff.cluster.terminal.local;

import picocli.CommandLine.Command;

/** The command {@code cluster down}: ends all nodes and the supervisor. */
@Command(
    name = "down",
    description = {"Ends all nodes of a cluster and its supervisor. The folder stays.",
        "./teff cluster up starts it again, with all its chunks."},
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:nothing of the cluster runs", "1:there is no cluster, or something does not end",
        "2:wrong command line"},
    footerHeading = "%nExample:%n",
    footer = "  ./teff cluster down",
    sortOptions = false)
public final class DownCommand extends LocalCommand {
    @Override
    public Integer call() {
        ClusterFolder cluster = folder().open();
        boolean hasSupervisor = cluster.supervisor() != null;
        int ended = LocalCluster.end(cluster);
        print(ended == 0 && !hasSupervisor ? "nothing of the cluster was running"
            : "ended " + ended + " nodes" + (hasSupervisor ? "" : ", which had no supervisor"));
        return 0;
    }
}
