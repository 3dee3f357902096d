package io.teff.test.bench.graph;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A program of GAP that the user has built: its command, and the times that it prints. */
record GapProgram(String command) {
    private static final Pattern TRIAL = Pattern.compile("Trial Time:\\s*([0-9.eE+-]+)");
    private static final double NS = 1e9;

    /** Runs the program; returns the harmonic mean of its rates over all edges, and its mean time. */
    Map<String, Double> run(Path file, long edges, int threads) throws IOException, InterruptedException {
        List<String> words = Arrays.stream(command.trim().split("\\s+"))
            .map(word -> word.replace("{file}", file.toString())).toList();
        ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
        builder.environment().put("OMP_NUM_THREADS", "" + threads);
        Process process = builder.start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(command + " failed: " + text);
        }
        return figures(text, edges);
    }

    static Map<String, Double> figures(String text, long edges) throws IOException {
        List<Double> seconds = new ArrayList<>();
        Matcher times = TRIAL.matcher(text);
        while (times.find()) {
            seconds.add(Double.parseDouble(times.group(1)));
        }
        if (seconds.isEmpty()) {
            throw new IOException("the program has printed no line with 'Trial Time:'");
        }
        double mean = seconds.stream().mapToDouble(it -> it).average().orElseThrow();
        return Map.of("search MTEPS", edges / mean / 1e6, "mean ns", mean * NS);
    }
}
