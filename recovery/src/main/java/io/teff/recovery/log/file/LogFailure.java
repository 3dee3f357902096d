package io.teff.recovery.log.file;

import io.teff.engine.os.Disk;
import io.teff.engine.os.DiskFile;
import io.teff.engine.os.DiskFullException;
import io.teff.engine.os.DiskLock;
import io.teff.engine.os.FailureText;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Remembers the first failure of the disk that ends the log. One for all files of a log; thread-safe.
 *
 * <p>There are two kinds. A full disk is reported before anything that counts has changed, and can pass: the caller may
 * repeat the step. Any other failure of a write or a sync leaves the file in an unknown state, so nothing is ever
 * written again; a sync that finds the disk full is of this kind, too, because the bytes to sync may be lost. An error
 * of the JVM on the log's thread, such as a lack of memory, is also of this kind, and so is the loss of the log's lock.
 * The lock is checked before each step.
 */
public final class LogFailure {
    private volatile @Nullable Throwable cause;
    private volatile @Nullable DiskLock lock;
    private volatile @Nullable DiskReserve reserve;

    /** A step that writes. */
    @FunctionalInterface
    public interface Step {
        void run() throws IOException;
    }

    /** From now on each step checks this lock before it begins. */
    public void guardBy(DiskLock held) {
        lock = held;
    }

    /** From now on a step that finds no room uses this room, and is repeated. */
    public void useReserve(DiskReserve room) {
        reserve = room;
    }

    /**
     * Checks that the log still holds its lock, and has not failed; to be called before synced records are
     * acknowledged.
     *
     * @throws IOException if the log has failed, now or before
     */
    public void check() throws IOException {
        step(() -> { });
    }

    /**
     * Runs a step that writes, unless the log has failed. While there is no room for the step, the reserve gives room,
     * except the part to keep, and the step is repeated.
     *
     * @param step to run; must be repeatable after a {@link DiskFullException}
     * @throws DiskFullException if the disk is full; then the step can be repeated
     * @throws IOException if the log has failed, now or before
     */
    public void step(Step step) throws IOException {
        step(step, false);
    }

    /** Runs a step as {@link #step}, but the reserve gives all its room: for a small step, or a step of a cleaning. */
    public void stepWithAllReserve(Step step) throws IOException {
        step(step, true);
    }

    private void step(Step step, boolean isAll) throws IOException {
        while (true) {
            try {
                stepWithoutReserve(step);
                return;
            } catch (DiskFullException e) {
                final DiskReserve room = reserve;
                if (room == null || !room.give(isAll)) {
                    throw e;
                }
            }
        }
    }

    /** Runs a step as {@link #step}, for which the reserve gives nothing. */
    public void stepWithoutReserve(Step step) throws IOException {
        final Throwable before = cause;
        if (before != null) {
            throw new IOException("the log has failed before: " + FailureText.of(before), before);
        }
        try {
            final DiskLock held = lock;
            if (held != null) {
                held.check();
            }
            step.run();
        } catch (DiskFullException e) {
            throw e;
        } catch (IOException e) {
            cause = e;
            throw e;
        }
    }

    /**
     * Fails the log for a reason other than the disk. The state of the log is unknown afterwards: nothing is written
     * any more.
     */
    public void fail(Throwable thrown) {
        cause = cause == null ? thrown : cause;
    }

    /** Returns why the log has failed, in whatever step; null if it has not. */
    public @Nullable Throwable cause() {
        return cause;
    }

    /** Syncs a file, inside a step. */
    public static void force(DiskFile file) throws IOException {
        try {
            file.force();
        } catch (DiskFullException e) {
            throw new IOException("a sync found the disk full", e);
        }
    }

    /** Syncs the names in a folder, inside a step. */
    public static void forceFolder(Disk disk, Path folder) throws IOException {
        try {
            disk.forceFolder(folder);
        } catch (DiskFullException e) {
            throw new IOException("a sync found the disk full", e);
        }
    }
}
