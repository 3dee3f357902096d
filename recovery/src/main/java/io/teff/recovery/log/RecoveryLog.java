package io.teff.recovery.log;

import io.teff.engine.os.Clock;
import io.teff.engine.os.DiskFullException;
import io.teff.engine.os.FailureText;
import io.teff.engine.os.Threads;
import io.teff.engine.report.Progress;
import io.teff.recovery.format.EntryVisitor;
import io.teff.recovery.format.ZoneId;
import io.teff.recovery.log.clean.CleanJob;
import io.teff.recovery.log.clean.Cleaning;
import io.teff.recovery.log.clean.Counting;
import io.teff.recovery.log.clean.LiveEstimate;
import io.teff.recovery.log.clean.ZoneVisitor;
import io.teff.recovery.log.copy.Copied;
import io.teff.recovery.log.copy.FolderCopy;
import io.teff.recovery.log.file.DamagedLogException;
import io.teff.recovery.log.file.FileDamage;
import io.teff.recovery.log.file.LogClosedException;
import io.teff.recovery.log.file.LogFailure;
import io.teff.recovery.log.read.SegmentResult;
import io.teff.recovery.log.read.ZoneReader;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * An open log. Thread-safe.
 *
 * <pre>
 *  open ──> read each zone ──> write, sync, read zones, drop zones ──> close
 * </pre>
 * <b>Its threads.</b> The drainer drains the ring: at the configured interval (100 ms by default), when half of the
 * ring is full, and when a thread waits. The drainer also makes all changes of the manifest. The cleaner cleans.
 * Neither thread may be interrupted, because the JDK would close its files and the log would fail.
 *
 * <p><b>Records that do not end.</b> If a thread claims room and never ends its record, the log fails after some 10 s
 * of waiting, and a close ends after the same time. The lock is released nevertheless: the next owner makes a new file
 * for the ring, so a late commit does no harm.
 */
public final class RecoveryLog implements Closeable {
    /** Number of tries of a close to wait for the end of claimed records: about 10 s. */
    private static final int END_TRIES_MAX = 10_000;
    private static final long END_TRY_NS = 1_000_000;
    /** Time for the log's thread to spin before a rest, after it has served a waiting thread. */
    private static final long SPIN_NS = 50_000;

    /** Time between two drains while a thread waits behind the open record of another thread. */
    private static final long RECORD_NS = 1_000_000;

    /** Drains, beside the time, after which a record will not end: the process may have stood still in that time. */
    private static final int UNENDED_TRIES_MIN = 1000;
    private static final String UNENDED = "a record was claimed some 10 s ago, and its thread does not end it";

    /** The name of the log's threads. */
    private static final String THREAD = "teff-log";

    /** A step that only the log's thread may make. */
    @FunctionalInterface
    private interface Call<T extends @Nullable Object> {
        T run() throws IOException;
    }

    /** A call that waits for the log's thread. */
    private record Task<T extends @Nullable Object>(Call<T> call, CompletableFuture<T> done) {
        void run() {
            try {
                done.complete(call.run());
            } catch (IOException | RuntimeException e) {
                done.completeExceptionally(e);
            }
        }
    }

    private final long drainNs;
    private final boolean hasReserve;
    private final Clock clock;
    private final Queue<Task<?>> tasks = new ConcurrentLinkedQueue<>();
    private final Queue<ZoneReader> readers = new ConcurrentLinkedQueue<>();
    private final LaterSyncs laterSyncs = new LaterSyncs();
    private final LaterDrops drops = new LaterDrops();
    private final LogOptions.Use use;
    /** The right to run the duty cycle of a log without threads. */
    private final ReentrantLock duty = new ReentrantLock();
    private final CompletableFuture<Boolean> ended = new CompletableFuture<>();
    private volatile @Nullable OpenLog opened;
    private volatile @Nullable Thread thread;
    private volatile @Nullable Cleaning cleaning;
    private volatile boolean isClosing;
    private Map<Integer, Integer> droppedBefore = Map.of();
    /** Drained position at the last drain, and number of drains behind an unended record since; by the log's thread. */
    private long unended;
    private int unendedTries;
    private long unendedSinceNs;

    private RecoveryLog(LogOptions options) {
        this.drainNs = options.config().drainNs();
        this.hasReserve = options.config().hasReserve();
        this.clock = options.platform().clock();
        this.use = options.use();
    }

    /**
     * Opens a log, or creates a log in a folder without a log.
     *
     * @param options folder, sizes and seams
     * @return the log
     * @throws DamagedLogException if the log is damaged and the damage is not accepted; then nothing was changed
     * @throws DiskFullException if there is no room; then nothing is lost, and the call can be repeated
     * @throws IOException if the disk fails, or another owner has the log
     */
    public static RecoveryLog open(LogOptions options) throws IOException {
        final RecoveryLog log = new RecoveryLog(options);
        final OpenLog parts = OpenLog.open(options, log::wake);
        log.opened = parts;
        log.droppedBefore = parts.droppedCopies();
        final Cleaning cleaning = new Cleaning(parts.cleaner(), log::cleaned);
        log.cleaning = cleaning;
        if (!options.use().hasThreads()) {
            return log;
        }
        boolean isRunning = false;
        try {
            final Threads threads = options.platform().threads();
            cleaning.start(threads, THREAD);
            final Thread drains = threads.create(THREAD, log::run);
            log.thread = drains;
            drains.start();
            isRunning = true;
            return log;
        } finally {
            if (!isRunning) {                                   // the system may lack memory for a thread
                cleaning.end(null);
                parts.close();
            }
        }
    }

    private OpenLog parts() {
        return OpenLog.opened(opened);
    }

    // ---- reading ----

    /** {@return NID of the store or peer that owns the log} */
    public int nid() {
        return parts().log().nid();
    }

    /** {@return parts, other than segments, that should have been present at the opening and could not be read} */
    public List<FileDamage> damage() {
        return parts().damage();
    }

    /**
     * Returns the names of all zones.
     *
     * @return the names
     * @throws IOException if the log has failed
     */
    public List<ZoneId> zones() throws IOException {
        return onThread(() -> parts().zones());
    }

    /**
     * Returns the bytes to read of a zone.
     *
     * @param zone name of the zone
     * @return bytes of its files
     * @throws IOException if the disk fails
     */
    public long bytes(ZoneId zone) throws IOException {
        return onThread(() -> parts().bytes(zone));
    }

    /**
     * Passes all entries of a zone to a visitor, if necessary after moving them to segments. Entries written meanwhile
     * may be included or not. Several threads may read zones.
     *
     * @param zone name of the zone
     * @param visitor receives all entries, in no order; mostly the newest ones first
     * @return parts that should be present and cannot be read
     * @throws IOException if the disk fails or is full
     * @throws IllegalArgumentException if there is no such zone
     * @throws LogClosedException if the log is closed
     */
    public List<FileDamage> read(ZoneId zone, EntryVisitor visitor) throws IOException {
        return count(zone, new Counting(zone, visitor));
    }

    /**
     * Passes all entries of a zone to a visitor like {@link #read}, and learns from it how many bytes live: the first
     * reading after an opening decides whether the zone is to be cleaned.
     *
     * @param zone name of the zone
     * @param visitor receives all entries
     * @return parts that should be present and cannot be read
     * @throws IOException as {@link #read}
     */
    public List<FileDamage> count(ZoneId zone, ZoneVisitor visitor) throws IOException {
        if (parts().buffer().drained() < parts().buffer().tail() && !sync()) {
            throw noRoom("zone " + zone + " cannot be read");
        }
        final ZoneLogs.Hold held = onThread(() -> parts().secondary().hold(zone));
        final Tally tally = new Tally(visitor, parts().log().segmentBytes());
        final List<FileDamage> damage = new ArrayList<>();
        final List<Long> unreadable = new ArrayList<>();
        ZoneLogs.Count count = null;
        try {
            final ZoneReader kept = readers.poll();
            final ZoneReader reader = kept == null ? parts().reader() : kept;
            for (Map.Entry<Long, Boolean> segment : held.segments().entrySet()) {
                final SegmentResult result = reader.read(zone.segment(segment.getKey()), segment.getValue(), tally);
                if (!result.damage().isEmpty()) {
                    damage.addAll(result.damage());
                    unreadable.add(segment.getKey());
                }
            }
            readers.add(reader);                                // a reader that has failed midway is not reused
            count = new ZoneLogs.Count(visitor.live(), tally.totalBytes);
            return damage;
        } finally {
            final ZoneLogs.Count found = count;
            onThread(() -> {
                parts().secondary().release(zone, held, found, unreadable);
                return true;
            });
        }
    }

    /**
     * Ends the reading after an opening: releases the memory used for the reading, a segment's length per thread, and
     * begins to clean zones with few live bytes.
     *
     * @throws IOException if the log has failed
     */
    public void endReading() throws IOException {
        readers.clear();
        onThread(() -> {
            parts().secondary().checkAll();
            return true;
        });
    }

    /**
     * Gives up the parts that {@link #read} could not read so far; the user has accepted their loss. Cleaning rewrites
     * the readable entries of these segments and deletes the segments, so that the damage is not reported again. Waits
     * for that.
     *
     * @return false if there was no room for it, so that some of the damage may be reported again
     * @throws IOException if the disk fails
     * @throws LogClosedException if the log is closed
     */
    public boolean giveUpDamage() throws IOException {
        try {
            return onThread(() -> parts().secondary().giveUpDamage()).join();
        } catch (DiskFullException _) {
            return false;
        }
    }

    /** Counts the bytes of the segments passed to a visitor. */
    private static final class Tally implements EntryVisitor {
        private final EntryVisitor visitor;
        private final long segmentBytes;
        private long totalBytes;

        Tally(EntryVisitor visitor, long segmentBytes) {
            this.visitor = visitor;
            this.segmentBytes = segmentBytes;
        }

        @Override
        public void segment(long bytes) {
            totalBytes += LiveEstimate.countedBytes(bytes, segmentBytes);
            visitor.segment(bytes);
        }

        @Override
        public void entry(long cid, long sequence, int owner, int zone, int kind, MemorySegment bytes, long offset,
                          int length) {
            visitor.entry(cid, sequence, owner, zone, kind, bytes, offset, length);
        }
    }

    // ---- writing ----

    /** {@return the buffer that changes are written to} */
    public WriteBuffer buffer() {
        return parts().buffer();
    }

    /** {@return the object that delays writers of zones that must be cleaned first} */
    public ZonePressure pressure() {
        return parts().pressure();
    }

    /**
     * Waits until everything committed before is on the device. Waits for records claimed by other threads, too.
     *
     * @return false if the disk is full
     * @throws LogClosedException if the log has failed
     */
    public boolean sync() {
        final WriteBuffer buffer = buffer();
        return !use.hasThreads() ? drainTo(buffer.tail()) : buffer.awaitDrained(buffer.tail());
    }

    /**
     * Requests a sync like {@link #sync}, without waiting.
     *
     * @return completes with the result of {@link #sync}, on a thread of the JDK's common pool; not shared with other
     *     callers
     */
    public CompletableFuture<Boolean> syncAsync() {
        final CompletableFuture<Boolean> done = laterSyncs.add(buffer().tail());
        wake();
        if (ended.isDone()) {
            laterSyncs.tell(buffer(), true);
        }
        return done;
    }

    /**
     * Returns a failure for a caller to which {@link #sync} has returned false.
     *
     * @param what cannot be done
     * @return names the room that the latest changes take, and the room of the disk
     * @throws IOException if the room of the disk is not known
     */
    public DiskFullException noRoom(String what) throws IOException {
        return parts().noRoom(what);
    }

    /** Lets the log's thread drain soon. Does nothing without threads. */
    public void drainSoon() {
        wake();
    }

    /**
     * Moves everything committed before into sealed segments, so that a restart has nothing else to read.
     *
     * @return false if the disk is full
     * @throws IOException if the disk fails
     * @throws LogClosedException if the log has failed, or is closed
     */
    public boolean checkpoint() throws IOException {
        return sync() && unlessFull(() -> parts().drainer().checkpoint());
    }

    /**
     * Drops a zone with all its entries. No entry may be written to the zone afterwards, and the zone's name is not
     * used again.
     *
     * @param zone name of the zone
     * @return false if the disk is full
     * @throws IOException if the disk fails
     * @throws IllegalArgumentException if there is no such zone
     * @throws LogClosedException if the log has failed, or is closed
     */
    public boolean drop(ZoneId zone) throws IOException {
        return sync() && unlessFull(() -> parts().secondary().drop(zone));
    }

    /**
     * Drops a copy and all earlier copies of its creator, in the background, when everything written so far is drained.
     * No record of these copies may be written any more. If a crash prevents the drop, all these copies exist again.
     *
     * @param owner creator of the copies
     * @param copy number of the last copy to drop; no dropped copy is made again
     */
    public void dropCopiesLater(int owner, int copy) {
        drops.add(owner, copy, buffer().tail());
        wake();
    }

    /** {@return the highest copy that was dropped before the opening, by creator} */
    public Map<Integer, Integer> droppedCopies() {
        return droppedBefore;
    }

    /**
     * Copies the log to a new folder, as a closed log. The copy is the log at a moment at which everything committed
     * before the call is in segments. Changes and cleaning continue meanwhile; segments replaced by a cleaning stay
     * until the copy ends.
     *
     * @param target folder to make
     * @param holder name of the caller, for messages to other callers that copy to this place
     * @param progress see {@link FolderCopy#copy}; an exception ends the copy
     * @return what was copied
     * @throws IllegalArgumentException as {@link FolderCopy#begin}
     * @throws DiskFullException if there is no room, for what is not on the device yet or for the copy
     * @throws DamagedLogException if the copy was read, and has damage
     * @throws IOException if the disk fails, or another copy to this place is under way; in all cases nothing of this
     *     copy is left
     * @throws LogClosedException if the log has failed, or is closed
     */
    public Copied copyTo(Path target, String holder, Progress progress) throws IOException {
        try (FolderCopy copy = parts().copyTo(target, holder)) {
            if (!sync()) {
                throw noRoom("the log cannot be copied");
            }
            final OpenLog.Moment moment = onThread(() -> parts().hold());
            try {
                copy.copy(moment.state(), List.of(), progress);
            } finally {
                release(moment);
            }
            return copy.finish(moment.state(), progress);
        }
    }

    private void release(OpenLog.Moment moment) throws IOException {
        try {
            onThread(() -> {
                parts().release(moment);
                return true;
            });
        } catch (LogClosedException _) {
            // the next opening deletes what a cleaning has replaced
        }
    }

    /**
     * Returns statistics. Waits for the current step of the log's thread.
     *
     * @return statistics
     * @throws IOException if the log has failed
     * @throws LogClosedException if the log is closed
     */
    public LogStats stats() throws IOException {
        return onThread(() -> parts().stats());
    }

    /**
     * Checks the invariants of the log that cleaning depends on. Reads the zones that were not changed since the
     * opening.
     *
     * @throws IOException if the disk fails
     * @throws IllegalStateException if an invariant is broken; the message says which
     */
    public void audit() throws IOException {
        onThread(() -> {
            parts().secondary().audit();
            return true;
        });
        final LogAudit audit = new LogAudit(this);
        for (ZoneId zone : zones()) {
            audit.check(zone);
        }
    }

    /** Returns the live bytes of a zone if they should be known exactly, else {@link ZoneLogs#UNKNOWN}. */
    long exactLiveBytes(ZoneId zone) throws IOException {
        return onThread(() -> parts().secondary().exactLiveBytes(zone));
    }

    // ---- health, without waiting for anything ----

    /** {@return bytes of changes that are not on the device yet} */
    public long pendingBytes() {
        final WriteBuffer buffer = buffer();
        final long drained = buffer.drained();
        return buffer.tail() - drained;
    }

    /** {@return whether the disk was full at the last try} */
    public boolean isFull() {
        return buffer().isFull();
    }

    /** {@return whether room is kept for a full disk} */
    public boolean hasReserve() {
        return hasReserve;
    }

    /** {@return bytes that are missing of the room that is kept for a full disk} */
    public long missingReserveBytes() {
        return parts().drainer().missingReserveBytes();
    }

    /** {@return whether the log is closed, or being closed} */
    public boolean isClosed() {
        return isClosing;
    }

    /** {@return the failure that has closed the log, or null} */
    public @Nullable Throwable failure() {
        return buffer().failure();
    }

    /**
     * Fails the log because the memory of the write buffer could not be written: the buffer's file was cut from
     * outside, or the device had no room for a part of the file.
     *
     * @param thrown by the JVM
     * @return the failure
     */
    public Throwable memoryFailed(InternalError thrown) {
        final Throwable failure = parts().fail(thrown);
        wake();
        return failure;
    }

    /** {@return the last failure of a write or sync, a full disk included, or null} */
    public @Nullable Throwable lastFailure() {
        final Throwable failure = failure();
        return failure != null ? failure : parts().drainer().lastFailure();
    }

    // ---- calls for the log's thread ----

    private boolean unlessFull(LogFailure.Step step) throws IOException {
        try {
            return onThread(() -> {
                step.run();
                return true;
            });
        } catch (DiskFullException _) {
            return false;
        }
    }

    /** Waits, uninterruptibly, until the log's thread has run a step. */
    private <T extends @Nullable Object> T onThread(Call<T> call) throws IOException {
        if (!use.hasThreads()) {
            return atOnce(call);
        }
        final Task<T> task = new Task<>(call, new CompletableFuture<>());
        tasks.add(task);
        wake();
        if (ended.isDone()) {
            refuseTasks();
        }
        return await(task.done());
    }

    private static <T extends @Nullable Object> T await(CompletableFuture<T> result) throws IOException {
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
            throw new IOException("the log has failed: " + FailureText.of(e), cause);
        }
    }

    // ---- without threads ----

    /** Runs a step on the calling thread, while no other thread runs one. */
    private <T extends @Nullable Object> T atOnce(Call<T> call) throws IOException {
        duty.lock();
        try {
            if (ended.isDone()) {
                throw new LogClosedException(failure());
            }
            return call.run();
        } catch (Error e) {
            parts().fail(e);
            throw e;
        } finally {
            duty.unlock();
        }
    }

    /** Drains up to a position. Returns false if the disk is full, or a thread does not end its record. */
    private boolean drainTo(long position) {
        final WriteBuffer buffer = buffer();
        for (int tries = 0; buffer.drained() < position; tries++) {
            duty.lock();
            try {
                if (ended.isDone() || failure() != null) {
                    throw new LogClosedException(failure());
                }
                serveAtOnce();
            } finally {
                duty.unlock();
            }
            if (buffer.drained() < position) {
                if (buffer.isFull() || tries == END_TRIES_MAX) {
                    return false;
                }
                Threads.rest(this, END_TRY_NS);
            }
        }
        return true;
    }

    /**
     * Runs the duty cycle of a log without threads: drains, drops copies, and cleans at most one zone. If it throws,
     * the log has failed.
     *
     * @return number of things done; 0 if there was nothing to do, or the log has threads
     */
    public int work() {
        if (use.hasThreads()) {
            return 0;
        }
        duty.lock();
        try {
            if (ended.isDone()) {
                return 0;
            }
            final long before = buffer().drained();
            serveAtOnce();
            return (buffer().drained() > before ? 1 : 0) + (OpenLog.opened(cleaning).cleanNow() ? 1 : 0);
        } finally {
            duty.unlock();
        }
    }

    private void serveAtOnce() {
        try {
            serve(OpenLog.opened(cleaning));
        } catch (RuntimeException | Error e) {
            parts().fail(e);
            throw e;
        }
    }

    private void endWithoutThreads() {
        duty.lock();
        try {
            if (!ended.isDone()) {
                run();
            }
        } finally {
            duty.unlock();
        }
    }

    // ---- the threads ----

    private void wake() {
        LockSupport.unpark(thread);
    }

    /** Enters the result of a cleaning; called on the cleaning thread. Returns whether the zone still exists. */
    private boolean cleaned(CleanJob.Result result) throws IOException {
        boolean isTold = false;
        try {
            final boolean isThere = onThread(() -> parts().secondary().cleaned(result));
            isTold = true;
            return isThere;
        } finally {
            if (!isTold) {                                      // the system may lack memory for it
                parts().secondary().endGivingUp();
                parts().pressure().set(result.job().zone(), false);
            }
        }
    }

    private void run() {
        try {
            drainUntilClosed();
            ended.complete(end());
        } catch (IOException | RuntimeException | Error e) {
            final Throwable cause = e instanceof InternalError ? parts().fail(e) : e;
            parts().buffer().stop(cause);
            ended.completeExceptionally(cause);
        } finally {
            parts().pressure().end();
            parts().secondary().endGivingUp();
            refuseTasks();
            laterSyncs.tell(parts().buffer(), true);
        }
    }

    /**
     * Runs until the log is closed, despite any exception: an exception fails the log; if the failing throws, too, the
     * failing is repeated.
     */
    private void drainUntilClosed() {
        final Cleaning cleans = OpenLog.opened(cleaning);
        Throwable thrown = null;
        while (!isClosing || !cleans.isEnded()) {
            try {
                if (thrown != null) {
                    parts().fail(thrown);
                    thrown = null;
                }
                serve(cleans);
                if (!isClosing || !cleans.isEnded()) {
                    rest();
                }
            } catch (RuntimeException | Error e) {
                thrown = e;
            }
        }
    }

    private void serve(Cleaning cleans) {
        if (isClosing) {
            cleans.end(thread);
        }
        final Drainer.Result result = failure() == null ? parts().drainer().drain() : Drainer.Result.FAILED;
        if (result == Drainer.Result.FAILED) {
            parts().pressure().end();
        }
        failIfUnended(result);
        laterSyncs.tell(parts().buffer(), false);
        runDrops();
        use.drained().run();
        for (Task<?> task = tasks.poll(); task != null; task = tasks.poll()) {
            run(task);
        }
        parts().failIfBroken();
        if (isClosing || failure() != null) {
            parts().secondary().endGivingUp();
        } else if (cleans.isIdle()) {                           // a full disk may have room by then
            cleanNext(cleans, result);
        }
    }

    /**
     * Begins the next cleaning. If the disk is full and there is nothing to clean, threads waiting for room are woken.
     */
    private void cleanNext(Cleaning cleans, Drainer.Result result) {
        final WriteBuffer buffer = parts().buffer();
        try {
            parts().drainer().restoreReserve();
            final CleanJob next = buffer.isTight()
                ? parts().secondary().nextToCleanWhileFull(result == Drainer.Result.FULL || buffer.isLow())
                : parts().secondary().nextToClean();
            cleans.begin(next);
            if (next == null && (result == Drainer.Result.FULL || buffer.isLow())) {
                buffer.full();
            }
        } catch (IOException e) {
            parts().fail(e);
        }
    }

    private void runDrops() {
        if (failure() == null) {
            try {
                drops.run(parts().buffer(), parts().secondary());
            } catch (IOException e) {
                parts().fail(e);
            }
        }
    }

    /** Fails the log if threads have waited for long, in drains, behind a record without an end. */
    private void failIfUnended(Drainer.Result result) {
        final WriteBuffer buffer = parts().buffer();
        final long position = buffer.drained();
        if (position != unended || !buffer.isWaitedFor() || result != Drainer.Result.DONE) {
            unended = position;
            unendedTries = 0;
            unendedSinceNs = clock.nowNs();
        }
        if (++unendedTries > UNENDED_TRIES_MIN
            && clock.nowNs() - unendedSinceNs > END_TRIES_MAX * END_TRY_NS) {
            parts().fail(new IOException(UNENDED));
        }
    }

    private void run(Task<?> task) {
        try {
            task.run();
        } catch (Error e) {                                     // may have occurred anywhere in the step
            try {
                parts().fail(e);
            } finally {
                task.done().completeExceptionally(e);
            }
        }
    }

    /**
     * Waits until the next drain is due or another thread wakes this thread; spins first if a thread has just been
     * served. The end of a record wakes no thread, so the rest is short while a thread waits behind an open record.
     */
    private void rest() {
        final WriteBuffer buffer = parts().buffer();
        if (parts().drainer().takeServed() > 0) {
            final long deadline = clock.nowNs() + SPIN_NS;
            while (clock.nowNs() - deadline < 0) {
                if (buffer.hasNewWaiters() || isClosing) {
                    return;
                }
                Thread.onSpinWait();
            }
        }
        Threads.rest(this, buffer.isWaitedFor() ? Math.min(drainNs, RECORD_NS) : drainNs);
    }

    private void refuseTasks() {
        for (Task<?> task = tasks.poll(); task != null; task = tasks.poll()) {
            task.done().completeExceptionally(new LogClosedException(null));
        }
    }

    /** Ends the log. Returns whether everything is in sealed segments. */
    private boolean end() throws IOException {
        try (OpenLog parts = parts()) {                         // the lock is released, whatever happens
            parts.buffer().stop(null);
            parts.drainer().closing();
            int tries = 0;
            while (!parts.drainer().isCommitted()) {
                if (++tries > END_TRIES_MAX) {
                    throw new IOException(UNENDED);             // the next owner makes a new file for the ring
                }
                Threads.rest(this, END_TRY_NS);
            }
            if (failure() != null || parts.drainer().drain() != Drainer.Result.DONE) {
                return false;
            }
            runDrops();
            parts.drainer().end();
            return true;
        }
    }


    /**
     * Closes the log. Waits for claimed records; then moves everything into sealed segments.
     *
     * @throws IOException if that failed because the disk is full or the log has failed; everything acknowledged is
     *     present when the log is opened again
     */
    @Override
    public void close() throws IOException {
        isClosing = true;
        wake();
        if (!use.hasThreads()) {
            endWithoutThreads();
        }
        Throwable cause;
        try {
            if (ended.join()) {
                return;
            }
            cause = lastFailure();
        } catch (CompletionException e) {
            cause = e.getCause();
        }
        throw new IOException("the log was not closed, and will be recovered"
            + (cause == null ? "" : ": " + FailureText.of(cause)), cause);
    }
}
