package io.teff.recovery.log;

import io.teff.engine.os.DiskFullException;
import io.teff.recovery.event.LogFailureEvent;
import io.teff.recovery.event.LogSyncEvent;
import io.teff.recovery.format.EntryVisitor;
import io.teff.recovery.format.ManifestRecord;
import io.teff.recovery.format.RingScan;
import io.teff.recovery.log.file.LogConfig;
import io.teff.recovery.log.file.LogFailure;
import io.teff.recovery.log.file.LogFiles;
import io.teff.recovery.log.file.ManifestFile;
import io.teff.recovery.log.file.DiskReserve;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Moves committed records from the ring to the device, round by round. For one thread.
 *
 * <pre>
 *  round: committed prefix ──┬──> frame, synced ──> zone buffers ──────────────────┬──> drained
 *                            └──> zones that skip ──> their segments, synced ──────┘
 *
 *  many files of the primary log ──> the zones that hold the oldest one are synced ──> it is trimmed
 * </pre>
 * A round is drained when all its records are in synced frames or segments; no record is written to a segment before
 * its frame is synced. A full disk ends a round at any step, and the next call resumes there: framed records are not
 * framed again; a record may be sorted twice, which does no harm.
 *
 * <p><b>While the reserve is not whole</b>, the frames of each round are trimmed at once, and files of frames are
 * deleted: this makes room, and an opening after a kill has only the last round to move to segments.
 *
 * <p><b>At least one frame per half lap</b>, an empty frame if all zones skip: after a power cut the mark in the ring
 * may be old, and new positions must be above all positions ever used. The position of the last frame bounds them.
 */
final class Drainer {
    /** Result of a drain. */
    enum Result {
        /** All records committed before the drain are drained, up to the first hole. */
        DONE,
        /** The disk is full; the drain can be repeated. */
        FULL,
        /** The disk has failed, and the log is closed permanently. */
        FAILED
    }

    private final WriteBuffer buffer;
    private final PrimaryLog primary;
    private final ZoneLogs zones;
    private final ManifestFile manifest;
    private final DiskReserve reserve;
    private final LogFailure failure;
    private final LogConfig config;
    private final String folder;
    private final long firstFrame;
    private final RingScan scan;
    private final DrainRound batch;
    private final EntryVisitor sorter = this::sort;
    private volatile @Nullable IOException lastFailure;
    private int served;
    private long frameBytes;
    /** Whether the caller tells that the disk is full, because a cleaning may make room. */
    private boolean isPatient;
    private boolean isClosing;
    private boolean hasBatch;
    private boolean isFramed;
    private long frame;
    private long framedPosition;
    private long sorted;

    Drainer(WriteBuffer buffer, PrimaryLog primary, ZoneLogs zones, LogFiles shared, DiskReserve reserve,
            LogConfig config) {
        this.folder = shared.folder().toString();
        this.reserve = reserve;
        this.failure = shared.failure();
        this.firstFrame = primary.nextFrame();
        this.buffer = buffer;
        this.primary = primary;
        this.zones = zones;
        this.manifest = shared.manifest();
        this.config = config;
        this.scan = buffer.scan();
        this.batch = new DrainRound(scan, config.skipBytes());
        this.framedPosition = buffer.drained();
        this.isPatient = config.hasReserve();
    }

    /** Drains the committed records and wakes the waiting threads. */
    Result drain() {
        final LogSyncEvent event = new LogSyncEvent();
        event.begin();
        final long before = buffer.drained();
        final int servedBefore = served;
        try {
            final long tail = buffer.tail();
            while (hasBatch || hasMore(tail)) {
                drainBatch();
            }
            return Result.DONE;
        } catch (DiskFullException e) {
            tell(e);
            if (!isPatient) {
                buffer.full();
            }
            return Result.FULL;
        } catch (IOException e) {
            lastFailure = e;
            LogFailureEvent.emit(false, e);
            buffer.stop(e);
            return Result.FAILED;
        } finally {
            buffer.setTight(!reserve.isWhole(), reserve.isLow());
            tell(event, buffer.drained() - before, served - servedBefore);
        }
    }

    /** Reports that the disk is full or too small. */
    void tell(DiskFullException full) {
        lastFailure = full;
        LogFailureEvent.emit(true, full);
    }

    /** Makes the missing part of the reserve if there is room: then changes of all kinds are accepted again. */
    void restoreReserve() throws IOException {
        if (isClosing) {
            return;
        }
        reserve.want(config.reservePieces(zones.count()), config.reservePiecesKept(zones.count()));
        if (!reserve.isWhole()) {
            reserve.fill(failure);
            buffer.setTight(!reserve.isWhole(), reserve.isLow());
        }
    }

    private void tell(LogSyncEvent event, long bytes, int waiting) {
        if (bytes > 0 && event.shouldCommit()) {
            event.folder = folder;
            event.bytes = bytes;
            event.waiting = waiting;
            event.commit();
        }
    }

    /** Returns whether all claimed records are committed or abandoned. */
    boolean isCommitted() {
        long position = buffer.drained();
        final long tail = buffer.tail();
        while (position < tail) {
            final long bytes = scan.bytes(position);
            if (bytes == 0 && !buffer.isAbandonedAt(position)) {
                return false;
            }
            position += bytes;
        }
        return true;
    }

    /** Returns the disk's last failure, a full disk included, or null; for any thread. */
    @Nullable IOException lastFailure() {
        return lastFailure;
    }

    /** Returns the number of frames written. */
    long frameCount() {
        return primary.nextFrame() - firstFrame;
    }

    /** Returns the bytes of the records in these frames. */
    long frameBytes() {
        return frameBytes;
    }

    /** Returns the number of threads that waited for the records drained since the last call. */
    int takeServed() {
        final int count = served;
        served = 0;
        return count;
    }

    private boolean hasMore(long tail) {
        do {
            batch.take(buffer.drained(), tail, primary.recordsBytesMax());
            hasBatch = batch.end() > batch.begin();
        } while (!hasBatch && buffer.drained() < tail && buffer.isAbandonedAt(buffer.drained()));
        isFramed = false;
        sorted = batch.begin();
        return hasBatch;
    }

    private void drainBatch() throws IOException {
        if (!isFramed) {
            writeFrame();
            isFramed = true;
        }
        for (; sorted < batch.end(); sorted += scan.bytes(sorted)) {
            if (scan.hasEntries(sorted)) {
                sort(sorted);
            }
        }
        for (var zone : batch.skipping()) {
            zones.sync(zone);
        }
        if (!reserve.isWhole()) {
            trim(primary.nextFrame());                          // so that an opening needs little room
            primary.dropFree();
            restoreReserve();
        } else if (primary.usedCount() > config.primaryFiles()) {
            trim(primary.secondFile());
        }
        zones.check();                                          // another owner may have read less than this
        served += buffer.drained(batch.end());
        hasBatch = false;
    }

    /**
     * Creates the new zones, so that records in a frame of zones without a segment are known to belong to dropped
     * zones.
     */
    private void writeFrame() throws IOException {
        for (var zone : batch.zones()) {
            if (!zones.has(zone)) {
                zones.make(zone);
                restoreReserve();
            }
        }
        frame = primary.nextFrame();
        final int bytes = batch.copyTo(primary.frame(batch.frameBytesMax()));
        if (bytes > 0 || batch.end() - framedPosition > config.bufferBytes() / 2) {
            if (!primary.hasRoomFor(bytes, config.roomBytesSpare()) && primary.usedCount() > 1) {
                trim(primary.lastFile());
            }
            primary.write(batch.begin(), bytes);
            frameBytes += bytes;
            framedPosition = batch.begin();
            recordFile();
            buffer.framed(primary.nextFrame() - 1);
        }
    }

    /**
     * Records the use of a file, before anything in the file is acknowledged: from then on a missing file is damage.
     */
    private void recordFile() throws IOException {
        final ManifestRecord.FrameFile begun = primary.begun();
        if (begun != null) {
            manifest.append(begun);
            primary.recorded();
        }
    }

    private void sort(long position) throws IOException {
        try {
            scan.show(position, sorter);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private void sort(long cid, long sequence, int owner, int zone, int kind, MemorySegment bytes, long offset,
                      int length) {
        try {
            zones.add(batch.zone(owner, zone), cid, sequence, kind, bytes, offset, length, frame);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void trim(long beforeFrame) throws IOException {
        zones.syncBefore(beforeFrame);
        final long first = zones.firstFrame(primary.nextFrame());
        manifest.append(new ManifestRecord.Trimmed(first));
        primary.trim(first);
    }

    /**
     * Moves all drained records into sealed segments, so that a restart has nothing else to read.
     *
     * @throws IOException as {@link LogFailure#step}
     */
    void checkpoint() throws IOException {
        if (hasBatch) {                                         // a frame counts until all of it is in segments
            throw new DiskFullException("there was no room for what was drained last", null);
        }
        zones.seal();
        manifest.append(new ManifestRecord.Trimmed(primary.nextFrame()));
        primary.trim(primary.nextFrame());
    }

    /**
     * Ends the log: moves everything into sealed segments and records that in the manifest. The buffer must be stopped
     * and drained.
     *
     * @throws IOException as {@link LogFailure#step}
     */
    void end() throws IOException {
        assert buffer.drained() == buffer.tail() : buffer.drained() + " " + buffer.tail();
        zones.seal();
        manifest.append(new ManifestRecord.Trimmed(primary.nextFrame()));
        manifest.append(new ManifestRecord.Closed(buffer.tail(), buffer.tail()));
        if (!reserve.isWhole()) {
            primary.dropAll();
        }
    }

    /** Returns the bytes that are missing of the reserve; for any thread. */
    long missingReserveBytes() {
        return reserve.missingBytes();
    }

    /** From now on the whole reserve may be used, because everything will be in sealed segments. */
    void closing() {
        isClosing = true;
        isPatient = false;
        reserve.keepNothing();
    }
}
