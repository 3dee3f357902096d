package io.teff.recovery.log.file;

import io.teff.engine.os.Disk;
import io.teff.engine.os.DiskFile;
import io.teff.recovery.format.BirthMark;
import io.teff.recovery.format.FileHead;
import io.teff.recovery.format.FileKind;
import io.teff.recovery.format.ManifestRecord;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * Distinguishes the file of a ring from a copy of it. Stateless.
 *
 * <p>A copy made while a process wrote the log has pages of different moments, and the other files of the folder are of
 * other moments still. Such a copy may open without any wrong checksum and lack acknowledged changes. The copy also may
 * lack the allocated room of the original file on the device, if zeros take no room or files share their bytes.
 */
public final class RingFile {
    private RingFile() {}

    /**
     * Returns whether the file is a copy, as far as the file system tells.
     *
     * @param disk that has the folder
     * @param folder of the log
     * @param head first page of the file, with a correct head
     * @param log identity of the log
     * @return whether the birth in the head differs from the file's birth
     * @throws IOException if the disk fails
     */
    public static boolean isCopy(Disk disk, Path folder, MemorySegment head, ManifestRecord.Log log)
        throws IOException {
        final long birth = BirthMark.read(head, log.salt());
        return birth != BirthMark.NONE && birth != disk.birthNs(folder.resolve(LogFolder.BUFFER));
    }

    /**
     * Returns whether the file was made by a log: then the file's room is allocated.
     *
     * @param disk that has the folder
     * @param folder of the log
     * @param log identity of the log
     * @param bytes expected length
     * @return whether the file has this length, and its own birth in the head
     * @throws IOException if the disk fails
     */
    public static boolean isOwn(Disk disk, Path folder, ManifestRecord.Log log, long bytes) throws IOException {
        final Path path = folder.resolve(LogFolder.BUFFER);
        try (DiskFile file = disk.openToRead(path)) {
            final MemorySegment head = MemorySegment.ofBuffer(page(file));
            final long birth = head.byteSize() < FileHead.BYTES ? BirthMark.NONE : BirthMark.read(head, log.salt());
            return file.size() == bytes && birth != BirthMark.NONE && birth == disk.birthNs(path);
        }
    }

    /**
     * Makes a copy count as the file itself; the caller knows that no process wrote the file during the copy.
     *
     * @param disk that has the folder
     * @param folder of the log, locked by the caller
     * @param log identity of the log
     * @return false if there was nothing to change, because the file is not known to be a copy
     * @throws IOException if the disk fails
     */
    public static boolean adopt(Disk disk, Path folder, ManifestRecord.Log log) throws IOException {
        final Path path = folder.resolve(LogFolder.BUFFER);
        if (!disk.list(folder).contains(LogFolder.BUFFER)) {
            return false;
        }
        try (DiskFile file = disk.open(path)) {
            final ByteBuffer page = page(file);
            final MemorySegment head = MemorySegment.ofBuffer(page);
            if (FileHead.problem(head, FileKind.RING, log.logId(), log.salt()) != null
                || !isCopy(disk, folder, head, log)) {
                return false;
            }
            BirthMark.write(head, disk.ownBirthNs(path), log.salt());
            file.write(page, 0);
            LogFailure.force(file);
            return true;
        }
    }

    private static ByteBuffer page(DiskFile file) throws IOException {
        final ByteBuffer page = ByteBuffer.allocateDirect(FileHead.BYTES);
        file.read(page, 0);
        return page.flip();
    }
}
