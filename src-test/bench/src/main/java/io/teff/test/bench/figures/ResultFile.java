package io.teff.test.bench.figures;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A file that a benchmark has written: its head (date, commit), and the numbers in it by selectors.
 *
 * <p>Selectors of a text: {@code bar: NAME} is the number behind a bar's name; {@code cell: TITLE; ROW; COLUMN} is a
 * cell of the first table whose title begins like that. Selectors of a JSON document: {@code json: KEY; KEY; ...}
 * follows keys and takes the median of an array of numbers; {@code min: ...} and {@code max: ...} take the extremes.
 * Two selectors in braces with {@code " / "} between them are a quotient.
 */
final class ResultFile {
    private static final Pattern NUMBER = Pattern.compile("-?[0-9][0-9.]*");
    private static final int COMMIT_LETTERS = 7;

    private final String name;
    private final List<String> lines;
    private final @Nullable Map<String, Object> document;

    private ResultFile(String name, List<String> lines, @Nullable Map<String, Object> document) {
        this.name = name;
        this.lines = lines;
        this.document = document;
    }

    /**
     * Reads a file.
     *
     * @param folder docs/figures
     * @param name of the file below it
     * @return the file, read
     */
    static ResultFile read(Path folder, String name) throws IOException {
        Path path = folder.resolve(name);
        return name.endsWith(".json") ? new ResultFile(name, List.of(), JSON.std.mapFrom(Files.readString(path)))
            : new ResultFile(name, Files.readAllLines(path), null);
    }

    /** {@return the day of the measurement} */
    String date() {
        return head("date").substring(0, "2026-01-01".length());
    }

    /** {@return the commit that was measured, abbreviated} */
    String commit() {
        String commit = head("commit");
        return commit.length() <= COMMIT_LETTERS ? commit
            : commit.substring(0, COMMIT_LETTERS) + (commit.endsWith("-dirty") ? " and changes" : "");
    }

    private String head(String key) {
        if (document != null) {
            return String.valueOf(follow(List.of("machine", key)));
        }
        return lines.stream().filter(line -> line.startsWith(key + ": ")).findFirst()
            .map(line -> line.substring(key.length() + 2)).orElseThrow(() -> missing(key + ": ..."));
    }

    /**
     * Finds a number.
     *
     * @param selector where it stands
     * @return the number
     * @throws IllegalArgumentException naming the file and the selector if there is none
     */
    double select(String selector) {
        int division = selector.indexOf(" / {");
        if (division > 0) {
            return select(selector.substring(0, division).replaceAll("[{}]", ""))
                / select(selector.substring(division + 3).replaceAll("[{}]", ""));
        }
        int colon = selector.indexOf(": ");
        String kind = colon < 0 ? "" : selector.substring(0, colon);
        List<String> keys = colon < 0 ? List.of() : List.of(selector.substring(colon + 2).split("; "));
        return switch (kind) {
            case "bar" -> bar(keys.getFirst(), selector);
            case "cell" -> cell(keys, selector);
            case "json", "min", "max" -> number(kind, follow(keys), selector);
            default -> throw new IllegalArgumentException(selector + ": begins with none of bar, cell, json, min, max");
        };
    }

    private double bar(String bar, String selector) {
        for (String line : lines) {
            if (line.startsWith(bar + " ")) {
                Matcher number = NUMBER.matcher(line.substring(bar.length()).strip());
                if (number.lookingAt()) {
                    return Double.parseDouble(number.group());
                }
            }
        }
        throw missing(selector);
    }

    private double cell(List<String> keys, String selector) {
        int title = 0;
        while (title < lines.size() && !lines.get(title).startsWith(keys.get(0))) {
            title++;
        }
        for (int row = title + 2; row < lines.size() && !lines.get(row).isBlank(); row++) {
            if (lines.get(row).startsWith(keys.get(1) + "  ")) {
                return cell(lines.get(title + 1), lines.get(row), keys, selector);
            }
        }
        throw missing(selector);
    }

    /** The number that ends where its column's heading ends. */
    private double cell(String heading, String row, List<String> keys, String selector) {
        Matcher number = Pattern.compile("(?<= )" + NUMBER).matcher(row);
        number.region(keys.get(1).length(), row.length());
        number.useTransparentBounds(true);
        while (number.find()) {
            String before = number.end() <= heading.length() ? heading.substring(0, number.end()) : "";
            if (before.endsWith(" " + keys.get(2)) && (number.end() == heading.length()
                || heading.charAt(number.end()) == ' ')) {
                return Double.parseDouble(number.group());
            }
        }
        throw missing(selector);
    }

    private @Nullable Object follow(List<String> keys) {
        Object value = document;
        for (String key : keys) {
            value = value instanceof Map<?, ?> map ? map.get(key)
                : value instanceof List<?> list && key.matches("[0-9]+") ? list.get(Integer.parseInt(key)) : null;
        }
        return value;
    }

    private double number(String kind, @Nullable Object value, String selector) {
        if (value instanceof Number number) {
            return number.doubleValue();
        }
        List<Double> numbers = new ArrayList<>();
        if (value instanceof List<?> list) {
            for (Object each : list) {
                numbers.add(number(kind, each, selector));
            }
        }
        if (numbers.isEmpty()) {
            throw missing(selector);
        }
        numbers.sort(null);
        return kind.equals("min") ? numbers.getFirst() : kind.equals("max") ? numbers.getLast()
            : numbers.get(numbers.size() / 2);
    }

    private IllegalArgumentException missing(String selector) {
        return new IllegalArgumentException("docs/figures/" + name + " has no \"" + selector + "\"");
    }
}
