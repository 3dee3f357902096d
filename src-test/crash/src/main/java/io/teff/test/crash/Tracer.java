package io.teff.test.crash;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Kills a child at its n-th system call, for increasing n, and makes calls fail, both with strace. Calls are counted
 * for each thread of the child; opening is included, so most small numbers occur there.
 */
final class Tracer {
    private static final String WRITES = "pwrite64";
    private static final String SYNCS = "fdatasync,fsync";
    private static final String NAMES = "rename,renameat,renameat2,unlink,unlinkat,ftruncate,fallocate,mkdir";
    private static final int LIFE_MS = 600;
    private static final int CALL_MAX = 60;
    /** Number of consecutive calls that find the disk full. */
    private static final int FULL_CALLS = 12;
    private static final int PROGRESS_AFTER_FULL = 200;
    private static final String EIO = "EIO";
    private static final String ENOSPC = "ENOSPC";

    private final CrashRun run;

    Tracer(CrashRun run) {
        this.run = run;
    }

    private boolean isMissing(String what) throws InterruptedException {
        final boolean isHere = Tool.run("strace", "-f", "-qqq", "-e", "trace=none", "true");
        if (!isHere) {
            run.report.skip(what + ": strace is not installed here, or may not trace");
        }
        return !isHere;
    }

    /** Without strace's filter in the kernel: with it, strace 6.1 sends a signal only at the first call. */
    private static List<String> command(String calls, String injection, Path output) {
        return List.of("strace", "-f", "-qqq", "-o", output.toString(), "-e", "trace=" + calls, "-e",
            "inject=" + calls + ":" + injection);
    }

    // ---- kills ----

    void calls() throws IOException, InterruptedException {
        if (run.plan.calls() == 0 || !run.report.isGood() || isMissing("kills at calls of the system")) {
            return;
        }
        final CrashRun.Place old = run.place("calls");
        for (int call = 1; call <= run.plan.calls() && run.report.isGood(); call++) {
            killAt(old, WRITES, call);
            killAt(old, SYNCS + "," + NAMES, call);
            final CrashRun.Place fresh = run.place("fresh-" + call);
            killAt(fresh, call % 2 == 0 ? WRITES : SYNCS + "," + NAMES, call);
            killAt(fresh, WRITES, 2 * call);
            look(fresh);
            run.say("calls " + call + " of " + run.plan.calls());
        }
        look(old);
    }

    /** Compares the state left by the last process, and leaves the place. */
    private void look(CrashRun.Place place) throws IOException, InterruptedException {
        if (run.report.isGood()) {
            run.lookAgain(place);
        }
        run.leave(place);
    }

    private void killAt(CrashRun.Place place, String calls, int call) throws IOException, InterruptedException {
        if (!run.report.isGood()) {
            return;
        }
        final Path output = place.folder().resolve("calls.txt");
        try (Child child = run.start(place, command(calls, "signal=KILL:when=" + call, output), false)) {
            if (!child.await(() -> child.said(Worker.CHECKED) != null)) {
                run.hang(child, "the store is not opened, traced for " + calls);
            }
            child.letRun(LIFE_MS);
            if (!child.isAlive()) {
                run.report.killedAtCall();
            }
            child.kill();
            run.judge(child, true);
        }
    }

    // ---- failing calls ----

    void errors() throws IOException, InterruptedException {
        if (run.plan.errors() == 0 || !run.report.isGood() || isMissing("failing calls of the system")) {
            return;
        }
        final CrashRun.Place place = run.place("errors");
        for (int i = 0; i < run.plan.errors() && run.report.isGood(); i++) {
            fail(place, WRITES, EIO);
            fail(place, SYNCS, EIO);
            fail(place, WRITES, ENOSPC);
            fail(place, SYNCS, ENOSPC);
            run.say("failing calls " + (i + 1) + " of " + run.plan.errors());
        }
        run.leave(place);
    }

    private void fail(CrashRun.Place place, String calls, String error) throws IOException, InterruptedException {
        if (!run.report.isGood()) {
            return;
        }
        final int first = 1 + run.random.nextInt(CALL_MAX);
        final boolean canPass = error.equals(ENOSPC) && calls.equals(WRITES);
        final String when = ":when=" + first + (canPass ? ".." + (first + FULL_CALLS) : "");
        final Path output = place.folder().resolve("calls.txt");
        try (Child child = run.start(place, command(calls, "error=" + error + when, output), true)) {
            final boolean isWorking = run.awaitWork(child, place);
            if (isWorking && canPass) {
                child.letRun(LIFE_MS);
                run.awaitProgress(child, place, PROGRESS_AFTER_FULL);
            } else if (isWorking) {
                child.letRun(LIFE_MS);
            }
            run.stop(child, isWorking);
            final String failure = child.said(Worker.FAILED);
            final String refusal = child.said(Worker.REFUSED);
            if (failure != null && canPass && failure.startsWith("FATAL")) {
                run.wrong(new Wrong(Wrong.Kind.AUDIT, "a full disk has closed the log: " + failure));
            }
            if (Files.readString(output).contains("INJECTED")) {
                run.report.callFailed(failure != null || refusal != null);
            }
        }
        if (run.report.isGood()) {
            run.lookAgain(place);
        }
    }
}
