package io.teff.cluster.terminal.shell;

import io.teff.cluster.terminal.shell.task.ShellSession;
import io.teff.engine.os.PrivateFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jline.reader.Candidate;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.ParsedLine;
import org.jline.reader.UserInterruptException;
import org.jline.reader.impl.DefaultParser;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;

/** Reads lines from a person at a terminal, and runs the lines. */
final class Terminals {
    private static final String PROMPT = "teff> ";
    private static final String PROMPT_COLOURED = "\033[1;34mteff>\033[0m ";

    private Terminals() {}

    /** Returns whether a person reads the output, and types. */
    static boolean isTerminal() {
        var console = System.console();
        return console != null && console.isTerminal();
    }

    /**
     * Returns whether output at the terminal has colours.
     *
     * @param environment variables of the process
     */
    static boolean hasColours(Map<String, String> environment) {
        return environment.getOrDefault("NO_COLOR", "").isEmpty()
            && !environment.getOrDefault("TERM", "dumb").equals("dumb");
    }

    /** Returns the file of the typed lines, in a folder that other users cannot read. */
    static Path history() throws IOException {
        Path folder = Path.of(System.getProperty("user.home"), ".teff");
        PrivateFolder.make(folder);
        return folder.resolve("shell-history");
    }

    /** Reads and runs lines until the person leaves. */
    static int run(ShellSession session, Path history) throws IOException {
        boolean hasColours = hasColours(System.getenv());
        try (Terminal terminal = TerminalBuilder.builder().system(true).jni(false).ffm(false).exec(true).build()) {
            if (hasColours) {
                session.colour();
            }
            terminal.handle(Terminal.Signal.INT, _ -> session.interrupt());
            LineReader reader = reader(session, terminal, history);
            session.person(question -> isYes(reader, question));
            terminal.writer().println("The shell of a cluster. help lists the commands, Tab completes, exit ends.");
            while (!session.isOver() && isNextRun(session, reader, hasColours ? PROMPT_COLOURED : PROMPT)) {
                terminal.flush();
            }
        }
        return 0;
    }

    private static LineReader reader(ShellSession session, Terminal terminal, Path history) {
        Completion completion = new Completion(session);
        DefaultParser parser = new DefaultParser();
        return LineReaderBuilder.builder().appName("teff").terminal(terminal).parser(parser)
            .completer((_, line, candidates) -> complete(completion, line, candidates))
            .variable(LineReader.HISTORY_FILE, history).option(LineReader.Option.DISABLE_EVENT_EXPANSION, true)
            .build();
    }

    private static void complete(Completion completion, ParsedLine line, List<Candidate> candidates) {
        List<String> before = line.words().subList(0, line.wordIndex());
        int begin = 0;
        for (int i = 0; i < before.size(); i++) {
            begin = before.get(i).endsWith(";") ? i + 1 : begin;
        }
        String word = line.word().substring(0, Math.min(line.wordCursor(), line.word().length()));
        completion.candidates(before.subList(begin, before.size()), word).forEach(each ->
            candidates.add(new Candidate(each, each, null, null, null, null, !each.endsWith("="))));
    }

    /** Runs the next line; returns whether there is one. */
    private static boolean isNextRun(ShellSession session, LineReader reader, String prompt) {
        try {
            String line = reader.readLine(prompt);
            session.clearInterrupt();
            new Script(session).line(line);
            return true;
        } catch (UserInterruptException _) {
            return true;                                        // Ctrl-C drops the line
        } catch (EndOfFileException _) {
            return false;
        }
    }

    private static boolean isYes(LineReader reader, String question) {
        reader.setVariable(LineReader.DISABLE_HISTORY, true);
        try {
            String answer = reader.readLine("This will " + question + ". Type yes to go on: ");
            return answer.strip().toLowerCase(Locale.ROOT).equals("yes");
        } catch (UserInterruptException | EndOfFileException _) {
            return false;
        } finally {
            reader.setVariable(LineReader.DISABLE_HISTORY, false);
        }
    }
}
