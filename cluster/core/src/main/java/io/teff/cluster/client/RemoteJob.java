package io.teff.cluster.client;

import io.teff.cluster.UnknownOutcomeException;
import io.teff.cluster.WriteLevel;
import io.teff.cluster.client.ClientSession.Turn;
import io.teff.cluster.job.JobAnswer;
import io.teff.cluster.job.JobCancel;
import io.teff.cluster.job.JobMessages;
import io.teff.cluster.job.JobRequest;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.NodeRow;
import io.teff.cluster.net.Network;
import io.teff.cluster.net.message.NetworkException;
import io.teff.engine.compute.JobException;
import io.teff.engine.compute.JobException.Reason;
import io.teff.engine.compute.JobOptions;
import io.teff.engine.compute.JobTarget;
import io.teff.engine.compute.OnLoss;
import io.teff.engine.error.StoreClosedException;
import io.teff.engine.error.StoreException;
import io.teff.engine.os.FailureText;
import io.teff.engine.work.JobFuture;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A job of this client: sends the job until it has ended, and ends the future of the caller. Run by a virtual thread.
 *
 * <p>An attempt waits for its answer while the life of its node counts. If the life has ended, the job has run in part,
 * to its end, or not at all: the options of the job say whether the job runs again.
 */
final class RemoteJob {
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(50);

    private final ClusterClient client;
    private final WriteLevel level;
    private final JobTarget target;
    private final String name;
    private final byte[] argument;
    private final JobOptions options;
    private final JobFuture future;
    private final long id;
    private int attempts;
    /** An attempt has ended without an answer: the job has run in part, to its end, or not at all. */
    private boolean isLost;

    RemoteJob(ClusterClient client, WriteLevel level, JobTarget target, String name, byte[] argument,
              JobOptions options, JobFuture future) {
        this.client = client;
        this.level = level;
        this.target = target;
        this.name = name;
        this.argument = argument;
        this.options = options;
        this.future = future;
        id = client.chance().nextLong();
    }

    void run() {
        try (Call call = client.call("job " + name, options.timeoutNs())) {
            if (target.hasZone() && (!ClusterClient.isZone(target.zone()) || client.isMissing(call, target.zone()))) {
                throw new JobException(Reason.REFUSED, "there is no zone " + target.zone());
            }
            if (options.isOnce()) {
                runOnce(call);
            } else {
                end(untilAnswered(call, 0, 0));
            }
        } catch (JobException e) {
            future.completeExceptionally(e);
        } catch (StoreClosedException e) {
            future.completeExceptionally(failure(Reason.CLOSED, e));
        } catch (UnknownOutcomeException e) {
            future.completeExceptionally(failure(Reason.UNKNOWN_OUTCOME, e));
        } catch (StoreException e) {
            future.completeExceptionally(failure(e.category() == StoreException.Category.RETRY ? future.late()
                : Reason.REFUSED, e));
        } catch (RuntimeException | Error e) {
            future.completeExceptionally(e);
            throw e;
        }
    }

    private static JobException failure(Reason reason, Exception e) {
        final JobException failure = new JobException(reason, FailureText.of(e));
        failure.initCause(e);
        return failure;
    }

    /** Sends the job with a ticket, which occupies a slot of the client's session in the zone until the answer. */
    private void runOnce(Call call) {
        Turn turn = client.turn(call, target.zone());
        try {
            while (true) {
                final JobAnswer answer = untilAnswered(call, turn.session().number(), turn.ticket());
                if (answer == null || answer.code() != JobAnswer.EXPIRED) {
                    end(answer);
                    return;
                }
                client.expired(call, turn);
                turn.end();
                turn = client.turn(call, target.zone());
            }
        } finally {
            turn.end();
        }
    }

    private void end(@Nullable JobAnswer answer) {
        if (answer == null) {
            return;                                             // the caller does not wait any more
        }
        if (answer.code() == JobAnswer.DONE) {
            future.complete(answer.content());
            return;
        }
        throw new JobException(switch (answer.code()) {
            case JobAnswer.UNKNOWN -> Reason.UNKNOWN;
            case JobAnswer.REFUSED -> Reason.REFUSED;
            case JobAnswer.CANCELLED -> Reason.CANCELLED;
            default -> Reason.FAILED;
        }, answer.text());
    }

    /** Sends the job until there is a last answer; null if the caller does not wait any more. */
    private @Nullable JobAnswer untilAnswered(Call call, int session, long ticket) {
        while (!future.isDone()) {
            final NodeRef node = node(call);
            final JobAnswer answer = node == null ? null : attempt(call, node, session, ticket);
            if (node != null && answer != null) {
                if (isLast(call, node, answer)) {
                    return answer;
                }
            } else if (!future.isDone()) {
                call.pause();
            }
        }
        return null;
    }

    /** Returns whether an answer is the end of the job; else the job is sent again. */
    private boolean isLast(Call call, NodeRef node, JobAnswer answer) {
        switch (answer.code()) {
            case JobAnswer.NOT_HERE -> {
                hasNotRun();
                moved(call, answer);
            }
            case JobAnswer.DEPOSED -> {
                lost(call, node, "it has lost the zone while the job ran");
                moved(call, answer);
            }
            case JobAnswer.BUSY -> {
                hasNotRun();
                call.failed(answer.text(), null);
                call.pause();
            }
            default -> {
                return true;
            }
        }
        return false;
    }

    private void moved(Call call, JobAnswer answer) {
        call.failed("the node does not serve the zone", null);
        if (!client.tables().update(answer.row())) {
            call.pause();
        }
    }

    // ---- nodes ----

    /** Returns the node for the next attempt; null if there is none now. */
    private @Nullable NodeRef node(Call call) {
        return switch (target.kind()) {
            case CHUNK, ZONE -> client.owner(call, target.zone());
            case ANY -> any(call);
            case NODE -> named(call);
        };
    }

    private @Nullable NodeRef any(Call call) {
        final List<NodeRow> rows = client.rows().nodes().stream().filter(row -> row.isAlive() && row.roles()
            .ownsZones()).toList();
        if (rows.isEmpty()) {
            call.failed("no peer lives", null);
            return null;
        }
        return rows.get(client.chance().nextInt(rows.size())).reference();
    }

    private @Nullable NodeRef named(Call call) {
        final NodeRow row = client.rows().node((int) target.number());
        if (row == null || !row.roles().ownsZones()) {
            throw new JobException(Reason.REFUSED, "there is no peer " + target.number());
        }
        call.failed("node " + row.nid() + " does not live", null);
        return row.isAlive() ? row.reference() : null;
    }

    // ---- attempts ----

    private @Nullable JobAnswer attempt(Call call, NodeRef node, int session, long ticket) {
        if (!future.begin()) {
            return null;
        }
        final Network used = client.network();
        final CompletableFuture<JobAnswer> answer;
        try {
            answer = used.request(node.nid(), JobMessages.JOB, new JobRequest(id, target.zone(), target.cid(),
                options.priority().ordinal(), call.leftNs(), ++attempts, session, ticket, level.ordinal(), name,
                argument), call.leftNs());
        } catch (NetworkException e) {
            call.failed(FailureText.of(e), e);
            client.failed(used, e);
            return null;
        }
        while (true) {
            try {
                return answer.get(LOOK_NS, TimeUnit.NANOSECONDS);
            } catch (TimeoutException _) {
                if (future.isDone()) {
                    cancel(used, node);
                    answer.cancel(false);
                    return null;
                }
                client.checkOpen();
                client.tables().want();
                if (!client.rows().isAlive(node)) {
                    answer.cancel(false);
                    lost(call, node, "its life has ended");
                    return null;
                }
            } catch (InterruptedException _) {
                call.interrupt().keepThrown();
            } catch (ExecutionException e) {
                failed(call, used, node, e.getCause() == null ? e : e.getCause());
                return null;
            }
        }
    }

    private void failed(Call call, Network used, NodeRef node, Throwable thrown) {
        client.checkOpen();
        call.failed(FailureText.of(thrown), thrown);
        if (!(thrown instanceof NetworkException e)) {
            throw new IllegalStateException(FailureText.of(thrown), thrown);
        }
        client.failed(used, e);
        switch (e.reason()) {
            case UNREACHABLE, REFUSED, MISFIT, TAKEN, DENIED -> hasNotRun();
            case NO_HANDLER -> throw new JobException(Reason.REFUSED, node + " takes no jobs");
            default -> lost(call, node, FailureText.of(e));
        }
    }

    /** The last attempt has not run. */
    private void hasNotRun() {
        if (!isLost) {
            future.hasNotRun();
        }
    }

    private void lost(Call call, NodeRef node, String why) {
        isLost = true;
        call.failed(node + " has not answered: " + why, null);
        if (options.isOnce()) {
            call.isUnknown();
        }
        if (options.onLoss() == OnLoss.FAIL) {
            throw new JobException(Reason.LOST, "job " + name + " is lost with " + node + ": " + why);
        }
    }

    private void cancel(Network used, NodeRef node) {
        try {
            used.offer(node.nid(), 0, JobMessages.CANCEL, new JobCancel(id));
        } catch (NetworkException _) {
            return;                                             // the job ends with its time
        }
    }
}
