package io.teff.cluster.job;

import io.teff.cluster.WriteLevel;
import io.teff.cluster.net.message.Answer;
import io.teff.cluster.operation.JobCommit;
import io.teff.cluster.operation.JobCommit.Outcome;
import io.teff.cluster.operation.ZoneHost.Verdict;
import io.teff.engine.ChunkJob;
import io.teff.engine.compute.Compute;
import io.teff.engine.compute.JobException;
import io.teff.engine.compute.JobOptions;
import io.teff.engine.os.Deadline;
import io.teff.engine.os.FailureText;
import io.teff.engine.work.JobTexts;
import org.jspecify.annotations.Nullable;

/** A job at a peer, from its request to its answer. Run by one thread, cancelled and asked again by any. */
final class ServedJob implements Runnable {
    private static final WriteLevel[] LEVELS = WriteLevel.values();

    private final JobHost home;
    private final JobRequest request;
    private final Deadline limit;
    private final Runnable ended;
    private volatile boolean isCancelled;
    private volatile boolean hasBegun;
    /** Where the answer goes, and the answer. Guarded by this. */
    private Answer<JobAnswer> to;
    private @Nullable JobAnswer answer;

    ServedJob(JobHost home, JobRequest request, Answer<JobAnswer> to, Runnable ended) {
        this.home = home;
        this.request = request;
        this.to = to;
        this.ended = ended;
        limit = Deadline.in(home.platform().clock(), request.timeoutNs());
    }

    /** The client has sent the job again, because it has lost the way of the first answer. */
    synchronized void askedAgain(Answer<JobAnswer> next) {
        to = next;
        if (answer != null) {
            next.complete(answer);
        }
    }

    void cancel() {
        isCancelled = true;
    }

    private boolean isOver() {
        return isCancelled || limit.isOver();
    }

    // ---- running ----

    @Override
    public void run() {
        if (isOver()) {
            answer(JobAnswer.CANCELLED, "the job was cancelled before it has begun");
            return;
        }
        try {
            begin();
        } catch (DeposedException _) {
            notHere();
        } catch (ExpiredException e) {
            answer(JobAnswer.EXPIRED, FailureText.of(e));
        } catch (Exception | Error e) {                         // of the application: an answer to its caller
            final JobException failure = JobTexts.failure("job " + request.name(), e);
            answer(code(failure.reason()), FailureText.of(failure));
        }
    }

    private static int code(JobException.Reason reason) {
        return switch (reason) {
            case UNKNOWN -> JobAnswer.UNKNOWN;
            case REFUSED -> JobAnswer.REFUSED;
            case BUSY -> JobAnswer.BUSY;
            case CANCELLED, TIMED_OUT -> JobAnswer.CANCELLED;
            default -> JobAnswer.FAILED;
        };
    }

    private void begin() throws Exception {
        final int zone = request.zone();
        if (zone != 0) {
            if (home.zones().serving(zone) == null) {
                notHere();
                return;
            }
            final JobCommit.Result known = JobCommit.known(home.zones(), zone, request.session(), request.ticket());
            if (known != null) {
                known(known);
                return;
            }
        }
        final ChunkJob job = home.code().job(request.name());
        if (job == null) {
            throw JobTexts.unknown(request.name(), home.node().toString(), home.code().whyNoJob(request.name()));
        }
        hasBegun = true;
        PeerJob.Call call = new PeerJob.Call(zone, request.cid(), request.argument(), request.attempt(),
            request.session(), request.ticket());
        while (!isOver()) {
            if (run(job, call)) {
                return;
            }
            call = call.again();
        }
        answer(JobAnswer.CANCELLED, "the job was cancelled");
    }

    /** Runs the job once; false if another change was faster. */
    private boolean run(ChunkJob job, PeerJob.Call call) throws Exception {
        final PeerJob context = new PeerJob(home, call, this::isOver);
        final byte[] result = JobTexts.checked("job " + request.name(), job.run(context), request.session() == 0
            ? Compute.BYTES_MAX : JobOptions.ONCE_RESULT_BYTES_MAX);
        final JobCommit.Result made = context.end(result);
        if (made == null) {
            afterRead(result);
        } else if (made.outcome() == Outcome.CONFLICT) {
            return false;
        } else if (made.outcome() == Outcome.REPEATED) {
            known(made);
        } else if (call.zone() == 0) {
            answer(new JobAnswer(JobAnswer.DONE, result, null));
        } else {
            afterChange(made.number(), result);
        }
        return true;
    }

    // ---- answers ----

    private void afterRead(byte[] result) {
        if (request.zone() == 0) {
            answer(new JobAnswer(JobAnswer.DONE, result, null));
        } else {
            home.zones().afterReadOfAll(request.zone(), verdict -> verdict(verdict, result));
        }
    }

    private void afterChange(long number, byte[] result) {
        home.zones().afterChange(request.zone(), number, LEVELS[Math.floorMod(request.level(), LEVELS.length)],
            verdict -> verdict(verdict, result));
    }

    private void verdict(Verdict verdict, byte[] result) {
        if (verdict == Verdict.SERVED) {
            answer(new JobAnswer(JobAnswer.DONE, result, null));
        } else {
            notHere();
        }
    }

    /** Answers without running: an earlier run has changed, or the job cannot run now. */
    private void known(JobCommit.Result of) {
        final byte[] value = of.value();
        switch (of.outcome()) {
            case REPEATED -> afterChange(0, value == null ? new byte[0] : value);
            case EXPIRED -> answer(JobAnswer.EXPIRED, "the session of the client has ended");
            case BUSY -> answer(JobAnswer.BUSY, "an earlier run makes its changes");
            default -> notHere();
        }
    }

    private void notHere() {
        answer(new JobAnswer(hasBegun ? JobAnswer.DEPOSED : JobAnswer.NOT_HERE, new byte[0],
            home.zones().row(request.zone())));
    }

    private void answer(int code, String text) {
        answer(JobAnswer.of(code, text));
    }

    private void answer(JobAnswer end) {
        synchronized (this) {
            answer = end;
            to.complete(end);
        }
        ended.run();
    }
}
