package io.teff.cluster.job;

import io.teff.cluster.job.StepAnswer.End;
import io.teff.cluster.job.StepRequest.Place;
import io.teff.cluster.net.Network;
import io.teff.cluster.net.message.Answer;
import io.teff.cluster.net.message.HandledBy;
import io.teff.cluster.net.message.NetworkException;
import io.teff.engine.compute.GroupOptions;
import io.teff.engine.compute.JobException.Reason;
import io.teff.engine.compute.JobException;
import io.teff.engine.compute.JobPriority;
import io.teff.engine.compute.Reduction;
import io.teff.engine.os.Clock;
import io.teff.engine.os.Deadline;
import io.teff.engine.os.Threads;
import io.teff.engine.work.ByteBudget;
import io.teff.engine.work.Inbox;
import io.teff.engine.work.JobPool;
import io.teff.engine.work.StepTree;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The workers of compute groups at a peer. A step comes from the parent in the tree of nodes; this peer passes it on to
 * its children, runs its own workers, and answers when both have ended. So the answers that go up are the barrier of
 * the step, and reduced numbers are combined on the way. Thread-safe.
 *
 * <p><b>A lost child.</b> The peer waits for a child while the life of the child counts. Then it answers that the
 * workers below this child are lost. The coordinator asks again for these workers: a worker that has ended the step
 * keeps its end, and does not run again.
 *
 * <p><b>Ends.</b> A group ends by a message of its coordinator. If no message of a group has come for twice the time of
 * a step, the coordinator is taken for dead, and the group ends by itself.
 */
final class GroupService implements AutoCloseable {
    /** Most groups at a peer. */
    static final int GROUPS_MAX = 256;
    /** All messages at a peer take at most this part of the heap. */
    static final int MEMORY_SHARE = 4;

    private static final long IDLE_NS_MIN = TimeUnit.MINUTES.toNanos(1);
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final int FETCH_BYTES = 1 << 20;
    private static final long ANSWER_BYTES_MAX = 48L << 20;

    private final JobHost home;
    private final JobPool pool;
    private final Clock clock;
    private final Map<GroupId, PeerGroup> groups = new ConcurrentHashMap<>();
    /** Groups that have ended, so that a late message does not begin them again; the oldest are forgotten. */
    private final EndedGroups ended = new EndedGroups();
    /** All inboxes of this peer. */
    private final ByteBudget budget = new ByteBudget(Runtime.getRuntime().maxMemory() / MEMORY_SHARE);
    private volatile long idleNs = IDLE_NS_MIN;

    GroupService(JobHost home, JobPool pool) {
        this.home = home;
        this.pool = pool;
        clock = home.platform().clock();
    }

    void register(Network network, HandledBy by) {
        network.answerLater(JobMessages.STEP, by, (_, request, answer) ->
            Threads.virtual("teff-step", () -> step(request, answer)).start());
        network.answer(JobMessages.BATCH, by, (_, request) -> take(request));
        network.answer(JobMessages.FETCH, by, (_, request) -> fetch(request));
        network.handle(JobMessages.END, by, (_, end) -> end(end.group()));
    }

    // ---- groups ----

    private @Nullable PeerGroup group(GroupId id, long inboxBytesMax) {
        if (ended.has(id)) {
            return null;
        }
        final PeerGroup known = groups.get(id);
        if (known == null) {
            dropIdle();
            if (groups.size() >= GROUPS_MAX) {
                return null;
            }
        }
        final PeerGroup group = known != null ? known
            : groups.computeIfAbsent(id, _ -> new PeerGroup(inboxBytesMax, budget, clock.nowNs()));
        group.used(clock.nowNs());
        return group;
    }

    private void dropIdle() {
        final long nowNs = clock.nowNs();
        groups.forEach((id, group) -> {
            if (nowNs - group.usedNs() > idleNs) {
                end(id);
            }
        });
    }

    private void end(GroupId id) {
        ended.add(id);
        final PeerGroup group = groups.remove(id);
        if (group != null) {
            group.end();
        }
    }

    @Override
    public void close() {
        groups.keySet().forEach(this::end);
    }

    // ---- messages ----

    private BatchVerdict take(BatchRequest request) {
        final PeerGroup group = request.to() < 0 || request.to() >= GroupOptions.WORKERS_MAX ? null
            : group(request.group(), request.inboxBytesMax());
        if (group == null) {
            return new BatchVerdict(BatchVerdict.ENDED);
        }
        final Inbox.Verdict verdict = group.inbox(request.to()).put(request.step(), request.from(), request.round(),
            request.number(), request.bytes());
        return new BatchVerdict(verdict == Inbox.Verdict.FULL ? BatchVerdict.FULL : BatchVerdict.TAKEN);
    }

    private FetchAnswer fetch(FetchRequest request) {
        final PeerGroup group = groups.get(request.group());
        if (group == null || request.incarnation() != home.node().incarnation() || request.skip() < 0) {
            return new FetchAnswer(false, true, List.of());
        }
        final List<Inbox.Batch> all = group.inbox(request.worker()).open(request.step());
        final List<FetchAnswer.Part> parts = new ArrayList<>();
        int at = request.skip();
        for (int bytes = 0; at < all.size() && bytes < FETCH_BYTES; at++) {
            parts.add(FetchAnswer.Part.of(all.get(at)));
            bytes += all.get(at).bytes().length;
        }
        return new FetchAnswer(true, at >= all.size(), parts);
    }

    /** Copies the messages of a worker from the node where they are; false if they are not there. */
    private boolean fetch(PeerGroup group, StepRequest step, int worker, Deadline limit) {
        final Inbox inbox = group.inbox(worker);
        final int source = step.map().sources()[worker];
        final int life = step.map().sourceLives()[worker];
        for (int skip = 0; ; ) {
            final FetchAnswer part = await(source, ask(source, new FetchRequest(life, step.group(), step.step(), worker,
                skip), limit), limit);
            if (part == null || !part.isKnown()) {
                return false;
            }
            for (FetchAnswer.Part batch : part.batches()) {
                if (inbox.put(step.step(), batch.from(), batch.round(), batch.number(), batch.bytes())
                    == Inbox.Verdict.FULL) {
                    throw new JobException(Reason.FAILED, "worker " + worker + " has no room for its messages");
                }
            }
            if (part.isLast()) {
                return true;
            }
            skip += part.batches().size();
        }
    }

    private CompletableFuture<FetchAnswer> ask(int nid, FetchRequest request, Deadline limit) {
        try {
            return home.requests().request(nid, JobMessages.FETCH, request, Math.max(limit.leftNs(), 1));
        } catch (NetworkException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Waits for an answer while the node lives; null if there is none. */
    private <T> @Nullable T await(int nid, CompletableFuture<T> answer, Deadline limit) {
        while (!limit.isOver()) {
            try {
                return answer.get(LOOK_NS, TimeUnit.NANOSECONDS);
            } catch (TimeoutException _) {
                if (!home.isAlive(nid)) {
                    return null;
                }
            } catch (InterruptedException | ExecutionException _) {
                return null;
            }
        }
        return null;
    }

    // ---- steps ----

    private void step(StepRequest request, Answer<StepAnswer> answer) {
        if (!request.isValid()) {
            answer.fail("a malformed step");
            return;
        }
        idleNs = Math.max(idleNs, 2 * request.timeoutNs());
        final Deadline limit = Deadline.in(clock, request.timeoutNs());
        final PeerGroup group = group(request.group(), request.inboxBytesMax());
        final List<Place> places = request.places();
        if (group == null || places.isEmpty() || places.getFirst().incarnation() != home.node().incarnation()) {
            answer.fail("the group has ended here, there are too many groups, or the node has a later life");
            return;
        }
        group.forget(request.step());
        final List<List<Place>> below = new ArrayList<>(StepTree.children(places.subList(1, places.size())));
        final List<CompletableFuture<StepAnswer>> children = new ArrayList<>();
        below.forEach(list -> children.add(send(request, list, limit)));
        final List<CompletableFuture<End>> own = new ArrayList<>();
        for (int worker : places.getFirst().workers()) {
            own.add(group.run(worker, request.step(), end -> begin(group, request, worker, limit, end)));
        }
        final StepSum sum = new StepSum(Reduction.values()[request.reduction()], ANSWER_BYTES_MAX);
        collect(sum, own, below, children, limit);
        answer.complete(sum.answer());
    }

    /** Adds up all ends. Does not wait for others after a worker has failed, and leaves these out. */
    private void collect(StepSum sum, List<CompletableFuture<End>> own, List<List<Place>> below,
                         List<CompletableFuture<StepAnswer>> children, Deadline limit) {
        final List<CompletableFuture<?>> open = new ArrayList<>();
        CompletableFuture<Object> next = new CompletableFuture<>();
        while (true) {
            own.removeIf(end -> end.isDone() && sum.add(end));
            for (int i = below.size() - 1; i >= 0; i--) {
                if (isSettled(sum, below.get(i), children.get(i))) {
                    below.remove(i);
                    children.remove(i);
                }
            }
            if (own.isEmpty() && children.isEmpty() || sum.hasFailed() || limit.isOver()) {
                return;
            }
            if (open.size() != own.size() + children.size()) {
                open.clear();
                open.addAll(own);
                open.addAll(children);
                next = CompletableFuture.anyOf(open.toArray(CompletableFuture[]::new));
            }
            try {
                next.get(LOOK_NS, TimeUnit.NANOSECONDS);
            } catch (TimeoutException | ExecutionException _) {
                continue;
            } catch (InterruptedException _) {
                return;
            }
        }
    }

    /** Adds the answer of a child, or its workers as lost; false while the answer may come. */
    private boolean isSettled(StepSum sum, List<Place> places, CompletableFuture<StepAnswer> answer) {
        if (answer.isDone() && !answer.isCompletedExceptionally()) {
            sum.add(answer.join());
        } else if (answer.isDone() || !home.isAlive(places.getFirst().nid())) {
            places.forEach(sum::addLost);
        } else {
            return false;
        }
        return true;
    }

    private CompletableFuture<StepAnswer> send(StepRequest request, List<Place> places, Deadline limit) {
        try {
            final long leftNs = Math.max(limit.leftNs(), 1);
            return home.requests().request(places.getFirst().nid(), JobMessages.STEP, request.at(places, leftNs),
                leftNs);
        } catch (NetworkException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private void begin(PeerGroup group, StepRequest request, int worker, Deadline limit, CompletableFuture<End> end) {
        final WorkerRun run = new WorkerRun(home, group, request, worker, limit,
            () -> fetch(group, request, worker, limit), end);
        if (!pool.add(JobPriority.NORMAL, run)) {
            end.complete(new End(worker, JobAnswer.BUSY, "too many jobs wait".getBytes(StandardCharsets.UTF_8)));
        }
    }
}
