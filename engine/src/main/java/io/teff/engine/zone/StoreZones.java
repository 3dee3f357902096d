package io.teff.engine.zone;

import io.teff.engine.ChunkStore;
import io.teff.engine.Store;
import io.teff.engine.chunk.GroupChange;
import io.teff.engine.chunk.ZoneDoor;
import io.teff.engine.chunk.ZoneRecorder;
import io.teff.engine.chunk.ZoneSpace;
import io.teff.engine.journal.Journal;
import io.teff.engine.raw.RawChange;
import io.teff.engine.raw.RawCollection;
import io.teff.engine.raw.RawMap;
import io.teff.engine.raw.RawStep;
import io.teff.engine.table.Zone;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The zones of a store; checks the arguments. Thread-safe. */
final class StoreZones implements Zones {
    private final ZoneSpace space;

    private StoreZones(ZoneSpace space) {
        this.space = space;
    }

    static {
        assert ChunkChange.Condition.EQUAL.ordinal() == GroupChange.IF_EQUAL
            && ChunkChange.Condition.NOT_ABOVE.ordinal() == GroupChange.IF_NOT_ABOVE
            && ChunkChange.Condition.ABSENT.ordinal() == GroupChange.IF_ABSENT
            && ChunkChange.Condition.PRESENT.ordinal() == GroupChange.IF_PRESENT
            && ChunkChange.Change.PUT.ordinal() == GroupChange.PUT
            && ChunkChange.Change.REMOVE.ordinal() == GroupChange.REMOVE : "both have one numbering";
    }

    static Zones of(Store store) {
        return new StoreZones(ZoneDoor.zonesOf(store));
    }

    private void checkId(int zone) {
        if (zone < 1 || zone > ZONE_MAX || zone == space.ownNid()) {
            throw new IllegalArgumentException("zone=" + zone + " is not 1 to " + ZONE_MAX + ", or the store's own");
        }
    }

    @Override
    public ChunkStore add(int zone) {
        checkId(zone);
        return (ChunkStore) space.add(zone);
    }

    @Override
    public @Nullable ChunkStore zone(int zone) {
        Zone found = space.find(zone);
        return found == null ? null : (ChunkStore) found.view();
    }

    @Override
    public ZoneFill fill(int zone) {
        checkId(zone);
        return new Fill(space.fill(zone));
    }

    @Override
    public void drop(int zone) {
        space.drop(zone);
    }

    @Override
    public ZoneStats stats(int zone) {
        Zone found = space.get(zone);
        return new ZoneStats(zone, found.chunks(), found.payloadBytes(), found.takenBytes(), found.table().bytes());
    }

    @Override
    public ZoneRecording record(int zone, @Nullable Journal journal) {
        return new Recording(space.recorder(zone, journal));
    }

    @Override
    public ZoneChanges changes(int zone, @Nullable Journal journal) {
        return new Changes(space.changer(zone, journal), journal);
    }

    @Override
    public int[] ids() {
        return space.ids();
    }

    /** A recording with the types of this package. */
    private record Recording(ZoneRecorder recorder) implements ZoneRecording {
        @Override
        public boolean next(long bytesMax) {
            return recorder.record(bytesMax);
        }

        @Override
        public long lastBytes() {
            return recorder.recordedBytes();
        }
    }

    /** Changes with the types of this package. */
    private record Changes(ZoneSpace.Changer changer, @Nullable Journal journal) implements ZoneChanges {
        @Override
        public void change(RawMap map, byte[] key, RawChange change) {
            map.change(key, change, journal);
        }

        @Override
        public void change(RawCollection collection, RawStep change) {
            collection.change(change, journal);
        }

        @Override
        public ChunkStore store() {
            return (ChunkStore) changer.view();
        }

        @Override
        public int change(List<ChunkChange> changes) {
            if (changes.size() > CHANGES_MAX) {
                throw new IllegalArgumentException(changes.size() + " changes are more than " + CHANGES_MAX);
            }
            GroupChange group = changer.change(changes.size());
            for (ChunkChange change : changes) {
                change.checked();
                group.add(change.cid(), change.condition().ordinal(), change.expected(), change.change().ordinal(),
                    change.content());
            }
            return group.run();
        }
    }

    /** A filler with the types of this package. */
    private record Fill(ZoneSpace.Filler filler) implements ZoneFill {
        @Override
        public int zone() {
            return filler.nid();
        }

        @Override
        public ChunkStore publish() {
            return (ChunkStore) filler.publish();
        }

        @Override
        public void discard() {
            filler.discard();
        }

        @Override
        public void put(long cid, boolean isReadOnly, MemorySegment source, long offset, long length) {
            filler.put(cid, isReadOnly, source, offset, length);
        }

        @Override
        public Pieces begin(long length) {
            return filler.begin(length);
        }

        @Override
        public void removed(long cid) {
            filler.removed(cid);
        }

        @Override
        public void reserved(long cid) {
            filler.reserved(cid);
        }
    }
}
