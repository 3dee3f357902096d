package io.teff.cluster.peer;

import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.net.Network;
import io.teff.cluster.net.message.HandledBy;
import io.teff.cluster.net.message.NetworkException;
import io.teff.cluster.net.message.RawType;
import io.teff.cluster.ship.Outlet;
import io.teff.cluster.ship.RunAnswer;
import io.teff.cluster.ship.RunMessage;
import io.teff.cluster.ship.Shipper;
import io.teff.recovery.backup.RunWriter;
import java.lang.foreign.MemorySegment;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Runs and their answers as messages. Nothing here waits for room: a run is offered again later, and an answer is kept
 * until there is room.
 *
 * <p>Runs are handled by threads of their own, never behind operations, because operations wait for runs of others: in
 * a circle of peers that all wait, none would continue. Answers are handled where they arrive. Thread-safe.
 */
final class RunTraffic implements Outlet, BackupService.Answers {
    private static final int RUN_ID = 16;
    private static final int ANSWER_ID = 17;
    private static final RawType RUN = new RawType(RUN_ID, RunMessage.HEAD_BYTES + RunWriter.RUN_BYTES_MAX);
    private static final RawType ANSWER = new RawType(ANSWER_ID, RunAnswer.BYTES);
    /** Messages of a zone are in order; zones share lanes. */
    private static final int LANES = 128;

    private final Queue<Owed> owed = new ConcurrentLinkedQueue<>();
    private final LongAdder refused = new LongAdder();
    private volatile @Nullable Network network;

    private record Owed(int nid, RunAnswer answer) {}

    /** Registers the handlers; runs may be refused until the network has begun. */
    void register(Network of, BackupService backups, Shipper shipper) {
        network = of;
        of.raw().handle(RUN, HandledBy.pool("backup", 1), backups::run);
        of.raw().handle(ANSWER, HandledBy.AGENT, (from, memory, offset, length) -> {
            if (RunAnswer.isValid(memory, offset, length)) {
                shipper.answered(RunAnswer.read(memory, offset, from));
            } else {
                refused.increment();
            }
        });
    }

    @Override
    public boolean offer(NodeRef to, int zone, MemorySegment memory, int length) {
        return offer(to.nid(), 1 + zone % LANES, RUN, memory, length);
    }

    @Override
    public void send(int nid, RunAnswer answer) {
        if (!owed.isEmpty() || !offer(new Owed(nid, answer))) {
            owed.add(new Owed(nid, answer));
            sendOwed();
        }
    }

    /** Returns the number of answers that were damaged on their way, and ignored. */
    long refused() {
        return refused.sum();
    }

    /** Sends answers that there was no room for. */
    void sendOwed() {
        for (Owed first = owed.peek(); first != null && offer(first); first = owed.peek()) {
            owed.remove(first);
        }
    }

    private boolean offer(Owed answer) {
        final MemorySegment bytes = MemorySegment.ofArray(new byte[RunAnswer.BYTES]);
        answer.answer().write(bytes, 0);
        return offer(answer.nid(), 0, ANSWER, bytes, RunAnswer.BYTES);
    }

    /** Returns false if there is no room now. A message that cannot be sent for another reason is lost. */
    private boolean offer(int nid, int lane, RawType type, MemorySegment memory, int length) {
        final Network to = network;
        try {
            return to != null && to.raw().offer(nid, lane, type, memory, 0, length);
        } catch (NetworkException e) {
            assert e.reason() != NetworkException.Reason.TOO_LARGE : e;   // it would be offered again for ever
            return type.equals(ANSWER);                              // the owner asks again
        }
    }
}
