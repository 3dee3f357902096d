package io.teff.recovery.log.clean;

import io.teff.engine.os.Disk;
import io.teff.engine.os.DiskFile;
import io.teff.recovery.format.ChainLink;
import io.teff.recovery.format.EntryKind;
import io.teff.recovery.format.EntryVisitor;
import io.teff.recovery.format.ManifestRecord;
import io.teff.recovery.log.file.BlockBuffers;
import io.teff.recovery.log.file.LogClosedException;
import io.teff.recovery.log.file.LogConfig;
import io.teff.recovery.log.file.LogFailure;
import io.teff.recovery.log.file.LogFiles;
import io.teff.recovery.log.file.LogFolder;
import io.teff.recovery.log.file.DiskReserve;
import io.teff.recovery.log.read.SegmentResult;
import io.teff.recovery.log.read.ZoneReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the live entries of a zone's segments, and copies the live entries of the emptiest segments to new segments.
 * For one thread, not the drainer's: the read segments do not change, and the new segments do not count until the
 * manifest names them.
 *
 * <p>A cleaning does not know entries newer than the zone's segments. So outdated entries may be kept, but a live entry
 * is never dropped. A dropped entry is outdated by another entry in a segment on the device: a segment left without its
 * end by a killed process is synced before the reading.
 *
 * <p><b>Damage.</b> A segment with an unreadable part is kept as it is, because the unreadable part may hold the only
 * copy of a chunk. The newest readable entry of each index is kept as usual, even a removal, so an older unreadable
 * entry stays outdated should the entry become readable. If the loss was accepted, the readable entries are copied,
 * regardless of the share of live bytes, and the segment is deleted.
 */
public final class Cleaner {
    /**
     * Limit of the segments cleaned at once: half of the limit of a record of the manifest, because two new segments
     * together hold more than one old segment could.
     */
    public static final int VICTIMS_MAX = ManifestRecord.SegmentsReplaced.COUNT_MAX / 2;
    private static final double PERCENT = 100;
    /** A segment is written in at least this number of blocks. */
    private static final int BLOCKS = 4;

    private final LogFiles shared;
    private final Disk disk;
    private final Path folder;
    private final ManifestRecord.Log log;
    private final LogFailure failure;
    private final LogConfig config;
    private final int victimsMax;
    private final DiskReserve reserve;
    private final BlockBuffers buffers;
    /** Memory for a whole segment, allocated by the first cleaning. */
    private @Nullable ZoneReader reader;
    private volatile boolean isStopped;

    /**
     * Makes a cleaner.
     *
     * @param shared files of the log; only their thread-safe parts are used
     * @param config wanted share of live bytes
     * @param reserve room for a cleaning on a full disk
     */
    public Cleaner(LogFiles shared, LogConfig config, DiskReserve reserve) {
        this(shared, config, reserve, VICTIMS_MAX);
    }

    /** Makes a cleaner with a lower limit of the segments cleaned at once, for tests. */
    public Cleaner(LogFiles shared, LogConfig config, DiskReserve reserve, int victimsMax) {
        this.reserve = reserve;
        this.shared = shared;
        this.disk = shared.disk();
        this.folder = shared.folder();
        this.log = shared.log();
        this.failure = shared.failure();
        this.config = config;
        this.victimsMax = victimsMax;
        this.buffers = new BlockBuffers(log.segmentBytes() / BLOCKS);
    }

    private ZoneReader reader() {
        ZoneReader kept = reader;
        if (kept == null) {
            kept = new ZoneReader(disk, folder, log);
            reader = kept;
        }
        return kept;
    }

    /**
     * Cleans a zone as far as that pays.
     *
     * @param job zone and segments
     * @return the result
     * @throws IOException if the disk fails or is full; then no file is left behind, as far as that is possible
     * @throws LogClosedException if it was stopped; then likewise
     */
    public CleanJob.Result clean(CleanJob job) throws IOException {
        final List<Long> segments = List.copyOf(job.segments().keySet());
        final ZoneReader reader = reader();
        final Liveness liveness = new Liveness(job.zone().owner(), job.zone().zone(), segments.size());
        final long[] counted = new long[segments.size()];
        final long[] bytes = new long[segments.size()];
        final boolean[] isDamaged = new boolean[segments.size()];
        for (int i = 0; i < counted.length; i++) {
            final Look look = new Look(liveness, i);
            sync(job, segments.get(i));
            isDamaged[i] = !read(reader, job, segments.get(i), look).damage().isEmpty();
            bytes[i] = look.bytes();
            counted[i] = LiveEstimate.countedBytes(look.bytes(), config.segmentBytes());
            if (isDamaged[i]) {
                liveness.doubt(i);
            }
        }
        liveness.end();
        final long[] alive = new long[counted.length];
        for (int i = 0; i < counted.length; i++) {
            alive[i] = isDamaged[i] && !job.givenUp().contains(segments.get(i)) ? counted[i]
                : Math.min(counted[i], liveness.liveBytes(i));
        }
        final long live = LongStream.of(alive).sum();
        final long total = LongStream.of(counted).sum();
        final long room = room(job);
        final List<Integer> wanted = job.isWhileFull() ? Victims.chooseAll(alive, bytes, config::inSegments, room,
            victimsMax) : victims(job, segments, alive, counted);
        final List<Integer> victims = job.isWhileFull() ? wanted : limited(job, wanted, alive, room);
        if (victims.isEmpty()) {
            return new CleanJob.Result(job, List.of(), List.of(), live, total, 0, 0, false);
        }
        final CleanWriter writer = new CleanWriter(shared, job, buffers);
        final List<Long> gone = victims.stream().map(segments::get).toList();
        final List<Long> made = copy(job, victims, liveness, reader, writer);
        long freed = -writer.countedBytes();
        long freedRoom = -writer.bytes();
        for (int victim : victims) {
            freed += counted[victim];
            freedRoom += bytes[victim];
        }
        final boolean isMore = victims.size() == victimsMax || victims.size() < wanted.size() && freed > 0;
        return new CleanJob.Result(job, made, gone, live, total, freed, writer.countedBytes(),
            job.isWhileFull() ? freedRoom > 0 : isMore);
    }

    /** Returns the room for new segments, in bytes. */
    private long room(CleanJob job) throws IOException {
        final long usable = disk.usableBytes(folder);
        return job.isWhileFull() ? reserve.roomToClean(usable, config.removalBytes()) : usable;
    }

    /** Returns the victims within the free room. Segments that are given up come first, and are not limited. */
    private List<Integer> limited(CleanJob job, List<Integer> victims, long[] alive, long room) {
        return job.givenUp().isEmpty() ? Victims.limit(victims, alive, config::inSegments, room) : victims;
    }

    /** Ends the current cleaning soon. */
    public void stop() {
        isStopped = true;
    }

    private static boolean isSealed(CleanJob job, long segment) {
        return Boolean.TRUE.equals(job.segments().get(segment));
    }

    private void sync(CleanJob job, long segment) throws IOException {
        if (!isSealed(job, segment)) {
            try (DiskFile file = disk.open(LogFolder.segment(folder, job.zone().segment(segment)))) {
                failure.step(() -> LogFailure.force(file));
            } catch (NoSuchFileException _) {
                // reported when the zone is read
            }
        }
    }

    private SegmentResult read(ZoneReader reader, CleanJob job, long segment, EntryVisitor visitor)
        throws IOException {
        if (isStopped) {
            throw new LogClosedException(null);
        }
        return reader.read(job.zone().segment(segment), isSealed(job, segment), visitor);
    }

    /**
     * Returns the segments that are given up, and the emptiest segments of the rest. Damaged segments that are not
     * given up count as full.
     */
    private List<Integer> victims(CleanJob job, List<Long> segments, long[] alive, long[] counted) {
        final List<Integer> victims = new ArrayList<>();
        for (int i = 0; i < counted.length; i++) {
            if (victims.size() < victimsMax && job.givenUp().contains(segments.get(i))) {
                alive[i] = counted[i];
                victims.add(i);
            }
        }
        if (config.cleanPercent() > 0) {
            victims.addAll(Victims.choose(alive, counted, (config.cleanPercent() + PERCENT) / 2 / PERCENT,
                victimsMax - victims.size()));
        }
        return victims;
    }

    private List<Long> copy(CleanJob job, List<Integer> victims, Liveness liveness, ZoneReader reader,
                            CleanWriter writer) throws IOException {
        boolean isDone = false;
        try {
            final List<Long> segments = List.copyOf(job.segments().keySet());
            final boolean[] isCopied = new boolean[segments.size()];
            victims.forEach(victim -> isCopied[victim] = true);
            final Merges merges = new Merges(liveness, isCopied, writer::add);
            for (int victim : victims) {
                final long segment = segments.get(victim);
                final SegmentResult result =
                    read(reader, job, segment, (cid, sequence, owner, zone, kind, bytes, offset, length) -> {
                        merges.begin(cid, sequence, kind);
                        final boolean isTaken = EntryKind.isLink(kind)
                            ? liveness.takeLink(victim, cid, sequence, ChainLink.number(bytes, offset))
                            : liveness.take(victim, cid, sequence, kind);
                        if (isTaken) {
                            merges.copy(cid, sequence, kind, bytes, offset, length);
                        }
                    });
                if (!result.damage().isEmpty() && !job.givenUp().contains(segment)) {
                    throw new IOException("a segment was read, and cannot be read again: " + result.damage());
                }
            }
            merges.end();
            final List<Long> made = writer.end();
            isDone = true;
            return made;
        } catch (UncheckedIOException e) {
            throw e.getCause();
        } finally {
            if (!isDone) {
                writer.discard();
            }
        }
    }
}
