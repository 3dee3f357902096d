package io.teff.cluster.job;

import io.teff.cluster.job.StepAnswer.End;
import io.teff.cluster.operation.JobCommit;
import io.teff.cluster.operation.JobCommit.Outcome;
import io.teff.cluster.operation.ZoneHost.Verdict;
import io.teff.engine.GroupTask;
import io.teff.engine.compute.Compute;
import io.teff.engine.compute.JobException;
import io.teff.engine.os.Deadline;
import io.teff.engine.os.FailureText;
import io.teff.engine.work.JobTexts;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/** A worker in one step at a peer, from its messages to its end. Run by one thread. */
final class WorkerRun implements Runnable {
    private final JobHost home;
    private final PeerGroup group;
    private final StepRequest step;
    private final int worker;
    private final Deadline limit;
    private final BooleanSupplier fetching;
    private final CompletableFuture<End> end;
    private volatile boolean hasBegun;

    /**
     * Makes a run.
     *
     * @param fetching copies the messages of the worker from their node; false if they are not there
     * @param end receives the end of the worker
     */
    WorkerRun(JobHost home, PeerGroup group, StepRequest step, int worker, Deadline limit, BooleanSupplier fetching,
              CompletableFuture<End> end) {
        this.home = home;
        this.group = group;
        this.step = step;
        this.worker = worker;
        this.limit = limit;
        this.fetching = fetching;
        this.end = end;
    }

    private boolean isOver() {
        return group.isEnded() || limit.isOver();
    }

    @Override
    public void run() {
        try {
            if (isOver()) {
                end(JobAnswer.CANCELLED, "the step was cancelled before the worker has begun");
            } else {
                begin();
            }
        } catch (DeposedException e) {
            end(deposed(), FailureText.of(e));
        } catch (Exception | Error e) {                         // of the application: an answer to its caller
            final JobException failure = JobTexts.failure("task " + step.task(), e);
            end(switch (failure.reason()) {
                case UNKNOWN -> JobAnswer.UNKNOWN;
                case REFUSED -> JobAnswer.REFUSED;
                case CANCELLED, TIMED_OUT -> home.zones().serving(zone()) == null ? deposed()
                    : JobAnswer.CANCELLED;
                case LOST -> End.MESSAGES_LOST;
                default -> JobAnswer.FAILED;
            }, FailureText.of(failure));
        }
    }

    private int deposed() {
        return hasBegun ? JobAnswer.DEPOSED : JobAnswer.NOT_HERE;
    }

    private int zone() {
        return step.map().zones()[worker];
    }

    private void begin() throws Exception {
        if (home.zones().serving(zone()) == null) {
            end(JobAnswer.NOT_HERE, home.node() + " does not serve zone " + zone());
            return;
        }
        final GroupTask task = home.code().task(step.task());
        if (task == null) {
            throw JobTexts.unknown(step.task(), home.node().toString(), home.code().whyNoTask(step.task()));
        }
        final int source = step.map().sources()[worker];
        if (source != 0 && !fetching.getAsBoolean()) {
            end(End.MESSAGES_LOST, "node " + source + " has no messages for worker " + worker + " any more");
            return;
        }
        hasBegun = true;
        final PeerTask context = new PeerTask(home, group, step, worker, this::isOver);
        final byte[] result = JobTexts.checked("task " + step.task(), task.run(context), Compute.BYTES_MAX);
        final JobCommit.Result made = context.end(result);
        if (made != null && made.outcome() == Outcome.CONFLICT) {
            end(JobAnswer.FAILED, "task " + step.task() + " has failed: another change of a chunk was faster");
            return;
        }
        context.flush();
        home.zones().afterReadOfAll(zone(), verdict -> {
            if (verdict == Verdict.SERVED) {
                end.complete(new End(worker, JobAnswer.DONE, result));
            } else {
                end(JobAnswer.DEPOSED, home.node() + " has lost zone " + zone());
            }
        });
    }

    private void end(int code, String text) {
        end.complete(new End(worker, code, text.getBytes(StandardCharsets.UTF_8)));
    }
}
