package io.teff.cluster.terminal.shell.task;

import io.teff.cluster.terminal.option.HelpOption;
import io.teff.cluster.terminal.shell.value.Json;
import io.teff.cluster.terminal.shell.value.TextTable;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The options of all commands that print a result, and the printing. */
final class Show extends HelpOption {
    private static final String BOLD = "\033[1m";
    private static final String PLAIN = "\033[0m";

    @Option(names = "--json", description = "Write JSON, a document in one line.")
    private boolean isJson;

    @Spec(Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    /** Prints a result. */
    int print(@Nullable Object json, String text) {
        String shown = isJson ? Json.of(json) : text;
        print(shown.endsWith("\n") || shown.isEmpty() ? shown : shown + "\n");
        return 0;
    }

    /** Prints rows. */
    int print(@Nullable Object json, TextTable table) {
        String text = table.toString();
        int head = text.indexOf('\n');
        return print(json, session().isColoured() ? BOLD + text.substring(0, head) + PLAIN + text.substring(head)
            : text);
    }

    private void print(String text) {
        PrintWriter out = session().out();
        out.print(text);
        out.flush();
    }

    ShellSession session() {
        return ((Shell) spec.root().userObject()).session();
    }
}
