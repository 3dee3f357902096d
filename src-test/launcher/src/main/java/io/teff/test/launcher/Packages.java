package io.teff.test.launcher;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Fills an empty folder with the packages of all modules that are no tests, so that the folder is a repository. */
final class Packages {
    /** The folder of the list of versions, which has no sources and so is no module of the launcher. */
    private static final String VERSIONS = "bom";
    private static final int WRONG_USE = 2;
    private static final int PROBLEMS_MAX = 40;

    private final Path root;
    private final Modules modules;
    private final Maven maven;

    Packages(Path root, Modules modules, Maven maven) {
        this.root = root;
        this.modules = modules;
        this.maven = maven;
    }

    /** Builds the packages and returns the exit code. */
    int run(Path folder) throws IOException, InterruptedException {
        if (!isEmpty(folder)) {
            System.err.println("teff: package: " + folder + " is not an empty folder.");
            return WRONG_USE;
        }
        Path log = Files.createDirectories(root.resolve("target")).resolve("teff-package.log");
        List<String> problems = new ArrayList<>();
        System.err.print("packaging ... ");
        int code;
        try (BuildLock _ = BuildLock.take(root);
                PrintWriter writer = new PrintWriter(Files.newBufferedWriter(log))) {
            code = maven.run(arguments(folder), line -> {
                writer.println(line);
                if (line.startsWith("[ERROR]")) {
                    problems.add(line);
                }
            });
        }
        if (code != 0) {
            Gate.delete(folder);                                // a part of the packages is no use
        }
        System.err.println(code == 0 ? "done" : "failed; see " + log);
        problems.stream().limit(code == 0 ? 0 : PROBLEMS_MAX).forEach(System.err::println);
        if (code == 0) {
            System.out.println(folder.toUri());
        }
        return code;
    }

    private List<String> arguments(Path folder) {
        String folders = Stream.concat(Stream.of(VERSIONS), modules.all().stream().map(Module::folder)
            .filter(it -> !it.startsWith("src-test/"))).collect(Collectors.joining(","));
        return List.of("--no-transfer-progress", "-T2", "-Ppackage", "-pl", folders, "-am", "deploy",
            "-DaltDeploymentRepository=teff::" + folder.toUri());
    }

    private static boolean isEmpty(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return true;
        }
        if (!Files.isDirectory(folder)) {
            return false;
        }
        try (Stream<Path> inside = Files.list(folder)) {
            return inside.findFirst().isEmpty();
        }
    }
}
