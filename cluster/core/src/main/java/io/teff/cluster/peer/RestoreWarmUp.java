package io.teff.cluster.peer;

import io.teff.cluster.slot.SlotLayout;
import io.teff.cluster.slot.SlotRestore;
import io.teff.cluster.slot.SlotTable;
import io.teff.cluster.slot.Ticket;
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
 * Restores a synthetic zone from a separate log, so that the JVM has compiled the code of a recovery before the first
 * recovery: cold code is two to four times slower. Once in a process.
 *
 * <p>The compiler leaves out branches never taken, and throws the code away when such a branch is taken for the first
 * time. So the zone is like a real zone: with chunks in no order of their indexes, chunks changed or removed
 * afterwards, and results of batches and single changes. The zone is published like a restored zone.
 */
final class RestoreWarmUp {
    /** Number of chunks of the zone. */
    private static final int CHUNKS = 10_000;
    /** Records after the creation of the chunks: updates, and some removals. */
    private static final int CHANGES = CHUNKS / 2;
    private static final int REMOVAL_SHARE = 16;
    private static final String FOLDER = "warm-up";
    private static final List<String> SUBFOLDERS = List.of("segments");
    private static final int CHUNK_BYTES = 64;
    private static final int ROUNDS_MAX = 16;
    /** The warm-up ends after so many rounds in a row without a gain of an eighth over the best round. */
    private static final int LAST_ROUNDS = 5;
    private static final int LOG_BYTES = 1 << 20;
    private static final long MEMORY_BYTES = 64 << 20;
    private static final ZoneCopy COPY = new ZoneCopy(1, 1);
    private static final int RUN_BYTES = 64 << 10;
    private static final int SESSION = 1;
    /** Used slots of the session, and parts of each batch. */
    private static final int SLOTS = 8;
    private static final int PARTS = 16;
    private static final AtomicBoolean IS_DONE = new AtomicBoolean();

    private RestoreWarmUp() {}

    /**
     * Warms up, unless this process is warm already. The caller has the lock of the peer's folder.
     *
     * @throws IOException if files cannot be written or deleted
     */
    static void run(PeerConfig config) throws IOException {
        if (!IS_DONE.compareAndSet(false, true)) {
            return;
        }
        final Disk disk = config.platform().disk();
        final Path path = config.folder().resolve(FOLDER);
        disk.createFolders(path);
        deleteFiles(disk, path);                                // left by an ended process
        try (BackupLog log = BackupLog.open(path, BackupConfig.builder().writeBufferBytes(LOG_BYTES)
            .platform(config.platform()).build())) {
            write(config, log);
            restoreUntilFast(config, log);
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
        final long recordBytes = RunWriter.recordBytesMax(2, CHUNK_BYTES + SlotLayout.MANY_FROM_BYTES);
        int counter = 1;
        while (counter <= CHUNKS + CHANGES) {
            long at = 0;
            while (counter <= CHUNKS + CHANGES && at + recordBytes <= RUN_BYTES) {
                at = record(run, at, counter);
                counter++;
            }
            while (!log.append(COPY, run, 0, at)) {
                config.platform().clock().pause(log, 1_000_000);
            }
        }
    }

    /** Writes a record of a chunk and a slot; returns the end of the record. */
    private static long record(MemorySegment run, long at, int counter) {
        final boolean isNew = counter <= CHUNKS;
        final int change = isNew ? counter : 2 * (counter - CHUNKS);
        final long cid = Cid.of(COPY.zone(), (change ^ 1) + 1);
        final boolean isRemoval = !isNew && counter % REMOVAL_SHARE == 0;
        final int length = isRemoval ? 0 : CHUNK_BYTES;
        final long chunk = RunWriter.entry(run, RunWriter.begin(at), cid, isRemoval ? Journal.REMOVED : Journal.PUT,
            length, 0);
        final int inBatch = counter % SlotLayout.PART_ENTRIES;
        final int part = counter / SlotLayout.PART_ENTRIES % PARTS;
        final int slot = counter / SlotLayout.PART_ENTRIES / PARTS % SLOTS;
        final long ticket = Ticket.of(counter / SlotLayout.PART_ENTRIES / PARTS / SLOTS + 1, slot);
        final long of = SlotLayout.cid(COPY.zone(), isNew ? slot * PARTS + part : slot * PARTS);
        final int slotLength = isNew ? SlotLayout.MANY_FROM_BYTES : SlotLayout.ONE_BYTES;
        final long entry = RunWriter.entry(run, RunWriter.next(chunk, length), of, Journal.PUT, slotLength, 0);
        if (isNew) {
            SlotLayout.putManyFrom(run, entry, SESSION, part, ticket, -1L >>> -1 - inBatch, cid - inBatch);
        } else {
            SlotLayout.putOne(run, entry, SESSION, ticket + ((long) counter << Integer.SIZE), counter);
        }
        return RunWriter.end(run, at, ZoneNumber.of(1, counter), 2, RunWriter.next(entry, slotLength));
    }

    /** Restores the zone again and again, until the restore becomes no faster. */
    private static void restoreUntilFast(PeerConfig config, BackupLog log) {
        long bestNs = Long.MAX_VALUE;
        int last = 0;
        for (int round = 0; round < ROUNDS_MAX && last < LAST_ROUNDS; round++) {
            final long begunNs = config.platform().clock().nowNs();
            restore(config, log);
            final long tookNs = config.platform().clock().nowNs() - begunNs;
            last = tookNs < bestNs - bestNs / 8 ? 0 : last + 1;
            bestNs = last == 0 ? tookNs : bestNs;
        }
    }

    private static void restore(PeerConfig config, BackupLog log) {
        try (Store store = Store.open(StoreConfig.builder().memoryLimitBytes(MEMORY_BYTES).build())) {
            final ZoneFill fill = Zones.of(store).fill(COPY.zone());
            final SlotTable slots = new SlotTable(COPY.zone(), _ -> false);
            boolean isRead = false;
            try {
                log.read(COPY, config.restoreThreads(), new SlotRestore(new RoomSensor(fill), slots));
                isRead = true;
            } finally {
                if (!isRead) {
                    fill.discard();
                }
            }
            slots.locks().install(fill.publish());
            slots.locks().close();
        }
    }
}
