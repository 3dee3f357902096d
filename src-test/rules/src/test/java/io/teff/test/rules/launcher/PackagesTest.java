package io.teff.test.rules.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.teff.test.kit.ChildProcess;
import io.teff.test.kit.ChildProcess.Result;
import io.teff.test.kit.tier.FullTier;
import io.teff.test.rules.Repository;
import io.teff.test.rules.tour.FirstProgram;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Goal: {@code ./teff package FOLDER} makes a repository from which other projects build and run the first program of
 * the README. Method: a copy of the tree, without anything built, packages itself into an empty folder. Projects of
 * Maven and Gradle use the folder on the class path and on the module path. The projects' own caches are empty, and the
 * folder is the only place that has snapshots.
 */
@Tag("processes")
@FullTier("Compiles and documents all modules, for two minutes.")
final class PackagesTest {
    private static final List<String> ENDINGS = List.of(".jar", "-sources.jar", "-javadoc.jar", "-cyclonedx.json",
        ".pom");
    private static final List<String> ELEMENTS = List.of("<name>", "<description>", "<url>", "<licenses>",
        "<developers>", "<scm");
    private static final String BOM = "teff-bom";

    private static Path folder;
    private static Path repository;

    @BeforeAll
    static void packageACopy() throws Exception {
        folder = Files.createTempDirectory("teff-packages");
        Path tree = folder.resolve("tree");
        for (Path file : Repository.files("")) {
            Path copy = tree.resolve(file);
            Files.createDirectories(copy.getParent());
            Files.copy(Repository.root().resolve(file), copy, StandardCopyOption.COPY_ATTRIBUTES);
        }
        repository = folder.resolve("repository");
        run(tree, jdk(), tree.resolve("teff").toString(), "package", repository.toString());
    }

    @AfterAll
    static void delete() throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted((one, two) -> two.compareTo(one)).toList()) {
                Files.delete(file);
            }
        }
    }

    private static Map<String, String> jdk() {
        String home = System.getProperty("java.home");
        return Map.of("JAVA_HOME", home, "JAVA25_HOME", home);
    }

    private static Result run(Path place, Map<String, String> variables, String... command) throws Exception {
        Map<String, String> environment = new HashMap<>(variables);
        environment.put("PATH", System.getenv("PATH"));
        environment.put("HOME", System.getProperty("user.home"));
        environment.put("LC_ALL", "C.UTF-8");
        Result result = ChildProcess.run(place, environment, List.of(command));
        assertEquals(0, result.exitCode(), () -> String.join(" ", command) + "\n" + result.output() + result.errors());
        return result;
    }

    private static Set<String> names(Path place) throws IOException {
        Set<String> names = new TreeSet<>();
        try (Stream<Path> files = Files.list(place)) {
            files.map(it -> it.getFileName().toString()).forEach(names::add);
        }
        return names;
    }

    private static Path version(String artifact) throws IOException {
        Path place = repository.resolve("io/teff").resolve(artifact);
        return place.resolve(names(place).stream().filter(it -> !it.startsWith("maven-")).findFirst().orElseThrow());
    }

    private static Path file(String artifact, String ending) throws IOException {
        Path place = version(artifact);
        return place.resolve(names(place).stream().filter(it -> it.endsWith(ending)
            && (!ending.equals(".jar") || !it.matches(".*-(sources|javadoc).jar"))).findFirst()
            .orElseThrow(() -> new AssertionError(artifact + " has no " + ending)));
    }

    @Test
    void reference_isBuiltWithoutWarnings() throws Exception {
        Path tree = folder.resolve("tree");
        String index = run(tree, jdk(), tree.resolve("teff").toString(), "docs").output().strip();
        assertEquals(tree.resolve("target/docs/index.html").toString(), index);
        assertTrue(Files.exists(tree.resolve("target/docs/io.teff.cluster/io/teff/cluster/ClusterStore.html")), index);
    }

    @Test
    void everyPackage_isComplete() throws Exception {
        Set<String> artifacts = names(repository.resolve("io/teff"));
        assertTrue(artifacts.containsAll(Set.of("teff-engine", "teff-recovery", "teff-cluster", BOM)),
            artifacts::toString);
        assertTrue(artifacts.stream().noneMatch(it -> it.startsWith("teff-test") || it.equals("teff-parent")),
            artifacts::toString);
        String versions = Files.readString(file(BOM, ".pom"));
        for (String artifact : artifacts) {
            String pom = Files.readString(file(artifact, ".pom"));
            assertFalse(pom.contains("<parent>"), artifact);
            ELEMENTS.forEach(element -> assertTrue(pom.contains(element), () -> artifact + " has no " + element));
            if (!artifact.equals(BOM)) {
                assertTrue(versions.contains("<artifactId>" + artifact + "</artifactId>"), artifact);
                for (String ending : ENDINGS) {
                    if (ending.endsWith(".jar")) {
                        assertLicensed(file(artifact, ending));
                    } else {
                        assertTrue(Files.size(file(artifact, ending)) > 0, artifact);
                    }
                }
            }
        }
    }

    private static void assertLicensed(Path path) throws IOException {
        try (JarFile jar = new JarFile(path.toFile())) {
            for (String name : List.of("LICENSE", "NOTICE")) {
                var entry = jar.getEntry("META-INF/" + name);
                assertTrue(entry != null, () -> path + " has no " + name);
                assertEquals(Repository.read(Path.of(name)), new String(jar.getInputStream(entry).readAllBytes(),
                    StandardCharsets.UTF_8), path.toString());
            }
        }
    }

    // ---- projects ----

    private static Path project(String tool, boolean isModule) throws IOException {
        Path project = Files.createDirectory(folder.resolve(tool + (isModule ? "-module" : "-class")));
        Path kept = Repository.root().resolve("src-test/packages").resolve(tool);
        for (String name : names(kept)) {
            Files.copy(kept.resolve(name), project.resolve(name));
        }
        FirstProgram.write(project.resolve("src/main/java"), isModule);
        return project;
    }

    private static void runProgram(Path project, Path classes, Path libraries, boolean isModule) throws Exception {
        List<String> arguments = new ArrayList<>();
        if (isModule) {
            arguments.addAll(List.of("-p", classes + File.pathSeparator + libraries, "-m", FirstProgram.MODULE_MAIN));
        } else {
            arguments.addAll(List.of("-cp", classes + File.pathSeparator + libraries + "/*", FirstProgram.MAIN));
        }
        Result result = ChildProcess.java(project, arguments.toArray(String[]::new));
        assertEquals(0, result.exitCode(), result.errors());
        assertEquals(FirstProgram.output(), result.output());
    }

    private static void maven(boolean isModule) throws Exception {
        Path project = project("maven", isModule);
        String place = "<id>kept</id><url>" + Path.of(System.getProperty("user.home"), ".m2/repository").toUri()
            + "</url><snapshots><enabled>false</enabled></snapshots>";
        Path settings = Files.writeString(folder.resolve("settings.xml"), "<settings><profiles><profile><id>kept</id>"
            + "<repositories><repository>" + place + "</repository></repositories><pluginRepositories>"
            + "<pluginRepository>" + place + "</pluginRepository></pluginRepositories></profile></profiles>"
            + "<activeProfiles><activeProfile>kept</activeProfile></activeProfiles></settings>");
        run(project, jdk(), "mvn", "--batch-mode", "-s", settings.toString(), "-Dmaven.repo.local="
            + folder.resolve("m2"), "-Dteff.repository=" + repository.toUri(), "-Dteff.version="
            + version(BOM).getFileName(), "process-classes");
        runProgram(project, project.resolve("target/classes"), project.resolve("target/lib"), isModule);
    }

    private static void gradle(boolean isModule) throws Exception {
        assumeTrue(Stream.of(System.getenv("PATH").split(File.pathSeparator)).anyMatch(it ->
            Files.exists(Path.of(it, "gradle"))), "there is no Gradle: apt-get install gradle");
        Path project = project("gradle", isModule);
        run(project, Map.of(), "gradle", "--no-daemon", "-q", "-g", folder.resolve("gradle-home").toString(),
            "-Pteff.repository=" + repository.toUri(), "-Pteff.version=" + version(BOM).getFileName(),
            "-Pjdk=" + System.getProperty("java.home"), "program", "libraries");
        runProgram(project, project.resolve("build/classes"), project.resolve("build/lib"), isModule);
    }

    @Test
    void maven_onTheClassPath_runsTheFirstProgram() throws Exception {
        maven(false);
    }

    @Test
    void maven_onTheModulePath_runsTheFirstProgram() throws Exception {
        maven(true);
    }

    @Test
    void gradle_onTheClassPath_runsTheFirstProgram() throws Exception {
        gradle(false);
    }

    @Test
    void gradle_onTheModulePath_runsTheFirstProgram() throws Exception {
        gradle(true);
    }

    @Test
    void folderWithFiles_isRefused() throws Exception {
        Path tree = folder.resolve("tree");
        Map<String, String> environment = new HashMap<>(jdk());
        environment.put("PATH", System.getenv("PATH"));
        Result result = ChildProcess.run(tree, environment, List.of(tree.resolve("teff").toString(), "package",
            repository.toString()));
        assertEquals(2, result.exitCode(), result.errors());
        assertTrue(result.errors().contains("is not an empty folder"), result.errors());
    }
}
