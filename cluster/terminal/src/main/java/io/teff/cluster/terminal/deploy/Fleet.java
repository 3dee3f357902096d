package io.teff.cluster.terminal.deploy;

import io.teff.cluster.admin.NodeLife;
import io.teff.cluster.terminal.local.CommandFailure;
import io.teff.engine.os.FailureText;
import io.teff.engine.os.Threads;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** All hosts of a deployment: does steps at all hosts at once, and at single nodes. */
final class Fleet {
    /** How long a node may take to end: its own limit, and some seconds. */
    private static final String STOP_S = "30";
    private static final String NODE_SCRIPT = "node.sh";

    private static final Pattern VERSION = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]*");

    private final Deployment deployment;
    private final Map<String, Host> hosts = new LinkedHashMap<>();
    private final Consumer<String> progress;

    /**
     * Makes the hosts, without a connection.
     *
     * @param progress receives lines about finished steps, from several threads
     */
    Fleet(Deployment deployment, HostShell shell, Consumer<String> progress) {
        this.deployment = deployment;
        this.progress = progress;
        deployment.hosts().forEach(plan -> hosts.put(plan.name(), new Host(plan, shell)));
    }

    Deployment deployment() {
        return deployment;
    }

    private Host host(NodePlan node) {
        return Objects.requireNonNull(hosts.get(node.host().name()));
    }

    /** Does something at all hosts at once. Failures of hosts become one failure with all their texts. */
    <R> Map<String, R> each(Function<Host, R> work) {
        return each(hosts.keySet(), name -> work.apply(Objects.requireNonNull(hosts.get(name))));
    }

    /** Does something for all names at once; the results have the order of the names. */
    private static <R> Map<String, R> each(Collection<String> names, Function<String, R> work) {
        Map<String, R> results = new ConcurrentHashMap<>();
        Map<String, String> failures = new ConcurrentHashMap<>();
        List<Thread> threads = new ArrayList<>();
        for (String name : names) {
            Thread thread = Threads.SYSTEM.create("teff-deploy-" + name, () -> {
                failures.put(name, "a fault of this program");
                try {
                    results.put(name, work.apply(name));
                    failures.remove(name);
                } catch (CommandFailure e) {
                    failures.put(name, FailureText.of(e));
                }
            });
            thread.start();
            threads.add(thread);
        }
        threads.forEach(Threads::join);
        if (!failures.isEmpty()) {
            throw new CommandFailure(String.join("\n", new TreeMap<>(failures).values()));
        }
        Map<String, R> ordered = new LinkedHashMap<>();
        names.forEach(name -> ordered.put(name, Objects.requireNonNull(results.get(name))));
        return ordered;
    }

    // ---- steps at all hosts ----

    /** Finds the facts of all hosts. */
    Map<String, HostFacts> facts() {
        return each(host -> {
            HostFacts facts = new HostFacts(host.plan());
            host.run(facts::line, "facts", host.plan().java());
            return facts;
        });
    }

    /** Brings a version to all hosts that lack the version. */
    void install(VersionStage stage) {
        each(host -> {
            boolean isThere = !host.run("has", stage.version()).isEmpty();
            if (!isThere) {
                host.send(stage.folder(), "unpack", stage.version());
            }
            progress.accept(host.plan().name() + (isThere ? " has " : " got ") + stage.version());
            return isThere;
        });
    }

    /** Fails unless all hosts have a version. */
    void requireVersion(String version) {
        if (!VERSION.matcher(version).matches()) {
            throw new CommandFailure("'" + version + "' is no name of a version");
        }
        List<String> lacking = new ArrayList<>();
        each(host -> !host.run("has", version).isEmpty()).forEach((name, isThere) -> {
            if (!isThere) {
                lacking.add(name);
            }
        });
        if (!lacking.isEmpty()) {
            throw new CommandFailure("version " + version + " is not installed at " + String.join(", ", lacking));
        }
    }

    /** Writes the configurations of all nodes. Running nodes keep the configurations with which they have started. */
    void configure() {
        each(host -> {
            try {
                Path stage = Files.createTempDirectory("teff-configure");
                try {
                    for (NodePlan node : deployment.nodes(host.plan())) {
                        write(Files.createDirectories(stage.resolve("nodes").resolve(node.name())), node);
                    }
                    List<String> lines = Files.exists(stage.resolve("nodes")) ? host.send(stage, "configure",
                        deployment.manager().text(), host.plan().java()) : List.<String>of();
                    lines.forEach(line -> progress.accept(host.plan().name() + " " + line));
                    return lines;
                } finally {
                    VersionStage.delete(stage);
                }
            } catch (IOException e) {
                throw new CommandFailure(host.plan().name() + ": " + FailureText.of(e), e);
            }
        });
    }

    private static void write(Path folder, NodePlan node) throws IOException {
        Files.writeString(folder.resolve("node.toml"), node.text());
        try (InputStream in = Objects.requireNonNull(Fleet.class.getResourceAsStream(NODE_SCRIPT))) {
            String script = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            Files.writeString(folder.resolve(NODE_SCRIPT), script.replace("@HEAP@", node.heap()));
        }
        Files.writeString(folder.resolve("node.service"), SystemdUnit.ofUser(node));
        for (Map.Entry<String, Path> file : node.files().entrySet()) {
            Path copy = folder.resolve(file.getKey());
            Files.copy(file.getValue(), copy);
            Files.setPosixFilePermissions(copy, PosixFilePermissions.fromString("rw-------"));
        }
    }

    /** Returns the states of all nodes by their names, also of nodes that were never configured. */
    Map<String, NodeState> states() {
        Map<String, NodeState> states = new LinkedHashMap<>();
        each(host -> {
            List<String> words = new ArrayList<>(List.of("state"));
            deployment.nodes(host.plan()).forEach(node -> words.add(node.name()));
            return host.run(words.toArray(String[]::new)).stream().map(NodeState::parse).toList();
        }).values().forEach(all -> all.forEach(state -> states.put(state.node(), state)));
        return states;
    }

    /**
     * Removes all nodes and versions.
     *
     * @param withData whether data and logs go, too
     * @return lines about what was removed and kept
     */
    List<String> remove(boolean withData) {
        List<String> lines = new ArrayList<>();
        each(host -> {
            List<String> words = new ArrayList<>(List.of("remove", withData ? "data" : "nodata"));
            deployment.nodes(host.plan()).forEach(node -> words.add(node.name()));
            return host.run(words.toArray(String[]::new));
        }).forEach((name, each) -> each.forEach(line -> lines.add(name + " " + line)));
        return lines;
    }

    /** Writes the logs of all nodes of each host to an archive. */
    void collect(Path folder) {
        each(host -> {
            Path file = folder.resolve(host.plan().name() + ".tar");
            host.fetch(file, "collect");
            progress.accept("wrote " + file);
            return file;
        });
    }

    // ---- steps at single nodes ----

    /** Chooses the version of an ended node. */
    void link(NodePlan node, String version) {
        host(node).run("link", node.name(), version);
    }

    /** Starts a node unless the node runs. Does not wait. */
    void start(NodePlan node) {
        host(node).run("start", node.name());
    }

    /** Ends nodes in order, all at once; waits for their ends. */
    void stop(List<NodePlan> nodes) {
        eachNode(nodes, node -> host(node).run("stop", node.name(), STOP_S)).forEach((name, _) ->
            progress.accept(name + " has ended"));
    }

    /**
     * Waits until nodes are ready.
     *
     * @param seconds the longest wait
     * @return what is wrong, by the names of nodes; empty if all nodes are ready
     */
    Map<String, String> awaitReady(List<NodePlan> nodes, int seconds) {
        Map<String, String> wrong = new TreeMap<>();
        eachNode(nodes, node -> host(node).run("ready", node.name(), String.valueOf(seconds)))
            .forEach((name, lines) -> {
                if (lines.isEmpty() || !lines.getFirst().startsWith("ready ")) {
                    wrong.put(name, wrong(lines, seconds));
                }
            });
        return wrong;
    }

    private static String wrong(List<String> lines, int seconds) {
        StringBuilder text = new StringBuilder(!lines.isEmpty() && lines.getFirst().startsWith("ended")
            ? "has ended at its start" : "is not ready after " + seconds + " s");
        lines.stream().filter(line -> line.startsWith("said ")).forEach(line -> text.append("\n    ")
            .append(line.substring("said ".length())));
        return text.toString();
    }

    /** Returns the life of a node; null unless the node is ready. */
    @Nullable NodeLife life(NodePlan node) {
        List<String> lines = host(node).run("state", node.name());
        return lines.isEmpty() ? null : NodeState.parse(lines.getFirst()).life();
    }

    /** Returns the last lines of a node's output and log. */
    List<String> logs(NodePlan node, int lines) {
        return host(node).run("logs", node.name(), String.valueOf(lines));
    }

    private <R> Map<String, R> eachNode(List<NodePlan> nodes, Function<NodePlan, R> work) {
        return each(nodes.stream().map(NodePlan::name).toList(), name -> work.apply(deployment.node(name)));
    }
}
