package io.teff.recovery.log.read;

import io.teff.engine.os.Disk;
import io.teff.engine.os.LockedException;
import io.teff.recovery.format.EntryVisitor;
import io.teff.recovery.format.ManifestRecord;
import io.teff.recovery.format.ManifestState;
import io.teff.recovery.format.RingReader;
import io.teff.recovery.format.SegmentId;
import io.teff.recovery.format.ZoneId;
import io.teff.recovery.log.file.DamagedLogException;
import io.teff.recovery.log.file.FileDamage;
import io.teff.recovery.log.file.FoundManifest;
import io.teff.recovery.log.file.LogFolder;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Reads a log on the disk, closed or not, and changes nothing: shows the entries that an opening of the log would find.
 * Thread-safe.
 *
 * <pre>
 *  segments ────────────┐
 *  frames that count ───┼──> read(zone)
 *  ring ────────────────┘
 * </pre>
 * A reader holds the log's lock, shared with other readers, so the log is not written meanwhile. Nothing is written to
 * the disk, except that a missing lock file is created if permitted.
 *
 * <p>Files are read each time; frames and ring once for each zone with entries there, so that reading needs no memory
 * beyond a record.
 */
public final class LogReader implements Closeable {
    /** How the log was left. */
    public enum Ending {
        /** It was closed: everything is in segments. */
        CLOSED,
        /** The process was killed and the machine kept running, or the ring was synced: the whole ring counts. */
        KILLED,
        /** The machine was restarted since, or that is unknown: the ring counts up to its first hole. */
        POWER_CUT
    }

    /**
     * The entries that count beside the segments.
     *
     * @param firstFrame number of the first frame that counts
     * @param frameCount number of frames found
     * @param frameEntryCount entries in them
     * @param ringRecordCount records of the ring that count
     * @param ringEntryCount entries in them
     */
    public record Rest(long firstFrame, long frameCount, long frameEntryCount, long ringRecordCount,
                       long ringEntryCount) {}

    private final Disk disk;
    private final Path folder;
    private final Closeable lock;
    private final FoundManifest manifest;
    private final Set<ZoneId> named = new HashSet<>();
    /** All zones, and whether frames or ring have entries of them. */
    private final NavigableMap<ZoneId, Boolean> zones = new TreeMap<>();
    private final Queue<ZoneReader> readers = new ConcurrentLinkedQueue<>();
    private final List<FileDamage> damage = new ArrayList<>();
    private @Nullable CrashedLog crashed;
    private Ending ending = Ending.CLOSED;
    private Rest rest = new Rest(0, 0, 0, 0, 0);

    private LogReader(Disk disk, Path folder, Closeable lock) throws IOException {
        this.disk = disk;
        this.folder = folder;
        this.lock = lock;
        this.manifest = LogFolder.manifest(disk, folder);
        damage.addAll(manifest.damage());
        final ManifestLoss loss = new ManifestLoss(disk, folder, manifest);
        damage.addAll(loss.damage());
        if (!loss.damage().isEmpty() && state().openedBoot() == null) {
            state().apply(new ManifestRecord.Opened(ManifestRecord.Opened.NO_BOOT));
        }
        loss.records().forEach(state()::apply);
        manifest.state().zones().forEach(named::add);
        named.forEach(zone -> zones.put(zone, false));
        if (CrashedLog.isLeft(manifest.state(), manifest.damage())) {
            readRest();
        }
    }

    /**
     * Opens a log.
     *
     * @param disk that has the folder
     * @param folder of the log
     * @param holder names the reader, for others in this process
     * @return the reader
     * @throws NoSuchFileException if there is no log
     * @throws LockedException if another owner has the log open; the message names the owner
     * @throws DamagedLogException if no manifest can be read
     * @throws IOException if the disk fails
     */
    public static LogReader open(Disk disk, Path folder, String holder) throws IOException {
        return open(disk, folder, holder, LogFolder::lockShared);
    }

    /**
     * Opens a log exclusively, because the caller is going to change its files.
     *
     * @param disk that has the folder
     * @param folder of the log
     * @param holder names the caller, for others to read
     * @return the reader
     * @throws IOException as {@link #open}, and if the log is being read
     */
    public static LogReader openAlone(Disk disk, Path folder, String holder) throws IOException {
        return open(disk, folder, holder, LogFolder::lock);
    }

    /** Takes the log's lock. */
    @FunctionalInterface
    private interface Locking {
        Closeable lock(Disk disk, Path folder, String holder) throws IOException;
    }

    private static LogReader open(Disk disk, Path folder, String holder, Locking locking) throws IOException {
        if (!LogFolder.hasLog(disk, folder)) {
            throw new NoSuchFileException(folder.toString(), null, "there is no log");
        }
        final Closeable lock = locking.lock(disk, folder, holder);
        boolean isOpen = false;
        try {
            final LogReader reader = new LogReader(disk, folder, lock);
            isOpen = true;
            return reader;
        } finally {
            if (!isOpen) {                                      // errors such as a lack of memory, too
                lock.close();
            }
        }
    }

    private void readRest() throws IOException {
        final CrashedLog left = new CrashedLog(disk, folder, manifest.state());
        ending = left.end() == RingReader.End.KILLED ? Ending.KILLED : Ending.POWER_CUT;
        damage.addAll(left.damage());
        final Count frames = new Count();
        left.readFrames(this::isInManifest, frames);
        final Count ring = new Count();
        left.readRing(this::isInManifest, ring);
        rest = new Rest(state().firstFrame(), left.frameCount(), frames.entryCount, ring.recordCount, ring.entryCount);
        crashed = left;
    }

    private boolean isInManifest(ZoneId zone) {
        return named.contains(zone);
    }

    /** Counts entries, and notes their zones. */
    private final class Count implements EntryVisitor {
        private long recordCount;
        private long entryCount;

        @Override
        public void record(long position, boolean group) {
            recordCount++;
        }

        @Override
        public void entry(long cid, long sequence, int owner, int zone, int kind, MemorySegment bytes, long offset,
                          int length) {
            entryCount++;
            zones.put(new ZoneId(owner, zone), true);
        }
    }

    // ---- contents ----

    /** {@return identity of the log} */
    public ManifestRecord.Log log() {
        return manifest.state().log();
    }

    /** {@return how it was left} */
    public Ending ending() {
        return ending;
    }

    /** {@return the entries that count beside the segments} */
    public Rest rest() {
        return rest;
    }

    /** {@return the manifest that counts} */
    public FoundManifest manifest() {
        return manifest;
    }

    /** {@return state of the manifest; must not be changed} */
    public ManifestState state() {
        return manifest.state();
    }

    /** {@return all zones, including those created after the last frame} */
    public List<ZoneId> zones() {
        return List.copyOf(zones.keySet());
    }

    /**
     * Returns the bytes to read of a zone.
     *
     * @param zone name of the zone
     * @return bytes of the files of its segments
     * @throws IOException if the disk fails
     */
    public long bytes(ZoneId zone) throws IOException {
        return LogFolder.bytes(disk, folder, state(), zone);
    }

    /**
     * Returns the bytes to read of all zones.
     *
     * @return bytes of all segments
     * @throws IOException if the disk fails
     */
    public long bytes() throws IOException {
        long bytes = 0;
        for (ZoneId zone : state().zones()) {
            bytes += LogFolder.bytes(disk, folder, state(), zone);
        }
        return bytes;
    }

    /** {@return parts, other than segments, that should be present and cannot be read} */
    public List<FileDamage> damage() {
        return List.copyOf(damage);
    }

    // ---- reading ----

    /**
     * Shows all entries of a zone: the entries of its segments, the newest segment first, then the entries of frames
     * and ring.
     *
     * @param zone name of the zone; nothing is shown of an unknown one
     * @param visitor receives all entries
     * @return parts of segments that should be present and cannot be read
     * @throws IOException if the disk fails
     */
    public List<FileDamage> read(ZoneId zone, EntryVisitor visitor) throws IOException {
        final List<FileDamage> found = new ArrayList<>();
        for (long number : state().segments(zone).descendingKeySet()) {
            found.addAll(readSegment(zone.segment(number), visitor).damage());
        }
        readRest(zone, visitor);
        return found;
    }

    /**
     * Shows the entries of a segment.
     *
     * @param id of the segment
     * @param visitor receives all entries
     * @return the result of the reading
     * @throws IOException if the disk fails
     */
    public SegmentResult readSegment(SegmentId id, EntryVisitor visitor) throws IOException {
        final ZoneReader free = readers.poll();
        final ZoneReader reader = free != null ? free : new ZoneReader(disk, folder, log());
        final boolean isSealed = Boolean.TRUE.equals(state().segments(id.zoneId()).get(id.number()));
        final SegmentResult result = reader.read(id, isSealed, visitor);
        readers.add(reader);
        return result;
    }

    /**
     * Shows the entries of a zone in frames and ring.
     *
     * @param zone name of the zone; nothing is shown of an unknown one
     * @param visitor receives all entries
     * @throws IOException if the disk fails
     */
    public void readRest(ZoneId zone, EntryVisitor visitor) throws IOException {
        final CrashedLog left = crashed;
        if (left != null && Boolean.TRUE.equals(zones.get(zone))) {
            final EntryVisitor ofZone = (cid, sequence, owner, number, kind, bytes, offset, length) -> {
                if (owner == zone.owner() && number == zone.zone()) {
                    visitor.entry(cid, sequence, owner, number, kind, bytes, offset, length);
                }
            };
            left.readFrames(this::isInManifest, ofZone);
            left.readRing(this::isInManifest, ofZone);
        }
    }

    /**
     * Releases the log's lock.
     *
     * @throws LockedException if no lock could be taken for lack of permission to write, and the log was opened
     *     meanwhile: the entries shown may be wrong
     * @throws IOException if the disk fails
     */
    @Override
    public void close() throws IOException {
        lock.close();
    }
}
