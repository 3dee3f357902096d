package io.teff.engine;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Another JVM of the same kind, with the engine and the tests on its class path, for what ends or measures a process.
 */
public final class ChildJvm {
    /** Grants native access. */
    public static final String NATIVE = "--enable-native-access=ALL-UNNAMED";
    private static final long SECONDS_MAX = 120;

    private ChildJvm() {}

    /** How it ended, and what it printed on both streams. */
    public record Result(int exitCode, String output) {}

    /** Runs a main class; {@code arguments} are flags of the JVM, then {@code "--"}, then those of the class. */
    public static Result run(Class<?> main, String... arguments) throws InterruptedException {
        try {
            Path folder = Files.createTempDirectory("teff-child");
            Path output = folder.resolve("output.txt");
            List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-ea", "-XX:-CreateCoredumpOnCrash",
                "-XX:ErrorFile=" + folder.resolve("crash.log")));
            int split = List.of(arguments).indexOf("--");
            command.addAll(List.of(arguments).subList(0, split < 0 ? arguments.length : split));
            command.addAll(List.of("-cp", root(Store.class) + File.pathSeparator + root(main), main.getName()));
            if (split >= 0) {
                command.addAll(List.of(arguments).subList(split + 1, arguments.length));
            }
            Process process = new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true)
                .redirectOutput(output.toFile()).start();
            process.getOutputStream().close();
            if (!process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
                throw new AssertionError("no end after " + SECONDS_MAX + " s: " + command + "\n"
                    + Files.readString(output));
            }
            Result result = new Result(process.exitValue(), Files.readString(output));
            try (var files = Files.list(folder)) {
                for (Path file : files.toList()) {
                    Files.delete(file);
                }
            }
            Files.delete(folder);
            return result;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The folder or jar that a class comes from, also when it is patched into a module. */
    private static String root(Class<?> type) {
        String file = type.getName().replace('.', '/') + ".class";
        try {
            Path path = Path.of(type.getResource("/" + file).toURI());
            return path.toString().substring(0, path.toString().length() - file.length());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
