package io.teff.test.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two processes build in one folder at the same time: one after the other has the lock. */
class BuildLockTest {
    private static final int ROUNDS = 200;

    @TempDir
    private Path folder;

    /** Takes the lock again and again; each time no other process may be inside. */
    static final class Builder {
        private Builder() {}

        /** Runs the rounds in the folder that is the argument. */
        public static void main(String[] arguments) throws IOException {
            Path root = Path.of(arguments[0]);
            for (int round = 0; round < ROUNDS; round++) {
                try (BuildLock _ = BuildLock.take(root)) {
                    Path inside = Files.createFile(root.resolve("inside"));     // fails if there is one
                    Files.delete(inside);
                }
            }
        }
    }

    private Process build() throws IOException {
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        return new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp", classPath,
            Builder.class.getName(), folder.toString()).redirectErrorStream(true).start();
    }

    @Test
    void twoProcesses_buildOneAfterTheOther() throws IOException, InterruptedException {
        List<Process> builders = List.of(build(), build());
        for (Process each : builders) {
            String said = new String(each.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertEquals(0, each.waitFor(), said);
        }
    }
}
