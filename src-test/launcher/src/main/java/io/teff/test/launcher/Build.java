package io.teff.test.launcher;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Builds modules and their dependencies, and reports progress and Maven's downloads on stderr. */
final class Build {
    private static final Pattern DOWNLOADED = Pattern.compile("Downloaded from .*\\(([0-9.]+) ([kMG]?)B");
    private static final Pattern PROBLEM = Pattern.compile("^\\[(ERROR|WARNING)] .*");
    private static final Pattern NOISE = Pattern.compile(
        "Help 1|[Rr]e-run Maven|full stack|following articles|<args>|resume the build");
    private static final int PROBLEMS_MAX = 40;

    private final Path root;
    private final Maven maven;
    private final List<String> problems = new ArrayList<>();
    private int files;
    private double megabytes;

    Build(Path root, Maven maven) {
        this.root = root;
        this.maven = maven;
    }

    /** Builds a module. Returns whether that worked. */
    boolean run(Module module) throws IOException, InterruptedException {
        return run(List.of(module));
    }

    /** Builds modules in one run of Maven, with further goals. Returns whether that worked. */
    boolean run(List<Module> modules, String... goals) throws IOException, InterruptedException {
        String folders = modules.stream().map(Module::folder).collect(Collectors.joining(","));
        Path folder = Files.createDirectories(root.resolve("target"));
        Path log = folder.resolve("teff-build.log");
        FileTime start = FileTime.fromMillis(System.currentTimeMillis());
        System.err.print("building " + folders + " ... ");
        int code;
        try (PrintWriter writer = new PrintWriter(Files.newBufferedWriter(log))) {
            List<String> arguments = new ArrayList<>(List.of("-T2", "-pl", folders, "-am", "process-classes"));
            arguments.addAll(List.of(goals));
            code = maven.run(arguments, line -> {
                writer.println(line);
                follow(line);
            });
        }
        if (files > 0) {
            System.err.printf("downloaded %d files, %.0f MB ... ", files, megabytes);
        }
        System.err.println(code == 0 ? "done" : "failed");
        if (code != 0) {
            problems.stream().limit(PROBLEMS_MAX).forEach(System.err::println);
            System.err.println("teff: the build failed; all of its output is in " + log);
            return false;
        }
        // Sources that were edited during the build are newer than the build.
        for (Module module : modules) {
            if (Files.exists(Freshness.stamp(module))) {         // programs alone have a stamp
                Files.setLastModifiedTime(Freshness.stamp(module), start);
            }
        }
        return true;
    }

    private void follow(String line) {
        Matcher downloaded = DOWNLOADED.matcher(line);
        if (downloaded.find()) {
            if (files++ == 0) {
                System.err.println();
                System.err.println("  Maven downloads what its local repository does not have yet: plugins, the "
                    + "compiler's checks, libraries. This happens once.");
            }
            megabytes += Double.parseDouble(downloaded.group(1)) * switch (downloaded.group(2)) {
                case "k" -> 1e-3;
                case "M" -> 1;
                case "G" -> 1e3;
                default -> 1e-6;
            };
        }
        if (PROBLEM.matcher(line).matches() && !NOISE.matcher(line).find()) {
            problems.add(line);
        }
    }
}
