package io.teff.engine;

import io.teff.engine.care.DefragAgent;
import io.teff.engine.care.Defragmenter;
import io.teff.engine.care.RoutineCare;
import io.teff.engine.care.StoreCare;
import io.teff.engine.chunk.ChangeLog;
import io.teff.engine.chunk.Changes;
import io.teff.engine.chunk.ChunkSpace;
import io.teff.engine.chunk.GroupedChunks;
import io.teff.engine.chunk.Reads;
import io.teff.engine.chunk.Upkeep;
import io.teff.engine.chunk.ZoneReclaim;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.journal.Journal;
import io.teff.engine.memory.MemoryMode;
import io.teff.engine.table.Zone;
import org.jspecify.annotations.Nullable;

/** The components of a zone of a store below the public classes, created in the order of their dependencies. */
final class Core {
    final ChunkSpace space;
    /** Chunks are created in this zone, and its chunks are read fastest. */
    final Zone zone;
    final StoreCare care;
    final ZoneReclaim reclaim;
    final Defragmenter defragmenter;
    final Upkeep upkeep;
    /** Records changes of single chunks. */
    final ChangeLog log;
    final Reads reads;
    final Changes changes;

    Core(StoreConfig config, @Nullable Journal journal) {
        MemoryMode.prefer(switch (config.nativeAccess()) {
            case WITH_WARNING -> MemoryMode.NATIVE;
            case IF_ENABLED -> MemoryMode.ENABLED;
            case NEVER -> MemoryMode.BLOCKS;
        });
        space = new ChunkSpace(config);
        zone = space.ownZone;
        care = new StoreCare(space);
        reclaim = new ZoneReclaim(space);
        defragmenter = new Defragmenter(space, care);
        upkeep = new RoutineCare(space, care, new DefragAgent(space, defragmenter), reclaim);
        log = ChangeLog.single(space, journal);
        reads = new Reads(space, zone);
        changes = new Changes(space, zone, reads, log, upkeep);
    }

    /** Creates the components of a zone of a store, whose changes a log records. */
    Core(Core store, Zone zone, ChangeLog log) {
        this.zone = zone;
        space = store.space;
        care = store.care;
        reclaim = store.reclaim;
        defragmenter = store.defragmenter;
        upkeep = store.upkeep;
        this.log = log;
        reads = new Reads(space, zone);
        changes = new Changes(space, zone, reads, log, upkeep);
    }

    /** {@return whether this is the zone of the store's own creator} */
    boolean isOwn() {
        return zone.equals(space.ownZone);
    }

    /** Creates the chunk operations that collections use. They keep the handle reachable. */
    GroupedChunks grouped(StoreHandle handle) {
        return new GroupedChunks(space, zone, reads, log, upkeep, handle);
    }
}
