package io.teff.cluster.terminal.deploy;

import io.teff.cluster.admin.NodeLife;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of a node at its host.
 *
 * @param node name of the node
 * @param isRunning whether the process of the node runs
 * @param pid the process; empty if none runs
 * @param version version of the node; empty if the node was never started
 * @param life life of the node; null unless the node is ready
 */
record NodeState(String node, boolean isRunning, String pid, String version, @Nullable NodeLife life) {
    private static final int WORDS = 6;

    /** Reads a line of the task {@code state}. */
    static NodeState parse(String line) {
        List<String> words = List.of(line.strip().split(" +"));
        if (words.size() != WORDS || !words.getFirst().equals("state")) {
            throw new IllegalArgumentException("no state: " + line);
        }
        return new NodeState(words.get(1), words.get(2).equals("runs"), known(words.get(3)), known(words.get(4)),
            life(words.get(5)));
    }

    private static String known(String word) {
        return word.equals("-") ? "" : word;
    }

    /** Reads a life such as {@code 16/2}; null for a dash. */
    static @Nullable NodeLife life(String word) {
        int slash = word.indexOf('/');
        return slash < 0 ? null : new NodeLife(Integer.parseInt(word.substring(0, slash)),
            Integer.parseInt(word.substring(slash + 1)));
    }
}
