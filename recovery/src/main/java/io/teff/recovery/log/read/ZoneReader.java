package io.teff.recovery.log.read;

import io.teff.engine.os.Disk;
import io.teff.engine.os.DiskFile;
import io.teff.engine.os.FailureText;
import io.teff.engine.os.LazyMemory;
import io.teff.recovery.format.Damage;
import io.teff.recovery.format.EntryVisitor;
import io.teff.recovery.format.FileHead;
import io.teff.recovery.format.ManifestRecord;
import io.teff.recovery.format.SegmentId;
import io.teff.recovery.format.SegmentReader;
import io.teff.recovery.format.SegmentReport;
import io.teff.recovery.log.file.FileDamage;
import io.teff.recovery.log.file.LogFolder;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads segments that count, in turn. For one thread; each thread that reads zones has its own reader.
 *
 * <p>Pages that the device cannot read are damage and read as zeros; a failing range is halved until they are found.
 */
public final class ZoneReader {
    private static final int PAGE = FileHead.BYTES;

    private final Disk disk;
    private final Path folder;
    private final ManifestRecord.Log log;
    private final ByteBuffer buffer;
    private final SegmentReader reader;

    /**
     * Reads segments of a log.
     *
     * @param disk where
     * @param folder of the log
     * @param log identity of the log
     */
    public ZoneReader(Disk disk, Path folder, ManifestRecord.Log log) {
        this.disk = disk;
        this.folder = folder;
        this.log = log;
        this.buffer = LazyMemory.buffer(log.segmentBytes());
        this.reader = new SegmentReader(MemorySegment.ofBuffer(buffer));
    }

    /**
     * Shows all entries of a segment that can be read.
     *
     * @param id of the segment
     * @param isSealed whether the manifest states that the segment is sealed
     * @param visitor receives each entry
     * @return the result of the reading
     * @throws IOException if the file cannot be opened
     */
    public SegmentResult read(SegmentId id, boolean isSealed, EntryVisitor visitor) throws IOException {
        final String name = LogFolder.SEGMENTS + "/" + id.fileName();
        try (DiskFile file = disk.openToRead(LogFolder.segment(folder, id))) {
            final List<FileDamage> found = new ArrayList<>();
            final long size = file.size();
            buffer.clear();
            final int length = read(file, 0, (int) Math.min(size, buffer.capacity()), name, found);
            final SegmentReport report = reader.read(length, FileHead.segment(log.logId(), log.salt(), id), isSealed,
                visitor);
            report.damage().forEach(it -> found.add(new FileDamage(name, it)));
            visitor.segment(size);
            if (size > length) {
                found.add(new FileDamage(name, new Damage(length, size - length, "it is too long")));
            }
            return new SegmentResult(size, isSealed, report, List.copyOf(found));
        } catch (NoSuchFileException _) {
            return new SegmentResult(0, isSealed, null,
                List.of(new FileDamage(name, new Damage(0, 0, "the segment is missing"))));
        }
    }

    /** Reads a part of the file to the same offset of the buffer. Returns the bytes read. */
    private int read(DiskFile file, int from, int bytes, String name, List<FileDamage> found) throws IOException {
        try {
            return file.read(buffer.slice(from, bytes), from);
        } catch (ClosedChannelException e) {
            throw e;                                            // the disk seam failed, not the device
        } catch (IOException e) {
            if (bytes > PAGE) {
                final int half = (bytes - 1) / PAGE / 2 * PAGE + PAGE;
                return read(file, from, half, name, found) + read(file, from + half, bytes - half, name, found);
            }
            buffer.put(from, new byte[bytes]);
            found.add(new FileDamage(name, new Damage(from, bytes, "it cannot be read: " + FailureText.of(e))));
            return bytes;
        }
    }
}
