package io.teff.recovery.log;

import io.teff.recovery.disk.Disk;
import io.teff.recovery.disk.DiskFullException;
import io.teff.recovery.format.EntryVisitor;
import io.teff.recovery.format.ZoneId;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * An open log. For many threads.
 *
 * <pre>
 *  open ──> read each zone ──> write, sync ──> close
 * </pre>
 * <b>Its thread</b> drains the ring: every 100 ms or what was configured, when half of the ring is full, and when
 * somebody waits. It must not be interrupted, or the JDK closes its files and the log has failed.
 *
 * <p><b>The lock</b> is given back when no thread can write to the ring any more: those who have claimed room must have
 * ended their records. Where one does not, the lock stays until the process ends, for a late commit would write into
 * the ring of whoever opens the log next.
 */
public final class RecoveryLog implements Closeable {
    /** How long to wait for records that are claimed and not ended when the log is closed: about 10 s. */
    private static final int END_TRIES_MAX = 10_000;
    private static final long END_TRY_NS = 1_000_000;

    /** Something that only the log's thread may do. */
    private record Task(LogFailure.Step step, CompletableFuture<Boolean> done) {}

    private final long drainNs;
    private final Queue<Task> tasks = new ConcurrentLinkedQueue<>();
    private final CompletableFuture<Boolean> ended = new CompletableFuture<>();
    private volatile @Nullable LogParts opened;
    private volatile @Nullable Thread thread;
    private volatile boolean isClosing;

    private RecoveryLog(LogConfig config) {
        this.drainNs = config.drainNs();
    }

    /**
     * Opens a log, or makes one where there is none.
     *
     * @param disk where
     * @param folder of the log; the one around it is there
     * @param config sizes
     * @param random 64 random bits each time, for the name and the salt of a new log
     * @param acceptsDamage whether to open a log of which something cannot be read
     * @param holder who opens it, for others to read
     * @param threads makes the log's thread
     * @return the log
     * @throws DamagedLogException if it is damaged and that is not accepted, or has no manifest; nothing was changed
     * @throws DiskFullException if there is no room; then nothing is lost, and it can be tried again
     * @throws IOException if the disk fails, or somebody else has the log
     */
    public static RecoveryLog open(Disk disk, Path folder, LogConfig config, LongSupplier random,
                                   boolean acceptsDamage, String holder, ThreadFactory threads) throws IOException {
        final RecoveryLog log = new RecoveryLog(config);
        log.opened = LogParts.open(disk, folder, config, random, acceptsDamage, holder, log::wake);
        final Thread drains = threads.newThread(log::run);
        log.thread = drains;
        drains.start();
        return log;
    }

    private LogParts parts() {
        final LogParts parts = opened;
        if (parts == null) {
            throw new IllegalStateException("the log was not opened");
        }
        return parts;
    }

    // ---- reading ----

    /** {@return what should have been there when the log was opened and could not be read, but for segments} */
    public List<FileDamage> damage() {
        return parts().damage();
    }

    /** {@return all zones; before anything is written} */
    public List<ZoneId> zones() {
        return parts().zones();
    }

    /**
     * Shows everything that is kept of a zone; before anything is written. Several threads may read zones.
     *
     * @param zone its name
     * @param visitor is shown all entries, in no order
     * @return what should be there and cannot be read
     * @throws IOException if the disk fails
     */
    public List<FileDamage> read(ZoneId zone, EntryVisitor visitor) throws IOException {
        return parts().read(zone, visitor);
    }

    // ---- writing ----

    /** {@return where changes go} */
    public WriteBuffer buffer() {
        return parts().buffer();
    }

    /**
     * Waits until everything that was committed before is on the device. Waits for records that others have claimed,
     * too.
     *
     * @return false if the disk is full
     * @throws LogClosedException if the log has failed
     */
    public boolean sync() {
        final WriteBuffer buffer = buffer();
        return buffer.awaitDrained(buffer.tail());
    }

    /**
     * Drops a zone with all that is kept of it. Nothing of it may be written any more, and its name is not used again.
     *
     * @param zone its name
     * @return false if the disk is full
     * @throws IOException if the disk fails
     * @throws IllegalArgumentException if there is no such zone
     * @throws LogClosedException if the log has failed, or is closed
     */
    public boolean drop(ZoneId zone) throws IOException {
        if (!sync()) {
            return false;
        }
        final Task task = new Task(() -> parts().drop(zone), new CompletableFuture<>());
        tasks.add(task);
        wake();
        if (ended.isDone()) {
            refuseTasks();
        }
        return await(task.done());
    }

    /** Waits without being interrupted; throws what has happened. */
    private static boolean await(CompletableFuture<Boolean> result) throws IOException {
        try {
            return result.join();
        } catch (CompletionException e) {
            final Throwable cause = e.getCause();
            if (cause instanceof IOException failure) {
                throw failure;
            }
            if (cause instanceof RuntimeException refusal) {
                throw refusal;
            }
            throw e;
        }
    }

    // ---- the thread ----

    private void wake() {
        LockSupport.unpark(thread);
    }

    private void run() {
        try {
            drainUntilClosed();
            ended.complete(end());
        } catch (IOException e) {
            ended.completeExceptionally(e);
        } catch (RuntimeException | Error e) {
            ended.completeExceptionally(e);
            throw e;
        } finally {
            refuseTasks();
        }
    }

    private void drainUntilClosed() {
        Drainer.Result result = Drainer.Result.DONE;
        while (!isClosing) {
            if (result != Drainer.Result.FAILED) {
                result = parts().drainer().drain();
            }
            for (Task task = tasks.poll(); task != null; task = tasks.poll()) {
                run(task);
            }
            LockSupport.parkNanos(this, drainNs);
        }
    }

    private static void run(Task task) {
        try {
            task.step().run();
            task.done().complete(true);
        } catch (DiskFullException _) {
            task.done().complete(false);
        } catch (IOException | IllegalArgumentException e) {
            task.done().completeExceptionally(e);
        }
    }

    private void refuseTasks() {
        for (Task task = tasks.poll(); task != null; task = tasks.poll()) {
            task.done().completeExceptionally(new LogClosedException(null));
        }
    }

    /** Ends the log; returns whether everything is in sealed segments. */
    private boolean end() throws IOException {
        final LogParts parts = parts();
        parts.buffer().stop(null);
        int tries = 0;
        while (!parts.drainer().isCommitted()) {
            if (++tries > END_TRIES_MAX) {
                throw new IOException("a record was claimed and is not ended; the log stays locked");
            }
            LockSupport.parkNanos(this, END_TRY_NS);
        }
        try (parts) {
            if (parts.drainer().drain() != Drainer.Result.DONE) {
                return false;
            }
            parts.drainer().end();
            return true;
        }
    }

    /**
     * Closes the log. Records that are claimed are waited for; then everything goes to sealed segments.
     *
     * @throws IOException if that was not possible, because the disk is full or has failed; what was acknowledged is
     *     still there when the log is opened again
     */
    @Override
    public void close() throws IOException {
        isClosing = true;
        wake();
        if (!await(ended)) {
            throw new IOException("the disk was full or has failed: the log was not closed, and will be recovered");
        }
    }
}
