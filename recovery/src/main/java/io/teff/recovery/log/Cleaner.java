package io.teff.recovery.log;

import io.teff.recovery.clean.Liveness;
import io.teff.recovery.clean.Victims;
import io.teff.recovery.clean.ZoneFill;
import io.teff.recovery.disk.Disk;
import io.teff.recovery.disk.DiskFile;
import io.teff.recovery.format.ChainLink;
import io.teff.recovery.format.EntryKind;
import io.teff.recovery.format.EntryVisitor;
import io.teff.recovery.format.ManifestRecord;
import io.teff.recovery.format.SegmentWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Finds what lives of a zone's segments, and copies it from the emptiest of them to new ones. For one thread, not the
 * drainer's: these segments do not change, and what it makes does not count before the manifest says so.
 *
 * <p>It does not know what came after those segments, so it may keep what is outdated by that; never the other way
 * round. What it leaves out is outdated by an entry that is in one of them, too, and on the device: a segment that a
 * killed process has left without its end is synced before it is read.
 */
final class Cleaner {
    private static final double PERCENT = 100;

    private final Disk disk;
    private final Path folder;
    private final ManifestRecord.Log log;
    private final LogFailure failure;
    private final LongSupplier segmentNumbers;
    private final LogConfig config;
    private volatile boolean isStopped;

    /**
     * Makes a cleaner.
     *
     * @param shared what all zones share; only what may be used by many threads is used
     * @param config how full zones shall be
     */
    Cleaner(ZoneLog.Shared shared, LogConfig config) {
        this.disk = shared.disk();
        this.folder = shared.folder();
        this.log = shared.log();
        this.failure = shared.failure();
        this.segmentNumbers = shared.segmentNumbers();
        this.config = config;
    }

    /**
     * Cleans a zone as far as that is worth it.
     *
     * @param job which
     * @return what was done; nothing if something of the zone cannot be read
     * @throws IOException if the disk fails or is full; then nothing is left behind, as far as that is possible
     */
    CleanJob.Result clean(CleanJob job) throws IOException {
        final List<Long> segments = List.copyOf(job.segments().keySet());
        final ZoneReader reader = new ZoneReader(disk, folder, log);
        final Liveness liveness = new Liveness(job.zone().owner(), job.zone().zone(), segments.size());
        final long[] counted = new long[segments.size()];
        for (int i = 0; i < counted.length; i++) {
            final Look look = new Look(liveness, i);
            sync(job, segments.get(i));
            read(reader, job, segments.get(i), look);
            counted[i] = ZoneFill.countedBytes(look.bytes, config.segmentBytes());
        }
        liveness.end();
        long live = 0;
        long total = 0;
        for (int i = 0; i < counted.length; i++) {
            live += liveness.liveBytes(i);
            total += counted[i];
        }
        final List<Integer> victims = reader.takeDamage().isEmpty() ? victims(liveness, counted) : List.of();
        if (victims.isEmpty()) {
            return new CleanJob.Result(job, List.of(), List.of(), live, total, 0, 0);
        }
        final CleanWriter writer = new CleanWriter(disk, folder, log, failure, job.zone(), segmentNumbers);
        final List<Long> gone = victims.stream().map(segments::get).toList();
        final List<Long> made = copy(job, gone, liveness, reader, writer);
        long freed = -writer.countedBytes();
        for (int victim : victims) {
            freed += counted[victim];
        }
        return new CleanJob.Result(job, made, gone, live, total, freed, writer.countedBytes());
    }

    /** Ends what is being cleaned, soon. */
    void stop() {
        isStopped = true;
    }

    private static boolean isSealed(CleanJob job, long segment) {
        return Boolean.TRUE.equals(job.segments().get(segment));
    }

    private void sync(CleanJob job, long segment) throws IOException {
        if (!isSealed(job, segment)) {
            final Path path = folder.resolve(ZoneLog.FOLDER).resolve(job.zone().segment(segment).fileName());
            try (DiskFile file = disk.open(path)) {
                failure.step(() -> LogFailure.force(file));
            } catch (NoSuchFileException _) {
                // who reads it says so
            }
        }
    }

    private void read(ZoneReader reader, CleanJob job, long segment, EntryVisitor visitor) throws IOException {
        if (isStopped) {
            throw new IOException("the log is being closed");
        }
        reader.read(job.zone().segment(segment), isSealed(job, segment), visitor);
    }

    private List<Integer> victims(Liveness liveness, long[] counted) {
        final long[] live = new long[counted.length];
        for (int i = 0; i < live.length; i++) {
            live[i] = Math.min(counted[i], liveness.liveBytes(i));
        }
        return Victims.choose(live, counted, (config.cleanPercent() + PERCENT) / 2 / PERCENT);
    }

    private List<Long> copy(CleanJob job, List<Long> victims, Liveness liveness, ZoneReader reader,
                            CleanWriter writer) throws IOException {
        boolean isDone = false;
        try {
            for (long victim : victims) {
                read(reader, job, victim, (cid, sequence, owner, number, kind, bytes, offset, length) -> {
                    if (liveness.isLive(cid, sequence)) {
                        writer.add(cid, sequence, kind, bytes, offset, length);
                    }
                });
            }
            final List<FileDamage> damage = reader.takeDamage();
            if (!damage.isEmpty()) {
                throw new IOException("a segment was read, and cannot be read again: " + damage);
            }
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

    /** Shows the entries of a segment to the one who counts. */
    private static final class Look implements EntryVisitor {
        private final Liveness liveness;
        private final int segment;
        private long bytes;

        Look(Liveness liveness, int segment) {
            this.liveness = liveness;
            this.segment = segment;
        }

        @Override
        public void segment(long length) {
            bytes = length;
        }

        @Override
        public void entry(long cid, long sequence, int owner, int zone, int kind, MemorySegment memory, long offset,
                          int length) {
            if (kind == EntryKind.LINK || kind == EntryKind.LINK_READ_ONLY) {
                liveness.seeLink(segment, cid, sequence, ChainLink.number(memory, offset),
                    ChainLink.count(ChainLink.chunkBytes(memory, offset)), length + SegmentWriter.ENTRY_BYTES);
            } else {
                liveness.see(segment, cid, sequence, length + SegmentWriter.ENTRY_BYTES);
            }
        }
    }
}
