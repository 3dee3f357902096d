package io.teff.cluster.client;

import io.teff.cluster.job.JobAnswer;
import io.teff.cluster.job.JobMessages;
import io.teff.cluster.job.StepAnswer;
import io.teff.cluster.job.StepAnswer.End;
import io.teff.cluster.job.StepRequest;
import io.teff.cluster.job.StepRequest.Place;
import io.teff.cluster.job.WorkerMap;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.net.Network;
import io.teff.cluster.net.message.NetworkException;
import io.teff.engine.compute.GroupOptions;
import io.teff.engine.compute.JobException;
import io.teff.engine.compute.JobException.Reason;
import io.teff.engine.compute.OnLoss;
import io.teff.engine.compute.Reduction;
import io.teff.engine.os.FailureText;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A step of a group at its coordinator: rounds until each worker has ended.
 *
 * <p><b>Rounds.</b> The first round runs all workers. A later round runs the workers without an end: their node has
 * ended, or their zone has moved. The number of the round is the attempt of a worker, so the messages of a later
 * attempt replace those of an earlier attempt.
 *
 * <p><b>Where the messages are.</b> Messages to a worker go to its node of the first round, and with {@link
 * OnLoss#RUN_AGAIN} to a second node. Both nodes stay the same in all rounds of a step while they live, also if the
 * zone of the worker moves. A node has all messages of the step if it was one of both in each round, and if its life
 * still counts. The next step fetches the messages from such a node, unless the worker is there.
 */
final class RemoteStep {
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(50);

    private final RemoteWorkers group;
    private final ClusterClient client;
    private final GroupOptions options;
    private final long number;
    private final String task;
    private final byte[] argument;
    private final Reduction reduction;
    private final int[] zones;
    /** Where each worker runs in this round. */
    private final NodeRef[] nodes;
    /** Where the messages to each worker go. */
    private final NodeRef[] homes;
    private final @Nullable NodeRef[] mirrors;
    private final List<Set<NodeRef>> before;
    private final List<Set<NodeRef>> messages = new ArrayList<>();
    private final NodeRef[] sources;
    private final byte[][] results;
    private final Set<Integer> missing = new TreeSet<>();
    private long[] reduced = {};
    private int restarts;

    RemoteStep(RemoteWorkers group, ClusterClient client, GroupOptions options, long number, String task,
               byte[] argument, Reduction reduction) {
        this.group = group;
        this.client = client;
        this.options = options;
        this.number = number;
        this.task = task;
        this.argument = argument;
        this.reduction = reduction;
        zones = group.zones();
        nodes = new NodeRef[zones.length];
        homes = new NodeRef[zones.length];
        mirrors = new NodeRef[zones.length];
        sources = new NodeRef[zones.length];
        results = new byte[zones.length][];
        before = new ArrayList<>();
        group.messagesBefore().forEach(set -> before.add(new HashSet<>(set)));
        for (int worker = 0; worker < zones.length; worker++) {
            missing.add(worker);
            messages.add(new HashSet<>());
        }
    }

    /** Runs the step to its end. */
    void run(Call call) {
        for (int round = 1; !missing.isEmpty(); ) {
            group.checkCancelled();
            if (place(call, round)) {
                final List<Place> places = places();
                collect(call, send(call, round, places));
                round++;
            }
            group.progressed(zones.length - missing.size(), restarts);
            restarts = 0;
            if (!missing.isEmpty()) {
                call.pause();
            }
        }
    }

    List<Set<NodeRef>> messages() {
        return messages;
    }

    long[] reduced() {
        return reduced;
    }

    List<byte[]> results() {
        return reduction == Reduction.GATHER ? List.of(results) : List.of();
    }

    // ---- places ----

    /** Finds a node for each worker without an end; false if a zone has no owner now. */
    private boolean place(Call call, int round) {
        final Map<Integer, NodeRef> owners = new TreeMap<>();
        for (int worker : missing) {
            final NodeRef owner = client.owner(call, zones[worker]);
            if (owner == null) {
                return false;
            }
            owners.put(worker, owner);
        }
        final List<NodeRef> alive = group.alive();
        owners.forEach((worker, owner) -> {
            nodes[worker] = owner;
            if (round == 1) {
                homes[worker] = owner;
                final NodeRef mirror = options.onLoss() == OnLoss.RUN_AGAIN ? after(owner, alive) : null;
                mirrors[worker] = mirror;
                messages.get(worker).add(owner);
                if (mirror != null) {
                    messages.get(worker).add(mirror);
                }
            } else if (!client.rows().isAlive(homes[worker])) {
                homes[worker] = owner;                          // it lacks the messages of earlier rounds
                messages.get(worker).removeIf(node -> !node.equals(mirrors[worker]));
            }
            sources[worker] = number == 1 ? owner : source(worker, owner);
        });
        return true;
    }

    /** Returns the node behind another node; null if there is no other. */
    private static @Nullable NodeRef after(NodeRef node, List<NodeRef> alive) {
        for (NodeRef other : alive) {
            if (other.compareTo(node) > 0 && other.nid() != node.nid()) {
                return other;
            }
        }
        return alive.isEmpty() || alive.getFirst().nid() == node.nid() ? null : alive.getFirst();
    }

    /** Returns a node with all messages of the last step to a worker. */
    private NodeRef source(int worker, NodeRef owner) {
        final Set<NodeRef> known = before.get(worker);
        known.removeIf(node -> !client.rows().isAlive(node));
        if (known.contains(owner)) {
            return owner;
        }
        return known.stream().sorted().findFirst().orElseThrow(() -> new JobException(Reason.LOST,
            "the messages for worker " + worker + " of step " + number + " are lost with their nodes"));
    }

    private List<Place> places() {
        final Map<NodeRef, List<Integer>> byNode = new TreeMap<>();
        for (int worker : missing) {
            byNode.computeIfAbsent(nodes[worker], _ -> new ArrayList<>()).add(worker);
        }
        final List<Place> places = new ArrayList<>();
        byNode.forEach((node, workers) -> places.add(new Place(node.nid(), node.incarnation(),
            workers.stream().mapToInt(Integer::intValue).toArray())));
        return places;
    }

    private WorkerMap map() {
        final int[] nids = new int[zones.length];
        final int[] seconds = new int[zones.length];
        final int[] from = new int[zones.length];
        final int[] lives = new int[zones.length];
        for (int worker = 0; worker < zones.length; worker++) {
            nids[worker] = homes[worker].nid();
            final NodeRef mirror = mirrors[worker];
            seconds[worker] = mirror == null || mirror.nid() == nids[worker] ? 0 : mirror.nid();
            if (!sources[worker].equals(nodes[worker])) {
                from[worker] = sources[worker].nid();
                lives[worker] = sources[worker].incarnation();
            }
            group.uses(nodes[worker].nid());
            group.uses(nids[worker]);
            if (seconds[worker] != 0) {
                group.uses(seconds[worker]);
            }
        }
        return new WorkerMap(zones, nids, seconds, from, lives);
    }

    // ---- rounds ----

    private @Nullable StepAnswer send(Call call, int round, List<Place> places) {
        final Network used = client.network();
        final Place root = places.getFirst();
        final NodeRef node = new NodeRef(root.nid(), root.incarnation());
        final CompletableFuture<StepAnswer> answer;
        try {
            answer = used.request(root.nid(), JobMessages.STEP, new StepRequest(group.id(), number, round,
                call.leftNs(), options.inboxBytesMax(), task, argument, reduction.ordinal(), group.reducedBefore(),
                map(), places), call.leftNs());
        } catch (NetworkException e) {
            call.failed(FailureText.of(e), e);
            client.failed(used, e);
            return null;
        }
        while (true) {
            try {
                return answer.get(LOOK_NS, TimeUnit.NANOSECONDS);
            } catch (TimeoutException _) {
                client.checkOpen();
                group.checkCancelled();
                client.tables().want();
                if (!client.rows().isAlive(node) || call.isOver()) {
                    call.unanswered(node + " has not answered");
                    answer.cancel(false);
                    return null;
                }
            } catch (InterruptedException _) {
                call.interrupt().keepThrown();
            } catch (ExecutionException e) {
                client.failed(used, e.getCause());
                call.failed(FailureText.of(e.getCause() == null ? e : e.getCause()), e);
                return null;
            }
        }
    }

    private void collect(Call call, @Nullable StepAnswer answer) {
        final Set<Integer> open = new HashSet<>(missing);
        if (answer != null) {
            if (answer.done().length > 0) {
                reduced = reduction.combine(reduced, answer.reduced());
            }
            for (int worker : answer.done()) {
                missing.remove(worker);
                open.remove(worker);
            }
            for (End end : answer.ends()) {
                if (open.remove(end.worker())) {
                    ended(call, end);
                }
            }
        }
        for (int worker : open) {                               // without a word of the node above
            lost(call, worker, "no answer");
        }
    }

    private void ended(Call call, End end) {
        final String text = new String(end.content(), StandardCharsets.UTF_8);
        switch (end.code()) {
            case JobAnswer.DONE -> {
                results[end.worker()] = end.content();
                missing.remove(end.worker());
            }
            case JobAnswer.NOT_HERE, JobAnswer.BUSY, JobAnswer.CANCELLED -> call.failed(text, null);
            case JobAnswer.DEPOSED -> deposed(call, end.worker(), text);
            case End.LOST -> lost(call, end.worker(), text);
            case End.MESSAGES_LOST -> messagesLost(call, end.worker(), text);
            case JobAnswer.UNKNOWN -> throw new JobException(Reason.UNKNOWN, text);
            case JobAnswer.REFUSED -> throw new JobException(Reason.REFUSED, text);
            default -> throw new JobException(Reason.FAILED, "worker " + end.worker() + ": " + text);
        }
    }

    private void lost(Call call, int worker, String why) {
        call.failed("worker " + worker + " at " + nodes[worker] + ": " + why, null);
        if (client.rows().isAlive(nodes[worker])) {
            return;                                             // it may have run; its node knows
        }
        deposed(call, worker, why);
    }

    /** The worker has run in part, to its end, or not at all, and its run does not count. */
    private void deposed(Call call, int worker, String why) {
        call.failed(why, null);
        if (options.onLoss() == OnLoss.FAIL) {
            throw new JobException(Reason.LOST, "worker " + worker + " of step " + number + " is lost with "
                + nodes[worker] + ": " + why);
        }
        restarts++;
    }

    private void messagesLost(Call call, int worker, String why) {
        call.failed(why, null);
        if (options.onLoss() == OnLoss.FAIL) {
            throw new JobException(Reason.LOST, "worker " + worker + " of step " + number + ": " + why);
        }
        if (number > 1 && !sources[worker].equals(nodes[worker])) {
            before.get(worker).remove(sources[worker]);
        }
    }
}
