package io.teff.recovery.log.clean;

import io.teff.engine.os.Disk;
import io.teff.engine.os.DiskFile;
import io.teff.recovery.format.ManifestRecord;
import io.teff.recovery.format.SegmentWriter;
import io.teff.recovery.format.ZoneId;
import io.teff.recovery.log.file.BlockBuffers;
import io.teff.recovery.log.file.Leftovers;
import io.teff.recovery.log.file.LogFailure;
import io.teff.recovery.log.file.LogFiles;
import io.teff.recovery.log.file.LogFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes copied entries to new segments of a zone. The new segments do not count until the manifest names them. For one
 * thread. After a failure, {@link #discard} deletes the new segments.
 */
public final class CleanWriter {
    private final Disk disk;
    private final Path folder;
    private final ManifestRecord.Log log;
    private final LogFailure failure;
    private final Leftovers leftovers;
    private final ZoneId zone;
    private final boolean isWhileFull;
    private final LongSupplier segmentNumbers;
    private final SegmentWriter writer;
    private final BlockBuffers buffers;
    private final List<Long> made = new ArrayList<>();
    private @Nullable DiskFile file;
    private long countedBytes;
    private long bytes;

    /**
     * Begins without a segment.
     *
     * @param shared files of the log; only their thread-safe parts are used
     * @param job zone of the entries, and whether the reserve may be used
     * @param buffers lends memory until the end
     */
    public CleanWriter(LogFiles shared, CleanJob job, BlockBuffers buffers) {
        this.disk = shared.disk();
        this.folder = shared.folder();
        this.log = shared.log();
        this.failure = shared.failure();
        this.leftovers = shared.leftovers();
        this.zone = job.zone();
        this.isWhileFull = job.isWhileFull();
        this.segmentNumbers = shared.segmentNumbers();
        this.writer = new SegmentWriter(log.segmentBytes());
        this.buffers = buffers;
        writer.attach(buffers.take(0));
    }

    /** Adds an entry. Wraps an IOException in an unchecked one. */
    public void add(long cid, long sequence, int kind, MemorySegment source, long from, int length) {
        try {
            final int bytes = SegmentWriter.bufferBytes(length);
            if (writer.bufferCapacity() < bytes) {
                writeBlock();
                buffers.give(writer.detach());
                writer.attach(buffers.take(bytes));
            }
            while (file == null || !writer.add(cid, sequence, kind, source, from, length)) {
                if (file == null) {
                    begin();
                } else if (writer.isEmpty()) {
                    seal();
                } else {
                    writeBlock();
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void step(LogFailure.Step step) throws IOException {
        if (isWhileFull) {
            failure.stepWithAllReserve(step);
        } else {
            failure.stepWithoutReserve(step);
        }
    }

    private void begin() throws IOException {
        final long number = segmentNumbers.getAsLong();
        step(() -> file = disk.create(LogFolder.segment(folder, zone.segment(number)), 0));
        made.add(number);
        write(writer.open(log.logId(), log.salt(), zone.segment(number)));
    }

    private void write(ByteBuffer bytes) throws IOException {
        final DiskFile to = opened();
        step(() -> to.write(bytes.rewind(), writer.offset()));
    }

    private DiskFile opened() {
        if (file == null) {
            throw new IllegalStateException("there is no segment");
        }
        return file;
    }

    private void writeBlock() throws IOException {
        if (!writer.isEmpty()) {
            write(writer.block(0));
        }
    }

    /**
     * Ends a segment: like all segments, the segment is synced before the end is written, and once more with the end.
     */
    private void seal() throws IOException {
        writeBlock();
        final DiskFile to = opened();
        step(() -> LogFailure.force(to));
        write(writer.seal());
        step(() -> LogFailure.force(to));
        bytes += writer.bytes();
        countedBytes += LiveEstimate.countedBytes(writer.bytes(), log.segmentBytes());
        to.close();
        file = null;
    }

    /** Ends the writing: syncs the segments. Returns their numbers. */
    public List<Long> end() throws IOException {
        if (file != null) {
            seal();
        }
        buffers.give(writer.detach());
        step(() -> LogFailure.forceFolder(disk, folder.resolve(LogFolder.SEGMENTS)));
        return List.copyOf(made);
    }

    /** Returns the bytes of the new segments. */
    public long bytes() {
        return bytes;
    }

    /** Returns the counted bytes of the new segments. */
    public long countedBytes() {
        return countedBytes;
    }

    /** Deletes the new segments. */
    public void discard() throws IOException {
        if (file != null) {
            file.close();
        }
        leftovers.delete(made.stream().map(number -> LogFolder.segment(folder, zone.segment(number))).toList());
    }
}
