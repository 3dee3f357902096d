package io.teff.recovery.log;

import io.teff.engine.os.Disk;
import io.teff.engine.os.DiskFile;
import io.teff.engine.os.DiskFullException;
import io.teff.recovery.format.ManifestRecord;
import io.teff.recovery.format.ManifestState;
import io.teff.recovery.format.SegmentId;
import io.teff.recovery.format.ZoneId;
import io.teff.recovery.log.file.DamagedLogException;
import io.teff.recovery.log.file.FileDamage;
import io.teff.recovery.log.file.Leftovers;
import io.teff.recovery.log.file.LogConfig;
import io.teff.recovery.log.file.LogFailure;
import io.teff.recovery.log.file.LogFiles;
import io.teff.recovery.log.file.LogFolder;
import io.teff.recovery.log.file.ManifestFile;
import io.teff.recovery.log.file.DiskReserve;
import io.teff.recovery.log.read.CrashedLog;
import io.teff.recovery.log.read.ZoneReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.function.LongSupplier;

/**
 * Recovers a log without a close: moves the entries of frames and ring to sealed segments, then writes a new manifest
 * with these segments and a close of the log. For one thread.
 *
 * <pre>
 *  check for damage ──> sync the ring ──> move frames and ring to new segments ──> write the manifest
 * </pre>
 * The last step is atomic and the earlier steps change nothing that counts, so a crash on the way does no harm: no
 * manifest names the new segments, so the next start deletes them and begins again. If there is no room for all new
 * segments, they are deleted at once, so a retry needs no more room than the first try.
 *
 * <p><b>On a full disk</b> the entries of each file of frames are moved on their own: a single record of the manifest
 * names the new segments and ends the validity of these frames, and the file is deleted. So there must only be room for
 * one file of frames and the ring. The last file stays to the end, because its last frame bounds the positions.
 *
 * <p><b>A power cut on the way</b>, after a kill, may lose bytes held by the kernel alone: then one zone's part of a
 * group would be in a segment, and the ring with the rest of the group lost. So the ring is synced first, and the
 * manifest records this sync.
 *
 * <p><b>Positions.</b> A process may have claimed up to a lap beyond its drained position, and after a power cut the
 * mark in the ring may be old. But the last frame shows the drainer's position to within half a lap and a round. So a
 * position four laps beyond both the mark and the last frame is above all positions ever used. If a part of the ring or
 * of the frames is lost, both may be too low. Then the start also counts from the highest number in all segments, which
 * hold all surviving entries, and from the highest number of all closes in the manifest. A lap then has the length of
 * the longest possible ring. So new numbers are above all numbers that a later start can find.
 */
final class CrashRecovery {
    private static final int LAPS = 4;

    private final Disk disk;
    private final Path folder;
    private final ManifestFile manifest;
    private final LogFailure failure;
    private final ZoneLogs zones;
    private final Leftovers leftovers;
    private final DiskReserve reserve;
    private final LongSupplier numbers;
    /** Segments with higher numbers were created here, and the manifest does not name them. */
    private long limit;
    private final NavigableMap<ZoneId, List<Long>> sealed = new TreeMap<>();

    /**
     * Prepares the recovery of a log.
     *
     * @param shared files of the log; the manifest states that the log is open
     * @param config sizes
     * @param reserve room for a full disk
     */
    CrashRecovery(LogFiles shared, LogConfig config, DiskReserve reserve) {
        this.reserve = reserve;
        this.numbers = shared.segmentNumbers();
        this.failure = shared.failure();
        this.disk = shared.disk();
        this.folder = shared.folder();
        this.manifest = shared.manifest();
        this.zones = new ZoneLogs(shared.withSink(this::note), config, new ZonePressure());
        this.leftovers = shared.leftovers();
        this.limit = numbers.getAsLong();
    }

    private void note(ManifestRecord record) {
        if (record instanceof ManifestRecord.SegmentSealed it) {
            sealed.computeIfAbsent(it.id().zoneId(), _ -> new ArrayList<>()).add(it.id().number());
        }
    }

    /**
     * Recovers the log.
     *
     * @param accepts whether damage is accepted
     * @param isLost whether the manifest was damaged, so that its numbers may be too low
     * @return parts that could not be read
     * @throws DamagedLogException if there is damage and it is not accepted
     * @throws IOException if the disk fails
     */
    List<FileDamage> run(boolean accepts, boolean isLost) throws IOException {
        final CrashedLog found = new CrashedLog(disk, folder, manifest.state());
        if (!found.damage().isEmpty() && !accepts) {
            throw new DamagedLogException(found.damage());
        }
        if (found.isRingToSync()) {
            syncRing();
        }
        boolean isKept = false;
        try (zones) {
            write(found, !isLost && found.damage().isEmpty());
            isKept = true;                                      // after a failure the manifest may have them or not
            name(found, isLost);
        } catch (DiskFullException e) {
            isKept = false;
            throw e;
        } finally {
            if (!isKept) {
                discard();
            }
        }
        return found.damage();
    }

    private void write(CrashedLog found, boolean isUndamaged) throws IOException {
        try {
            found.read(zones::has, this::add, (name, next) -> {
                if (isUndamaged && !reserve.isWhole()) {
                    free(name, next);
                }
            });
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        zones.seal();
    }

    /** Makes room: names the segments with the entries of the frames so far, and deletes a file of these frames. */
    private void free(String name, long next) throws IOException {
        zones.seal();
        if (next > manifest.state().firstFrame()) {
            final List<ManifestRecord> records = new ArrayList<>(sealedRecords());
            records.add(new ManifestRecord.Trimmed(next));
            manifest.appendAll(records);
            sealed.clear();
            limit = numbers.getAsLong();
        }
        failure.step(() -> disk.delete(folder.resolve(name)));
    }

    private List<ManifestRecord> sealedRecords() {
        final List<ManifestRecord> records = new ArrayList<>();
        sealed.forEach((zone, made) -> records.add(new ManifestRecord.SegmentsReplaced(zone, made, List.of())));
        return records;
    }

    private void name(CrashedLog found, boolean isLost) throws IOException {
        final List<ManifestRecord> records = sealedRecords();
        records.add(new ManifestRecord.Trimmed(found.nextFrame() + 1));
        final long next = found.lapsBehind(LAPS, found.damage().isEmpty() && !isLost ? 0 : highestInSegments());
        records.add(new ManifestRecord.Closed(next, next));
        manifest.appendAll(records);
    }

    /**
     * Returns the highest number in any segment that the manifest names; 0 for a backup's log, because numbers of
     * copies are not positions.
     */
    private long highestInSegments() throws IOException {
        final LongAccumulator highest = new LongAccumulator(Math::max, 0);
        final ManifestState state = manifest.state();
        if (state.log().hasCopies()) {
            return 0;
        }
        final ZoneReader reader = new ZoneReader(disk, folder, state.log());
        for (ZoneId zone : state.zones()) {
            for (Map.Entry<Long, Boolean> segment : state.segments(zone).entrySet()) {
                reader.read(zone.segment(segment.getKey()), segment.getValue(),
                    (cid, sequence, owner, number, kind, bytes, offset, length) -> highest.accumulate(sequence));
            }
        }
        return highest.get();
    }

    /** Deletes the new segments as far as possible; the next opening deletes the rest. */
    private void discard() {
        final Path segments = folder.resolve(LogFolder.SEGMENTS);
        try {
            for (String name : disk.list(segments)) {
                final SegmentId id = SegmentId.ofFileName(name);
                if (id != null && id.number() > limit) {
                    leftovers.delete(List.of(segments.resolve(name)));
                }
            }
        } catch (IOException _) {
            // the caller throws another failure
        }
    }

    private void syncRing() throws IOException {
        try (DiskFile file = disk.open(folder.resolve(LogFolder.BUFFER))) {
            LogFailure.force(file);
        }
        manifest.append(new ManifestRecord.RingSynced());
    }

    private void add(long cid, long sequence, int owner, int zone, int kind, MemorySegment bytes, long offset,
                     int length) {
        final ZoneId id = new ZoneId(owner, zone);
        try {
            if (!zones.has(id)) {
                zones.make(id);
            }
            zones.add(id, cid, sequence, kind, bytes, offset, length, 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
