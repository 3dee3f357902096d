package io.teff.graph.data;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Runs a program of the machine, and passes its output to a reader. */
final class ToolRun {
    private static final int MESSAGE_MAX = 500;

    private ToolRun() {}

    /** Reads the output of a program. */
    interface OutputReader<T> {
        T read(InputStream output) throws IOException;
    }

    /**
     * Runs a program to its end.
     *
     * @param folder in which the program runs, or null for the current folder
     * @param purpose ends the message about a missing program
     * @throws IOException if the program is missing or fails: the message has its own last words
     */
    static <T> T run(List<String> command, @Nullable Path folder, String purpose, OutputReader<T> reader)
        throws IOException {
        Path errors = Files.createTempFile("teff-graph", ".err");
        try {
            ProcessBuilder builder = new ProcessBuilder(command).redirectError(errors.toFile())
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
            builder.environment().put("LC_ALL", "C");
            if (folder != null) {
                builder.directory(folder.toFile());
            }
            Process process = start(builder, command, purpose);
            try {
                T result = reader.read(process.getInputStream());
                process.getInputStream().transferTo(java.io.OutputStream.nullOutputStream());
                int code = process.waitFor();
                if (code != 0) {
                    throw new IOException(String.join(" ", command) + " ended with code " + code + ": "
                        + message(errors));
                }
                return result;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException(String.join(" ", command) + " was interrupted", e);
            } finally {
                process.destroy();
            }
        } finally {
            Files.deleteIfExists(errors);
        }
    }

    private static Process start(ProcessBuilder builder, List<String> command, String purpose) throws IOException {
        try {
            return builder.start();
        } catch (IOException e) {
            throw new IOException("the program " + command.getFirst() + " is needed " + purpose
                + ", and cannot be started: " + e.getMessage(), e);
        }
    }

    private static String message(Path errors) throws IOException {
        String all = Files.readString(errors, java.nio.charset.StandardCharsets.ISO_8859_1).strip();
        return all.length() <= MESSAGE_MAX ? all : all.substring(all.length() - MESSAGE_MAX);
    }
}
