package io.teff.recovery.log.read;

import io.teff.engine.os.Disk;
import io.teff.engine.os.DiskFile;
import io.teff.recovery.format.Damage;
import io.teff.recovery.format.DrainedMark;
import io.teff.recovery.format.EntryVisitor;
import io.teff.recovery.format.FileHead;
import io.teff.recovery.format.FileKind;
import io.teff.recovery.format.FileWindow;
import io.teff.recovery.format.FramedMark;
import io.teff.recovery.format.ManifestRecord;
import io.teff.recovery.format.ManifestState;
import io.teff.recovery.format.RingReader;
import io.teff.recovery.format.ZoneId;
import io.teff.recovery.log.file.FileDamage;
import io.teff.recovery.log.file.LogFolder;
import io.teff.recovery.log.file.RingFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The remains, beside the segments, of a process that did not close the log: the frames that count, and the ring.
 * Changes no file. For one thread.
 *
 * <p><b>Kill or power cut.</b> In the boot in which the log was opened, the ring has all stores of the process. In
 * another boot, or in an unknown boot, any page of the ring may be old, unless the manifest states the sync of a killed
 * process's ring.
 *
 * <p><b>A copy</b> of a folder that was not closed is damage, because its files may be of different moments. If the
 * damage is accepted, the copy is read as after a power cut.
 *
 * <p><b>Zones that are not in the manifest.</b> A zone is created before its first record in a frame, so an unknown
 * zone in frames alone was dropped. An unknown zone in the ring may be new. After a power cut both cases cannot be
 * distinguished: the ring may be old and the zone dropped, and a dropped zone must not be created again. So a record
 * with an unknown zone does not count. No later record counts either, because it may depend on the uncounted record:
 * for instance a group that moves entries from one chunk to another of a new zone, followed by a change of the first
 * chunk. Everything synced is in frames and segments, so only changes that a power cut may lose are given up.
 */
public final class CrashedLog {
    private static final long CAPACITY_MAX = 1 << 30;
    private static final String COPY = "the folder is a copy of one that was not closed, so its files may be of"
        + " different moments; if no process had it open meanwhile, ./teff log repair --adopt makes it count as it is";
    private static final EntryVisitor NOBODY = (cid, sequence, owner, zone, kind, bytes, offset, length) -> { };

    private final Disk disk;
    private final Path folder;
    private final ManifestRecord.Log log;
    private final long firstFrame;
    private final long lastNumber;
    private final boolean isRingSynced;
    private final RingReader.End end;
    private final PrimaryReader frames;
    /** First page of the ring's file, or null if that is wrong. */
    private final @Nullable MemorySegment ring;
    private final List<FileDamage> damage = new ArrayList<>();

    /**
     * Returns whether there may be remains: the log is open, or open according to an unreadable manifest. In this case
     * ring and frames may be newer than a manifest with a close of the log.
     *
     * @param state of the manifest that counts
     * @param damage unreadable manifests above it
     * @return whether ring and frames must be read
     */
    public static boolean isLeft(ManifestState state, List<FileDamage> damage) {
        return state.openedBoot() != null || !damage.isEmpty();
    }

    /**
     * Reads the remains.
     *
     * @param disk that has the folder
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
        this.ring = findRing();
        final boolean isCopy = ring != null && RingFile.isCopy(disk, folder, ring, log);
        if (isCopy) {
            add(0, 0, COPY);
        }
        this.end = !isCopy && (isRingSynced || disk.boot() != null && disk.boot().equals(state.openedBoot())
            && !ManifestRecord.Opened.NO_BOOT.equals(state.openedBoot()))
            ? RingReader.End.KILLED : RingReader.End.POWER_CUT;
        this.frames = new PrimaryReader(disk, folder, log, firstFrame, state.frameFiles(),
            ring == null ? FramedMark.NONE : FramedMark.read(ring, log.salt()));
        readAll(frames, NOBODY, (_, _) -> { });
        damage.addAll(frames.damage());
        readRing(_ -> true, NOBODY, true);
    }

    private void checkDrained(RingReader reader, long mark, long last, long capacity) {
        final long begin = (lastNumber / capacity + ManifestLoss.LAPS) * capacity;
        if (end == RingReader.End.KILLED && reader.isEmptied(begin, mark, last)) {
            add(FileHead.BYTES, capacity, "records up to position " + mark + " were written here, and there are none");
        }
    }

    /** Returns the head of the ring if it is correct and has a mark; both were synced before the log was opened. */
    private @Nullable MemorySegment findRing() throws IOException {
        if (!disk.list(folder).contains(LogFolder.BUFFER)) {
            add(0, 0, "the write buffer is missing");
            return null;
        }
        final MemorySegment found;
        final long size;
        try (DiskFile file = disk.openToRead(folder.resolve(LogFolder.BUFFER))) {
            size = file.size();
            found = new FileWindow(file::read, size).firstPage();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        String problem = FileHead.problem(found, FileKind.RING, log.logId(), log.salt());
        if (problem == null && DrainedMark.read(found, log.salt()) == DrainedMark.NONE) {
            problem = "both marks of what is drained are damaged";
        }
        if (problem != null) {
            add(0, size, problem);
            return null;
        }
        if (DrainedMark.isDamaged(found, log.salt())) {
            add(0, FileHead.BYTES, "a mark of what is drained is damaged; records behind it may be missing");
        }
        final long missing = FileHead.BYTES + capacity(found) - size;
        if (missing != 0) {
            add(size, Math.max(0, missing), "it has " + size + " bytes, and its first page says " + (size + missing));
        }
        return found;
    }

    private void add(long offset, long bytes, String why) {
        damage.add(new FileDamage(LogFolder.BUFFER, new Damage(offset, bytes, why)));
    }

    /** Returns parts that should be present and cannot be read. */
    public List<FileDamage> damage() {
        return List.copyOf(damage);
    }

    /** Returns how the process ended. */
    public RingReader.End end() {
        return end;
    }

    /** Returns whether the kernel may have bytes of the ring that the device has not. */
    public boolean isRingToSync() {
        return ring != null && end == RingReader.End.KILLED && !isRingSynced;
    }

    /** Returns a number above those of all frames found. */
    public long nextFrame() {
        return frames.next();
    }

    /** Returns the number of frames found that count. */
    public long frameCount() {
        return frames.count();
    }

    /**
     * Returns a position a number of laps behind the drained position, as far as ring, frames and manifest show it. If
     * a part of them is lost the drained position is a lower bound; then a lap is taken as long as that of the longest
     * ring.
     *
     * @param laps number of laps
     * @param least a lower bound: the result is that number of laps behind this position, too
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
     * Shows all entries that count, in order: first the entries of the frames, then the entries of the ring.
     *
     * @param isKnown returns whether a zone is in the manifest
     * @param visitor receives the entries; a zone of an entry that is not known is new
     * @param fileEnd is called behind the files of frames, see {@link PrimaryReader#read(EntryVisitor,
     *     PrimaryReader.FileEnd)}
     * @throws IOException if the disk fails
     */
    public void read(Predicate<ZoneId> isKnown, EntryVisitor visitor, PrimaryReader.FileEnd fileEnd)
        throws IOException {
        readAll(new PrimaryReader(disk, folder, log, firstFrame), new Filter(isKnown, visitor), fileEnd);
        readRing(isKnown, visitor);
    }

    /**
     * Shows the entries of the frames.
     *
     * @throws IOException if the disk fails
     */
    public void readFrames(Predicate<ZoneId> isKnown, EntryVisitor visitor) throws IOException {
        readAll(new PrimaryReader(disk, folder, log, firstFrame), new Filter(isKnown, visitor), (_, _) -> { });
    }

    private static void readAll(PrimaryReader reader, EntryVisitor visitor, PrimaryReader.FileEnd fileEnd)
        throws IOException {
        try {
            reader.read(visitor, fileEnd);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /**
     * Shows the entries of the ring. After a power cut the last shown record is before the first record with an unknown
     * zone.
     *
     * @throws IOException if the disk fails
     */
    public void readRing(Predicate<ZoneId> isKnown, EntryVisitor visitor) throws IOException {
        readRing(isKnown, visitor, false);
    }

    private void readRing(Predicate<ZoneId> isKnown, EntryVisitor visitor, boolean isFirst) throws IOException {
        final MemorySegment head = ring;
        if (head != null) {
            try (DiskFile file = disk.openToRead(folder.resolve(LogFolder.BUFFER))) {
                final RingReader reader = new RingReader(new FileWindow(file::read, file.size()), log.salt(),
                    capacity(head));
                final long mark = DrainedMark.read(head, log.salt());
                final long last = reader.read(mark, end, isKnown, visitor);
                if (isFirst) {
                    reader.damage().forEach(it -> damage.add(new FileDamage(LogFolder.BUFFER, it)));
                    checkDrained(reader, mark, last, capacity(head));
                }
            } catch (UncheckedIOException e) {
                throw e.getCause();
            }
        }
    }

    /** Passes on the entries of some zones. */
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
