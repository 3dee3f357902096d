package io.teff.cluster.peer;

import io.teff.cluster.WriteLevel;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.operation.ZoneHost;
import io.teff.cluster.slot.RecordedZone;
import io.teff.cluster.slot.SlotLog;
import io.teff.cluster.slot.SlotTable;
import io.teff.engine.ChunkStore;
import io.teff.engine.os.Clock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What operations see of a peer, unchanged: the base of planted faults. */
abstract class PlantedHost implements ZoneHost {
    private final ZoneHost its;

    PlantedHost(ZoneHost its) {
        this.its = its;
    }

    @Override
    public @Nullable ChunkStore serving(int zone) {
        return its.serving(zone);
    }

    @Override
    public @Nullable SlotTable slots(int zone) {
        return its.slots(zone);
    }

    @Override
    public SlotLog slotLog() {
        return its.slotLog();
    }

    @Override
    public RecordedZone recorded(int zone, ChunkStore store) {
        return its.recorded(zone, store);
    }

    @Override
    public Clock clock() {
        return its.clock();
    }

    @Override
    public @Nullable ZoneRow row(int zone) {
        return its.row(zone);
    }

    @Override
    public void afterRead(int zone, long cid, Consumer<Verdict> then) {
        its.afterRead(zone, cid, then);
    }

    @Override
    public void afterReads(int zone, long[] cids, int from, int count, Consumer<Verdict> then) {
        its.afterReads(zone, cids, from, count, then);
    }

    @Override
    public void afterReadOfAll(int zone, Consumer<Verdict> then) {
        its.afterReadOfAll(zone, then);
    }

    @Override
    public void afterReadBehind(int zone, long number, Consumer<Verdict> then) {
        its.afterReadBehind(zone, number, then);
    }

    @Override
    public void afterOwnerRead(int zone, Consumer<Verdict> then) {
        its.afterOwnerRead(zone, then);
    }

    @Override
    public void afterChange(int zone, long number, WriteLevel level, Consumer<Verdict> then) {
        its.afterChange(zone, number, level, then);
    }
}
