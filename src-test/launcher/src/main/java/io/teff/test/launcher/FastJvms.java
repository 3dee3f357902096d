package io.teff.test.launcher;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;

/**
 * JVMs that run test classes: each is given one class after the other, and answers with lines about failures and one
 * about its end. A JVM that dies counts as a failure of the class it was running, and is replaced.
 */
final class FastJvms {
    /** The union of the flags that the modules need. */
    private static final List<String> FLAGS = List.of("-ea", "-Xmx2g", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC",
        "--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow", "-Djava.awt.headless=true",
        "-XX:+EnableDynamicAgentLoading", "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED",
        "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED", "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED",
        "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED", "-Djmh.ignoreLock=true");
    private static final String RUNNER = "io.teff.test.kit.run.TestRunner";
    private static final String DONE = "DONE ";

    private final Path root;
    private final List<Path> classPath;
    private final String tags;
    private final Queue<String> waiting = new ArrayDeque<>();
    private final Map<String, Double> times = new HashMap<>();
    private long count;
    private long failed;
    private long skipped;

    /** @param tags tags of tests that are left out, separated by commas */
    FastJvms(Path root, List<Path> classPath, String tags) {
        this.root = root;
        this.classPath = classPath;
        this.tags = tags;
    }

    /** Returns the seconds that each class took. */
    Map<String, Double> times() {
        return times;
    }

    /** Returns the number of tests that were run or skipped. */
    long count() {
        return count;
    }

    /** Returns the number of tests that have failed. */
    long failed() {
        return failed;
    }

    /** Returns the number of tests that were skipped. */
    long skipped() {
        return skipped;
    }

    /** Runs all classes. */
    void run(int jvms, List<String> classes) throws InterruptedException {
        waiting.addAll(classes);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < jvms; i++) {
            int number = i;
            threads.add(Thread.ofPlatform().name("tests-" + number).start(() -> serve(number)));
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private synchronized String next() {
        return waiting.poll();
    }

    private void serve(int number) {
        Path output = root.resolve("target/fast/jvm-" + number + ".txt");
        try {
            String name = next();
            while (name != null) {
                Process process = start(output);
                try (PrintWriter writer = new PrintWriter(process.outputWriter(StandardCharsets.UTF_8), true);
                        BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
                    while (name != null && runOne(name, writer, reader, output)) {
                        name = next();
                    }
                }
                process.destroy();
                name = name == null ? null : next();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Process start(Path output) throws IOException {
        List<String> command = new ArrayList<>(List.of(Gate.java()));
        command.addAll(FLAGS);
        String more = System.getenv("TEFF_JAVA_OPTS");
        if (more != null && !more.isBlank()) {
            command.addAll(List.of(more.strip().split(" +")));
        }
        command.addAll(List.of("-Dteff.root=" + root, "-Djqwik.database=" + root.resolve("target/fast/jqwik-database"),
            "-cp", String.join(File.pathSeparator, classPath.stream().map(Path::toString).toList()), RUNNER, tags));
        return new ProcessBuilder(command).directory(root.toFile())
            .redirectError(ProcessBuilder.Redirect.to(output.toFile())).start();
    }

    /** Runs one class. Returns false if its JVM has died. */
    private boolean runOne(String name, PrintWriter writer, BufferedReader reader, Path output) throws IOException {
        writer.println(name);
        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
            if (line.startsWith(DONE)) {
                String[] words = line.substring(DONE.length()).split(" ");
                count(name, Long.parseLong(words[0]), Long.parseLong(words[1]), Long.parseLong(words[2]),
                    Double.parseDouble(words[3]));
                return true;
            }
            System.out.println(line);
        }
        count(name, 1, 1, 0, 1);
        System.out.println("FAILED " + name + ": its JVM has ended; the end of its output:");
        List<String> lines = Files.readAllLines(output);
        lines.subList(Math.max(0, lines.size() - 20), lines.size()).forEach(System.out::println);
        return false;
    }

    private synchronized void count(String name, long tests, long failures, long skips, double seconds) {
        count += tests;
        failed += failures;
        skipped += skips;
        times.put(name, seconds);
    }
}
