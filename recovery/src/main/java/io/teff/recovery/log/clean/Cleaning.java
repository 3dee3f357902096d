package io.teff.recovery.log.clean;

import io.teff.engine.os.DiskFullException;
import io.teff.engine.os.Threads;
import io.teff.recovery.event.LogFailureEvent;
import io.teff.recovery.event.ZoneCleanEvent;
import io.teff.recovery.log.file.LogClosedException;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The thread that cleans zones, in turn.
 *
 * <pre>
 *  log's thread:  begin(job) ─┐                        ┌─> manifest, files deleted
 *  this thread:               └─> read, copy, sync ────┘
 * </pre>
 * A failure ends one job and nothing else: a full disk can pass, and after a failure of the disk nothing is written
 * anyway. The zone is tried again when enough was added to it.
 */
public final class Cleaning {
    /** Enters a result in the manifest, on this thread. Returns whether the zone still exists. */
    @FunctionalInterface
    public interface Target {
        boolean cleaned(CleanJob.Result result) throws IOException;
    }

    private final Cleaner cleaner;
    private final Target target;
    private final AtomicReference<@Nullable CleanJob> job = new AtomicReference<>();
    private @Nullable Thread thread;
    private volatile @Nullable Thread waits;
    private volatile boolean isEnding;
    private volatile boolean isEnded;

    public Cleaning(Cleaner cleaner, Target target) {
        this.cleaner = cleaner;
        this.target = target;
    }

    /** Starts the thread. */
    public void start(Threads threads, String name) {
        final Thread made = threads.create(name, this::run);
        thread = made;
        made.start();
    }

    /** Returns whether a job can be begun. */
    public boolean isIdle() {
        return job.get() == null;
    }

    /** Begins a job, if there is one; wakes the calling thread when it has ended. */
    public void begin(@Nullable CleanJob next) {
        if (next != null) {
            waits = Thread.currentThread();
            job.set(next);
            LockSupport.unpark(thread);
        }
    }

    /**
     * Does a job that was begun, on the calling thread; for a log without threads.
     *
     * @return whether there was one
     */
    public boolean cleanNow() {
        final CleanJob next = job.get();
        if (next != null) {
            tryToClean(next);
            job.set(null);
        }
        return next != null;
    }

    /** Begins no more jobs, and wakes a thread when the last one has ended. */
    public void end(@Nullable Thread waiting) {
        waits = waiting;
        isEnding = true;
        if (thread == null) {                                   // else its thread says so, perhaps at this moment
            isEnded = true;
        }
        cleaner.stop();
        LockSupport.unpark(thread);
    }

    /** Returns whether the thread has ended its work. */
    public boolean isEnded() {
        return isEnded;
    }

    private void run() {
        try {
            while (!isEnding) {
                final CleanJob next = job.get();
                if (next == null) {
                    Threads.rest(this);
                } else {
                    tryToClean(next);
                    job.set(null);
                    LockSupport.unpark(waits);
                }
            }
        } finally {
            isEnded = true;
            LockSupport.unpark(waits);
        }
    }

    private void tryToClean(CleanJob next) {
        try {
            clean(next);
        } catch (IOException | RuntimeException | Error _) {
            // the next opening of the log deletes the new segments
        }
    }

    private void clean(CleanJob next) throws IOException {
        CleanJob.Result result = CleanJob.Result.nothing(next);
        final ZoneCleanEvent event = new ZoneCleanEvent();
        event.begin();
        Throwable thrown = null;
        try {
            result = cleaner.clean(next);
        } catch (LogClosedException _) {
            // it was stopped, and nothing has failed
        } catch (IOException | RuntimeException | Error e) {    // heap and direct memory may be short
            thrown = e;                                         // the log decides about it
        }
        event.end();
        if (target.cleaned(result)) {                           // false if the zone was dropped, and its files deleted
            tell(event, result, thrown);
        }
    }

    private static void tell(ZoneCleanEvent event, CleanJob.Result result, @Nullable Throwable thrown) {
        if (thrown != null) {
            LogFailureEvent.emit(thrown instanceof DiskFullException, thrown);
        } else if (result.isKnown() && event.shouldCommit()) {
            event.zone = result.job().zone().toString();
            event.segments = result.job().segments().size();
            event.goneSegments = result.gone().size();
            event.totalBytes = result.totalBytes();
            event.liveBytes = result.liveBytes();
            event.freedBytes = result.freedBytes();
            event.commit();
        }
    }
}
