package io.teff.test.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * {@code ./teff test --tiers}: docs/TIERS.md, made from the sources of the tests. The page has the first tier of each
 * class of tests, the reason where it is not the gate, and each size that differs between the tiers.
 */
final class TierPage {
    /** The page, relative to the root. */
    static final String PAGE = "docs/TIERS.md";
    private static final String TESTS = "src-test";
    private static final String HEAD = """
        # Tiers of tests

        `./teff test --tiers` writes this page from the sources of the tests. [LANES](LANES.md) explains lanes and
        tiers. A test without a row in the first table runs in every tier.
        """;
    private static final Pattern MARK = Pattern.compile(
        "@(Full|Long)Tier\\(\\s*((?:\"(?:[^\"\\\\]|\\\\.)*\"\\s*\\+?\\s*)+)\\)");
    private static final Pattern LITERAL = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\"");
    private static final Pattern DECLARED = Pattern.compile("\\b(?:class\\s+(\\w+)|void\\s+(\\w+)\\s*\\()");
    private static final Pattern SIZE = Pattern.compile("(?:\\b(\\w+)\\s*=\\s*)?Form\\.size\\(");
    private static final Pattern FORM = Pattern.compile("Form\\.is(?:Long|Full)\\(\\)");
    private static final Pattern IS_TEST = Pattern.compile("^\\s*@(?:Test|ParameterizedTest|Property|RepeatedTest)\\b",
        Pattern.MULTILINE);

    /** A file with tests, or with sizes of tests. */
    private record Source(Path path, String name, String lane, String text) {}

    private final List<Source> sources;

    private TierPage(List<Source> sources) {
        this.sources = sources;
    }

    /** Reads the sources of all tests. */
    static TierPage read(Path root) throws IOException {
        List<Source> found = new ArrayList<>();
        try (Stream<Path> files = Files.walk(root.resolve(TESTS))) {
            for (Path file : files.filter(it -> it.toString().endsWith(".java")).sorted().toList()) {
                Path path = root.relativize(file);
                boolean isOfTests = !path.startsWith(TESTS + "/kit") && !path.startsWith(TESTS + "/launcher/src/main")
                    && !path.toString().contains("/target/");
                if (isOfTests) {
                    found.add(source(path, Files.readString(file)));
                }
            }
        }
        return new TierPage(found);
    }

    private static Source source(Path path, String text) {
        String name = path.getFileName().toString().replace(".java", "");
        String folder = path.getName(1).toString();
        return new Source(path, name, Lanes.ORDER.contains(folder) ? folder : "unit", text);
    }

    /** Returns the text of the page. */
    String text() {
        List<String> lines = new ArrayList<>(List.of(HEAD, "## Tests above the gate", "",
            "| Test | Lane | First tier | Why |", "|---|---|---|---|"));
        sources.forEach(source -> lines.addAll(marks(source)));
        lines.addAll(List.of("", "## Sizes that differ", "",
            "A size in code is that of the sources. The property, where one is named, sets the size.", "",
            "| Class | Size | Gate | Full | Long | Property |", "|---|---|--:|--:|--:|---|"));
        sources.forEach(source -> lines.addAll(sizes(source)));
        lines.addAll(List.of("", "## Classes of the gate", ""));
        gate().forEach((place, names) -> lines.add("- **" + place + "** (" + names.size() + "): "
            + String.join(", ", names)));
        return String.join("\n", lines) + "\n";
    }

    private static List<String> marks(Source source) {
        List<String> rows = new ArrayList<>();
        Matcher mark = MARK.matcher(source.text());
        while (mark.find()) {
            Matcher declared = DECLARED.matcher(source.text());
            if (declared.find(mark.end())) {
                String test = declared.group(1) != null ? declared.group(1) : source.name() + "." + declared.group(2);
                StringBuilder why = new StringBuilder();
                LITERAL.matcher(mark.group(2)).results().forEach(part -> why.append(part.group(1)));
                rows.add("| `" + test + "` | " + source.lane() + " | " + mark.group(1).toLowerCase(Locale.ROOT) + " | "
                    + why.toString().replace("\\\"", "\"").replace("|", "\\|") + " |");
            }
        }
        return rows;
    }

    private static List<String> sizes(Source source) {
        List<String> rows = new ArrayList<>();
        Matcher size = SIZE.matcher(source.text());
        while (size.find()) {
            List<String> arguments = arguments(source.text(), size.end());
            String property = arguments.getFirst().startsWith("\"") ? arguments.removeFirst().replace("\"", "") : "";
            String gate = arguments.getFirst();
            String full = arguments.size() > 2 ? arguments.get(1) : gate;
            rows.add("| `" + source.name() + "` | " + (size.group(1) == null ? "" : "`" + size.group(1) + "`") + " | "
                + gate + " | " + full + " | " + arguments.getLast() + " | "
                + (property.isEmpty() ? "" : "`" + property + "`") + " |");
        }
        if (rows.isEmpty() && FORM.matcher(source.text()).find()) {
            rows.add("| `" + source.name() + "` | by its code | | | | |");
        }
        return rows;
    }

    /** Returns the arguments of a call, from behind its opening bracket. */
    private static List<String> arguments(String text, int start) {
        List<String> arguments = new ArrayList<>();
        int depth = 0;
        int begin = start;
        for (int i = start; i < text.length(); i++) {
            char c = text.charAt(i);
            depth += c == '(' ? 1 : c == ')' ? -1 : 0;
            if (depth < 0 || depth == 0 && c == ',') {
                arguments.add(text.substring(begin, i).strip().replaceAll("\\s+", " "));
                begin = i + 1;
            }
            if (depth < 0) {
                break;
            }
        }
        return arguments;
    }

    /** Returns the classes that run in the gate, by folder. */
    private Map<String, List<String>> gate() {
        Map<String, List<String>> found = new TreeMap<>();
        for (Source source : sources) {
            boolean isTest = IS_TEST.matcher(source.text()).find() || source.name().endsWith("Test");
            if (isTest && !isAboveGate(source)) {
                String path = source.path().toString().replace('\\', '/').substring(TESTS.length() + 1);
                found.computeIfAbsent(path.replaceAll("/(src/test/java|io/teff)/.*", ""), _ -> new ArrayList<>())
                    .add("`" + source.name() + "`");
            }
        }
        return found;
    }

    /** Returns whether a mark stands at the class itself. */
    private static boolean isAboveGate(Source source) {
        Matcher mark = MARK.matcher(source.text());
        while (mark.find()) {
            Matcher declared = DECLARED.matcher(source.text());
            if (declared.find(mark.end()) && source.name().equals(declared.group(1))) {
                return true;
            }
        }
        return false;
    }

    /** Writes the page of a repository. Returns the exit code. */
    static int write(Path root) throws IOException {
        Files.writeString(root.resolve(PAGE), read(root).text());
        System.out.println("written: " + root.resolve(PAGE));
        return 0;
    }
}
