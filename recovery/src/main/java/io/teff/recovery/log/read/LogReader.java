package io.teff.recovery.log.read;

import io.teff.engine.os.Disk;
import io.teff.engine.os.LockedException;
import io.teff.recovery.format.EntryCopies;
import io.teff.recovery.format.EntryVisitor;
import io.teff.recovery.format.ManifestRecord;
import io.teff.recovery.format.ManifestState;
import io.teff.recovery.format.RingReader;
import io.teff.recovery.format.SegmentId;
import io.teff.recovery.format.ZoneId;
import io.teff.recovery.log.RecoveryLog;
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
import java.util.List;
import java.util.NavigableMap;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A log that is read as it lies there, closed or not, and not changed: it shows what {@link RecoveryLog} would have
 * after it was opened. For many threads.
 *
 * <pre>
 *  segments ────────────────────────────────┐
 *  frames that count ──┐                    ├──> read(zone)
 *  ring ───────────────┴──> copies by zone ─┘
 * </pre>
 * It holds the log's lock, together with others who read, so nobody writes meanwhile. Nothing is written on the disk;
 * but if there is no file for the lock, one is made, where that is allowed.
 *
 * <p>What a process has left in frames and ring is copied to memory once, by zone: at most what all files of the
 * primary log and the ring hold. Segments are read each time.
 */
public final class LogReader implements Closeable {
    /** How the log was left. */
    public enum Ending {
        /** It was closed: everything is in segments. */
        CLOSED,
        /** The process was killed and the machine went on, or the ring was synced: all of the ring counts. */
        KILLED,
        /** The machine was started since, or nobody knows: the ring counts up to its first hole. */
        POWER_CUT
    }

    /**
     * What counts beside the segments.
     *
     * @param firstFrame number of the first frame that counts
     * @param frameCount frames that are there
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
    private final NavigableMap<ZoneId, EntryCopies> zones = new TreeMap<>();
    private final Queue<ZoneReader> readers = new ConcurrentLinkedQueue<>();
    private final List<FileDamage> damage = new ArrayList<>();
    private Ending ending = Ending.CLOSED;
    private Rest rest = new Rest(0, 0, 0, 0, 0);

    private LogReader(Disk disk, Path folder, Closeable lock) throws IOException {
        this.disk = disk;
        this.folder = folder;
        this.lock = lock;
        this.manifest = LogFolder.manifest(disk, folder);
        damage.addAll(manifest.damage());
        manifest.state().zones().forEach(zone -> zones.put(zone, new EntryCopies(zone)));
        if (CrashedLog.isLeft(manifest.state(), manifest.damage())) {
            readRest();
        }
    }

    /**
     * Opens a log.
     *
     * @param disk where
     * @param folder of the log
     * @param holder who reads it, for others in this process to know
     * @return the reader
     * @throws NoSuchFileException if there is none
     * @throws LockedException if somebody has it open; the message says who
     * @throws DamagedLogException if no manifest can be read, so that nobody can tell what counts
     * @throws IOException if the disk fails
     */
    public static LogReader open(Disk disk, Path folder, String holder) throws IOException {
        return open(disk, folder, holder, LogFolder::lockShared);
    }

    /**
     * Opens a log that nobody else may read meanwhile, because the caller is going to change files of it.
     *
     * @param disk where
     * @param folder of the log
     * @param holder who does so, for others to know
     * @return the reader
     * @throws IOException as {@link #open}, and if somebody reads it
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
            if (!isOpen) {                                      // memory may be short, too
                lock.close();
            }
        }
    }

    private void readRest() throws IOException {
        final CrashedLog left = new CrashedLog(disk, folder, manifest.state());
        ending = left.end() == RingReader.End.KILLED ? Ending.KILLED : Ending.POWER_CUT;
        damage.addAll(left.damage());
        final Copier frames = new Copier();
        left.readFrames(zones::containsKey, frames);
        final Copier ring = new Copier();
        left.readRing(zones::containsKey, ring);
        rest = new Rest(state().firstFrame(), left.frameCount(), frames.entryCount, ring.recordCount, ring.entryCount);
    }

    /** Copies entries to their zones. */
    private final class Copier implements EntryVisitor {
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
            zones.computeIfAbsent(new ZoneId(owner, zone), EntryCopies::new)
                .entry(cid, sequence, owner, zone, kind, bytes, offset, length);
        }
    }

    // ---- what there is ----

    /** {@return which log this is} */
    public ManifestRecord.Log log() {
        return manifest.state().log();
    }

    /** {@return how it was left} */
    public Ending ending() {
        return ending;
    }

    /** {@return what counts beside the segments} */
    public Rest rest() {
        return rest;
    }

    /** {@return name of the file of the manifest that counts} */
    public String manifestName() {
        return manifest.fileName();
    }

    /** {@return where that file's last whole record ends} */
    public long manifestEnd() {
        return manifest.bytes();
    }

    /** {@return size of that file} */
    public long manifestBytes() {
        return manifest.fileBytes();
    }

    /** {@return what the manifest says; not to be changed} */
    public ManifestState state() {
        return manifest.state();
    }

    /** {@return all zones, also those that were made since the last frame} */
    public List<ZoneId> zones() {
        return List.copyOf(zones.keySet());
    }

    /**
     * How much there is to read of a zone.
     *
     * @param zone its name
     * @return bytes of the files of its segments
     * @throws IOException if the disk fails
     */
    public long bytes(ZoneId zone) throws IOException {
        return LogFolder.bytes(disk, folder, state(), zone);
    }

    /**
     * How much there is to read.
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

    /** {@return what should be there and cannot be read, but for segments} */
    public List<FileDamage> damage() {
        return List.copyOf(damage);
    }

    // ---- reading ----

    /**
     * Shows everything that is kept of a zone: its segments, the newest one first, then what frames and the ring have.
     *
     * @param zone its name; nothing is shown of an unknown one
     * @param visitor is shown all entries
     * @return what should be there in segments and cannot be read
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
     * Shows what a segment has.
     *
     * @param id of the segment
     * @param visitor is shown all entries
     * @return what was found
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
     * Shows what frames and the ring have of a zone.
     *
     * @param zone its name; nothing is shown of an unknown one
     * @param visitor is shown all entries
     */
    public void readRest(ZoneId zone, EntryVisitor visitor) {
        final EntryCopies copies = zones.get(zone);
        if (copies != null) {
            copies.show(visitor);
        }
    }

    /**
     * Gives the log's lock back.
     *
     * @throws LockedException if the lock could not be taken, as this user must not write there, and somebody has
     *     opened the log meanwhile: what was read may be wrong then
     * @throws IOException if the disk fails
     */
    @Override
    public void close() throws IOException {
        lock.close();
    }
}
