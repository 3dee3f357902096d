package io.teff.cluster.net.aeron;

import io.aeron.CommonContext;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.teff.cluster.net.os.Machine;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.agrona.IoUtil;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.jspecify.annotations.Nullable;

/**
 * The media driver of this process, for all transports that name no other: one thread, which backs off when there is
 * nothing to do. It runs while somebody uses it. Thread-safe.
 *
 * <p>Its folder is in memory if the machine has such a place, and readable by nobody else. A process that was killed
 * leaves it there; the next one of the same user that starts a driver takes it away.
 */
final class EmbeddedDriver {
    private static final String PREFIX = "teff-aeron-";
    private static final Path MEMORY = Path.of("/dev/shm");
    private static final Path BASE = Files.isWritable(MEMORY) ? MEMORY : Path.of(System.getProperty("java.io.tmpdir"));
    private static final Path FOLDER = BASE.resolve(PREFIX + ProcessHandle.current().pid() + "-"
        + Long.toHexString(Machine.random().nextLong()));
    private static final Path DRIVER = FOLDER.resolve("driver");
    private static final FileAttribute<?> PRIVATE =
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    private static final long IMAGE_LIVENESS_NS = TimeUnit.SECONDS.toNanos(5);
    private static final long DEAD_MS = TimeUnit.SECONDS.toMillis(20);
    private static final int SPINS = 10;
    private static final int YIELDS = 20;
    private static final long PARK_MIN_NS = 1000;
    private static final long PARK_MAX_NS = 1_000_000;

    private static @Nullable MediaDriver driver;
    private static int users;

    private EmbeddedDriver() {}

    /** {@return its folder, whether it runs or not} */
    static String folder() {
        return DRIVER.toString();
    }

    /** Another one uses it; starts it if nobody did. */
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

    /** Starts it again if it has failed. */
    static synchronized void ensure() throws IOException {
        if (driver == null) {
            removeLeft();
            IoUtil.delete(FOLDER.toFile(), true);               // of one that could not be stopped well
            Files.createDirectory(FOLDER, BASE.getFileSystem().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {PRIVATE} : new FileAttribute<?>[0]);
            try {
                driver = MediaDriver.launch(context());
            } catch (RuntimeException e) {
                IoUtil.delete(FOLDER.toFile(), true);
                throw new IOException("Aeron's media driver does not start: " + e.getMessage(), e);
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
            .sharedThreadFactory(work -> Machine.thread("teff-aeron-driver", work))
            .sharedIdleStrategy(new BackoffIdleStrategy(SPINS, YIELDS, PARK_MIN_NS, PARK_MAX_NS))
            .imageLivenessTimeoutNs(IMAGE_LIVENESS_NS)
            .errorHandler(_ -> {});                             // links that suffer say so; and it keeps a log of them
    }

    /** One uses it no more; stops it if it was the last. */
    static synchronized void release() {
        users--;
        if (users == 0) {
            stop();
        }
    }

    /** Stops it, whoever uses it. */
    static synchronized void stop() {
        if (driver != null) {
            driver.close();
            driver = null;
            IoUtil.delete(FOLDER.toFile(), true);
        }
    }

    /** Removes the folders of processes that are no more. */
    private static void removeLeft() throws IOException {
        final List<Path> folders;
        try (Stream<Path> all = Files.list(BASE)) {
            folders = all.filter(it -> it.getFileName().toString().startsWith(PREFIX)).toList();
        }
        for (Path it : folders) {
            final String[] parts = it.getFileName().toString().substring(PREFIX.length()).split("-", -1);
            if (parts[0].matches("\\d{1,9}") && ProcessHandle.of(Long.parseLong(parts[0])).isEmpty()
                && Files.isWritable(it) && !isActive(it.resolve(DRIVER.getFileName()).toFile())) {
                IoUtil.delete(it.toFile(), true);
            }
        }
    }

    private static boolean isActive(File folder) {
        return CommonContext.isDriverActive(folder, DEAD_MS, _ -> {});
    }
}
