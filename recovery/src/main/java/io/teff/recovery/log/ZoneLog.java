package io.teff.recovery.log;

import io.teff.engine.Cid;
import io.teff.engine.os.Disk;
import io.teff.engine.os.DiskFile;
import io.teff.recovery.format.ManifestRecord;
import io.teff.recovery.format.SegmentId;
import io.teff.recovery.format.SegmentWriter;
import io.teff.recovery.format.ZoneId;
import io.teff.recovery.log.clean.ZoneFill;
import io.teff.recovery.log.file.LogFailure;
import io.teff.recovery.log.file.LogFiles;
import io.teff.recovery.log.file.LogFolder;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The secondary log of one zone as it is written: a buffer, and the segment that it goes to. For one thread, the
 * drainer.
 *
 * <pre>
 *  add ──> buffer ──flush──> open segment ──sync──> device          sealed segments: only the manifest knows them
 *
 *  NONE ──create──> MADE ──head synced, in the manifest──> OPEN ──end made──> ENDED ──synced, in the manifest──> NONE
 * </pre>
 * A zone holds a buffer only while something is in it, and a file only while something in it is not synced; the same
 * handle until then, for another one might not be told of a failure.
 *
 * <p><b>A full disk</b> may be met at any step. Nothing is lost: what was not written is still in the buffer, and the
 * next call goes on with the step at which this one has ended. So an entry is either added, or the call throws and it
 * is not.
 */
final class ZoneLog {
    /** Result of {@link #firstFrame} when everything is in synced segments. */
    static final long NOTHING = Long.MAX_VALUE;

    /** How far the segment is; see the drawing above. */
    private enum State { NONE, MADE, OPEN, ENDED }

    private final ZoneId zone;
    private final LogFiles shared;
    private final SegmentWriter writer;
    private final ZoneFill fill;
    private State state = State.NONE;
    private SegmentId segment;
    private @Nullable DiskFile file;
    private @Nullable ByteBuffer pending;
    private int pendingBytes;
    private long synced;
    private long firstFrame = NOTHING;
    private boolean isDirty;
    private boolean isToCheck;

    ZoneLog(ZoneId zone, LogFiles shared, boolean isNew) {
        this.zone = zone;
        this.shared = shared;
        this.segment = zone.segment(0);
        this.writer = new SegmentWriter(shared.log().segmentBytes());
        this.fill = new ZoneFill(shared.log().segmentBytes(), isNew);
    }

    /** Its name. */
    ZoneId zone() {
        return zone;
    }

    /** The number of the first frame that has something which is not in synced segments, or {@link #NOTHING}. */
    long firstFrame() {
        return firstFrame;
    }

    /** Whether it holds a buffer. */
    boolean isBuffered() {
        return writer.bufferCapacity() > 0;
    }

    /** Whether it holds a file that is not synced. */
    boolean isDirty() {
        return isDirty;
    }

    /** How much of it lives. */
    ZoneFill fill() {
        return fill;
    }

    /** Whether it has become known how much lives, or a segment was sealed, since this was asked last. */
    boolean takeToCheck() {
        final boolean was = isToCheck;
        isToCheck = false;
        return was;
    }

    /** Somebody has read it, see {@link ZoneFill#found}. */
    void found(long live, long total, long sealedBefore) {
        isToCheck |= fill.found(live, total, sealedBefore);
    }

    /** Whether this segment is still being written; if it is not sealed either, a former process has left it so. */
    boolean isWriting(long number) {
        return state != State.NONE && segment.number() == number;
    }

    // ---- adding ----

    /**
     * Adds an entry to the buffer; writes what was in it when there is no room.
     *
     * @param frame number of the frame that has the entry, or that of the next one if none has
     * @throws IOException as {@link LogFailure#step}; then it is not added
     */
    void add(long cid, long sequence, int kind, MemorySegment source, long from, int length, long frame)
        throws IOException {
        final int bytes = SegmentWriter.bufferBytes(length);
        if (writer.bufferCapacity() < bytes) {
            flush();
            writer.attach(shared.buffers().take(bytes));
        }
        while (true) {
            openSegment();
            if (writer.add(cid, sequence, kind, source, from, length)) {
                firstFrame = Math.min(firstFrame, frame);
                fill.added(kind, Cid.index(cid), length + SegmentWriter.ENTRY_BYTES);
                return;
            }
            if (writer.isEmpty()) {
                endSegment();
            } else {
                writeBlock();
            }
        }
    }

    /** Writes what is in the buffer to the segment, and gives the buffer back. Does not sync. */
    void flush() throws IOException {
        writeBlock();
        if (isBuffered()) {
            shared.buffers().give(writer.detach());
        }
    }

    /** Writes what is in the buffer, and waits until all of the segment is on the device. */
    void sync() throws IOException {
        flush();
        if (state == State.MADE) {
            openSegment();
        }
        finishSeal();
        force();
        closeFile();
    }

    /** Ends the segment, if there is one: everything is in sealed segments then. */
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

    // ---- steps, each of which can be done again where a full disk has ended it ----

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

    /** Sees to it that there is a segment, and that nothing waits in the buffer that the writer does not know of. */
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
            shared.failure().step(() -> LogFailure.forceFolder(shared.disk(), shared.folder().resolve(LogFolder.SEGMENTS)));
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
