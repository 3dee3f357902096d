package io.teff.cluster.terminal.shell;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.jr.ob.JSON;
import io.teff.cluster.ClusterStore;
import io.teff.cluster.terminal.cli.Terminal;
import io.teff.cluster.terminal.local.NodesHere;
import io.teff.cluster.terminal.shell.task.ShellRoot;
import io.teff.cluster.terminal.shell.task.ShellSession;
import io.teff.engine.Cid;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.codec.schema.Schema;
import io.teff.test.kit.Project;
import io.teff.test.kit.tier.FullTier;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.invoke.MethodHandles;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.Model.CommandSpec;

/** The commands of the shell, at a cluster in this process. */
@FullTier("10 s: starts three nodes; ShellTest has scripts, failures and help without a cluster")
final class ShellOnClusterTest {
    private static final Pattern CID = Pattern.compile("\\d+:\\d+\\.\\d+");

    @TempDir
    private static Path folder;
    private static NodesHere cluster;
    private static ClusterStore store;

    record Account(String owner, long cents) {}

    /** A command with its exit code and what it has printed. */
    private record Ran(int code, String output, String errors) {
        Ran succeeds(String expected) {
            assertEquals(0, code, errors);
            assertTrue(output.contains(expected), output);
            return this;
        }

        Ran fails(int expectedCode, String expected) {
            assertEquals(expectedCode, code, () -> output + errors);
            assertEquals(expected, errors.strip());
            return this;
        }
    }

    @BeforeAll
    static void start() throws Exception {
        cluster = NodesHere.start(folder.resolve("cluster"));
        store = ClusterStore.connect(cluster.address());
        Schema<Account> account = Schema.builder(Account.class).lookup(MethodHandles.lookup()).build();
        store.map("accounts", Codecs.STRING, account).put("me", new Account("me", 40));
        store.map("counts", Codecs.STRING, Codecs.LONG).put("index", 41L);
        store.longMap("ids", Codecs.STRING).put(7L, "seven");
        store.map("byaccount", account, Codecs.INT).put(new Account("x", 1), 5);
        store.set("seen", Codecs.STRING).add("page-7");
        store.queue("jobs", Codecs.STRING).addAll(List.of("a", "b", "c"));
        store.list("stops", Codecs.STRING).addAll(List.of("x", "y"));
        store.sortedMap("orders", Codecs.LONG, Codecs.STRING).putAll(Map.of(10L, "ten", 20L, "twenty", 30L, "thirty"));
        store.sortedMap("back", Codecs.STRING, Codecs.LONG, Comparator.reverseOrder()).putAll(Map.of("a", 1L, "b", 2L));
    }

    @AfterAll
    static void end() {
        if (store != null) {
            store.close();
        }
        if (cluster != null) {
            cluster.close();
        }
    }

    private static Ran teff(String... words) {
        StringWriter output = new StringWriter();
        StringWriter errors = new StringWriter();
        int code = Terminal.commandLine().setOut(new PrintWriter(output)).setErr(new PrintWriter(errors))
            .execute(words);
        return new Ran(code, output.toString(), errors.toString());
    }

    private static Ran exec(String line) {
        return teff("cluster", "exec", "--dir", cluster.path().toString(), line);
    }

    private static Object json(String line) throws IOException {
        return JSON.std.anyFrom(exec(line + " --json").succeeds("").output);
    }

    // ---- nodes and zones ----

    @Test
    void nodesAndZones_areShown() throws IOException {
        exec("nodes --await 2").succeeds("superpeer-1").succeeds("peer-2");
        exec("node peer-1").succeeds("shipping.changesBehind");
        exec("node peer-1 --zones").succeeds("copies");
        Map<?, ?> node = (Map<?, ?>) json("node peer-1");
        assertEquals("peer", node.get("role"));
        List<?> zones = (List<?>) json("zones --node peer-1");
        Map<?, ?> zone = (Map<?, ?>) zones.getFirst();
        assertEquals("peer-1", zone.get("owner"));
        exec("zone " + zone.get("zone")).succeeds("owner     peer-1").succeeds("backup  peer-2");
        assertEquals(List.of(), json("zones --waiting"));
        exec("node peer-9").fails(1, "node: there is no node peer-9; is it peer-1?");
        exec("zone 60000").fails(1, "zone: there is no zone 60000");
    }

    @Test
    void jars_areUploadedListedAndRemoved() throws IOException {
        Path jar = folder.resolve("my deposits.jar");
        Files.write(jar, new byte[] {'P', 'K', 5, 6, 0});
        String hash = (String) ((Map<?, ?>) json("jars add '" + jar + "'")).get("sha256");
        exec("jars list").succeeds("my deposits.jar").succeeds(hash);
        exec("jars remove 0 --json").fails(1, "jars remove: no jar of the cluster begins with 0; jars list shows all");
        exec("jars remove " + hash.substring(0, 8)).succeeds("removed my deposits.jar");
        assertEquals(List.of(), json("jars list"));
        Path text = Files.writeString(folder.resolve("text.jar"), "text");
        exec("jars add " + text).fails(1, "jars add: text.jar is no jar");
        exec("jars add " + folder.resolve("none.jar")).fails(1, "jars add: the jar cannot be read: "
            + folder.resolve("none.jar") + ": there is no such file or folder");
    }

    /** The commands of {@code cluster} are commands of the shell, for the cluster of the shell. */
    @Test
    void commandsOfCluster_takeTheFolderOfTheShell() throws IOException {
        exec("status").succeeds("cluster in " + cluster.path());
        exec("superpeers").succeeds("counts, leads");
        exec("logs peer-1").succeeds("");
        exec("start peer-7").fails(1, "start: there is no node peer-7; the nodes are superpeer-1, peer-1, peer-2");
        Ran elsewhere = teff("cluster", "exec", "--superpeers", cluster.address(), "status", "--json");
        elsewhere.succeeds("\"answering\" : true");
        assertTrue(teff("shell", cluster.address(), "-c", "size jobs").succeeds("").output.matches("\\d+\n"));
    }

    // ---- chunks ----

    @Test
    void chunks_areCreatedReadChangedAndRemoved() throws IOException {
        String cid = exec("chunk create --as owner=utf8:8,cents=long me -40").succeeds(":").output.strip();
        exec("chunk get " + cid + " --as owner=utf8:8,cents=long").succeeds("owner  me").succeeds("cents  -40");
        exec("chunk put " + cid + " --as skip:8,long 7").succeeds("16 bytes");
        exec("chunk get " + cid).succeeds("00000000  6d 65 00 00 00 00 00 00 07 00 00 00 00 00 00 00");
        assertEquals(Map.of("cid", cid, "size", 16, "fields", Map.of("1", "me", "2", 7)),
            json("chunk get " + cid + " --as utf8:8,long"));
        exec("chunk get " + cid + " --as int").succeeds("and 12 more bytes");
        exec("chunk status " + cid).succeeds("exists   true").succeeds("peer-");
        exec("chunk name " + cid + " alpha").succeeds("@alpha is " + cid);
        exec("chunk put @alpha hello").succeeds("5 bytes");
        exec("chunk dump @alpha").succeeds("|hello|");
        Path file = folder.resolve("chunk.bin");
        exec("chunk dump @alpha '" + file + "'").succeeds("5 bytes in ");
        assertEquals("hello", Files.readString(file));
        exec("chunk dump @alpha '" + file + "'").fails(1, "chunk dump: there is a file " + file + " already");
        exec("chunk create --near " + cid + " --size 3").succeeds(cid.substring(0, cid.indexOf(':') + 1));
        exec("chunk list --limit 1").succeeds("--limit shows them");
        exec("chunk remove @alpha --yes").succeeds("removed: 1");
        exec("chunk get " + cid).fails(1, "chunk get: there is no chunk " + cid);
        exec("chunk remove " + cid + " --yes").fails(1, "chunk remove: there is no chunk " + cid);
        exec("drop alpha --yes").succeeds("dropped alpha");
        exec("chunk get @alpha").fails(1, "chunk get: there is no chunk with the name alpha");
        exec("chunk get @jobs").fails(1, "chunk get: jobs is no chunk, but a queue");
    }

    @Test
    void range_ofChunks_isRemoved() {
        long[] cids = new long[5];
        assertEquals(5, store.ids().reserve(cids, 0, 5));
        for (int i : new int[] {0, 1, 4}) {
            assertEquals(0, store.ids().createAt(cids[i], new byte[1]));
        }
        String first = Cid.toString(cids[0]);
        exec("chunk remove " + first + " --to " + Cid.toString(cids[4]) + " --yes").succeeds("removed: 3");
        exec("chunk remove " + first + " --to 1:1 --yes").fails(2, "chunk: --to takes one first CID, of the same zone "
            + "and generation, at most 65,535 indexes before");
    }

    @Test
    void lockOfAChunk_holdsForTheSession() {
        String cid = Cid.toString(store.create(new byte[8]));
        try (ShellSession session = session(new StringWriter())) {
            Script script = new Script(session);
            assertEquals(0, script.line("chunk lock " + cid));
            exec("chunk lock " + cid).fails(1, "chunk lock: chunk " + cid + " is locked by another holder");
            assertEquals(0, script.line("chunk put " + cid + " 12345678; chunk unlock " + cid));
            exec("chunk lock --read " + cid).succeeds("locked");
            assertEquals(1, script.line("chunk unlock " + cid));
        }
    }

    private static ShellSession session(StringWriter output) {
        ShellOptions options = new ShellOptions();
        PrintWriter writer = new PrintWriter(output);
        return new ShellSession(options.place(CommandSpec.create(), List.of(cluster.address())),
            writer, writer);
    }

    // ---- collections ----

    @Test
    void maps_areReadAndChanged_withoutTheClassesOfTheirValues() throws IOException {
        assertEquals(Map.of("key", "me", "value", Map.of("owner", "me", "cents", 40)), json("map get accounts me"));
        exec("map scan accounts").succeeds("me   {\"owner\":\"me\",\"cents\":40}");
        exec("map scan byaccount").succeeds("{\"owner\":\"x\",\"cents\":1}");
        exec("map get ids 7").succeeds("seven");
        exec("map put counts index 42").succeeds("before: 41");
        exec("map put counts fresh -5").succeeds("added");
        assertEquals(-5L, store.map("counts", Codecs.STRING, Codecs.LONG).get("fresh"));
        exec("map remove counts fresh --yes").succeeds("removed: -5");
        exec("map get counts fresh").fails(1, "map get: counts has no key fresh");
        exec("map get count index").fails(1, "map get: there is no collection count; is it counts?");
        exec("map get jobs a").fails(1, "map get: jobs is a queue, no map");
        exec("map put counts index much").fails(1, "map put: 'much' is no long");
        exec("map put accounts me x").fails(1, "map put: the shell writes no values of struct(owner=standard "
            + "java.lang.String;cents=primitive LONG;...; allowed: 0x and hexadecimal digits, the bytes of the value");
        exec("collections").succeeds("accounts").succeeds("sorted map");
        exec("size accounts").succeeds("1");
    }

    @Test
    void otherCollections_areReadAndChanged() throws IOException {
        exec("sorted get orders 20").succeeds("twenty");
        assertEquals(List.of(Map.of("key", 20, "value", "twenty"), Map.of("key", 30, "value", "thirty")),
            json("sorted range orders --from 15"));
        exec("sorted range orders --to 20 --reverse --limit 1").succeeds(" 20  twenty");
        exec("sorted range back").succeeds("b        2\na        1\n");
        exec("sorted put orders -1 minus; sorted remove orders -1 --yes").succeeds("removed: minus");
        exec("queue peek jobs 2").succeeds("a\nb\n");
        exec("queue offer jobs d; queue size jobs").succeeds("4");
        exec("queue poll jobs --yes").succeeds("a");
        exec("list get stops 1").succeeds("y");
        exec("list get stops 9").fails(1, "list get: stops has no element 9");
        exec("list add stops z; list scan stops; list size stops").succeeds("x\ny\nz\n3\n");
        exec("set add seen new; set contains seen new; set scan seen").succeeds("added\nyes\n");
        exec("set remove seen new --yes; set contains seen new").succeeds("no");
        store.map("gone", Codecs.STRING, Codecs.STRING).put("a", "b");
        exec("drop gone --yes").succeeds("dropped gone");
        exec("size gone").fails(1, "size: there is no collection gone; collections lists them");
    }

    // ---- services ----

    @Test
    void names_counters_locksAndBarriers_areThoseOfTheServices() throws IOException {
        exec("names register config/a 40").succeeds("version ");
        assertEquals("40", new String(store.services().names().get("config/a").orElseThrow().value(),
            StandardCharsets.UTF_8));
        exec("names register --new config/a 41").fails(1, "names register: the name config/a exists");
        exec("names register --for 100 config/b 0xff00").succeeds("version ");
        exec("names list config/").succeeds("0xff00").succeeds("by its time");
        exec("names get config/b").succeeds("0xff00");
        exec("names remove config/a --yes").succeeds("removed");
        exec("names get config/a").fails(1, "names get: there is no name config/a");
        exec("counter add visits 3; counter add visits -1; counter get visits").succeeds("3\n2\n2\n");
        exec("lock acquire nightly; lock held; lock release nightly").succeeds("nightly").succeeds("released");
        exec("lock permits workers 2 --of 3; lock lead boss me; lock leader boss").succeeds("'me' leads");
        exec("lock leader boss").succeeds("no process leads");
        exec("lock release none").fails(1, "lock release: this session holds no none");
        exec("barrier wait begin 1 --value hi").succeeds("hi");
        exec("barrier wait begin 2 --timeout 0.01").fails(1, "barrier wait: the others have not come to the barrier "
            + "begin in time");
        try (var hold = store.services().lock("mine").acquire(0).orElseThrow()) {
            exec("lock acquire mine").fails(1, "lock acquire: the lock mine is held by others");
            hold.check();
        }
    }

    // ---- scripts and failures ----

    @Test
    void script_endsAtItsFirstFailure_withTheNumberOfTheLine() throws IOException {
        Path script = Files.writeString(folder.resolve("script.teff"), """
            # the second command of line 3 fails
            counter get script
            counter add script 1; map get nothing key
            counter add script 1
            """);
        teff("shell", "--dir", cluster.path().toString(), "-f", script.toString()).fails(1, script
            + ":3: map get: there is no collection nothing; collections lists them");
        exec("counter get script").succeeds("1");
        Files.writeString(script, "counter get script\nchunk get 'open\n");
        teff("shell", "--dir", cluster.path().toString(), "-f", script.toString()).fails(1, script
            + ":2: the quote at character 11 is not closed");
        Files.writeString(script, "counter get script\nexit\nnonsense\n");
        teff("shell", "--dir", cluster.path().toString(), "-f", script.toString()).succeeds("1\n");
        teff("shell", "--dir", cluster.path().toString(), "-f", "none.teff").fails(1,
            "./teff shell: the script none.teff does not exist");
    }

    @Test
    void wrongCommands_haveCode2_andNameTheNearest() {
        exec("chnuk get 1:1").fails(2, "there is no command chnuk; do you mean chunk?");
        exec("chunk gte 1:1").fails(2, "there is no command chunk gte; do you mean chunk get?");
        exec("explode").fails(2, "there is no command explode; help lists the commands");
        exec("chunk").fails(2, "chunk: name one of create, dump, get, list, lock, name, put, remove, status, unlock");
        exec("size").fails(2, "size: Missing required parameter: 'COLLECTION'");
        exec("nodes --jsn").fails(2, "nodes: unknown argument --jsn; do you mean --json?");
        exec("chunk get 1").fails(1, "chunk get: '1' is no CID; allowed: ZONE:INDEX as in 16:4711, "
            + "ZONE:INDEX.GENERATION, 0x and hexadecimal digits, or @NAME for a chunk with a name");
        exec("zone many").fails(2, "zone: Invalid value for positional parameter at index 0 (ZONE): 'many' is no "
            + "number in range");
        teff("cluster", "exec", "--dir", folder.resolve("none").toString(), "nodes").fails(1, "./teff cluster exec: "
            + "there is no cluster in folder " + folder.resolve("none") + ": it has no cluster.txt\n  start one with: "
            + "./teff cluster up --dir " + folder.resolve("none") + "\n  or name its folder: --dir DIR");
    }

    @Test
    void destruction_isAsked_orNeedsYes() {
        exec("drop jobs").fails(2, "drop: would remove the queue jobs with all its entries; it needs --yes");
        exec("kill peer-1").fails(2, "kill: would kill the node (peer-1); it needs --yes");
        exec("superpeers remove 127.0.0.1:1").fails(2, "superpeers remove: would remove the superpeer (127.0.0.1:1); "
            + "it needs --yes");
        StringWriter output = new StringWriter();
        List<String> asked = new ArrayList<>();
        try (ShellSession session = session(output)) {
            session.person(question -> !asked.add(question));
            assertEquals(1, ShellRoot.run(session, List.of("drop", "jobs")));
            assertEquals(1, ShellRoot.run(session, List.of("map", "remove", "counts", "index")));
            assertEquals(1, ShellRoot.run(session, List.of("accept-loss", "5")));
        }
        assertEquals(List.of("remove the queue jobs with all its entries", "remove the key index of counts",
            "give up copies of zones for good (5)"), asked);
        assertEquals("drop: nothing was changed\nmap remove: nothing was changed\naccept-loss: nothing was changed\n",
            output.toString());
        exec("queue size jobs").succeeds("");
    }

    @Test
    void watch_repeatsACommand_untilItFailsOrIsInterrupted() {
        assertEquals(3, exec("watch --times 3 0 counter get watched").succeeds("").output.lines().filter("0"::equals)
            .count());
        exec("watch 0 size none").fails(1, "size: there is no collection none; collections lists them");
        exec("watch 1 watch 1 nodes").fails(2, "watch: a watch of a watch is not possible");
        StringWriter output = new StringWriter();
        try (ShellSession session = session(output)) {
            session.interrupt();
            assertEquals(0, ShellRoot.run(session, List.of("watch", "100", "counter", "get", "watched")));
        }
    }

    @Test
    void help_listsCommands_andShowsOneWithExamples() {
        Ran help = exec("help").succeeds("chunk        Creates, reads").succeeds("create, dump, get");
        assertFalse(help.output.contains("quit"));
        exec("help chunk create").succeeds("Usage: chunk create [-h] [--json]").succeeds("--as=LAYOUT");
        exec("help map").succeeds("map scan accounts 10");
        exec("help nothing").fails(2, "help: there is no command nothing");
        exec("size --help").succeeds("Usage: size");
    }

    // ---- completion ----

    @Test
    void completion_knowsCommandsOptionsNodesZonesAndNames() {
        try (ShellSession session = session(new StringWriter())) {
            Completion completion = new Completion(session);
            assertEquals(List.of("node", "nodes"), sorted(completion.candidates(List.of(), "nod")));
            assertEquals(List.of("put"), completion.candidates(List.of("chunk"), "pu"));
            assertEquals(List.of("--as", "--all"), reversed(completion.candidates(List.of("chunk", "get"), "--a")));
            assertEquals(List.of("peer-1", "peer-2"), sorted(completion.candidates(List.of("node"), "peer")));
            assertTrue(completion.candidates(List.of("zone"), "").contains("1"));
            assertEquals(List.of("accounts"), completion.candidates(List.of("map", "get"), "ac"));
            assertEquals(List.of(), completion.candidates(List.of("map", "get", "accounts"), "m"));
            assertEquals(List.of("orders"), completion.candidates(List.of("sorted", "range", "--limit", "5"), "o"));
            assertEquals(List.of("jobs"), completion.candidates(List.of("size"), "jo"));
            assertEquals(List.of("a=int,long"), completion.candidates(List.of("chunk", "get", "--as"), "a=int,lo"));
            assertEquals(List.of("chunk"), completion.candidates(List.of("watch", "2"), "chu"));
            assertEquals(List.of("jobs"), completion.candidates(List.of("watch", "2", "queue", "size"), "j"));
            assertEquals(List.of("peek", "poll"), sorted(completion.candidates(List.of("help", "queue"), "p")));
        }
    }

    private static List<String> sorted(List<String> words) {
        return words.stream().sorted().toList();
    }

    private static List<String> reversed(List<String> words) {
        return words.stream().sorted(Comparator.reverseOrder()).toList();
    }

    // ---- the page ----

    /** CIDs differ from run to run. */
    @Test
    void sessionOfThePage_isAsItIsWritten() throws IOException {
        String page = Files.readString(Project.file("docs/CLUSTERS.md"));
        int begin = page.indexOf("\nteff> ");
        String text = page.substring(begin + 1, page.indexOf("```", begin)).strip();
        String cid = "";
        for (String part : text.split("(?m)^teff> ")) {
            if (!part.isEmpty()) {
                String command = part.lines().findFirst().orElseThrow();
                String expected = part.substring(command.length()).strip();
                Ran ran = exec(CID.matcher(command).replaceAll(cid));
                assertEquals(plain(expected), plain(ran.output + ran.errors), command);
                Matcher created = CID.matcher(ran.output);
                cid = created.find() ? created.group() : cid;
            }
        }
    }

    private static String plain(String text) {
        return CID.matcher(text.strip()).replaceAll("CID").replaceAll(" +", " ").replaceAll("\"version\":\\d+", "V");
    }
}
