package io.teff.recovery.log;

import io.teff.recovery.disk.Disk;
import io.teff.recovery.disk.DiskFile;
import io.teff.recovery.format.Damage;
import io.teff.recovery.format.DrainedMark;
import io.teff.recovery.format.EntryVisitor;
import io.teff.recovery.format.FileHead;
import io.teff.recovery.format.FileKind;
import io.teff.recovery.format.ManifestRecord;
import io.teff.recovery.format.ManifestState;
import io.teff.recovery.format.RingReader;
import io.teff.recovery.format.ZoneId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

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
 * <p><b>Zones that are not in the manifest.</b> A zone is made before a frame has anything of it, so one of which
 * frames alone know was dropped. In the ring it may be new; after a power cut, when the ring may be an old one, it is
 * taken for dropped too, for nothing of it was ever synced.
 *
 * <p><b>Positions.</b> A process may have claimed up to a lap behind what it had drained, and after a power cut the
 * mark may be old; but frames say where the drainer was, to half a lap and a batch. So four laps behind both is above
 * all.
 */
final class CrashRecovery {
    private static final int LAPS = 4;

    private final Disk disk;
    private final Path folder;
    private final ManifestFile manifest;
    private final Zones zones;
    private final ManifestRecord.Log log;
    private final List<FileDamage> damage = new ArrayList<>();

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
        this.log = manifest.state().log();
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
        final ManifestState state = manifest.state();
        final RingReader.End end = state.isRingSynced() || disk.boot() != null
            && disk.boot().equals(state.openedBoot()) && !ManifestRecord.Opened.NO_BOOT.equals(state.openedBoot())
            ? RingReader.End.KILLED : RingReader.End.POWER_CUT;
        final PrimaryReader look = new PrimaryReader(disk, folder, log, state.firstFrame());
        look.read((cid, sequence, owner, zone, kind, bytes, offset, length) -> {});
        damage.addAll(look.damage());
        final MemorySegment ring = ring();
        if (!damage.isEmpty() && !accepts) {
            throw new DamagedLogException(damage);
        }
        if (ring != null && end == RingReader.End.KILLED && !state.isRingSynced()) {
            syncRing();
        }
        try {
            new PrimaryReader(disk, folder, log, state.firstFrame()).read(adder(false));
            final long position = Math.max(look.lastPosition(), ring == null ? 0 : DrainedMark.read(ring, log.salt()));
            final long capacity = ring == null ? 1 << 30 : FileHead.read(ring, FileKind.RING).sizeBytes();
            if (ring != null) {
                addRing(new RingReader(ring, log.salt(), capacity), DrainedMark.read(ring, log.salt()), end);
            }
            zones.seal();
            manifest.append(new ManifestRecord.Trimmed(look.next() + 1));
            final long next = (position / capacity + LAPS) * capacity;
            manifest.append(new ManifestRecord.Closed(next, next));
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        return List.copyOf(damage);
    }

    private void syncRing() throws IOException {
        try (DiskFile file = disk.open(folder.resolve(WriteBuffer.FILE))) {
            LogFailure.force(file);
        }
        manifest.append(new ManifestRecord.RingSynced());
    }

    /** After a power cut a group that has a zone which is not known is an old one, or was never synced. */
    private void addRing(RingReader ring, long drained, RingReader.End end) {
        if (end == RingReader.End.KILLED) {
            ring.read(drained, end, adder(true));
        } else {
            final KnownGroups known = new KnownGroups(zones::has, adder(false));
            ring.read(drained, end, known);
            known.end();
        }
    }

    private EntryVisitor adder(boolean makes) {
        return (cid, sequence, owner, zone, kind, bytes, offset, length) -> {
            final ZoneId id = new ZoneId(owner, zone);
            try {
                if (makes && !zones.has(id)) {
                    zones.make(id);
                }
                if (zones.has(id)) {
                    zones.add(id, cid, sequence, kind, bytes, offset, length, 0);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        };
    }

    /** The ring's file if it has a right head and a mark; it had both, synced, before the log was open. */
    private @Nullable MemorySegment ring() throws IOException {
        if (!disk.list(folder).contains(WriteBuffer.FILE)) {
            add(0, "the write buffer is missing");
            return null;
        }
        final MemorySegment ring = MemorySegment.ofBuffer(NumberedFiles.read(disk, folder.resolve(WriteBuffer.FILE)));
        String problem = FileHead.problem(ring, FileKind.RING, log.logId(), log.salt());
        if (problem == null && DrainedMark.read(ring, log.salt()) == DrainedMark.NONE) {
            problem = "both marks of what is drained are damaged";
        }
        if (problem != null) {
            add(ring.byteSize(), problem);
            return null;
        }
        return ring;
    }

    private void add(long bytes, String why) {
        damage.add(new FileDamage(WriteBuffer.FILE, new Damage(0, bytes, why)));
    }
}
