package io.teff.test.bench.figures;

import io.teff.test.bench.report.TextTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Renders the catalog as a Markdown table, and puts it between two marks of the page. */
final class FigurePage {
    private static final String BEGIN = "<!-- generated: ./teff bench figures -->";
    private static final String END = "<!-- end of the generated table -->";
    private static final Pattern SELECTOR = Pattern.compile("\\{(\\{[^{}]*} / \\{[^{}]*}|[^{}]*)}");
    private static final String HEAD = """

        | Area | What | Bar | Measured | | Command | Date, commit | File | Story |
        |---|---|---|---|---|---|---|---|---|
        """;

    private final Path folder;
    private final Map<String, ResultFile> files = new HashMap<>();

    /** @param folder docs/figures */
    FigurePage(Path folder) {
        this.folder = folder;
    }

    /**
     * Replaces the table of a page.
     *
     * @param page the page
     * @param figures the rows
     * @return the page with a fresh table
     * @throws IllegalArgumentException if the page has no marks, or a result file lacks a number
     */
    String replace(String page, List<Figure> figures) throws IOException {
        int begin = page.indexOf(BEGIN);
        int end = page.indexOf(END);
        if (begin < 0 || end < begin) {
            throw new IllegalArgumentException("the page has no lines \"" + BEGIN + "\" and \"" + END + "\"");
        }
        StringBuilder table = new StringBuilder(HEAD);
        for (Figure figure : figures) {
            table.append(row(figure));
        }
        return page.substring(0, begin + BEGIN.length()) + '\n' + table + '\n' + page.substring(end);
    }

    private String row(Figure figure) throws IOException {
        String measured = figure.measured();
        String verdict = figure.bar().isEmpty() ? "" : "met";
        String date = "each run";
        String file = "";
        if (!figure.file().isEmpty()) {
            ResultFile result = files.get(figure.file());
            if (result == null) {
                result = ResultFile.read(folder, figure.file());
                files.put(figure.file(), result);
            }
            verdict = verdict(figure, result);
            measured = fill(measured, result);
            date = result.date() + ", " + result.commit();
            String name = figure.file().substring(figure.file().lastIndexOf('/') + 1);
            file = "[" + name + "](figures/" + figure.file() + ")";
        }
        String story = figure.story().isEmpty() ? "" : "[" + storyName(figure.story()) + "](" + figure.story() + ")";
        return "| " + String.join(" | ", figure.area(), figure.what(), figure.bar(), measured, verdict,
            figure.command().isEmpty() ? "" : '`' + figure.command() + '`', date, file, story) + " |\n";
    }

    private static String verdict(Figure figure, ResultFile result) {
        Matcher first = SELECTOR.matcher(figure.measured());
        if (!first.find()) {
            throw new IllegalArgumentException("catalog line " + figure.line() + ": no selector in \""
                + figure.measured() + "\"");
        }
        return figure.verdict(result.select(first.group(1)));
    }

    private static String fill(String measured, ResultFile result) {
        return SELECTOR.matcher(measured).replaceAll((MatchResult match) ->
            Matcher.quoteReplacement(TextTable.figure(result.select(match.group(1))).strip()));
    }

    private static String storyName(String story) {
        String name = story.substring(story.lastIndexOf('/') + 1);
        return story.startsWith("decisions/") ? name.substring(0, name.indexOf('-')) : name;
    }
}
