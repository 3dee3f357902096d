package io.teff.cluster.client;

import io.teff.cluster.slot.Ticket;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A session of a client, which names its changes by tickets. A change occupies a slot of its zone from its first
 * attempt to its answer; the lowest free one, so that owners keep few. Thread-safe.
 */
final class ClientSession {
    private final int number;
    private final Map<Integer, ZoneSlots> zones = new ConcurrentHashMap<>();
    private volatile boolean isLost;

    /** The slots of one zone. */
    private static final class ZoneSlots {
        /** Bit of each slot that is occupied. */
        private final AtomicLong occupied = new AtomicLong();
        /** Of the last change of each slot; belongs to whoever occupies it. */
        private final long[] sequences = new long[Ticket.SLOTS];
    }

    /** An occupied slot, and the ticket of the change that occupies it. For one thread. */
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
        final ZoneSlots slots = zones.computeIfAbsent(zone, _ -> new ZoneSlots());
        while (true) {
            final long bits = slots.occupied.get();
            if (bits == -1) {
                return null;
            }
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
