package io.teff.engine.snapshot;

import io.teff.engine.care.StoreCare;
import io.teff.engine.chunk.ChunkSpace;
import io.teff.engine.error.StoreException;
import io.teff.engine.error.StoreException.Category;
import io.teff.engine.event.SnapshotEvent;
import io.teff.engine.os.Disk;
import io.teff.engine.os.DiskFile;
import io.teff.engine.os.FailureText;
import io.teff.engine.report.HeapReport;
import io.teff.engine.report.Progress;
import io.teff.engine.report.SnapshotInfo;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

/** Writes, restores and analyzes snapshot files. */
public final class Snapshots {
    private static final String UNFINISHED = ".unfinished";
    private static final AtomicLong COUNTER = new AtomicLong();

    private Snapshots() {}

    /**
     * Writes a snapshot to a temporary file, syncs it, and renames it to the target; on failure the target is
     * unchanged.
     */
    public static SnapshotInfo write(ChunkSpace space, StoreCare care, Path path, Progress progress) {
        SnapshotEvent event = begin(path, false);
        Disk disk = space.seams.platform().disk();
        Path unfinished = unfinished(path, space.seams.platform().clock().nowNs());
        try {
            DiskFile file = disk.create(unfinished, 0);
            SnapshotInfo info;
            try {
                info = writeFile(space, care, file, progress);
                replace(disk, unfinished, path);
            } catch (IOException | RuntimeException | Error e) {
                deleteQuietly(disk, unfinished, e);
                throw e;
            }
            event.chunks = info.chunks();
            event.payloadBytes = info.payloadBytes();
            return info;
        } catch (IOException e) {
            throw new StoreException(Category.RETRY, "snapshot " + path + " was not written: " + FailureText.of(e), e);
        } finally {
            event.commit();
        }
    }

    /** Returns a unique temporary name, so that concurrent snapshots to one path do not write to one file. */
    private static Path unfinished(Path path, long nowNs) {
        Path name = path.getFileName();
        if (name == null || name.toString().isEmpty()) {
            throw new IllegalArgumentException("path=" + path + " names no file");
        }
        return path.resolveSibling(name + "." + Long.toHexString(nowNs) + "-" + COUNTER.incrementAndGet() + UNFINISHED);
    }

    private static SnapshotInfo writeFile(ChunkSpace space, StoreCare care, DiskFile file, Progress progress)
        throws IOException {
        try (BlockWriter writer = new BlockWriter(file)) {
            SnapshotInfo info;
            try (StoreCare.Quiet _ = care.quietAndUnlocked(space.config.lockTimeoutNs())) {
                info = new SnapshotWriter(space, care.stats(), writer, progress).write();
            }
            writer.force();
            return info;
        }
    }

    static SnapshotEvent begin(Path path, boolean restore) {
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

    /** Reads a file from front to end and returns the report of its content. */
    public static HeapReport analyze(Disk disk, Path path, int largestCount, Progress progress) {
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

    static StoreException unreadable(Path path, IOException cause) {
        return new StoreException(Category.RETRY, "snapshot " + path + " could not be read: "
            + FailureText.of(cause), cause);
    }
}
