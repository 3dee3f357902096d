package io.teff.cluster.raft;

import io.microraft.statemachine.StateMachine;
import io.teff.cluster.consensus.LogRecord;
import io.teff.cluster.consensus.ProposalCodec;
import io.teff.cluster.meta.CommandReply;
import io.teff.cluster.meta.MachineState;
import io.teff.cluster.meta.MetadataMachine;
import io.teff.engine.os.FailureText;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The metadata as the state machine of the algorithm. The member's thread applies commands; readers of the machine
 * exclude this thread for the time of one command.
 *
 * <p><b>No record that was accepted once stops a member at each start.</b> {@link ProposalCodec} tells garbage from a
 * command of a later version: all members skip garbage, and a member ends at a later version's command. A command for
 * which the machine throws an exception is skipped by all members, too: the machine is deterministic. So a version that
 * mends such a failure must refuse the command, with the same effect on the tables as the failure.
 *
 * <p>A snapshot is cut into pieces of {@link #PIECE_BYTES}, which travel one by one.
 */
final class RaftMachine implements StateMachine {
    private static final int PIECE_BYTES = 256 << 10;
    /** Skipped records with a line of their own; later lines come at 16, 32, 64 and so on. */
    private static final int SKIPPED_TOLD = 8;
    private static final int FIRST_BYTES = 16;
    /** The first entry of each leader. */
    private static final byte[] NEW_TERM = {};

    private final Consumer<Throwable> events;
    private MetadataMachine machine;
    private long bytes;
    private long skipped;
    /**
     * A command could not be applied. Without the command this machine would differ from the machines of members that
     * have applied the command.
     */
    private volatile boolean hasEnded;

    /**
     * Makes the machine of a new cluster.
     *
     * @param settings of the cluster
     * @param events receives what people should know
     */
    RaftMachine(MachineState.Settings settings, Consumer<Throwable> events) {
        this.events = events;
        machine = new MetadataMachine(MachineState.initial(settings));
    }

    synchronized <T> T read(Function<MetadataMachine, T> reader) {
        return reader.apply(machine);
    }

    /** Returns the bytes of commands since the last snapshot. For the thread of the member. */
    long bytes() {
        return bytes;
    }

    /** Returns whether the machine applies nothing any more. */
    boolean hasEnded() {
        return hasEnded;
    }

    @Override
    public Object getNewTermOperation() {
        return NEW_TERM;
    }

    /** Applies a command, and returns the reply; the reply is of no use for the first entry of a leader. */
    @Override
    public Object runOperation(long index, Object operation) {
        byte[] record = (byte[]) operation;
        if (record.length == 0) {
            return NEW_TERM;
        }
        bytes += record.length;
        if (hasEnded) {
            return new CommandReply.Refused("this superpeer has ended", false);
        }
        try {
            return switch (ProposalCodec.read(record)) {
                case LogRecord.Known known -> applyOrSkip(index, known.proposal(), record);
                case LogRecord.Garbage garbage -> skip(index, record, garbage.fault());
                case LogRecord.Later later -> end(index, "was written by a later version: the command "
                    + later.fault() + "; start this superpeer with the later version", null);
            };
        } catch (Error e) {                                     // another member may have applied the command
            return end(index, "cannot be applied: " + FailureText.of(e), e);
        }
    }

    private CommandReply end(long index, String fault, @Nullable Error cause) {
        hasEnded = true;
        events.accept(new IllegalStateException("the record " + index + " of the replicated log " + fault, cause));
        return new CommandReply.Refused(fault, true);
    }

    /** Applies a command. A command that the machine cannot apply is skipped: each member meets the same failure. */
    private CommandReply applyOrSkip(long index, ProposalCodec.Proposal proposal, byte[] record) {
        try {
            return apply(proposal);
        } catch (RuntimeException e) {
            return skip(index, record, "the command " + proposal.command().getClass().getSimpleName()
                + " cannot be applied: " + FailureText.of(e));
        }
    }

    private synchronized CommandReply apply(ProposalCodec.Proposal proposal) {
        return machine.apply(proposal.command());
    }

    private CommandReply skip(long index, byte[] record, String fault) {
        skipped++;
        if (skipped <= SKIPPED_TOLD || Long.bitCount(skipped) == 1) {
            events.accept(new IllegalStateException("skips the record " + index
                + " of the replicated log, as all superpeers do: " + record.length + " bytes from "
                + HexFormat.of().formatHex(record, 0, Math.min(record.length, FIRST_BYTES)) + ", " + fault
                + "; skipped since the start: " + skipped));
        }
        return new CommandReply.Refused(fault, true);
    }

    // ---- snapshots ----

    @Override
    public void takeSnapshot(long index, Consumer<Object> pieces) {
        if (hasEnded) {
            throw new IllegalStateException("the log could not be applied up to here");
        }
        byte[] state = ProposalCodec.snapshot(read(MetadataMachine::state));
        for (int from = 0; from < state.length; from += PIECE_BYTES) {
            pieces.accept(Arrays.copyOfRange(state, from, Math.min(from + PIECE_BYTES, state.length)));
        }
        bytes = 0;
    }

    @Override
    public void installSnapshot(long index, List<Object> pieces) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        pieces.forEach(piece -> all.writeBytes((byte[]) piece));
        restore(ProposalCodec.state(all.toByteArray()));
        bytes = 0;
    }

    private synchronized void restore(MachineState state) {
        machine = new MetadataMachine(state);
    }
}
