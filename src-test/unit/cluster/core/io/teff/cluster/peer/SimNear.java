package io.teff.cluster.peer;

import io.teff.cluster.client.SimCopies;
import io.teff.cluster.operation.MapMode;
import io.teff.cluster.operation.OperationAnswer;
import io.teff.cluster.operation.OperationFormat;
import io.teff.cluster.operation.OperationType;
import io.teff.engine.Cid;
import io.teff.engine.os.Clock;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The near caches of a simulated client, with the copies of the real one. A read from a copy is in the history as a
 * read that had its moment at any time within the bound, not before the last read of this client on the key was sent,
 * and not before the end of the last change: this is the promise of a near cache.
 */
final class SimNear {
    /** The longest age of a copy. */
    static final long BOUND_NS = 400 * SimWorld.MS;

    private final SimWorld world;
    private final Histories histories;
    private final Plant plant;
    private final String name;
    private final Clock clock;
    private final Map<Long, SimCopies> byRoot = new TreeMap<>();
    /** A moment before which no value of a key may be shown: of the operations of this client that have returned. */
    private final Map<Long, Long> known = new HashMap<>();
    private long hits;

    SimNear(SimWorld world, Histories histories, Plant plant, String name) {
        this.world = world;
        this.histories = histories;
        this.plant = plant;
        this.name = name;
        clock = new Clock() {
            @Override
            public long nowNs() {
                return world.nowNs();
            }

            @Override
            public long epochMs() {
                return TimeUnit.NANOSECONDS.toMillis(world.nowNs());
            }
        };
    }

    private static byte[] key(long cid) {
        return new byte[] {(byte) (Cid.index(cid) - SimOperation.MAP_INDEX)};
    }

    private SimCopies copies(long root) {
        return byRoot.computeIfAbsent(root, _ -> new SimCopies(clock, BOUND_NS));
    }

    /** Reads an entry from a copy; returns false if there is none. */
    boolean isRead(long root, long cid) {
        SimCopies.Copy copy = copies(root).find(key(cid), plant.copyNs(BOUND_NS));
        if (copy == null) {
            return false;
        }
        long nowNs = world.nowNs();
        byte[] value = copy.value();
        long from = Math.max(Math.max(nowNs - BOUND_NS, known.getOrDefault(cid, 0L)), 0);
        histories.read(cid, Math.min(from, nowNs), nowNs,
            value == null ? Histories.ABSENT : Histories.value(value),
            name + ", from a copy");
        hits++;
        return true;
    }

    /** Returns an operation on an entry with its effects on the copies; the operation begins now. */
    SimAsk of(long root, SimOperation operation, @Nullable MapMode mode) {
        Consumer<byte @Nullable []> ended = mode == null ? copies(root).begin(key(operation.cid())) : _ -> { };
        return new Noted(operation, (answer, sentNs) -> {
            if (mode == null) {
                ended.accept(answer.result() < 0 ? null
                    : Arrays.copyOfRange(answer.bytes(), OperationFormat.HEAD_BYTES, answer.bytes().length));
            } else {
                changed(root, operation.cid());
            }
            known.merge(operation.cid(), mode == null ? sentNs : world.nowNs() + 1, Math::max);
        });
    }

    /** A change has ended, perhaps without an answer. */
    void changed(long root, long cid) {
        if (plant.endsCopies()) {
            copies(root).changed(key(cid));
        }
    }

    long hits() {
        return hits;
    }

    /** Takes the answer of a message, and when the message was sent. */
    @FunctionalInterface
    private interface Told {
        void answered(OperationAnswer answer, long sentNs);
    }

    /** An operation with the receiver of its answer. */
    private record Noted(SimOperation of, Told told) implements SimAsk {
        @Override
        public OperationType type() {
            return of.type();
        }

        @Override
        public long cid() {
            return of.cid();
        }

        @Override
        public boolean isChange() {
            return of.isChange();
        }

        @Override
        public boolean waitsForLocks() {
            return of.waitsForLocks();
        }

        @Override
        public boolean isOfCollection() {
            return of.isOfCollection();
        }

        @Override
        public byte[] request(int session, long ticket) {
            return of.request(session, ticket);
        }

        @Override
        public OperationAnswer read(byte[] answer) {
            return of.read(answer);
        }

        @Override
        public void unknown(Histories histories, long calledNs, String note) {
            of.unknown(histories, calledNs, note);
        }

        @Override
        public void done(Histories histories, LockHistory locks, OperationAnswer answer, long calledNs, long sentNs,
                         long nowNs, String who) {
            of.done(histories, locks, answer, calledNs, sentNs, nowNs, who);
            told.answered(answer, sentNs);
        }
    }
}
