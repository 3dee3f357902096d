package io.teff.cluster.consensus;

import io.aeron.ExclusivePublication;
import io.aeron.FragmentAssembler;
import io.aeron.Image;
import io.aeron.Publication;
import io.aeron.cluster.client.ClusterException;
import io.aeron.cluster.codecs.CloseReason;
import io.aeron.cluster.service.ClientSession;
import io.aeron.cluster.service.Cluster;
import io.aeron.cluster.service.ClusteredService;
import io.aeron.logbuffer.Header;
import io.teff.cluster.meta.CommandReply;
import io.teff.cluster.meta.MachineState;
import io.teff.cluster.meta.MetadataMachine;
import io.teff.engine.os.FailureText;
import java.io.ByteArrayOutputStream;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.NoOpIdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The machine as a service of Aeron Cluster. Aeron calls the service in one thread; readers of the machine exclude this
 * thread for the time of one command.
 *
 * <p><b>No record that was accepted once stops a member at each start.</b> {@link ProposalCodec} tells garbage from a
 * command of a later version: all members skip garbage, and a member ends at a later version's command. A command for
 * which the machine throws an exception is skipped by all members, too: the machine is deterministic. So a version that
 * mends such a failure must refuse the command, with the same effect on the tables as the failure.
 *
 * <p>A snapshot is cut into messages of {@link #PIECE_BYTES}, so it may be larger than a term of the log.
 */
final class MetadataService implements ClusteredService {
    private static final int PIECE_BYTES = 8_192;
    private static final int FRAGMENTS = 16;
    /** Skipped records with a line of their own; later lines come at 16, 32, 64 and so on. */
    private static final int SKIPPED_TOLD = 8;
    private static final int FIRST_BYTES = 16;

    private final Listener listener;
    private final AtomicLong commands = new AtomicLong();
    private MetadataMachine machine;
    private volatile long snapshotAt;
    private volatile long position;
    private volatile boolean isStarted;
    /**
     * A command could not be applied. Without the command this machine would differ from the machines of members that
     * have applied the command.
     */
    private boolean hasEnded;
    private long skipped;
    private volatile long startedAt;
    private @Nullable Cluster cluster;
    private IdleStrategy idle = NoOpIdleStrategy.INSTANCE;

    /** Notified by Aeron's thread. */
    interface Listener {
        void applied(ProposalCodec.Proposal proposal, CommandReply reply);

        void role(boolean isLeading);

        /** Takes the text on a record that was skipped, and why. */
        void skipped(String text);

        /** Takes the failure to apply a command: nothing is applied from then on. */
        void ended(IllegalStateException failure);
    }

    MetadataService(MachineState.Settings settings, Listener listener) {
        this.listener = listener;
        machine = new MetadataMachine(MachineState.initial(settings));
    }

    synchronized <T> T read(Function<MetadataMachine, T> reader) {
        return reader.apply(machine);
    }

    /** Returns whether the member has read its last snapshot. */
    boolean isStarted() {
        return isStarted;
    }

    /** Returns whether a snapshot is due. */
    boolean isDue(SnapshotBound bound) {
        return bound.isDue(commands.get(), position - snapshotAt);
    }

    /** Returns up to where in the log commands are applied. */
    long position() {
        return position;
    }

    /** Returns the log position of the snapshot from which the member has started; 0 if there was no snapshot. */
    long startedAt() {
        return startedAt;
    }

    /** Returns where in the log the last snapshot is, or where this process began. */
    long lastSnapshot() {
        return snapshotAt;
    }

    @Override
    public void onStart(Cluster started, @Nullable Image snapshot) {
        cluster = started;
        idle = started.idleStrategy();
        if (snapshot != null) {
            restore(ProposalCodec.state(load(snapshot, idle)));
            startedAt = started.logPosition();
        }
        countFrom(started.logPosition());
        isStarted = true;
    }

    private void countFrom(long now) {
        snapshotAt = now;
        position = now;
        commands.set(0);
    }

    private synchronized void restore(MachineState state) {
        machine = new MetadataMachine(state);
    }

    private static byte[] load(Image snapshot, IdleStrategy idle) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        FragmentAssembler pieces = new FragmentAssembler((buffer, offset, length, _) -> {
            byte[] piece = new byte[length];
            buffer.getBytes(offset, piece);
            all.writeBytes(piece);
        });
        while (!snapshot.isEndOfStream() || snapshot.position() < snapshot.endOfStreamPosition()) {
            int count = snapshot.poll(pieces, FRAGMENTS);
            if (count == 0 && snapshot.isClosed()) {
                throw new IllegalStateException("the snapshot ends too early, after " + all.size() + " bytes");
            }
            idle.idle(count);
        }
        return all.toByteArray();
    }

    @Override
    public void onTakeSnapshot(ExclusivePublication publication) {
        if (hasEnded) {
            throw new ClusterException("the log could not be read up to here");
        }
        write(ProposalCodec.snapshot(read(MetadataMachine::state)), publication::offer, idle);
        Cluster taking = cluster;
        if (taking != null) {
            countFrom(taking.logPosition());
        }
    }

    /** A publication. */
    interface Offers {
        /** Returns the position behind the message, or the reason of a refusal. */
        long offer(DirectBuffer message);
    }

    /**
     * Writes a snapshot.
     *
     * @throws ClusterException if the archive does not record the snapshot any more: the member continues without this
     *     snapshot
     */
    static void write(byte[] bytes, Offers publication, IdleStrategy idle) {
        for (int from = 0; from < bytes.length; from += PIECE_BYTES) {
            UnsafeBuffer piece = new UnsafeBuffer(bytes, from, Math.min(PIECE_BYTES, bytes.length - from));
            idle.reset();
            for (long result = publication.offer(piece); result < 0; result = publication.offer(piece)) {
                if (result == Publication.NOT_CONNECTED || result == Publication.CLOSED
                    || result == Publication.MAX_POSITION_EXCEEDED) {
                    throw new ClusterException("the snapshot cannot be written: " + Publication.errorString(result));
                }
                idle.idle();
            }
        }
    }

    @Override
    public void onSessionMessage(ClientSession session, long timestamp, DirectBuffer buffer, int offset, int length,
                                 Header header) {
        if (hasEnded) {
            return;
        }
        byte[] bytes = new byte[length];
        buffer.getBytes(offset, bytes);
        try {
            switch (ProposalCodec.read(bytes)) {
                case LogRecord.Known known -> applyOrSkip(known.proposal(), bytes);
                case LogRecord.Garbage garbage -> skip(bytes, garbage.fault());
                case LogRecord.Later later -> {
                    end("was written by a later version: the command " + later.fault()
                        + "; start this superpeer with the later version", null);
                    return;
                }
            }
        } catch (Error e) {                                     // another member may have applied the command
            end("cannot be applied: " + FailureText.of(e), e);
            throw e;
        }
        position = header.position();
        commands.incrementAndGet();
    }

    private void end(String fault, @Nullable Error cause) {
        hasEnded = true;
        listener.ended(new IllegalStateException("the record behind position " + position + " of the replicated log "
            + fault, cause));
    }

    /** Applies a command. A command that the machine cannot apply is skipped: each member meets the same failure. */
    private void applyOrSkip(ProposalCodec.Proposal proposal, byte[] bytes) {
        CommandReply reply;
        try {
            reply = apply(proposal);
        } catch (RuntimeException e) {
            String fault = "the command " + proposal.command().getClass().getSimpleName() + " cannot be applied: "
                + FailureText.of(e);
            skip(bytes, fault);
            reply = new CommandReply.Refused(fault, true);
        }
        listener.applied(proposal, reply);
    }

    private void skip(byte[] bytes, String fault) {
        skipped++;
        if (skipped <= SKIPPED_TOLD || Long.bitCount(skipped) == 1) {
            listener.skipped("skips the record behind position " + position + " of the replicated log, as all"
                + " superpeers do: " + bytes.length + " bytes from " + HexFormat.of().formatHex(bytes, 0,
                Math.min(bytes.length, FIRST_BYTES)) + ", " + fault + "; skipped since the start: " + skipped);
        }
    }

    private synchronized CommandReply apply(ProposalCodec.Proposal proposal) {
        return machine.apply(proposal.command());
    }

    @Override
    public void onRoleChange(Cluster.Role role) {
        listener.role(role == Cluster.Role.LEADER);
    }

    @Override
    public void onSessionOpen(ClientSession session, long timestamp) {}

    @Override
    public void onSessionClose(ClientSession session, long timestamp, CloseReason reason) {}

    @Override
    public void onTimerEvent(long correlation, long timestamp) {}

    @Override
    public void onTerminate(Cluster terminated) {}
}
