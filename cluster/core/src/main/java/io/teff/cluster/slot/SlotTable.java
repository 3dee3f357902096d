package io.teff.cluster.slot;

import io.teff.cluster.collect.ServedMaps;
import io.teff.engine.error.StoreException;
import io.teff.engine.error.StoreException.Category;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The slots of a zone at the owner of the zone: the newest change of each slot of each session, with the result.
 * Thread-safe.
 *
 * <p><b>Ended sessions.</b> The slots of ended sessions are removed from the log, and forgotten. A request of such a
 * session may still be on its way. So {@link #enter} asks inside of the slot whether the session has ended. {@link
 * #remove} enters, too, after the same tables have said so. So at least one of these two methods sees the end.
 */
public final class SlotTable {
    /** Stands for a slot in use by another thread: nothing was done now. */
    public static final Slot IN_USE = new Slot(0, 0);
    /** Stands for a slot of an ended session, or with a later change: nothing is done any more. */
    public static final Slot ENDED = new Slot(0, 1);

    private final int zone;
    private final IntPredicate hasEnded;
    private final Map<Integer, SessionSlots> sessions = new ConcurrentHashMap<>();
    /** The session of the last change, often also the session of the next change. */
    private volatile @Nullable SessionSlots last;
    /** Places in the log that are in use. Guarded by itself. */
    private final BitSet places = new BitSet();
    private final LockTable locks;
    private final RecordedZones recorded;
    private final ServedMaps maps = new ServedMaps();
    /** While the table is restored: forgets the content of a place. Guarded by the places. */
    private final Map<Integer, Runnable> forget = new HashMap<>();

    private record SessionSlots(int session, AtomicReferenceArray<@Nullable Slot> slots) {}

    /**
     * Makes the table of a zone without slots.
     *
     * @param zone number of the zone
     * @param hasEnded whether a session has ended, as far as this node's tables know
     */
    public SlotTable(int zone, IntPredicate hasEnded) {
        this.zone = zone;
        this.hasEnded = hasEnded;
        locks = new LockTable(this, hasEnded);
        recorded = new RecordedZones(zone);
    }

    /** An entry of the log beside chunks, to be recorded once more. */
    @FunctionalInterface
    public interface Entry {
        /**
         * Records the entry once more, for a backup without an earlier record.
         *
         * @param log takes the records
         * @return false if a thread is changing the entry, so that the caller must record the entry later
         * @throws StoreException if the journal accepts no changes now
         */
        boolean record(SlotLog log);
    }

    /** {@return the locks of the zone's chunks} */
    public LockTable locks() {
        return locks;
    }

    /** {@return what changes of the zone use, one after the other} */
    public RecordedZones recorded() {
        return recorded;
    }

    /** {@return the open maps of the zone} */
    public ServedMaps maps() {
        return maps;
    }

    /** {@return the zone} */
    public int zone() {
        return zone;
    }

    /**
     * Enters the slot of a change.
     *
     * @param session session of the client
     * @param ticket names the change
     * @return the slot, with the known results of this change, to be left by the caller; or {@link #IN_USE} or {@link
     *     #ENDED}, not to be left
     */
    public Slot enter(int session, long ticket) {
        final SessionSlots known = last;
        final SessionSlots of = known != null && known.session == session ? known : find(session);
        if (of == null) {
            return ENDED;
        }
        final Slot slot = slot(of, Ticket.slot(ticket));
        if (!slot.tryEnter()) {
            return IN_USE;
        }
        if (hasEnded.test(session) || !slot.begin(Ticket.sequence(ticket))) {
            slot.leave();
            return ENDED;
        }
        return slot;
    }

    /**
     * Finds the slots of a session, or makes these slots; returns null, and leaves nothing behind, if the session has
     * ended.
     */
    private @Nullable SessionSlots find(int session) {
        SessionSlots of = sessions.get(session);
        if (of == null && hasEnded.test(session)) {
            return null;
        }
        of = of == null ? make(session) : of;
        last = of;
        return of;
    }

    private SessionSlots make(int session) {
        return sessions.computeIfAbsent(session,
            it -> new SessionSlots(it, new AtomicReferenceArray<>(Ticket.SLOTS)));
    }

    private static Slot slot(SessionSlots of, int number) {
        final Slot known = of.slots.get(number);
        if (known != null) {
            return known;
        }
        final Slot fresh = new Slot(of.session, number);
        final Slot other = of.slots.compareAndExchange(number, null, fresh);
        return other == null ? fresh : other;
    }

    // ---- places in the log ----

    /** Gives a part of a slot a place in the log, unless the part has a place; before the journal is asked for room. */
    void ensurePlace(Slot slot, int part) {
        if (slot.place(part) < 0) {
            slot.place(part, takePlace());
        }
    }

    int takePlace() {
        synchronized (places) {
            final int place = places.nextClearBit(0);
            if (place >= SlotLayout.INDEXES) {
                throw new StoreException(Category.DEGRADED, "zone " + zone + " keeps " + SlotLayout.INDEXES
                    + " results of changes and locks of clients, and has no room for another one");
            }
            places.set(place);
            return place;
        }
    }

    void freePlace(int place) {
        synchronized (places) {
            places.clear(place);
        }
    }

    long cid(Slot slot, int part) {
        return SlotLayout.cid(zone, slot.place(part));
    }

    // ---- a zone that is restored ----

    /**
     * Takes over an entry of a log, instead of an earlier entry of the same place: the log may be read in any order of
     * places, and older entries of a place before newer ones.
     *
     * @param cid its CID: that of a slot
     * @param from has its content
     * @param at first byte of the content
     * @param length its length in bytes
     * @throws IllegalStateException if the content is not valid for a slot
     */
    public void restore(long cid, MemorySegment from, long at, long length) {
        final boolean isWhole = length >= SlotLayout.HEAD_BYTES && length <= SlotLayout.BYTES_MAX && length % 8 == 0;
        synchronized (places) {
            forget(SlotLayout.place(cid));
            places.set(SlotLayout.place(cid));
            if (!isWhole || !take(SlotLayout.place(cid), from, at, length)) {
                throw new IllegalStateException("zone " + zone + ": an entry of " + length
                    + " bytes is not the result of a change, and no lock");
            }
        }
    }

    /**
     * Takes over the removal of an entry.
     *
     * @param cid its CID: that of a slot
     */
    public void restoreRemoved(long cid) {
        synchronized (places) {
            forget(SlotLayout.place(cid));
            places.clear(SlotLayout.place(cid));
        }
    }

    private void forget(int place) {
        final Runnable forgetting = forget.remove(place);
        if (forgetting != null) {
            forgetting.run();
        }
    }

    /** Notes how to forget the restored content of a place, if a newer entry of the place follows. */
    void isAt(int place, Runnable forgetting) {
        forget.put(place, forgetting);
    }

    void endRestoring() {
        synchronized (places) {
            forget.clear();
        }
    }

    private boolean take(int place, MemorySegment from, long at, long length) {
        if (SlotLayout.kind(from, at) == SlotLayout.LOCK) {
            return locks.restore(place, from, at, length);
        }
        final Slot slot = slot(make(SlotLayout.session(from, at)), Ticket.slot(SlotLayout.ticket(from, at)));
        final int part = SlotLayout.part(from, at);
        slot.place(part, place);
        isAt(place, () -> {
            if (slot.place(part) == place) {
                slot.place(part, -1);
            }
        });
        return slot.restore(from, at, length);
    }

    // ---- all slots ----

    /** {@return the slots and locks that there are now, in no order} */
    public List<Entry> entries() {
        final List<Entry> entries = new ArrayList<>();
        all().forEach(slot -> entries.add(log -> record(slot, log)));
        entries.addAll(locks.entries());
        return entries;
    }

    /** {@return the slots that there are now, in no order} */
    List<Slot> all() {
        final List<Slot> all = new ArrayList<>();
        for (SessionSlots of : sessions.values()) {
            for (int i = 0; i < Ticket.SLOTS; i++) {
                final Slot slot = of.slots.get(i);
                if (slot != null) {
                    all.add(slot);
                }
            }
        }
        return all;
    }

    /** {@return the sessions with slots that have ended} */
    public List<Integer> ended() {
        return sessions.keySet().stream().filter(hasEnded::test).toList();
    }

    /**
     * Removes the slots of sessions that have ended, also from the log. By one thread at a time.
     *
     * @param ended result of {@link #ended}
     * @param log takes the removals
     * @throws StoreException if the journal accepts no changes now; the rest is left for the next call
     */
    public void remove(List<Integer> ended, SlotLog log) {
        ended.forEach(session -> remove(session, log));
    }

    private void remove(int session, SlotLog log) {
        final SessionSlots of = sessions.get(session);
        for (int i = 0; of != null && i < Ticket.SLOTS; i++) {
            final Slot slot = of.slots.get(i);
            if (slot != null) {
                if (!slot.tryEnter()) {
                    return;                                     // the change ends soon
                }
                try {
                    removeEntered(slot, log);
                } finally {
                    slot.leave();
                }
                of.slots.set(i, null);
            }
        }
        sessions.remove(session);
        last = null;                                            // a thread with these slots still asks for the end
    }

    private void removeEntered(Slot slot, SlotLog log) {
        for (int part = 0; part < slot.parts(); part++) {
            final int place = slot.place(part);
            if (place >= 0) {
                log.removed(zone, SlotLayout.cid(zone, place));
                slot.place(part, -1);
                freePlace(place);
            }
        }
    }

    /**
     * Records a slot once more, for a backup that has no earlier record. Returns false if a thread is in the slot, so
     * that the slot must be recorded later.
     */
    boolean record(Slot slot, SlotLog log) {
        if (!slot.tryEnter()) {
            return false;
        }
        try {
            for (int part = 0; part < slot.parts(); part++) {
                if (slot.place(part) >= 0) {
                    log.record(zone, SlotLayout.cid(zone, slot.place(part)), slot, part);
                }
            }
            return true;
        } finally {
            slot.leave();
        }
    }
}
