package io.teff.cluster.job;

import io.teff.cluster.job.StepAnswer.End;
import io.teff.engine.work.ByteBudget;
import io.teff.engine.work.Inbox;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The part of a group at a peer: messages, objects that workers keep, and the last end of each worker. Thread-safe. */
final class PeerGroup {
    private final long inboxBytesMax;
    private final ByteBudget budget;
    private final Map<Integer, Inbox> inboxes = new ConcurrentHashMap<>();
    private final Map<Integer, Object> kept = new ConcurrentHashMap<>();
    private final Map<Integer, Run> runs = new ConcurrentHashMap<>();
    private volatile boolean isEnded;
    private volatile long usedNs;

    /** The last run of a worker. */
    private record Run(long step, CompletableFuture<End> end) {
        /** Returns whether the run has a result, or may have one. */
        boolean isGood() {
            return !end.isDone() || !end.isCompletedExceptionally() && end.join().code() == JobAnswer.DONE;
        }
    }

    PeerGroup(long inboxBytesMax, ByteBudget budget, long nowNs) {
        this.inboxBytesMax = inboxBytesMax;
        this.budget = budget;
        usedNs = nowNs;
    }

    void used(long nowNs) {
        usedNs = nowNs;
    }

    long usedNs() {
        return usedNs;
    }

    Inbox inbox(int worker) {
        return inboxes.computeIfAbsent(worker, _ -> new Inbox(inboxBytesMax, budget));
    }

    /** Forgets the messages of earlier steps, also those of workers that are elsewhere by now. */
    void forget(long step) {
        inboxes.values().forEach(inbox -> inbox.forget(step));
    }

    /** Returns what a worker keeps. A worker runs at one node at a time, and step by step. */
    Object kept(int worker, Supplier<?> first) {
        final Object known = kept.get(worker);
        if (known != null) {
            return known;
        }
        final Object made = first.get();
        kept.put(worker, made);
        return made;
    }

    /**
     * Begins a run of a worker, unless the worker runs this step already, or has ended this step.
     *
     * @param begun receives the future of a new run; not called if there is a run
     * @return ends with the end of the worker
     */
    CompletableFuture<End> run(int worker, long step, Consumer<CompletableFuture<End>> begun) {
        final CompletableFuture<End> fresh = new CompletableFuture<>();
        final Run run = runs.compute(worker, (_, last) -> {
            if (last != null && last.step == step && last.isGood()) {
                return last;
            }
            if (last == null || last.step != step - 1) {        // it was elsewhere, or runs this step again
                kept.remove(worker);
            }
            return new Run(step, fresh);
        });
        if (run.end.equals(fresh)) {
            begun.accept(fresh);
        }
        return run.end;
    }

    void end() {
        isEnded = true;
        inboxes.values().forEach(Inbox::close);
        kept.clear();
    }

    boolean isEnded() {
        return isEnded;
    }
}
