package io.teff.recovery.log;

import io.teff.engine.os.DiskFullException;
import io.teff.recovery.format.ManifestRecord;
import io.teff.recovery.format.ZoneId;
import io.teff.recovery.log.clean.CleanJob;
import io.teff.recovery.log.file.LogConfig;
import io.teff.recovery.log.file.LogFailure;
import io.teff.recovery.log.file.LogFiles;
import io.teff.recovery.log.file.LogFolder;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
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
 * The secondary logs of all zones, as they are written. For one thread, the drainer.
 *
 * <p><b>Bounds.</b> Only so many zones hold a buffer, and only so many a file that is not synced: where one more needs
 * one, the zone that has had it for the longest time gives its own up, written or synced.
 *
 * <p><b>Which zones there are</b> is in the manifest. The name of a zone that was dropped is not used again: what is
 * found of it after a crash is known by that.
 */
final class Zones implements Closeable {
    private final LogFiles shared;
    private final int openZones;
    private final LogConfig config;
    private final ZonePressure pressure;
    private final Map<ZoneId, ZoneLog> zones = new HashMap<>();
    private final Set<ZoneLog> buffered = new LinkedHashSet<>();
    private final Set<ZoneLog> dirty = new LinkedHashSet<>();
    /** Those of which little lives. */
    private final Set<ZoneLog> sparse = new HashSet<>();
    /** How many read a zone, and its segments that are gone and wait for them. */
    private final Map<ZoneId, Integer> holds = new HashMap<>();
    private final Map<ZoneId, List<Long>> outdated = new HashMap<>();
    /** Segments of which something could not be read, and those of them that are given up. */
    private final Map<ZoneId, Set<Long>> damaged = new HashMap<>();
    private final Map<ZoneId, Set<Long>> givenUp = new HashMap<>();
    /** Zones of those that are given up which were not cleaned since, and what ends when there are none. */
    private final Set<ZoneId> givingUp = new HashSet<>();
    private volatile CompletableFuture<Boolean> allGivenUp = CompletableFuture.completedFuture(true);
    private long cleanings;
    private long freedBytes;
    private long copiedBytes;

    /**
     * Opens the zones that the manifest has.
     *
     * @param shared what all zones share
     * @param config how many zones hold a buffer, and a file, and how full they shall be
     * @param pressure on those who write to zones of which very little lives
     */
    Zones(LogFiles shared, LogConfig config, ZonePressure pressure) {
        this.shared = shared;
        this.openZones = config.openZones();
        this.config = config;
        this.pressure = pressure;
        shared.manifest().state().zones().forEach(zone -> zones.put(zone, new ZoneLog(zone, shared, false)));
    }

    /** Whether there is a zone. */
    boolean has(ZoneId zone) {
        return zones.containsKey(zone);
    }

    /** Makes a zone; must be done before a frame has anything of it. */
    void make(ZoneId zone) throws IOException {
        shared.manifest().append(new ManifestRecord.ZoneMade(zone));
        zones.put(zone, new ZoneLog(zone, shared, true));
    }

    /**
     * Drops a zone and deletes its files. Everything of it must be drained, and nothing of it may come any more.
     *
     * @param zone its name, not to be used again
     * @throws IOException as {@link LogFailure#step}
     */
    void drop(ZoneId zone) throws IOException {
        final List<Long> segments = new ArrayList<>(shared.manifest().state().segments(zone).keySet());
        shared.manifest().append(new ManifestRecord.ZoneDropped(zone));
        final ZoneLog log = log(zone);
        buffered.remove(log);
        dirty.remove(log);
        sparse.remove(log);
        pressure.set(zone, false);
        damaged.remove(zone);
        givenUp.remove(zone);
        triedToGiveUp(zone);
        log.closeFile();
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
        if (!log.isBuffered() && buffered.size() == openZones) {
            final ZoneLog oldest = buffered.iterator().next();
            oldest.flush();
            note(oldest);
        }
        if (!log.isDirty() && dirty.size() >= openZones) {
            sync(dirty.iterator().next());
        }
        try {
            log.add(cid, sequence, kind, source, from, length, frame);
        } finally {
            note(log);
        }
    }

    private void note(ZoneLog log) {
        note(buffered, log, log.isBuffered());
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

    /** Waits until everything that was added to a zone is on the device. */
    void sync(ZoneId zone) throws IOException {
        sync(log(zone));
    }

    /** Waits until everything that frames in front of this one have is on the device in segments. */
    void syncBefore(long frame) throws IOException {
        for (ZoneLog log : zones.values()) {
            if (log.firstFrame() < frame) {
                sync(log);
            }
        }
    }

    /** The number of the first frame that has something which is not in synced segments, or this one if none has. */
    long firstFrame(long next) {
        return zones.values().stream().mapToLong(ZoneLog::firstFrame).reduce(next, Math::min);
    }

    /** Puts everything into sealed segments. */
    void seal() throws IOException {
        for (ZoneLog log : zones.values()) {
            try {
                log.seal();
            } finally {
                note(log);
            }
        }
    }

    // ---- cleaning ----

    /**
     * A zone as it was at some time: nothing was being written to its segments.
     *
     * @param segments their numbers, and whether they are sealed, those made last first
     * @param sealedBytes see {@link io.teff.recovery.log.clean.ZoneFill#sealedBytes}
     */
    record Hold(NavigableMap<Long, Boolean> segments, long sealedBytes) {}

    /**
     * Puts what a zone has into sealed segments, none of which is deleted until they are given back.
     *
     * @param zone its name
     * @return its segments
     * @throws IOException as {@link LogFailure#step}
     */
    Hold hold(ZoneId zone) throws IOException {
        final ZoneLog log = log(zone);
        try {
            log.seal();
        } finally {
            note(log);
        }
        holds.merge(zone, 1, Integer::sum);
        return new Hold(new TreeMap<>(shared.manifest().state().segments(zone)).descendingMap(),
            log.fill().sealedBytes());
    }

    /**
     * Gives back what was held.
     *
     * @param zone its name
     * @param held what was held
     * @param liveBytes of all entries that were read
     * @param totalBytes what the segments count that were read
     * @param unreadable those of which something could not be read
     */
    void release(ZoneId zone, Hold held, long liveBytes, long totalBytes, List<Long> unreadable) {
        final ZoneLog log = zones.get(zone);
        if (log != null) {
            log.found(liveBytes, totalBytes, held.sealedBytes());
            damaged.computeIfAbsent(zone, _ -> new HashSet<>()).addAll(unreadable);
        }
        if (holds.merge(zone, -1, Integer::sum) == 0) {
            holds.remove(zone);
            final List<Long> segments = outdated.remove(zone);
            delete(zone, segments == null ? List.of() : segments);
        }
    }

    /**
     * Gives up what could not be read so far: what can be read of these segments is to be written anew, by the next
     * cleanings.
     *
     * @return ends when these are over: whether all of that was possible
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

    /** Nobody waits for cleanings any more; for any thread. */
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

    /** The zone that should be cleaned next, or null: one for which somebody waits, or that of which least lives. */
    @Nullable CleanJob nextToClean() {
        final ZoneLog log = sparse.stream().min(Comparator.comparingDouble(it -> givingUp.contains(it.zone()) ? 0
            : (double) it.fill().liveBytes() / it.fill().totalBytes())).orElse(null);
        if (log == null) {
            return null;
        }
        sparse.remove(log);
        return toClean(log.zone());
    }

    /** A zone with all segments that nobody writes to: the sealed ones, and those that former processes have left. */
    CleanJob toClean(ZoneId zone) {
        final ZoneLog log = log(zone);
        final NavigableMap<Long, Boolean> segments = new TreeMap<>(shared.manifest().state().segments(zone));
        segments.keySet().removeIf(log::isWriting);
        return new CleanJob(zone, segments, Set.copyOf(givenUp.getOrDefault(zone, Set.of())),
            log.fill().sealedBytes());
    }

    /**
     * A zone was cleaned, unless it was dropped meanwhile: its new segments take the place of the old ones.
     *
     * @return whether it is still there
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
            pressure.set(zone, false);                          // also where there is no room for that
            if (!isMore && !result.job().givenUp().isEmpty()) {
                triedToGiveUp(zone);
            }
        }
        if (result.isKnown()) {
            log.fill().counted(result.liveBytes(), result.totalBytes(), result.freedBytes(),
                result.job().sealedBytes());
        }
        if (result.isCut()) {
            sparse.add(log);
        }
        deleteOrKeep(zone, result.gone());
        return true;
    }

    /** What the segments of all zones count that nobody writes to. */
    long totalBytes() {
        return zones.values().stream().mapToLong(log -> log.fill().totalBytes()).sum();
    }

    /** What of it lives, about. */
    long liveBytes() {
        return zones.values().stream()
            .mapToLong(log -> Math.min(log.fill().liveBytes(), log.fill().totalBytes())).sum();
    }

    /** Cleanings that have freed something. */
    long cleanings() {
        return cleanings;
    }

    /** What they have freed. */
    long freedBytes() {
        return freedBytes;
    }

    /** What they have written. */
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
