package io.teff.cluster.terminal.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.terminal.cli.Terminal;
import io.teff.cluster.terminal.node.HealthFile.State;
import io.teff.cluster.terminal.node.HealthQuestion.Answer;
import io.teff.engine.os.Clock;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Goal: a question about a node is answered by the node's next beat. Method: files of a test, and its clock. */
final class HealthTest {
    @TempDir
    private Path folder;

    /** A clock whose pause lets a node beat. */
    private final class Beating implements Clock {
        private final @Nullable State state;
        private long nowNs;
        private long beat = 7;

        Beating(@Nullable State state) {
            this.state = state;
        }

        @Override
        public long nowNs() {
            return nowNs;
        }

        @Override
        public void park(Object blocker, long ns) {
            nowNs += ns;
            if (state != null) {
                write(state, ++beat);
            }
        }
    }

    private void write(State state, long beat) {
        try {
            new HealthFile(ProcessId.current(), state, beat).write(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Answer ask(HealthQuestion question, @Nullable State state) {
        write(State.READY, 7);
        return question.ask(folder, new Beating(state));
    }

    @Test
    void states_answerBothQuestions() {
        assertTrue(ask(HealthQuestion.READY, State.READY).isWell());
        assertTrue(ask(HealthQuestion.LIVE, State.READY).isWell());
        for (State state : new State[] {State.STARTING, State.WAITING}) {
            assertFalse(ask(HealthQuestion.READY, state).isWell());
            assertTrue(ask(HealthQuestion.LIVE, state).isWell());
        }
        assertFalse(ask(HealthQuestion.READY, State.FAILED).isWell());
        assertFalse(ask(HealthQuestion.LIVE, State.FAILED).isWell());
    }

    @Test
    void nodeThatDoesNotBeat_isNotWell() {
        assertEquals("silent", ask(HealthQuestion.LIVE, null).state());
    }

    @Test
    void noNode_andAnEndedNode_areNotWell() throws Exception {
        assertEquals("unknown", HealthQuestion.LIVE.ask(folder, new Beating(State.READY)).state());
        Process ended = new ProcessBuilder("true").start();
        ended.waitFor();
        new HealthFile(new ProcessId(ended.pid(), "unknown"), State.READY, 1).write(folder);
        assertEquals("ended", HealthQuestion.LIVE.ask(folder, new Beating(null)).state());
    }

    @Test
    void file_isReadAsWritten_andOtherFilesAreNone() throws Exception {
        HealthFile file = new HealthFile(new ProcessId(12, "ab-1"), State.WAITING, 3);
        file.write(folder);
        assertEquals(file, HealthFile.read(folder));
        Files.writeString(folder.resolve("node.health"), "teff health 9\n");
        assertNull(HealthFile.read(folder));
        HealthFile.delete(folder);
        HealthFile.delete(folder);
        assertNull(HealthFile.read(folder));
    }

    @Test
    void command_endsWithOne_andNeedsAFolder() {
        StringWriter text = new StringWriter();
        PrintWriter writer = new PrintWriter(text, true);
        assertEquals(1, Terminal.commandLine().setOut(writer).execute("node", "--health", "--json", "--folder",
            folder.toString()));
        assertEquals("{\"isWell\": false, \"state\": \"unknown\"}", text.toString().strip());
        assertEquals(2, Terminal.commandLine().setErr(writer).execute("node", "--health=live"));
        assertTrue(text.toString().contains("--health needs --folder"), text::toString);
    }
}
