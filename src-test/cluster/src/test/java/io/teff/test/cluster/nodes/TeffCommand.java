package io.teff.test.cluster.nodes;

import io.teff.cluster.terminal.cli.Terminal;
import io.teff.test.kit.ChildProcess.Result;
import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/** The command line of {@code teff} in the JVM of the test, for commands that start no process and end by themselves. */
public final class TeffCommand {
    private TeffCommand() {}

    /** Runs a command, and returns what it has printed. */
    public static Result here(String... words) {
        StringWriter output = new StringWriter();
        StringWriter errors = new StringWriter();
        CommandLine line = Terminal.commandLine().setOut(new PrintWriter(output)).setErr(new PrintWriter(errors));
        int code = line.execute(words);
        return new Result(code, output.toString(), errors.toString());
    }
}
