package io.teff.test.kit;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Another JVM of the same kind, with the class path of this one, for tests that end or measure a process. */
public final class ChildJvm {
    /** Grants native access. */
    public static final String NATIVE = "--enable-native-access=ALL-UNNAMED";

    private ChildJvm() {}

    /** How it ended, and what it has printed on both streams. */
    public record Result(int exitCode, String output) {}

    /** Runs a main class; {@code arguments} are flags of the JVM, then {@code "--"}, then those of the class. */
    public static Result run(Class<?> main, String... arguments) throws InterruptedException {
        return run(main, Map.of(), arguments);
    }

    /** Runs a main class with more environment variables. */
    public static Result run(Class<?> main, Map<String, String> variables, String... arguments)
            throws InterruptedException {
        try {
            Map<String, String> environment = new HashMap<>(variables);
            environment.put("LC_ALL", "C.UTF-8");
            Path folder = Files.createTempDirectory("teff-child");
            List<String> command = new ArrayList<>(List.of(ChildProcess.java(), "-ea", "-XX:-CreateCoredumpOnCrash",
                "-XX:ErrorFile=" + folder.resolve("crash.log")));
            int split = List.of(arguments).indexOf("--");
            command.addAll(List.of(arguments).subList(0, split < 0 ? arguments.length : split));
            command.addAll(List.of("-cp", root(main) + File.pathSeparator + ChildProcess.everything(),
                main.getName()));
            if (split >= 0) {
                command.addAll(List.of(arguments).subList(split + 1, arguments.length));
            }
            ChildProcess.Result result = ChildProcess.run(folder, environment, command);
            try (Stream<Path> files = Files.list(folder)) {
                for (Path file : files.toList()) {
                    Files.delete(file);
                }
            }
            Files.delete(folder);
            return new Result(result.exitCode(), result.output() + result.errors());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the folder or jar that a class is in, also if it is patched into a module. */
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
