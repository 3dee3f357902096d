package io.teff.cluster.client;

import io.teff.cluster.slot.Ticket;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A session of a client, with tickets as names of the changes. A change occupies the lowest free slot of its zone from
 * the first attempt to the answer, so that owners keep few slots. Thread-safe.
 */
final class ClientSession {
    private final int number;
    private final Map<Integer, ZoneSlots> zones = new ConcurrentHashMap<>();
    private volatile boolean isLost;

    /** The slots of one zone. */
    private static final class ZoneSlots {
        /** As many permits as free slots; waiting threads are woken in turn. */
        private final Semaphore free = new Semaphore(Ticket.SLOTS);
        /** One bit per occupied slot. */
        private final AtomicLong occupied = new AtomicLong();
        /** Sequence of the last change of each slot, written only by the thread in the slot. */
        private final long[] sequences = new long[Ticket.SLOTS];
    }

    /** An occupied slot, and the ticket of its change. For one thread. */
    final class Turn {
        private final ZoneSlots slots;
        private final long ticket;
        private boolean isOver;

        private Turn(ZoneSlots slots, long ticket) {
            this.slots = slots;
            this.ticket = ticket;
        }

        ClientSession session() {
            return ClientSession.this;
        }

        long ticket() {
            return ticket;
        }

        /** Frees the slot. Idempotent. */
        void end() {
            if (!isOver) {
                isOver = true;
                slots.occupied.getAndUpdate(bits -> bits & ~(1L << Ticket.slot(ticket)));
                slots.free.release();
            }
        }
    }

    /**
     * Begins without changes.
     *
     * @param number of the session, from the cell
     */
    ClientSession(int number) {
        this.number = number;
    }

    int number() {
        return number;
    }

    /** Occupies a slot of a zone; returns null if all are occupied. */
    @Nullable Turn take(int zone) {
        final ZoneSlots slots = slots(zone);
        return slots.free.tryAcquire() ? take(slots) : null;
    }

    /**
     * Occupies a slot of a zone; waits for a free slot for a time, and returns null after a vain wait.
     *
     * @throws InterruptedException if the thread was interrupted; no slot is occupied then
     */
    @Nullable Turn await(int zone, long ns) throws InterruptedException {
        final ZoneSlots slots = slots(zone);
        return slots.free.tryAcquire(ns, TimeUnit.NANOSECONDS) ? take(slots) : null;
    }

    private ZoneSlots slots(int zone) {
        final ZoneSlots known = zones.get(zone);
        return known == null ? zones.computeIfAbsent(zone, _ -> new ZoneSlots()) : known;
    }

    /** Occupies the lowest free slot, which exists because the thread has a permit. */
    private Turn take(ZoneSlots slots) {
        while (true) {
            final long bits = slots.occupied.get();
            final int slot = Long.numberOfTrailingZeros(~bits);
            if (slots.occupied.compareAndSet(bits, bits | 1L << slot)) {
                return new Turn(slots, Ticket.of(++slots.sequences[slot], slot));
            }
        }
    }

    boolean isLost() {
        return isLost;
    }

    void lose() {
        isLost = true;
    }
}
