package io.teff.engine.snapshot;

import io.teff.engine.alloc.AllocStripe;
import io.teff.engine.chunk.ChunkSpace;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.event.SnapshotEvent;
import io.teff.engine.os.DiskFile;
import io.teff.engine.os.StoreSeams;
import io.teff.engine.report.Progress;
import java.io.IOException;
import java.nio.file.Path;

/** The snapshot file that a store is restored from. For one thread; must be closed. */
public final class SnapshotSource implements AutoCloseable {
    private final Path path;
    private final StoreConfig config;
    private final BlockReader reader;
    private final SnapshotReader snapshot;
    private final SnapshotEvent event;

    private SnapshotSource(Path path, StoreConfig config, BlockReader reader, SnapshotReader snapshot,
                           SnapshotEvent event) {
        this.path = path;
        this.config = config;
        this.reader = reader;
        this.snapshot = snapshot;
        this.event = event;
    }

    /**
     * Opens a file and reads its head.
     *
     * @param path the file
     * @param config configuration of the store to be opened; its NID is replaced by the snapshot's
     * @return the file, behind its head
     * @throws io.teff.engine.error.StoreException of category FATAL if the file is damaged, RETRY if reading failed
     */
    public static SnapshotSource open(Path path, StoreConfig config) {
        SnapshotEvent event = Snapshots.begin(path, true);
        boolean isOpen = false;
        try {
            DiskFile file = StoreSeams.of(config).platform().disk().openToRead(path);
            BlockReader reader = new BlockReader(file, path.toString());
            try {
                SnapshotReader snapshot = new SnapshotReader(reader);
                StoreConfig own = config.toBuilder().nid(snapshot.nid()).build();
                SnapshotSource source = new SnapshotSource(path, own, reader, snapshot, event);
                isOpen = true;
                return source;
            } finally {
                if (!isOpen) {
                    reader.close();
                }
            }
        } catch (IOException e) {
            throw Snapshots.unreadable(path, e);
        } finally {
            if (!isOpen) {
                event.commit();
            }
        }
    }

    /** {@return the configuration of the store to be opened, with the snapshot's NID} */
    public StoreConfig config() {
        return config;
    }

    /**
     * Restores all chunks.
     *
     * @param space the chunks of an empty store that no other thread can reach
     * @param progress called with the restored and the expected number of chunks
     * @throws io.teff.engine.error.StoreException of category FATAL naming file and offset if the file is damaged,
     *     DEGRADED if the memory limit is too small, RETRY if it cannot be read
     */
    public void restoreInto(ChunkSpace space, Progress progress) {
        AllocStripe stripe = space.acquire();
        try {
            snapshot.read(new SnapshotRestore(space, stripe, reader),
                () -> progress.at(snapshot.chunks(), snapshot.chunksExpected()));
        } catch (IOException e) {
            throw Snapshots.unreadable(path, e);
        } finally {
            space.allocStripes.release(stripe);
        }
        space.ids.rebuild(snapshot.idEnd());
        event.chunks = snapshot.chunks();
        event.payloadBytes = snapshot.payloadBytes();
    }

    @Override
    public void close() {
        try {
            reader.close();
        } catch (IOException e) {
            throw Snapshots.unreadable(path, e);
        } finally {
            event.commit();
        }
    }
}
