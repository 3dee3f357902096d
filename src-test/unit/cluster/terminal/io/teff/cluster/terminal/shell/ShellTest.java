package io.teff.cluster.terminal.shell;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.ClusterStore;
import io.teff.cluster.admin.ClusterAdmin;
import io.teff.cluster.terminal.local.ClusterFolder;
import io.teff.cluster.terminal.shell.task.Place;
import io.teff.cluster.terminal.shell.task.ShellSession;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Scripts, failures, questions, help and completion of the shell, without a cluster. */
final class ShellTest {
    private static final int WRONG_USE = 2;

    private final StringWriter output = new StringWriter();
    private final ShellSession session = new ShellSession(new Nowhere(), new PrintWriter(output),
        new PrintWriter(output));
    private final Script script = new Script(session);

    /** A cluster that cannot be reached. */
    private static final class Nowhere implements Place {
        @Override
        public @Nullable ClusterFolder folder() {
            return null;
        }

        @Override
        public Map<String, String> options() {
            return Map.of();
        }

        @Override
        public ClusterAdmin connectAdmin() throws IOException {
            throw new IOException("no way");
        }

        @Override
        public ClusterStore connectStore() throws IOException {
            throw new IOException("no way");
        }
    }

    private String said() {
        String said = output.toString();
        output.getBuffer().setLength(0);
        return said;
    }

    private void assertSays(int code, String expected, String line) {
        assertEquals(code, script.line(line), output::toString);
        assertEquals(expected + "\n", said());
    }

    @Test
    void script_endsAtItsFirstFailure_withTheNumberOfTheLine() throws IOException {
        assertEquals(1, script.run("a.teff", new StringReader("# comment\n\nlock held; size jobs\nlock held\n")));
        assertEquals("NAME  TOKEN  HELD\na.teff:3: size: the cluster cannot be reached: no way\n", said());
        assertEquals(1, script.run("a.teff", new StringReader("lock held\nlock 'held\n")));
        assertEquals("NAME  TOKEN  HELD\na.teff:2: the quote at character 6 is not closed\n", said());
        assertEquals(1, script.run("a.teff", new StringReader("chnuk\n")));
        assertEquals("a.teff:1: there is no command chnuk; do you mean chunk?\n", said());
        assertEquals(0, script.run("a.teff", new StringReader("lock held --json; exit; chnuk\nchnuk\n")));
        assertEquals("[]\n", said());
        assertTrue(session.isOver());
    }

    @Test
    void failures_areOneLine_withTheExitCodeOfTheirKind() {
        assertSays(1, "chunk get: the cluster cannot be reached: no way", "chunk get 1:1");
        assertSays(1, "chunk get: '1' is no CID; allowed: ZONE:INDEX as in 16:4711, ZONE:INDEX.GENERATION, 0x and "
            + "hexadecimal digits, or @NAME for a chunk with a name", "chunk get 1");
        assertSays(WRONG_USE, "there is no command chunk gte; do you mean chunk get?", "chunk gte 1:1");
        assertSays(WRONG_USE, "there is no command explode; help lists the commands", "explode");
        assertSays(WRONG_USE, "size: Missing required parameter: 'COLLECTION'", "size");
        assertSays(WRONG_USE, "nodes: unknown argument --jsn; do you mean --json?", "nodes --jsn");
        assertSays(WRONG_USE, "zone: Invalid value for positional parameter at index 0 (ZONE): 'many' is no number in "
            + "range", "zone many");
        assertSays(1, "chunk create: field 1: 'x' is no int", "chunk create --as int x");
        assertSays(WRONG_USE, "chunk: without --as, name one value: a text, or 0x and hexadecimal digits",
            "chunk create");
    }

    /** A number below 0 is no option. */
    @Test
    void negativeNumbers_areValues() {
        assertSays(1, "chunk create: the cluster cannot be reached: no way", "chunk create --as int,long -1 -2");
        assertSays(1, "counter add: the cluster cannot be reached: no way", "counter add visits -5 --json");
    }

    @Test
    void destruction_needsYes_orAPersonWhoSaysYes() {
        for (String line : List.of("chunk remove 1:1", "kill peer-1", "accept-loss 5", "superpeers remove h:1",
            "superpeers replace h:1")) {
            assertEquals(WRONG_USE, script.line(line));
            assertTrue(said().contains("; it needs --yes"), line);
        }
        List<String> asked = new ArrayList<>();
        session.person(question -> !asked.add(question));
        assertSays(1, "chunk remove: nothing was changed", "chunk remove 1:1");
        assertSays(1, "kill: nothing was changed", "kill peer-1");
        assertEquals(List.of("remove chunk 1:1.0", "kill the node (peer-1)"), asked);
        session.person(_ -> true);
        assertSays(1, "chunk remove: the cluster cannot be reached: no way", "chunk remove 1:1");
        assertSays(1, "chunk remove: the cluster cannot be reached: no way", "chunk remove 1:1 --yes");
        assertEquals(0, script.line("kill --help"));
        assertTrue(said().contains("--yes"));
    }

    @Test
    void help_listsCommands_andShowsOneWithExamples() {
        assertEquals(0, script.line("help"));
        String all = said();
        assertTrue(all.contains("chunk        Creates, reads") && all.contains("create, dump, get"), all);
        assertFalse(all.contains("quit"), all);
        assertEquals(0, script.line("help chunk create; help map; size --help"));
        String some = said();
        assertTrue(some.contains("Usage: chunk create [-h] [--json]") && some.contains("map scan accounts 10")
            && some.contains("Usage: size"), some);
        assertSays(WRONG_USE, "help: there is no command nothing", "help nothing");
    }

    @Test
    void watch_repeatsACommand_untilItFailsOrIsInterrupted() {
        assertEquals(0, script.line("watch --times 3 0 lock held"));
        assertEquals(3, said().lines().filter("NAME  TOKEN  HELD"::equals).count());
        assertEquals(1, script.line("watch 0 size none"));
        said();
        assertSays(WRONG_USE, "watch: a watch of a watch is not possible", "watch 1 watch 1 nodes");
        assertSays(WRONG_USE, "watch: SECONDS: a number from 0 on is allowed", "watch -1 nodes");
        session.interrupt();
        assertEquals(0, script.line("watch 100 lock held"));
    }

    @Test
    void completion_withoutACluster_hasCommandsAndOptions() {
        Completion completion = new Completion(session);
        assertEquals(List.of("node", "nodes"), completion.candidates(List.of(), "nod").stream().sorted().toList());
        assertEquals(List.of("put"), completion.candidates(List.of("chunk"), "pu"));
        assertEquals(List.of("--all", "--as"), completion.candidates(List.of("chunk", "get"), "--a"));
        assertEquals(List.of("a=int,long"), completion.candidates(List.of("chunk", "get", "--as"), "a=int,lo"));
        assertEquals(List.of("chunk"), completion.candidates(List.of("watch", "2"), "chu"));
        assertEquals(List.of("peek", "poll"), completion.candidates(List.of("help", "queue"), "p").stream().sorted()
            .toList());
        assertEquals(List.of(), completion.candidates(List.of("map", "get"), ""));
    }

    @Test
    void colours_needATerminal_andNoNoColor() {
        assertTrue(Terminals.hasColours(Map.of("TERM", "xterm")));
        assertTrue(Terminals.hasColours(Map.of("TERM", "xterm", "NO_COLOR", "")));
        assertFalse(Terminals.hasColours(Map.of("TERM", "xterm", "NO_COLOR", "1")));
        assertFalse(Terminals.hasColours(Map.of("TERM", "dumb")));
        assertFalse(Terminals.hasColours(Map.of()));
        assertEquals(1, script.line("size jobs"));
        assertFalse(said().contains("\033"));
        session.colour();
        assertEquals(1, script.line("size jobs; lock held"));
        assertTrue(said().startsWith("\033[31msize: "));
    }
}
