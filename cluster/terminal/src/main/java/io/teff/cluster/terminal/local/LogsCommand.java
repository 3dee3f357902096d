package io.teff.cluster.terminal.local;

import io.teff.engine.os.Clock;
import io.teff.engine.os.FailureText;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** The command {@code cluster logs}: prints what a node has logged. */
@Command(
    name = "logs",
    description = "Prints the last lines of a node's log, and what its JVM has printed.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:success", "1:there is no such node or cluster", "2:wrong command line"},
    footerHeading = "%nExample:%n",
    footer = "  teff cluster logs peer-1 --follow",
    sortOptions = false)
public final class LogsCommand extends LocalCommand {
    private static final String SUPERVISOR = "supervisor";
    private static final long POLL_NS = TimeUnit.MILLISECONDS.toNanos(100);

    @Parameters(paramLabel = "NODE", description = "The node, such as peer-1; supervisor for the supervisor.")
    private String name = "";

    @Option(names = {"-n", "--lines"}, paramLabel = "N", defaultValue = "40",
        description = "Number of lines. Default: ${DEFAULT-VALUE}.")
    private int lines;

    @Option(names = {"-f", "--follow"}, description = "Go on to print new lines, until the command is ended.")
    private boolean isFollowing;

    @Override
    public Integer call() {
        if (lines < 0) {
            throw new ParameterException(spec().commandLine(), "--lines " + lines + "; allowed: numbers from 0");
        }
        ClusterFolder cluster = folder().open();
        boolean isSupervisor = name.equals(SUPERVISOR);
        Path home = isSupervisor ? cluster.path() : cluster.node(name).folder();
        Path log = home.resolve(isSupervisor ? ClusterFolder.SUPERVISOR_LOG : LocalNode.LOG);
        Path out = home.resolve(isSupervisor ? ClusterFolder.SUPERVISOR_OUT : LocalNode.OUT);
        PrintWriter writer = out();
        lastLines(out, lines).forEach(line -> writer.println("[JVM] " + line));
        long read = size(log);
        lastLines(log, lines).forEach(writer::println);
        writer.flush();
        while (isFollowing && !writer.checkError()) {
            long size = size(log);
            if (size < read) {
                read = 0;                                       // a new file has begun
            }
            if (size > read) {
                writer.print(text(log).substring((int) read));
                writer.flush();
                read = size;
            }
            Clock.SYSTEM.pause(this, POLL_NS);
        }
        return 0;
    }

    private static long size(Path file) {
        try {
            return Files.exists(file) ? Files.size(file) : 0;
        } catch (IOException _) {
            return 0;
        }
    }

    private static String text(Path file) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        } catch (NoSuchFileException _) {
            return "";
        } catch (IOException e) {
            throw new CommandFailure("the file " + file + " cannot be read: " + FailureText.of(e), e);
        }
    }

    /** Returns the last lines of a file; none if there is no file. */
    static List<String> lastLines(Path file, int count) {
        List<String> all = text(file).lines().toList();
        return all.subList(Math.max(all.size() - Math.max(count, 0), 0), all.size());
    }
}
