package io.teff.cluster.terminal.node;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The file {@code node.restart} in the folder of a node: the node has ended by an order of operators, and its manager
 * starts it again. A supervisor that is not the parent of the process does not learn the exit code, and reads the file.
 */
public final class RestartMark {
    private static final String NAME = "node.restart";

    private RestartMark() {}

    static void write(Path folder) throws IOException {
        Files.writeString(folder.resolve(NAME), "");
    }

    /**
     * Deletes the file.
     *
     * @param folder a node's folder
     * @return whether there was the file
     * @throws IOException if the file cannot be deleted
     */
    public static boolean take(Path folder) throws IOException {
        return Files.deleteIfExists(folder.resolve(NAME));
    }
}
