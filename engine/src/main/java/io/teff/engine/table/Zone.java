package io.teff.engine.table;

import io.teff.engine.alloc.RunMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The chunks of one creator whose ids this store issues: their table, the allocator of ids, and counters.
 * <pre>
 *  HIDDEN ----> VISIBLE ----> DROPPED       legal moves; made by {@link CreatorTables}, under its monitor
 *     |                          ^
 *     +--------------------------+
 * </pre>
 * Index 0 is never issued. In a zone beside the store's own it belongs to the root of the zone's names, so that the
 * root has a CID that is known before the zone is read.
 *
 * <p>Thread-safe. The state is set before a look-up by CID changes its result. So a thread that does not find a chunk
 * because of a drop of the zone sees the state DROPPED.
 */
public final class Zone {
    /** States of a zone. */
    private enum State {
        /** No look-up by CID finds a chunk. */
        HIDDEN,
        /** Look-ups by CID find the chunks. */
        VISIBLE,
        /** No look-up finds a chunk any more. */
        DROPPED
    }

    /** Indexes that a stripe of a zone gets at once: one table page serves the stripes of all machines. */
    private static final int GRANT = 64;

    private final Table table;
    private final IdAllocator ids;
    private final boolean isCounted;
    private final LongAdder chunks = new LongAdder();
    private final LongAdder payloadBytes = new LongAdder();
    private final LongAdder takenBytes = new LongAdder();
    private volatile State state;
    private volatile @Nullable Object view;

    private Zone(int nid, RunMap runs, TablePages pagesOfAll, int stripes, boolean isOwn) {
        table = new Table(nid, runs, pagesOfAll, this);
        ids = new IdAllocator(table, runs.memory(), stripes, isOwn ? Table.PAGE_ENTRIES : GRANT, isOwn);
        isCounted = !isOwn;
        state = isOwn ? State.VISIBLE : State.HIDDEN;
    }

    /** Creates the zone of the store's own creator, visible. The store counts its chunks elsewhere. */
    static Zone own(int nid, RunMap runs, TablePages pagesOfAll, int stripes) {
        return new Zone(nid, runs, pagesOfAll, stripes, true);
    }

    /** Creates an empty zone, hidden. */
    static Zone hidden(int nid, RunMap runs, TablePages pagesOfAll, int stripes) {
        Zone zone = new Zone(nid, runs, pagesOfAll, stripes, false);
        zone.table.hide();
        return zone;
    }

    /** {@return the id of the zone, which is the creator in its CIDs} */
    public int nid() {
        return table.nid();
    }

    /** {@return the entries; found here also while the zone is hidden or dropped} */
    public Table table() {
        return table;
    }

    /** {@return the issuer of ids} */
    public IdAllocator ids() {
        return ids;
    }

    // ---- state ----

    /** {@return whether the zone was dropped: its memory may be given back at any time} */
    public boolean isDropped() {
        return state == State.DROPPED;
    }

    /** Lets readers find the entries, except by CID. */
    void show() {
        assert state == State.HIDDEN : state;
        state = State.VISIBLE;
        table.show();
    }

    /** Lets no reader find the entries any more, except by CID. */
    void drop() {
        assert state != State.DROPPED : nid();
        state = State.DROPPED;
        table.hide();
    }

    /** {@return what {@link #view(Object)} has set} */
    public @Nullable Object view() {
        return view;
    }

    /**
     * Attaches the object that callers use to operate on the zone.
     *
     * @param of the zone's view
     */
    public void view(Object of) {
        view = of;
    }

    // ---- counters ----

    /**
     * Counts a change of the zone's chunks by a thread that holds no allocation stripe, or a change of several.
     *
     * @param addedChunks added chunks; negative for removed ones
     * @param addedPayload added payload bytes
     * @param addedTaken added slot or run bytes
     */
    public void count(long addedChunks, long addedPayload, long addedTaken) {
        if (isCounted) {
            chunks.add(addedChunks);
            payloadBytes.add(addedPayload);
            takenBytes.add(addedTaken);
        }
    }

    /**
     * Counts a new chunk.
     *
     * @param stripe number of an allocation stripe that the calling thread holds
     * @param payload the chunk's length in bytes
     * @param taken slot or run bytes
     */
    public void countCreated(int stripe, long payload, long taken) {
        if (isCounted) {
            ids.count(stripe, payload, taken);
        }
    }

    /** {@return the number of chunks; exact if nothing changes meanwhile} */
    public long chunks() {
        return chunks.sum() + ids.createdChunks();
    }

    /** {@return the sum of the chunks' lengths in bytes; exact if nothing changes meanwhile} */
    public long payloadBytes() {
        return payloadBytes.sum() + ids.createdPayloadBytes();
    }

    /** {@return slot and run bytes of the chunks; exact if nothing changes meanwhile} */
    public long takenBytes() {
        return takenBytes.sum() + ids.createdTakenBytes();
    }
}
