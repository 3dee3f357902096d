package io.teff.test.rules.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.teff.test.kit.ChildProcess;
import io.teff.test.rules.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: the jar of the command line runs without a flag. Method: the packaged jar, which exists only after the package
 * phase.
 */
@Tag("processes")
final class ExecutableJarTest {
    /** Without the jar of the sources. */
    private static final String NAME = "teff-tools-[^-]*(-SNAPSHOT)?[.]jar";

    @TempDir
    private Path folder;

    private static Path jar() throws IOException {
        Path target = Repository.root().resolve("examples/tools/target");
        try (Stream<Path> files = Files.exists(target) ? Files.list(target) : Stream.empty()) {
            List<Path> found = files.filter(it -> it.getFileName().toString().matches(NAME)).toList();
            assumeTrue(!found.isEmpty(), "nothing was packaged");
            assertEquals(1, found.size(), found::toString);
            return found.getFirst();
        }
    }

    @Test
    void commandLine_runsWithoutFlags() throws IOException, InterruptedException {
        ChildProcess.Result result = ChildProcess.java(folder, "-jar", jar().toString(), "demo", "--quiet",
            "--no-graph", "--count", "10000", "--memory", "64m");
        assertEquals(0, result.exitCode(), result.errors());
        assertEquals("", result.errors());
    }

    @Test
    void manifest_hasWhatOtherLibrariesNeed() throws IOException {
        try (JarFile jar = new JarFile(jar().toFile())) {
            Attributes attributes = jar.getManifest().getMainAttributes();
            assertEquals("java.base/jdk.internal.misc", attributes.getValue("Add-Exports"));
            assertTrue(attributes.getValue("Class-Path").contains("lib/teff-engine"));
        }
    }
}
