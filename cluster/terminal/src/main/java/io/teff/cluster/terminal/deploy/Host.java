package io.teff.cluster.terminal.deploy;

import io.teff.cluster.terminal.local.CommandFailure;
import io.teff.engine.os.Clock;
import io.teff.engine.os.FailureText;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One host: does tasks of the script {@code host.sh} at the host. A task is one process of ssh, so nothing of Teff must
 * be at the host before.
 */
final class Host {
    private static final String SCRIPT = "host.sh";
    private static final int SSH_FAILED = 255;
    /** Messages of ssh, each with its remedy. */
    private static final Map<String, String> MENDING = Map.of(
        "Permission denied", "let this machine's key in: ssh-copy-id -p %2$d %1$s",
        "Host key verification failed", "connect once by hand, and compare the key of the host: ssh -p %2$d %1$s",
        "Could not resolve", "correct ssh = \"%1$s\" in the file of the hosts",
        "Connection refused", "start sshd at the host, or correct ssh-port = %2$d",
        "Connection timed out", "start the host, or let TCP port %2$d through its firewall");

    private final HostPlan plan;
    private final HostShell shell;

    Host(HostPlan plan, HostShell shell) {
        this.plan = plan;
        this.shell = shell;
    }

    HostPlan plan() {
        return plan;
    }

    /** Receives a line that a task prints. */
    @FunctionalInterface
    interface Lines {
        void line(String line, long epochNs);
    }

    /** Does a task; returns the lines that the task prints. */
    List<String> run(String... words) {
        List<String> lines = new ArrayList<>();
        run(null, (line, _) -> lines.add(line), words);
        return lines;
    }

    /** Does a task; hands each line on when the line comes. */
    void run(Lines lines, String... words) {
        run(null, lines, words);
    }

    /** Does a task with a folder of this machine as an archive on its standard input. */
    List<String> send(Path folder, String... words) {
        List<String> lines = new ArrayList<>();
        run(folder, (line, _) -> lines.add(line), words);
        return lines;
    }

    private void run(@Nullable Path folder, Lines lines, String... words) {
        try {
            Path errors = Files.createTempFile("teff-deploy", ".err");
            try {
                Process process = start(folder, errors, words);
                try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
                    for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                        lines.line(line, Clock.SYSTEM.epochMs() * 1_000_000);
                    }
                }
                check(process.waitFor(), Files.readString(errors));
            } finally {
                Files.delete(errors);
            }
        } catch (IOException e) {
            throw new CommandFailure(plan.name() + ": " + FailureText.of(e), e);
        } catch (InterruptedException e) {
            throw new CommandFailure(plan.name() + ": interrupted", e);
        }
    }

    /** Writes what a task prints to a file. */
    void fetch(Path file, String... words) {
        try {
            Path errors = Files.createTempFile("teff-deploy", ".err");
            try (OutputStream out = Files.newOutputStream(file)) {
                Process process = start(null, errors, words);
                try (InputStream in = process.getInputStream()) {
                    in.transferTo(out);
                }
                check(process.waitFor(), Files.readString(errors));
            } finally {
                Files.delete(errors);
            }
        } catch (IOException e) {
            throw new CommandFailure(plan.name() + ": " + FailureText.of(e), e);
        } catch (InterruptedException e) {
            throw new CommandFailure(plan.name() + ": interrupted", e);
        }
    }

    /** Starts a task, whose standard input stays open. */
    Process begin(Path errors, String... words) throws IOException {
        return builder(errors, words).start();
    }

    private Process start(@Nullable Path folder, Path errors, String... words) throws IOException {
        ProcessBuilder remote = builder(errors, words);
        if (folder == null) {
            Process process = remote.start();
            process.getOutputStream().close();
            return process;
        }
        ProcessBuilder archive = new ProcessBuilder("tar", "-C", folder.toString(), "-cf", "-", ".")
            .redirectError(ProcessBuilder.Redirect.DISCARD);
        return ProcessBuilder.startPipeline(List.of(archive, remote)).getLast();
    }

    private ProcessBuilder builder(Path errors, String... words) throws IOException {
        List<String> all = new ArrayList<>(List.of("sh", "-c", script(), "teff", plan.folder()));
        all.addAll(List.of(words));
        return new ProcessBuilder(shell.command(plan, all)).redirectError(errors.toFile());
    }

    private static String script() throws IOException {
        try (InputStream in = Objects.requireNonNull(Host.class.getResourceAsStream(SCRIPT))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private void check(int exitCode, String errors) {
        if (exitCode == 0) {
            return;
        }
        String said = errors.strip();
        String mending = exitCode != SSH_FAILED ? "" : MENDING.entrySet().stream()
            .filter(it -> said.contains(it.getKey())).findFirst()
            .map(it -> "\n  " + String.format(it.getValue(), plan.ssh(), plan.sshPort())).orElse("");
        throw new CommandFailure(plan.name() + ": " + (exitCode == SSH_FAILED ? "ssh to " + plan.ssh() + " has failed: "
            : "") + (said.isEmpty() ? "exit code " + exitCode : said) + mending);
    }
}
