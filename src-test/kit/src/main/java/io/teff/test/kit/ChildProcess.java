package io.teff.test.kit;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Starts a program, waits for its end, and keeps what it has printed. */
public final class ChildProcess {
    /** Far beyond what a busy machine needs. */
    private static final long SECONDS_MAX = 480;
    /** A longer argument is a class path, and is not shown. */
    private static final int SHOWN_MAX = 300;

    private ChildProcess() {}

    /** How a program ended. */
    public record Result(int exitCode, String output, String errors) {}

    /** Runs a command in a folder with exactly these environment variables and nothing on standard input. */
    public static Result run(Path folder, Map<String, String> environment, List<String> command)
            throws IOException, InterruptedException {
        Path output = Files.createTempFile("teff-child", ".out");
        Path errors = Files.createTempFile("teff-child", ".err");
        try {
            ProcessBuilder builder = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectOutput(output.toFile())
                    .redirectError(errors.toFile());
            builder.environment().clear();
            builder.environment().putAll(environment);
            Starts.JVM.count();
            Process process = builder.start();
            process.getOutputStream().close();
            if (!process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly().waitFor();
                throw new AssertionError("no end after " + SECONDS_MAX + " s: "
                    + command.stream().filter(word -> word.length() < SHOWN_MAX).toList() + "\n" + text(output)
                    + text(errors));
            }
            return new Result(process.exitValue(), text(output), text(errors));
        } finally {
            Files.delete(output);
            Files.delete(errors);
        }
    }

    /** Runs {@code java} of this JVM, with assertions. */
    public static Result java(Path folder, String... arguments) throws IOException, InterruptedException {
        return java(folder, Map.of(), arguments);
    }

    /** Runs {@code java} of this JVM, with assertions, and with more environment variables. */
    public static Result java(Path folder, Map<String, String> variables, String... arguments)
            throws IOException, InterruptedException {
        Map<String, String> environment = new HashMap<>(variables);
        environment.put("LC_ALL", "C.UTF-8");
        List<String> command = new ArrayList<>(List.of(java(), "-ea"));
        command.addAll(List.of(arguments));
        return run(folder, environment, command);
    }

    /** Returns the path of {@code java} of this JVM. */
    public static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /** Returns the class path of this test, also if the test runner hides it in a manifest. */
    public static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }

    /** Returns the class path of this test and, behind it, the module path. */
    public static String everything() {
        String modules = System.getProperty("jdk.module.path");
        return modules == null ? classPath() : classPath() + File.pathSeparator + modules;
    }

    private static String text(Path file) throws IOException {
        return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    }
}
