package io.teff.test.cluster.nodes;

import io.teff.cluster.terminal.cli.Terminal;
import io.teff.test.kit.ChildProcess.Result;
import io.teff.test.kit.Threads;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PipedReader;
import java.io.PipedWriter;
import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/** The command line of {@code teff} in the JVM of the test, for commands that start no process. */
public final class TeffCommand {
    private TeffCommand() {}

    /** A command that goes on until its output is not read any longer. */
    static final class Running implements AutoCloseable {
        private final BufferedReader output;
        private final Threads.Running thread;

        private Running(String... words) throws IOException {
            PipedReader reader = new PipedReader();
            PrintWriter writer = new PrintWriter(new PipedWriter(reader));
            output = new BufferedReader(reader);
            CommandLine line = Terminal.commandLine().setOut(writer);
            thread = Threads.start("teff-command", _ -> line.execute(words));
        }

        /** Reads lines until one has a text; the others are left. */
        String line(String text) throws IOException {
            return TeffCommand.line(output, text);
        }

        /** Ends the command. */
        @Override
        public void close() throws IOException {
            output.close();
            try {
                thread.end();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("the command may not have ended", e);
            }
        }
    }

    /** Begins a command that goes on until it is closed. */
    static Running begin(String... words) throws IOException {
        return new Running(words);
    }

    /** Reads lines until one has a text; the others are left. */
    static String line(BufferedReader reader, String text) throws IOException {
        StringBuilder read = new StringBuilder();
        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
            if (line.contains(text)) {
                return line;
            }
            read.append(line).append('\n');
        }
        throw new AssertionError("not in the output: " + text + "\n" + read);
    }

    /** Runs a command, and returns what it has printed. */
    public static Result here(String... words) {
        StringWriter output = new StringWriter();
        StringWriter errors = new StringWriter();
        CommandLine line = Terminal.commandLine().setOut(new PrintWriter(output)).setErr(new PrintWriter(errors));
        int code = line.execute(words);
        return new Result(code, output.toString(), errors.toString());
    }
}
