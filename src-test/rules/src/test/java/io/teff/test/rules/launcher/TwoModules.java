package io.teff.test.rules.launcher;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.test.kit.ChildProcess;
import io.teff.test.kit.ChildProcess.Result;
import io.teff.test.rules.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A repository with the launcher, the module {@code engine} and a module of the lane {@code sim}. A script stands in
 * place of Maven.
 */
record TwoModules(Path folder) {
    /** The end of Maven's output when all is well. */
    static final String GOOD = "echo '[INFO] Teff Engine ............ SUCCESS [ 1.000 s]'\n"
        + "echo '[INFO] Teff Test Sim ............ SUCCESS [ 1.000 s]'\n";

    /** Makes the repository in an empty folder. */
    static TwoModules in(Path folder) throws IOException {
        TwoModules repository = new TwoModules(folder);
        Path sources = Path.of("src-test/launcher/src/main/java");
        try (Stream<Path> files = Files.walk(Repository.root().resolve(sources))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path copy = folder.resolve(Repository.root().relativize(file).toString());
                Files.createDirectories(copy.getParent());
                Files.copy(file, copy);
            }
        }
        Files.copy(Repository.root().resolve("teff"), folder.resolve("teff"));
        assertTrue(folder.resolve("teff").toFile().setExecutable(true));
        repository.write("pom.xml",
            "<project><modules><module>engine</module><module>src-test/sim</module></modules></project>");
        repository.write("engine/pom.xml",
            "<project><artifactId>teff-engine</artifactId><name>Teff Engine</name></project>");
        repository.write("src-test/sim/pom.xml",
            "<project><artifactId>teff-sim</artifactId><name>Teff Test Sim</name></project>");
        return repository;
    }

    /** Writes a file of the repository. */
    Path write(String file, String text) throws IOException {
        Path path = folder.resolve(file);
        Files.createDirectories(path.getParent());
        return Files.writeString(path, text);
    }

    /** Runs {@code ./teff test} with a script in place of Maven. */
    Result test(String script, String... arguments) throws IOException, InterruptedException {
        assertTrue(write("maven/bin/mvn", "#!/bin/sh\necho \"maven got $*\"\n" + script).toFile().setExecutable(true));
        List<String> command = Stream.concat(Stream.of(folder.resolve("teff").toString(), "test"),
            Stream.of(arguments)).toList();
        return ChildProcess.run(folder, Map.of("PATH", folder.resolve("maven/bin") + ":/usr/bin:/bin", "JAVA25_HOME",
            System.getProperty("java.home")), command);
    }

    /** Asserts that the output has a line that matches a pattern. */
    static void assertLine(Result result, String pattern) {
        assertTrue(result.output().lines().anyMatch(line -> line.matches(pattern)),
            () -> result.output() + result.errors());
    }
}
