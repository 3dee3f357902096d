package io.teff.test.cluster.kills;

import io.teff.test.kit.Threads;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A gate at which work in the processes of a cluster stops until the test has killed one of the processes. The gate is
 * closed while its file exists; each process that stops there leaves a file with its number.
 */
record FileGate(Path file) {
    private static final long SECONDS_MAX = TimeUnit.MINUTES.toSeconds(5);

    static FileGate of(String path) {
        return new FileGate(Path.of(path));
    }

    /** Closes the gate. */
    void close() throws IOException {
        for (Path mark : marks()) {
            Files.delete(mark);
        }
        Files.writeString(file, "");
    }

    /** Opens the gate. */
    void open() throws IOException {
        Files.deleteIfExists(file);
    }

    /** Stops the calling thread while the gate is closed. */
    void pass() {
        if (!Files.exists(file)) {
            return;
        }
        try {
            Files.createFile(mark(ProcessHandle.current().pid()));
        } catch (FileAlreadyExistsException _) {
            // another thread of this process has stopped before
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Threads.await(SECONDS_MAX, () -> file + " is deleted", () -> !Files.exists(file));
    }

    /** Waits until a process has stopped here; returns its number. */
    long awaitStopped() {
        Threads.await(SECONDS_MAX, () -> "a process stops at " + file, () -> !marks().isEmpty());
        String name = marks().getFirst().getFileName().toString();
        return Long.parseLong(name.substring(name.lastIndexOf('-') + 1));
    }

    private Path mark(long process) {
        return file.resolveSibling(file.getFileName() + "-" + process);
    }

    private List<Path> marks() {
        try (Stream<Path> files = Files.list(file.getParent())) {
            return files.filter(it -> it.getFileName().toString().startsWith(file.getFileName() + "-")).sorted()
                .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
