package io.teff.cluster.peer;

import io.teff.cluster.zone.ZoneNumber;
import io.teff.engine.Cid;
import io.teff.engine.Store;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.journal.Journal;
import io.teff.engine.os.Disk;
import io.teff.engine.zone.ZoneFill;
import io.teff.engine.zone.Zones;
import io.teff.recovery.backup.BackupConfig;
import io.teff.recovery.backup.BackupLog;
import io.teff.recovery.backup.RunWriter;
import io.teff.recovery.backup.ZoneCopy;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Restores a synthetic zone from a log of its own, so that the JVM has compiled the code of a recovery before the first
 * one: cold code is two to four times slower. Once in a process.
 */
final class RestoreWarmUp {
    /** Number of chunks of the zone. */
    static final int CHUNKS = 50_000;

    private static final String FOLDER = "warm-up";
    private static final List<String> SUBFOLDERS = List.of("segments");
    private static final int CHUNK_BYTES = 64;
    private static final int ROUNDS = 3;
    private static final int LOG_BYTES = 16 << 20;
    private static final long MEMORY_BYTES = 64 << 20;
    private static final ZoneCopy COPY = new ZoneCopy(1, 1);
    private static final int RUN_BYTES = 256 << 10;
    private static final AtomicBoolean IS_DONE = new AtomicBoolean();

    private RestoreWarmUp() {}

    /**
     * Runs, unless it has run in this process.
     *
     * @throws IOException if files cannot be written or deleted
     */
    static void run(PeerConfig config, NodeFolder folder) throws IOException {
        if (!IS_DONE.compareAndSet(false, true)) {
            return;
        }
        final Disk disk = config.platform().disk();
        final Path path = folder.resolve(FOLDER);
        disk.createFolders(path);
        deleteFiles(disk, path);                                // what a process that ended has left
        try (BackupLog log = BackupLog.open(path, BackupConfig.builder().writeBufferBytes(LOG_BYTES)
            .platform(config.platform()).build())) {
            write(config, log);
            for (int round = 0; round < ROUNDS; round++) {
                restore(config, log);
            }
        }
        deleteFiles(disk, path);
    }

    private static void deleteFiles(Disk disk, Path folder) throws IOException {
        for (String name : disk.list(folder)) {
            if (SUBFOLDERS.contains(name)) {
                deleteFiles(disk, folder.resolve(name));
            } else {
                disk.delete(folder.resolve(name));
            }
        }
    }

    /** Writes the zone; waits where the log has no room. */
    private static void write(PeerConfig config, BackupLog log) {
        final MemorySegment run = MemorySegment.ofArray(new byte[RUN_BYTES]);
        final long recordBytes = RunWriter.recordBytesMax(1, CHUNK_BYTES);
        long counter = 1;
        while (counter <= CHUNKS) {
            long at = 0;
            while (counter <= CHUNKS && at + recordBytes <= RUN_BYTES) {
                final long content = RunWriter.entry(run, RunWriter.begin(at), Cid.of(COPY.zone(), counter),
                    Journal.PUT, CHUNK_BYTES, 0);
                at = RunWriter.end(run, at, ZoneNumber.of(1, counter), 1, RunWriter.next(content, CHUNK_BYTES));
                counter++;
            }
            while (!log.append(COPY, run, 0, at)) {
                config.platform().clock().pause(log, 1_000_000);
            }
        }
    }

    private static void restore(PeerConfig config, BackupLog log) {
        try (Store store = Store.open(StoreConfig.builder().memoryLimitBytes(MEMORY_BYTES).build())) {
            final ZoneFill fill = Zones.of(store).fill(COPY.zone());
            try {
                log.read(COPY, config.restoreThreads(), fill);
            } finally {
                fill.discard();
            }
        }
    }
}
