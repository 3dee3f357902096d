package io.teff.test.crash;

import java.io.IOException;
import java.util.List;

/**
 * Kills a child in which the stacks of threads end in the middle of records of the log, beside its usual load. The
 * load goes on: no thread waits for such a record without end. The next child finds everything that was acknowledged,
 * also what was recorded behind records without an end.
 */
final class Stacks {
    private static final int LIFE_MS_MAX = 300;
    /** Operations of each thread behind the first ended stacks; some of them wait for the log to be drained. */
    private static final int PROGRESS = 150;

    private final CrashRun run;

    Stacks(CrashRun run) {
        this.run = run;
    }

    /** Runs and kills as many children as planned. */
    void run() throws IOException, InterruptedException {
        if (run.plan.stacks() == 0 || !run.report.isGood()) {
            return;
        }
        final CrashRun.Place place = run.place("stacks");
        for (int i = 0; i < run.plan.stacks() && run.report.isGood(); i++) {
            live(place);
            run.say("lives with ended stacks " + (i + 1) + " of " + run.plan.stacks());
        }
        if (run.report.isGood()) {
            run.lookAgain(place);
        }
        run.leave(place);
    }

    private void live(CrashRun.Place place) throws IOException, InterruptedException {
        try (Child child = run.startWithEndedStacks(place)) {
            if (run.awaitWork(child, place)) {
                if (!child.await(() -> child.said(Worker.STACKS) != null)) {
                    run.hang(child, "no stack ends");
                } else if (run.awaitProgress(child, place, PROGRESS)) {
                    child.letRun(run.random.nextDouble() * LIFE_MS_MAX);
                }
            }
            final boolean wasAlive = child.isAlive();
            child.kill();
            run.report.killed(false);
            final List<String> said = child.lines();
            run.report.stacksEnded((int) said.stream().filter(line -> line.startsWith(Worker.STACKS + " ")).count());
            run.judge(child, wasAlive);
        }
    }
}
