package io.teff.recovery.log;

import io.teff.engine.os.DiskFile;
import io.teff.engine.os.DiskFullException;
import io.teff.recovery.format.ManifestRecord;
import io.teff.recovery.format.ManifestState;
import io.teff.recovery.format.SegmentWriter;
import io.teff.recovery.format.ZoneId;
import io.teff.recovery.log.clean.CleanJob;
import io.teff.recovery.log.clean.LiveEstimate;
import io.teff.recovery.log.clean.ZoneVisitor;
import io.teff.recovery.log.file.LogConfig;
import io.teff.recovery.log.file.LogFailure;
import io.teff.recovery.log.file.LogFiles;
import io.teff.recovery.log.file.LogFolder;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Writes the secondary logs of all zones. For one thread, the drainer.
 *
 * <p><b>Bounds.</b> The memory of buffers, and the number of zones that hold an unsynced file, are limited: if a
 * further zone needs a buffer or a file, the zone with the oldest buffer or file writes or syncs it, and gives it up. A
 * full disk makes this impossible, and ends the drain: then the ring fills, and changes that would need more memory are
 * refused.
 *
 * <p><b>The list of zones</b> is in the manifest. The name of a dropped zone is not used again, so entries of a dropped
 * zone are recognized after a crash.
 */
final class ZoneLogs implements Closeable {
    /** There is no exact count. */
    static final long UNKNOWN = -1;

    private final LogFiles shared;
    private final int openZones;
    private final LogConfig config;
    private final ZonePressure pressure;
    private final Map<ZoneId, ZoneLog> zones = new HashMap<>();
    private final Set<ZoneLog> buffered = new LinkedHashSet<>();
    /** The zone with the buffer that is longer than a block. */
    private @Nullable ZoneLog longHolder;
    private final Set<ZoneLog> dirty = new LinkedHashSet<>();
    /** Zones with few live bytes. */
    private final Set<ZoneLog> sparse = new HashSet<>();
    /**
     * Number of readers per zone, and the replaced segments per zone. Replaced segments are deleted after the last
     * reader.
     */
    private final Map<ZoneId, Integer> holds = new HashMap<>();
    private final Map<ZoneId, List<Long>> outdated = new HashMap<>();
    /** Segments with an unreadable part, and segments that are given up. */
    private final Map<ZoneId, Set<Long>> damaged = new HashMap<>();
    private final Map<ZoneId, Set<Long>> givenUp = new HashMap<>();
    /** Zones with segments that are given up and not yet cleaned, and a future for the time without such zones. */
    private final Set<ZoneId> givingUp = new HashSet<>();
    private volatile CompletableFuture<Boolean> allGivenUp = CompletableFuture.completedFuture(true);
    private long cleanings;
    private long freedBytes;
    private long copiedBytes;

    /**
     * Opens the zones that the manifest names.
     *
     * @param shared files of the log
     * @param config limits of buffers and files, and the share of live bytes
     * @param pressure delays writers to zones with very few live bytes
     */
    ZoneLogs(LogFiles shared, LogConfig config, ZonePressure pressure) {
        this.shared = shared;
        this.openZones = config.openZones();
        this.config = config;
        this.pressure = pressure;
        shared.manifest().state().zones().forEach(zone -> zones.put(zone, new ZoneLog(zone, shared, false)));
    }

    /** Returns whether a zone exists. */
    boolean has(ZoneId zone) {
        return zones.containsKey(zone);
    }

    /** Returns the number of zones. */
    int count() {
        return zones.size();
    }

    /** Creates a zone; must be done before a frame has an entry of it. */
    void make(ZoneId zone) throws IOException {
        shared.manifest().append(new ManifestRecord.ZoneMade(zone));
        zones.put(zone, new ZoneLog(zone, shared, true));
    }

    /**
     * Drops a zone and deletes its files. All entries of the zone must be drained, and no entry may follow.
     *
     * @param zone name of the zone, not to be used again
     * @throws IOException as {@link LogFailure#step}
     */
    void drop(ZoneId zone) throws IOException {
        final List<Long> segments = new ArrayList<>(shared.manifest().state().segments(zone).keySet());
        shared.manifest().append(new ManifestRecord.ZoneDropped(zone));
        forget(zone, segments);
    }

    /**
     * Drops a copy and all earlier copies of its creator, and deletes their files. All entries of these copies must be
     * drained, and no entry may follow.
     *
     * @param owner creator of the copies
     * @param copy number of the last copy
     * @throws IOException as {@link LogFailure#step}; then all these copies exist, or no such copy does
     */
    void dropCopies(int owner, int copy) throws IOException {
        final ManifestState state = shared.manifest().state();
        final Map<ZoneId, List<Long>> gone = new TreeMap<>();
        for (ZoneId zone : state.zonesUpTo(owner, copy)) {
            gone.put(zone, new ArrayList<>(state.segments(zone).keySet()));
        }
        if (!gone.isEmpty() || state.droppedCopies().getOrDefault(owner, -1) < copy) {
            shared.manifest().append(new ManifestRecord.CopyDropped(owner, copy));
        }
        for (Map.Entry<ZoneId, List<Long>> zone : gone.entrySet()) {
            forget(zone.getKey(), zone.getValue());
        }
    }

    /** Gives up everything of a zone that the manifest does not name any more. */
    private void forget(ZoneId zone, List<Long> segments) throws IOException {
        final ZoneLog log = log(zone);
        buffered.remove(log);
        dirty.remove(log);
        sparse.remove(log);
        pressure.set(zone, false);
        damaged.remove(zone);
        givenUp.remove(zone);
        triedToGiveUp(zone);
        longHolder = longHolder == log ? null : longHolder;
        log.abandon();
        zones.remove(zone);
        deleteOrKeep(zone, segments);
    }

    private void delete(ZoneId zone, List<Long> segments) {
        shared.leftovers().delete(segments.stream().map(it -> LogFolder.segment(shared.folder(), zone.segment(it)))
            .toList());
    }

    private ZoneLog log(ZoneId zone) {
        final ZoneLog log = zones.get(zone);
        if (log == null) {
            throw new IllegalArgumentException("there is no zone " + zone);
        }
        return log;
    }

    /** Adds an entry to a zone, see {@link ZoneLog#add}. */
    void add(ZoneId zone, long cid, long sequence, int kind, MemorySegment source, long from, int length, long frame)
        throws IOException {
        final ZoneLog log = log(zone);
        makeRoom(log, SegmentWriter.bufferBytes(length));
        if (!log.isDirty() && dirty.size() >= openZones) {
            sync(dirty.iterator().next());
        }
        try {
            log.add(cid, sequence, kind, source, from, length, frame);
        } finally {
            note(log);
        }
    }

    /**
     * Makes sure that a zone has a buffer of a length, or can get such a buffer: other zones write their buffers and
     * give them back.
     */
    private void makeRoom(ZoneLog log, int bytes) throws IOException {
        if (!log.isBuffered() && buffered.size() >= openZones) {
            flush(buffered.iterator().next());
        }
        while (log.bufferBytes() < bytes && !shared.buffers().isReady(bytes)) {
            final ZoneLog holder = longHolder;
            flush(bytes > shared.buffers().blockBytes() && holder != null ? holder : buffered.iterator().next());
        }
    }

    private void flush(ZoneLog log) throws IOException {
        try {
            log.flush();
        } finally {
            note(log);
        }
    }

    private void note(ZoneLog log) {
        note(buffered, log, log.isBuffered());
        if (log.bufferBytes() > shared.buffers().blockBytes()) {
            longHolder = log;
        } else if (longHolder == log) {
            longHolder = null;
        }
        note(dirty, log, log.isDirty());
        if (log.takeToCheck() && config.cleanPercent() > 0 && log.fill().isBelow(config.cleanPercent())) {
            sparse.add(log);
            if (log.fill().isBelow(config.urgentPercent())) {
                pressure.set(log.zone(), true);
            }
        }
    }

    private static void note(Set<ZoneLog> set, ZoneLog log, boolean isIn) {
        if (isIn) {
            set.add(log);
        } else {
            set.remove(log);
        }
    }

    private void sync(ZoneLog log) throws IOException {
        try {
            log.sync();
        } finally {
            note(log);
        }
    }

    /** Checks that the log still holds its lock, and has not failed. */
    void check() throws IOException {
        shared.failure().check();
    }

    /** Waits until everything added to a zone is on the device. */
    void sync(ZoneId zone) throws IOException {
        sync(log(zone));
    }

    /** Waits until all entries of frames before this one are on the device in segments. */
    void syncBefore(long frame) throws IOException {
        for (ZoneLog log : zones.values()) {
            if (log.firstFrame() < frame) {
                sync(log);
            }
        }
    }

    /**
     * Returns the number of the first frame with an entry outside of synced segments, or {@code next} if there is no
     * such frame.
     */
    long firstFrame(long next) {
        return zones.values().stream().mapToLong(ZoneLog::firstFrame).reduce(next, Math::min);
    }

    /** Moves everything into sealed segments. */
    void seal() throws IOException {
        for (ZoneLog log : zones.values()) {
            seal(log);
        }
    }

    private void seal(ZoneLog log) throws IOException {
        flush(log);
        makeRoom(log, SegmentWriter.bufferBytes(0));            // for the end of its segment
        try {
            log.seal();
        } finally {
            note(log);
        }
    }

    /** Returns the memory of all buffers of zones, in bytes. */
    long blockBytes() {
        return shared.buffers().allocatedBytes();
    }

    // ---- cleaning ----

    /**
     * A zone at a moment without an open segment.
     *
     * @param segments numbers of the segments, and whether each segment is sealed, the newest first
     * @param before state of the estimate
     */
    record Hold(NavigableMap<Long, Boolean> segments, LiveEstimate.Before before) {}

    /**
     * Result of a reading of all segments of a zone.
     *
     * @param live the live entries
     * @param totalBytes counted bytes of the segments
     */
    record Count(ZoneVisitor.Live live, long totalBytes) {}

    /**
     * Moves a zone into sealed segments. No such segment is deleted until the release.
     *
     * @param zone name of the zone
     * @return its segments
     * @throws IOException as {@link LogFailure#step}
     */
    Hold hold(ZoneId zone) throws IOException {
        final ZoneLog log = log(zone);
        seal(log);
        holds.merge(zone, 1, Integer::sum);
        return new Hold(new TreeMap<>(shared.manifest().state().segments(zone)).descendingMap(),
            log.fill().before());
    }

    /**
     * Releases the segments of a zone.
     *
     * @param zone name of the zone
     * @param held the segments
     * @param count result of the reading, or null if it has failed
     * @param unreadable segments of which a part could not be read
     */
    void release(ZoneId zone, Hold held, @Nullable Count count, List<Long> unreadable) {
        final ZoneLog log = zones.get(zone);
        if (log != null) {
            if (count != null) {
                log.found(count.live(), count.totalBytes(), held.before());
            }
            damaged.computeIfAbsent(zone, _ -> new HashSet<>()).addAll(unreadable);
        }
        if (holds.merge(zone, -1, Integer::sum) == 0) {
            holds.remove(zone);
            final List<Long> segments = outdated.remove(zone);
            delete(zone, segments == null ? List.of() : segments);
        }
    }

    /**
     * Begins to clean the zones with few live bytes, and to delay their writers: what former processes have left
     * counts at once, not only when more was written.
     */
    void checkAll() {
        zones.values().forEach(this::note);
    }

    /**
     * Gives up the unreadable parts found so far: the next cleanings rewrite the readable entries of these segments.
     *
     * @return completes when these cleanings are over, with true if all succeeded
     * @throws IOException as {@link LogFailure#step}
     */
    CompletableFuture<Boolean> giveUpDamage() throws IOException {
        shared.manifest().giveUpDamage();
        damaged.forEach((zone, segments) -> {
            segments.retainAll(shared.manifest().state().segments(zone).keySet());
            if (!segments.isEmpty()) {
                givenUp.computeIfAbsent(zone, _ -> new HashSet<>()).addAll(segments);
                sparse.add(log(zone));
                givingUp.add(zone);
            }
        });
        damaged.clear();
        if (!givingUp.isEmpty() && allGivenUp.isDone()) {
            allGivenUp = new CompletableFuture<>();
        }
        return givingUp.isEmpty() ? CompletableFuture.completedFuture(true) : allGivenUp;
    }

    private void triedToGiveUp(ZoneId zone) {
        if (givingUp.remove(zone) && givingUp.isEmpty()) {
            allGivenUp.complete(givenUp.isEmpty());
        }
    }

    /** Ends all waits for cleanings; for any thread. */
    void endGivingUp() {
        allGivenUp.complete(false);
    }

    private void deleteOrKeep(ZoneId zone, List<Long> segments) {
        if (holds.containsKey(zone)) {
            outdated.computeIfAbsent(zone, _ -> new ArrayList<>()).addAll(segments);
        } else {
            delete(zone, segments);
        }
    }

    /**
     * Returns the zone to clean next, or null: a zone awaited by a thread, or the zone with the smallest share of live
     * bytes.
     */
    @Nullable CleanJob nextToClean() {
        final ZoneLog log = sparse.stream().min(Comparator.comparingDouble(it -> givingUp.contains(it.zone()) ? 0
            : (double) it.fill().liveBytes() / it.fill().totalBytes())).orElse(null);
        if (log == null) {
            return null;
        }
        sparse.remove(log);
        return toClean(log.zone());
    }

    /**
     * Returns the zone to clean next while the reserve is not whole, or null: the zone with most outdated bytes. The
     * bytes of the zone's open segment are included.
     *
     * @param isUrgent whether changes wait for it: then any zone with outdated bytes is taken
     * @return the job
     * @throws IOException as {@link LogFailure#step}
     */
    @Nullable CleanJob nextToCleanWhileFull(boolean isUrgent) throws IOException {
        final ZoneLog log = config.cleanPercent() == 0 ? null : zones.values().stream()
            .filter(it -> it.isWorthCleaning(isUrgent))
            .max(Comparator.comparingLong(ZoneLog::outdatedBytes)).orElse(null);
        if (log == null) {
            return givingUp.isEmpty() ? null : nextToClean();
        }
        sparse.remove(log);
        try {
            seal(log);
        } catch (DiskFullException _) {
            // the sealed ones are cleaned
        }
        log.cleaning();
        return toClean(log.zone()).whileFull();
    }

    /**
     * Returns a job for a zone with all segments that are not being written: sealed segments, and segments left by
     * former processes.
     */
    CleanJob toClean(ZoneId zone) {
        final ZoneLog log = log(zone);
        final NavigableMap<Long, Boolean> segments = new TreeMap<>(shared.manifest().state().segments(zone));
        segments.keySet().removeIf(log::isWriting);
        return new CleanJob(zone, segments, Set.copyOf(givenUp.getOrDefault(zone, Set.of())),
            log.fill().sealedBytes(), false);
    }

    /**
     * Enters the result of a cleaning: the new segments replace the old ones, unless the zone was dropped meanwhile.
     *
     * @return whether the zone still exists
     * @throws IOException as {@link LogFailure#step}
     */
    boolean cleaned(CleanJob.Result result) throws IOException {
        final ZoneId zone = result.job().zone();
        final ZoneLog log = zones.get(zone);
        if (log == null) {
            delete(zone, result.made());
            return false;
        }
        boolean isMore = false;
        try {
            if (result.hasChanged()) {
                replace(result);
            }
            isMore = result.isCut();
        } finally {
            pressure.set(zone, false);                          // also when the cleaning found no room
            if (!isMore && !result.job().givenUp().isEmpty()) {
                triedToGiveUp(zone);
            }
        }
        if (result.isKnown()) {
            log.fill().counted(result.liveBytes(), result.totalBytes(), result.freedBytes(),
                result.job().sealedBytes());
        }
        if (result.job().isWhileFull()) {
            log.cleaned(result);
        } else if (result.isCut()) {
            sparse.add(log);
        }
        deleteOrKeep(zone, result.gone());
        return true;
    }

    /**
     * Checks the counted bytes of all known zones against the files.
     *
     * @throws IOException if the disk fails
     * @throws IllegalStateException if they differ
     */
    void audit() throws IOException {
        for (ZoneLog log : zones.values()) {
            long bytes = 0;
            for (long number : toClean(log.zone()).segments().keySet()) {
                final Path path = LogFolder.segment(shared.folder(), log.zone().segment(number));
                try (DiskFile file = shared.disk().openToRead(path)) {
                    bytes += LiveEstimate.countedBytes(file.size(), config.segmentBytes());
                }
            }
            if (log.fill().isKnown() && log.fill().totalBytes() != bytes) {
                throw new IllegalStateException("zone " + log.zone() + " has segments of " + bytes
                    + " counted bytes, and its estimate is " + log.fill().totalBytes());
            }
        }
    }

    /** Returns the live bytes of a zone if its estimate should be exact, else {@link #UNKNOWN}. */
    long exactLiveBytes(ZoneId zone) {
        final LiveEstimate fill = log(zone).fill();
        return fill.isExact() ? fill.liveBytes() : UNKNOWN;
    }

    /** Returns the counted bytes of all segments that are not being written. */
    long totalBytes() {
        return zones.values().stream().mapToLong(log -> log.fill().totalBytes()).sum();
    }

    /** Returns the live bytes of these, approximately. */
    long liveBytes() {
        return zones.values().stream()
            .mapToLong(log -> Math.min(log.fill().liveBytes(), log.fill().totalBytes())).sum();
    }

    /** Returns the number of cleanings that have freed bytes. */
    long cleanings() {
        return cleanings;
    }

    /** Returns the bytes that cleanings have freed. */
    long freedBytes() {
        return freedBytes;
    }

    /** Returns the bytes that cleanings have written. */
    long copiedBytes() {
        return copiedBytes;
    }

    private void replace(CleanJob.Result result) throws IOException {
        final ZoneId zone = result.job().zone();
        try {
            shared.manifest().append(new ManifestRecord.SegmentsReplaced(zone, result.made(), result.gone()));
        } catch (DiskFullException e) {
            delete(zone, result.made());
            throw e;
        }
        givenUp.computeIfPresent(zone, (_, segments) -> {
            result.gone().forEach(segments::remove);
            return segments.isEmpty() ? null : segments;
        });
        cleanings++;
        freedBytes += result.freedBytes();
        copiedBytes += result.copiedBytes();
    }

    @Override
    public void close() throws IOException {
        for (ZoneLog log : zones.values()) {
            log.closeFile();
        }
    }
}
