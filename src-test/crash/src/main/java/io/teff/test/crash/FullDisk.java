package io.teff.test.crash;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * Fills the disk under a working child: a file system in memory, with ballast. Changes that add are refused, reads and
 * removals continue; when the ballast is removed, all changes continue without intervention. Then once more, with a
 * kill while the disk is full, and once with a regular end. After both, the store is opened on the full disk.
 */
final class FullDisk {
    private static final int DISK_MB = 512;
    private static final int BALLAST_STEP_BYTES = 1 << 16;
    private static final int READS_WHILE_FULL = 1000;
    private static final int REFUSED_MIN = 20;
    private static final int PROGRESS_AFTER_FULL = 500;
    private static final int REMOVALS_WHILE_FULL = 200;
    private static final int ENDS = 3;

    private final CrashRun run;

    FullDisk(CrashRun run) {
        this.run = run;
    }

    void run() throws IOException, InterruptedException {
        if (run.plan.fulls() == 0 || !run.report.isGood()) {
            return;
        }
        final CrashRun.Place outer = run.place("full");
        final Path disk = Files.createDirectories(outer.folder().resolve("disk"));
        if (!Tool.run("mount", "-t", "tmpfs", "-o", "size=" + DISK_MB + "m", "teff-crash", disk.toString())) {
            run.report.skip("full disks: a file system in memory cannot be mounted here, which only root may");
            return;
        }
        final CrashRun.Place place = new CrashRun.Place(disk, disk.resolve("store"), outer.ledger());
        try {
            for (int i = 0; i < run.plan.fulls() && run.report.isGood(); i++) {
                fillUp(place, End.values()[i % ENDS]);
                run.say("full disks " + (i + 1) + " of " + run.plan.fulls());
            }
            if (run.report.isGood()) {
                run.lookAgain(place);
            }
        } finally {
            Tool.run("umount", disk.toString());
        }
        run.leave(outer);
    }

    /** What happens to the child on the full disk. */
    private enum End { GOES_ON, KILLED, STOPPED }

    private void fillUp(CrashRun.Place place, End end) throws IOException, InterruptedException {
        final Path ballast = place.folder().resolve("ballast");
        try (Child child = run.start(place, List.of(), true)) {
            final boolean isWorking = run.awaitWork(child, place) && awaitFull(child, place, ballast);
            run.report.diskFull();
            if (!isWorking || end == End.GOES_ON) {
                Files.deleteIfExists(ballast);
                run.stop(child, isWorking && run.awaitProgress(child, place, PROGRESS_AFTER_FULL));
                return;
            }
            if (end == End.KILLED) {
                child.kill();
                run.report.killed(false);
                run.judge(child, true);
            } else {
                run.stop(child, true);
                judgeEnd(child);
            }
        }
        if (run.report.isGood()) {
            openWhileFull(place);
        }
        Files.deleteIfExists(ballast);
    }

    /** Checks that the store was opened and closed. */
    private void judgeEnd(Child child) {
        for (String word : List.of(Worker.REFUSED, Worker.FAILED)) {
            final String said = child.said(word);
            if (said != null) {
                run.wrong(new Wrong(Wrong.Kind.TRAPPED, "on a full disk it " + word + ": " + said));
            }
        }
    }

    /**
     * Ballast that grows while the store has its whole reserve: it must not take what the store gives back on a full
     * disk, because a store promises nothing where other programs do.
     */
    private static final class Ballast {
        private static final String RESERVE = "reserve-";

        private final byte[] step = new byte[BALLAST_STEP_BYTES];
        private final Path store;
        private final RandomAccessFile file;
        private int pieces;

        Ballast(Path store, RandomAccessFile file) {
            this.store = store;
            this.file = file;
        }

        /** Adds ballast as far as there is room; always returns false, for use in a condition. */
        boolean isAdded() {
            try {
                while (isReserveWhole()) {
                    file.write(step);
                }
            } catch (IOException _) {
                // full, as it is to be
            }
            return false;
        }

        private boolean isReserveWhole() {
            final String[] names = Objects.requireNonNull(store.toFile().list());
            final int now = (int) Arrays.stream(names).filter(it -> it.startsWith(RESERVE)).count();
            pieces = Math.max(pieces, now);
            return now == pieces;
        }
    }

    /**
     * Adds ballast until changes are refused, and checks that reads and removals continue; returns false if that does
     * not happen in time.
     */
    private boolean awaitFull(Child child, CrashRun.Place place, Path ballast)
        throws IOException, InterruptedException {
        try (Ledger ledger = Ledger.open(place.ledger());
             RandomAccessFile file = new RandomAccessFile(ballast.toFile(), "rw")) {
            final long goal = ledger.refused() + REFUSED_MIN;
            final Ballast more = new Ballast(place.store(), file);
            if (!child.await(() -> ledger.refused() >= goal || more.isAdded())) {
                run.hang(child, "the disk is full, and changes are neither made nor refused");
                return false;
            }
            final long reads = ledger.reads() + READS_WHILE_FULL;
            if (!child.await(() -> ledger.reads() >= reads)) {
                run.hang(child, "the disk is full, and reads do not go on");
                return false;
            }
            return isRemoving(child, ledger);
        }
    }

    /** Checks that removals are made on a full disk, and that none was refused on any. */
    private boolean isRemoving(Child child, Ledger ledger) throws IOException, InterruptedException {
        final long removed = ledger.removed() + REMOVALS_WHILE_FULL;
        if (!child.await(() -> ledger.removed() >= removed || ledger.removalsRefused() > 0)) {
            run.hang(child, "the disk is full, and removals do not go on");
            return false;
        }
        if (ledger.removalsRefused() > 0) {
            child.await(() -> child.said(Worker.REMOVAL_REFUSED) != null);
            run.wrong(new Wrong(Wrong.Kind.TRAPPED, "on a full disk " + ledger.removalsRefused()
                + " removals are refused: " + child.said(Worker.REMOVAL_REFUSED)));
        }
        return child.isAlive();
    }

    /** Opening on a full disk succeeds and loses nothing, and removals go on. */
    private void openWhileFull(CrashRun.Place place) throws IOException, InterruptedException {
        try (Child child = run.start(place, List.of(), true); Ledger ledger = Ledger.open(place.ledger())) {
            if (!child.await(() -> child.said(Worker.CHECKED) != null)) {
                run.hang(child, "the disk is full, and the store is not opened");
            } else if (isRemoving(child, ledger)) {
                run.stop(child, true);
                judgeEnd(child);
                return;
            }
            final boolean wasAlive = child.isAlive();
            child.kill();
            run.judge(child, wasAlive);
            judgeEnd(child);
        }
    }
}
