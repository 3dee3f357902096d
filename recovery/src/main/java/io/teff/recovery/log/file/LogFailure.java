package io.teff.recovery.log.file;

import io.teff.engine.os.Disk;
import io.teff.engine.os.DiskFile;
import io.teff.engine.os.DiskFullException;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the first failure of the disk that the log cannot go on after. One for all files of a log; for many threads.
 *
 * <p>There are two kinds. A full disk is told before anything that counts has changed, and it can pass: the caller may
 * do the same again. Whatever else goes wrong with a write or a sync leaves the file in a state that nobody knows, so
 * nothing is ever written again; a sync that finds the disk full is of that kind too, because what it had to write may
 * be gone. So is an error of the JVM on the log's thread, such as a lack of memory.
 */
public final class LogFailure {
    private volatile @Nullable Throwable cause;

    /** Something that writes. */
    @FunctionalInterface
    public interface Step {
        void run() throws IOException;
    }

    /**
     * Does something that writes, unless the log has failed.
     *
     * @param step what to do
     * @throws DiskFullException if the disk is full; then the step can be done again
     * @throws IOException if the log has failed, now or before
     */
    public void step(Step step) throws IOException {
        final Throwable before = cause;
        if (before != null) {
            throw new IOException("the log has failed before", before);
        }
        try {
            step.run();
        } catch (DiskFullException e) {
            throw e;
        } catch (IOException e) {
            cause = e;
            throw e;
        }
    }

    /** Something else has gone wrong, and nobody knows how far it has come: nothing is written any more. */
    public void fail(Throwable thrown) {
        cause = cause == null ? thrown : cause;
    }

    /** Syncs a file, inside of a step. */
    public static void force(DiskFile file) throws IOException {
        try {
            file.force();
        } catch (DiskFullException e) {
            throw new IOException("a sync found the disk full", e);
        }
    }

    /** Syncs the names in a folder, inside of a step. */
    public static void forceFolder(Disk disk, Path folder) throws IOException {
        try {
            disk.forceFolder(folder);
        } catch (DiskFullException e) {
            throw new IOException("a sync found the disk full", e);
        }
    }
}
