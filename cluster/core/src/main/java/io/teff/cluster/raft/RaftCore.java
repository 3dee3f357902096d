package io.teff.cluster.raft;

import io.microraft.MembershipChangeMode;
import io.microraft.RaftConfig;
import io.microraft.RaftEndpoint;
import io.microraft.RaftNode;
import io.microraft.RaftNodeStatus;
import io.microraft.model.log.RaftGroupMembersView;
import io.microraft.model.message.AppendEntriesSuccessResponse;
import io.microraft.model.message.RaftMessage;
import io.microraft.persistence.RaftStore;
import io.microraft.persistence.RestoredRaftState;
import io.microraft.report.RaftGroupMembers;
import io.microraft.statemachine.StateMachine;
import io.microraft.transport.Transport;
import io.teff.engine.os.Chance;
import io.teff.engine.os.Clock;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A member of the cell: MicroRaft with the seams of Teff. All work happens in {@link #run}, called by one thread or by
 * a simulator; the other methods may be called by any thread.
 *
 * <pre>
 *   messages ──> RaftCodec ──> RaftFilter ──> MicroRaft ──> RaftJournal ──> disk
 *                                  ▲              │
 *                                  └── RaftCodec ─┴──> state machine
 * </pre>
 *
 * <p><b>Safety.</b> MicroRaft persists a vote, and the entries of a message, before the member answers; the leader
 * counts its own entries after their sync. A member whose journal has failed handles and sends nothing any more.
 *
 * <p>The algorithm is Raft (Ongaro and Ousterhout, "In Search of an Understandable Consensus Algorithm", 2014), with
 * pre-votes and changes of one member at a time (Ongaro, "Consensus: Bridging Theory and Practice", 2014).
 */
final class RaftCore implements AutoCloseable {
    /** Seconds of the algorithm ({@link RaftLoop#SCALE}) between two heartbeats of the leader: 100 ms. */
    private static final int HEARTBEAT_S = 1;
    /** Without a heartbeat for this time a member asks for votes: 400 ms. */
    private static final int LEADER_S = 4;
    /** A round of votes, in milliseconds of the algorithm: 100 ms. */
    private static final int ELECTION_MS = 1_000;
    private static final int ENTRIES_IN_A_MESSAGE = 128;
    private static final int UNCOMMITTED_MAX = 2_000;
    /** Entries that a member may lack when it becomes a voter. */
    private static final int NEARLY = 64;
    /** Time between two reports of the algorithm, which Teff does not use: 1,000 s. */
    private static final int REPORT_S = 10_000;

    private final RaftId id;
    private final Long cell;
    private final RaftJournal journal;
    private final RaftLoop loop;
    private final RaftNode node;
    private final Sender sender;
    private final Filter filter;
    private final Consumer<Throwable> failures;
    private long offset;
    private volatile boolean hasEnded;

    /** Sends messages to other members. */
    @FunctionalInterface
    interface Sender {
        /**
         * Sends a message, or loses it.
         *
         * @param to the other member
         * @param bytes of the message
         */
        void send(RaftId to, byte[] bytes);
    }

    /** See {@link RaftFilter}. */
    interface Filter {
        void before(RaftMessage message, RaftNode node);

        RaftFilter.@Nullable Passed pass(RaftMessage message, int term, LogView log);
    }

    /** The cell as a new member enters it: the birth of its founder, and its first members. */
    record Cell(RaftId founder) {
        long number() {
            return founder.birth();
        }

        RaftGroupMembersView founders() {
            return RaftBytes.members(0, List.of(founder), List.of(founder));
        }
    }

    /**
     * Makes a member that begins with {@link #start}.
     *
     * @param id of the member, for a journal without records
     * @param entered the cell, for a journal without records; otherwise the journal names the cell
     * @param journal of the member; closed with the member
     * @param machine applies commands, called in {@link #run}
     * @param snapshotCommands commands after which the member takes a snapshot
     * @param clock measures time
     * @param chance draws the times of elections
     * @param sender sends messages
     * @param wake wakes the thread that calls {@link #run}
     * @param failures receives failures
     */
    RaftCore(RaftId id, @Nullable Cell entered, RaftJournal journal, StateMachine machine, int snapshotCommands,
             Clock clock, Chance chance, Sender sender, Runnable wake, Consumer<Throwable> failures) {
        this(id, entered, journal, journal, new RaftFilter(), machine, snapshotCommands, clock, chance, sender, wake,
            failures);
    }

    /** Makes a member with another store or filter, for tests. */
    RaftCore(RaftId id, @Nullable Cell entered, RaftJournal journal, RaftStore store, Filter filter,
             StateMachine machine, int snapshotCommands, Clock clock, Chance chance, Sender sender, Runnable wake,
             Consumer<Throwable> failures) {
        this.journal = journal;
        this.sender = sender;
        this.filter = filter;
        this.failures = failures;
        loop = new RaftLoop(clock, this::failed, wake);
        RestoredRaftState restored = journal.state().restored();
        RaftNode.RaftNodeBuilder builder = RaftNode.newBuilder();
        if (restored != null) {
            builder.setRestoredState(restored);
            this.id = (RaftId) restored.getLocalEndpointPersistentState().getLocalEndpoint();
            cell = ((RaftId) restored.getInitialGroupMembers().getMembers().iterator().next()).birth();
        } else if (entered != null) {
            builder.setLocalEndpoint(id).setInitialGroupMembers(entered.founders().getMembers());
            this.id = id;
            cell = entered.number();
        } else {
            throw new IllegalArgumentException("a member without a journal needs a cell");
        }
        node = builder.setGroupId(cell).setConfig(config(snapshotCommands)).setExecutor(loop)
            .setTransport(new CoreTransport()).setStateMachine(machine).setStore(store)
            .setRandom(Random.from(chance)).setClock(new LoopClock()).build();
    }

    private static RaftConfig config(int snapshotCommands) {
        return RaftConfig.newBuilder().setLeaderHeartbeatPeriodSecs(HEARTBEAT_S)
            .setLeaderHeartbeatTimeoutSecs(LEADER_S).setLeaderElectionTimeoutMillis(ELECTION_MS)
            .setAppendEntriesRequestBatchSize(ENTRIES_IN_A_MESSAGE).setMaxPendingLogEntryCount(UNCOMMITTED_MAX)
            .setCommitCountToTakeSnapshot(snapshotCommands).setTransferSnapshotsFromFollowersEnabled(false)
            .setRaftNodeReportPublishPeriodSecs(REPORT_S).build();
    }

    private final class CoreTransport implements Transport {
        @Override
        public void send(RaftEndpoint target, RaftMessage message) {
            if (journal.isBroken() || hasEnded) {
                return;
            }
            RaftMessage sent = offset != 0 && message instanceof AppendEntriesSuccessResponse answer
                ? RaftFilter.answer(answer, offset) : message;
            sender.send((RaftId) target, RaftCodec.bytes(sent));
        }

        @Override
        public boolean isReachable(RaftEndpoint endpoint) {
            return true;
        }
    }

    private final class LoopClock extends java.time.Clock {
        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public java.time.Clock withZone(ZoneId zone) {
            return this;
        }

        @Override
        public Instant instant() {
            return Instant.ofEpochMilli(millis());
        }

        @Override
        public long millis() {
            return loop.millis();
        }
    }

    /** Ends the member: what the algorithm remembers may be wrong now, and the journal is right. */
    private void failed(Throwable failure) {
        hasEnded = true;
        failures.accept(failure);
    }

    /** Begins. */
    void start() {
        var _ = node.start();
    }

    /** Returns the member. */
    RaftId id() {
        return id;
    }

    /** Returns the number of the cell. */
    long cell() {
        return cell;
    }

    /** Does a task in {@link #run}. */
    void submit(Runnable task) {
        loop.submit(task);
    }

    /** Does all due work, and returns the nanoseconds until the next work is due. */
    long run() {
        if (hasEnded) {
            return Long.MAX_VALUE;
        }
        long nextNs = loop.run();
        if (journal.isBroken() || isRemoved()) {
            hasEnded = true;
        }
        return hasEnded ? Long.MAX_VALUE : nextNs;
    }

    /** Returns whether the member does nothing any more: the journal or a task failed, or the cell removed it. */
    boolean hasEnded() {
        return hasEnded;
    }

    /** Returns whether the cell has removed this member. */
    boolean isRemoved() {
        return node.getStatus() == RaftNodeStatus.TERMINATED && !journal.isBroken();
    }

    /**
     * Takes a message.
     *
     * @param from number of the superpeer that has sent the message
     * @param bytes of the message
     */
    void receive(int from, byte[] bytes) {
        loop.submit(() -> handle(from, bytes));
    }

    private void handle(int from, byte[] bytes) {
        if (journal.isBroken() || hasEnded) {
            return;
        }
        RaftMessage message;
        try {
            message = RaftCodec.read(bytes);
        } catch (RuntimeException e) {                          // perhaps of another build: no reason to end
            failures.accept(new IllegalStateException("a message of superpeer " + from + " cannot be read", e));
            return;
        }
        RaftId member = (RaftId) message.getSender();
        if (member.number() != from || !cell.equals(message.getGroupId())) {
            return;                                             // of a folder that belongs to another cell
        }
        filter.before(message, node);
        RaftFilter.Passed passed = filter.pass(message, node.getTerm().getTerm(), journal.state());
        if (passed != null) {
            offset = passed.offset();
            try {
                node.handle(passed.message());                  // at once: this thread runs the loop
            } finally {
                offset = 0;
            }
        }
    }

    // ---- leading ----

    /**
     * Proposes a command. Only the leader can.
     *
     * @param command for the machine, not empty
     * @return ends with the machine's reply, or fails
     */
    CompletableFuture<Object> propose(byte[] command) {
        return node.replicate(command).thenApply(ordered -> ordered.getResult());
    }

    /** Returns whether this member leads, as far as the member knows. */
    boolean isLeading() {
        return id.equals(node.getTerm().getLeaderEndpoint()) && !hasEnded;
    }

    /** Returns the leader, as far as this member knows; null without one. */
    @Nullable RaftId leader() {
        return (RaftId) node.getTerm().getLeaderEndpoint();
    }

    /** Returns the members that the cell has agreed on last. */
    RaftGroupMembers members() {
        return node.getCommittedMembers();
    }

    /** Returns the superpeer that has founded the cell. */
    RaftId founder() {
        return (RaftId) node.getInitialMembers().getMembers().iterator().next();
    }

    /** Returns the other members with a vote. */
    List<RaftId> otherVoters() {
        return members().getVotingMembers().stream().map(RaftId.class::cast).filter(other -> !other.equals(id))
            .toList();
    }

    /** Returns whether no change of the members is on its way. */
    boolean isSettled() {
        return node.getEffectiveMembers().getLogIndex() == node.getCommittedMembers().getLogIndex();
    }

    /**
     * Takes a member in, by at most one step. Only the leader does. Called in {@link #run}.
     *
     * @param member to be taken in
     * @return what was done
     */
    Admission.Step admit(RaftId member) {
        if (!isLeading() || !isSettled()) {
            return Admission.Step.WAIT;
        }
        final RaftGroupMembers now = node.getCommittedMembers();
        final Admission.Step step = Admission.next(member, now.getMembers(), now.getVotingMembers(), hasLog(member));
        switch (step) {
            case ADD -> change(member, MembershipChangeMode.ADD_LEARNER);
            case PROMOTE -> change(member, MembershipChangeMode.ADD_OR_PROMOTE_TO_FOLLOWER);
            case REMOVE -> {
                RaftId earlier = Admission.earlier(member, now.getMembers());
                if (earlier != null) {
                    change(earlier, MembershipChangeMode.REMOVE_MEMBER);
                }
            }
            default -> { }
        }
        return step;
    }

    /**
     * Removes the members of a superpeer, by at most one step. Only the leader does. A leader hands leadership over
     * before it is removed. Called in {@link #run}.
     */
    void remove(int number) {
        if (!isLeading() || !isSettled()) {
            return;
        }
        for (RaftEndpoint member : node.getCommittedMembers().getMembers()) {
            if (member.equals(id) && id.number() == number) {
                otherVoters().stream().findAny().ifPresent(this::handOver);
                return;
            }
            if (((RaftId) member).number() == number) {
                change((RaftId) member, MembershipChangeMode.REMOVE_MEMBER);
                return;
            }
        }
    }

    /** Returns whether a member has everything that was committed a moment ago. */
    private boolean hasLog(RaftId member) {
        final var report = node.getReport();                    // at once: this thread runs the loop
        if (!report.isDone()) {
            return false;
        }
        final var log = report.join().getResult().getLog();
        return log.getFollowerMatchIndices().getOrDefault(member, 0L) >= log.getCommitIndex() - NEARLY;
    }

    /** Changes the members by one. The change may fail: then the member asks again. */
    private void change(RaftId member, MembershipChangeMode change) {
        var _ = node.changeMembership(member, change, node.getCommittedMembers().getLogIndex());
    }

    /** Begins to hand leadership to another voter. */
    void handOver(RaftId member) {
        var _ = node.transferLeadership(member);
    }

    /** Takes a snapshot of the machine. */
    CompletableFuture<?> snapshot() {
        return node.takeSnapshot();
    }

    @Override
    public String toString() {
        return id + ", " + node.getStatus() + ", " + node.getTerm() + ", voters " + members().getVotingMembers()
            + (isSettled() ? "" : " changing to " + node.getEffectiveMembers().getVotingMembers()) + ", log "
            + journal.state().firstIndex() + " to " + journal.state().lastIndex();
    }

    /** Ends the member at once. The thread that calls {@link #run} must have stopped, or calls this. Idempotent. */
    @Override
    public void close() {
        hasEnded = true;
        try {
            journal.close();
        } catch (IOException e) {
            failures.accept(e);
        }
    }
}
