package io.teff.cluster.terminal.node;

import io.teff.cluster.admin.NodeLife;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The file {@code node.run} in the folder of a node: the process and the life of the node. Written when the node
 * is ready, and when a new life begins; deleted when the node ends in order.
 *
 * @param process the process that runs the node
 * @param node life of the node
 */
public record RunFile(ProcessId process, NodeLife node) {
    private static final String NAME = "node.run";
    private static final Pattern FORM = Pattern.compile(
        "teff run 2\nprocess (\\d{1,18}) (" + ProcessId.START_FORM + ")\nnode (\\d{1,9}) (\\d{1,9})\n");

    /**
     * Writes the file.
     *
     * @param folder the node's folder
     * @throws IOException if the file cannot be written
     */
    public void write(Path folder) throws IOException {
        Path fresh = folder.resolve(NAME + ".new");
        Files.writeString(fresh, "teff run 2\nprocess " + process.pid() + " " + process.start() + "\nnode "
            + node.nid() + " " + node.incarnation() + "\n");
        Files.move(fresh, folder.resolve(NAME), StandardCopyOption.ATOMIC_MOVE);
    }

    /**
     * Reads the file.
     *
     * @param folder a node's folder
     * @return content of the file, or null if there is no file
     * @throws IOException if the file cannot be read
     */
    public static @Nullable RunFile read(Path folder) throws IOException {
        String text;
        try {
            text = Files.readString(folder.resolve(NAME));
        } catch (NoSuchFileException _) {
            return null;
        }
        Matcher form = FORM.matcher(text);
        return form.matches() ? new RunFile(
            new ProcessId(Long.parseLong(form.group(1)), form.group(2)),
            new NodeLife(Integer.parseInt(form.group(3)), Integer.parseInt(form.group(4)))) : null;
    }

    /**
     * Deletes the file.
     *
     * @param folder a node's folder
     * @throws IOException if the file cannot be deleted
     */
    public static void delete(Path folder) throws IOException {
        Files.deleteIfExists(folder.resolve(NAME));
    }
}
