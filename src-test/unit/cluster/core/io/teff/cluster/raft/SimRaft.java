package io.teff.cluster.raft;

import io.microraft.RaftEndpoint;
import io.microraft.statemachine.StateMachine;
import io.teff.cluster.consensus.LogRecord;
import io.teff.cluster.consensus.NotLeadingException;
import io.teff.cluster.consensus.ProposalCodec;
import io.teff.cluster.consensus.SuperpeerLog;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.CommandReply;
import io.teff.cluster.meta.MachineState;
import io.teff.cluster.meta.MetadataMachine;
import io.teff.engine.os.Chance;
import io.teff.engine.os.Clock;
import io.teff.recovery.disk.Choices;
import io.teff.recovery.disk.FaultDisk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The real consensus of a superpeer in a simulated cluster, with its disk; the simulation calls {@link #run}. */
public final class SimRaft implements SuperpeerLog {
    private static final int SNAPSHOT_COMMANDS = 40;

    private final int number;
    private final MachineState.Settings settings;
    private final Clock clock;
    private final Chance chance;
    private final Sender sender;
    private final Applied applied;
    private final Consumer<String> failures;
    private FaultDisk disk = new FaultDisk();
    private final Set<CompletableFuture<CommandReply>> proposals = new HashSet<>();
    private @Nullable RaftCore core;
    private RaftMachine machine;
    /** Index of the last entry of the log that the machine has. */
    private long appliedIndex;

    /** Sends a message to another superpeer. */
    @FunctionalInterface
    public interface Sender {
        /** Sends, or loses. */
        void send(int superpeer, byte[] bytes);
    }

    /** Learns of each command that this superpeer applies. */
    @FunctionalInterface
    public interface Applied {
        /** Called behind the command. */
        void applied(long index, Command command, MetadataMachine machine, long versionBefore);
    }

    /** Makes a member of a cell of which all first superpeers are founders. */
    public SimRaft(int number, MachineState.Settings settings, Clock clock, Chance chance, Sender sender,
                   Applied applied, Consumer<String> failures) {
        this.number = number;
        this.settings = settings;
        this.clock = clock;
        this.chance = chance;
        this.sender = sender;
        this.applied = applied;
        this.failures = failures;
        machine = new RaftMachine(settings, _ -> {});
        List<RaftEndpoint> founders = new ArrayList<>();
        for (int i = 0; i < settings.superpeers(); i++) {
            founders.add(new RaftId(i, i + 1));
        }
        try (RaftJournal journal = RaftJournal.open(disk, FaultDisk.ROOT)) {
            journal.persistAndFlushLocalEndpoint(RaftBytes.MODEL.createRaftEndpointPersistentStateBuilder()
                .setLocalEndpoint(new RaftId(number, number + 1)).setVoting(number < founders.size()).build());
            journal.persistAndFlushInitialGroupMembers(RaftBytes.members(0, founders, founders));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts a process. */
    public void start() {
        machine = new RaftMachine(settings, failure -> failures.accept(failure.toString()));
        appliedIndex = 0;
        try {
            RaftJournal journal = RaftJournal.open(disk, FaultDisk.ROOT);
            RaftCore started = new RaftCore(new RaftId(number, number + 1), null, journal, new Observed(machine),
                SNAPSHOT_COMMANDS, clock, chance, (to, bytes) -> sender.send(to.number(), bytes),
                () -> { }, failure -> failures.accept("superpeer " + number + ": " + failure));
            core = started;
            started.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the index of the last entry of the log that the machine has. */
    public long appliedIndex() {
        return appliedIndex;
    }

    /** Ends the process. */
    public void end(boolean hasNoPower) {
        if (core != null) {
            core = null;
            proposals.clear();
            disk = hasNoPower ? disk.powerCut(Choices.random(chance.nextLong())) : disk.killed();
        }
    }

    /** Does due work; returns the nanoseconds until the next. */
    public long run() {
        RaftCore running = core;
        return running == null ? Long.MAX_VALUE : running.run();
    }

    /** Takes a message. */
    public void receive(int from, byte[] bytes) {
        RaftCore running = core;
        if (running != null) {
            running.receive(from, bytes);
        }
    }

    private final class Observed implements StateMachine {
        private final RaftMachine real;

        Observed(RaftMachine real) {
            this.real = real;
        }

        @Override
        public Object runOperation(long index, Object operation) {
            appliedIndex = index;
            long before = real.read(MetadataMachine::version);
            Object reply = real.runOperation(index, operation);
            if (((byte[]) operation).length > 0
                && ProposalCodec.read((byte[]) operation) instanceof LogRecord.Known known) {
                real.read(now -> {
                    applied.applied(index, known.proposal().command(), now, before);
                    return true;
                });
            }
            return reply;
        }

        @Override
        public void takeSnapshot(long index, Consumer<Object> pieces) {
            real.takeSnapshot(index, pieces);
        }

        @Override
        public void installSnapshot(long index, List<Object> pieces) {
            appliedIndex = index;
            real.installSnapshot(index, pieces);
        }

        @Override
        public Object getNewTermOperation() {
            return real.getNewTermOperation();
        }
    }

    // ---- the log ----

    @Override
    public CompletableFuture<CommandReply> propose(Command command) {
        RaftCore running = core;
        if (running == null || !running.isLeading()) {
            return CompletableFuture.failedFuture(new NotLeadingException());
        }
        CompletableFuture<CommandReply> reply = new CompletableFuture<>();
        proposals.add(reply);
        var _ = running.propose(ProposalCodec.bytes(new ProposalCodec.Proposal(number, 1, 1, command)))
            .whenComplete((result, _) -> {
                if (proposals.remove(reply)) {                  // of this process
                    if (result instanceof CommandReply done) {
                        reply.complete(done);
                    } else {
                        reply.completeExceptionally(new NotLeadingException());
                    }
                }
            });
        return reply;
    }

    @Override
    public boolean isLeading() {
        RaftCore running = core;
        return running != null && running.isLeading();
    }

    @Override
    public boolean isMember() {
        return true;
    }

    @Override
    public int restarts() {
        return 0;
    }

    /** Takes a superpeer that is being added in, step by step: the leader's duty asks again and again. */
    @Override
    public boolean isVoter(int superpeer) {
        RaftCore running = core;
        if (running == null) {
            return false;
        }
        RaftId member = new RaftId(superpeer, superpeer + 1);
        if (running.members().getVotingMembers().contains(member)) {
            return true;
        }
        running.submit(() -> running.admit(member));
        return false;
    }

    @Override
    public boolean remove(int superpeer) {
        RaftCore running = core;
        if (running == null || !running.isLeading()) {
            return false;
        }
        if (running.isSettled() && !running.members().getMembers().contains(new RaftId(superpeer, superpeer + 1))) {
            return true;
        }
        running.submit(() -> running.remove(superpeer));
        return false;
    }

    @Override
    public boolean needsRoom() {
        return false;
    }

    @Override
    public <T> T read(Function<MetadataMachine, T> reader) {
        return machine.read(reader);
    }

    @Override
    public void close() {
        // ends with its process
    }
}
