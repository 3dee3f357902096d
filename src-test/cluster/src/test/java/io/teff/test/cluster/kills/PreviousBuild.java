package io.teff.test.cluster.kills;

import io.teff.test.kit.ChildProcess;
import io.teff.test.kit.ChildProcess.Result;
import io.teff.test.kit.Project;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The program of an earlier build of this project: a jar of the sources of a commit, which git has. The jar is compiled
 * once and kept below {@code target}, by the id of the commit. Libraries of others are those of this build.
 *
 * <p>The commit is, in this order,
 * <ol>
 * <li>that of the property {@value #FROM};
 * <li>the newest tag {@code v*} in front of the present commit, which is the last release;
 * <li>without a tag: counted from the first commit along first parents, the last commit whose number is a multiple of
 *     100 and that is at least 50 commits away. So all commits for some days have the same earlier build.
 * </ol>
 *
 * <p>Builds of different versions of the protocol refuse each other. In place of such a commit of 2 or 3, the earlier
 * build is the first commit with the present version.
 */
final class PreviousBuild {
    /** Property: the earlier build as git names commits. */
    static final String FROM = "teff.roll.from";
    private static final int STRIDE = 100;
    private static final int AWAY_MIN = 50;
    /** Folders with sources of the program. Others are compiled as far as these need them. */
    private static final List<String> ROOTS = List.of("engine", "recovery", "cluster/net", "cluster/core",
        "cluster/console", "cluster/terminal", "nio");
    private static final String JAVA = "src/main/java";
    private static final String VERSIONS = "cluster/net/" + JAVA + "/io/teff/cluster/net/wire/Versions.java";
    private static final String VERSION_OF = "static final int HIGHEST";
    private static final String RESOURCES = "src/main/resources";

    private final Path root = Project.file(".").normalize();
    private final Path cache = root.resolve("src-test").resolve("cluster").resolve("target").resolve("previous");

    /** The earlier build, or why there is none. */
    record Found(String commit, String missing) {}

    // ---- which commit ----

    /** Returns the commit, or why there is none. */
    Found find() throws IOException, InterruptedException {
        if (!Files.exists(root.resolve(".git"))) {
            return new Found("", "this copy of the project has no history of git");
        }
        String wanted = System.getProperty(FROM, "");
        if (!wanted.isEmpty()) {
            return commit(wanted);
        }
        Result shallow = git("rev-parse", "--is-shallow-repository");
        if (shallow.exitCode() != 0) {
            return new Found("", "git does not read the history: " + shallow.errors().strip());
        }
        Result tag = git("describe", "--tags", "--abbrev=0", "--match", "v*", "HEAD^");
        if (tag.exitCode() == 0) {
            return fitting(tag.output().strip());
        }
        if (shallow.output().strip().equals("true")) {
            return new Found("", "the history of git is cut off; git fetch --unshallow brings it");
        }
        int count = Integer.parseInt(git("rev-list", "--count", "--first-parent", "HEAD").output().strip());
        int number = (count - AWAY_MIN) / STRIDE * STRIDE;
        return number <= 0 ? new Found("", "the history has " + count + " commits only")
            : fitting("HEAD~" + (count - number));
    }

    /** Returns a commit, or the first commit of the present version of the protocol if the commit has another one. */
    private Found fitting(String name) throws IOException, InterruptedException {
        return versionOf(name).equals(versionOf("HEAD")) ? commit(name)
            : commit(git("log", "-1", "--format=%H", "-G", VERSION_OF, "HEAD", "--", VERSIONS).output().strip());
    }

    private String versionOf(String name) throws IOException, InterruptedException {
        return git("show", name + ":" + VERSIONS).output().lines().filter(line -> line.contains(VERSION_OF))
            .collect(Collectors.joining());
    }

    private Found commit(String name) throws IOException, InterruptedException {
        Result id = git("rev-parse", "--verify", name + "^{commit}");
        return id.exitCode() == 0 ? new Found(id.output().strip(), "")
            : new Found("", "git does not know " + name + ": " + id.errors().strip());
    }

    private Result git(String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("git", "-C", root.toString()));
        command.addAll(List.of(words));
        return run(root, command);
    }

    private static Result run(Path folder, List<String> command) throws IOException, InterruptedException {
        Map<String, String> environment = new HashMap<>(Map.of("PATH", System.getenv("PATH"), "LC_ALL", "C.UTF-8"));
        if (System.getenv("HOME") != null) {
            environment.put("HOME", System.getenv("HOME"));
        }
        return ChildProcess.run(folder, environment, command);
    }

    private static void succeed(Path folder, List<String> command) throws IOException, InterruptedException {
        Result result = run(folder, command);
        if (result.exitCode() != 0) {
            throw new AssertionError(command.getFirst() + " fails: " + result.output() + result.errors());
        }
    }

    // ---- the jar ----

    /** Returns the jar of a commit, compiled if it is not there yet. */
    Path jar(String commit) throws IOException, InterruptedException {
        Path jar = cache.resolve(commit + ".jar");
        if (!Files.exists(jar)) {
            Path work = Files.createDirectories(cache).resolve("work-" + ProcessHandle.current().pid());
            delete(work);
            try {
                unpack(commit, work);
                compile(work);
                deleteOthers();
                Files.move(work.resolve("program.jar"), jar, StandardCopyOption.ATOMIC_MOVE);
            } finally {
                delete(work);
            }
        }
        return jar;
    }

    /** Returns the class path of a commit: its jar, and the libraries of others. */
    String classPath(String commit) throws IOException, InterruptedException {
        return jar(commit) + File.pathSeparator + libraries();
    }

    private static String libraries() {
        return Arrays.stream(ChildProcess.everything().split(File.pathSeparator)).map(Path::of)
            .filter(entry -> entry.toString().endsWith(".jar") && !entry.getFileName().toString().startsWith("teff-"))
            .map(Path::toString).distinct().collect(Collectors.joining(File.pathSeparator));
    }

    private void unpack(String commit, Path work) throws IOException, InterruptedException {
        Files.createDirectories(work);
        Path archive = work.resolve("sources.tar");
        succeed(root, List.of("git", "-C", root.toString(), "archive", "--output", archive.toString(), commit, "--",
            "engine", "recovery", "cluster", "nio", "rdma", "examples"));
        succeed(work, List.of("tar", "-xf", archive.toString()));
        try (Stream<Path> files = Files.walk(work)) {           // javac would take the sources for one module
            for (Path file : files.filter(each -> each.endsWith("module-info.java")).toList()) {
                Files.delete(file);
            }
        }
    }

    private static void compile(Path work) throws IOException, InterruptedException {
        Path classes = Files.createDirectories(work.resolve("classes"));
        List<String> sources = new ArrayList<>();
        for (String module : ROOTS) {
            sources.addAll(files(work.resolve(module).resolve(JAVA)).stream().map(Path::toString).toList());
            copyResources(work.resolve(module).resolve(RESOURCES), classes);
        }
        Path list = Files.write(work.resolve("sources.txt"), sources);
        String folders;
        try (Stream<Path> found = Files.walk(work)) {
            folders = found.filter(each -> each.endsWith(JAVA)).map(Path::toString)
                .collect(Collectors.joining(File.pathSeparator));
        }
        succeed(work, List.of(Path.of(System.getProperty("java.home"), "bin", "javac").toString(), "-proc:none",
            "-nowarn", "-XDignore.symbol.file", "-implicit:class", "-J-Xmx600m", "-d", classes.toString(),
            "-sourcepath", folders, "-cp", libraries(), "@" + list));
        int code = ToolProvider.findFirst("jar").orElseThrow().run(System.out, System.err, "--create", "--no-compress",
            "--file", work.resolve("program.jar").toString(), "-C", classes.toString(), ".");
        if (code != 0) {
            throw new AssertionError("jar ends with " + code);
        }
    }

    /** Copies resources; lists of services of several modules become one list. */
    private static void copyResources(Path from, Path to) throws IOException {
        for (Path file : files(from)) {
            Path target = to.resolve(from.relativize(file).toString());
            Files.createDirectories(target.getParent());
            if (target.toString().contains("META-INF/services")) {
                Files.writeString(target, Files.readString(file).strip() + "\n", StandardCharsets.UTF_8,
                    StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            } else {
                Files.copy(file, target, StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    private static List<Path> files(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile).toList();
        }
    }

    private void deleteOthers() throws IOException {
        for (Path file : files(cache)) {
            if (file.getParent().equals(cache)) {
                Files.delete(file);
            }
        }
    }

    private static void delete(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }
}
