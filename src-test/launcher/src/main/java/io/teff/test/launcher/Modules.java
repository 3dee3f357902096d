package io.teff.test.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** All modules of the build, read from the poms: the root pom names them, and so may each of theirs. */
final class Modules {
    /** A part of the path of each folder with tests of the lane system. */
    static final String SYSTEM_TESTS = "src-test/system";
    private static final String PLAIN_PHASE = "<teff.plain.phase>test</teff.plain.phase>";
    private static final Pattern COMMENT = Pattern.compile("<!--.*?-->", Pattern.DOTALL);
    private static final Pattern MODULE = Pattern.compile("<module>\\s*(.*?)\\s*</module>");
    private static final Pattern DEPENDENCY = Pattern.compile("<dependency>(.*?)</dependency>", Pattern.DOTALL);
    private static final Pattern ROOT = Pattern.compile("<root>\\s*(.*?)\\s*</root>");
    private static final Pattern PROPERTY = Pattern.compile("<([A-Za-z][\\w.-]*)>([^<>]*)</\\1>");

    private final Path root;
    private final Map<String, Module> byArtifact = new LinkedHashMap<>();

    private Modules(Path root) {
        this.root = root;
    }

    /** Reads the poms of a repository. */
    static Modules read(Path root) throws IOException {
        Modules modules = new Modules(root);
        modules.addModulesOf(root);
        return modules;
    }

    /** Returns all modules, in the order of the poms. */
    List<Module> all() {
        return List.copyOf(byArtifact.values());
    }

    /** Returns the module in a folder, or null. */
    Module in(String folder) {
        return all().stream().filter(module -> module.folder().equals(folder)).findFirst().orElse(null);
    }

    /**
     * Returns a module and the modules it needs, in the order in which they are built.
     *
     * @param withTests whether what only tests need counts
     */
    List<Module> closure(Module module, boolean withTests) {
        Set<Module> found = new LinkedHashSet<>();
        add(module, withTests, found);
        return List.copyOf(found);
    }

    private void add(Module module, boolean withTests, Set<Module> found) {
        for (String need : withTests ? module.needs() : module.needsAtRuntime()) {
            Module other = byArtifact.get(need);
            if (other != null) {
                add(other, withTests, found);
            }
        }
        found.add(module);
    }

    private void addModulesOf(Path folder) throws IOException {
        Matcher names = MODULE.matcher(text(folder.resolve("pom.xml")));
        while (names.find()) {
            Path nested = folder.resolve(names.group(1)).normalize();
            Path pom = nested.resolve("pom.xml");
            if (Files.exists(pom)) {
                String text = text(pom);
                if (!text.contains("<packaging>pom</packaging>")) {
                    Module module = module(nested, pom, text);
                    byArtifact.put(module.artifact(), module);
                }
                addModulesOf(nested);
            }
        }
    }

    private static String text(Path pom) throws IOException {
        return COMMENT.matcher(Files.readString(pom)).replaceAll("");
    }

    private Module module(Path folder, Path pom, String text) {
        String own = text.contains("</parent>") ? text.substring(text.indexOf("</parent>")) : text;
        int build = own.indexOf("<build>");
        String head = build < 0 ? own : own.substring(0, build);
        Map<String, String> properties = new HashMap<>();
        Matcher property = PROPERTY.matcher(head);
        while (property.find()) {
            properties.putIfAbsent(property.group(1), property.group(2).strip());
        }
        properties.put("project.basedir", folder.toString());
        properties.put("project.build.directory", folder.resolve("target").toString());
        List<String> needs = new ArrayList<>();
        List<String> atRuntime = new ArrayList<>();
        Matcher dependency = DEPENDENCY.matcher(head);
        while (dependency.find()) {
            if (value(dependency.group(1), "groupId").equals("io.teff")) {
                String artifact = value(dependency.group(1), "artifactId");
                needs.add(artifact);
                if (!value(dependency.group(1), "scope").equals("test")) {
                    atRuntime.add(artifact);
                }
            }
        }
        List<Path> sources = new ArrayList<>(List.of(folder.resolve("src/main/java")));
        List<Path> tests = new ArrayList<>();
        String testSources = value(own, "testSourceDirectory");
        tests.add(testSources.isEmpty() ? folder.resolve("src/test/java") : path(testSources, properties));
        Matcher roots = ROOT.matcher(own);
        while (roots.find()) {
            Path path = path(roots.group(1), properties);
            boolean isTest = tests.contains(path) || path.toString().contains("src-test/unit")
                || path.toString().contains("src-test/shared") || path.toString().contains(SYSTEM_TESTS)
                || path.toString().contains("test-sources");
            List<Path> list = isTest ? tests : sources;
            if (!list.contains(path)) {
                list.add(path);
            }
        }
        String relative = root.relativize(folder).toString().replace('\\', '/');
        return new Module(relative, value(head, "artifactId"), value(head, "name"), pom, needs, atRuntime,
            List.copyOf(sources), List.copyOf(tests), own.contains(PLAIN_PHASE));
    }

    /** Returns a property of the root pom, in which other properties of the root pom are resolved. */
    String property(String name) throws IOException {
        Map<String, String> properties = new HashMap<>();
        Matcher property = PROPERTY.matcher(text(root.resolve("pom.xml")));
        while (property.find()) {
            properties.putIfAbsent(property.group(1), property.group(2).strip());
        }
        return resolved("${" + name + "}", properties);
    }

    private static String value(String xml, String element) {
        Matcher found = Pattern.compile("<" + element + ">\\s*(.*?)\\s*</" + element + ">").matcher(xml);
        return found.find() ? found.group(1) : "";
    }

    private static Path path(String text, Map<String, String> properties) {
        return Path.of(resolved(text, properties)).normalize();
    }

    private static String resolved(String text, Map<String, String> properties) {
        String result = text;
        for (int i = 0; i < 4 && result.contains("${"); i++) {
            for (Map.Entry<String, String> property : properties.entrySet()) {
                result = result.replace("${" + property.getKey() + "}", property.getValue());
            }
        }
        return result;
    }
}
