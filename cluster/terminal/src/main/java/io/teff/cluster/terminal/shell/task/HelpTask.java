package io.teff.cluster.terminal.shell.task;

import io.teff.cluster.terminal.option.HelpOption;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code help}: all commands, or one. */
@Command(name = "help", description = "Shows all commands, or one command with examples.",
    footerHeading = "%nExample:%n", footer = "  help chunk create", sortOptions = false)
final class HelpTask implements Callable<Integer> {
    @Mixin
    @SuppressWarnings("UnusedVariable") // picocli reads it
    private HelpOption help = new HelpOption();

    @Parameters(arity = "0..*", paramLabel = "COMMAND", description = "A command.")
    private @Nullable List<String> words;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        Shell root = (Shell) spec.root().userObject();
        PrintWriter out = root.session().out();
        CommandLine line = spec.root().commandLine();
        if (words == null) {
            out.print(overview(line));
        } else {
            for (String word : words) {
                CommandLine next = line.getSubcommands().get(word);
                if (next == null) {
                    throw new ParameterException(spec.commandLine(), "there is no command " + String.join(" ", words));
                }
                line = next;
            }
            out.print(line.getUsageMessage(root.session().isColoured() ? Ansi.ON : Ansi.OFF));
        }
        out.flush();
        return 0;
    }

    /** Returns all commands, with those inside of them. */
    static String overview(CommandLine root) {
        StringBuilder text = new StringBuilder("Commands; a semicolon divides two, # begins a comment:\n");
        root.getSubcommands().forEach((name, command) -> {
            if (!name.equals(command.getCommandName())) {
                return;                                         // another name of the same command
            }
            String inner = String.join(", ", command.getSubcommands().keySet());
            text.append(String.format("  %-12s %s%n", name, command.getCommandSpec().usageMessage()
                .description()[0]));
            if (!inner.isEmpty()) {
                text.append(String.format("  %-12s   %s%n", "", inner));
            }
        });
        return text + "help COMMAND shows options and examples. Most commands have --json.\n"
            + "Examples: nodes; chunk create hello; map scan accounts 5; watch 2 size jobs\n";
    }
}
