package io.teff.test.cluster.nodes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.ClientConfig;
import io.teff.cluster.ClusterStore;
import io.teff.cluster.access.Right;
import io.teff.cluster.access.Role;
import io.teff.cluster.terminal.cli.Terminal;
import io.teff.engine.Cid;
import io.teff.engine.Store;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.config.StoreConfig;
import io.teff.test.kit.ChildProcess;
import io.teff.test.kit.ChildProcess.Result;
import io.teff.test.kit.tier.FullTier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: each command of {@code ./teff cluster} and of the shell does for a role what the page of roles says, and tells
 * a person which role is missing.
 *
 * <p>Method: a superpeer and three peers as processes, and the token of a principal for each role. A table has a
 * command line and the needed right for each command; a command without a row fails the test. Most command lines run in
 * the JVM of the test, and some in processes.
 */
@Tag("processes")
@FullTier("a cluster of processes, and 200 commands; RolesTest has each call of the administration")
@Timeout(value = 15, unit = TimeUnit.MINUTES)
final class RoleCommandsTest {
    private static final String MAIN = "io.teff.cluster.terminal.cli.Terminal";
    private static final int PEERS = 3;
    /** A command that is allowed ends in some way that has nothing to do with roles. */
    private static final int ANY_CODE = -1;
    /** Commands for processes and folders of this machine: they ask no cluster, or start and end processes. */
    private static final Set<String> LOCAL = Set.of("up", "down", "start", "kill", "logs", "roll",
        "demo", "supervise", "rebuild", "verify", "export", "plan", "train", "help");
    /** A step of a rotation proves the new secret itself: RotationProcessTest. */
    private static final Set<String> ELSEWHERE = Set.of("rotate");
    /** Commands of the shell that ask no cluster, or repeat another command, and those of LOCAL. */
    private static final Set<String> OF_THE_SHELL = Set.of("help", "exit", "quit", "watch", "logs", "start", "kill");

    @TempDir
    private static Path folder;
    private static ConfiguredCluster cluster;
    private static String cid;

    /**
     * A command line.
     *
     * @param right the needed right
     * @param exitCode exit code if the command is allowed, or {@link #ANY_CODE}
     * @param words of the command; {@code NEW} stands for a new path
     */
    private record Row(Right right, int exitCode, List<String> words) {}

    private static Row row(Right right, int exitCode, String... words) {
        return new Row(right, exitCode, List.of(words));
    }

    private static List<Row> commands() {
        return List.of(
            row(Right.STATUS, 0, "status"),
            row(Right.STATUS, 0, "status", "--json"),
            row(Right.ANY, 0, "access"),
            row(Right.ANY, 0, "superpeers"),
            row(Right.ANY, 1, "superpeers", "remove", "9"),     // refused by a look at the tables, before an order
            row(Right.OPERATE, 0, "drain", "peer-1", "--undo"),
            row(Right.STATUS, 4, "drain", "peer-1", "--check"),
            row(Right.STATUS, 0, "rebalance", "--dry-run", "--look", "1"),
            row(Right.ANY, 4, "forget", "16"),                  // likewise, since the peer runs
            row(Right.ANY, 1, "accept-loss", "1"),              // likewise, since the zone does not wait
            row(Right.ADMINISTER, 0, "backup", "NEW"),
            row(Right.ANY, 1, "restore", "BACKUP"),             // likewise, since the backup is of this cluster
            row(Right.ADMINISTER, 0, "import", "SNAPSHOT"),
            row(Right.READ, 0, "exec", "counter", "get", "count"));
    }

    private static List<Row> tasks() {
        List<Row> rows = new ArrayList<>();
        for (String read : List.of("map get accounts me", "map scan accounts", "sorted get orders 1",
            "sorted range orders", "set contains seen 1", "set scan seen", "queue peek jobs", "queue size jobs",
            "list get stops 0", "list size stops", "list scan stops", "collections", "size accounts", "chunk get CID",
            "chunk dump CID", "chunk status CID", "chunk list --limit 1", "names list", "names get config/a",
            "counter get count", "lock leader nobody", "jars list")) {
            rows.add(row(Right.READ, 0, read));
        }
        for (String write : List.of("map put accounts you 2", "sorted put orders 2 b",
            "set add seen 2", "queue offer jobs 5",
            "queue poll jobs --yes", "list add stops 5", "chunk create hello", "chunk put CID hello", "chunk lock CID",
            "names register config/b 1", "counter add count 1", "lock acquire one",
            "lock permits two 1 --of 2", "lock lead three me", "barrier wait four 1")) {
            rows.add(row(Right.WRITE, 0, write));
        }
        for (String missing : List.of("map remove accounts none --yes", "sorted remove orders 9 --yes",
            "set remove seen 9 --yes", "names remove config/none --yes")) {
            rows.add(row(Right.WRITE, 1, missing));
        }
        rows.add(row(Right.ANY, 0, "lock held"));               // the holds of this shell
        rows.add(row(Right.ANY, 1, "lock release nothing"));
        rows.add(row(Right.WRITE, ANY_CODE, "chunk name CID alias"));
        rows.add(row(Right.WRITE, ANY_CODE, "chunk remove 1:999999 --yes"));
        rows.add(row(Right.WRITE, ANY_CODE, "drop once --yes"));    // the second time there is no such collection
        rows.add(row(Right.READ, 1, "chunk unlock CID"));       // this shell has not locked it
        rows.add(row(Right.STATUS, 0, "nodes"));
        rows.add(row(Right.STATUS, 0, "node peer-1"));
        rows.add(row(Right.ANY, 0, "zones"));
        rows.add(row(Right.ANY, 0, "zone 1"));
        rows.add(row(Right.STATUS, 0, "status"));
        rows.add(row(Right.ANY, 0, "superpeers"));
        rows.add(row(Right.OPERATE, 0, "drain peer-1 --undo"));
        rows.add(row(Right.STATUS, 0, "rebalance --dry-run --look 1"));
        rows.add(row(Right.ANY, 1, "forget 16 --yes"));
        rows.add(row(Right.ANY, 1, "accept-loss 1 --yes"));     // zone 1 does not wait
        return rows;
    }

    // ---- the cluster ----

    private static String name(Role role) {
        return role.name().toLowerCase(Locale.ROOT);
    }

    private static ClientConfig client(String secret) throws IOException {
        return ClientConfig.builder(cluster.entrance()).secret(folder.resolve(secret))
            .timeoutNs(TimeUnit.SECONDS.toNanos(60)).build();
    }

    @BeforeAll
    static void startCluster() throws Exception {
        ConfiguredCluster.secret(folder.resolve("secret"), "the secret of all nodes");
        StringBuilder roles = new StringBuilder();
        for (Role role : Role.values()) {
            ConfiguredCluster.secret(folder.resolve(name(role)), "the token of " + name(role));
            roles.append("[%s]\nroles = \"%s\"\ntoken-file = \"%s\"\n".formatted(name(role), name(role), name(role)));
        }
        Files.writeString(folder.resolve("roles.toml"), roles);
        cluster = new ConfiguredCluster(folder, PEERS, "secret-file = \"secret\"\nroles-file = \"roles.toml\"\n");
        cluster.awaitBacked(client("secret"));
        try (ClusterStore store = ClusterStore.connect(client("secret"))) {
            store.map("accounts", Codecs.STRING, Codecs.LONG).put("me", 40L);
            store.sortedMap("orders", Codecs.LONG, Codecs.STRING).put(1L, "a");
            store.set("seen", Codecs.LONG).add(1L);
            store.set("once", Codecs.LONG).add(1L);
            for (long i = 0; i < 2 * Role.values().length; i++) {
                store.queue("jobs", Codecs.LONG).add(i);
            }
            store.list("stops", Codecs.LONG).add(1L);
            store.services().names().put("config/a", new byte[] {1});
            store.services().counter("count").getAndAdd(1);
            cid = Cid.toString(store.create(new byte[] {1, 2, 3}));
        }
        try (Store local = Store.open(StoreConfig.builder().memoryLimitBytes(64L << 20).build())) {
            local.create(new byte[] {1, 2, 3});
            local.snapshot(folder.resolve("snapshot"));
        }
        assertEquals(0, run(List.of("cluster", "backup", folder.resolve("backup").toString(), "--superpeers",
            cluster.entrance(), "--secret-file", folder.resolve("secret").toString())).exitCode());
    }

    @AfterAll
    static void end() {
        if (cluster != null) {
            cluster.close();
        }
    }

    // ---- command lines ----

    private static Result run(List<String> words) {
        return TeffCommand.here(words.toArray(String[]::new));
    }

    /** Returns a command line with the token of a role. */
    private static List<String> line(Row row, Role role, boolean isShell) {
        List<String> words = new ArrayList<>();
        String token = folder.resolve(name(role)).toString();
        if (isShell) {
            words.addAll(List.of("shell", cluster.entrance(), "--secret-file", token, "-c",
                row.words().getFirst().replace("CID", cid)));
            return words;
        }
        words.add("cluster");
        List<String> options = List.of("--superpeers", cluster.entrance(), "--secret-file", token);
        boolean isExec = row.words().getFirst().equals("exec");
        words.add(row.words().getFirst());
        if (isExec) {
            words.addAll(options);                              // behind its name are the options of the command
        }
        row.words().stream().skip(1).map(word -> switch (word) {
            case "NEW" -> folder.resolve("new-" + System.nanoTime()).toString();
            case "BACKUP" -> folder.resolve("backup").toString();
            case "SNAPSHOT" -> folder.resolve("snapshot").toString();
            default -> word;
        }).forEach(words::add);
        if (!isExec) {
            words.addAll(options);
        }
        return words;
    }

    private static void check(List<String> faults, Row row, Role role, Result result) {
        String said = result.output() + result.errors();
        boolean isDenied = said.contains("the principal " + name(role) + " may not ") && said.contains(": the role ")
            && result.exitCode() == 1;
        boolean isRight = role.has(row.right())
            ? !said.contains("may not ") && (row.exitCode() == ANY_CODE || row.exitCode() == result.exitCode())
            : isDenied;
        if (!isRight) {
            faults.add(row.words() + " by " + name(role) + (role.has(row.right()) ? ", allowed" : ", not allowed")
                + ": code " + result.exitCode() + ", " + said.strip());
        }
    }

    // ---- tests ----

    @Test
    void eachCommandOfCluster_withEachRole_doesWhatTheRoleMay() {
        List<String> faults = new ArrayList<>();
        for (Row row : commands()) {
            for (Role role : Role.values()) {
                check(faults, row, role, run(line(row, role, false)));
            }
        }
        assertEquals("", String.join("\n", faults));
        cluster.checkAlive();
    }

    @Test
    void eachCommandOfTheShell_withEachRole_doesWhatTheRoleMay() {
        List<String> faults = new ArrayList<>();
        for (Row row : tasks()) {
            for (Role role : Role.values()) {
                check(faults, row, role, run(line(row, role, true)));
            }
        }
        assertEquals("", String.join("\n", faults));
        cluster.checkAlive();
    }

    @Test
    void processes_withEachRole_areAllowedOrDenied() throws Exception {
        List<String> faults = new ArrayList<>();
        Row operate = row(Right.OPERATE, 0, "drain", "peer-1", "--undo");
        Row write = row(Right.WRITE, 0, "counter add count 1");
        for (Role role : Role.values()) {
            check(faults, operate, role, child(line(operate, role, false)));
            check(faults, write, role, child(line(write, role, true)));
        }
        assertEquals("", String.join("\n", faults));
    }

    /** Runs a command in a process; once more if the machine is too busy for an answer in time. */
    private static Result child(List<String> line) throws IOException, InterruptedException {
        Result result = start(line);
        return result.errors().contains("not done within") ? start(line) : result;
    }

    private static Result start(List<String> line) throws IOException, InterruptedException {
        return ChildProcess.java(folder, Stream.concat(Stream.of("--enable-native-access=ALL-UNNAMED", "-Xmx64m",
            "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", ChildProcess.classPath(), MAIN), line.stream())
            .toArray(String[]::new));
    }

    @Test
    void strangersToken_isRefused_withTheReason() throws Exception {
        ConfiguredCluster.secret(folder.resolve("stranger"), "a token that no node knows");
        for (List<String> words : List.of(List.of("cluster", "status", "--superpeers", cluster.entrance()),
            List.of("shell", cluster.entrance(), "-c", "nodes"))) {
            List<String> line = new ArrayList<>(words);
            line.addAll(List.of("--secret-file", folder.resolve("stranger").toString()));
            Result result = run(line);
            assertEquals(1, result.exitCode(), result::output);
            assertTrue((result.output() + result.errors()).contains("different secrets"), result::errors);
        }
    }

    /** A new command needs a row, or a place among the commands that ask no cluster. */
    @Test
    void eachCommand_hasARow() {
        Set<String> found = new TreeSet<>(Terminal.commandLine().getSubcommands().get("cluster").getSubcommands()
            .keySet());
        found.removeAll(LOCAL);
        found.removeAll(ELSEWHERE);
        commands().forEach(row -> found.remove(row.words().getFirst()));
        assertEquals(Set.of(), found, "commands of cluster without a row");
        Set<String> tasks = new TreeSet<>();
        String help = run(List.of("shell", cluster.entrance(), "--secret-file", folder.resolve("admin").toString(),
            "-c", "help")).output();
        tasks.addAll(names(help));
        assertTrue(tasks.size() > 20, help);
        tasks.removeAll(OF_THE_SHELL);
        tasks().forEach(row -> tasks.remove(row.words().getFirst().split(" ")[0]));
        assertEquals(Set.of(), tasks, "commands of the shell without a row");
    }

    /** Returns the first words of the lines of the help. */
    private static List<String> names(String help) {
        return help.lines().filter(line -> line.matches(" {2}[a-z-]+ {2,}.*"))
            .map(line -> line.strip().split(" ")[0]).toList();
    }
}
