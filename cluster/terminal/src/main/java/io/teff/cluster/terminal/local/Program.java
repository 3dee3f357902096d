package io.teff.cluster.terminal.local;

import io.teff.engine.os.FailureText;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The program of the processes of a cluster: a class path with absolute entries. A supervisor starts nodes with its own
 * program, so nodes get another program by a supervisor with this program.
 *
 * @param classPath entries with the separator of the system between them
 */
record Program(String classPath) {
    /** Returns the program of this JVM. */
    static Program current() {
        return of(System.getProperty("java.class.path"), Path.of(""));
    }

    /** Returns the program of a class path whose relative entries are relative to a folder. */
    static Program of(String classPath, Path folder) {
        List<String> entries = new ArrayList<>();
        for (String entry : classPath.split(File.pathSeparator)) {
            entries.add(folder.toAbsolutePath().resolve(entry).normalize().toString());
        }
        return new Program(String.join(File.pathSeparator, entries));
    }

    /** Returns whether this is the program of this JVM. */
    boolean isCurrent() {
        return equals(current());
    }

    /** Starts a supervisor with this program, and waits until it has the cluster. A supervisor of before has ended. */
    void supervise(ClusterFolder cluster, long patienceNs) {
        Process process;
        try {
            process = NodeJvm.startSupervisor(cluster, this);
        } catch (IOException e) {
            throw new CommandFailure("the supervisor cannot be started: " + FailureText.of(e), e);
        }
        boolean isThere = LocalCommand.await(() -> isSupervisor(cluster, process) || !process.isAlive(), patienceNs);
        if (!isThere || !process.isAlive()) {
            process.destroyForcibly();
            throw new CommandFailure("the supervisor does not start with the program " + classPath
                + lastWords(cluster));
        }
    }

    private static boolean isSupervisor(ClusterFolder cluster, Process process) {
        var supervisor = cluster.supervisor();
        return supervisor != null && supervisor.pid() == process.pid();
    }

    private static String lastWords(ClusterFolder cluster) {
        List<String> lines = LogTail.lastLines(cluster.path().resolve(ClusterFolder.SUPERVISOR_OUT), 1);
        return lines.isEmpty() ? "" : ": " + lines.getLast();
    }
}
