package io.teff.test.launcher;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Compiles modules on the class path with the compiler of this JVM, without Error Prone and without module
 * descriptors, two at a time. A module whose sources, and those of the modules it needs, are as they were is not
 * compiled again.
 */
final class FastBuild {
    /** The folder of the module of the test runner. */
    static final String KIT = "src-test/kit";
    /** The file of a module's libraries, in its target. */
    static final String LIBRARIES = "fast-classpath.txt";
    private static final List<String> OPTIONS = List.of("-proc:none", "-nowarn", "-encoding", "UTF-8", "-parameters",
        "-implicit:none", "-Xmaxerrs", "40", "--add-exports", "java.base/jdk.internal.misc=ALL-UNNAMED");
    private static final int THREADS = 2;

    private final Path root;
    private final Modules modules;
    private final Maven maven;
    private final Map<Module, CompletableFuture<String>> compiled = new HashMap<>();

    FastBuild(Path root, Modules modules, Maven maven) {
        this.root = root;
        this.modules = modules;
        this.maven = maven;
    }

    /** Returns the folder of a module's compiled tests, whose last two names ArchUnit knows as those of tests. */
    static Path tests(Module module) {
        return module.target().resolve("fast/target/test-classes");
    }

    private static Path main(Module module) {
        return module.target().resolve("fast/target/classes");
    }

    /** Returns the module of the test runner. */
    private Module kit() {
        return modules.in(KIT);
    }

    // ---- libraries ----

    /** Asks Maven for the libraries of all modules if a pom has changed. Returns whether they are known. */
    boolean resolve() throws IOException, InterruptedException {
        boolean isKnown = true;
        long newest = Files.getLastModifiedTime(root.resolve("pom.xml")).toMillis();
        for (Module module : modules.all()) {
            newest = Math.max(newest, Files.getLastModifiedTime(module.pom()).toMillis());
        }
        for (Module module : modules.all()) {
            Path file = module.target().resolve(LIBRARIES);
            isKnown &= Files.exists(file) && Files.getLastModifiedTime(file).toMillis() >= newest;
        }
        if (isKnown) {
            return true;
        }
        System.out.println("a pom has changed: Maven resolves the libraries");
        List<String> problems = new ArrayList<>();
        int code = maven.run(List.of("--no-transfer-progress", "-T2", "-Dmaven.main.skip=true",
            "process-test-sources", "dependency:build-classpath", "-Dmdep.includeScope=test",
            "-Dmdep.outputFile=target/" + LIBRARIES, "-Dmdep.regenerateFile=true"), line -> {
                if (line.startsWith("[ERROR]")) {
                    problems.add(line);
                }
            });
        problems.stream().limit(20).forEach(System.err::println);
        return code == 0;
    }

    private List<Path> libraries(Module module) throws IOException {
        return libraries(root, module);
    }

    /** Returns the libraries of a module and its tests, without the project's own modules. */
    static List<Path> libraries(Path root, Module module) throws IOException {
        List<Path> result = new ArrayList<>();
        for (String entry : Files.readString(module.target().resolve(LIBRARIES)).strip().split(File.pathSeparator)) {
            Path path = Path.of(entry);
            if (!entry.isEmpty() && !path.startsWith(root)) {
                result.add(path);
            }
        }
        return result;
    }

    /** Returns the class path for the tests of some modules: classes, resources where they lie, libraries. */
    List<Path> classPath(Collection<Module> selected) throws IOException {
        Set<Path> result = new LinkedHashSet<>();
        Set<Module> needed = new LinkedHashSet<>();
        for (Module module : selected) {
            result.add(tests(module));
            needed.addAll(modules.closure(module, true));
        }
        for (Module module : needed) {
            result.add(main(module));
            result.add(module.resources());
        }
        for (Module module : selected) {
            result.addAll(module.tests());
            result.add(module.pom().resolveSibling("src/test/resources"));
        }
        // some tests read golden files of another module
        modules.all().forEach(module -> result.addAll(module.tests()));
        for (Module module : selected) {
            result.addAll(libraries(module));
        }
        result.add(main(kit()));
        result.addAll(libraries(kit()));
        return result.stream().filter(Files::exists).toList();
    }

    // ---- compiling ----

    /** Compiles modules, what they need, and their tests. Returns whether that worked. */
    boolean compile(Collection<Module> selected) throws InterruptedException {
        try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            List<CompletableFuture<String>> all = new ArrayList<>(List.of(compileMain(kit(), threads)));
            for (Module module : selected) {
                modules.closure(module, true).forEach(needed -> all.add(compileMain(needed, threads)));
            }
            for (Module module : selected) {
                List<CompletableFuture<String>> needed = modules.closure(module, true).stream().map(compiled::get)
                    .toList();
                all.add(CompletableFuture.allOf(needed.toArray(CompletableFuture[]::new)).thenApplyAsync(
                    _ -> javac(module, module.tests(), tests(module), needed), threads));
            }
            CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).join();
            return true;
        } catch (CompletionException e) {
            System.err.println("teff: " + (e.getCause() instanceof CompileFailure ? "" : e.getCause())
                + " the tree does not compile");
            return false;
        }
    }

    private CompletableFuture<String> compileMain(Module module, ExecutorService threads) {
        CompletableFuture<String> known = compiled.get(module);
        if (known != null) {
            return known;
        }
        List<CompletableFuture<String>> needed = modules.closure(module, false).stream()
            .filter(other -> !other.equals(module)).map(other -> compileMain(other, threads)).toList();
        CompletableFuture<String> future = CompletableFuture.allOf(needed.toArray(CompletableFuture[]::new))
            .thenApplyAsync(_ -> javac(module, module.sources(), main(module), needed), threads);
        compiled.put(module, future);
        return future;
    }

    /** Compiles folders of a module if they, or what they need, have changed. Returns what the result depends on. */
    private String javac(Module module, List<Path> folders, Path output, List<CompletableFuture<String>> needed) {
        try {
            List<Path> sources = new ArrayList<>();
            StringBuilder state = new StringBuilder();
            for (Path folder : folders) {
                if (Files.isDirectory(folder)) {
                    try (Stream<Path> files = Files.walk(folder)) {
                        files.filter(file -> file.toString().endsWith(".java")
                            && !file.endsWith("module-info.java")).sorted().forEach(sources::add);
                    }
                }
            }
            for (Path source : sources) {
                state.append(source).append(' ').append(Files.getLastModifiedTime(source).toMillis()).append(' ')
                    .append(Files.size(source)).append('\n');
            }
            needed.forEach(other -> state.append(other.join()).append('\n'));
            libraries(module).forEach(library -> state.append(library).append('\n'));
            String signature = module.folder() + " " + Integer.toHexString(state.toString().hashCode()) + " "
                + state.length();
            Path stamp = output.resolveSibling(output.getFileName() + ".txt");
            if (!Files.exists(stamp) || !Files.readString(stamp).equals(signature)) {
                compile(module, sources, output);
                Files.writeString(stamp, signature);
            }
            return signature;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void compile(Module module, List<Path> sources, Path output) throws IOException {
        Files.deleteIfExists(output.resolveSibling(output.getFileName() + ".txt"));
        Gate.delete(output);
        Files.createDirectories(output);
        if (sources.isEmpty()) {
            return;
        }
        List<Path> classPath = new ArrayList<>();
        modules.closure(module, true).forEach(needed -> classPath.add(main(needed)));
        classPath.addAll(libraries(module));
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(found, null, StandardCharsets.UTF_8)) {
            List<String> options = new ArrayList<>(OPTIONS);
            options.addAll(List.of("-d", output.toString(), "-cp",
                String.join(File.pathSeparator, classPath.stream().map(Path::toString).toList())));
            boolean isGood = compiler.getTask(null, files, found, options, null,
                files.getJavaFileObjectsFromPaths(sources)).call();
            if (!isGood) {
                found.getDiagnostics().stream().filter(line -> line.getKind() == Diagnostic.Kind.ERROR)
                    .forEach(System.err::println);
                throw new CompileFailure();
            }
        }
    }

    /** Ends the compilation; its messages have been printed. */
    private static final class CompileFailure extends RuntimeException {
        private static final long serialVersionUID = 1;
    }
}
