package io.teff.recovery.log.file;

import io.teff.engine.os.Disk;
import io.teff.engine.os.DiskFile;
import io.teff.engine.os.DiskLock;
import io.teff.recovery.format.Damage;
import io.teff.recovery.format.ManifestState;
import io.teff.recovery.format.SegmentId;
import io.teff.recovery.format.ZoneId;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/** Names and checks of the folder of a log as a whole. Stateless. */
public final class LogFolder {
    /** File of the write buffer. */
    public static final String BUFFER = "buffer";
    /** Names of the files of the primary log begin with this. */
    public static final String PRIMARY = "primary";
    /** Folder of the segments, in the folder of the log. */
    public static final String SEGMENTS = "segments";
    /** File of the lock. */
    public static final String LOCK = "lock";

    private LogFolder() {}

    /** Takes the log's exclusive lock; fails while another owner has a lock. */
    public static DiskLock lock(Disk disk, Path folder, String holder) throws IOException {
        return disk.lock(folder.resolve(LOCK), holder);
    }

    /** Takes the log's lock shared with other readers; fails while another owner has the exclusive lock. */
    public static Closeable lockShared(Disk disk, Path folder, String holder) throws IOException {
        return disk.lockShared(folder.resolve(LOCK), holder);
    }

    /** Returns whether the folder has a file of a log, even a damaged one. */
    public static boolean hasLog(Disk disk, Path folder) throws IOException {
        return !FoundManifest.numbers(disk, folder).isEmpty() || hasOthers(disk, folder);
    }

    /**
     * Fails if there are files of a log: a log creates the manifest first, so without a manifest there must be no other
     * file.
     */
    public static void refuseOthers(Disk disk, Path folder) throws IOException {
        if (hasOthers(disk, folder)) {
            throw new DamagedLogException(List.of(new FileDamage(FoundManifest.PREFIX,
                new Damage(0, 0, "there are files of a log, and no manifest"))));
        }
    }

    /** Returns whether a log or an unfinished copy of one may have a file or folder of this name. */
    public static boolean isName(String name) {
        return name.equals(LOCK) || name.equals(SEGMENTS) || name.equals(BUFFER)
            || FoundManifest.isName(ManifestFile.finished(name)) || NumberedFiles.isName(PRIMARY, name);
    }

    private static boolean hasOthers(Disk disk, Path folder) throws IOException {
        final List<String> names = disk.list(folder);
        return names.contains(LogFolder.BUFFER) || !NumberedFiles.list(disk, folder, LogFolder.PRIMARY).isEmpty()
            || names.contains(LogFolder.SEGMENTS) && !disk.list(folder.resolve(LogFolder.SEGMENTS)).isEmpty();
    }

    /** Returns the manifest that counts; fails if there is none. */
    public static FoundManifest manifest(Disk disk, Path folder) throws IOException {
        final FoundManifest found = FoundManifest.find(disk, folder);
        if (found == null) {
            refuseOthers(disk, folder);
            throw new NoSuchFileException(folder.toString(), null, "there is no log");
        }
        return found;
    }

    /** Returns the path of a segment. */
    public static Path segment(Path folder, SegmentId id) {
        return folder.resolve(LogFolder.SEGMENTS).resolve(id.fileName());
    }

    /** Returns the bytes of the segments of a zone; missing segments count nothing. */
    public static long bytes(Disk disk, Path folder, ManifestState state, ZoneId zone) throws IOException {
        long bytes = 0;
        for (long number : state.segments(zone).keySet()) {
            try (DiskFile file = disk.openToRead(segment(folder, zone.segment(number)))) {
                bytes += file.size();
            } catch (NoSuchFileException _) {
                // reported when the zone is read
            }
        }
        return bytes;
    }

    /**
     * Returns the bytes available for a log on its disk: the free bytes, and the bytes of the log's files.
     *
     * @param disk that has the folder
     * @param folder of the log
     * @param enough if there are so many, the rest is not counted
     * @return bytes
     * @throws IOException if the disk fails
     */
    public static long room(Disk disk, Path folder, long enough) throws IOException {
        long bytes = disk.usableBytes(folder);
        for (Path within : List.of(folder, folder.resolve(SEGMENTS))) {
            for (String name : bytes < enough ? disk.list(within) : List.<String>of()) {
                if (bytes < enough && isContent(name)) {
                    bytes += bytes(disk, within.resolve(name));
                }
            }
        }
        return bytes;
    }

    /** Returns whether a file may be large. The lock's file must not be opened: a close would release the lock. */
    private static boolean isContent(String name) {
        return name.equals(BUFFER) || NumberedFiles.isName(PRIMARY, name)
            || NumberedFiles.isName(DiskReserve.PREFIX, name) || SegmentId.ofFileName(name) != null;
    }

    private static long bytes(Disk disk, Path path) throws IOException {
        try (DiskFile file = disk.openToRead(path)) {
            return file.size();
        } catch (NoSuchFileException _) {
            return 0;
        }
    }
}
