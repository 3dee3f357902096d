package io.teff.test.bench.figures;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Writes the table of docs/FIGURES.md anew, from the catalog and the result files beside it. */
@Command(
    name = "figures",
    description = {
        "Writes the table of docs/FIGURES.md anew from docs/figures/catalog.tsv and the result files that it names.",
        "Run it after a benchmark's output was saved below docs/figures. Exit code 1 if a number is missing, or, with "
            + "--check, if the page differs."},
    mixinStandardHelpOptions = true)
public final class FiguresCommand implements Callable<Integer> {
    @Option(names = "--docs", paramLabel = "FOLDER", defaultValue = "docs",
        description = "The folder of the documents (default: ${DEFAULT-VALUE}).")
    private Path docs = Path.of("docs");

    @Option(names = "--check", description = "Compare the page with a fresh table, and write nothing.")
    private boolean isCheck;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        Path page = docs.resolve("FIGURES.md");
        String text = Files.readString(page);
        String fresh;
        try {
            fresh = fresh(docs, text);
        } catch (IllegalArgumentException e) {
            spec.commandLine().getErr().println("./teff bench figures: " + e.getMessage());
            return 1;
        }
        if (fresh.equals(text)) {
            spec.commandLine().getOut().println(page + " is up to date");
            return 0;
        }
        if (isCheck) {
            spec.commandLine().getErr().println(page + " differs from its result files; run: ./teff bench figures");
            return 1;
        }
        Files.writeString(page, fresh);
        spec.commandLine().getOut().println(page + " written");
        return 0;
    }

    /**
     * Makes the table anew.
     *
     * @param docs the folder of the documents
     * @param page the text of the page
     * @return the page with a fresh table
     */
    static String fresh(Path docs, String page) throws IOException {
        Path folder = docs.resolve("figures");
        return new FigurePage(folder).replace(page, Catalog.read(folder.resolve("catalog.tsv")));
    }
}
