package io.teff.test.launcher;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;

/**
 * Builds the reference of all public modules as a site in target/docs; its start page is docs/javadoc/overview.html.
 *
 * <p>A module is public if its descriptor exports a package to everyone. Libraries are taken from the class paths of
 * the programs and bridges, which are built first. Any warning of javadoc fails the command.
 */
final class Reference {
    private static final Pattern EXPORTS = Pattern.compile("^\\s*exports [\\w.]+;", Pattern.MULTILINE);
    private static final Pattern NAME = Pattern.compile("\\bmodule ([\\w.]+) \\{");
    /** Class path of the compiler: includes annotations that programs do not need. */
    private static final String CLASS_PATH = "reference-classpath.txt";
    /** Modules whose class paths name the libraries of all public modules. */
    private static final List<String> BUILT = List.of("examples/tools", "examples/graph",
        "examples/bridges/agrona", "examples/bridges/micrometer", "examples/bridges/jcache", "examples/bridges/ycsb");

    private final Path root;
    private final Modules modules;
    private final Maven maven;

    Reference(Path root, Modules modules, Maven maven) {
        this.root = root;
        this.modules = modules;
        this.maven = maven;
    }

    /** Builds the site and returns the exit code. */
    int run() throws IOException, InterruptedException {
        if (!new Build(root, maven).run(BUILT.stream().map(modules::in).toList(), "dependency:build-classpath",
                "-Dmdep.outputFile=target/" + CLASS_PATH, "-Dmdep.includeScope=compile")) {
            return 1;
        }
        List<String> options = options();
        Path log = root.resolve("target/teff-docs.log");
        ToolProvider javadoc = ToolProvider.findFirst("javadoc").orElseThrow();
        System.err.print("writing the reference ... ");
        int code;
        try (PrintWriter writer = new PrintWriter(Files.newBufferedWriter(log))) {
            code = javadoc.run(writer, writer, options.toArray(String[]::new));
        }
        System.err.println(code == 0 ? "done" : "failed; see " + log);
        if (code == 0) {
            System.out.println(root.resolve("target/docs/index.html"));
        }
        return code;
    }

    private List<String> options() throws IOException {
        List<String> options = new ArrayList<>(List.of("-quiet", "-notimestamp", "-Xdoclint:all", "-Werror",
            "-encoding", "UTF-8", "-windowtitle", "Teff", "-overview",
            root.resolve("docs/javadoc/overview.html").toString(),
            "-d", root.resolve("target/docs").toString(), "--module-path", libraries()));
        List<String> names = new ArrayList<>();
        for (Module module : modules.all()) {
            Path sources = module.sources().getFirst();
            Path descriptor = sources.resolve("module-info.java");
            if (!module.folder().startsWith("src-test/") && Files.exists(descriptor)) {
                String text = Files.readString(descriptor);
                if (EXPORTS.matcher(text).find()) {
                    String name = NAME.matcher(text).results().findFirst().orElseThrow().group(1);
                    names.add(name);
                    options.addAll(List.of("--module-source-path", name + "=" + sources));
                }
            }
        }
        options.add("--module=" + String.join(",", names));
        return options;
    }

    /** Everything on the class paths but what is built here. */
    private String libraries() throws IOException {
        Set<String> entries = new LinkedHashSet<>();
        for (String folder : BUILT) {
            Path classPath = modules.in(folder).target().resolve(CLASS_PATH);
            entries.addAll(List.of(Files.readString(classPath).strip().split(File.pathSeparator)));
        }
        return entries.stream().filter(entry -> !entry.isEmpty() && !entry.startsWith(root.toString()))
            .collect(Collectors.joining(File.pathSeparator));
    }
}
