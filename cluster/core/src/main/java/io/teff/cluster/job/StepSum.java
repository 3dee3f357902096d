package io.teff.cluster.job;

import io.teff.cluster.job.StepAnswer.End;
import io.teff.engine.compute.Reduction;
import io.teff.engine.os.FailureText;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Adds the ends of workers to one answer, and combines their numbers. For one thread. */
public final class StepSum {
    private final Reduction reduction;
    private final long bytesMax;
    private final List<End> ends = new ArrayList<>();
    private int[] done = {};
    private long[] reduced = {};
    private long bytes;
    private boolean hasFailed;

    /**
     * Begins without ends.
     *
     * @param reduction of the step
     * @param bytesMax most bytes of all results; further workers have failed
     */
    public StepSum(Reduction reduction, long bytesMax) {
        this.reduction = reduction;
        this.bytesMax = bytesMax;
    }

    /** Adds the end of a worker that is known; always true. */
    boolean add(CompletableFuture<End> end) {
        add(end.join());
        return true;
    }

    /** Returns whether a worker has failed for good, so that the step fails. */
    boolean hasFailed() {
        return hasFailed;
    }

    /**
     * Adds the end of a worker.
     *
     * @param end of the worker
     */
    void add(End end) {
        hasFailed |= end.code() == JobAnswer.FAILED || end.code() == JobAnswer.UNKNOWN
            || end.code() == JobAnswer.REFUSED;
        if (end.code() != JobAnswer.DONE || reduction == Reduction.GATHER) {
            bytes += end.content().length;
            ends.add(bytes <= bytesMax ? end : failed(end.worker(), "the results of all workers have more than "
                + bytesMax + " bytes"));
            return;
        }
        try {
            reduced = reduction.combine(reduced, Reduction.numbers(end.content()));
            done = Arrays.copyOf(done, done.length + 1);
            done[done.length - 1] = end.worker();
        } catch (IllegalArgumentException e) {
            ends.add(failed(end.worker(), FailureText.of(e)));
        }
    }

    private static End failed(int worker, String text) {
        return new End(worker, JobAnswer.FAILED, text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Adds an answer.
     *
     * @param part the ends of other workers
     */
    public void add(StepAnswer part) {
        part.ends().forEach(this::add);
        if (part.done().length > 0) {
            reduced = reduction.combine(reduced, part.reduced());
            final int from = done.length;
            done = Arrays.copyOf(done, from + part.done().length);
            System.arraycopy(part.done(), 0, done, from, part.done().length);
        }
    }

    /**
     * Adds the workers of a place that has not answered.
     *
     * @param place the node with its workers
     */
    public void addLost(StepRequest.Place place) {
        for (int worker : place.workers()) {
            ends.add(new End(worker, End.LOST, ("node " + place.nid() + " has not answered")
                .getBytes(StandardCharsets.UTF_8)));
        }
    }

    /** {@return the answer} */
    public StepAnswer answer() {
        return new StepAnswer(ends, done, reduced);
    }
}
