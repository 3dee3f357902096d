package io.teff.cluster.terminal.local;

import io.teff.engine.os.Clock;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** The command {@code cluster logs}: prints the log of a node, or the logs of all nodes in the order of time. */
@Command(
    name = "logs",
    description = {"Prints the last lines of a node's log, and what its JVM has printed.",
        "Without a node: the last lines of all logs, in the order of time, each with the name of its node."},
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:success", "1:there is no such node or cluster", "2:wrong command line"},
    footerHeading = "%nExamples:%n",
    footer = {"  ./teff cluster logs --follow", "  ./teff cluster logs peer-1 --lines 100"},
    sortOptions = false)
public final class LogsCommand extends LocalCommand {
    private static final String SUPERVISOR = "supervisor";
    private static final long POLL_NS = TimeUnit.MILLISECONDS.toNanos(100);

    @Parameters(paramLabel = "NODE", arity = "0..1",
        description = "The node, such as peer-1; supervisor for the supervisor. Default: all of them.")
    private @Nullable String name;

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
        List<LogTail> tails = new ArrayList<>();
        if (name == null) {
            cluster.nodes().forEach(node -> tails.add(new LogTail(node.name(), node.folder().resolve(LocalNode.LOG))));
            tails.add(new LogTail(SUPERVISOR, cluster.path().resolve(ClusterFolder.SUPERVISOR_LOG)));
        } else {
            boolean isSupervisor = name.equals(SUPERVISOR);
            Path home = isSupervisor ? cluster.path() : cluster.node(name).folder();
            Path printed = home.resolve(isSupervisor ? ClusterFolder.SUPERVISOR_OUT : LocalNode.OUT);
            new LogTail(name, printed).last(lines).forEach(line -> out().println("[JVM] " + line.text()));
            tails.add(new LogTail(name, home.resolve(isSupervisor ? ClusterFolder.SUPERVISOR_LOG : LocalNode.LOG)));
        }
        int width = tails.stream().mapToInt(tail -> tail.name().length()).max().orElse(0);
        List<LogTail.Line> all = merged(tails, true);
        print(all.subList(Math.max(0, all.size() - lines), all.size()), width);
        while (isFollowing && !out().checkError()) {
            print(merged(tails, false), width);
            Clock.SYSTEM.pause(this, POLL_NS);
        }
        return 0;
    }

    /** Returns the lines of all logs, in the order of time; lines of a log keep their order. */
    private List<LogTail.Line> merged(List<LogTail> tails, boolean isFirst) {
        List<LogTail.Line> all = new ArrayList<>();
        tails.forEach(tail -> all.addAll(isFirst ? tail.last(lines) : tail.next()));
        all.sort(Comparator.comparing(LogTail.Line::time));
        return all;
    }

    private void print(List<LogTail.Line> all, int width) {
        PrintWriter writer = out();
        for (LogTail.Line line : all) {
            boolean hasTime = line.text().startsWith(line.time());
            writer.println(name != null ? line.text() : line.time() + " "
                + String.format("%-" + width + "s", line.name()) + (hasTime ? "" : " ")
                + (hasTime ? line.text().substring(line.time().length()) : line.text()));
        }
        writer.flush();
    }
}
