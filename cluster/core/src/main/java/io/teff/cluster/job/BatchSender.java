package io.teff.cluster.job;

import io.teff.cluster.net.message.NetworkException;
import io.teff.engine.compute.JobException;
import io.teff.engine.compute.JobException.Reason;
import io.teff.engine.os.FailureText;
import io.teff.engine.os.KeptInterrupt;
import io.teff.engine.work.Inbox;
import io.teff.engine.work.Outbox;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/**
 * Sends the batches of a worker to the nodes of the receivers, and to the nodes with second copies. For one thread.
 *
 * <p><b>Back-pressure.</b> At most {@link #WINDOW} batches of a worker are under way; a further batch waits for the
 * oldest answer. So a slow receiver slows its senders, and a sender needs 1 MiB for batches under way.
 *
 * <p><b>A node that does not answer.</b> The batch is sent again while the node lives: a receiver takes a batch once.
 * If the node has ended, a batch with a second copy is given up for this node, because the node is no source of
 * messages any more; a batch without a second copy is lost.
 */
final class BatchSender implements Outbox.Sink {
    /** Most batches under way. */
    static final int WINDOW = 16;
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(10);

    private final JobHost home;
    private final PeerGroup group;
    private final StepRequest step;
    private final int worker;
    private final BooleanSupplier cancelled;
    private final ArrayDeque<Sent> underway = new ArrayDeque<>();

    private final class Sent {
        private final int nid;
        private final BatchRequest batch;
        private CompletableFuture<BatchVerdict> answer = new CompletableFuture<>();

        Sent(int nid, BatchRequest batch) {
            this.nid = nid;
            this.batch = batch;
        }

        void send() {
            try {
                answer = home.requests().request(nid, JobMessages.BATCH, batch, step.timeoutNs());
            } catch (NetworkException e) {
                answer = CompletableFuture.failedFuture(e);
            }
        }
    }

    BatchSender(JobHost home, PeerGroup group, StepRequest step, int worker, BooleanSupplier cancelled) {
        this.home = home;
        this.group = group;
        this.step = step;
        this.worker = worker;
        this.cancelled = cancelled;
    }

    @Override
    public void send(int to, int number, byte[] bytes) {
        send(step.map().nids()[to], to, number, bytes);
        final int mirror = step.map().mirrors()[to];
        if (mirror != 0) {
            send(mirror, to, number, bytes);
        }
    }

    private void send(int nid, int to, int number, byte[] bytes) {
        if (nid == home.node().nid()) {
            if (group.inbox(to).put(step.step() + 1, worker, step.round(), number, bytes) == Inbox.Verdict.FULL) {
                throw full(to);
            }
            return;
        }
        if (underway.size() >= WINDOW) {
            settle(underway.removeFirst());
        }
        final Sent sent = new Sent(nid, new BatchRequest(step.group(), step.step() + 1, worker, step.round(), to,
            number, step.inboxBytesMax(), bytes));
        sent.send();
        underway.addLast(sent);
    }

    /** Waits until all batches have arrived. */
    void flush() {
        while (!underway.isEmpty()) {
            settle(underway.removeFirst());
        }
    }

    private void settle(Sent sent) {
        try (KeptInterrupt interrupt = KeptInterrupt.begin()) {
            while (!isSettled(sent, interrupt)) {
                if (cancelled.getAsBoolean()) {
                    throw new JobException(Reason.CANCELLED, "the step was cancelled while messages were under way");
                }
            }
        }
    }

    private boolean isSettled(Sent sent, KeptInterrupt interrupt) {
        try {
            switch (sent.answer.get(LOOK_NS, TimeUnit.NANOSECONDS).code()) {
                case BatchVerdict.TAKEN -> {
                    return true;
                }
                case BatchVerdict.FULL -> throw full(sent.batch.to());
                default -> throw new JobException(Reason.CANCELLED, "the group has ended");
            }
        } catch (TimeoutException _) {
            return isGivenUp(sent, "no answer");
        } catch (InterruptedException _) {
            interrupt.keepThrown();
            return false;
        } catch (ExecutionException e) {
            if (isGivenUp(sent, FailureText.of(e.getCause() == null ? e : e.getCause()))) {
                return true;
            }
            home.platform().clock().pause(this, PAUSE_NS);
            sent.send();
            return false;
        }
    }

    /** Returns whether the node has ended, and the other node keeps the batch. */
    private boolean isGivenUp(Sent sent, String why) {
        if (home.isAlive(sent.nid)) {
            return false;
        }
        if (step.map().mirrors()[sent.batch.to()] == 0) {
            throw new JobException(Reason.LOST, "messages for worker " + sent.batch.to() + " are lost with node "
                + sent.nid + ": " + why);
        }
        return true;
    }

    private JobException full(int to) {
        return new JobException(Reason.FAILED, "worker " + to + " has " + step.inboxBytesMax()
            + " bytes of messages that wait, as many as are allowed");
    }
}
