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
import io.teff.engine.config.StoreConfig;
import io.teff.engine.journal.Journal;
import org.jspecify.annotations.Nullable;

/** The components of one store below the public classes, created in the order of their dependencies. */
final class Core {
    final ChunkSpace space;
    final StoreCare care;
    final Defragmenter defragmenter;
    final Upkeep upkeep;
    /** Records changes of single chunks. */
    final ChangeLog log;
    final Reads reads;
    final Changes changes;

    Core(StoreConfig config, @Nullable Journal journal) {
        space = new ChunkSpace(config);
        care = new StoreCare(space);
        defragmenter = new Defragmenter(space, care);
        upkeep = new RoutineCare(space, care, new DefragAgent(space, defragmenter));
        log = ChangeLog.single(space, journal);
        reads = new Reads(space);
        changes = new Changes(space, reads, log, upkeep);
    }

    /** Creates the chunk operations that collections use. They keep the handle reachable. */
    GroupedChunks grouped(StoreHandle handle) {
        return new GroupedChunks(space, reads, log, upkeep, handle);
    }
}
