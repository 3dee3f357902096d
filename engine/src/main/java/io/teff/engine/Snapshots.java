package io.teff.engine;

import io.teff.engine.error.StoreException;
import io.teff.engine.error.StoreException.Category;
import io.teff.engine.event.SnapshotEvent;
import io.teff.engine.os.Disk;
import io.teff.engine.snapshot.BlockReader;
import io.teff.engine.snapshot.BlockWriter;
import java.io.IOException;
import java.nio.file.Path;

/** Snapshot files as a whole: names, failures, opening the restored store. */
final class Snapshots {
    private static final String UNFINISHED = ".unfinished";

    private Snapshots() {}

    /** Writes beside the target, syncs, then takes the target's name; on failure the target is as it was. */
    static SnapshotInfo write(Core core, Path path, Progress progress) {
        SnapshotEvent event = begin(path, false);
        Disk disk = core.config.disk();
        Path unfinished = path.resolveSibling(path.getFileName() + UNFINISHED);
        try {
            SnapshotInfo info;
            try {
                info = writeFile(core, unfinished, progress);
                disk.replace(unfinished, path);
            } catch (IOException | RuntimeException e) {
                deleteQuietly(disk, unfinished, e);
                throw e;
            }
            event.chunks = info.chunks();
            event.payloadBytes = info.payloadBytes();
            return info;
        } catch (IOException e) {
            throw new StoreException(Category.RETRY, "snapshot " + path + " was not written: " + e.getMessage(), e);
        } finally {
            event.commit();
        }
    }

    private static SnapshotInfo writeFile(Core core, Path path, Progress progress) throws IOException {
        try (BlockWriter writer = new BlockWriter(core.config.disk().create(path))) {
            SnapshotInfo info;
            try (StoreCare.Quiet _ = core.care.quietAndUnlocked(core.config.lockTimeoutNs())) {
                info = new SnapshotWriter(core, writer, progress).write();
            }
            writer.force();
            return info;
        }
    }

    private static SnapshotEvent begin(Path path, boolean restore) {
        SnapshotEvent event = new SnapshotEvent();
        event.begin();
        event.path = path.toString();
        event.restore = restore;
        return event;
    }

    private static void deleteQuietly(Disk disk, Path path, Exception cause) {
        try {
            disk.delete(path);
        } catch (IOException e) {
            cause.addSuppressed(e);
        }
    }

    static Store restore(Path path, StoreConfig config, Progress progress) {
        SnapshotEvent event = begin(path, true);
        try (BlockReader reader = new BlockReader(config.disk().open(path), path.toString())) {
            SnapshotReader snapshot = new SnapshotReader(reader, progress);
            Store store = new Store(config.toBuilder().nid(snapshot.nid()).build());
            try {
                snapshot.readInto(store.core());
                event.chunks = snapshot.chunks();
                event.payloadBytes = snapshot.payloadBytes();
                return store;
            } catch (IOException | RuntimeException e) {
                store.close();
                throw e;
            }
        } catch (IOException e) {
            throw new StoreException(Category.RETRY, "snapshot " + path + " could not be read: " + e.getMessage(), e);
        } finally {
            event.commit();
        }
    }
}
