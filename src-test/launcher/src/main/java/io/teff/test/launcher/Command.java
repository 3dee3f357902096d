package io.teff.test.launcher;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** A child process without input, whose lines of output are handed over as they arrive. */
final class Command {
    private Command() {}

    /**
     * Runs a command to its end.
     *
     * @param environment variables that are added to this process's own
     * @param line receives each line of both of its streams
     * @return its exit code
     */
    static int run(Path folder, Map<String, String> environment, List<String> command, Consumer<String> line)
            throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
        builder.environment().putAll(environment);
        Process process = builder.start();
        Thread stop = new Thread(() -> {
            process.descendants().forEach(ProcessHandle::destroy);
            process.destroy();
        });
        Runtime.getRuntime().addShutdownHook(stop);             // an interrupted launcher leaves no build behind
        process.getOutputStream().close();
        try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
            for (String text = reader.readLine(); text != null; text = reader.readLine()) {
                line.accept(text);
            }
        }
        int code = process.waitFor();
        Runtime.getRuntime().removeShutdownHook(stop);
        return code;
    }
}
