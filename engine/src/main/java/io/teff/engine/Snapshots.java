package io.teff.engine;

import io.teff.engine.alloc.AllocStripe;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.error.StoreException;
import io.teff.engine.error.StoreException.Category;
import io.teff.engine.event.SnapshotEvent;
import io.teff.engine.os.Disk;
import io.teff.engine.os.DiskFile;
import io.teff.engine.os.DiskFullException;
import io.teff.engine.os.StoreSeams;
import io.teff.engine.report.HeapReport;
import io.teff.engine.report.Progress;
import io.teff.engine.report.SnapshotInfo;
import io.teff.engine.snapshot.BlockReader;
import io.teff.engine.snapshot.BlockWriter;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

/** Snapshot files as a whole: names, failures, opening the restored store. */
final class Snapshots {
    private static final String UNFINISHED = ".unfinished";
    private static final AtomicLong COUNTER = new AtomicLong();

    private Snapshots() {}

    /** Writes beside the target, syncs, then takes the target's name; on failure the target is as it was. */
    static SnapshotInfo write(Core core, Path path, Progress progress) {
        SnapshotEvent event = begin(path, false);
        Disk disk = core.seams.platform().disk();
        Path unfinished = unfinished(path, core.seams.platform().clock().nowNs());
        try {
            DiskFile file = disk.create(unfinished, 0);
            SnapshotInfo info;
            try {
                info = writeFile(core, file, progress);
                replace(disk, unfinished, path);
            } catch (IOException | RuntimeException | Error e) {
                deleteQuietly(disk, unfinished, e);
                throw e;
            }
            event.chunks = info.chunks();
            event.payloadBytes = info.payloadBytes();
            return info;
        } catch (IOException e) {
            throw new StoreException(Category.RETRY, "snapshot " + path + " was not written: " + reason(e), e);
        } finally {
            event.commit();
        }
    }

    /** A name of its own, so that snapshots to the same path do not write into one file. */
    private static Path unfinished(Path path, long nowNs) {
        Path name = path.getFileName();
        if (name == null || name.toString().isEmpty()) {
            throw new IllegalArgumentException("path=" + path + " names no file");
        }
        return path.resolveSibling(name + "." + Long.toHexString(nowNs) + "-" + COUNTER.incrementAndGet() + UNFINISHED);
    }

    /** Some messages are no more than the path. */
    private static String reason(IOException e) {
        return e instanceof FileSystemException file && file.getReason() != null ? file.getReason()
            : e instanceof DiskFullException ? "the disk is full"
            : e instanceof NoSuchFileException file ? "no such file or folder: " + file.getFile()
            : e.getMessage() != null ? e.getMessage() : e.toString();
    }

    private static SnapshotInfo writeFile(Core core, DiskFile file, Progress progress) throws IOException {
        try (BlockWriter writer = new BlockWriter(file)) {
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

    /** Renames the file; when this returns, the new name survives a power cut. */
    private static void replace(Disk disk, Path source, Path target) throws IOException {
        disk.rename(source, target);
        Path folder = target.toAbsolutePath().getParent();
        disk.forceFolder(folder == null ? target.toAbsolutePath() : folder);
    }

    private static void deleteQuietly(Disk disk, Path path, Throwable cause) {
        try {
            disk.delete(path);
        } catch (IOException e) {
            cause.addSuppressed(e);
        }
    }

    static Store restore(Path path, StoreConfig config, Progress progress) {
        SnapshotEvent event = begin(path, true);
        Disk disk = StoreSeams.of(config).platform().disk();
        try (BlockReader reader = new BlockReader(disk.openToRead(path), path.toString())) {
            SnapshotReader snapshot = new SnapshotReader(reader);
            Store store = new Store(config.toBuilder().nid(snapshot.nid()).build(), null);
            try {
                readInto(store.core(), reader, snapshot, progress);
                event.chunks = snapshot.chunks();
                event.payloadBytes = snapshot.payloadBytes();
                return store;
            } catch (IOException | RuntimeException | Error e) {
                store.close();
                throw e;
            }
        } catch (IOException e) {
            throw unreadable(path, e);
        } finally {
            event.commit();
        }
    }

    private static void readInto(Core core, BlockReader reader, SnapshotReader snapshot, Progress progress)
        throws IOException {
        AllocStripe stripe = core.acquire();
        try {
            snapshot.read(new SnapshotRestore(core, stripe, reader),
                () -> progress.at(snapshot.chunks(), snapshot.chunksExpected()));
        } finally {
            core.allocStripes.release(stripe);
        }
        core.ids.rebuild(snapshot.idEnd());
    }

    /** Reads a file from front to end and says what is in it. */
    static HeapReport analyze(Disk disk, Path path, int largestCount, Progress progress) {
        try (BlockReader reader = new BlockReader(disk.openToRead(path), path.toString())) {
            SnapshotReader snapshot = new SnapshotReader(reader);
            SnapshotAnalysis analysis = new SnapshotAnalysis(reader, largestCount);
            long fileBytes = reader.fileBytes();
            snapshot.read(analysis, () -> progress.at(reader.offset(), fileBytes));
            return analysis.report(snapshot.nid());
        } catch (IOException e) {
            throw unreadable(path, e);
        }
    }

    private static StoreException unreadable(Path path, IOException cause) {
        return new StoreException(Category.RETRY, "snapshot " + path + " could not be read: " + reason(cause), cause);
    }
}
