package io.teff.recovery.backup;

import io.teff.engine.error.StoreException;
import io.teff.engine.journal.ChunkRestorer;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The log of a backup peer: copies of zones that other peers own. Thread-safe.
 *
 * <pre>
 *  runs of an owner ──append──> write buffer: logged ──> primary log: synced ──> segments per copy and range of CIDs
 *                                     |                                                |
 *                          tail: the last runs again                     read: the chunks of a copy
 * </pre>
 * A copy begins with its first append. Its records have consecutive counters; the log has them without a hole from the
 * first one on, except for those that are outdated and were cleaned.
 *
 * <p><b>Waiting.</b> No append waits for a device or for cleaning: where there is no room now, it is refused and
 * nothing of the run is in the log. Appends to one copy exclude each other for as long as they copy bytes.
 */
public final class BackupLog implements AutoCloseable {
    private BackupLog() {}

    /**
     * Opens the log in a folder, or creates one if there is none. Reads the whole log, to find the last numbers of its
     * copies and the bytes to be cleaned.
     *
     * @param folder of the log; its parent must exist
     * @param config configuration
     * @return the log, to be closed
     * @throws StoreException of category FATAL if write buffer, primary log or manifest are damaged, or the folder has
     *     the log of a store; DEGRADED if the disk is full; RETRY if another process has the log open, or the disk
     *     fails
     */
    public static BackupLog open(Path folder, BackupConfig config) {
        throw new UnsupportedOperationException("not built yet: " + folder + config);
    }

    // ---- writing ----

    /**
     * Appends the records of a run that the copy does not have yet: each is in the log as a whole or not at all.
     *
     * @param copy the copy; it is made if this is its first run
     * @param run holds the run
     * @param offset of its first byte there
     * @param length of the run in bytes, at most {@link #runBytesMax}
     * @return whether everything is logged: it survives the end of the process. If false, there is no room now, or the
     *     copy must be cleaned first; nothing was appended, and the call can be repeated
     * @throws IllegalArgumentException if the run is malformed or too long, a record is missing between the copy and
     *     the run, its numbers do not rise, or the copy was dropped; nothing was appended
     * @throws StoreException of category FATAL if the log has failed or is closed
     */
    public boolean append(ZoneCopy copy, MemorySegment run, long offset, long length) {
        throw new UnsupportedOperationException();
    }

    /** {@return limit of the bytes of a run: {@link RunWriter#RUN_BYTES_MAX}, unless the write buffer is small} */
    public long runBytesMax() {
        throw new UnsupportedOperationException();
    }

    /**
     * Returns the number of the last record of a copy.
     *
     * @param copy any copy
     * @return the number, to be compared as unsigned; 0 if the copy has no record
     */
    public long logged(ZoneCopy copy) {
        throw new UnsupportedOperationException();
    }

    /**
     * Returns the number up to which all records of a copy are on the device.
     *
     * @param copy any copy
     * @return the number, to be compared as unsigned; 0 if there is no such record
     */
    public long synced(ZoneCopy copy) {
        throw new UnsupportedOperationException();
    }

    /**
     * Calls back when all records of a copy up to a number are on the device. All calls made while the device is busy
     * share one sync. While the disk is full they wait.
     *
     * @param copy any copy
     * @param number of a record that was appended
     * @param then called once: with null, or with a {@link StoreException} if this never happens because the disk has
     *     failed, the log was closed or the copy dropped. Called on the log's thread, which it must not block, or on
     *     the calling thread
     * @throws IllegalArgumentException if the copy has no such record
     */
    public void whenSynced(ZoneCopy copy, long number, Consumer<@Nullable RuntimeException> then) {
        throw new UnsupportedOperationException();
    }

    // ---- reading ----

    /** {@return all copies with the numbers of their last records} */
    public Map<ZoneCopy, Long> copies() {
        throw new UnsupportedOperationException();
    }

    /** {@return copies of which a part could not be read so far, and the reasons; such a copy is of no use} */
    public Map<ZoneCopy, List<String>> damage() {
        throw new UnsupportedOperationException();
    }

    /**
     * Restores the chunks of a copy: per index the entry with the highest number, and at equal numbers the removal.
     * Records that were appended before the call are included, those appended meanwhile may be. Other copies are
     * appended to and read as usual.
     *
     * @param copy a copy
     * @param threads number of threads, at least 1; with 1 the calling thread reads. Each reads ranges of 2^20 CIDs
     * @param restorer receives the chunks; calls for different ranges may overlap
     * @throws StoreException of category FATAL if a part of the copy cannot be read, or the log is closed; DEGRADED if
     *     the restorer's memory is too small, or the disk is full; RETRY if the disk fails
     * @throws IllegalArgumentException if there is no such copy
     */
    public void read(ZoneCopy copy, int threads, ChunkRestorer restorer) {
        throw new UnsupportedOperationException();
    }

    /**
     * Passes on the records of a copy with numbers above a given one, as runs in order: what another backup misses. The
     * log has as many of them as the write buffer holds; after an opening it has none.
     *
     * @param copy a copy
     * @param after number of the last record that is not wanted; 0 for none
     * @param sink receives the runs; none if there is no such record
     * @return false if the log does not have all of these records any more; then the sink may have received some of
     *     them
     * @throws IllegalArgumentException if there is no such copy
     * @throws StoreException of category FATAL if the log is closed
     */
    public boolean tail(ZoneCopy copy, long after, RunSink sink) {
        throw new UnsupportedOperationException();
    }

    /**
     * Drops a copy: it disappears at once, its files in the background. From now on this copy and earlier ones of the
     * zone are refused, also after a restart once the files are gone.
     *
     * @param copy any copy
     */
    public void drop(ZoneCopy copy) {
        throw new UnsupportedOperationException();
    }

    // ---- running ----

    /**
     * Does all pending work of a log without threads of its own: writes what was appended, reports what is synced,
     * drops files, cleans one range of one copy. Does nothing if the log has threads of its own.
     *
     * @return number of things done; 0 if there was nothing to do
     */
    public int work() {
        throw new UnsupportedOperationException();
    }

    /** {@return statistics; waits for the current step of the log's thread} */
    public BackupStats stats() {
        throw new UnsupportedOperationException();
    }

    /** {@return the failure that has closed the log permanently, or null} */
    public @Nullable Throwable failure() {
        throw new UnsupportedOperationException();
    }

    /**
     * Checks the invariants of the log that cleaning depends on, while nothing is appended. Reads the copies that were
     * not changed since the opening.
     *
     * @throws StoreException of category FATAL if an invariant is broken, or the disk fails
     */
    public void audit() {
        throw new UnsupportedOperationException();
    }

    /**
     * Closes the log; then the next opening need not recover anything.
     *
     * @throws StoreException of category RETRY if it could not be completed, because the disk is full or has failed:
     *     what was logged is there when the log is opened again, what was synced even after a power cut
     */
    @Override
    public void close() {
        throw new UnsupportedOperationException();
    }
}
