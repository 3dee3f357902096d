package io.teff.test.rules.tidy;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Rules about the letters of a file. */
final class TextRules {
    static final int LINE_LENGTH_MAX = 120;
    static final int FILE_LINES_ASK = 600;
    static final int FILE_LINES_MAX = 900;

    // Put together here, so that these rules do not find themselves.
    private static final Pattern REMINDERS = Pattern.compile("\\b(" + "TO" + "DO|FIX" + "ME|XX" + "X)\\b");
    private static final Pattern MESSAGE = Pattern.compile("\\.\\s*getMessage\\(\\)");
    private static final List<String> FAILURE_TEXTS = List.of("engine/", "recovery/", "cluster/");
    /** Where messages of the system are recognized, and the place that turns them into texts. */
    private static final List<String> MESSAGES_ALLOWED = List.of("/os/FailureText.java", "/os/DiskFailures.java");
    private static final List<String> WORKSHOP_PATHS = List.of("/wo" + "rk/", ".." + "/shared");

    private TextRules() {}

    /** Lines, blanks, tabs and the end of the file. */
    static List<Finding> layout(SourceFile file) {
        List<Finding> findings = new ArrayList<>();
        List<String> lines = file.lines();
        for (int index = 0; index < lines.size(); index++) {
            String line = lines.get(index);
            int length = line.codePointCount(0, line.length());
            if (length > LINE_LENGTH_MAX) {
                findings.add(new Finding(file.path(), index + 1, length + " characters, at most " + LINE_LENGTH_MAX));
            }
            if (line.indexOf('\t') >= 0) {
                findings.add(new Finding(file.path(), index + 1, "a tab"));
            }
            if (!line.equals(line.stripTrailing())) {
                findings.add(new Finding(file.path(), index + 1, "blanks at the end of the line"));
            }
        }
        if (file.text().indexOf('\r') >= 0) {
            findings.add(new Finding(file.path(), 1, "a carriage return"));
        }
        if (!file.text().endsWith("\n") || file.text().endsWith("\n\n")) {
            findings.add(new Finding(file.path(), lines.size(), "the file must end with exactly one line end"));
        }
        return findings;
    }

    /** The message of an exception is null, or a path and nothing else, too often to be shown. */
    static List<Finding> failures(SourceFile file) {
        boolean isBound = FAILURE_TEXTS.stream().anyMatch(it -> file.path().startsWith(it))
                && MESSAGES_ALLOWED.stream().noneMatch(it -> file.path().endsWith(it));
        return isBound && file.isProduct()
                ? matches(file.path(), file.code(), MESSAGE, "the message of an exception; FailureText.of has a reason")
                : List.of();
    }

    /** Postponed work belongs into the plan, not into the code. */
    static List<Finding> reminders(SourceFile file) {
        return matches(file.path(), file.text(), REMINDERS, "a reminder; do it, or write it into docs/LIMITS.md");
    }

    /** Files too long to be read at one sitting. */
    static List<Finding> size(SourceFile file) {
        int count = file.lines().size();
        return count <= FILE_LINES_MAX
                ? List.of()
                : List.of(new Finding(file.path(), count, count + " lines, at most " + FILE_LINES_MAX));
    }

    /** Paths of the development environment, which mean nothing to a reader. */
    static List<Finding> workshopPaths(String path, String text) {
        List<Finding> findings = new ArrayList<>();
        for (String word : WORKSHOP_PATHS) {
            findings.addAll(matches(path, text, Pattern.compile(Pattern.quote(word)), "a path outside the project"));
        }
        return findings;
    }

    /** Every match of a pattern, with its line. */
    static List<Finding> matches(String path, String text, Pattern pattern, String message) {
        return pattern.matcher(text).results()
                .map(match -> new Finding(path, lineAt(text, match.start()), match.group() + ": " + message))
                .toList();
    }

    private static int lineAt(String text, int offset) {
        return 1 + (int) text.substring(0, offset).chars().filter(c -> c == '\n').count();
    }
}
