package io.teff.cluster.peer;

import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.net.Network;
import io.teff.cluster.net.message.HandledBy;
import io.teff.cluster.net.message.NetworkException;
import io.teff.cluster.net.message.RawHandler;
import io.teff.cluster.net.message.RawType;
import io.teff.cluster.ship.Outlet;
import io.teff.cluster.ship.RunAnswer;
import io.teff.cluster.ship.RunMessage;
import io.teff.cluster.ship.Shipper;
import io.teff.recovery.backup.RunWriter;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Runs and answers as messages. Nothing here waits for room: a run is offered again later, and an answer is kept until
 * there is room.
 *
 * <p>Short runs for a node leave together, and so do the answers: a batch of changes of many zones costs each backup a
 * single message. All runs to a node are in a single lane, and so in the order of the calls.
 *
 * <p>Short messages with runs are handled by the receiving agent, because waking a thread costs more than the runs.
 * Long messages have a thread of their own. Neither thread waits. No operation on an agent's thread waits for backups.
 * No append waits for a device, because the log refuses a run without room. Otherwise peers could wait for each other
 * in a circle. Answers are handled by the receiving agent. Thread-safe.
 */
final class RunTraffic implements Outlet, BackupService.Answers {
    private static final int RUN_ID = 16;
    private static final int ANSWER_ID = 17;
    private static final RawType RUN = new RawType(RUN_ID, RunMessage.HEAD_BYTES + RunWriter.RUN_BYTES_MAX);
    /** More answers are sent in several messages. */
    private static final int ANSWERS_MAX = 512;
    private static final RawType ANSWER = new RawType(ANSWER_ID, ANSWERS_MAX * RunAnswer.BYTES);
    private static final int RUN_LANE = 1;
    /** Longest messages with runs handled by the receiving agent, in some tens of microseconds. */
    private static final int AGENT_BYTES_MAX = 8 << 10;
    /** How long runs wait for room, or for a node out of reach. */
    private static final long STUCK_NS = TimeUnit.SECONDS.toNanos(1);

    private final Queue<Owed> owed = new ConcurrentLinkedQueue<>();
    /** By node; of the thread that ships. */
    private final Map<Integer, Bundle> bundles = new HashMap<>();
    private final LongAdder refused = new LongAdder();
    private final Link link;

    /** Runs to leave together. */
    private static final class Bundle {
        /** Longer runs are not copied, but leave alone. */
        private static final int RUN_BYTES_MAX = 8 << 10;
        private static final int BYTES_MAX = 32 << 10;

        private final int nid;
        private final MemorySegment memory = MemorySegment.ofArray(new byte[BYTES_MAX]);
        private int length;
        private boolean isStuck;
        private long stuckSinceNs;

        Bundle(int nid) {
            this.nid = nid;
        }

        boolean hasRoom(int bytes) {
            return bytes <= BYTES_MAX - length;
        }

        void add(MemorySegment run, int bytes) {
            RunMessage.copy(run, memory, length, bytes);
            length += bytes;
        }

        void left() {
            length = 0;
            isStuck = false;
        }

        /** Notes that the runs could not be sent now. After a long time drops the runs, and returns true. */
        boolean isDropped(long nowNs) {
            if (!isStuck) {
                isStuck = true;
                stuckSinceNs = nowNs;
            } else if (nowNs - stuckSinceNs >= STUCK_NS) {
                left();                                         // the node may have ended
            }
            return length == 0;
        }
    }

    private record Owed(int nid, List<RunAnswer> answers) {}

    /** Offers messages to nodes: a network, or a simulator in place of a network. */
    @FunctionalInterface
    interface Link {
        /**
         * Sends a message unless there is no room now.
         *
         * @throws NetworkException if the message cannot be sent for a different reason
         */
        boolean offer(int nid, int lane, RawType type, MemorySegment memory, int length);
    }

    RunTraffic(Link link) {
        this.link = link;
    }

    /** Registers the handlers. */
    void register(Network of, BackupService backups, Shipper shipper) {
        register(of, backups::run, (from, memory, offset, length) -> answered(shipper, from, memory, offset, length));
    }

    /** Registers handlers of runs and of answers. */
    static void register(Network of, RawHandler runs, RawHandler answers) {
        of.raw().handle(RUN, HandledBy.agentOrPool(AGENT_BYTES_MAX, "backup", 1), runs);
        of.raw().handle(ANSWER, HandledBy.AGENT, answers);
    }

    /** Hands answers to the shipper of the runs; drops malformed answers. */
    void answered(Shipper shipper, int from, MemorySegment memory, long offset, int length) {
        final long end = offset + length;
        for (long at = offset; at < end; at += RunAnswer.BYTES) {
            if (RunAnswer.isValid(memory, at, end - at)) {
                shipper.answered(RunAnswer.read(memory, at, from));
            } else {
                refused.increment();
            }
        }
    }

    /** Returns whether messages of a type are runs, not answers. */
    static boolean isRun(RawType type) {
        return type.equals(RUN);
    }

    // ---- runs ----

    @Override
    public boolean offer(NodeRef to, MemorySegment memory, int length) {
        final Bundle bundle = bundles.computeIfAbsent(to.nid(), Bundle::new);
        if (length > Bundle.RUN_BYTES_MAX) {
            return leave(bundle) && offer(to.nid(), RUN_LANE, RUN, memory, length);
        }
        if (!bundle.hasRoom(length) && !leave(bundle)) {
            return false;
        }
        bundle.add(memory, length);
        return true;
    }

    @Override
    public boolean flush(long nowNs) {
        boolean isAll = true;
        for (Bundle bundle : bundles.values()) {
            isAll &= leave(bundle) || bundle.isDropped(nowNs);
        }
        return isAll;
    }

    /** Sends the runs of a bundle; returns false if the runs are still here. */
    private boolean leave(Bundle bundle) {
        if (bundle.length > 0 && offer(bundle.nid, RUN_LANE, RUN, bundle.memory, bundle.length)) {
            bundle.left();
        }
        return bundle.length == 0;
    }

    // ---- answers ----

    @Override
    public void send(int nid, List<RunAnswer> answers) {
        for (int from = 0; from < answers.size(); from += ANSWERS_MAX) {
            final Owed next = new Owed(nid, answers.subList(from, Math.min(from + ANSWERS_MAX, answers.size())));
            if (!owed.isEmpty() || !offer(next)) {
                owed.add(next);
                sendOwed();
            }
        }
    }

    /** Returns the number of damaged, ignored answers. */
    long refused() {
        return refused.sum();
    }

    /** Sends answers kept for lack of room. */
    void sendOwed() {
        for (Owed first = owed.peek(); first != null && offer(first); first = owed.peek()) {
            owed.remove(first);
        }
    }

    private boolean offer(Owed answer) {
        final MemorySegment bytes = MemorySegment.ofArray(new byte[answer.answers().size() * RunAnswer.BYTES]);
        for (int i = 0; i < answer.answers().size(); i++) {
            answer.answers().get(i).write(bytes, (long) i * RunAnswer.BYTES);
        }
        return offer(answer.nid(), 0, ANSWER, bytes, (int) bytes.byteSize());
    }

    /** Returns false if there is no room now. After a different failure the message is lost. */
    private boolean offer(int nid, int lane, RawType type, MemorySegment memory, int length) {
        try {
            return link.offer(nid, lane, type, memory, length);
        } catch (NetworkException e) {
            assert e.reason() != NetworkException.Reason.TOO_LARGE : e;   // else offered again for ever
            return type.equals(ANSWER);                              // the owner asks again
        }
    }
}
