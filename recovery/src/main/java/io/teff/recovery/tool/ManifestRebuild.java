package io.teff.recovery.tool;

import io.teff.engine.os.Disk;
import io.teff.engine.os.DiskFile;
import io.teff.engine.report.Progress;
import io.teff.recovery.format.DrainedMark;
import io.teff.recovery.format.EntryVisitor;
import io.teff.recovery.format.FileHead;
import io.teff.recovery.format.FileKind;
import io.teff.recovery.format.ManifestRecord;
import io.teff.recovery.format.ManifestState;
import io.teff.recovery.format.SegmentId;
import io.teff.recovery.format.ZoneId;
import io.teff.recovery.log.file.FoundManifest;
import io.teff.recovery.log.file.LogConfig;
import io.teff.recovery.log.file.LogFailure;
import io.teff.recovery.log.file.LogFolder;
import io.teff.recovery.log.file.ManifestFile;
import io.teff.recovery.log.file.NumberedFiles;
import io.teff.recovery.log.file.TailCut;
import io.teff.recovery.log.read.PrimaryReader;
import io.teff.recovery.log.read.SegmentResult;
import io.teff.recovery.log.read.ZoneReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Makes the manifest of a log anew from all other files of the log. For one thread.
 *
 * <p>All segments count, also segments replaced or not completed by a cleaning: the highest number of each index wins,
 * in any segment. So no readable entry is lost; only dropped zones with remaining files return. The last frames in a
 * row without a gap count, and the ring as after a power cut.
 */
final class ManifestRebuild {
    private static final int PAGE = FileHead.BYTES;
    private static final long LAP_MAX = 1 << 30;
    private static final int LAPS = 4;

    private final Disk disk;
    private final Path folder;
    private final Progress progress;
    private final Map<FileHead, List<SegmentId>> heads = new HashMap<>();
    private final List<SegmentId> segments = new ArrayList<>();
    private final List<String> foreign = new ArrayList<>();
    private final List<LogReport.Place> damage = new ArrayList<>();
    private final TreeSet<ZoneId> zones = new TreeSet<>();
    private final Map<SegmentId, Boolean> ended = new HashMap<>();
    private long longest;
    private long highest;
    private long entryCount;

    ManifestRebuild(Disk disk, Path folder, Progress progress) {
        this.disk = disk;
        this.folder = folder;
        this.progress = progress;
    }

    /**
     * Makes the manifest; the caller holds the log's lock.
     *
     * @param nid of the log's owner, or -1: that of the old manifest, or the only owner of all segments
     */
    Rebuilt run(int nid) throws IOException {
        final ManifestRecord.Log log = log(nid);
        readSegments(log);
        final PrimaryReader.Run run = PrimaryReader.lastRun(disk, folder, log);
        final PrimaryReader frames = new PrimaryReader(disk, folder, log, run.firstFrame());
        readFrames(frames);
        highest = Math.max(highest, frames.lastPosition());
        final ManifestState state = state(log, run);
        final List<String> kept = keepOld();
        ManifestFile.create(disk, folder, state, new LogFailure(), LogConfig.DEFAULT.manifestBytes()).close();
        return new Rebuilt(NumberedFiles.name(FoundManifest.PREFIX, 1), kept, zones.size(), segments.size(), entryCount,
            frames.count(), damage, foreign);
    }

    private void readFrames(PrimaryReader frames) throws IOException {
        try {
            frames.read(this::note);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private void note(long cid, long sequence, int owner, int zone, int kind, MemorySegment bytes, long offset,
                      int length) {
        zones.add(new ZoneId(owner, zone));
        if (!ZoneId.isCopy(zone)) {                             // numbers of copies are no positions
            highest = Math.max(highest, sequence);
        }
    }

    // ---- which log ----

    /** Returns the identity of the log: from a part of the old manifest, or from the majority of segments. */
    private ManifestRecord.Log log(int nid) throws IOException {
        for (SegmentId id : segmentFiles()) {
            final FileHead head = head(LogFolder.segment(folder, id), FileKind.SEGMENT);
            if (head != null && head.segmentId().equals(id)) {
                heads.computeIfAbsent(identity(head), _ -> new ArrayList<>()).add(id);
            } else {
                foreign.add(LogFolder.SEGMENTS + "/" + id.fileName());
            }
        }
        final ManifestRecord.Log known = FoundManifest.log(disk, folder);
        final FileHead most = known != null ? identity(known.logId(), known.salt()) : most();
        heads.forEach((head, ids) -> {
            if (head.equals(most)) {
                segments.addAll(ids);
            } else {
                ids.forEach(id -> foreign.add(LogFolder.SEGMENTS + "/" + id.fileName()));
            }
        });
        segments.sort(Comparator.comparingLong(SegmentId::number));
        for (SegmentId id : segments) {
            longest = Math.max(longest, size(LogFolder.segment(folder, id)));
        }
        final long least = Math.max(LogConfig.DEFAULT.segmentBytes(), (longest + PAGE - 1) / PAGE * PAGE);
        return new ManifestRecord.Log(most.logId(), most.salt(),
            Math.toIntExact(known == null ? least : Math.max(known.segmentBytes(), longest)),
            nid >= 0 ? nid : known != null ? known.nid() : onlyOwner(), hasCopies(known)
            ? FileHead.VERSION_OF_COPIES : FileHead.VERSION_OF_BYTES);
    }

    private boolean hasCopies(ManifestRecord.@Nullable Log known) {
        return known != null && known.hasCopies() || segments.stream().anyMatch(id -> ZoneId.isCopy(id.zone()));
    }

    private FileHead most() throws IOException {
        FileHead most = null;
        for (Map.Entry<FileHead, List<SegmentId>> entry : heads.entrySet()) {
            if (most == null || entry.getValue().size() > heads.getOrDefault(most, List.of()).size()) {
                most = entry.getKey();
            }
        }
        final FileHead ring = most == null ? head(folder.resolve(LogFolder.BUFFER), FileKind.RING) : most;
        if (ring == null) {
            throw new IOException("no file in " + folder + " says which log it belongs to");
        }
        return identity(ring);
    }

    private int onlyOwner() throws IOException {
        final long owners = segments.stream().mapToInt(SegmentId::owner).distinct().count();
        if (owners != 1) {
            throw new IOException("the segments have " + owners + " owners; give the NID of the store or peer whose log"
                + " this is");
        }
        return segments.getFirst().owner();
    }

    private static FileHead identity(FileHead head) {
        return identity(head.logId(), head.salt());
    }

    private static FileHead identity(long logId, long salt) {
        return new FileHead(FileKind.SEGMENT, logId, salt, 0, 0);
    }

    private List<SegmentId> segmentFiles() throws IOException {
        if (!disk.list(folder).contains(LogFolder.SEGMENTS)) {
            return List.of();
        }
        final List<SegmentId> ids = new ArrayList<>();
        for (String name : disk.list(folder.resolve(LogFolder.SEGMENTS))) {
            final SegmentId id = SegmentId.ofFileName(name);
            if (id != null && id.number() >= 0 && id.number() < Long.MAX_VALUE) {
                ids.add(id);
            }
        }
        return ids;
    }

    private @Nullable FileHead head(Path path, FileKind kind) throws IOException {
        if (!disk.list(Objects.requireNonNull(path.getParent())).contains(path.getFileName().toString())) {
            return null;
        }
        final MemorySegment page = page(path);
        if (page.byteSize() < PAGE) {
            return null;
        }
        final FileHead head = FileHead.read(page, kind);
        return FileHead.problem(page, kind, head.logId(), head.salt()) == null ? head : null;
    }

    private MemorySegment page(Path path) throws IOException {
        try (DiskFile file = disk.openToRead(path)) {
            final ByteBuffer page = ByteBuffer.allocateDirect(PAGE);
            file.read(page, 0);
            return MemorySegment.ofBuffer(page.flip());
        }
    }

    private long size(Path path) throws IOException {
        try (DiskFile file = disk.openToRead(path)) {
            return file.size();
        }
    }

    // ---- contents ----

    private void readSegments(ManifestRecord.Log log) throws IOException {
        final ZoneReader reader = new ZoneReader(disk, folder, log);
        final EntryVisitor note = this::note;
        long done = 0;
        for (SegmentId id : segments) {
            zones.add(id.zoneId());
            final SegmentResult result = reader.read(id, false, note);
            result.damage().forEach(it -> damage.add(new LogReport.Place(it.file(), it.damage().offset(),
                it.damage().bytes(), it.damage().why())));
            entryCount += result.report() == null ? 0 : result.report().entryCount();
            ended.put(id, result.hasEnd());
            progress.at(++done, segments.size());
        }
    }

    private ManifestState state(ManifestRecord.Log log, PrimaryReader.Run run) throws IOException {
        final ManifestState state = new ManifestState();
        state.apply(log);
        zones.forEach(zone -> state.apply(new ManifestRecord.ZoneMade(zone)));
        final Map<Long, SegmentId> numbers = new TreeMap<>();
        for (SegmentId id : segments) {
            if (numbers.putIfAbsent(id.number(), id) == null) {
                state.apply(new ManifestRecord.SegmentMade(id));
                if (Boolean.TRUE.equals(ended.get(id))) {
                    state.apply(new ManifestRecord.SegmentSealed(id));
                }
            }
        }
        final FileHead ring = head(folder.resolve(LogFolder.BUFFER), FileKind.RING);
        final boolean hasRing = ring != null && ring.logId() == log.logId() && ring.salt() == log.salt();
        if (hasRing) {
            highest = Math.max(highest, DrainedMark.read(page(folder.resolve(LogFolder.BUFFER)), log.salt()));
        }
        if (hasRing || run.frameCount() > 0) {
            state.apply(new ManifestRecord.Trimmed(run.firstFrame()));
            state.apply(new ManifestRecord.Closed(highest, highest));
            state.apply(new ManifestRecord.Opened(ManifestRecord.Opened.NO_BOOT));
        } else {
            final long next = (highest / LAP_MAX + LAPS) * LAP_MAX;
            state.apply(new ManifestRecord.Closed(next, next));
        }
        return state;
    }

    /** Gives the old manifests names that are never read. Returns them. */
    private List<String> keepOld() throws IOException {
        final List<String> kept = new ArrayList<>();
        for (String name : disk.list(folder)) {
            if (FoundManifest.isName(name)) {
                kept.add(TailCut.setAside(disk, folder, name));
            }
        }
        disk.forceFolder(folder);
        return kept;
    }
}
