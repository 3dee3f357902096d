package io.teff.test.rules.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.test.kit.ChildProcess;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: a plain {@code java -cp} needs no flag and prints nothing but the program's own output; native access changes
 * only the layout of memory. Method: the same program in child JVMs.
 */
@Tag("processes")
final class PlainJvmTest {
    private static final String FOUND = "found 133333 reserved ";

    @TempDir
    private Path folder;

    @Test
    void noFlags_noWarnings() throws IOException, InterruptedException {
        expect(FOUND + false);
    }

    @Test
    void nativeAccessDenied_worksAllTheSame() throws IOException, InterruptedException {
        expect(FOUND + false, "--illegal-native-access=deny");
    }

    @Test
    void unsafeDenied_worksAllTheSame() throws IOException, InterruptedException {
        expect(FOUND + false, "--sun-misc-unsafe-memory-access=deny");
    }

    @Test
    void nativeAccessGranted_reservesAddressSpace() throws IOException, InterruptedException {
        expect(FOUND + true, "--enable-native-access=ALL-UNNAMED");
    }

    @Test
    void nativeAccessGrantedButBlocksWanted_usesBlocks() throws IOException, InterruptedException {
        expect(FOUND + false, "--enable-native-access=ALL-UNNAMED", "-Dio.teff.memory=blocks");
    }

    @Test
    void nativeAccessAskedFor_isUsedWithTheWarningAndALine() throws IOException, InterruptedException {
        ChildProcess.Result result = run("-Dio.teff.memory=native");
        assertEquals(FOUND + true + System.lineSeparator(), result.output(), result.errors());
        assertTrue(result.errors().contains("memory with native access"), result.errors());
        assertTrue(result.errors().contains("WARNING: A restricted method"), result.errors());
    }

    @Test
    void nativeAccessAskedForAndDenied_usesBlocksAndSaysSo() throws IOException, InterruptedException {
        ChildProcess.Result result = run("-Dio.teff.memory=native", "--illegal-native-access=deny");
        assertEquals(FOUND + false + System.lineSeparator(), result.output(), result.errors());
        assertTrue(result.errors().contains("memory without native access"), result.errors());
    }

    @Test
    void smallHeap_isEnough() throws IOException, InterruptedException {
        expect(FOUND + false, "-Xmx24m");
    }

    private void expect(String line, String... flags) throws IOException, InterruptedException {
        ChildProcess.Result result = run(flags);
        assertEquals(line + System.lineSeparator(), result.output(), result.errors());
        assertEquals("", result.errors());
        assertEquals(0, result.exitCode());
    }

    private ChildProcess.Result run(String... flags) throws IOException, InterruptedException {
        String[] arguments = new String[flags.length + 4];
        System.arraycopy(flags, 0, arguments, 0, flags.length);
        arguments[flags.length] = "-cp";
        arguments[flags.length + 1] = ChildProcess.classPath();
        arguments[flags.length + 2] = PlainUser.class.getName();
        arguments[flags.length + 3] = folder.toString();
        return ChildProcess.java(folder, arguments);
    }
}
