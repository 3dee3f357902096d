package io.teff.cluster.terminal.local;

import io.teff.cluster.admin.ConfigException;
import io.teff.cluster.admin.NodeLife;
import io.teff.cluster.admin.NodeRole;
import io.teff.cluster.admin.NodeSettings;
import io.teff.cluster.terminal.config.NodeFile;
import io.teff.cluster.terminal.node.ProcessId;
import io.teff.cluster.terminal.node.RunFile;
import io.teff.engine.os.FailureText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A node of a cluster on this machine, in a folder of its own:
 * <pre>
 *  node.toml       configuration
 *  node.log        log
 *  node.out        output of the JVM
 *  node.process    last process started by a supervisor, and its exit code
 *  data/           data; data/node.run while the node is ready
 *  data.aside-N/   data of a superpeer before a rebuild of the metadata
 * </pre>
 *
 * @param name name of the node, unique in the cluster
 * @param folder folder of the files above
 * @param config contents of {@code node.toml}
 */
public record LocalNode(String name, Path folder, NodeSettings config) {
    static final String FILE = "node.toml";
    static final String DATA = "data";
    static final String LOG = "node.log";
    static final String OUT = "node.out";
    private static final String PROCESS = "node.process";
    private static final String ASIDE = "data.aside-";
    /** Folder of the log of copies in the data folder of a peer. */
    private static final String COPIES = "backups";
    private static final Pattern FORM = Pattern.compile("teff process 2\n(\\d{1,18}) ("
        + ProcessId.START_FORM + ") (-?\\d{1,9}|runs)\n");

    /** The state of the node's process on this machine. */
    public enum State {
        /** There was no process yet. */
        NEW,
        /** The process runs, and is not ready yet. */
        STARTING,
        /** The node is ready, or was ready, and the process runs. */
        UP,
        /** The process has ended. */
        DOWN
    }

    /**
     * The last process of the node.
     *
     * @param id the process
     * @param exitCode exit code of the process; null if the process runs, or ended without a supervisor
     */
    public record Started(ProcessId id, @Nullable Integer exitCode) {}

    static LocalNode read(Path folder) {
        return read(folder, null);
    }

    /** Reads a node. If the folder has lost its configuration, the planned text takes its place. */
    static LocalNode read(Path folder, @Nullable String planned) {
        String name = String.valueOf(folder.getFileName());
        Path file = folder.resolve(FILE);
        try {
            return new LocalNode(name, folder, planned == null || Files.exists(file) ? NodeFile.load(file)
                : NodeFile.of(file, planned));
        } catch (ConfigException e) {
            throw new CommandFailure(FailureText.of(e), e);
        }
    }

    /** {@return whether it is a superpeer} */
    public boolean isSuperpeer() {
        return config.role() == NodeRole.SUPERPEER;
    }

    // ---- the process ----

    void note(Started started) throws IOException {
        Path fresh = folder.resolve(PROCESS + ".new");
        Files.writeString(fresh, "teff process 2\n" + started.id().pid() + " " + started.id().start() + " "
            + (started.exitCode() == null ? "runs" : started.exitCode()) + "\n");
        Files.move(fresh, folder.resolve(PROCESS), StandardCopyOption.ATOMIC_MOVE);
    }

    /** Forgets the last process after its end: the next supervisor starts the node. */
    void forget() throws IOException {
        Files.deleteIfExists(folder.resolve(PROCESS));
    }

    /** Sets the data folder aside with all files; nothing is deleted. No process may run. */
    void setAside() throws IOException {
        Path data = config.folder();
        if (Files.exists(data)) {
            int number = 1;
            while (Files.exists(data.resolveSibling(ASIDE + number))) {
                number++;
            }
            Files.move(data, data.resolveSibling(ASIDE + number), StandardCopyOption.ATOMIC_MOVE);
        }
    }

    /** {@return the last process, or null} */
    public @Nullable Started started() {
        try {
            Matcher form = FORM.matcher(Files.readString(folder.resolve(PROCESS)));
            return form.matches() ? new Started(
                new ProcessId(Long.parseLong(form.group(1)), form.group(2)),
                form.group(3).equals("runs") ? null : Integer.valueOf(form.group(3))) : null;
        } catch (NoSuchFileException _) {
            return null;
        } catch (IOException e) {
            throw new CommandFailure("the state of " + name + " cannot be read: " + FailureText.of(e), e);
        }
    }

    /** {@return the process that runs, or null} */
    public @Nullable ProcessId process() {
        Started started = started();
        return started != null && started.exitCode() == null && started.id().isAlive() ? started.id() : null;
    }

    /** {@return the life that the last process has announced, or null} */
    public @Nullable NodeLife life() {
        Started started = started();
        try {
            RunFile run = RunFile.read(config.folder());
            return run != null && started != null && run.process().isSame(started.id()) ? run.node() : null;
        } catch (IOException _) {
            return null;
        }
    }

    /**
     * {@return the time of the newest file of a peer's log of copies, in milliseconds since 1970} After the end of the
     * node, no change in the log is later. 0 without a log.
     */
    public long lastWrittenMs() {
        try (Stream<Path> files = Files.walk(config.folder().resolve(COPIES))) {
            long newest = 0;
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                newest = Math.max(newest, Files.getLastModifiedTime(file).toMillis());
            }
            return newest;
        } catch (IOException | UncheckedIOException _) {
            return 0;                                           // there is no log, or its files come and go
        }
    }

    /** {@return the last line of the last process's output, the reason of a failure; null if there is no output} */
    public @Nullable String lastWords() {
        List<String> lines = LogTail.lastLines(folder.resolve(OUT), 1);
        return lines.isEmpty() ? null : lines.getLast();
    }

    /** {@return the state} */
    public State state() {
        Started started = started();
        if (started == null) {
            return State.NEW;
        }
        if (process() == null) {
            return State.DOWN;
        }
        return life() == null ? State.STARTING : State.UP;
    }
}
