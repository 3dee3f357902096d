package io.teff.test.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: a failed {@code ./teff package} leaves no packages behind, and a second one works in the same folder. Method: a
 * small repository, and a script in the place of Maven, which writes a package and then ends with an exit code.
 */
final class FailedPackagesTest {
    private static final int FAILED = 7;

    @TempDir
    private Path root;

    @BeforeEach
    void makeARepository() throws IOException {
        Files.writeString(root.resolve("pom.xml"), "<project><modules><module>base</module></modules></project>");
        Files.writeString(Files.createDirectory(root.resolve("base")).resolve("pom.xml"),
            "<project><artifactId>base</artifactId><name>Base</name></project>");
    }

    private int run(Path folder, int exitCode) throws IOException, InterruptedException {
        Path script = Files.writeString(root.resolve("mvn"), """
            #!/bin/sh
            for argument in "$@"; do
                case $argument in
                    -DaltDeploymentRepository=teff::file://*) folder=${argument#*file://} ;;
                esac
            done
            mkdir -p "$folder/io/teff/base/1"
            echo content >"$folder/io/teff/base/1/base-1.jar"
            echo "[ERROR] a planted failure"
            exit EXIT
            """.replace("EXIT", "" + exitCode));
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
        return new Packages(root, Modules.read(root), new Maven(root, script.toString())).run(folder);
    }

    @Test
    void failedRun_leavesNothing_andTheNextRunFillsTheFolder() throws Exception {
        Path folder = root.resolve("packages");
        assertEquals(FAILED, run(folder, FAILED));
        assertFalse(Files.exists(folder), "packages of a failed run");
        assertEquals(0, run(folder, 0));
        assertTrue(Files.exists(folder.resolve("io/teff/base/1/base-1.jar")));
    }

    @Test
    void failedRun_intoAFolderThatWasThere_leavesTheFolderEmpty() throws Exception {
        Path folder = Files.createDirectory(root.resolve("packages"));
        assertEquals(FAILED, run(folder, FAILED));
        assertFalse(Files.exists(folder.resolve("io")), "packages of a failed run");
    }
}
