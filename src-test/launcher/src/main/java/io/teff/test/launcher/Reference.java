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
 * <p>A module is public if its descriptor exports a package to everyone. All public modules are built first, because
 * their class paths name the libraries. Any warning of javadoc fails the command.
 */
final class Reference {
    private static final Pattern EXPORTS = Pattern.compile("^\\s*exports [\\w.]+;", Pattern.MULTILINE);
    private static final Pattern NAME = Pattern.compile("\\bmodule ([\\w.]+) \\{");
    /** Class path of the compiler: includes annotations that programs do not need. */
    private static final String CLASS_PATH = "reference-classpath.txt";

    /** More than a person mends at a time. */
    private static final String WARNINGS_MAX = "1000";

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
        List<Module> documented = documented();
        if (!new Build(root, maven).run(documented, "dependency:build-classpath",
                "-Dmdep.outputFile=target/" + CLASS_PATH, "-Dmdep.includeScope=compile")) {
            return 1;
        }
        List<String> options = options(documented);
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

    /** All public modules, in the order of the build. */
    private List<Module> documented() throws IOException {
        List<Module> documented = new ArrayList<>();
        for (Module module : modules.all()) {
            Path descriptor = descriptor(module);
            if (!module.folder().startsWith("src-test/") && Files.exists(descriptor)
                    && EXPORTS.matcher(Files.readString(descriptor)).find()) {
                documented.add(module);
            }
        }
        return documented;
    }

    private static Path descriptor(Module module) {
        return module.sources().getFirst().resolve("module-info.java");
    }

    private List<String> options(List<Module> documented) throws IOException {
        List<String> options = new ArrayList<>(List.of("-quiet", "-notimestamp", "-Xdoclint:all", "-Werror",
            "-Xmaxwarns", WARNINGS_MAX, "-encoding", "UTF-8", "-windowtitle", "Teff", "-overview",
            root.resolve("docs/javadoc/overview.html").toString(),
            "-d", root.resolve("target/docs").toString(), "--module-path", libraries(documented)));
        List<String> names = new ArrayList<>();
        for (Module module : documented) {
            String text = Files.readString(descriptor(module));
            String name = NAME.matcher(text).results().findFirst().orElseThrow().group(1);
            names.add(name);
            options.addAll(List.of("--module-source-path", name + "=" + module.sources().getFirst()));
        }
        options.add("--module=" + String.join(",", names));
        return options;
    }

    /** Everything on the class paths but what is built here. */
    private String libraries(List<Module> documented) throws IOException {
        Set<String> entries = new LinkedHashSet<>();
        for (Module module : documented) {
            Path classPath = module.target().resolve(CLASS_PATH);
            entries.addAll(List.of(Files.readString(classPath).strip().split(File.pathSeparator)));
        }
        return entries.stream().filter(entry -> !entry.isEmpty() && !entry.startsWith(root.toString()))
            .collect(Collectors.joining(File.pathSeparator));
    }
}
