package io.teff.cluster.terminal.deploy;

import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** Writes maps, lists, texts, numbers and truths as YAML. A text that YAML could take for something else is quoted. */
final class YamlText {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z][A-Za-z0-9._/-]*");
    private static final Set<String> WORDS = Set.of("true", "false", "null", "yes", "no", "on", "off", "y", "n");
    private static final String STEP = "  ";

    private YamlText() {}

    /** Returns documents, apart by lines of three dashes. */
    static String write(List<? extends Map<String, ?>> documents) {
        StringBuilder text = new StringBuilder();
        for (Map<String, ?> document : documents) {
            text.append("---\n");
            map(text, document, "");
        }
        return text.toString();
    }

    private static void map(StringBuilder text, Map<?, ?> map, String indent) {
        String before = "";                                     // the first key may stand behind a dash
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            text.append(before).append(scalar(String.valueOf(entry.getKey()))).append(':');
            value(text, entry.getValue(), indent);
            before = indent;
        }
    }

    private static void value(StringBuilder text, Object value, String indent) {
        switch (value) {
            case Map<?, ?> map when !map.isEmpty() -> {
                text.append('\n').append(indent).append(STEP);
                map(text, map, indent + STEP);
            }
            case List<?> list when !list.isEmpty() -> {
                text.append('\n');
                list(text, list, indent);
            }
            case String block when isBlock(block) -> {
                text.append(" |\n");
                block.lines().forEach(line -> text.append(line.isEmpty() ? "" : indent + STEP + line).append('\n'));
            }
            default -> text.append(' ').append(flow(value)).append('\n');
        }
    }

    private static void list(StringBuilder text, List<?> list, String indent) {
        for (Iterator<?> items = list.iterator(); items.hasNext();) {
            Object item = items.next();
            text.append(indent).append("- ");
            if (item instanceof Map<?, ?> map && !map.isEmpty()) {
                map(text, map, indent + STEP);
            } else {
                text.append(flow(item)).append('\n');
            }
        }
    }

    private static String flow(Object value) {
        return switch (value) {
            case Map<?, ?> _ -> "{}";
            case List<?> _ -> "[]";
            case String text -> scalar(text);
            default -> String.valueOf(value);
        };
    }

    /** A block keeps one line feed at its end, and its first line must not begin with a blank. */
    private static boolean isBlock(String text) {
        return text.endsWith("\n") && !text.endsWith("\n\n") && !text.startsWith(" ") && !text.startsWith("\n")
            && text.chars().allMatch(each -> each == '\n' || each >= ' ' && each < 0x7F);
    }

    private static String scalar(String text) {
        if (PLAIN.matcher(text).matches() && !WORDS.contains(text.toLowerCase(Locale.ROOT))) {
            return text;
        }
        StringBuilder quoted = new StringBuilder("\"");
        text.chars().forEach(each -> {
            switch (each) {
                case '"', '\\' -> quoted.append('\\').append((char) each);
                case '\n' -> quoted.append("\\n");
                default -> {
                    if (each < ' ' || each >= 0x7F) {
                        quoted.append(String.format("\\u%04x", each));
                    } else {
                        quoted.append((char) each);
                    }
                }
            }
        });
        return quoted.append('"').toString();
    }
}
