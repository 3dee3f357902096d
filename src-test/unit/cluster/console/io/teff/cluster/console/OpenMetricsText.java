package io.teff.cluster.console;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A strict reader of the text of OpenMetrics 1.0: every line is of the grammar, families are not interleaved, types,
 * units and names fit each other, no series appears twice, and histograms are whole. Any fault is an
 * {@link IllegalArgumentException} with the line.
 */
final class OpenMetricsText {
    private static final Pattern META = Pattern.compile("# (TYPE|HELP|UNIT) ([a-zA-Z_:][a-zA-Z0-9_:]*) ?(.*)");
    private static final Pattern SAMPLE = Pattern.compile(
        "([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\\{(.*)\\})? (\\S+)(?: (-?[0-9.]+))?");
    private static final Pattern LABEL = Pattern.compile(
        "\\G([a-zA-Z_][a-zA-Z0-9_]*)=\"((?:[^\"\\\\\\n]|\\\\[\\\\n\"])*)\"(,|$)");
    private static final Map<String, List<String>> SUFFIXES = Map.of("counter", List.of("_total", "_created"),
        "gauge", List.of(""), "histogram", List.of("_bucket", "_count", "_sum", "_created"), "info", List.of("_info"),
        "unknown", List.of(""), "summary", List.of("", "_count", "_sum", "_created"));

    final Map<String, String> types = new LinkedHashMap<>();
    final List<Sample> samples = new ArrayList<>();
    private final Map<String, String> units = new HashMap<>();
    private final Set<String> seen = new HashSet<>();
    private final Set<String> ended = new HashSet<>();
    private String family = "";

    /** A value of a series. */
    record Sample(String family, String name, Map<String, String> labels, double value) {}

    private OpenMetricsText() {}

    static OpenMetricsText read(String text) {
        if (!text.endsWith("# EOF\n") || text.indexOf("# EOF") != text.length() - 6) {
            throw new IllegalArgumentException("the text does not end with # EOF");
        }
        OpenMetricsText read = new OpenMetricsText();
        for (String line : text.substring(0, text.length() - 6).split("\n", -1)) {
            if (!line.isEmpty() || read.samples.isEmpty() && read.types.isEmpty()) {
                read.line(line);
            }
        }
        if (text.contains("\n\n") || text.contains("\r")) {
            throw new IllegalArgumentException("an empty line, or a carriage return");
        }
        read.checkHistograms();
        return read;
    }

    private static void check(boolean isRight, String what, String line) {
        if (!isRight) {
            throw new IllegalArgumentException(what + ": " + line);
        }
    }

    private void line(String line) {
        Matcher meta = META.matcher(line);
        if (meta.matches()) {
            begin(meta.group(2), line);
            String rest = meta.group(3);
            switch (meta.group(1)) {
                case "TYPE" -> {
                    check(SUFFIXES.containsKey(rest), "no type", line);
                    check(types.put(family, rest) == null, "a second type", line);
                }
                case "UNIT" -> {
                    check(units.put(family, rest) == null, "a second unit", line);
                    check(family.endsWith("_" + rest), "the unit is no suffix", line);
                }
                default -> check(!rest.replaceAll("\\\\[\\\\n\"]", "").contains("\\"), "a wrong escape", line);
            }
            return;
        }
        check(!line.startsWith("#"), "a comment", line);
        Matcher sample = SAMPLE.matcher(line);
        check(sample.matches(), "no sample", line);
        sample(sample.group(1), labels(sample.group(2), line), sample.group(3), line);
    }

    private void begin(String name, String line) {
        if (!name.equals(family)) {
            check(!ended.contains(name), "the family appears twice", line);
            ended.add(family);
            family = name;
        }
        check(samples.isEmpty() || !samples.getLast().family.equals(family), "a description behind a sample", line);
    }

    private static Map<String, String> labels(String text, String line) {
        Map<String, String> labels = new TreeMap<>();
        if (text == null || text.isEmpty()) {
            return labels;
        }
        Matcher label = LABEL.matcher(text);
        int end = 0;
        while (label.find()) {
            check(labels.put(label.group(1), label.group(2)) == null, "a label appears twice", line);
            end = label.end();
        }
        check(end == text.length() && !text.endsWith(","), "wrong labels", line);
        return labels;
    }

    private void sample(String name, Map<String, String> labels, String text, String line) {
        String type = types.get(family);
        check(type != null && name.startsWith(family) && SUFFIXES.get(type).contains(name.substring(family.length())),
            "the name does not fit " + family + " of type " + type, line);
        double value = text.equals("+Inf") ? Double.POSITIVE_INFINITY : text.equals("-Inf") ? Double.NEGATIVE_INFINITY
            : Double.parseDouble(text);
        check(text.matches("[+-]?(\\d+\\.?\\d*([eE][+-]?\\d+)?|Inf)|NaN"), "no number", line);
        check(seen.add(name + labels), "the series appears twice", line);
        boolean isCount = type.equals("counter") || type.equals("histogram");
        check(!isCount || value >= 0 && !Double.isNaN(value), "a count below 0", line);
        check(!name.endsWith("_bucket") || labels.containsKey("le"), "a bucket without a bound", line);
        samples.add(new Sample(family, name, Map.copyOf(labels), value));
    }

    /** The buckets of a histogram rise, end with all, and all is the count. */
    private void checkHistograms() {
        Map<String, TreeMap<Double, Double>> buckets = new LinkedHashMap<>();
        Map<String, Double> counts = new HashMap<>();
        for (Sample sample : samples) {
            if ("histogram".equals(types.get(sample.family))) {
                Map<String, String> others = new TreeMap<>(sample.labels);
                String bound = others.remove("le");
                String series = sample.family + others;
                if (sample.name.endsWith("_bucket")) {
                    double le = bound.equals("+Inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(bound);
                    buckets.computeIfAbsent(series, _ -> new TreeMap<>()).put(le, sample.value);
                } else if (sample.name.endsWith("_count")) {
                    counts.put(series, sample.value);
                }
            }
        }
        buckets.forEach((series, all) -> {
            double before = 0;
            for (double count : all.values()) {
                check(count >= before, "buckets fall", series);
                before = count;
            }
            check(all.lastKey() == Double.POSITIVE_INFINITY && all.lastEntry().getValue().equals(counts.get(series)),
                "the last bucket is not the count", series);
        });
    }
}
