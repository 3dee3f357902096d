package io.teff.cluster.operation;

import io.teff.cluster.slot.NoJournal;
import io.teff.cluster.slot.RecordedZone;
import io.teff.cluster.slot.SlotLog;
import io.teff.cluster.slot.SlotWriter;
import io.teff.engine.ChunkStore;
import io.teff.engine.Store;
import io.teff.engine.os.Clock;
import io.teff.engine.zone.ChunkChange;
import io.teff.engine.zone.ZoneChanges;
import io.teff.engine.zone.Zones;
import java.util.List;
import java.util.function.Consumer;

/** A host whose zones are the own zones of stores without journals: no change has a number. */
public abstract class StoreHost implements ZoneHost {
    private final SlotLog log = new SlotLog(new NoJournal());

    @Override
    public SlotLog slotLog() {
        return log;
    }

    @Override
    public Clock clock() {
        return Clock.SYSTEM;
    }

    @Override
    public void afterReadOfAll(int zone, Consumer<Verdict> then) {
        then.accept(Verdict.SERVED);
    }

    @Override
    public void afterReadBehind(int zone, long number, Consumer<Verdict> then) {
        then.accept(Verdict.SERVED);
    }

    @Override
    public void afterOwnerRead(int zone, Consumer<Verdict> then) {
        then.accept(Verdict.SERVED);
    }

    /** Returns the store of a zone, for groups of changes. */
    protected Store groups(int zone) {
        throw new UnsupportedOperationException("groups of changes");
    }

    @Override
    public RecordedZone recorded(int zone, ChunkStore store) {
        return new RecordedZone(store, new ZoneChanges() {
            @Override
            public ChunkStore store() {
                return store;
            }

            @Override
            public int change(List<ChunkChange> changes) {
                return Zones.of(groups(zone)).changes(zone, null).change(changes);
            }
        }, log, new SlotWriter());
    }
}
