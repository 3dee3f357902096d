package io.teff.test.crash;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The parent: kills and restarts a child repeatedly. Each child compares before it works, so a kill is judged by the
 * next process on the same store, which continues from the observed state.
 */
final class CrashRun {
    private static final double STOP_SHARE = 0.1;
    private static final double OPENING_SHARE = 0.2;
    private static final double SYNCED_SHARE = 0.1;
    private static final double SMALL_HEAP_SHARE = 0.3;
    private static final int SMALL_HEAP_MIB = 48;
    private static final int HEAP_MIB = 512;
    private static final int LIFE_MS_MAX = 1200;
    private static final int FIRST_OPENING_MS = 300;
    /** Allowance for the start of the JVM and other time between two output lines. */
    private static final int OPENING_MS_MORE = 100;
    private static final int PROGRESS_MIN = 20;
    /** Segments of a place after any number of sessions: some five times what sessions leave. */
    private static final long SEGMENTS_BYTES_MAX = 1L << 27;

    final CrashPlan plan;
    final CrashReport report = new CrashReport();
    final SplittableRandom random;
    private final Consumer<String> progress;
    private int round;
    private double openingMs = FIRST_OPENING_MS;

    private CrashRun(CrashPlan plan, Consumer<String> progress) {
        this.plan = plan;
        this.random = new SplittableRandom(plan.seed());
        this.progress = progress;
    }

    /**
     * Runs a plan to its end or to the first violation, after which the folder is kept.
     *
     * @param plan the plan
     * @param progress receives a line now and then
     * @return the observations
     */
    static CrashReport run(CrashPlan plan, Consumer<String> progress) throws IOException, InterruptedException {
        final CrashRun run = new CrashRun(plan, progress);
        run.kills();
        final Tracer tracer = new Tracer(run);
        tracer.calls();
        tracer.errors();
        new FullDisk(run).run();
        new Wounds(run).run();
        new Stacks(run).run();
        return run.report;
    }

    // ---- shared parts ----

    /** A store, and the ledger of its changes. */
    record Place(Path folder, Path store, Path ledger) {}

    /** Creates a new place. */
    Place place(String name) throws IOException {
        final Path folder = Files.createDirectories(plan.folder().resolve(name));
        return new Place(folder, folder.resolve("store"), folder.resolve("ledger"));
    }

    /** Starts a child process on a place. */
    Child start(Place place, List<String> before, boolean isTolerant) throws IOException {
        return start(place, before, isTolerant, false);
    }

    /** Starts a child process in which stacks of threads end, too. */
    Child startWithEndedStacks(Place place) throws IOException {
        return start(place, List.of(), false, true);
    }

    private Child start(Place place, List<String> before, boolean isTolerant, boolean endsStacks) throws IOException {
        round++;
        final boolean isSynced = !isTolerant && random.nextDouble() < SYNCED_SHARE;
        final WorkerPlan life = new WorkerPlan(place.store(), place.ledger(), random.nextLong(), isSynced, isTolerant,
            endsStacks, plan.plant());
        final int heapMib = random.nextDouble() < SMALL_HEAP_SHARE ? SMALL_HEAP_MIB : HEAP_MIB;
        return Child.start(life, before, heapMib, plan.hangSeconds());
    }

    void say(String text) {
        progress.accept(text);
    }

    /** Evaluates the output of a child, and its exit unless it was killed. */
    void judge(Child child, boolean wasKilled) {
        for (String line : child.lines()) {
            if (Wrong.isLine(line)) {
                wrong(Wrong.parse(line));
            }
        }
        final String opened = child.said(Worker.OPENED);
        if (opened != null) {
            report.recovered(Long.parseLong(opened));
            openingMs = Long.parseLong(opened) / 1000.0;
        }
        final boolean isExpected = wasKilled || child.exitCode() == Worker.EXIT_GOOD
            || child.exitCode() == Worker.EXIT_REFUSED || child.exitCode() == Worker.EXIT_FAILED;
        if (!isExpected && report.isGood()) {
            wrong(new Wrong(Wrong.Kind.DIED, "exit code " + child.exitCode() + ", it said " + child.lines()));
        }
    }

    /** Checks that the segments of a place take no more room than its content, which has a bound, justifies. */
    private void judgeFolder(Place place) throws IOException {
        long bytes = 0;
        try (Stream<Path> files = Files.list(place.store().resolve("segments"))) {
            for (Path file : files.toList()) {
                bytes += Files.size(file);
            }
        } catch (NoSuchFileException _) {
            return;                                             // it was killed before it made the folder
        }
        report.segments(bytes);
        if (bytes > SEGMENTS_BYTES_MAX) {
            wrong(new Wrong(Wrong.Kind.FOLDER, "the segments have " + bytes + " bytes, at most " + SEGMENTS_BYTES_MAX
                + " were expected"));
        }
    }

    /** Records a violation. */
    void wrong(Wrong wrong) {
        report.wrong(new Wrong(wrong.kind(), "round " + round + ": " + wrong.text()));
    }

    /** Records a child that does not respond in time. */
    void hang(Child child, String what) throws IOException, InterruptedException {
        final Path threads = plan.folder().resolve("threads-" + round + ".txt");
        Files.writeString(threads, child.threads());
        wrong(new Wrong(Wrong.Kind.HANG, what + "; its threads are in " + threads));
    }

    /** Waits until a child works; returns false if it ends or hangs before. */
    boolean awaitWork(Child child, Place place) throws IOException, InterruptedException {
        if (!child.await(() -> child.said(Worker.CHECKED) != null)) {
            hang(child, "the store is not opened");
            return false;
        }
        if (child.said(Worker.CHECKED) == null) {
            return false;
        }
        return awaitProgress(child, place, PROGRESS_MIN);
    }

    /** Waits until each thread of a child has done some operations; returns false if the child ends or hangs before. */
    boolean awaitProgress(Child child, Place place, long count) throws IOException, InterruptedException {
        try (Ledger ledger = Ledger.open(place.ledger())) {
            for (int i = 0; i < Ledger.THREADS; i++) {
                final int thread = i;
                final long goal = ledger.operations(thread) + count;
                if (!child.await(() -> ledger.operations(thread) >= goal)) {
                    hang(child, "thread " + thread + " does nothing");
                    return false;
                }
            }
        }
        return child.isAlive();
    }

    /** Runs a child without faults, to compare the state left by the one before. */
    void lookAgain(Place place) throws IOException, InterruptedException {
        try (Child child = start(place, List.of(), false)) {
            final boolean isWorking = awaitWork(child, place);
            stop(child, isWorking);
        }
    }

    /** Stops a child regularly. */
    void stop(Child child, boolean isWorking) throws IOException, InterruptedException {
        if (!isWorking && child.isAlive() || !child.stop()) {
            if (report.isGood()) {
                hang(child, "it does not stop");
            }
            child.kill();
            judge(child, true);
        } else {
            report.stopped();
            judge(child, false);
        }
    }

    /** Adds the operations of a place to the report, and deletes the place if there was no violation. */
    void leave(Place place) throws IOException {
        try (Ledger ledger = Ledger.open(place.ledger())) {
            report.add(ledger.operations(), ledger.refused());
        }
        if (report.isGood()) {
            delete(place.folder());
        }
    }

    static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).forEach(file -> {
                try {
                    Files.delete(file);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
    }

    // ---- kills at random moments ----

    private void kills() throws IOException, InterruptedException {
        if (plan.kills() == 0) {
            return;
        }
        final Place place = place("kills");
        for (int kill = 0; kill < plan.kills() && report.isGood();) {
            try (Child child = start(place, List.of(), false)) {
                if (random.nextDouble() < STOP_SHARE) {
                    stop(child, awaitWork(child, place));
                } else {
                    kill(child, place);
                    kill++;
                }
            }
            judgeFolder(place);
            if (kill % 10 == 0) {
                say("kills " + kill + " of " + plan.kills());
            }
        }
        if (report.isGood()) {
            lookAgain(place);
        }
        leave(place);
    }

    private void kill(Child child, Place place) throws IOException, InterruptedException {
        if (random.nextDouble() < OPENING_SHARE) {
            child.await(() -> child.said(Worker.STARTED) != null);
            child.letRun(random.nextDouble() * (openingMs + OPENING_MS_MORE));
        } else if (awaitWork(child, place)) {
            child.letRun(random.nextDouble() * LIFE_MS_MAX);
        }
        final boolean wasAlive = child.isAlive();
        child.kill();
        report.killed(child.said(Worker.CHECKED) == null);
        judge(child, wasAlive);
    }
}
