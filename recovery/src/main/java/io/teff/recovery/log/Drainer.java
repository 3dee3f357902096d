package io.teff.recovery.log;

import io.teff.engine.os.DiskFullException;
import io.teff.recovery.event.LogFailureEvent;
import io.teff.recovery.event.LogSyncEvent;
import io.teff.recovery.format.EntryVisitor;
import io.teff.recovery.format.ManifestRecord;
import io.teff.recovery.format.RingScan;
import io.teff.recovery.log.file.LogConfig;
import io.teff.recovery.log.file.LogFailure;
import io.teff.recovery.log.file.ManifestFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Moves what is committed from the ring to the device, batch by batch. For one thread.
 *
 * <pre>
 *  batch: committed prefix ──┬──> frame, synced ──> zone buffers ──────────────────┬──> drained
 *                            └──> zones that skip ──> their segments, synced ──────┘
 *
 *  many files of the primary log ──> the zones that hold the oldest one are synced ──> it is trimmed
 * </pre>
 * A batch is drained when all of it is in synced frames or segments; nothing of it goes to a segment before its frame
 * is synced. A full disk ends a batch at any step, and the next call goes on there: what was framed is not framed
 * again; a record may be sorted twice, which does no harm.
 *
 * <p><b>At least a frame per half lap</b>, an empty one if all zones skip: after a power cut the mark in the ring may
 * be old, and new positions must be above all that were ever used. The last frame's position says where they were.
 */
final class Drainer {
    /** How a drain has ended. */
    enum Result {
        /** Everything that was committed when it began is drained, as far as no hole is in front of it. */
        DONE,
        /** The disk is full; it can be tried again. */
        FULL,
        /** The disk has failed, and the log is closed for ever. */
        FAILED
    }

    private final WriteBuffer buffer;
    private final PrimaryLog primary;
    private final Zones zones;
    private final ManifestFile manifest;
    private final LogConfig config;
    private final String folder;
    private final long firstFrame;
    private final RingScan scan;
    private final DrainRound batch;
    private final EntryVisitor sorter = this::sort;
    private volatile @Nullable IOException lastFailure;
    private int served;
    private long frameBytes;
    private boolean hasBatch;
    private boolean isFramed;
    private long frame;
    private long framedPosition;
    private long sorted;

    Drainer(WriteBuffer buffer, PrimaryLog primary, Zones zones, ManifestFile manifest, LogConfig config,
            String folder) {
        this.folder = folder;
        this.firstFrame = primary.nextFrame();
        this.buffer = buffer;
        this.primary = primary;
        this.zones = zones;
        this.manifest = manifest;
        this.config = config;
        this.scan = buffer.scan();
        this.batch = new DrainRound(scan, config.skipBytes());
        this.framedPosition = buffer.drained();
    }

    /** Drains what is committed, and tells those who wait. */
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
            lastFailure = e;
            LogFailureEvent.emit(true, e);
            buffer.full();
            return Result.FULL;
        } catch (IOException e) {
            lastFailure = e;
            LogFailureEvent.emit(false, e);
            buffer.stop(e);
            return Result.FAILED;
        } finally {
            tell(event, buffer.drained() - before, served - servedBefore);
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

    /** Whether everything that was claimed is committed or abandoned. */
    boolean isCommitted() {
        long position = buffer.drained();
        final long tail = buffer.tail();
        for (long bytes = 1; position < tail && bytes > 0; position += bytes) {
            bytes = scan.bytes(position);
        }
        return position == tail;
    }

    /** What the disk has said when it has failed or was full last, or null; for many threads. */
    @Nullable IOException lastFailure() {
        return lastFailure;
    }

    /** Frames that were written. */
    long frameCount() {
        return primary.nextFrame() - firstFrame;
    }

    /** Bytes of their records. */
    long frameBytes() {
        return frameBytes;
    }

    /** How many were waiting for what was drained since this was asked last. */
    int takeServed() {
        final int count = served;
        served = 0;
        return count;
    }

    private boolean hasMore(long tail) {
        batch.take(buffer.drained(), tail, primary.recordsBytesMax());
        hasBatch = batch.end() > batch.begin();
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
        if (primary.usedCount() > config.primaryFiles()) {
            trim(primary.secondFile());
        }
        served += buffer.drained(batch.end());
        hasBatch = false;
    }

    /** Makes the zones that are new, so that what a frame has of others is known to be of dropped ones. */
    private void writeFrame() throws IOException {
        for (var zone : batch.zones()) {
            if (!zones.has(zone)) {
                zones.make(zone);
            }
        }
        frame = primary.nextFrame();
        final int bytes = batch.copyTo(primary.frame(batch.frameBytesMax()));
        if (bytes > 0 || batch.end() - framedPosition > config.bufferBytes() / 2) {
            primary.write(batch.begin(), bytes);
            frameBytes += bytes;
            framedPosition = batch.begin();
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
     * Puts everything that is drained into sealed segments, so that a restart has nothing else to look at.
     *
     * @throws IOException as {@link LogFailure#step}
     */
    void checkpoint() throws IOException {
        if (hasBatch) {                                         // its frame counts until all of it is in segments
            throw new DiskFullException("there was no room for what was drained last", null);
        }
        zones.seal();
        manifest.append(new ManifestRecord.Trimmed(primary.nextFrame()));
        primary.trim(primary.nextFrame());
    }

    /**
     * Ends the log: puts everything into sealed segments, and says so. The buffer must be stopped and drained.
     *
     * @throws IOException as {@link LogFailure#step}
     */
    void end() throws IOException {
        assert buffer.drained() == buffer.tail() : buffer.drained() + " " + buffer.tail();
        zones.seal();
        manifest.append(new ManifestRecord.Trimmed(primary.nextFrame()));
        manifest.append(new ManifestRecord.Closed(buffer.tail(), buffer.tail()));
    }
}
