package io.teff.test.bench.rdma;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs the command once more, in one boot of the guest with software devices. */
final class GuestRun {
    private static final int SECONDS_MAX = 7200;
    private static final String MAIN = "io.teff.test.bench.BenchCommand";
    private static final List<String> FLAGS = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto",
        "-XX:-CreateCoredumpOnCrash", "--enable-native-access=ALL-UNNAMED");
    /** Sessions touch no heap ahead of need, which is slow there. */
    private static final String SESSIONS = "-Dteff.session.flags=-XX:-AlwaysPreTouch,-XX:+UseSerialGC,"
        + "--enable-native-access=ALL-UNNAMED,-XX:-CreateCoredumpOnCrash";

    private final Path script;
    private final Path out;

    /**
     * A run that has not begun.
     *
     * @param script of the guest
     * @param out folder for results; those of the guest are in a folder of their own there
     */
    GuestRun(Path script, Path out) {
        this.script = script;
        this.out = out.toAbsolutePath().resolve("guest");
    }

    /** Returns the folder of the project, in which the command was started or that has the compiled classes. */
    static Path project() {
        final String given = System.getProperty("teff.root");
        Path folder = Path.of(given == null ? "" : given).toAbsolutePath();
        while (folder != null && !Files.exists(folder.resolve("teff"))) {
            folder = folder.getParent();
        }
        if (folder == null) {
            throw new IllegalStateException("not inside the project: " + Path.of("").toAbsolutePath());
        }
        return folder;
    }

    /** Returns why there is no guest, or an empty text. */
    String whyNot() throws IOException, InterruptedException {
        final Process process = new ProcessBuilder("bash", script.toString(), "info").start();
        process.getOutputStream().close();
        final boolean isBuilt;
        try (BufferedReader reader = process.inputReader()) {
            isBuilt = reader.lines().toList().stream()
                .anyMatch(line -> line.startsWith("uml kernel") && !line.contains("not built"));
        }
        process.waitFor();
        return isBuilt ? "" : "there is no device here, and no guest is built: " + RdmaReport.FOLDER
            + "/rdma-vm.sh setup --uml builds it in minutes";
    }

    /** Runs the command in the guest, and passes its lines of progress on. */
    void run(List<String> arguments, PrintWriter err) throws IOException, InterruptedException {
        Files.createDirectories(out);
        Files.deleteIfExists(out.resolve("rdma.json"));
        final List<String> command = new ArrayList<>(List.of("bash", script.toString(), "run", "--accel", "uml", "--rw",
            out.toString(), "--timeout", "" + SECONDS_MAX, "--quiet", "--",
            Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(FLAGS);
        command.addAll(List.of(SESSIONS, "-Dteff.root=" + project(), "-cp", System.getProperty("java.class.path"),
            MAIN));
        command.addAll(arguments);
        command.addAll(List.of("--out", out.toString()));
        final Process process = new ProcessBuilder(command).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
        process.getOutputStream().close();
        try (BufferedReader lines = process.errorReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                err.println("guest: " + line);
                err.flush();
            }
        }
        if (!process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
    }

    /** Returns what the command has written there; empty if the guest did not end well. */
    Map<String, Object> result() throws IOException {
        final Path file = out.resolve("rdma.json");
        return Files.exists(file) ? JSON.std.mapFrom(Files.readString(file)) : Map.of();
    }
}
