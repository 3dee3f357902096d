package io.teff.cluster.terminal.local;

import java.io.IOException;
import java.util.List;

/** Finds out whether most superpeers of a cluster have lost their metadata. Changes nothing. */
final class MetadataCheck {
    private MetadataCheck() {}

    /** Returns the superpeers with a whole log. */
    static List<LocalNode> whole(ClusterFolder cluster) {
        return superpeers(cluster).stream().filter(MetadataCheck::isWhole).toList();
    }

    private static boolean isWhole(LocalNode superpeer) {
        return superpeer.config().hasMetadata();
    }

    /** Returns all superpeers. */
    static List<LocalNode> superpeers(ClusterFolder cluster) {
        return cluster.nodes().stream().filter(LocalNode::isSuperpeer).toList();
    }

    /**
     * Refuses peers with logs if the superpeers would found an empty cell, or wait for ever.
     *
     * @throws CommandFailure if most superpeers have lost their metadata, and a peer has a log
     * @throws IOException if the folder of a peer cannot be read
     */
    static void check(ClusterFolder cluster, FolderOption folder) throws IOException {
        List<LocalNode> superpeers = superpeers(cluster);
        List<String> lost = superpeers.stream().filter(node -> !isWhole(node)).map(LocalNode::name).toList();
        boolean hasLogs = false;
        for (LocalNode node : cluster.nodes()) {
            hasLogs |= !node.isSuperpeer() && node.config().hasLog();
        }
        if (hasLogs && 2 * (superpeers.size() - lost.size()) <= superpeers.size()) {
            throw new CommandFailure("the metadata of this cluster are lost: of " + superpeers.size()
                + " superpeer(s), " + String.join(", ", lost) + " cannot come back, as they have no whole log; its"
                + " peers have logs"
                + "\n  if the disks still exist:      put them back, and try again"
                + "\n  else make the metadata again:  ./teff cluster rebuild" + folder.text()
                + "\n  delete the cluster with all:   ./teff cluster up --fresh" + folder.text());
        }
    }
}
