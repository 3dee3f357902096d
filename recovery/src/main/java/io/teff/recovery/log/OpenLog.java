package io.teff.recovery.log;

import io.teff.engine.os.Chance;
import io.teff.engine.os.Disk;
import io.teff.engine.os.DiskFullException;
import io.teff.engine.os.DiskLock;
import io.teff.engine.os.FailureText;
import io.teff.engine.os.Platform;
import io.teff.engine.os.Units;
import io.teff.recovery.event.LogFailureEvent;
import io.teff.recovery.event.LogLeftoverEvent;
import io.teff.recovery.format.FileHead;
import io.teff.recovery.format.ManifestRecord;
import io.teff.recovery.format.ManifestState;
import io.teff.recovery.format.SegmentId;
import io.teff.recovery.format.ZoneId;
import io.teff.recovery.log.clean.Cleaner;
import io.teff.recovery.log.copy.FolderCopy;
import io.teff.recovery.log.file.BlockPool;
import io.teff.recovery.log.file.DamagedLogException;
import io.teff.recovery.log.file.FileDamage;
import io.teff.recovery.log.file.FoundManifest;
import io.teff.recovery.log.file.Leftovers;
import io.teff.recovery.log.file.LogConfig;
import io.teff.recovery.log.file.LogFailure;
import io.teff.recovery.log.file.LogFiles;
import io.teff.recovery.log.file.LogFolder;
import io.teff.recovery.log.file.ManifestFile;
import io.teff.recovery.log.file.DiskReserve;
import io.teff.recovery.log.read.ManifestLoss;
import io.teff.recovery.log.read.ZoneReader;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * An open log without its threads: the objects of the log, and their order of opening.
 *
 * <pre>
 *  lock ──> manifest ──> leftovers deleted ──> recovery, unless closed ──> ring and primary log ──> manifest: opened
 * </pre>
 * A log is always closed when it is opened: {@link CrashRecovery} first closes a log that was not closed. So all
 * entries are in segments when the ring and the primary log are opened, and the old contents of both are ignored.
 */
final class OpenLog implements Closeable {
    /** Why the JVM could not access mapped memory. */
    private static final String MEMORY = "the file of the write buffer was cut, or has no room on the device";

    private final Disk disk;
    private final Path folder;
    private final LogFailure failure = new LogFailure();
    private final ZonePressure pressure = new ZonePressure();
    private final List<Closeable> open = new ArrayList<>();
    private final List<FileDamage> damage = new ArrayList<>();
    /** Records of segments that the manifest has lost. */
    private final List<ManifestRecord> lost = new ArrayList<>();
    /** Why the sizes do not suit the disk, or null. */
    private @Nullable DiskFullException smallDisk;
    /** Sizes that suit the disk; null until they are known. */
    private @Nullable LogConfig sizes;
    private @Nullable ManifestFile manifest;
    private @Nullable WriteBuffer buffer;
    private @Nullable ZoneLogs zones;
    private @Nullable Drainer drainer;
    private @Nullable Cleaner cleaner;

    private OpenLog(Disk disk, Path folder) {
        this.disk = disk;
        this.folder = folder;
    }

    /**
     * Opens a log, or creates a log in a folder without a log.
     *
     * @param options folder, sizes and seams
     * @param wake see {@link WriteBuffer#open}
     * @return the open log
     * @throws DamagedLogException if the log is damaged and the damage is not accepted, or if the log has no manifest
     * @throws IOException if the disk fails, or another owner has the log
     */
    static OpenLog open(LogOptions options, Runnable wake) throws IOException {
        final OpenLog parts = new OpenLog(options.platform().disk(), options.folder());
        boolean isOpen = false;
        try {
            parts.openAll(options, wake);
            isOpen = true;
            return parts;
        } catch (DiskFullException e) {
            throw parts.noRoomToOpen(e);
        } finally {
            if (!isOpen) {                                      // errors such as a lack of memory, too
                parts.close();
            }
        }
    }

    private void openAll(LogOptions options, Runnable wake) throws IOException {
        disk.createFolders(folder.resolve(LogFolder.SEGMENTS));
        final DiskLock lock = LogFolder.lock(disk, folder, options.holder());
        open.add(lock);
        failure.guardBy(lock);
        final Path around = folder.toAbsolutePath().getParent();
        disk.forceFolder(around == null ? folder : around);
        disk.forceFolder(folder);
        final DiskReserve room = new DiskReserve(disk, folder);
        failure.useReserve(room);
        final FoundManifest found = FoundManifest.find(disk, folder);
        if (found == null) {
            LogFolder.refuseOthers(disk, folder);
        } else {
            final boolean hasCopies = found.state().log().hasCopies();
            if (hasCopies != options.use().hasCopies()) {
                throw new IOException("it is the log of a " + (hasCopies ? "backup" : "store"));
            }
            look(found, options.acceptsDamage());
        }
        final LogConfig wanted = fitting(options, found == null ? 0 : found.state().log().segmentBytes());
        final ManifestFile used = found != null
            ? ManifestFile.open(disk, folder, failure, wanted.manifestBytes(), found)
            : ManifestFile.create(disk, folder, newLog(options, wanted.segmentBytes()), failure,
                wanted.manifestBytes());
        manifest = used;
        open.add(used);
        sizes = wanted.withSegmentBytes(used.state().log().segmentBytes());
        open(used, sizes, room, options.platform(), options.acceptsDamage(), wake);
    }

    /** Adds the room that the opening takes to a failure. A log that is too small for its disk has a text already. */
    private DiskFullException noRoomToOpen(DiskFullException failed) throws IOException {
        final LogConfig wanted = sizes;
        if (wanted == null || manifest == null) {
            return failed;
        }
        final boolean isClosed = manifest().state().openedBoot() == null;
        return new DiskFullException("the opening takes " + (isClosed ? "" : "up to ")
            + Units.bytes(wanted.bytesToOpen(isClosed)) + " beside the files of the log, and the disk has "
            + Units.bytes(disk.usableBytes(folder)) + " free: " + FailureText.of(failed), failed);
    }

    /**
     * Returns a failure for changes that cannot be moved to segments, with the room that the changes take.
     *
     * @param what cannot be done
     */
    DiskFullException noRoom(String what) throws IOException {
        final long bytes = Math.max(buffer().tail() - buffer().drained(), 1);
        return new DiskFullException(what + ": the latest changes take some "
            + Units.bytes(Objects.requireNonNull(sizes).inSegments(bytes)) + ", and the disk has "
            + Units.bytes(disk.usableBytes(folder)) + " free", null);
    }

    /**
     * Returns the largest sizes that leave half of the log's room to the log's content.
     *
     * @throws DiskFullException if there is too little room for a new log to accept changes
     */
    private LogConfig fitting(LogOptions options, int segmentBytes) throws IOException {
        final List<LogConfig> all = new ArrayList<>(List.of(options.config()));
        all.addAll(options.smaller());
        if (segmentBytes > 0) {
            all.replaceAll(it -> it.withSegmentBytes(segmentBytes));
        }
        if (all.size() == 1 && !options.config().hasReserve()) {
            return options.config();
        }
        final long room = LogFolder.room(disk, folder, 2 * options.config().besideSegmentsBytes());
        final LogConfig fit = all.stream().filter(it -> 2 * it.besideSegmentsBytes() <= room).findFirst()
            .orElse(all.getLast());
        if (fit.hasReserve() && room < fit.roomBytesMin()) {
            final DiskFullException tooSmall = new DiskFullException(tooSmall(fit, room), null);
            if (segmentBytes == 0) {
                throw tooSmall;
            }
            smallDisk = tooSmall;
        }
        return fit;
    }

    private static String tooSmall(LogConfig sizes, long room) {
        return "the log can have " + Units.bytes(room) + " of its disk, and needs " + Units.bytes(sizes.roomBytesMin())
            + " to accept changes, with a write buffer of " + Units.bytes(sizes.bufferBytes()) + " and segments of "
            + Units.bytes(sizes.segmentBytes()) + ": make room, set writeBufferBytes and segmentBytes to less, to 8 and"
            + " 2 MiB at least, or keep no reserve for a full disk";
    }

    /** Looks for damage of the manifest. If there is any that is not accepted, nothing has changed. */
    private void look(FoundManifest found, boolean accepts) throws IOException {
        damage.addAll(found.damage());
        final ManifestLoss loss = new ManifestLoss(disk, folder, found);
        damage.addAll(loss.damage());
        lost.addAll(loss.records());
        if (!damage.isEmpty() && !accepts) {
            throw new DamagedLogException(damage);
        }
    }

    private static ManifestRecord.Log newLog(LogOptions options, int segmentBytes) {
        final Chance chance = options.platform().chance();
        return new ManifestRecord.Log(chance.nextLong(), chance.nextLong(), segmentBytes, options.nid(),
            options.use().hasCopies() ? FileHead.VERSION_OF_COPIES : FileHead.VERSION_OF_BYTES);
    }

    private void open(ManifestFile used, LogConfig config, DiskReserve room, Platform platform, boolean accepts,
                      Runnable wake) throws IOException {
        final ManifestState state = used.state();
        room.open(config.segmentBytes(), config.reservePieces(count(state)));
        final AtomicLong numbers = new AtomicLong();
        final LogFiles shared = new LogFiles(disk, folder, state.log(), used, failure,
            new BlockPool(config), numbers::getAndIncrement);
        if (!damage.isEmpty() && state.openedBoot() == null) {
            used.append(new ManifestRecord.Opened(ManifestRecord.Opened.NO_BOOT));  // open, according to the damage
        }
        for (ManifestRecord record : lost) {
            used.append(record);
        }
        numbers.set(deleteLeftovers(state, shared.leftovers()));
        if (state.openedBoot() != null) {
            damage.addAll(new CrashRecovery(shared, config, room).run(accepts, !damage.isEmpty()));
            deleteRing();
        }
        final ZoneLogs made = new ZoneLogs(shared, config, pressure);
        open.add(made);
        final long start = (state.lastNumber() / config.bufferBytes() + ManifestLoss.LAPS) * config.bufferBytes();
        failure.step(() -> buffer = WriteBuffer.open(platform, folder, state.log(), config.bufferBytes(), start, wake));
        final WriteBuffer ring = buffer();
        final PrimaryLog primary = PrimaryLog.open(disk, folder, state.log(), config.primaryFileBytes(),
            config.frameBytes(), state.firstFrame(), failure);
        open.add(primary);
        final UUID boot = disk.boot();
        appendOpened(used, new ManifestRecord.Opened(boot == null ? ManifestRecord.Opened.NO_BOOT : boot));
        zones = made;
        drainer = new Drainer(ring, primary, made, shared, room, config);
        drainer.restoreReserve();
        if (smallDisk != null && !room.isWhole()) {
            drainer.tell(smallDisk);
        }
        cleaner = new Cleaner(shared, config, room);
    }

    /** A manifest of an earlier version is written anew, before the log has an entry that this version lacks. */
    private static void appendOpened(ManifestFile to, ManifestRecord.Opened record) throws IOException {
        final ManifestRecord.Log log = to.state().log();
        if (log.equals(log.now())) {
            to.append(record);
        } else {
            to.appendAll(List.of(record));
        }
    }

    private static long count(ManifestState state) {
        long count = 0;
        for (ZoneId _ : state.zones()) {
            count++;
        }
        return count;
    }

    /**
     * Deletes the ring. All entries of the ring are in segments. A process that has lost its lock unnoticed still
     * stores to its ring: the new ring must be another file.
     */
    private void deleteRing() throws IOException {
        if (disk.list(folder).contains(LogFolder.BUFFER)) {
            failure.check();
            try {
                disk.delete(folder.resolve(LogFolder.BUFFER));
            } catch (IOException e) {
                LogLeftoverEvent.emit(folder.resolve(LogFolder.BUFFER), e);     // it is used again, as after a close
            }
        }
    }

    /**
     * Deletes segments that the manifest does not name. Returns a number above all numbers in the manifest and the
     * folder.
     */
    private long deleteLeftovers(ManifestState state, Leftovers leftovers) throws IOException {
        final Set<String> known = new HashSet<>();
        state.zones().forEach(zone -> state.segments(zone).keySet()
            .forEach(number -> known.add(zone.segment(number).fileName())));
        long next = state.nextSegment();
        final Path segments = folder.resolve(LogFolder.SEGMENTS);
        for (String name : disk.list(segments)) {
            final SegmentId id = SegmentId.ofFileName(name);
            if (id != null && !known.contains(name)) {
                next = Math.max(next, id.number() + 1);
                if (damage.isEmpty()) {
                    leftovers.delete(List.of(segments.resolve(name)));
                }
            }
        }
        return next;
    }

    // ---- reading ----

    /** {@return parts that should have been present when the log was opened and could not be read} */
    List<FileDamage> damage() {
        return List.copyOf(damage);
    }

    /** {@return all zones; to be called before the first drain, or on the drainer's thread} */
    List<ZoneId> zones() {
        final List<ZoneId> names = new ArrayList<>();
        manifest().state().zones().forEach(names::add);
        return names;
    }

    /** {@return the highest copy that was dropped, by creator; to be called before the first drain} */
    Map<Integer, Integer> droppedCopies() {
        return Map.copyOf(manifest().state().droppedCopies());
    }

    /** {@return identity of the log} */
    ManifestRecord.Log log() {
        return manifest().state().log();
    }

    /** {@return a new reader of segments, for one thread} */
    ZoneReader reader() {
        return new ZoneReader(disk, folder, log());
    }

    /** {@return bytes of the files of a zone; missing files count nothing} */
    long bytes(ZoneId zone) throws IOException {
        return LogFolder.bytes(disk, folder, manifest().state(), zone);
    }

    /**
     * Closes the log for changes after an unexpected error in a step of its thread. Returns the failure: an error of
     * the JVM in access to mapped memory gets a reason.
     */
    Throwable fail(Throwable thrown) {
        final Throwable cause = thrown instanceof InternalError ? new IOException(MEMORY, thrown) : thrown;
        failure.fail(cause);
        pressure.end();
        buffer().stop(cause);
        LogFailureEvent.emit(false, cause);
        return cause;
    }

    /**
     * Ends the log if a step outside of a drain has failed, for instance the step of a reader that moves changes to
     * segments: the next drain may be far away.
     */
    void failIfBroken() {
        final Throwable cause = failure.cause();
        if (cause != null && buffer().failure() == null) {
            fail(cause);
        }
    }

    /**
     * A moment with everything in sealed segments. No such segment is deleted until the release.
     *
     * @param state state of the log after a close at this moment, for a manifest of its own
     * @param held the segments by zone
     */
    record Moment(ManifestState state, Map<ZoneId, ZoneLogs.Hold> held) {}

    /**
     * Moves all drained entries into sealed segments, and holds these segments.
     *
     * @return the state of the log as if it were closed now
     * @throws IOException as {@link LogFailure#step}
     */
    Moment hold() throws IOException {
        drainer().checkpoint();
        final ManifestState copy = new ManifestState();
        manifest().state().records().forEach(copy::apply);
        copy.apply(new ManifestRecord.Closed(buffer().drained(), buffer().drained()));
        final Map<ZoneId, ZoneLogs.Hold> held = new HashMap<>();
        boolean isDone = false;
        final Moment moment = new Moment(copy, held);
        try {
            for (ZoneId zone : zones()) {
                held.put(zone, secondary().hold(zone));
            }
            isDone = true;
            return moment;
        } finally {
            if (!isDone) {
                release(moment);
            }
        }
    }

    /** Releases the segments of a moment. */
    void release(Moment moment) {
        moment.held().forEach((zone, held) -> secondary().release(zone, held, null, List.of()));
    }

    /** Begins a copy of the log, see {@link FolderCopy#begin}. */
    FolderCopy copyTo(Path target, String holder) throws IOException {
        return FolderCopy.begin(disk, folder, target, holder);
    }

    // ---- components ----

    private ManifestFile manifest() {
        return opened(manifest);
    }

    /** Returns the buffer that changes are written to. */
    WriteBuffer buffer() {
        return opened(buffer);
    }

    /** Returns the drainer of the buffer. */
    Drainer drainer() {
        return opened(drainer);
    }

    /** Returns statistics; on the drainer's thread. */
    LogStats stats() {
        final ManifestState state = manifest().state();
        long zoneCount = 0;
        long segmentCount = 0;
        for (ZoneId zone : state.zones()) {
            zoneCount++;
            segmentCount += state.segments(zone).size();
        }
        final WriteBuffer ring = buffer();
        final ZoneLogs secondary = secondary();
        return new LogStats(ring.tail() - ring.start(), ring.capacity(),
            drainer().frameCount(), drainer().frameBytes(), zoneCount, segmentCount, secondary.totalBytes(),
            secondary.liveBytes(), secondary.cleanings(), secondary.freedBytes(), secondary.copiedBytes(),
            secondary.blockBytes());
    }

    /** Returns the secondary logs. */
    ZoneLogs secondary() {
        return opened(zones);
    }

    /** Returns the cleaner of the secondary logs. */
    Cleaner cleaner() {
        return opened(cleaner);
    }

    /** Returns the object that delays writers of zones with few live bytes. */
    ZonePressure pressure() {
        return pressure;
    }

    /** Returns a component, which is present once the log is open. */
    static <T> T opened(@Nullable T part) {
        if (part == null) {
            throw new IllegalStateException("the log was not opened");
        }
        return part;
    }

    /** Closes all files, also after a failure; the lock last. */
    @Override
    public void close() throws IOException {
        if (!open.isEmpty()) {
            try {
                open.removeLast().close();
            } finally {
                close();
            }
        }
    }
}
