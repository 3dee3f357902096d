package io.teff.cluster.admin;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The figures of the nodes of a cluster, asked at one time. Immutable.
 *
 * @param nodes the nodes that have answered, superpeers first
 */
public record ClusterFigures(List<Answer> nodes) {
    /**
     * The answer of a node.
     *
     * @param life life of the node by the tables
     * @param figures figures of the node, at most a second old
     * @param clockOffsetMs the node's wall clock less the wall clock of the asking process, in milliseconds; wrong by
     *     at most half of the round trip
     * @param roundTripMs time of the question and the answer, in milliseconds, rounded up
     */
    public record Answer(NodeLife life, NodeFigures figures, long clockOffsetMs, long roundTripMs) {}

    /** Copies the list. */
    public ClusterFigures {
        nodes = List.copyOf(nodes);
    }

    /**
     * {@return the answer of a node, or null}
     *
     * @param nid any number
     */
    public @Nullable Answer node(int nid) {
        return nodes.stream().filter(node -> node.life().nid() == nid).findFirst().orElse(null);
    }

    /** {@return the figures of all nodes together, by {@link Figure#together}; no figure without an answer} */
    public NodeFigures together() {
        return nodes.stream().map(Answer::figures).reduce(NodeFigures::with)
            .orElse(new NodeFigures.Builder().build(0));
    }
}
