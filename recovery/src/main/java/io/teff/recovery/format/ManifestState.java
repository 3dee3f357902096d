package io.teff.recovery.format;

import io.teff.recovery.format.ManifestRecord.Begun;
import io.teff.recovery.format.ManifestRecord.Closed;
import io.teff.recovery.format.ManifestRecord.CopyDropped;
import io.teff.recovery.format.ManifestRecord.FrameFile;
import io.teff.recovery.format.ManifestRecord.Log;
import io.teff.recovery.format.ManifestRecord.Opened;
import io.teff.recovery.format.ManifestRecord.RingSynced;
import io.teff.recovery.format.ManifestRecord.SegmentMade;
import io.teff.recovery.format.ManifestRecord.SegmentSealed;
import io.teff.recovery.format.ManifestRecord.SegmentsReplaced;
import io.teff.recovery.format.ManifestRecord.Trimmed;
import io.teff.recovery.format.ManifestRecord.ZoneDropped;
import io.teff.recovery.format.ManifestRecord.ZoneMade;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * State described by the records of a manifest. Changed by {@link #apply} alone; for one thread at a time.
 *
 * <pre>
 *  (nothing) ── Log ──> new ── Opened ──> open ── Closed ──> closed ── Opened ──> open
 * </pre>
 * A log without a close is opened again in its open state. Zones and segments do not change while the log is closed.
 */
public final class ManifestState {
    private final NavigableMap<ZoneId, NavigableMap<Long, Boolean>> zones = new TreeMap<>();
    /** Numbers of all segments, by zone. */
    private final Map<Long, ZoneId> numbers = new HashMap<>();
    /** The highest copy that was dropped, by creator. */
    private final NavigableMap<Integer, Integer> droppedCopies = new TreeMap<>();
    /** Files with frames that count, by first frame. */
    private final NavigableMap<Long, Long> frameFiles = new TreeMap<>();
    private @Nullable Log log;
    private @Nullable Opened opened;
    private @Nullable Closed closed;
    private long lastNumber;
    private long firstFrame;
    private long nextSegment;
    private int recordCount;
    private boolean begun;
    private boolean ringSynced;

    /** {@return whether the identity of the log is known} */
    public boolean hasLog() {
        return log != null;
    }

    /** {@return identity of the log; undefined before its record} */
    public Log log() {
        if (log == null) {
            throw new IllegalStateException("the manifest says nothing yet");
        }
        return log;
    }

    /** {@return all zones} */
    public Iterable<ZoneId> zones() {
        return Collections.unmodifiableSet(zones.keySet());
    }

    /**
     * Returns the segments of a zone.
     *
     * @param zone name of the zone
     * @return numbers, and whether they are sealed; empty for an unknown zone
     */
    public NavigableMap<Long, Boolean> segments(ZoneId zone) {
        return Collections.unmodifiableNavigableMap(zones.getOrDefault(zone, Collections.emptyNavigableMap()));
    }

    /** {@return the highest dropped copy, by creator; this copy and earlier copies are not made again} */
    public Map<Integer, Integer> droppedCopies() {
        return Collections.unmodifiableMap(droppedCopies);
    }

    /** Returns whether a zone belongs to a copy, or to an earlier one. */
    private static boolean isUpTo(ZoneId zone, int owner, int copy) {
        return zone.owner() == owner && ZoneId.isCopy(zone.zone()) && ZoneId.copy(zone.zone()) <= copy;
    }

    /** {@return whether a zone belongs to a copy that was dropped} */
    public boolean isDropped(ZoneId zone) {
        return isUpTo(zone, zone.owner(), droppedCopies.getOrDefault(zone.owner(), -1));
    }

    /**
     * Returns the zones of a copy and of earlier copies.
     *
     * @param owner creator of the copies
     * @param copy number of the last copy
     * @return names of the zones
     */
    public List<ZoneId> zonesUpTo(int owner, int copy) {
        return zones.keySet().stream().filter(zone -> isUpTo(zone, owner, copy)).toList();
    }

    /** {@return the number of the first frame that counts} */
    public long firstFrame() {
        return firstFrame;
    }

    /** {@return the first frames that must be found, each with the number of its file} */
    public NavigableMap<Long, Long> frameFiles() {
        return Collections.unmodifiableNavigableMap(frameFiles);
    }

    /**
     * {@return boot in which the log was opened, if the log is open; {@link Opened#NO_BOOT} is not equal to any boot}
     */
    public @Nullable UUID openedBoot() {
        return opened == null ? null : opened.boot();
    }

    /** {@return whether the ring of a log that was left open is on the device, in any boot} */
    public boolean isRingSynced() {
        return ringSynced;
    }

    /** {@return the next position and number, if the log is closed} */
    public @Nullable Closed closed() {
        return closed;
    }

    /**
     * {@return a lower bound of all later positions and numbers: the highest bound of all closes of the log}
     */
    public long lastNumber() {
        return lastNumber;
    }

    /** {@return a number that no segment has ever had} */
    public long nextSegment() {
        return nextSegment;
    }

    /** {@return whether the records describe the complete state in which the manifest was begun} */
    boolean isBegun() {
        return begun;
    }

    /** {@return records that describe this state, for the begin of a new manifest} */
    public List<ManifestRecord> records() {
        final List<ManifestRecord> records = new ArrayList<>();
        records.add(log().now());
        droppedCopies.forEach((owner, copy) -> records.add(new CopyDropped(owner, copy)));
        zones.forEach((zone, segments) -> {
            records.add(new ZoneMade(zone));
            segments.forEach((number, sealed) -> {
                records.add(new SegmentMade(zone.segment(number)));
                if (sealed) {
                    records.add(new SegmentSealed(zone.segment(number)));
                }
            });
        });
        records.add(new Trimmed(firstFrame));
        frameFiles.forEach((frame, file) -> records.add(new FrameFile(file, frame)));
        if (opened != null) {
            if (lastNumber > 0) {
                records.add(new Closed(lastNumber, lastNumber));
            }
            records.add(opened);
        } else if (closed != null) {
            records.add(closed);
        }
        if (ringSynced) {
            records.add(new RingSynced());
        }
        records.add(new Begun(records.size(), nextSegment));
        return records;
    }

    /**
     * Checks whether a record can follow.
     *
     * @param record any record
     * @return the reason why it cannot, or null
     */
    public @Nullable String problem(ManifestRecord record) {
        if (log == null) {
            return record instanceof Log it && it.segmentBytes() > 0 && ZoneId.isOwner(it.nid()) ? null
                : "the manifest does not begin as one";
        }
        if (closed != null && !(record instanceof Opened || record instanceof Begun)) {
            return "the log is closed";
        }
        return switch (record) {
            case Log _ -> "the manifest begins twice";
            case ZoneMade it -> zones.containsKey(it.zone()) ? "zone " + it.zone() + " is there already"
                : isDropped(it.zone()) ? "zone " + it.zone() + " was dropped" : null;
            case ZoneDropped it -> unknownZone(it.zone());
            case CopyDropped it -> log.hasCopies() && it.copy() >= 0 && it.copy() < ZoneId.COPY_LIMIT ? null
                : "this log has no copy " + it.copy();
            case SegmentMade it -> {
                String unknown = unknownZone(it.id().zoneId());
                yield unknown != null ? unknown : usedNumber(it.id().number());
            }
            case SegmentSealed it -> Boolean.FALSE.equals(segments(it.id().zoneId()).get(it.id().number())) ? null
                : "segment " + it.id().fileName() + " is not being written";
            case SegmentsReplaced it -> replacedProblem(it);
            case Trimmed it -> it.firstFrame() < firstFrame ? "the primary log grows at its front" : null;
            case FrameFile it -> it.file() < 0 || it.firstFrame() < firstFrame
                || !frameFiles.isEmpty() && it.firstFrame() <= frameFiles.lastKey()
                ? "frame " + it.firstFrame() + " begins no file" : null;
            case Opened _ -> null;
            case RingSynced _ -> opened == null ? "the log is not open" : null;
            case Closed it -> it.position() < 0 || it.sequence() < 0 ? "positions and numbers are not negative"
                : Math.max(it.position(), it.sequence()) < lastNumber ? "numbers go back from " + lastNumber : null;
            case Begun it -> begun ? "the manifest has begun already"
                : it.recordCount() == recordCount ? null : "of " + it.recordCount() + " records " + recordCount
                    + " are there";
        };
    }

    private @Nullable String unknownZone(ZoneId zone) {
        return zones.containsKey(zone) ? null : "there is no zone " + zone;
    }

    private @Nullable String usedNumber(long number) {
        return number < 0 || number == Long.MAX_VALUE ? "segment number " + number + " is out of range"
            : numbers.containsKey(number) ? "segment number " + number + " is used already" : null;
    }

    private @Nullable String replacedProblem(SegmentsReplaced record) {
        String unknown = unknownZone(record.zone());
        if (unknown != null) {
            return unknown;
        }
        for (long number : record.made()) {
            String used = usedNumber(number);
            if (used != null) {
                return used;
            }
        }
        for (long number : record.gone()) {
            if (!record.zone().equals(numbers.get(number))) {
                return "there is no segment " + record.zone().segment(number).fileName();
            }
        }
        boolean twice = record.made().stream().distinct().count() < record.made().size()
            || record.gone().stream().distinct().count() < record.gone().size();
        return twice ? "a segment is named twice" : null;
    }

    /**
     * Applies a record.
     *
     * @param record the next one
     * @throws IllegalArgumentException if it cannot follow; then nothing has changed
     */
    public void apply(ManifestRecord record) {
        String problem = problem(record);
        if (problem != null) {
            throw new IllegalArgumentException(record + ": " + problem);
        }
        recordCount++;
        switch (record) {
            case Log it -> log = it;
            case ZoneMade it -> zones.put(it.zone(), new TreeMap<>());
            case ZoneDropped it -> drop(it.zone());
            case CopyDropped it -> {
                zonesUpTo(it.owner(), it.copy()).forEach(this::drop);
                droppedCopies.merge(it.owner(), it.copy(), Math::max);
            }
            case SegmentMade it -> put(it.id().zoneId(), it.id().number(), false);
            case SegmentSealed it -> put(it.id().zoneId(), it.id().number(), true);
            case SegmentsReplaced it -> replace(it);
            case Trimmed it -> {
                firstFrame = it.firstFrame();
                frameFiles.headMap(firstFrame).clear();
            }
            case FrameFile it -> frameFiles.put(it.firstFrame(), it.file());
            case Opened it -> {
                opened = it;
                closed = null;
                ringSynced = false;
            }
            case Closed it -> {
                closed = it;
                lastNumber = Math.max(it.position(), it.sequence());
                opened = null;
                ringSynced = false;
            }
            case RingSynced _ -> ringSynced = true;
            case Begun it -> {
                begun = true;
                nextSegment = Math.max(nextSegment, it.nextSegment());
            }
        }
    }

    private void drop(ZoneId zone) {
        segmentsOf(zone, true).keySet().forEach(numbers::remove);
    }

    private NavigableMap<Long, Boolean> segmentsOf(ZoneId zone, boolean drop) {
        return Objects.requireNonNull(drop ? zones.remove(zone) : zones.get(zone));
    }

    private void put(ZoneId zone, long number, boolean sealed) {
        segmentsOf(zone, false).put(number, sealed);
        numbers.put(number, zone);
        nextSegment = Math.max(nextSegment, number + 1);
    }

    private void replace(SegmentsReplaced record) {
        NavigableMap<Long, Boolean> segments = segmentsOf(record.zone(), false);
        for (long number : record.gone()) {
            segments.remove(number);
            numbers.remove(number);
        }
        for (long number : record.made()) {
            put(record.zone(), number, true);
        }
    }
}
