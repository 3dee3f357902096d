package io.teff.tools.graph;

import io.teff.engine.error.StoreException;
import io.teff.tools.console.JsonDocument;
import io.teff.tools.console.ProgressLine;
import io.teff.tools.console.QuietOption;
import io.teff.tools.console.UsageOption;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * A command that opens a graph, finds an answer and prints the answer.
 *
 * @param <A> the answer: a record, which becomes the JSON document
 */
@Command(
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:the answer was printed", "1:there is no answer: no such graph, vertex, label or path",
        "2:wrong command line"})
abstract class GraphQuestion<A extends Record> implements Callable<Integer> {
    @Mixin
    private GraphPlace place = new GraphPlace();

    @Option(names = "--json", description = "Write the answer as a JSON document (default: as text).")
    private boolean json;

    @Mixin
    private QuietOption quiet = new QuietOption();

    @Mixin
    @SuppressWarnings("UnusedVariable") // picocli reads it
    private UsageOption usage = new UsageOption();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** Finds the answer. */
    abstract A answer(OpenGraph graph, GraphProgress progress) throws IOException;

    /** Prints the answer for people. */
    abstract void write(A answer, PrintWriter out);

    /** Checks options before anything is opened. */
    void checkOptions() {}

    @Override
    public Integer call() throws IOException {
        checkOptions();
        GraphProgress progress = new GraphProgress();
        ProgressLine.Style style = quiet.isSet() ? ProgressLine.Style.NONE : ProgressLine.suitable();
        try {
            A answer;
            try (ProgressLine _ = ProgressLine.start(spec.commandLine().getErr(), style, progress::line);
                OpenGraph graph = OpenGraph.of(place)) {
                answer = answer(graph, progress);
            }
            PrintWriter out = spec.commandLine().getOut();
            if (json) {
                out.println(JsonDocument.write(answer));
            } else {
                write(answer, out);
            }
            out.flush();
            return GraphExit.GOOD;
        } catch (GraphFailure | StoreException | IOException | IllegalStateException e) {
            return fail(e.getMessage());
        }
    }

    private int fail(@Nullable String message) {
        PrintWriter err = spec.commandLine().getErr();
        err.println(spec.qualifiedName() + ": " + message);
        err.flush();
        return GraphExit.FAILED;
    }

    /** Refuses a wrong command line. */
    void check(boolean isRight, String message) {
        if (!isRight) {
            throw new ParameterException(spec.commandLine(), message);
        }
    }
}
