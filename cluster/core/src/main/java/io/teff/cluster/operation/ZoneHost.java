package io.teff.cluster.operation;

import io.teff.cluster.WriteLevel;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.slot.SlotLog;
import io.teff.cluster.slot.SlotTable;
import io.teff.engine.ChunkStore;
import io.teff.engine.os.Clock;
import io.teff.engine.zone.Zones;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What operations need of the peer that executes them. Thread-safe.
 *
 * <p>An operation asks for the store of its zone, reads or changes a chunk there, and then asks when its answer may
 * leave. A host that cannot take a change now, because its backups lag behind, refuses it with {@link PeerBusy} as the
 * cause of the exception, before anything was changed.
 */
public interface ZoneHost {
    /** Whether the answer of an operation may leave. */
    enum Verdict {
        /** The peer has served the operation as the owner of the zone. */
        SERVED,
        /** The peer is no longer the owner, or has no lease: the answer must not leave. */
        DEPOSED
    }

    /**
     * Returns the store of a zone that this peer serves now.
     *
     * @param zone the zone
     * @return its store; null if this peer does not serve the zone: it is not the owner, has no lease, or restores the
     *     zone
     */
    @Nullable ChunkStore serving(int zone);

    /**
     * Returns the slots of a zone that this peer serves now: what is known of the changes of sessions there.
     *
     * @param zone the zone
     * @return its slots; null if this peer does not serve the zone
     */
    @Nullable SlotTable slots(int zone);

    /** {@return what takes locks, and their ends, into the log; nothing, unless the store has a journal} */
    default SlotLog slotLog() {
        return SlotLog.NONE;
    }

    /**
     * Returns what changes chunks of a zone together.
     *
     * @param zone a zone that this peer serves
     * @return the zones of the store that has it
     * @throws UnsupportedOperationException if this host has no such
     */
    default Zones zones(int zone) {
        throw new UnsupportedOperationException("groups of changes");
    }

    /** {@return the clock by which leases of locks end} */
    default Clock clock() {
        return Clock.SYSTEM;
    }

    /**
     * Returns the newest row of a zone, for the redirect in an answer.
     *
     * @param zone the zone, 0 to 65,535
     * @return the row, or null if none is known
     */
    @Nullable ZoneRow row(int zone);

    /**
     * Calls back when what was read may be answered: every change of the chunk that had begun before this call is
     * acknowledged, and the lease was checked after the read.
     *
     * @param zone the zone
     * @param cid the chunk that was read
     * @param then called once, on any thread, also within this call; must be short and must not wait
     */
    void afterRead(int zone, long cid, Consumer<Verdict> then);

    /**
     * Does what {@link #afterRead} does for several chunks at once.
     *
     * @param zone the zone
     * @param cids the chunks that were read, all of the zone
     * @param from index of the first
     * @param count their number
     * @param then called once for all of them, as that of {@code afterRead}
     */
    void afterReads(int zone, long[] cids, int from, int count, Consumer<Verdict> then);

    /**
     * Calls back when the changes that the calling thread has made in a zone may be answered: they have reached the
     * level. At level OWNER, and in a zone without backups, the lease was checked after them. A change that all backups
     * have acknowledged is in every later state of the zone, so it is answered also if the lease has ended meanwhile.
     *
     * @param zone the zone
     * @param level the level
     * @param then called once, on any thread, also within this call; must be short and must not wait
     */
    void afterChange(int zone, WriteLevel level, Consumer<Verdict> then);
}
