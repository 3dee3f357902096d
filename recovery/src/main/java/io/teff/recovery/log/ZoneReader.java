package io.teff.recovery.log;

import io.teff.recovery.disk.Disk;
import io.teff.recovery.disk.DiskFile;
import io.teff.recovery.format.Damage;
import io.teff.recovery.format.EntryVisitor;
import io.teff.recovery.format.FileHead;
import io.teff.recovery.format.ManifestRecord;
import io.teff.recovery.format.SegmentId;
import io.teff.recovery.format.SegmentReader;
import io.teff.recovery.format.SegmentReport;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads segments that count, one after the other. For one thread; each that reads zones has its own. */
final class ZoneReader {
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
     * @param log its name
     */
    ZoneReader(Disk disk, Path folder, ManifestRecord.Log log) {
        this.disk = disk;
        this.folder = folder.resolve(ZoneLog.FOLDER);
        this.log = log;
        this.buffer = ByteBuffer.allocateDirect(log.segmentBytes());
        this.reader = new SegmentReader(MemorySegment.ofBuffer(buffer));
    }

    /**
     * Shows all entries of a segment that can be read.
     *
     * @param id of the segment
     * @param isSealed whether the manifest says so
     * @param visitor is shown each entry
     * @return what was found
     * @throws IOException if the device fails
     */
    SegmentResult read(SegmentId id, boolean isSealed, EntryVisitor visitor) throws IOException {
        final String name = ZoneLog.FOLDER + "/" + id.fileName();
        try (DiskFile file = disk.openToRead(folder.resolve(id.fileName()))) {
            final List<FileDamage> found = new ArrayList<>();
            final int length = file.read(buffer.clear(), 0);
            final SegmentReport report = reader.read(length, FileHead.segment(log.logId(), log.salt(), id), isSealed,
                visitor);
            report.damage().forEach(it -> found.add(new FileDamage(name, it)));
            final long size = file.size();
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
}
