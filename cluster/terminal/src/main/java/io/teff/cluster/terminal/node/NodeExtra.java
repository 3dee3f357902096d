package io.teff.cluster.terminal.node;

import io.teff.cluster.admin.NodeSettings;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Something that runs beside a node in the process of the node, such as a console. */
@FunctionalInterface
public interface NodeExtra {
    /** Nothing runs beside the node. */
    NodeExtra NONE = (_, _) -> null;

    /**
     * A part that runs beside the node.
     *
     * @param text names the part for people
     * @param end ends the part
     */
    record Running(String text, Runnable end) {}

    /**
     * Starts the part, once the node is ready.
     *
     * @param settings the settings of the node
     * @param log receives lines
     * @return what runs; null if the settings ask for nothing
     * @throws IOException if it cannot start; the node goes on
     */
    @Nullable Running start(NodeSettings settings, System.Logger log) throws IOException;
}
