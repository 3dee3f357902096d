package io.teff.recovery.tool;

import io.teff.engine.os.Disk;
import io.teff.engine.os.DiskFile;
import io.teff.engine.os.FailureText;
import io.teff.engine.report.Progress;
import io.teff.recovery.format.Damage;
import io.teff.recovery.format.ManifestRecord;
import io.teff.recovery.format.SegmentId;
import io.teff.recovery.format.SegmentReport;
import io.teff.recovery.format.ZoneId;
import io.teff.recovery.log.file.DamagedLogException;
import io.teff.recovery.log.file.FileDamage;
import io.teff.recovery.log.file.FoundManifest;
import io.teff.recovery.log.read.LogReader;
import io.teff.recovery.log.read.SegmentResult;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads a whole log once, and makes the report. For one thread. */
final class LogScan {
    private static final String SEGMENTS = "segments";
    private static final String OTHERS = "others";

    private final Disk disk;
    private final Path folder;
    private final LogReader reader;
    private final Progress progress;
    private final List<LogReport.Place> damage = new ArrayList<>();
    private final List<LogReport.Place> unfinished = new ArrayList<>();
    private final List<LogReport.Place> tails = new ArrayList<>();
    private long segmentsDone;
    private long segmentsAll;

    LogScan(Disk disk, Path folder, LogReader reader, Progress progress) {
        this.disk = disk;
        this.folder = folder;
        this.reader = reader;
        this.progress = progress;
    }

    /** Opens a log for reading, or exclusively to change files of it. */
    static LogReader open(Disk disk, Path folder, String holder, boolean isAlone) throws IOException {
        try {
            return isAlone ? LogReader.openAlone(disk, folder, holder) : LogReader.open(disk, folder, holder);
        } catch (DamagedLogException e) {
            throw new NoManifestException(e.damage().stream().map(LogScan::place).toList());
        }
    }

    static LogReport.Place place(FileDamage fileDamage) {
        return place(fileDamage.file(), fileDamage.damage());
    }

    private static LogReport.Place place(String file, Damage damage) {
        return new LogReport.Place(file, damage.offset(), damage.bytes(), damage.why());
    }

    /** Returns the tails that can be cut off; to be called after the report was made. */
    List<LogReport.Place> tails() {
        return tails;
    }

    LogReport report() throws IOException {
        reader.damage().forEach(it -> damage.add(place(it)));
        addTails(reader.manifest());
        unfinished.addAll(tails);
        reader.manifest().healed().forEach(it -> unfinished.add(place(it)));
        reader.zones().forEach(zone -> segmentsAll += reader.state().segments(zone).size());
        final List<LogReport.Zone> zones = new ArrayList<>();
        for (ZoneId zone : reader.zones()) {
            zones.add(read(zone));
        }
        final UUID boot = reader.state().openedBoot();
        final LogReader.Rest rest = reader.rest();
        return new LogReport(HexFormat.of().toHexDigits(reader.log().logId()), reader.log().nid(),
            reader.log().segmentBytes(), ending(),
            boot == null || boot.equals(ManifestRecord.Opened.NO_BOOT) ? null : boot.toString(), files(zones),
            sum(zones), new LogReport.Rest(rest.firstFrame(), rest.frameCount(), rest.frameEntryCount(),
                rest.ringRecordCount(), rest.ringEntryCount()), zones, damage, unfinished);
    }

    private LogReport.Ending ending() {
        return switch (reader.ending()) {
            case CLOSED -> LogReport.Ending.CLOSED;
            case KILLED -> LogReport.Ending.KILLED;
            case POWER_CUT -> LogReport.Ending.POWER_CUT;
        };
    }

    private void addTails(FoundManifest manifest) {
        for (FoundManifest.Side side : List.of(manifest.file(), manifest.copy())) {
            addTail(side.name(), manifest.bytes(), side.bytes(), "no whole record");
        }
    }

    private void addTail(String file, long offset, long fileBytes, String why) {
        if (offset < fileBytes) {
            tails.add(new LogReport.Place(file, offset, fileBytes - offset, why));
        }
    }

    // ---- zones ----

    private LogReport.Zone read(ZoneId zone) throws IOException {
        final NavigableMap<Long, Boolean> numbers = reader.state().segments(zone);
        final ZoneScan scan = new ZoneScan(zone, numbers.size() + 1);
        final List<@Nullable SegmentResult> results = new ArrayList<>();
        for (long number : numbers.keySet()) {
            final SegmentResult result = read(zone.segment(number), scan);
            results.add(result);
            scan.nextSegment(result == null || !result.damage().isEmpty());
            progress.at(++segmentsDone, segmentsAll);
        }
        final long before = scan.entries().count();
        reader.readRest(zone, scan);
        scan.end();
        final List<LogReport.Segment> segments = new ArrayList<>();
        int index = 0;
        for (long number : numbers.keySet()) {
            segments.add(segment(zone.segment(number), results.get(index), scan.liveShare(index),
                Boolean.TRUE.equals(numbers.get(number))));
            index++;
        }
        return new LogReport.Zone(zone.toString(), segments.stream().mapToLong(LogReport.Segment::fileBytes).sum(),
            scan.entries(), scan.entries().count() - before, segments);
    }

    /** Reads a segment; a segment that the device cannot read is damage, too. */
    private @Nullable SegmentResult read(SegmentId id, ZoneScan scan) {
        final String file = SEGMENTS + "/" + id.fileName();
        try {
            final SegmentResult result = reader.readSegment(id, scan);
            final SegmentReport found = result.report();
            result.damage().forEach(it -> damage.add(place(it)));
            if (found != null) {
                found.torn().forEach(it -> unfinished.add(place(file, it)));
            }
            addTail(file, result.tailOffset(), result.fileBytes(), "nothing that was ever whole");
            return result;
        } catch (IOException e) {
            damage.add(new LogReport.Place(file, 0, 0, "it cannot be read: " + FailureText.of(e)));
            return null;
        }
    }

    private static LogReport.Segment segment(SegmentId id, @Nullable SegmentResult result, double liveShare,
                                             boolean isSealed) {
        final SegmentReport found = result == null ? null : result.report();
        final long bytes = found == null ? 0 : found.entryBytes();
        return new LogReport.Segment(SEGMENTS + "/" + id.fileName(), isSealed, result == null ? 0 : result.fileBytes(),
            found == null ? 0 : found.entryCount(), bytes, Math.round(bytes * liveShare));
    }

    private static LogReport.Entries sum(List<LogReport.Zone> zones) {
        return zones.stream().map(LogReport.Zone::entries).reduce(new LogReport.Entries(0, 0, 0, 0, 0, 0, 0),
            (one, other) -> new LogReport.Entries(one.puts() + other.puts(), one.readOnlyPuts() + other.readOnlyPuts(),
                one.removals() + other.removals(), one.reservations() + other.reservations(),
                one.links() + other.links(), one.changes() + other.changes(),
                one.payloadBytes() + other.payloadBytes()));
    }

    // ---- files ----

    private List<LogReport.Files> files(List<LogReport.Zone> zones) throws IOException {
        final List<LogReport.Files> kinds = new ArrayList<>();
        for (String kind : List.of("manifest", "buffer", "primary")) {
            long count = 0;
            long bytes = 0;
            for (String name : disk.list(folder)) {
                if (name.equals(kind) || name.startsWith(kind + "-")) {
                    count++;
                    bytes += size(folder.resolve(name));
                }
            }
            kinds.add(new LogReport.Files(kind, count, bytes));
        }
        final Set<String> known = zones.stream().flatMap(zone -> zone.segments().stream())
            .map(LogReport.Segment::file).collect(Collectors.toSet());
        kinds.add(new LogReport.Files(SEGMENTS, known.size(), zones.stream().mapToLong(LogReport.Zone::fileBytes)
            .sum()));
        kinds.add(others(known));
        return kinds;
    }

    /** Counts the entries that count beside the segments. */
    private LogReport.Files others(Set<String> known) throws IOException {
        long count = 0;
        long bytes = 0;
        if (disk.list(folder).contains(SEGMENTS)) {
            for (String name : disk.list(folder.resolve(SEGMENTS))) {
                if (!known.contains(SEGMENTS + "/" + name)) {
                    count++;
                    bytes += size(folder.resolve(SEGMENTS).resolve(name));
                }
            }
        }
        return new LogReport.Files(OTHERS, count, bytes);
    }

    private long size(Path path) throws IOException {
        try (DiskFile file = disk.openToRead(path)) {
            return file.size();
        }
    }
}
