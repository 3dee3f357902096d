package io.teff.cluster.terminal.shell.task;

import io.teff.cluster.terminal.option.HelpOption;
import io.teff.engine.os.Clock;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code watch}: repeats a command. */
@Command(
    name = "watch",
    description = "Repeats a command until Ctrl-C, or until the command fails.",
    footerHeading = "%nExamples:%n",
    footer = {"  watch 2 nodes", "  watch --times 5 0.5 size jobs"},
    sortOptions = false)
final class WatchTask implements Callable<Integer> {
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final String CLEAR = "\033[H\033[2J";

    @Mixin
    @SuppressWarnings("UnusedVariable") // picocli reads it
    private HelpOption help = new HelpOption();

    @Option(names = "--times", paramLabel = "N", defaultValue = "2147483647",
        description = "End after so many times. Default: no end.")
    private int times;

    @Parameters(index = "0", paramLabel = "SECONDS", description = "Time between two runs.")
    private double seconds;

    @Parameters(index = "1..*", arity = "1..*", paramLabel = "COMMAND", description = "The command with its words.")
    private List<String> words = List.of();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        if (!(seconds >= 0) || words.getFirst().equals("watch")) {
            throw new ParameterException(spec.commandLine(), seconds >= 0 ? "a watch of a watch is not possible"
                : "SECONDS: a number from 0 on is allowed");
        }
        Shell shell = (Shell) spec.root().userObject();
        ShellSession session = shell.session();
        for (int i = 0; i < times; i++) {
            if (i > 0 && isOver(session)) {
                return 0;
            }
            head(session.out(), session.isColoured(), i == 0);
            int code = shell.run(words);
            if (code != 0) {
                return code;
            }
        }
        return 0;
    }

    private static void head(PrintWriter out, boolean isTerminal, boolean isFirst) {
        String time = Instant.ofEpochMilli(Clock.SYSTEM.epochMs()).truncatedTo(ChronoUnit.SECONDS).toString();
        out.print((isTerminal ? CLEAR : isFirst ? "" : "\n") + time + "\n");
        out.flush();
    }

    /** Waits for the time of the next run; returns whether the user has pressed Ctrl-C. */
    private boolean isOver(ShellSession session) {
        long end = Clock.SYSTEM.nowNs() + TaskGroup.ns(seconds);
        while (!session.isInterrupted() && Clock.SYSTEM.nowNs() - end < 0) {
            Clock.SYSTEM.pause(this, Math.min(LOOK_NS, TaskGroup.ns(seconds)));
        }
        return session.isInterrupted();
    }
}
