package io.teff.test.kit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * What tests start and what makes them expensive whatever the hour. A lane of the gate that starts more than its budget
 * allows fails.
 *
 * <p>Each JVM of tests writes its counts at its end into the folder that the property {@code teff.starts} names;
 * without the property nothing is written. May be called by any thread.
 */
public enum Starts {
    /** A child JVM. */
    JVM,
    /** A cluster: peers with superpeers, in this process or in processes of their own. */
    CLUSTER,
    /** A media driver of Aeron. */
    DRIVER,
    /** One history of a simulation, or one seed of a random search. */
    SEED;

    private static final AtomicLongArray COUNTS = new AtomicLongArray(values().length);

    static {
        String folder = System.getProperty("teff.starts");
        if (folder != null) {
            Path file = Path.of(folder).toAbsolutePath().resolve(ProcessHandle.current().pid() + ".txt");
            Runtime.getRuntime().addShutdownHook(new Thread(() -> write(file), "starts"));
        }
    }

    /** Counts one start. */
    public void count() {
        count(1);
    }

    /** Counts several starts. */
    public void count(long more) {
        COUNTS.addAndGet(ordinal(), more);
    }

    private static void write(Path file) {
        List<String> lines = new ArrayList<>();
        for (Starts kind : values()) {
            if (COUNTS.get(kind.ordinal()) > 0) {
                lines.add(kind.name() + " " + COUNTS.get(kind.ordinal()));
            }
        }
        try {
            Files.createDirectories(file.getParent());
            Files.write(file, lines);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
