package io.teff.recovery.log;

import io.teff.engine.Cid;
import io.teff.engine.os.DiskFile;
import io.teff.recovery.format.BlockBuffer;
import io.teff.recovery.format.ManifestRecord;
import io.teff.recovery.format.SegmentId;
import io.teff.recovery.format.SegmentWriter;
import io.teff.recovery.format.ZoneId;
import io.teff.recovery.log.clean.CleanJob;
import io.teff.recovery.log.clean.LiveEstimate;
import io.teff.recovery.log.clean.ZoneVisitor;
import io.teff.recovery.log.file.LogFailure;
import io.teff.recovery.log.file.LogFiles;
import io.teff.recovery.log.file.LogFolder;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Writes the secondary log of one zone: a buffer, and the segment to which the buffer is written. For one thread, the
 * drainer.
 *
 * <pre>
 *  add ──> buffer ──flush──> open segment ──sync──> device          sealed segments: only the manifest knows them
 *
 *  NONE ──create──> MADE ──head synced, in the manifest──> OPEN ──end made──> ENDED ──synced, in the manifest──> NONE
 * </pre>
 * A zone holds a buffer only while it has unwritten entries, and a file only while the zone has unsynced entries. The
 * zone keeps the same handle until the sync, because a new handle might not report a failed sync.
 *
 * <p><b>A full disk</b> may be met at any step. Nothing is lost: unwritten entries stay in the buffer, and the next
 * call resumes at the step where this one has ended. So an entry is either added, or the call throws and it is not.
 */
final class ZoneLog {
    /** Result of {@link #firstFrame} when everything is in synced segments. */
    static final long NOTHING = Long.MAX_VALUE;

    private static final long NEVER = -1;
    private static final int CLEANINGS_FAILED_MAX = 3;
    /** A zone is worth a cleaning on a full disk if this part of it is outdated. */
    private static final int WORTH = 16;

    /** State of the segment; see the drawing above. */
    private enum State { NONE, MADE, OPEN, ENDED }

    private final ZoneId zone;
    private final LogFiles shared;
    private final SegmentWriter writer;
    private final LiveEstimate fill;
    private State state = State.NONE;
    private SegmentId segment;
    private @Nullable DiskFile file;
    private @Nullable ByteBuffer pending;
    private int pendingBytes;
    private long synced;
    private long firstFrame = NOTHING;
    private boolean isDirty;
    private boolean isToCheck;
    /** Entries when it was last cleaned on a full disk, or {@link #NEVER}; and how often that has failed since. */
    private long cleanedAt = NEVER;
    private int cleaningsFailed;

    ZoneLog(ZoneId zone, LogFiles shared, boolean isNew) {
        this.zone = zone;
        this.shared = shared;
        this.segment = zone.segment(0);
        this.writer = new SegmentWriter(shared.log().segmentBytes());
        this.fill = new LiveEstimate(shared.log().segmentBytes(), isNew);
    }

    /** Returns the name of the zone. */
    ZoneId zone() {
        return zone;
    }

    /** Returns the number of the first frame with an entry that is not in synced segments, or {@link #NOTHING}. */
    long firstFrame() {
        return firstFrame;
    }

    /** Returns whether it holds a buffer. */
    boolean isBuffered() {
        return writer.bufferCapacity() > 0;
    }

    /** Returns the bytes of the buffer held by the zone. */
    int bufferBytes() {
        return writer.bufferCapacity();
    }

    /** Returns whether the zone holds an unsynced file. */
    boolean isDirty() {
        return isDirty;
    }

    /** Returns the estimate of its live bytes. */
    LiveEstimate fill() {
        return fill;
    }

    /** Returns whether, since the last call, the live bytes have become known or a segment was sealed. */
    boolean takeToCheck() {
        final boolean was = isToCheck;
        isToCheck = false;
        return was;
    }

    /** Records the result of a reading, see {@link LiveEstimate#found}. */
    void found(ZoneVisitor.Live live, long total, LiveEstimate.Before before) {
        isToCheck |= fill.found(live, total, before);
    }

    /**
     * Returns whether this segment is being written. Any other unsealed segment was left by a former process.
     */
    boolean isWriting(long number) {
        return state != State.NONE && segment.number() == number;
    }

    // ---- cleaning on a full disk ----

    /** Returns the bytes that no entry needs any more, approximately. */
    long outdatedBytes() {
        return fill.totalBytes() + (state == State.NONE ? 0 : writer.bytes()) - fill.liveBytes();
    }

    /**
     * Returns whether a cleaning may free bytes: entries were added since the last cleaning, or the last cleaning has
     * left outdated bytes.
     *
     * @param isUrgent whether the estimate does not matter
     */
    boolean isWorthCleaning(boolean isUrgent) {
        return fill.entryCount() != cleanedAt && (isUrgent
            || outdatedBytes() >= Math.max(shared.log().segmentBytes(), fill.totalBytes() / WORTH));
    }

    /** A cleaning begins. */
    void cleaning() {
        cleanedAt = fill.entryCount();
    }

    /** A cleaning on a full disk has ended. The cleaning is repeated if it was cut for lack of room, or has failed. */
    void cleaned(CleanJob.Result result) {
        cleaningsFailed = result.isKnown() ? 0 : cleaningsFailed + 1;
        if (result.isCut() || cleaningsFailed > 0 && cleaningsFailed < CLEANINGS_FAILED_MAX) {
            cleanedAt = NEVER;
        }
    }

    // ---- adding ----

    /**
     * Adds an entry to the buffer. If there is no room, the zone takes a longer buffer, or writes the buffer first. If
     * the entry needs a longer buffer than the zone's buffer, the pool must have such a buffer.
     *
     * @param frame number of the frame with the entry, or of the next frame if the entry is in no frame
     * @throws IOException as {@link LogFailure#step}; then the entry is not added
     */
    void add(long cid, long sequence, int kind, MemorySegment source, long from, int length, long frame)
        throws IOException {
        final int bytes = SegmentWriter.bufferBytes(length);
        if (writer.bufferCapacity() < bytes) {
            exchange(bytes);
        }
        while (true) {
            openSegment();
            if (writer.add(cid, sequence, kind, source, from, length)) {
                firstFrame = Math.min(firstFrame, frame);
                fill.added(kind, Cid.index(cid), length + SegmentWriter.ENTRY_BYTES);
                break;
            }
            if (writer.isEmpty()) {
                endSegment();
            } else if (!hasGrown(length)) {
                writeBlock();
            }
        }
    }

    /** Takes a longer buffer instead of the full buffer, if the pool has such a buffer, of at most a block. */
    private boolean hasGrown(int length) throws IOException {
        final int bytes = 2 * writer.bufferCapacity();
        if (bytes > shared.buffers().blockBytes() || !writer.wantsMore(length) || !shared.buffers().isReady(bytes)) {
            return false;
        }
        exchange(bytes);
        return true;
    }

    private void exchange(int bytes) throws IOException {
        writePending();
        giveBack(writer.exchange(shared.buffers().take(bytes)));
    }

    private void giveBack(BlockBuffer buffer) {
        if (buffer.capacity() > 0) {
            shared.buffers().give(buffer);
        }
    }

    /** Gives up what is not written, because the zone was dropped. */
    void abandon() throws IOException {
        pending = null;
        giveBack(writer.abandon());
        closeFile();
    }

    /** Writes the buffer to the segment, and returns it to the pool. Does not sync. */
    void flush() throws IOException {
        writeBlock();
        giveBack(writer.detach());
    }

    /** Writes the buffer, and waits until the whole segment is on the device. */
    void sync() throws IOException {
        flush();
        if (state == State.MADE) {
            openSegment();
        }
        finishSeal();
        force();
        closeFile();
    }

    /** Ends the segment, if there is one: then everything is in sealed segments. */
    void seal() throws IOException {
        flush();
        finishSeal();
        if (state != State.NONE) {
            writer.attach(shared.buffers().take(SegmentWriter.bufferBytes(0)));
            openSegment();
            endSegment();
            flush();
        }
    }

    // ---- steps, each of which can be repeated after a full disk ----

    private void writePending() throws IOException {
        final ByteBuffer bytes = pending;
        if (bytes != null) {
            shared.failure().step(() -> file().write(bytes.clear().limit(pendingBytes), writer.offset()));
            isDirty = true;
            pending = null;
        }
    }

    private void make(ByteBuffer bytes) {
        pending = bytes;
        pendingBytes = bytes.limit();
    }

    private void writeBlock() throws IOException {
        writePending();
        if (!writer.isEmpty()) {
            make(writer.block(synced));
            writePending();
        }
    }

    private void force() throws IOException {
        if (isDirty) {
            shared.failure().step(() -> LogFailure.force(file()));
            isDirty = false;
        }
        synced = writer.bytes();
        if (writer.isEmpty() && pending == null) {
            firstFrame = NOTHING;
        }
    }

    /** Makes sure that there is a segment, and a buffer without bytes unknown to the writer. */
    private void openSegment() throws IOException {
        writePending();
        finishSeal();
        if (state == State.NONE) {
            final SegmentId next = zone.segment(shared.segmentNumbers().getAsLong());
            shared.failure().step(() -> file = shared.disk().create(path(next), 0));
            segment = next;
            make(writer.open(shared.log().logId(), shared.log().salt(), segment));
            state = State.MADE;
        }
        if (state == State.MADE) {
            writePending();
            force();
            shared.failure().step(() ->
                LogFailure.forceFolder(shared.disk(), shared.folder().resolve(LogFolder.SEGMENTS)));
            shared.sink().append(new ManifestRecord.SegmentMade(segment));
            state = State.OPEN;
        }
    }

    private void endSegment() throws IOException {
        if (state == State.OPEN) {
            writeBlock();
            force();
            make(writer.seal());
            state = State.ENDED;
        }
        finishSeal();
    }

    private void finishSeal() throws IOException {
        if (state == State.ENDED) {
            writePending();
            force();
            shared.sink().append(new ManifestRecord.SegmentSealed(segment));
            fill.sealed(writer.bytes());
            isToCheck = true;
            state = State.NONE;
            closeFile();
        }
    }

    // ---- the file ----

    private Path path(SegmentId id) {
        return LogFolder.segment(shared.folder(), id);
    }

    private DiskFile file() throws IOException {
        DiskFile open = file;
        if (open == null) {
            open = shared.disk().open(path(segment));
            file = open;
        }
        return open;
    }

    /** Closes the file, synced or not. */
    void closeFile() throws IOException {
        if (file != null) {
            file.close();
            file = null;
        }
    }
}
