package io.teff.recovery.log.read;

import io.teff.engine.os.Disk;
import io.teff.engine.os.DiskFile;
import io.teff.recovery.format.Damage;
import io.teff.recovery.format.DrainedMark;
import io.teff.recovery.format.EntryVisitor;
import io.teff.recovery.format.FileHead;
import io.teff.recovery.format.FileKind;
import io.teff.recovery.format.FileWindow;
import io.teff.recovery.format.FrameReader;
import io.teff.recovery.format.FrameWriter;
import io.teff.recovery.format.ManifestReader;
import io.teff.recovery.format.ManifestRecord;
import io.teff.recovery.format.ManifestState;
import io.teff.recovery.format.RingReader;
import io.teff.recovery.format.SegmentId;
import io.teff.recovery.format.ZoneId;
import io.teff.recovery.log.file.FileDamage;
import io.teff.recovery.log.file.FoundManifest;
import io.teff.recovery.log.file.LogFolder;
import io.teff.recovery.log.file.NumberedFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Evidence that a manifest has lost its end: files of the log that can only be later than the manifest. Changes no
 * file. For one thread.
 *
 * <p><b>Segments.</b> A crash leaves segments that the manifest does not name: the unfinished segments of a cleaning or
 * a recovery, and the segments replaced by a cleaning. Each entry of such a segment is in the named segments, in frames
 * or in the ring, too, or is outdated by an entry there. So an entry newer than all of these shows that the manifest
 * has named the segment. A segment of an unknown zone with a later number is evidence, too. A segment of an unknown
 * zone with an earlier number, or of a copy that is dropped in the manifest, is left of a dropped zone.
 *
 * <p><b>Ring and frames</b> of a log that was closed: the ring is drained up to the position of the close, or has been
 * prepared for the next opening and is empty; and no frame has the next number.
 *
 * <p>If the caller accepts the damage, these segments are named again ({@link #records}), and ring and frames count.
 */
public final class ManifestLoss {
    /** Laps between the last position of a closed log and the first one of the next opening. */
    public static final int LAPS = 2;
    private static final EntryVisitor NOBODY = (cid, sequence, owner, zone, kind, bytes, offset, length) -> { };

    private final Disk disk;
    private final Path folder;
    private final ManifestState state;
    private final ManifestRecord.Log log;
    private final List<FileDamage> damage = new ArrayList<>();
    private final List<ManifestRecord> records = new ArrayList<>();

    /**
     * Looks for evidence.
     *
     * @param disk that has the folder
     * @param folder of the log
     * @param found the manifest that counts
     * @throws IOException if the disk fails
     */
    public ManifestLoss(Disk disk, Path folder, FoundManifest found) throws IOException {
        this.disk = disk;
        this.folder = folder;
        this.state = found.state();
        this.log = state.log();
        final boolean isLeft = CrashedLog.isLeft(state, found.damage());
        if (!isLeft) {
            lookAtRing();
            lookAtFrames();
        }
        final NavigableMap<ZoneId, List<SegmentId>> unnamed = unnamed(disk, folder, state);
        if (!unnamed.isEmpty()) {
            lookAtSegments(unnamed, isLeft);
        }
    }

    /** Returns the files that are later than the manifest. */
    public List<FileDamage> damage() {
        return List.copyOf(damage);
    }

    /** Returns the records with the names of these segments, to be appended when the log is open in the manifest. */
    public List<ManifestRecord> records() {
        return List.copyOf(records);
    }

    private void add(String file, long bytes, String why) {
        damage.add(new FileDamage(file, new Damage(0, bytes, why)));
    }

    // ---- ring and frames of a closed log ----

    private void lookAtRing() throws IOException {
        if (!disk.list(folder).contains(LogFolder.BUFFER)) {
            return;
        }
        final Path path = folder.resolve(LogFolder.BUFFER);
        final MemorySegment page = page(path, FileHead.BYTES);
        if (FileHead.problem(page, FileKind.RING, log.logId(), log.salt()) != null) {
            return;
        }
        final long capacity = FileHead.read(page, FileKind.RING).sizeBytes();
        final long mark = DrainedMark.read(page, log.salt());
        final long next = (state.lastNumber() / capacity + LAPS) * capacity;
        if (mark > state.lastNumber() && (mark != next || hasRecord(path, capacity, mark))) {
            add(LogFolder.BUFFER, 0, "it was used up to position " + mark + ", after the last close of the log that the"
                + " manifest knows, at position " + state.lastNumber());
        }
    }

    private boolean hasRecord(Path path, long capacity, long mark) throws IOException {
        try (DiskFile file = disk.openToRead(path)) {
            return new RingReader(new FileWindow(file::read, file.size()), log.salt(), capacity)
                .read(mark, RingReader.End.POWER_CUT, NOBODY) > mark;
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private void lookAtFrames() throws IOException {
        for (long number : NumberedFiles.list(disk, folder, LogFolder.PRIMARY)) {
            final String name = NumberedFiles.name(LogFolder.PRIMARY, number);
            final long first = firstFrame(folder.resolve(name));
            if (first >= state.firstFrame()) {
                add(name, 0, "it has frame " + first + ", and the manifest knows none from " + state.firstFrame()
                    + " on");
            }
        }
    }

    private long firstFrame(Path path) throws IOException {
        final MemorySegment head = page(path, FileHead.BYTES + FrameWriter.HEAD_BYTES);
        final long bytes = FrameReader.bytesOfFirst(head, log.salt(), state.firstFrame());
        return bytes == 0 ? FrameReader.NONE
            : new FrameReader(page(path, FileHead.BYTES + (int) bytes), log.salt()).firstNumber();
    }

    /** Returns the first bytes of a file, as many as there are; no bytes if the device refuses the read. */
    private MemorySegment page(Path path, int bytes) throws IOException {
        try (DiskFile file = disk.openToRead(path)) {
            final ByteBuffer read = ByteBuffer.allocateDirect((int) Math.min(bytes, file.size()));
            file.read(read, 0);
            return MemorySegment.ofBuffer(read.flip());
        } catch (ClosedChannelException e) {
            throw e;                                            // the disk seam failed, not the device
        } catch (IOException _) {
            return ManifestReader.NO_FILE;                          // nothing of a closed log counts there
        }
    }

    // ---- segments ----

    /** Returns the segments of the folder that a manifest does not name, by zone. */
    public static NavigableMap<ZoneId, List<SegmentId>> unnamed(Disk disk, Path folder, ManifestState state)
        throws IOException {
        final NavigableMap<ZoneId, List<SegmentId>> unnamed = new TreeMap<>();
        final Set<SegmentId> known = new HashSet<>();
        state.zones().forEach(zone -> state.segments(zone).keySet().forEach(it -> known.add(zone.segment(it))));
        if (!disk.list(folder).contains(LogFolder.SEGMENTS)) {
            return unnamed;
        }
        for (String name : disk.list(folder.resolve(LogFolder.SEGMENTS))) {
            final SegmentId id = SegmentId.ofFileName(name);
            if (id != null && !known.contains(id)) {
                unnamed.computeIfAbsent(id.zoneId(), _ -> new ArrayList<>()).add(id);
            }
        }
        return unnamed;
    }

    private void lookAtSegments(NavigableMap<ZoneId, List<SegmentId>> unnamed, boolean isLeft) throws IOException {
        final List<SegmentId> later = new ArrayList<>();
        final ZoneReader reader = new ZoneReader(disk, folder, log);
        CrashedLog left = null;
        for (var entry : unnamed.entrySet()) {
            final ZoneId zone = entry.getKey();
            final List<SegmentId> withEntries = withEntries(entry.getValue());
            if (withEntries.isEmpty() || state.isDropped(zone)) {
                continue;
            }
            final boolean isKnown = isKnown(zone);
            final Covered covered = new Covered(zone);
            if (isKnown) {
                left = isLeft && left == null ? new CrashedLog(disk, folder, state) : left;
                readNamed(zone, reader, left, covered);
            }
            for (SegmentId id : withEntries) {
                if (isKnown || id.number() >= state.nextSegment()) {
                    final Covered.Test test = covered.test();
                    final SegmentResult result = reader.read(id, false, test);
                    if (test.isNewer()) {
                        later.add(id);
                        add(LogFolder.SEGMENTS + "/" + id.fileName(), result.fileBytes(),
                            "the manifest does not name it, and it has entries that are newer than all others");
                        name(id, result, isKnown);
                    }
                }
            }
        }
    }

    private void name(SegmentId id, SegmentResult result, boolean isKnown) {
        final ManifestRecord.ZoneMade made = new ManifestRecord.ZoneMade(id.zoneId());
        if (!isKnown && !records.contains(made)) {
            records.add(made);
        }
        records.add(result.hasEnd() ? new ManifestRecord.SegmentsReplaced(id.zoneId(), List.of(id.number()), List.of())
            : new ManifestRecord.SegmentMade(id));
    }

    private boolean isKnown(ZoneId zone) {
        for (ZoneId known : state.zones()) {
            if (known.equals(zone)) {
                return true;
            }
        }
        return false;
    }

    /** Returns the segments that belong to this log and have more than a head. */
    private List<SegmentId> withEntries(List<SegmentId> ids) throws IOException {
        final List<SegmentId> found = new ArrayList<>();
        for (SegmentId id : ids) {
            try (DiskFile file = disk.openToRead(LogFolder.segment(folder, id))) {
                if (file.size() > FileHead.BYTES && id.number() >= 0 && id.number() < Long.MAX_VALUE
                    && isHeadOf(id, file)) {
                    found.add(id);
                }
            }
        }
        return found;
    }

    /** Returns whether a file has the head of a segment; a head that the device refuses to read proves nothing. */
    private boolean isHeadOf(SegmentId id, DiskFile file) {
        final ByteBuffer page = ByteBuffer.allocateDirect(FileHead.BYTES);
        try {
            file.read(page, 0);
        } catch (IOException _) {
            return false;
        }
        final MemorySegment head = MemorySegment.ofBuffer(page.flip());
        return FileHead.problem(head, FileKind.SEGMENT, log.logId(), log.salt()) == null
            && FileHead.read(head, FileKind.SEGMENT).segmentId().equals(id);
    }

    private void readNamed(ZoneId zone, ZoneReader reader, @Nullable CrashedLog left, Covered covered)
        throws IOException {
        for (var segment : state.segments(zone).entrySet()) {
            reader.read(zone.segment(segment.getKey()), segment.getValue(), covered);
        }
        if (left != null) {
            left.read(this::isKnown, covered, (_, _) -> { });
        }
    }
}
