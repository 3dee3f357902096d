package io.teff.test.cluster.nodes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.test.kit.ChildProcess;
import io.teff.test.kit.Starts;
import io.teff.test.kit.tier.FullTier;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The shell at a pseudo-terminal, which the program {@code script} of Linux makes. */
@FullTier("10 s: two JVMs at a pseudo-terminal; ShellTest has the same commands without a terminal")
@Tag("processes")
final class ShellTerminalTest {
    private static final Path SCRIPT = Path.of("/usr/bin/script");
    /** A JVM that inherits an ignored SIGINT, as background jobs of scripts do, keeps SIGINT ignored. */
    private static final String WITH_SIGINT = "exec env --default-signal=INT ";
    private static final String PROMPT = "teff>";
    private static final long END_S = 60;

    @TempDir
    private Path folder;
    private final StringBuilder read = new StringBuilder();

    private Process shell(String... variables) throws IOException {
        Assumptions.assumeTrue(Files.isExecutable(SCRIPT), "there is no " + SCRIPT);
        String java = WITH_SIGINT + "'" + ChildProcess.java() + "' --enable-native-access=ALL-UNNAMED -Xmx64m "
            + "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 "
            + "-cp '" + ChildProcess.classPath() + "' io.teff.cluster.terminal.cli.Terminal "
            + "shell 127.0.0.1:1 --history '" + folder.resolve("history") + "'";
        ProcessBuilder builder = new ProcessBuilder(SCRIPT.toString(), "-qefc", "stty cols 120 rows 30; " + java,
            "/dev/null").directory(folder.toFile()).redirectErrorStream(true);
        builder.environment().remove("NO_COLOR");
        builder.environment().put("TERM", "xterm");
        for (String variable : variables) {
            builder.environment().put(variable, "1");
        }
        Starts.JVM.count();
        Process process = builder.start();
        CompletableFuture.delayedExecutor(END_S, TimeUnit.SECONDS).execute(process::destroyForcibly);
        return process;
    }

    /** Reads until a text; what was in front of the text stays in {@link #read}. */
    private void until(InputStream from, String text) throws IOException {
        read.setLength(0);
        while (read.indexOf(text) < 0) {
            int next = from.read();
            assertTrue(next >= 0, () -> "not in the output: " + text + "\n" + read);
            read.append((char) next);
        }
    }

    private static void type(OutputStream to, String keys) throws IOException {
        to.write(keys.getBytes(StandardCharsets.UTF_8));
        to.flush();
    }

    @Test
    void person_completesRepeatsAndLeaves() throws Exception {
        Process process = shell();
        try (InputStream from = process.getInputStream(); OutputStream to = process.getOutputStream()) {
            until(from, PROMPT);
            type(to, "loc\the\t\r");                            // completed to: lock held
            until(from, "NAME  TOKEN  HELD");
            assertTrue(read.toString().contains("\033[1m"), "the head of a table is bold: " + read);
            until(from, PROMPT);
            type(to, "watch 0.01 lock held\r");
            until(from, "HELD");
            until(from, "HELD");
            type(to, "\003");                                   // Ctrl-C
            until(from, PROMPT);
            type(to, "kill peer-1\r");
            until(from, "Type yes to go on:");
            type(to, "no\r");
            until(from, "nothing was changed");
            until(from, PROMPT);
            type(to, "\020\020\020\r");                         // three lines back
            until(from, "NAME  TOKEN  HELD");
            until(from, PROMPT);
            type(to, "exit\r");
            assertTrue(process.waitFor(END_S, TimeUnit.SECONDS));
            assertEquals(0, process.exitValue());
        } finally {
            process.destroyForcibly();
        }
        String history = Files.readString(folder.resolve("history"));
        assertTrue(history.contains("lock held") && history.contains("exit"), history);
        assertFalse(history.contains(":no\n"), history);
    }

    @Test
    void noColor_turnsColoursOff() throws Exception {
        Process process = shell("NO_COLOR");
        try (InputStream from = process.getInputStream(); OutputStream to = process.getOutputStream()) {
            until(from, PROMPT);
            assertFalse(read.toString().contains("\033[1;34m") || read.toString().contains("\033[34"), read::toString);
            type(to, "lock held\r");
            until(from, "NAME  TOKEN  HELD");
            assertFalse(read.toString().contains("\033[1m"), read::toString);
            type(to, "exit\r");
            assertTrue(process.waitFor(END_S, TimeUnit.SECONDS));
        } finally {
            process.destroyForcibly();
        }
    }
}
