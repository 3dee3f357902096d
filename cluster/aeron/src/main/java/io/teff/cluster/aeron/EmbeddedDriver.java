package io.teff.cluster.aeron;

import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.teff.engine.os.Chance;
import io.teff.engine.os.FailureText;
import io.teff.engine.os.Threads;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.SleepingMillisIdleStrategy;
import org.jspecify.annotations.Nullable;

/**
 * The media driver of this process, for all transports that name no other driver. The driver has a single thread, which
 * backs off when there is no work. The driver runs while a transport uses the driver. Thread-safe.
 *
 * <p>Its folder is in memory if the machine has such a place, and readable by this user only. A killed process leaves
 * the folder behind. The next process of this user that starts a driver removes the folder.
 */
final class EmbeddedDriver {
    private static final String PREFIX = "teff-aeron-";
    private static final Path MEMORY = Path.of("/dev/shm");
    private static final Path BASE = Files.isWritable(MEMORY) ? MEMORY : Path.of(System.getProperty("java.io.tmpdir"));
    private static final Path FOLDER = BASE.resolve(PREFIX + ProcessHandle.current().pid() + "-"
        + Long.toHexString(Chance.SYSTEM.nextLong()));
    private static final Path DRIVER = FOLDER.resolve("driver");

    private static final long IMAGE_LIVENESS_NS = TimeUnit.SECONDS.toNanos(5);
    private static final long DEAD_MS = TimeUnit.SECONDS.toMillis(20);
    private static final int SPINS = 10;
    private static final int YIELDS = 20;
    private static final long PARK_MIN_NS = 1000;
    private static final long PARK_MAX_NS = 1_000_000;
    /** Interval of the thread that resolves host names. */
    private static final long RESOLVE_MS = 16;

    private static @Nullable MediaDriver driver;
    private static int users;

    private EmbeddedDriver() {}

    /** {@return its folder, whether it runs or not} */
    static String folder() {
        return DRIVER.toString();
    }

    /** Adds a user; starts the driver for the first. */
    static synchronized void acquire() throws IOException {
        users++;
        boolean isDone = false;
        try {
            ensure();
            isDone = true;
        } finally {
            if (!isDone) {
                users--;
            }
        }
    }

    /** Starts the driver again after a failure. */
    static synchronized void ensure() throws IOException {
        if (driver == null) {
            DriverFolder.delete(FOLDER);                        // of a driver that could not stop cleanly
            DriverFolder.create(FOLDER);
            boolean isDone = false;
            try {
                removeLeft();
                driver = MediaDriver.launch(context());
                isDone = true;
            } catch (RuntimeException e) {
                throw new IOException("Aeron's media driver does not start: " + FailureText.of(e), e);
            } finally {
                if (!isDone) {
                    DriverFolder.delete(FOLDER);
                }
            }
        }
    }

    private static MediaDriver.Context context() {
        return new MediaDriver.Context()
            .aeronDirectoryName(folder())
            .dirDeleteOnStart(true)
            .dirDeleteOnShutdown(true)
            .warnIfDirectoryExists(false)
            .threadingMode(ThreadingMode.SHARED)
            .sharedThreadFactory(work -> Threads.SYSTEM.create("teff-aeron-driver", work))
            .asyncExecutorThreadFactory(work -> Threads.SYSTEM.create("teff-aeron-executor", work))
            .asyncExecutorIdleStrategy(new SleepingMillisIdleStrategy(RESOLVE_MS))
            .sharedIdleStrategy(new BackoffIdleStrategy(SPINS, YIELDS, PARK_MIN_NS, PARK_MAX_NS))
            .imageLivenessTimeoutNs(IMAGE_LIVENESS_NS)
            .errorHandler(_ -> {});                             // links report their failures, and the driver has a log
    }

    /** Removes a user; stops the driver after the last. */
    static synchronized void release() {
        users--;
        if (users == 0) {
            stop();
        }
    }

    /** Stops the driver, used or not. */
    static synchronized void stop() {
        if (driver != null) {
            driver.close();
            driver = null;
            try {
                DriverFolder.delete(FOLDER);
            } catch (IOException e) {
                throw new UncheckedIOException(FOLDER + " cannot be deleted", e);
            }
        }
    }

    /** Removes the folders of this user's ended processes. A folder stays if its removal fails. */
    private static void removeLeft() throws IOException {
        final List<Path> folders;
        try (Stream<Path> all = Files.list(BASE)) {
            folders = all.filter(it -> it.getFileName().toString().startsWith(PREFIX)).toList();
        }
        for (Path path : folders) {
            try {
                if (isLeft(path)) {
                    DriverFolder.delete(path);
                }
            } catch (IOException _) {
                continue;                                       // two processes remove the folder
            }
        }
    }

    /**
     * Returns whether the folder's process has ended. Processes of a container with the same place are not visible
     * here, but the activity of a container's driver is.
     */
    private static boolean isLeft(Path folder) throws IOException {
        final String[] parts = folder.getFileName().toString().substring(PREFIX.length()).split("-", -1);
        return parts[0].matches("\\d{1,9}") && ProcessHandle.of(Long.parseLong(parts[0])).isEmpty()
            && DriverFolder.isAlike(folder, FOLDER)
            && Files.getLastModifiedTime(FOLDER).toMillis() - Files.getLastModifiedTime(folder).toMillis() > DEAD_MS
            && !DriverFolder.isActive(folder.resolve(DRIVER.getFileName()), DEAD_MS);
    }
}
