package io.teff.cluster.operation;

import io.teff.cluster.WriteLevel;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.slot.RecordedZones;
import io.teff.cluster.slot.SlotLog;
import io.teff.cluster.slot.SlotTable;
import io.teff.engine.ChunkStore;
import io.teff.engine.os.Clock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The peer as its operations see the peer. Thread-safe.
 *
 * <p>An operation asks for the store of its zone, reads or changes a chunk there, and then asks when the answer may
 * leave. A host whose backups lag behind cannot take a change now. Such a host refuses the change with {@link PeerBusy}
 * as the cause of the exception, before anything was changed.
 */
public interface ZoneHost extends RecordedZones.Maker {
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
     * @param zone number of the zone
     * @return its store; null if this peer does not serve the zone: it is not the owner, has no lease, or restores the
     *     zone
     */
    @Nullable ChunkStore serving(int zone);

    /**
     * Returns the slots of a zone that this peer serves now: what is known of the changes of sessions there.
     *
     * @param zone number of the zone
     * @return its slots; null if this peer does not serve the zone
     */
    @Nullable SlotTable slots(int zone);

    /** {@return what takes the ends of locks into the log of the peer} */
    SlotLog slotLog();

    /** {@return the clock by which leases of locks end} */
    Clock clock();

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
     * @param zone number of the zone
     * @param cid the chunk that was read
     * @param then called once, on any thread, also within this call; must be short and must not wait
     */
    void afterRead(int zone, long cid, Consumer<Verdict> then);

    /**
     * Does what {@link #afterRead} does for several chunks at once.
     *
     * @param zone number of the zone
     * @param cids the chunks that were read, all of the zone
     * @param from index of the first
     * @param count their number
     * @param then called once for all chunks, as by {@code afterRead}
     */
    void afterReads(int zone, long[] cids, int from, int count, Consumer<Verdict> then);

    /**
     * Does what {@link #afterRead} does for everything in the zone: every change of the zone that has a record now is
     * acknowledged.
     *
     * @param zone number of the zone
     * @param then called once, as by {@code afterRead}
     */
    void afterReadOfAll(int zone, Consumer<Verdict> then);

    /**
     * Does what {@link #afterRead} does for what was read behind a change: this change, and all before it, are
     * acknowledged.
     *
     * @param zone number of the zone
     * @param number number of the change; 0 for a change of an earlier owner
     * @param then called once, as by {@code afterRead}
     */
    void afterReadBehind(int zone, long number, Consumer<Verdict> then);

    /**
     * Calls back when the result of a read at level OWNER may be answered: the lease was checked after the read. The
     * result may have changes that no backup has.
     *
     * @param zone number of the zone
     * @param then called once, on any thread, also within this call; must be short and must not wait
     */
    void afterOwnerRead(int zone, Consumer<Verdict> then);

    /**
     * Calls back when changes of a zone may be answered: the change with a number, and all before it, have reached a
     * level. At level OWNER, and in a zone without backups, the lease was checked after them. A change acknowledged by
     * all backups is in every later state of the zone, so the change is answered also if the lease has ended meanwhile.
     *
     * @param zone number of the zone
     * @param number number of the last one of these changes; 0 for the last change of the zone until now
     * @param level how safe the changes must be
     * @param then called once, on any thread, also within this call; must be short and must not wait
     */
    void afterChange(int zone, long number, WriteLevel level, Consumer<Verdict> then);
}
