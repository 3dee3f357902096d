package io.teff.cluster.client;

import io.teff.cluster.job.GroupEnd;
import io.teff.cluster.job.GroupId;
import io.teff.cluster.job.JobMessages;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.NodeRow;
import io.teff.cluster.net.Network;
import io.teff.cluster.net.message.NetworkException;
import io.teff.engine.compute.ComputeGroup;
import io.teff.engine.compute.GroupOptions;
import io.teff.engine.compute.GroupProgress;
import io.teff.engine.compute.JobException;
import io.teff.engine.compute.JobException.Reason;
import io.teff.engine.compute.Reduction;
import io.teff.engine.compute.StepResult;
import io.teff.engine.error.StoreClosedException;
import io.teff.engine.error.StoreException;
import io.teff.engine.os.FailureText;
import io.teff.engine.work.JobTexts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A compute group whose workers are at the owners of zones, with this client as its coordinator. */
final class RemoteWorkers implements ComputeGroup {
    private final ClusterClient client;
    private final GroupOptions options;
    private final GroupId id;
    private final int[] zones;
    /** The nodes that have all messages of the last step to each worker. */
    private List<Set<NodeRef>> messages = List.of();
    private long[] reduced = {};
    private final Set<Integer> nodes = ConcurrentHashMap.newKeySet();
    private volatile GroupProgress progress;
    private volatile boolean isCancelled;
    private volatile boolean isOver;

    /**
     * Begins without a step.
     *
     * @param zones zone of each worker
     */
    RemoteWorkers(ClusterClient client, GroupOptions options, int[] zones) {
        this.client = client;
        this.options = options;
        this.zones = zones;
        id = new GroupId(client.chance().nextLong(), client.chance().nextLong());
        progress = new GroupProgress(0, "", 0, zones.length, 0);
    }

    @Override
    public int workers() {
        return zones.length;
    }

    @Override
    public StepResult step(String task, byte[] argument, Reduction reduction) {
        JobTexts.check(task, argument);
        if (isOver) {
            throw isCancelled ? cancelled() : new IllegalStateException("the group is closed, or a step has failed");
        }
        final long number = progress.step() + 1;
        progress = new GroupProgress(number, task, 0, zones.length, progress.restarts());
        boolean isDone = false;
        try (Call call = client.call("step " + number + " of task " + task, options.stepTimeoutNs())) {
            final RemoteStep step = new RemoteStep(this, client, options, number, task, argument.clone(), reduction);
            step.run(call);
            messages = step.messages();
            if (reduction != Reduction.GATHER) {
                reduced = step.reduced();
            }
            isDone = true;
            return new StepResult(number, step.results(), step.reduced());
        } catch (StoreClosedException e) {
            throw failure(Reason.CLOSED, e);
        } catch (StoreException e) {
            throw failure(e.category() == StoreException.Category.RETRY ? Reason.TIMED_OUT : Reason.LOST, e);
        } finally {
            if (!isDone) {
                end();
            }
        }
    }

    private static JobException failure(Reason reason, Exception e) {
        final JobException failure = new JobException(reason, FailureText.of(e));
        failure.initCause(e);
        return failure;
    }

    // ---- for the steps ----

    GroupId id() {
        return id;
    }

    int[] zones() {
        return zones;
    }

    long[] reducedBefore() {
        return reduced;
    }

    List<Set<NodeRef>> messagesBefore() {
        return messages;
    }

    /** Notes that a node may have a part of the group. */
    void uses(int nid) {
        nodes.add(nid);
    }

    /** Returns the lives of all peers, by their NIDs. */
    List<NodeRef> alive() {
        final List<NodeRef> alive = new ArrayList<>();
        for (NodeRow row : client.rows().nodes()) {
            if (row.isAlive() && row.roles().ownsZones()) {
                alive.add(row.reference());
            }
        }
        alive.sort(Comparator.naturalOrder());
        return alive;
    }

    void progressed(int done, int restarts) {
        final GroupProgress now = progress;
        progress = new GroupProgress(now.step(), now.task(), done, now.workers(), now.restarts() + restarts);
    }

    void checkCancelled() {
        if (isCancelled) {
            throw cancelled();
        }
    }

    private static JobException cancelled() {
        return new JobException(Reason.CANCELLED, "the group was cancelled");
    }

    // ---- the end ----

    @Override
    public GroupProgress progress() {
        return progress;
    }

    @Override
    public void cancel() {
        isCancelled = true;
        end();
    }

    private void end() {
        isOver = true;
        final Network used = client.network();
        for (int nid : nodes) {
            try {
                used.offer(nid, 0, JobMessages.END, new GroupEnd(id));
            } catch (NetworkException _) {
                continue;                                       // the node ends the group by its time
            }
        }
    }

    @Override
    public void close() {
        if (!isOver) {
            end();
        }
    }
}
