package io.teff.recovery.log;

import io.teff.recovery.disk.Disk;
import io.teff.recovery.disk.DiskFile;
import io.teff.recovery.format.ManifestRecord;
import io.teff.recovery.format.ZoneId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;

/**
 * Makes of a log that was not closed one that was: what frames and the ring have goes to sealed segments, then the
 * manifest says that the log is closed. For one thread.
 *
 * <pre>
 *  look for damage ──> ring synced ──> frames, ring ──> new segments, sealed ──> manifest: trimmed, closed
 * </pre>
 * Until the last step nothing that counts is changed, so a crash on the way does no harm: the next start does the same
 * again, and finds some changes once more in segments, with the same numbers.
 *
 * <p><b>A power cut on the way</b>, after a kill, may take what only the kernel had: then one zone's part of a group
 * would be in a segment, and the ring with the others' gone. So the ring is synced first, and the manifest says so.
 *
 * <p><b>Positions.</b> A process may have claimed up to a lap behind what it had drained, and after a power cut the
 * mark may be old; but frames say where the drainer was, to half a lap and a batch. So four laps behind both is above
 * all. Where ring and frames are lost, the manifest has the highest number of all times when the log was closed: the
 * log was opened two laps behind that, and no lap is longer than the longest ring's.
 */
final class CrashRecovery {
    private static final int LAPS = 4;

    private final Disk disk;
    private final Path folder;
    private final ManifestFile manifest;
    private final Zones zones;

    /**
     * Prepares the recovery of a log.
     *
     * @param disk where
     * @param folder of the log
     * @param manifest which says that the log is open
     * @param zones of the log, to which entries are added
     */
    CrashRecovery(Disk disk, Path folder, ManifestFile manifest, Zones zones) {
        this.disk = disk;
        this.folder = folder;
        this.manifest = manifest;
        this.zones = zones;
    }

    /**
     * Recovers what is there.
     *
     * @param accepts whether damage is agreed to
     * @return what could not be read
     * @throws DamagedLogException if there is any and it is not agreed to
     * @throws IOException if the disk fails
     */
    List<FileDamage> run(boolean accepts) throws IOException {
        final CrashedLog found = new CrashedLog(disk, folder, manifest.state());
        if (!found.damage().isEmpty() && !accepts) {
            throw new DamagedLogException(found.damage());
        }
        if (found.isRingToSync()) {
            syncRing();
        }
        try {
            found.read(zones::has, this::add);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        zones.seal();
        manifest.append(new ManifestRecord.Trimmed(found.nextFrame() + 1));
        final long next = found.lapsBehind(LAPS);
        manifest.append(new ManifestRecord.Closed(next, next));
        return found.damage();
    }

    private void syncRing() throws IOException {
        try (DiskFile file = disk.open(folder.resolve(WriteBuffer.FILE))) {
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
