package io.teff.cluster.terminal.shell;

import io.teff.cluster.terminal.shell.task.ShellRoot;
import io.teff.cluster.terminal.shell.task.ShellSession;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code cluster exec}: one command of the shell. */
@Command(
    name = "exec",
    description = {"Runs a command of ./teff shell.",
        "One argument is a line, which may have several commands; several arguments are the words of one command. "
            + "Options of the command follow its name. ./teff cluster exec help lists the commands."},
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:success", "1:the command has failed; the message says why", "2:wrong command line",
        "3 and 4:as of ./teff cluster status"},
    footerHeading = "%nExamples:%n",
    footer = {"  ./teff cluster exec nodes --json", "  ./teff cluster exec \"map get accounts 'a key'\"",
        "  ./teff cluster exec --dir other chunk get 16:1 --as int,long"},
    sortOptions = false)
public final class ExecCommand implements Callable<Integer> {
    @Mixin
    private ShellOptions options = new ShellOptions();

    @Parameters(arity = "1..*", paramLabel = "COMMAND", description = "The command.")
    private List<String> words = List.of();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** Makes the command. */
    public ExecCommand() {}

    /** {@return the command; options behind the first word are options of that word} */
    public static CommandLine commandLine() {
        CommandLine line = new CommandLine(new ExecCommand());
        line.setStopAtPositional(true);
        return line;
    }

    @Override
    public Integer call() {
        try (ShellSession session = new ShellSession(options.place(spec, List.of()), spec.commandLine().getOut(),
            spec.commandLine().getErr())) {
            return words.size() == 1 ? new Script(session).line(words.getFirst()) : ShellRoot.run(session, words);
        }
    }
}
