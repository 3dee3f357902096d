package io.teff.cluster.terminal.node;

import io.teff.cluster.admin.ClusterNode;
import io.teff.cluster.admin.ConfigException;
import io.teff.cluster.admin.NodeLife;
import io.teff.cluster.admin.NodeOption;
import io.teff.cluster.admin.NodeSettings;
import io.teff.cluster.admin.NodeStartException;
import io.teff.cluster.admin.OptionValue;
import io.teff.cluster.terminal.config.AddressText;
import io.teff.cluster.terminal.config.NodeFile;
import io.teff.cluster.terminal.option.HelpOption;
import io.teff.engine.os.Clock;
import io.teff.engine.os.FailureText;
import io.teff.engine.os.Threads;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.management.JMException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code node}: runs a node until the process receives SIGTERM or Ctrl-C, or the node fails. */
@Command(
    name = "node",
    description = {
        "Runs one node of a cluster, a superpeer or a peer, until the process ends.",
        "Prints a line when the node is ready. Options have precedence over the file; keys of the file are in "
            + "brackets, as table.key. Ends in order on SIGTERM and Ctrl-C."},
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:SIGTERM, SIGINT or SIGHUP has ended the node in order",
        "1:the node could not start, or its work has failed; with --health: the node is not well",
        "2:wrong command line or configuration",
        "75:with --managed: operators have ordered a restart, and the node has ended in order"},
    footerHeading = "%nExample:%n",
    footer = {"  ./teff node --config peer-1.toml --listen 127.0.0.1:7411",
        "  ./teff node --health=live --config peer-1.toml"},
    sortOptions = false)
public final class NodeCommand implements Callable<Integer> {
    private static final int WRONG_USE = 2;
    /** Exit code of a process whose manager starts it again: EX_TEMPFAIL. */
    static final int RESTART = 75;
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(120);
    private static final long WATCH_MS = 20;
    private static final long END_S = 15;
    private static final String COMMAND_LINE = "the command line";

    @Mixin
    @SuppressWarnings("UnusedVariable") // picocli reads it
    private HelpOption help = new HelpOption();

    @Option(names = "--config", paramLabel = "FILE", description = "The configuration file, in TOML.")
    private @Nullable Path file;

    @Option(names = "--health", paramLabel = "QUESTION", arity = "0..1", fallbackValue = "ready",
        description = {"Do not run a node. Look at the node that runs in --folder, or in the folder of the file, print "
            + "a line, and end with 0 if the node is well, else with 1.",
            "Questions: ready, whether the node does its work; live, whether the process works, also while it waits "
            + "for other nodes. Default: ready."})
    private @Nullable HealthQuestion health;

    @Option(names = "--managed", description = "The manager of the process starts it again after exit code "
        + RESTART + ": so operators may restart the node.")
    private boolean isManaged;

    @Option(names = "--json", description = "With --health: write JSON.")
    private boolean isJson;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private final NodeExtra extra;

    private NodeCommand(NodeExtra extra) {
        this.extra = extra;
    }

    /**
     * {@return the command, with an option for each of {@link NodeOption}}
     *
     * @param extra starts what runs beside the node
     */
    public static CommandLine commandLine(NodeExtra extra) {
        CommandLine line = new CommandLine(new NodeCommand(extra));
        for (NodeOption option : NodeOption.values()) {
            boolean isList = option.kind() == NodeOption.Kind.ADDRESSES || option.kind() == NodeOption.Kind.TEXTS;
            OptionSpec.Builder builder = OptionSpec.builder(option.flag()).paramLabel(label(option))
                .description("[" + option.key() + "] " + option.description(), "Allowed: " + option.allowed() + ". "
                    + (option.isRequired() ? "Required." : "Default: " + option.standard() + "."));
            line.getCommandSpec().addOption((isList ? builder.type(List.class).auxiliaryTypes(String.class)
                .splitRegex(",") : builder.type(String.class)).build());
        }
        return line;
    }

    private static String label(NodeOption option) {
        return switch (option.kind()) {
            case TEXT -> "NAME";
            case PATH -> "PATH";
            case NUMBER -> "N";
            case SIZE -> "BYTES";
            case ADDRESS -> "HOST:PORT";
            case ADDRESSES -> "HOST:PORT,...";
            case TEXTS -> "TEXT,...";
        };
    }

    @Override
    public Integer call() throws InterruptedException {
        PrintWriter err = spec.commandLine().getErr();
        NodeSettings config;
        try {
            if (health != null) {
                return answer(health.ask(folder(), Clock.SYSTEM));
            }
            config = NodeSettings.of(values(), file == null ? COMMAND_LINE : file.toString());
        } catch (ConfigException e) {
            e.faults().forEach(fault -> err.println("./teff node: " + fault));
            err.println("Try './teff node --help'.");
            return WRONG_USE;
        }
        try (LogFile log = new LogFile(config.log(), Clock.SYSTEM)) {
            System.Logger backend = ServiceLoader.load(System.LoggerFinder.class).findFirst().isEmpty() ? null
                : System.getLogger("io.teff.cluster." + config.name());
            return run(config, new FileLogger(config.name(), log, backend));
        } catch (NodeStartException e) {
            FailureText.of(e).lines().forEach(line -> err.println("./teff node: " + line));
        } catch (IOException | JMException e) {
            err.println("./teff node: " + FailureText.of(e));
        }
        return 1;
    }

    /** Returns the folder of the node; the rest of the configuration may be on the command line of the node. */
    private Path folder() throws ConfigException {
        OptionValue folder = values().get(NodeOption.FOLDER);
        if (folder == null) {
            throw new ConfigException(List.of("--health needs --folder, or --config with node.folder"));
        }
        return folder.base().resolve(folder.text()).toAbsolutePath();
    }

    private int answer(HealthQuestion.Answer answer) {
        PrintWriter out = spec.commandLine().getOut();
        out.println(isJson ? "{\"isWell\": " + answer.isWell() + ", \"state\": \"" + answer.state() + "\"}"
            : answer.text());
        out.flush();
        return answer.isWell() ? 0 : 1;
    }

    private Map<NodeOption, OptionValue> values() throws ConfigException {
        Map<NodeOption, OptionValue> values = new EnumMap<>(NodeOption.class);
        if (file != null) {
            values.putAll(NodeFile.read(file));
        }
        for (NodeOption option : NodeOption.values()) {
            Object value = spec.findOption(option.flag()).getValue();
            if (value != null) {
                List<String> texts = value instanceof List<?> list ? list.stream().map(String::valueOf).toList()
                    : List.of(value.toString());
                values.put(option, new OptionValue(texts, option.flag(), Path.of("")));
            }
        }
        return values;
    }

    private int run(NodeSettings config, System.Logger log) throws NodeStartException, IOException, JMException,
        InterruptedException {
        CountDownLatch isAsked = new CountDownLatch(1);
        CountDownLatch isEnded = new CountDownLatch(1);
        AtomicBoolean isRunning = new AtomicBoolean();
        String failure;
        int code;
        Runtime.getRuntime().addShutdownHook(Threads.SYSTEM.create("teff-end", () -> {
            isAsked.countDown();
            if (isRunning.get()) {                              // during the start there is nothing to end in order
                awaitEnd(isEnded, log);
            }
        }));
        EndSignals.exitInOrder();
        try {
            LogKind.NODE.log(log, "starts: " + config.role().text() + " " + config.name() + ", "
                + ProcessId.current() + ", " + config);
            var _ = RestartMark.take(config.folder());
            ClusterNode node = config.start(log);
            boolean isOrderly = false;
            try (HealthBeat _ = new HealthBeat(node, log)) {
                node.awaitReady(PATIENCE_NS);
                isRunning.set(true);
                NodeBean.register(node);
                new RunFile(ProcessId.current(), node.life()).write(config.folder());
                String ready = "ready: " + config.name() + ", " + config.role().text() + " with NID "
                    + node.life().nid() + ", at " + AddressText.of(config.listen()) + ", " + ProcessId.current()
                    + ", log " + config.log();
                LogKind.NODE.log(log, ready);
                spec.commandLine().getOut().println(ready);
                spec.commandLine().getOut().flush();
                NodeExtra.Running beside = startExtra(config, log);
                CountDownLatch isWished = new CountDownLatch(1);
                if (isManaged) {
                    node.onRestart(ProcessId.current().pid(), isWished::countDown);
                }
                boolean isRestart = watch(node, isAsked, isWished);
                if (beside != null) {
                    beside.end().run();
                }
                failure = node.failure();
                code = failure != null ? 1 : isRestart ? RESTART : 0;
                (failure == null ? LogKind.NODE : LogKind.NODE_FAILED).log(log, failure != null ? failure
                    : isRestart ? "ends by an order of operators, to be started again" : "ends");
                if (isRestart) {
                    RestartMark.write(config.folder());
                }
                isOrderly = failure == null;
                print(failure);
            } catch (NodeStartException e) {
                failure = FailureText.of(e);
                code = 1;
                LogKind.NODE_FAILED.log(log, "cannot start: " + failure);
                print(failure);
            } finally {
                close(node, isOrderly, isEnded, log);
            }
            RunFile.delete(config.folder());
            LogKind.NODE.log(log, "ended");
            return code;
        } catch (NodeStartException e) {
            LogKind.NODE_FAILED.log(log, "cannot start: " + FailureText.of(e));
            throw e;
        } finally {
            isEnded.countDown();
        }
    }

    /** Starts what runs beside the node. A node goes on without its console. */
    private NodeExtra.@Nullable Running startExtra(NodeSettings config, System.Logger log) {
        try {
            NodeExtra.Running running = extra.start(config, log);
            if (running != null) {
                LogKind.NODE.log(log, running.text());
            }
            return running;
        } catch (IOException e) {
            LogKind.NODE_FAILED.log(log, "the console cannot start: " + FailureText.of(e));
            return null;
        }
    }

    /** Prints a failure before the close of the node, because the close may not return. */
    private void print(@Nullable String failure) {
        if (failure != null) {
            PrintWriter err = spec.commandLine().getErr();
            failure.lines().forEach(line -> err.println("./teff node: " + line));
            err.flush();
        }
    }

    /** Closes the node. A failed part may not end, for instance an archive at damaged files; then the process ends. */
    private static void close(ClusterNode node, boolean isOrderly, CountDownLatch isEnded, System.Logger log) {
        if (!isOrderly) {
            Threads.SYSTEM.start("teff-halt", () -> awaitEnd(isEnded, log));
        }
        node.close();
    }

    /** Waits for the end of the node. If a part of the node does not end, ends the process at once. */
    private static void awaitEnd(CountDownLatch isEnded, System.Logger log) {
        try {
            if (!isEnded.await(END_S, TimeUnit.SECONDS)) {
                LogKind.NODE_FAILED.log(log, "a part of the node does not end: the process ends");
                Runtime.getRuntime().halt(1);
            }
        } catch (InterruptedException _) {
            return;                                             // the threads are never interrupted
        }
    }

    /**
     * Waits until the process is to end or the node has failed, and writes each new life to the file of the run.
     * Returns whether the process is to be started again.
     */
    private static boolean watch(ClusterNode node, CountDownLatch isAsked, CountDownLatch isWished)
        throws IOException, InterruptedException {
        NodeLife known = node.life();
        while (node.failure() == null && isWished.getCount() > 0 && !isAsked.await(WATCH_MS, TimeUnit.MILLISECONDS)) {
            NodeLife now = node.life();
            if (!now.equals(known)) {
                new RunFile(ProcessId.current(), now).write(node.settings().folder());
                known = now;
            }
        }
        return isWished.getCount() == 0 && isAsked.getCount() > 0;
    }
}
