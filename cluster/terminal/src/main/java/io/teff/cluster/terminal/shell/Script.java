package io.teff.cluster.terminal.shell;

import io.teff.cluster.terminal.shell.task.ShellRoot;
import io.teff.cluster.terminal.shell.task.ShellSession;
import io.teff.cluster.terminal.shell.value.LineWords;
import io.teff.engine.os.FailureText;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.util.List;

/** Runs lines of commands, up to the first failure. */
final class Script {
    private static final int WRONG_USE = 2;

    private final ShellSession session;

    Script(ShellSession session) {
        this.session = session;
    }

    /**
     * Runs a script.
     *
     * @param name name of the script, for failures
     * @param from the lines
     * @return 0, or 1 after a failure
     */
    int run(String name, Reader from) throws IOException {
        BufferedReader lines = new BufferedReader(from);
        int number = 1;
        for (String line = lines.readLine(); line != null && !session.isOver(); line = lines.readLine()) {
            session.position(name + ":" + number + ": ");
            if (line(line) != 0) {
                return 1;
            }
            number++;
        }
        return 0;
    }

    /**
     * Runs the commands of a line.
     *
     * @param line commands, divided by semicolons
     * @return 0, or the exit code of the first command that has failed
     */
    int line(String line) {
        List<List<String>> commands;
        try {
            commands = LineWords.commands(line);
        } catch (IllegalArgumentException e) {
            session.fail(FailureText.of(e));
            return WRONG_USE;
        }
        for (List<String> words : commands) {
            int code = session.isOver() ? 0 : ShellRoot.run(session, words);
            if (code != 0) {
                return code;
            }
        }
        return 0;
    }
}
