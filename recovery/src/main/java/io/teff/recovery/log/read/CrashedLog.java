package io.teff.recovery.log.read;

import io.teff.engine.os.Disk;
import io.teff.recovery.format.Damage;
import io.teff.recovery.format.DrainedMark;
import io.teff.recovery.format.EntryVisitor;
import io.teff.recovery.format.FileHead;
import io.teff.recovery.format.FileKind;
import io.teff.recovery.format.ManifestRecord;
import io.teff.recovery.format.ManifestState;
import io.teff.recovery.format.RingReader;
import io.teff.recovery.format.ZoneId;
import io.teff.recovery.log.file.FileDamage;
import io.teff.recovery.log.file.LogFolder;
import io.teff.recovery.log.file.NumberedFiles;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What a process that did not close the log has left beside the segments: the frames that count, and the ring. Changes
 * nothing. For one thread.
 *
 * <p><b>How it ended.</b> In the boot in which the log was opened, the ring has all that was stored to it. In another
 * one, or where nobody knows, any page of it may be old; unless the manifest says that it was synced as a killed
 * process has left it.
 *
 * <p><b>Zones that are not in the manifest.</b> A zone is made before a frame has anything of it, so one of which
 * frames alone know was dropped. In the ring it may be new. After a power cut nobody can tell: the ring may be an old
 * one, and the zone dropped, and a dropped one must not be made again; so what names it does not count. Then nothing
 * behind it does either, for that may build on it: a group that has moved entries from one chunk to another of a new
 * zone, and the next change of the first one alone. Whatever was synced is in frames and segments, so all that is given
 * up is what a power cut may take.
 */
public final class CrashedLog {
    private static final long CAPACITY_MAX = 1 << 30;
    private static final EntryVisitor NOBODY = (cid, sequence, owner, zone, kind, bytes, offset, length) -> { };

    private final Disk disk;
    private final Path folder;
    private final ManifestRecord.Log log;
    private final long firstFrame;
    private final long lastNumber;
    private final boolean isRingSynced;
    private final RingReader.End end;
    private final PrimaryReader frames;
    private final @Nullable MemorySegment ring;
    private final List<FileDamage> damage = new ArrayList<>();

    /**
     * Tells whether something may be left: the log is open, or a manifest that cannot be read may have said so. Then
     * ring and frames may be of a later time than a manifest that says that it is closed.
     *
     * @param state of the manifest that counts
     * @param damage manifests above it
     * @return whether ring and frames are to be looked at
     */
    public static boolean isLeft(ManifestState state, List<FileDamage> damage) {
        return state.openedBoot() != null || !damage.isEmpty();
    }

    /**
     * Looks at what is there.
     *
     * @param disk where
     * @param folder of the log
     * @param state of the manifest, see {@link #isLeft}
     * @throws IOException if the disk fails
     */
    public CrashedLog(Disk disk, Path folder, ManifestState state) throws IOException {
        this.disk = disk;
        this.folder = folder;
        this.log = state.log();
        this.firstFrame = state.firstFrame();
        this.lastNumber = state.lastNumber();
        this.isRingSynced = state.isRingSynced();
        this.end = isRingSynced || disk.boot() != null && disk.boot().equals(state.openedBoot())
            && !ManifestRecord.Opened.NO_BOOT.equals(state.openedBoot())
            ? RingReader.End.KILLED : RingReader.End.POWER_CUT;
        this.frames = new PrimaryReader(disk, folder, log, firstFrame);
        frames.read(NOBODY);
        damage.addAll(frames.damage());
        this.ring = findRing();
        if (ring != null) {
            final RingReader look = new RingReader(ring, log.salt(), capacity(ring));
            look.read(DrainedMark.read(ring, log.salt()), end, NOBODY);
            look.damage().forEach(it -> damage.add(new FileDamage(LogFolder.BUFFER, it)));
        }
    }

    /** The ring's file if it has a right head and a mark; it had both, synced, before the log was open. */
    private @Nullable MemorySegment findRing() throws IOException {
        if (!disk.list(folder).contains(LogFolder.BUFFER)) {
            add(0, 0, "the write buffer is missing");
            return null;
        }
        final MemorySegment found = MemorySegment.ofBuffer(NumberedFiles.read(disk, folder.resolve(LogFolder.BUFFER)));
        String problem = FileHead.problem(found, FileKind.RING, log.logId(), log.salt());
        if (problem == null && DrainedMark.read(found, log.salt()) == DrainedMark.NONE) {
            problem = "both marks of what is drained are damaged";
        }
        if (problem != null) {
            add(0, found.byteSize(), problem);
            return null;
        }
        if (DrainedMark.isDamaged(found, log.salt())) {
            add(0, FileHead.BYTES, "a mark of what is drained is damaged; records behind it may be missing");
        }
        final long missing = FileHead.BYTES + capacity(found) - found.byteSize();
        if (missing != 0) {
            add(found.byteSize(), Math.max(0, missing), "it has " + found.byteSize() + " bytes, and its first page"
                + " says " + (found.byteSize() + missing));
        }
        return found;
    }

    private void add(long offset, long bytes, String why) {
        damage.add(new FileDamage(LogFolder.BUFFER, new Damage(offset, bytes, why)));
    }

    /** What should be there and cannot be read. */
    public List<FileDamage> damage() {
        return List.copyOf(damage);
    }

    /** How the process has ended. */
    public RingReader.End end() {
        return end;
    }

    /** Whether there is a ring of which the kernel may have what the device has not. */
    public boolean isRingToSync() {
        return ring != null && end == RingReader.End.KILLED && !isRingSynced;
    }

    /** A number above those of all frames that are there. */
    public long nextFrame() {
        return frames.next();
    }

    /** How many frames are there that count. */
    public long frameCount() {
        return frames.count();
    }

    /**
     * A position so many laps of the ring behind where it was drained to, as far as ring, frames and manifest tell. If
     * something of them is lost, nobody knows how far it came since: then a lap is the longest one.
     *
     * @param laps so many
     * @param least the position is so many laps behind this, too
     */
    public long lapsBehind(int laps, long least) {
        final MemorySegment found = ring;
        final long capacity = found == null || !damage.isEmpty() ? CAPACITY_MAX : capacity(found);
        final long mark = found == null ? 0 : DrainedMark.read(found, log.salt());
        final long last = Math.max(Math.max(frames.lastPosition(), mark), Math.max(lastNumber, least));
        return (last / capacity + laps) * capacity;
    }

    private static long capacity(MemorySegment found) {
        return FileHead.read(found, FileKind.RING).sizeBytes();
    }

    /**
     * Shows all entries that count, in their order: those of the frames, then those of the ring.
     *
     * @param isKnown whether a zone is in the manifest
     * @param visitor is shown each; if it is of a zone that is not known, that zone is new
     * @throws IOException if the disk fails
     */
    public void read(Predicate<ZoneId> isKnown, EntryVisitor visitor) throws IOException {
        readFrames(isKnown, visitor);
        readRing(isKnown, visitor);
    }

    /** The first part of it. */
    public void readFrames(Predicate<ZoneId> isKnown, EntryVisitor visitor) throws IOException {
        new PrimaryReader(disk, folder, log, firstFrame).read(new Filter(isKnown, visitor));
    }

    /** The second part of it. After a power cut it ends in front of the first record that has an unknown zone. */
    public void readRing(Predicate<ZoneId> isKnown, EntryVisitor visitor) {
        final MemorySegment found = ring;
        if (found != null) {
            final KnownPrefix known = new KnownPrefix(end == RingReader.End.KILLED ? _ -> true : isKnown, visitor);
            new RingReader(found, log.salt(), capacity(found)).read(DrainedMark.read(found, log.salt()), end, known);
            known.end();
        }
    }

    /** Lets through what is of some zones. */
    private record Filter(Predicate<ZoneId> isTaken, EntryVisitor target) implements EntryVisitor {
        @Override
        public void record(long position, boolean group) {
            target.record(position, group);
        }

        @Override
        public void entry(long cid, long sequence, int owner, int zone, int kind, MemorySegment bytes, long offset,
                          int length) {
            if (isTaken.test(new ZoneId(owner, zone))) {
                target.entry(cid, sequence, owner, zone, kind, bytes, offset, length);
            }
        }
    }
}
