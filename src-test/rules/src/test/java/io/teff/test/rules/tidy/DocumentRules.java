package io.teff.test.rules.tidy;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Rules about the Markdown pages: a link leads to a file of the project, and its anchor to a heading there. */
final class DocumentRules {
    private static final Pattern LINK = Pattern.compile("\\[[^\\]]*\\]\\(([^)\\s]+)\\)");
    private static final Pattern FENCE = Pattern.compile("(?ms)^\\s*```.*?^\\s*```\\s*$");
    private static final Pattern INLINE = Pattern.compile("`[^`\\n]*`");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+\\s+(.*?)\\s*#*$");

    private DocumentRules() {}

    /** Checks one page; {@code target} gives the text of a path in the repository, or null when there is none. */
    static List<Finding> links(String path, String text, Function<String, String> target) {
        List<Finding> findings = new ArrayList<>();
        String prose = blankAll(INLINE, blankAll(FENCE, text));
        for (MatchResult match : LINK.matcher(prose).results().toList()) {
            String link = match.group(1);
            if (link.contains("://") || link.startsWith("mailto:")) {
                continue;
            }
            int line = 1 + (int) prose.substring(0, match.start()).chars().filter(c -> c == '\n').count();
            int hash = link.indexOf('#');
            String file = hash < 0 ? link : link.substring(0, hash);
            String place = file.isEmpty() ? path : resolve(path, file);
            String content = file.isEmpty() ? text : target.apply(place);
            if (content == null) {
                findings.add(new Finding(path, line, link + ": no such file"));
            } else if (hash >= 0 && !anchors(content).contains(link.substring(hash + 1))) {
                findings.add(new Finding(path, line, link + ": no such heading"));
            }
        }
        return findings;
    }

    private static String resolve(String page, String link) {
        List<String> parts = new ArrayList<>(List.of(page.split("/")));
        parts.removeLast();
        for (String part : link.split("/")) {
            if (part.equals("..") && !parts.isEmpty()) {
                parts.removeLast();
            } else if (!part.equals(".")) {
                parts.add(part);
            }
        }
        return String.join("/", parts);
    }

    /** The anchors that the usual Markdown renderers give to headings. */
    private static Set<String> anchors(String text) {
        Set<String> anchors = new HashSet<>();
        for (MatchResult match : HEADING.matcher(blankAll(FENCE, text)).results().toList()) {
            String words = match.group(1).toLowerCase(Locale.ROOT);
            anchors.add(words.replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-'));
        }
        return anchors;
    }

    private static String blankAll(Pattern pattern, String text) {
        return pattern.matcher(text).replaceAll(match -> match.group().replaceAll("[^\\n]", " "));
    }
}
