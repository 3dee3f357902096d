package io.teff.test.crash;

import io.teff.recovery.tool.LogTool;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * Damages the folder that a killed child has left: a file is missing, cut, zeroed, or that of another store. The next
 * child is refused with the name of a file, or has everything; then the file is put back, and nothing may be lost. In
 * another life the child loses the lock of its folder: it stops by itself, with the reason.
 */
final class Wounds {
    private static final int LIFE_MS_MAX = 400;

    /** Ways to damage a file. */
    private enum Way { MISSING, CUT, ZEROED, FOREIGN }

    private final CrashRun run;

    Wounds(CrashRun run) {
        this.run = run;
    }

    /** Damages folders as often as planned. */
    void run() throws IOException, InterruptedException {
        if (run.plan.wounds() == 0) {
            return;
        }
        final CrashRun.Place place = run.place("wounds");
        final CrashRun.Place other = run.place("other");
        live(other);
        for (int wound = 0; wound < run.plan.wounds() && run.report.isGood(); wound++) {
            live(place);
            if (run.report.isGood()) {
                wound(place, other, Way.values()[wound % Way.values().length]);
            }
            if (run.report.isGood()) {
                loseLock(place);
            }
            run.say("wounds " + (wound + 1) + " of " + run.plan.wounds());
        }
        if (run.report.isGood()) {
            run.lookAgain(place);
        }
        run.leave(place);
        run.leave(other);
    }

    /** Lets a child work, and kills it. */
    private void live(CrashRun.Place place) throws IOException, InterruptedException {
        try (Child child = run.start(place, List.of(), false)) {
            if (run.awaitWork(child, place)) {
                child.letRun(run.random.nextDouble() * LIFE_MS_MAX);
            }
            final boolean wasAlive = child.isAlive();
            child.kill();
            run.report.killed(false);
            run.judge(child, wasAlive);
        }
    }

    private void wound(CrashRun.Place place, CrashRun.Place other, Way way) throws IOException, InterruptedException {
        final Path kept = run.plan.folder().resolve("kept");
        copy(place.store(), kept);
        final Path ledger = run.plan.folder().resolve("kept-ledger");
        Files.copy(place.ledger(), ledger);
        final Path victim = victim(place.store(), way);
        damage(victim, other.store().resolve(place.store().relativize(victim)), way);
        final String what = way + " " + place.store().relativize(victim);
        try (Child child = run.start(place, List.of(), true)) {
            final boolean isWorking = run.awaitWork(child, place);
            run.stop(child, isWorking);
            final String refused = child.said(Worker.REFUSED);
            if (refused != null && !refused.contains("FATAL")) {
                run.wrong(new Wrong(Wrong.Kind.AUDIT, what + " was refused without naming damage: " + refused));
            }
            run.report.wounded(refused != null);
            if (refused != null && run.report.isGood()) {
                CrashRun.delete(place.store());
                move(kept, place.store());
                LogTool.adopt(place.store(), "the crash lane");
                Files.delete(place.ledger());
                Files.move(ledger, place.ledger());
            } else {
                CrashRun.delete(kept);
                Files.delete(ledger);
            }
        }
    }

    /**
     * Returns a file that counts: every one but the lock. The end of a segment that was being written looks cut after
     * any kill, so segments are not cut.
     */
    private Path victim(Path store, Way way) throws IOException {
        try (Stream<Path> files = Files.walk(store)) {
            final List<Path> all = files.filter(Files::isRegularFile).filter(file -> !file.endsWith("lock"))
                .filter(file -> way != Way.CUT || store.equals(file.getParent())).sorted().toList();
            return all.get(run.random.nextInt(all.size()));
        }
    }

    private void damage(Path file, Path foreign, Way way) throws IOException {
        final long size = Files.size(file);
        switch (way) {
            case MISSING -> Files.delete(file);
            case CUT -> {
                try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                    channel.truncate((long) (run.random.nextDouble() * size));
                }
            }
            case ZEROED -> {
                try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                    for (long at = 0; at < size;) {
                        at += channel.write(ByteBuffer.allocate((int) Math.min(size - at, 1 << 20)), at);
                    }
                }
            }
            case FOREIGN -> {
                Files.delete(file);
                if (Files.exists(foreign)) {
                    Files.copy(foreign, file);
                }
            }
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.sorted(Comparator.naturalOrder()).toList()) {
                final Path target = to.resolve(from.relativize(file));
                if (Files.isDirectory(file)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(file, target);
                }
            }
        }
    }

    private static void move(Path from, Path to) throws IOException {
        Files.move(from, Objects.requireNonNull(to));
    }

    /** Takes the lock away from a child, which must notice that by itself. */
    private void loseLock(CrashRun.Place place) throws IOException, InterruptedException {
        try (Child child = run.start(place, List.of(), true)) {
            if (run.awaitWork(child, place)) {
                if (run.plan.plant() != Plant.BLIND) {
                    Files.delete(place.store().resolve("lock"));
                }
                if (!child.awaitEnd()) {
                    run.hang(child, "it works on without its lock");
                    child.kill();
                    run.judge(child, true);
                    return;
                }
                final String failed = child.said(Worker.FAILED);
                if (failed == null || !failed.contains("FATAL") || !failed.contains("lost")) {
                    run.wrong(new Wrong(Wrong.Kind.AUDIT, "it lost its lock and said " + child.lines()));
                }
            }
            run.judge(child, false);
        }
    }
}
