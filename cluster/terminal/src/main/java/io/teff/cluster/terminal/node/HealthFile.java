package io.teff.cluster.terminal.node;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The file {@code node.health} in the folder of a node. The node writes the file once a second, with a higher beat each
 * time. So a reader knows a node that lives without a clock and without a connection: the beat rises.
 *
 * @param process the process that runs the node
 * @param state state of the node
 * @param beat counts the files of the process, from 1
 */
record HealthFile(ProcessId process, State state, long beat) {
    private static final String NAME = "node.health";
    private static final Pattern FORM = Pattern.compile("teff health 1\nprocess (\\d{1,18}) ("
        + ProcessId.START_FORM + ")\nstate (starting|ready|waiting|failed)\nbeat (\\d{1,18})\n");

    /** The state of a node. */
    enum State {
        /** The node was not ready yet, for instance since other superpeers have not started. */
        STARTING,
        /** The node does its work. */
        READY,
        /** The node was ready, and does not do its work now, for instance since no superpeer leads. */
        WAITING,
        /** The node has ended its work for good. */
        FAILED;

        String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Writes the file in one step. */
    void write(Path folder) throws IOException {
        Path fresh = folder.resolve(NAME + ".new");
        Files.writeString(fresh, "teff health 1\nprocess " + process.pid() + " " + process.start() + "\nstate "
            + state.text() + "\nbeat " + beat + "\n");
        Files.move(fresh, folder.resolve(NAME), StandardCopyOption.ATOMIC_MOVE);
    }

    /** Reads the file; null if there is none, or if it is of another form. */
    static @Nullable HealthFile read(Path folder) throws IOException {
        String text;
        try {
            text = Files.readString(folder.resolve(NAME));
        } catch (NoSuchFileException _) {
            return null;
        }
        Matcher form = FORM.matcher(text);
        return form.matches() ? new HealthFile(new ProcessId(Long.parseLong(form.group(1)), form.group(2)),
            State.valueOf(form.group(3).toUpperCase(Locale.ROOT)), Long.parseLong(form.group(4))) : null;
    }

    /** Deletes the file, if there is one. */
    static void delete(Path folder) throws IOException {
        Files.deleteIfExists(folder.resolve(NAME));
    }
}
