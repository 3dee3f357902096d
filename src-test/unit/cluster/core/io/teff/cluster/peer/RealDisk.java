package io.teff.cluster.peer;

import io.teff.engine.error.StoreException;
import io.teff.engine.os.Platform;
import io.teff.recovery.backup.BackupConfig;
import io.teff.recovery.backup.BackupLog;
import io.teff.recovery.backup.ZoneCopy;
import io.teff.recovery.disk.Choices;
import io.teff.recovery.disk.FaultDisk;
import io.teff.recovery.disk.FaultDisk.Call;
import io.teff.recovery.disk.FaultDisk.Fault;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A disk in memory with the folder and the log of the product, without threads. A process that is killed leaves what it
 * has written and stored to mapped memory. A power cut leaves what was synced; of the rest, each write, page, sector
 * and name is kept or lost by chance.
 */
final class RealDisk implements SimDisk {
    private static final Path FOLDER = FaultDisk.ROOT.resolve("peer");
    private static final int BUFFER_BYTES = 256 << 10;
    private static final int SEGMENT_BYTES = 128 << 10;
    /** While the disk is full, one of so many appends finds room in the write buffer. */
    private static final int ROOM_ODDS = 2;

    private final SimPeer peer;
    private final SplittableRandom random;
    private final Counts counts;
    private final int scale;
    private final Set<ZoneCopy> copies = new HashSet<>();
    private final Set<ZoneCopy> cutCopies = new HashSet<>();
    private FaultDisk disk = new FaultDisk();
    private @Nullable NodeFolder folder;
    private @Nullable BackupLog opened;
    private @Nullable ObservedLog log;
    private boolean isFull;
    private boolean areReadsRefused;
    private boolean isUnreadable;

    /** What has happened to the disks of a run. */
    static final class Counts {
        long openings;
        /** Openings of a log that had copies. */
        long reopenings;
        long refusedOpenings;
        long powerCuts;
        long cleanings;
        /** Logs that have failed. */
        long failures;

        @Override
        public String toString() {
            return "Disks[openings=" + openings + ", reopenings=" + reopenings + ", refusedOpenings=" + refusedOpenings
                + ", powerCuts=" + powerCuts + ", cleanings=" + cleanings + ", failures=" + failures + ']';
        }
    }

    /**
     * Makes it.
     *
     * @param scale how many times as long buffer and segments are as in most runs
     */
    RealDisk(SimPeer peer, Counts counts, int scale) {
        this.peer = peer;
        this.scale = scale;
        this.counts = counts;
        random = peer.world.random;
    }

    private Platform platform() {
        return Platform.SYSTEM.withClock(peer.clock).withThreads((name, _) -> {
            throw new AssertionError("a thread " + name);
        }).withChance(random::nextLong).withDisk(peer.plant().disk(disk));
    }

    @Override
    public boolean open() {
        Platform platform = platform();
        try {
            NodeFolder locked = NodeFolder.open(platform, FOLDER, Peer.LOG);
            folder = locked;
            BackupLog made = BackupLog.open(locked.resolve(Peer.LOG), BackupConfig.builder().ownThreads(false)
                .openThreads(1).writeBufferBytes(scale * BUFFER_BYTES).segmentBytes(scale * SEGMENT_BYTES)
                .platform(platform).build());
            opened = made;
            log = new ObservedLog(peer.plant().copyLog(peer, new DiskCopyLog(made,
                locked.lives()::cutIncarnation, locked.lives()::hasLived)), (copy, last, number, record) -> {
                    copies.add(copy);
                    peer.observer().added(copy, last, number, record);
                }, () -> isFull && random.nextInt(ROOM_ODDS) != 0, peer::syncSoon);
            counts.openings++;
            counts.reopenings += made.copies().isEmpty() ? 0 : 1;
            return true;
        } catch (IOException e) {
            refused(e);
        } catch (StoreException e) {
            refused(e);
            if (e.category() == StoreException.Category.FATAL && !isUnreadable) {
                throw new AssertionError(peer + " cannot open its log", e);
            }
        }
        return false;
    }

    private void refused(Exception why) {
        counts.refusedOpenings++;
        peer.world.tell(peer + " cannot open its log: " + why.getMessage());
        kill();
    }

    @Override
    public @Nullable CopyLog log() {
        return log;
    }

    @Override
    public UUID folder() {
        return Objects.requireNonNull(folder).id();
    }

    @Override
    public boolean begins(int incarnation) {
        return takesNote(lives -> lives.begins(incarnation));
    }

    @Override
    public boolean notesFailure() {
        counts.failures++;
        return takesNote(NodeLives::failed);
    }

    /** Writes to the folder. */
    @FunctionalInterface
    private interface Note {
        void write(NodeLives lives) throws IOException;
    }

    private boolean takesNote(Note note) {
        try {
            note.write(Objects.requireNonNull(folder).lives());
            return true;
        } catch (IOException e) {
            peer.world.tell(peer + " cannot write to its folder: " + e.getMessage());
            return false;
        }
    }

    @Override
    public void work() {
        BackupLog of = opened;
        while (of != null && of.failure() == null && of.work() > 0) {
            // there is more
        }
    }

    // ---- what happens ----

    @Override
    public void kill() {
        FaultDisk left = disk.killed();
        abandon();
        replace(left);
    }

    /** Gives back the memory of a log whose process has ended; what it does at that reaches no disk any more. */
    private void abandon() {
        ObservedLog of = log;
        if (of != null) {
            of.end();
        }
        BackupLog known = opened;
        log = null;
        opened = null;
        folder = null;
        if (known != null) {
            disk.heal();
            disk.limit(Integer.MAX_VALUE);
            if (known.failure() == null) {
                counts.cleanings += known.stats().cleanings();
            }
            try {
                known.close();
            } catch (StoreException e) {
                assert known.failure() != null : e;
            }
        }
    }

    private void replace(FaultDisk by) {
        disk = by;
        limit();
        if (isUnreadable) {
            disk.failFrom(Call.READ, 0, Fault.BROKEN);
        }
    }

    private void limit() {
        if (isFull || areReadsRefused) {
            disk.fillUp(0);
        } else {
            disk.limit(Integer.MAX_VALUE);
        }
    }

    @Override
    public void cutPower() {
        counts.powerCuts++;
        cutCopies.addAll(copies);
        replace(disk.powerCut(Choices.random(random.nextLong())));
    }

    @Override
    public void lose() {
        replace(new FaultDisk());
    }

    @Override
    public void failSync() {
        cutCopies.addAll(copies);
        disk.fail(Call.FORCE, 0, Fault.BROKEN);
        peer.syncSoon();
    }

    @Override
    public void full(boolean is) {
        isFull = is;
        limit();
    }

    @Override
    public void refuseReads(boolean is) {
        areReadsRefused = is;
        limit();
    }

    @Override
    public void damage() {
        isUnreadable = true;
        disk.failFrom(Call.READ, 0, Fault.BROKEN);
    }

    @Override
    public boolean repair() {
        isUnreadable = false;
        disk.heal();
        BackupLog of = opened;
        return of != null && !of.damage().isEmpty();
    }

    @Override
    public boolean wasCut(ZoneCopy copy) {
        return cutCopies.contains(copy);
    }

    @Override
    public void end() {
        abandon();
    }
}
