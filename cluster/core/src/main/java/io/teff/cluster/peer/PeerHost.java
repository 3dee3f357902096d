package io.teff.cluster.peer;

import io.teff.cluster.WriteLevel;
import io.teff.cluster.cell.Tables;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.operation.ZoneHost;
import io.teff.cluster.ship.ShipRing;
import io.teff.cluster.ship.Shipper;
import io.teff.cluster.ship.ZoneShipment;
import io.teff.cluster.slot.RecordedZone;
import io.teff.cluster.slot.SlotLog;
import io.teff.cluster.slot.SlotTable;
import io.teff.cluster.slot.SlotWriter;
import io.teff.cluster.zone.ZoneNumber;
import io.teff.engine.ChunkStore;
import io.teff.engine.error.ZoneDroppedException;
import io.teff.engine.journal.Journal;
import io.teff.engine.os.Clock;
import io.teff.engine.zone.ZoneChanges;
import io.teff.engine.zone.Zones;
import java.util.NoSuchElementException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The face of a peer for operations. Thread-safe.
 *
 * <p><b>Reads.</b> The lease is checked after the value was read: until then no other node can have owned the zone, so
 * the value was the newest one. If the chunk has a change that is not acknowledged, the answer waits for it, because
 * the change may be lost with this node. After that the lease is checked once more.
 *
 * <p><b>Changes.</b> A change that all backups of the zone's row have logged is in every later state of the zone,
 * whoever owns it. Its answer may leave even if this node has lost its lease meanwhile: the client must not repeat what
 * has been done. At level OWNER, and in a zone without backups, nothing but the lease says that the change counts, so
 * it is checked.
 */
final class PeerHost implements ZoneHost {
    private final Tables tables;
    private final ShipRing ring;
    private final Shipper shipper;
    private final IntFunction<@Nullable ChunkStore> served;
    private final IntFunction<@Nullable SlotTable> slots;
    private final BooleanSupplier holdsLease;
    private final SlotLog slotLog;
    private final Clock clock;
    private final Zones zones;
    private final IntConsumer used;

    /**
     * Begins with the parts of a life.
     *
     * @param used notes an operation in a served zone
     */
    PeerHost(Tables tables, ShipRing ring, Shipper shipper, IntFunction<@Nullable ChunkStore> served,
             IntFunction<@Nullable SlotTable> slots, BooleanSupplier holdsLease, Clock clock, Zones zones,
             IntConsumer used) {
        this.tables = tables;
        this.ring = ring;
        this.shipper = shipper;
        this.served = served;
        this.slots = slots;
        this.holdsLease = holdsLease;
        this.clock = clock;
        this.zones = zones;
        this.used = used;
        slotLog = new SlotLog(ring);
    }

    @Override
    public @Nullable ChunkStore serving(int zone) {
        final ChunkStore store = served.apply(zone);
        if (store == null || !holdsLease.getAsBoolean()) {
            return null;
        }
        used.accept(zone);
        return store;
    }

    @Override
    public @Nullable SlotTable slots(int zone) {
        return slots.apply(zone);
    }

    @Override
    public SlotLog slotLog() {
        return slotLog;
    }

    @Override
    @SuppressWarnings("ReferenceEquality")                      // each view of a zone is an object of its own
    public RecordedZone recorded(int zone, ChunkStore store) {
        final SlotWriter writer = new SlotWriter();
        final Journal journal = ring.recordedBy(writer);
        try {
            final ZoneChanges changes = zones.changes(zone, journal);
            if (served.apply(zone) == store) {                  // until here no other zone had this number
                return new RecordedZone(store, changes, new SlotLog(journal), writer);
            }
        } catch (NoSuchElementException _) {
            // the zone was dropped
        }
        throw new ZoneDroppedException(zone);
    }

    @Override
    public Clock clock() {
        return clock;
    }

    @Override
    public @Nullable ZoneRow row(int zone) {
        return tables.zone(zone);
    }

    @Override
    public void afterRead(int zone, long cid, Consumer<Verdict> then) {
        afterReadOf(zone, ring.changeOf(cid), then);
    }

    @Override
    public void afterReads(int zone, long[] cids, int from, int count, Consumer<Verdict> then) {
        long last = 0;
        for (int i = from; i < from + count; i++) {
            last = Math.max(last, ring.changeOf(cids[i]));
        }
        afterReadOf(zone, last, then);
    }

    @Override
    public void afterReadOfAll(int zone, Consumer<Verdict> then) {
        afterReadOf(zone, ZoneNumber.counter(ring.now(zone)), then);
    }

    @Override
    public void afterReadBehind(int zone, long number, Consumer<Verdict> then) {
        afterReadOf(zone, ZoneNumber.counter(number), then);
    }

    private void afterReadOf(int zone, long change, Consumer<Verdict> then) {
        final ZoneShipment shipment = shipper.zone(zone);
        if (shipment == null || !isServing(zone)) {
            then.accept(Verdict.DEPOSED);
        } else if (shipment.acknowledgedCounter() >= change) {
            then.accept(Verdict.SERVED);
        } else {
            shipper.await(shipment, change, WriteLevel.BACKED, verdict ->
                then.accept(verdict == Verdict.SERVED && isServing(zone) ? verdict : Verdict.DEPOSED));
        }
    }

    @Override
    public void afterOwnerRead(int zone, Consumer<Verdict> then) {
        then.accept(isServing(zone) ? Verdict.SERVED : Verdict.DEPOSED);
    }

    private boolean isServing(int zone) {
        return served.apply(zone) != null && holdsLease.getAsBoolean();
    }

    @Override
    public void afterChange(int zone, long number, WriteLevel level, Consumer<Verdict> then) {
        final long last = ZoneNumber.counter(number == 0 ? ring.now(zone) : number);
        final ZoneShipment shipment = shipper.zone(zone);
        if (shipment == null) {
            then.accept(Verdict.DEPOSED);
        } else if (level == WriteLevel.OWNER) {
            shipper.ship();
            then.accept(isServing(zone) ? Verdict.SERVED : Verdict.DEPOSED);
        } else {
            shipper.await(shipment, last, level, verdict ->
                then.accept(verdict == Verdict.SERVED && !isKept(zone, shipment) ? Verdict.DEPOSED : verdict));
        }
    }

    /** Returns whether what all backups have logged is kept whatever becomes of this node; or else the lease holds. */
    private boolean isKept(int zone, ZoneShipment shipment) {
        return !shipment.owner().row().backups().isEmpty() || isServing(zone);
    }
}
