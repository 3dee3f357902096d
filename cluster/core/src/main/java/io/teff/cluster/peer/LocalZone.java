package io.teff.cluster.peer;

import io.teff.cluster.ship.ZoneShipment;
import io.teff.cluster.slot.SlotTable;
import io.teff.engine.ChunkStore;
import io.teff.engine.os.Clock;
import io.teff.engine.zone.ZoneFill;
import io.teff.engine.zone.Zones;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * One zone at this node: from the first look at a recovery, or from the first service of a new zone, until a different
 * node owns the zone.
 * <pre>{@code
 *            a row is fenced, or chooses this node
 *   ABSENT ---------------------------------------> CANDIDATE
 *     | ^                                            |    | the shipment is open
 *     | +-------------- a different owner -----------+    v
 *     |                                                 CHOSEN <--+
 *     |                                                   |       | reading has failed
 *     |                                                   v       |
 *     |                                                READING ---+
 *     |                                                   | the chunks are in memory
 *     |      new zone                                     v
 *     +-----------------------> SERVED <--------------- READ
 *                                |  ^                     all backups have all changes
 *            the heir may own it v  | the heir has failed
 *                            HANDING_OVER
 *
 *   CHOSEN, READING, READ, SERVED, HANDING_OVER -------> DEPOSED
 *                                     a different owner
 * }</pre>
 * {@link #moves} is the only place where the state changes, and refuses every move that is not drawn. A deposed zone is
 * never used again: if this node owns the zone once more, a new object begins.
 *
 * <p><b>Threads.</b> The thread that acts on the tables makes all moves but two. A thread of the pool ends READING, by
 * {@link #publish} or {@link #readingEnds}. Both threads move under the monitor of this object, so a zone deposed
 * during READING is never published. Chunks and slots are set once, before the move to READ or SERVED. Any thread may
 * ask for {@link #state}, {@link #store} and {@link #slots} without a lock: the state is volatile, and a thread that
 * sees SERVED sees the chunks and slots. The thread that ships calls {@link #holdsUp} and {@link #mayAsk}. All
 * further fields belong to the thread that acts.
 */
final class LocalZone {
    private static final long NEVER = Long.MIN_VALUE;

    private final int zone;
    private volatile State state = State.ABSENT;
    private volatile @Nullable ChunkStore store;
    private volatile @Nullable SlotTable slots;
    /** Set while the zone is filled from a backup: the zone is served, but has no chunks yet. Guarded by this. */
    private @Nullable ZoneFill filling;

    private final LongAdder operations = new LongAdder();

    // ---- of the thread that acts ----
    private @Nullable ZoneRecovery recovery;
    private @Nullable ZoneShipment shipment;
    private @Nullable String fault;
    /** The last epoch in which the zone was being handed over. */
    private int handOverEpoch;

    /** When a backup held up changes last; set by the thread that ships. */
    private final AtomicLong heldUpNs = new AtomicLong(NEVER);
    /** When this node asked for another backup last; set by the thread that ships. */
    private final AtomicLong askedNs = new AtomicLong(NEVER);

    /** The states of a zone at this node. */
    enum State {
        /** The node has nothing of the zone in memory. */
        ABSENT,
        /** The zone is being recovered, and this node may become its owner. */
        CANDIDATE,
        /** This node is the next owner, and asks the backups where they stand; the zone is not in memory. */
        CHOSEN,
        /** A thread of the pool reads the chunks into memory. */
        READING,
        /** The chunks are in memory; some backups may lack changes. */
        READ,
        /** This node serves the zone. */
        SERVED,
        /** This node serves the zone no more, and its heir does not own the zone yet. */
        HANDING_OVER,
        /** A different node owns the zone, or no node does. */
        DEPOSED;

        /** Returns whether a zone may go from this state to another state. */
        boolean mayBecome(State next) {
            return switch (this) {
                case ABSENT -> next == CANDIDATE || next == SERVED;
                case CANDIDATE -> next == ABSENT || next == CHOSEN;
                case CHOSEN -> next == READING || next == DEPOSED;
                case READING -> next == READ || next == CHOSEN || next == DEPOSED;
                case READ -> next == SERVED || next == DEPOSED;
                case SERVED -> next == HANDING_OVER || next == DEPOSED;
                case HANDING_OVER -> next == SERVED || next == DEPOSED;
                case DEPOSED -> false;
            };
        }
    }

    LocalZone(int zone) {
        this.zone = zone;
    }

    /** Changes the state. Throws {@link IllegalStateException} for a move that is not drawn, or from another state. */
    synchronized void moves(State from, State to) {
        if (state != from || !from.mayBecome(to)) {
            throw new IllegalStateException("zone " + zone + " is " + state + ", and cannot go from " + from + " to "
                + to);
        }
        state = to;
    }

    int zone() {
        return zone;
    }

    State state() {
        return state;
    }

    /** Returns the chunks of a zone that is served; else null. */
    @Nullable ChunkStore store() {
        return state == State.SERVED ? store : null;
    }

    /** Notes an operation. */
    void used() {
        operations.increment();
    }

    long operations() {
        return operations.sum();
    }

    /** Returns the slots of a zone that is served; else null. */
    @Nullable SlotTable slots() {
        return state == State.SERVED ? slots : null;
    }

    // ---- recovery ----

    /** Returns the recovery of this zone, which begins now unless it has begun before. */
    ZoneRecovery candidate(Clock clock) {
        ZoneRecovery known = recovery;
        if (known == null) {
            moves(State.ABSENT, State.CANDIDATE);
            known = new ZoneRecovery(zone, clock.nowNs(), clock.epochMs());
            recovery = known;
        }
        return known;
    }

    /** Returns the recovery under way, or null. */
    @Nullable ZoneRecovery recovery() {
        return recovery;
    }

    /** Ends the candidacy of this node, if there is one: the zone has an owner, or no backup here. */
    void giveUp() {
        if (state == State.CANDIDATE) {
            moves(State.CANDIDATE, State.ABSENT);
            recovery = null;
        }
    }

    /** Begins at the chosen owner. */
    void chosen(ZoneShipment opened) {
        moves(State.CANDIDATE, State.CHOSEN);
        shipment = opened;
    }

    /** Returns the shipment of a zone that this node owns, or will own; else null. */
    @Nullable ZoneShipment shipment() {
        return shipment;
    }

    /** Begins to read the chunks; before the task is given to the pool. */
    void reading() {
        moves(State.CHOSEN, State.READING);
    }

    /**
     * Publishes what was read; discards it if this node was deposed meanwhile. For a thread of the pool.
     *
     * @param done receives the end of reading, before any thread can see the chunks
     */
    synchronized void publish(ZoneFill fill, SlotTable restored, Runnable done) {
        if (state == State.DEPOSED) {
            fill.discard();                                     // a different node restores the zone by now
            return;
        }
        final ChunkStore published = fill.publish();
        restored.locks().install(published);
        store = published;
        slots = restored;
        done.run();
        moves(State.READING, State.READ);
    }

    /** Ends reading without a result, unless there is a result, or this node was deposed. For a thread of the pool. */
    synchronized void readingEnds() {
        if (state == State.READING) {
            moves(State.READING, State.CHOSEN);
        }
    }

    // ---- service ----

    /** Serves a new zone, which is empty. */
    void serveNew(ZoneShipment opened, SlotTable empty, ChunkStore chunks) {
        shipment = opened;
        slots = empty;
        store = chunks;
        moves(State.ABSENT, State.SERVED);
    }

    /** Serves a restored zone, and returns its recovery, which ends. */
    ZoneRecovery serve(long nowNs) {
        final ZoneRecovery ended = recovery;
        if (ended == null || state != State.READ) {
            throw new IllegalStateException("zone " + zone + " is " + state + ", and was not read");
        }
        Objects.requireNonNull(slots).locks().begin(nowNs);
        moves(State.READ, State.SERVED);
        recovery = null;
        return ended;
    }

    /** Ends the service, so that the heir can own the zone. Returns whether the zone was served until now. */
    boolean handOver(int epoch) {
        final boolean wasServed = state == State.SERVED;
        if (wasServed) {
            moves(State.SERVED, State.HANDING_OVER);
        }
        handOverEpoch = epoch;
        return wasServed;
    }

    /**
     * Serves the zone again, because its heir has failed. A command that hands the zone over may still be on its way.
     * The command names an epoch that is over, because a row loses its heir only with its epoch.
     */
    void serveAgain(int epoch, long nowNs) {
        if (epoch <= handOverEpoch) {
            throw new IllegalStateException("zone " + zone + " has lost its heir in epoch " + epoch);
        }
        final SlotTable of = slots;
        if (of != null) {                                       // else a backup was being filled in
            of.locks().begin(nowNs);                            // no lock could be renewed meanwhile
        }
        moves(State.HANDING_OVER, State.SERVED);
    }

    // ---- filling from a backup ----

    /**
     * Begins to fill the zone from a backup, in place of what the zone has. No operation finds the zone until it is
     * filled. Returns null if the zone is not served.
     */
    synchronized @Nullable ZoneFill refill(Zones memory) {
        if (state != State.SERVED) {
            return null;
        }
        final SlotTable before = slots;
        if (filling != null) {
            filling.discard();
            filling = null;
        }
        store = null;
        slots = null;
        if (before != null) {
            before.locks().close();
        }
        memory.drop(zone);
        filling = memory.fill(zone);
        return filling;
    }

    /** Serves the filled zone, unless the zone was deposed or is filled anew. Returns whether the zone is served. */
    @SuppressWarnings("ReferenceEquality")                      // each filler is an object of its own
    synchronized boolean refilled(ZoneFill by, SlotTable empty) {
        if (state != State.SERVED || filling != by) {
            return false;
        }
        store = by.publish();
        slots = empty;
        filling = null;
        return true;
    }

    /** Returns whether a fill is under way. */
    @SuppressWarnings("ReferenceEquality")                      // as above
    synchronized boolean isFilledBy(ZoneFill by) {
        return filling == by && state == State.SERVED;
    }

    /** Ends this zone: everything in memory is worthless. Its locks end, too. */
    void depose() {
        final SlotTable of;
        synchronized (this) {
            moves(state, State.DEPOSED);
            of = slots;
            if (filling != null) {
                filling.discard();
                filling = null;
            }
        }
        if (of != null) {
            of.locks().close();
        }
    }

    // ---- failures ----

    /** Notes why the last action has failed; null if the last action has succeeded. Returns whether this is new. */
    boolean fault(@Nullable String text) {
        final boolean isNew = !Objects.equals(fault, text);
        fault = text;
        return isNew;
    }

    @Nullable String fault() {
        return fault;
    }

    /** Returns whether nothing is to be remembered of this zone. */
    boolean isIdle() {
        return state == State.ABSENT && fault == null;
    }

    // ---- a backup that takes nothing ----

    /** Notes that a backup holds up changes. */
    void holdsUp(long nowNs) {
        heldUpNs.set(nowNs);
    }

    /** Returns whether this node may ask for another backup now, because it has not asked within a pause. */
    boolean mayAsk(long nowNs, long pauseNs) {
        final long last = askedNs.get();
        return (last == NEVER || nowNs - last >= pauseNs) && askedNs.compareAndSet(last, nowNs);
    }

    /** Returns whether a backup has held up changes within a time. */
    boolean isHeldUp(long nowNs, long withinNs) {
        final long last = heldUpNs.get();
        return last != NEVER && nowNs - last <= withinNs;
    }
}
