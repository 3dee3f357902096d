package io.teff.recovery.log.copy;

import io.teff.engine.os.Disk;
import io.teff.engine.os.DiskFile;
import io.teff.engine.os.DiskFullException;
import io.teff.engine.os.DiskLock;
import io.teff.engine.os.LockedException;
import io.teff.engine.os.Units;
import io.teff.engine.report.Progress;
import io.teff.recovery.format.Damage;
import io.teff.recovery.format.EntryVisitor;
import io.teff.recovery.format.ManifestState;
import io.teff.recovery.format.SegmentId;
import io.teff.recovery.format.ZoneId;
import io.teff.recovery.log.file.DamagedLogException;
import io.teff.recovery.log.file.FileDamage;
import io.teff.recovery.log.file.FoundManifest;
import io.teff.recovery.log.file.LogConfig;
import io.teff.recovery.log.file.LogFailure;
import io.teff.recovery.log.file.LogFolder;
import io.teff.recovery.log.file.ManifestFile;
import io.teff.recovery.log.file.RingFile;
import io.teff.recovery.log.read.CrashedLog;
import io.teff.recovery.log.read.ZoneReader;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Copies a log to a new folder. For one thread.
 *
 * <pre>
 *  begin ──> NAME.unfinished: segments linked or copied, synced ──> manifest ──> read ──> renamed to NAME
 *    │
 *    └─ close before the end: deleted
 * </pre>
 * Sealed segments never change, so a hard link is as good as a copy as long as the device is: a link takes no room and
 * no time, and the file lives as long as any of its names. If the file system makes no link, bytes are copied.
 *
 * <p><b>The lock</b> of the unfinished folder is the lock of a log, so two copies to the same place exclude each other,
 * and the copy that holds the lock can delete the files of a killed copy. The lock is released after the folder was
 * renamed.
 */
public final class FolderCopy implements Closeable {
    private static final String UNFINISHED = ".unfinished";
    private static final int BLOCK_BYTES = 1 << 20;
    private static final EntryVisitor NOBODY = (cid, sequence, owner, zone, kind, bytes, offset, length) -> { };

    private final Disk disk;
    private final Path source;
    private final Path target;
    private final DiskLock lock;
    private final ByteBuffer block = ByteBuffer.allocateDirect(BLOCK_BYTES);
    /** Where the copy is: the unfinished folder, finally the target. */
    private Path folder;
    private boolean isDone;
    private boolean hasLinks = true;
    private long bytes;
    private long linkedBytes;
    private long totalBytes;

    private FolderCopy(Disk disk, Path source, Path target, Path folder, DiskLock lock) {
        this.disk = disk;
        this.source = source;
        this.target = target;
        this.folder = folder;
        this.lock = lock;
    }

    /**
     * Begins a copy: checks the target, and makes the unfinished folder.
     *
     * @param disk that has both folders
     * @param source folder of the log
     * @param target folder to make, in a folder that exists
     * @param holder name of the caller, for messages to other callers that copy to this place
     * @return the copy, to be closed
     * @throws IllegalArgumentException if the target exists, lies in the log's folder, or has no folder above it
     * @throws LockedException if another copy to this place is under way
     * @throws IOException if the disk fails
     */
    public static FolderCopy begin(Disk disk, Path source, Path target, String holder) throws IOException {
        final Path above = target.toAbsolutePath().getParent();
        final String name = String.valueOf(target.toAbsolutePath().getFileName());
        if (above == null || name.equals(".") || name.equals("..")) {
            throw refused(target, "is no name of a new folder");
        }
        final Path parent;
        try {
            parent = disk.real(above);
        } catch (NoSuchFileException _) {
            throw refused(target, "cannot be made, as there is no folder " + above);
        }
        if (parent.resolve(name).startsWith(disk.real(source))) {
            throw refused(target, "lies in the folder that is to be copied, " + source);
        }
        final List<String> names = disk.list(parent);
        if (names.contains(name)) {
            throw refused(target, "exists already");
        }
        final Path folder = parent.resolve(name + UNFINISHED);
        if (names.contains(name + UNFINISHED)) {
            checkUnfinished(disk, folder);
        }
        disk.createFolders(folder);
        final FolderCopy copy = new FolderCopy(disk, source, parent.resolve(name), folder,
            LogFolder.lock(disk, folder, holder));
        boolean isBegun = false;
        try {
            copy.deleteFiles();
            disk.createFolders(folder.resolve(LogFolder.SEGMENTS));
            isBegun = true;
            return copy;
        } finally {
            if (!isBegun) {
                copy.close();
            }
        }
    }

    private static IllegalArgumentException refused(Path target, String why) {
        return new IllegalArgumentException("target=" + target + " " + why);
    }

    /** Fails if a folder has files that no unfinished copy has. */
    private static void checkUnfinished(Disk disk, Path folder) throws IOException {
        for (String name : disk.list(folder)) {
            if (!LogFolder.isName(name)) {
                throw refused(folder, "exists already, and is no unfinished backup, as it has a file " + name);
            }
        }
    }

    // ---- copying ----

    /** A file to be copied, and whether it can be shared. */
    private record Part(String name, boolean isShared, long size) {}

    /**
     * Copies the segments of a moment, and syncs them.
     *
     * @param state of the manifest at the moment of the copy; its segments may not change or be deleted meanwhile
     * @param others names of further files to copy; these files may not change meanwhile
     * @param progress receives bytes done, and twice the bytes of all files: they are copied, then read
     * @throws DiskFullException if there is no room
     * @throws DamagedLogException if a segment is missing
     * @throws IOException if the disk fails
     */
    public void copy(ManifestState state, List<String> others, Progress progress) throws IOException {
        final List<Part> parts = new ArrayList<>();
        for (SegmentId id : segments(state)) {
            parts.add(part(LogFolder.SEGMENTS + "/" + id.fileName(), true));
        }
        for (String name : others) {
            parts.add(part(name, false));
        }
        totalBytes = parts.stream().mapToLong(Part::size).sum();
        progress.at(0, 2 * totalBytes);
        for (Part part : parts) {
            if (part.isShared && hasLinks && isLinked(part)) {
                linkedBytes += part.size;
            } else {
                checkRoom(totalBytes - bytes);
                copyBytes(part.name);
            }
            bytes += part.size;
            progress.at(bytes, 2 * totalBytes);
        }
        RingFile.adopt(disk, folder, state.log());
        LogFailure.forceFolder(disk, folder.resolve(LogFolder.SEGMENTS));
    }

    private static List<SegmentId> segments(ManifestState state) {
        final List<SegmentId> ids = new ArrayList<>();
        for (ZoneId zone : state.zones()) {
            state.segments(zone).keySet().forEach(number -> ids.add(zone.segment(number)));
        }
        return ids;
    }

    private Part part(String name, boolean isShared) throws IOException {
        try (DiskFile file = disk.openToRead(source.resolve(name))) {
            return new Part(name, isShared, file.size());
        } catch (NoSuchFileException _) {
            throw new DamagedLogException(List.of(new FileDamage(name, new Damage(0, 0, "the file is missing"))));
        }
    }

    /** Links a file, which a killed process may have left unsynced. Returns whether the file system does that. */
    private boolean isLinked(Part part) throws IOException {
        hasLinks = disk.link(source.resolve(part.name), folder.resolve(part.name));
        if (hasLinks) {
            try (DiskFile file = disk.openToRead(folder.resolve(part.name))) {
                LogFailure.force(file);
            }
        }
        return hasLinks;
    }

    /** Fails early where the room cannot suffice. */
    private void checkRoom(long needed) throws IOException {
        final long usable = disk.usableBytes(folder);
        if (usable < needed) {
            throw new DiskFullException("copying takes " + Units.bytes(needed) + " more, and " + target.getParent()
                + " has room for " + Units.bytes(usable), null);
        }
    }

    private void copyBytes(String name) throws IOException {
        try (DiskFile from = disk.openToRead(source.resolve(name));
             DiskFile to = disk.create(folder.resolve(name), 0)) {
            long at = 0;
            for (int read = from.read(block.clear(), at); read > 0; read = from.read(block.clear(), at)) {
                to.write(block.flip(), at);
                at += read;
            }
            LogFailure.force(to);
        }
    }

    // ---- the end ----

    /**
     * Writes the manifest, reads the whole copy, and renames the copy to its final name.
     *
     * @param state of the manifest of the copy
     * @param progress see {@link #copy}
     * @return what was copied
     * @throws DamagedLogException if a part of the copy cannot be read
     * @throws DiskFullException if there is no room
     * @throws IOException if the disk fails
     */
    public Copied finish(ManifestState state, Progress progress) throws IOException {
        ManifestFile.create(disk, folder, state, new LogFailure(), LogConfig.DEFAULT.manifestBytes()).close();
        final long segments = verify(state, progress);
        LogFailure.forceFolder(disk, folder);
        disk.rename(folder, target);
        folder = target;
        LogFailure.forceFolder(disk, parent());
        isDone = true;
        return new Copied(segments, bytes, linkedBytes);
    }

    private Path parent() {
        final Path parent = target.getParent();
        return parent == null ? target : parent;
    }

    /** Reads everything that counts. Returns the number of segments. */
    private long verify(ManifestState state, Progress progress) throws IOException {
        final List<FileDamage> damage = new ArrayList<>();
        final FoundManifest found = FoundManifest.find(disk, folder);
        if (found == null || !found.isWhole()) {
            throw new IOException("the manifest was written and cannot be read again");
        }
        final ZoneReader reader = new ZoneReader(disk, folder, state.log());
        long count = 0;
        long done = totalBytes;
        for (ZoneId zone : found.state().zones()) {
            for (Map.Entry<Long, Boolean> segment : found.state().segments(zone).entrySet()) {
                final var result = reader.read(zone.segment(segment.getKey()), segment.getValue(), NOBODY);
                damage.addAll(result.damage());
                count++;
                done += result.fileBytes();
                progress.at(done, 2 * totalBytes);
            }
        }
        if (CrashedLog.isLeft(found.state(), List.of())) {
            damage.addAll(new CrashedLog(disk, folder, found.state()).damage());
        }
        if (!damage.isEmpty()) {
            throw new DamagedLogException(damage);
        }
        progress.at(2 * totalBytes, 2 * totalBytes);
        return count;
    }

    /** Deletes all files in the folder except that of the lock. */
    private void deleteFiles() throws IOException {
        for (String name : disk.list(folder)) {
            if (name.equals(LogFolder.SEGMENTS)) {
                final Path segments = folder.resolve(name);
                for (String segment : disk.list(segments)) {
                    disk.delete(segments.resolve(segment));
                }
                disk.delete(segments);
            } else if (!name.equals(LogFolder.LOCK)) {
                disk.delete(folder.resolve(name));
            }
        }
    }

    /** Ends the copy; deletes an unfinished copy. */
    @Override
    public void close() throws IOException {
        try (lock) {
            if (!isDone) {
                discard();
            }
        }
    }

    private void discard() {
        try {
            deleteFiles();
            if (disk.list(folder).contains(LogFolder.LOCK)) {
                disk.delete(folder.resolve(LogFolder.LOCK));
            }
            disk.delete(folder);
        } catch (IOException _) {
            // the caller throws another failure; the next copy to this place deletes the rest
        }
    }
}
