package io.teff.cluster.terminal.shell.task;

import io.teff.cluster.MissingRightException;
import io.teff.cluster.terminal.local.AcceptLossCommand;
import io.teff.cluster.terminal.local.CommandFailure;
import io.teff.cluster.terminal.local.DrainCommand;
import io.teff.cluster.terminal.local.ForgetCommand;
import io.teff.cluster.terminal.local.KillCommand;
import io.teff.cluster.terminal.local.LogsCommand;
import io.teff.cluster.terminal.local.RebalanceCommand;
import io.teff.cluster.terminal.local.StartCommand;
import io.teff.cluster.terminal.local.SuperpeersCommand;
import io.teff.cluster.terminal.shell.value.Nearest;
import io.teff.cluster.terminal.status.StatusCommand;
import io.teff.engine.error.StoreException;
import io.teff.engine.os.FailureText;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The root of the commands of the shell. */
@Command(
    name = "",
    subcommands = {NodesTask.class, NodeTask.class, ZonesTask.class, ZoneTask.class, StatusCommand.class,
        ChunkTasks.class, CollectionsTask.class, SizeTask.class, DropTask.class, MapTasks.class, SortedTasks.class,
        SetTasks.class, QueueTasks.class, ListTasks.class, NamesTasks.class, LockTasks.class, BarrierTasks.class,
        CounterTasks.class, JarTasks.class, LogsCommand.class, StartCommand.class, KillCommand.class,
        SuperpeersCommand.class, DrainCommand.class, RebalanceCommand.class, ForgetCommand.class,
        AcceptLossCommand.class, WatchTask.class, HelpTask.class, ExitTask.class})
public final class ShellRoot implements Shell, Callable<Integer> {
    private static final int WRONG_USE = 2;
    /** Stands before a number below 0, which is no option. */
    private static final String MARK = "\u0001";
    private static final Pattern NEGATIVE = Pattern.compile("-[0-9.].*");
    /** Commands of {@code cluster} that destroy something, with what they do. */
    private static final Map<String, String> DESTRUCTIVE = Map.of("kill", "kill the node",
        "accept-loss", "give up copies of zones for good", "forget", "forget the peer and its copies",
        "superpeers remove", "remove the superpeer",
        "superpeers replace", "replace the superpeer");

    private final ShellSession session;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private ShellRoot(ShellSession session) {
        this.session = session;
    }

    @Override
    public ShellSession session() {
        return session;
    }

    @Override
    public int run(List<String> words) {
        return run(session, words);
    }

    @Override
    public Integer call() {
        throw new ParameterException(spec.commandLine(), "name a command; help lists them");
    }

    // ---- the command line ----

    /**
     * {@return all commands for a session}
     *
     * @param session that runs the commands
     */
    public static CommandLine commandLine(ShellSession session) {
        CommandLine line = new CommandLine(new ShellRoot(session));
        Map<String, String> options = session.place().options();
        line.setDefaultValueProvider(argument -> argument instanceof OptionSpec option
            ? options.get(option.longestName()) : null);
        prepare(line, "");
        line.setExpandAtFiles(false);                           // @NAME is a chunk
        line.setOut(session.out()).setErr(session.err()).setCaseInsensitiveEnumValuesAllowed(true)
            .setColorScheme(CommandLine.Help.defaultColorScheme(session.isColoured() ? Ansi.ON : Ansi.OFF))
            .registerConverter(String.class, ShellRoot::unmarked)
            .registerConverter(Long.class, text -> number(text, Long::valueOf))
            .registerConverter(long.class, text -> number(text, Long::valueOf))
            .registerConverter(Integer.class, text -> number(text, Integer::valueOf))
            .registerConverter(int.class, text -> number(text, Integer::valueOf))
            .registerConverter(Double.class, text -> number(text, Double::valueOf))
            .registerConverter(double.class, text -> number(text, Double::valueOf))
            .setExecutionStrategy(parsed -> execute(parsed, session))
            .setParameterExceptionHandler((wrong, _) -> explain(wrong, session))
            .setExecutionExceptionHandler((failure, failed, _) -> explain(failure, failed, session));
        Objects.requireNonNull(line.getSubcommands().get("watch")).setStopAtPositional(true);
        return line;
    }

    private static void prepare(CommandLine line, String path) {
        line.getSubcommands().forEach((name, inner) -> {
            if (DESTRUCTIVE.containsKey(path + name) && inner.getCommandSpec().findOption(Yes.NAME) == null) {
                inner.getCommandSpec().addOption(OptionSpec.builder(Yes.NAME).type(boolean.class)
                    .description(Yes.DESCRIPTION).build());
            }
            inner.getCommandSpec().usageMessage().synopsisHeading("Usage:"); // a space begins the name of the command
            prepare(inner, path + name + " ");
        });
    }

    private static String unmarked(String text) {
        return text.startsWith(MARK) ? text.substring(MARK.length()) : text;
    }

    private static <T extends Number> T number(String text, Function<String, T> reader) {
        try {
            return reader.apply(unmarked(text));
        } catch (NumberFormatException e) {
            TypeConversionException wrong = new TypeConversionException("'" + unmarked(text)
                + "' is no number in range");
            wrong.initCause(e);
            throw wrong;
        }
    }

    // ---- running ----

    /**
     * Runs a command.
     *
     * @param session that runs the command
     * @param words the words of the command
     * @return the exit code
     */
    public static int run(ShellSession session, List<String> words) {
        CommandLine line = commandLine(session);
        String fault = unknown(line, words);
        if (fault != null) {
            session.fail(fault);
            return WRONG_USE;
        }
        return line.execute(words.stream().map(word -> NEGATIVE.matcher(word).matches() ? MARK + word : word)
            .toArray(String[]::new));
    }

    /** Returns what is wrong with the names of commands in front of the words, or null. */
    private static @Nullable String unknown(CommandLine root, List<String> words) {
        CommandLine line = root;
        String path = "";
        for (String word : words) {
            Map<String, CommandLine> known = line.getSubcommands();
            boolean isLeaf = known.isEmpty() || !(line.getCommand() instanceof TaskGroup) && !path.isEmpty()
                && !line.getCommandSpec().positionalParameters().isEmpty();
            if (isLeaf || word.startsWith("-")) {
                return null;
            }
            CommandLine next = known.get(word);
            if (next == null) {
                String near = Nearest.of(word, known.keySet());
                return "there is no command " + path + word + (near == null ? "; help" + (path.isEmpty() ? ""
                    : " " + path.strip()) + " lists the commands" : "; do you mean " + path + near + "?");
            }
            path += word + " ";
            line = next;
        }
        return null;
    }

    /** Asks before a command of {@code cluster} destroys something, then runs the command. */
    private static int execute(ParseResult parsed, ShellSession session) {
        ParseResult leaf = parsed;
        while (leaf.hasSubcommand()) {
            leaf = leaf.subcommand();
        }
        CommandSpec spec = leaf.commandSpec();
        String what = DESTRUCTIVE.get(name(spec));
        if (what != null && !leaf.isUsageHelpRequested() && !leaf.hasMatchedOption(Yes.NAME)) {
            List<String> words = leaf.matchedPositionals().stream()
                .flatMap(each -> each.originalStringValues().stream()).toList();
            try {
                Yes.ask(spec, session, what + " (" + String.join(" ", words) + ")");
            } catch (CommandFailure e) {
                return explain(e, spec.commandLine(), session);
            }
        }
        return new RunLast().execute(parsed);
    }

    private static String name(CommandSpec spec) {
        return spec.qualifiedName().strip();
    }

    // ---- failures ----

    private static int explain(ParameterException wrong, ShellSession session) {
        String message = wrong instanceof UnmatchedArgumentException unmatched
            ? unmatched(unmatched) : String.valueOf(wrong.getLocalizedMessage());
        session.fail(name(wrong.getCommandLine().getCommandSpec()) + ": " + message.replace(MARK, ""));
        return WRONG_USE;
    }

    private static String unmatched(UnmatchedArgumentException wrong) {
        String first = wrong.getUnmatched().getFirst();
        String near = !first.startsWith("-") ? null : Nearest.of(first, wrong.getCommandLine().getCommandSpec()
            .optionsMap().keySet());
        return "unknown argument " + String.join(" ", wrong.getUnmatched()) + (near == null ? ""
            : "; do you mean " + near + "?");
    }

    private static int explain(Exception failure, CommandLine line, ShellSession session) {
        boolean isExpected = failure instanceof CommandFailure || failure instanceof StoreException
            || failure instanceof IllegalArgumentException || failure instanceof MissingRightException;
        session.fail(name(line.getCommandSpec()) + ": " + (isExpected ? FailureText.of(failure)
            : failure.getClass().getSimpleName() + ": " + FailureText.of(failure)));
        return 1;
    }
}
