package io.teff.cluster.cell;

import io.teff.cluster.cell.TableQuestions.Question;
import io.teff.cluster.lease.LeaseClock;
import io.teff.cluster.lease.LeaseTerms;
import io.teff.cluster.log.NodeEvent;
import io.teff.cluster.log.NodeLog;
import io.teff.cluster.message.CellMessages;
import io.teff.cluster.message.Heartbeat;
import io.teff.cluster.message.HeartbeatAnswer;
import io.teff.cluster.message.TableAnswer;
import io.teff.cluster.message.TableRequest;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.NodeRow;
import io.teff.cluster.meta.SuperpeerSet;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.net.message.NetworkException;
import io.teff.engine.os.Clock;
import io.teff.engine.os.Platform;
import io.teff.engine.os.Threads;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A node's membership: the membership sends heartbeats, holds the lease, and keeps the tables up to date.
 *
 * <p>Each heartbeat goes to every superpeer. On an answer with a newer version of the tables, the node asks the
 * answering superpeer for the changed rows. If the answer with the rows is late, the node soon asks a further
 * superpeer. Thread-safe.
 */
public final class Membership implements AutoCloseable {
    private static final long BEAT_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long ANSWER_NS = TimeUnit.SECONDS.toNanos(2);
    private static final long TABLE_NS = TimeUnit.SECONDS.toNanos(5);

    private final NodeRef node;
    private final Requests requests;
    private final CellClient cell;
    private final Tables tables;
    private final Clock clock;
    private final LeaseTerms terms;
    private final LeaseClock lease;
    private final Listener listener;
    private final TableQuestions questions;
    private final NodeLog events;
    private final LeaseNews news;
    private final Thread thread;
    private volatile int leader = -1;
    private final SuperpeerRefusals refusals;
    private volatile boolean isExpired;
    private volatile boolean isClosed;

    /** Notified of changes, on a thread of the network. Must not wait. */
    public interface Listener {
        /**
         * Rows have changed.
         *
         * @param rows the rows, already in the tables
         */
        void changed(List<ZoneRow> rows);

        /** This life of the node has expired. The life never counts again; the node must end or join anew. */
        void expired();
    }

    /**
     * Makes a membership without sending heartbeats.
     *
     * @param node life of the node after the join
     * @param requests sends the node's requests
     * @param terms the terms of leases
     * @param cell sends the node's commands; receives the number of the leading superpeer
     * @param tables the node's tables
     * @param platform monotonic clock and wall clock of the lease, and threads
     * @param events receives the events of the lease
     * @param listener is notified
     */
    public Membership(NodeRef node, Requests requests, LeaseTerms terms, CellClient cell, Tables tables,
                      Platform platform, NodeLog events, Listener listener) {
        this.node = node;
        this.requests = requests;
        refusals = new SuperpeerRefusals(tables::superpeers);
        this.cell = cell;
        this.tables = tables;
        clock = platform.clock();
        this.listener = listener;
        this.events = events;
        news = new LeaseNews(events);
        this.terms = terms;
        lease = new LeaseClock(terms);
        questions = new TableQuestions();
        thread = platform.threads().create("teff-heartbeat-" + node.nid(), this::run);
    }

    /** Begins to send heartbeats, on a separate thread. */
    public void start() {
        thread.start();
    }

    /** {@return the node} */
    public NodeRef node() {
        return node;
    }

    /** {@return why the node cannot hold a lease with its configuration, for people; null if nothing is known} */
    public @Nullable String misfit() {
        return refusals.any();
    }

    /** {@return whether the node holds its lease now} */
    public boolean holdsLease() {
        if (isExpired || isClosed) {
            return false;
        }
        synchronized (lease) {
            return lease.check(clock.nowNs(), wallNs());
        }
    }

    /** {@return the rest of the lease in nanoseconds, if no further answer arrives; 0 without a lease} */
    public long leaseLeftNs() {
        if (isExpired || isClosed) {
            return 0;
        }
        synchronized (lease) {
            final long nowNs = clock.nowNs();
            return lease.check(nowNs, wallNs()) ? lease.heldUntilNs(nowNs) - nowNs : 0;
        }
    }

    private long wallNs() {
        return TimeUnit.MILLISECONDS.toNanos(clock.epochMs());
    }

    private void run() {
        while (!isClosed && !isExpired) {
            clock.park(this, beat());
        }
    }

    /**
     * Sends one heartbeat to each superpeer; called by the membership's own thread, or by a simulator without the
     * thread.
     *
     * @return time until the next heartbeat, in nanoseconds
     */
    public long beat() {
        final SuperpeerSet superpeers = tables.superpeers();
        final boolean isJoined = isJoinKnown();
        final long number;
        final long leftNs;
        synchronized (lease) {
            final long nowNs = clock.nowNs();
            lease.superpeers(isJoined ? superpeers.bits() : 0);
            leftNs = lease.check(nowNs, wallNs()) ? lease.heldUntilNs(nowNs) - nowNs : 0;
            number = lease.sent(nowNs, wallNs());
        }
        if (!isExpired) {
            news.look(leftNs, terms.heldNs());
        }
        final Heartbeat beat = new Heartbeat(node, number, isJoined ? superpeers.version() : 0);
        superpeers.rows().forEach(row -> send(row.number(), beat));
        return BEAT_NS;
    }

    /**
     * Returns whether the tables have this life. From then on the tables have the superpeers of the moment of the join,
     * or later superpeers. The majority of much earlier superpeers could share no superpeer with a majority of the
     * present superpeers.
     */
    private boolean isJoinKnown() {
        final NodeRow row = tables.node(node.nid());
        return row != null && row.incarnation() >= node.incarnation();
    }

    /**
     * Sends one heartbeat. A heartbeat that cannot be sent is skipped, because the next heartbeat may be sent. So this
     * thread continues.
     */
    private void send(int superpeer, Heartbeat beat) {
        try {
            var _ = requests.request(CellMessages.nid(superpeer), CellMessages.HEARTBEAT,
                beat, ANSWER_NS).whenComplete((answer, failure) -> {
                    if (failure == null) {
                        refusals.answered(superpeer);
                        answered(answer);
                    } else {
                        refusals.failed(superpeer, failure);
                    }
                });
        } catch (NetworkException e) {
            refusals.failed(superpeer, e);
        }
    }

    private void answered(HeartbeatAnswer answer) {
        if (answer.isPromised()) {
            synchronized (lease) {
                lease.answered(answer.superpeer(), answer.number());
            }
        }
        if (answer.isLeading()) {
            cell.leads(answer.superpeer());
            if (leader != answer.superpeer()) {
                leader = answer.superpeer();
                events.log(NodeEvent.LEADER, "the superpeer with NID " + CellMessages.nid(leader) + " leads");
            }
        }
        if (answer.isKnown() && !answer.isAlive() && !isExpired) {
            isExpired = true;
            listener.expired();
        }
        if (answer.tableVersion() > tables.version()) {
            ask(answer.superpeer());
        }
    }

    /**
     * Asks for the changed rows, without waiting for the next heartbeat: the node has sent a command, or waits for
     * commands of further nodes. No effect while the answer to an earlier question is to be waited for.
     */
    public void refresh() {
        ask(cell.leading());
    }

    private void ask(int superpeer) {
        final Question question = questions.begin(superpeer, clock.nowNs());
        if (question == null) {
            return;
        }
        try {
            var _ = requests.request(CellMessages.nid(superpeer), CellMessages.TABLE,
                new TableRequest(tables.version()), TABLE_NS)
                .whenComplete((answer, failure) -> {
                    questions.end(question);
                    if (failure == null) {
                        update(answer);
                    }
                });
        } catch (NetworkException _) {
            questions.end(question);                            // the request was not sent
        }
    }

    private void update(TableAnswer answer) {
        List<ZoneRow> changed = tables.update(answer);
        if (!changed.isEmpty()) {
            listener.changed(changed);
        }
    }

    /** Ends the heartbeats; the lease ends at once for this node. Idempotent. */
    @Override
    public void close() {
        isClosed = true;
        Threads.join(thread);
    }
}
