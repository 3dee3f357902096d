package io.teff.recovery.log.file;

import io.teff.engine.os.Disk;
import io.teff.engine.os.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.NavigableSet;

/**
 * Cuts the end off a file of a log, and keeps it in a copy. Stateless.
 *
 * <pre>
 *  manifest-3 ──> cut-manifest-3-0 (the end), synced ──> cut-manifest-3-0.new (the rest), synced ──> manifest-3
 * </pre>
 * Nothing is changed in place: a crash leaves the old file or the new one, and the copy in both cases.
 */
public final class TailCut {
    private static final String COPY = "cut-";
    private static final String UNFINISHED = ".new";

    private TailCut() {}

    /**
     * Cuts the end off a file.
     *
     * @param disk that has the folder
     * @param folder of the log; the caller holds its lock
     * @param file name in the folder
     * @param offset of the cut, less than the file's size
     * @return name of the file in the folder that holds the bytes cut off
     * @throws IOException if the disk fails; the file is unchanged then, or cut
     */
    public static String cut(Disk disk, Path folder, String file, long offset) throws IOException {
        final Path path = folder.resolve(file);
        final Path around = path.equals(folder.resolve(path.getFileName())) ? folder
            : folder.resolve(LogFolder.SEGMENTS);
        final String name = COPY + path.getFileName();
        final NavigableSet<Long> before = NumberedFiles.list(disk, around, name);
        final String copy = NumberedFiles.name(name, before.isEmpty() ? 0 : before.last() + 1);
        final ByteBuffer bytes = NumberedFiles.read(disk, path);
        final int at = Math.toIntExact(offset);
        write(disk, around.resolve(copy), bytes.slice(at, bytes.limit() - at));
        disk.forceFolder(around);
        final Path rest = around.resolve(copy + UNFINISHED);
        write(disk, rest, bytes.slice(0, at));
        disk.rename(rest, path);
        disk.forceFolder(around);
        return folder.relativize(around.resolve(copy)).toString();
    }

    /**
     * Renames a file of the log's folder to a name that is never read.
     *
     * @param disk that has the folder
     * @param folder of the log; the caller holds its lock
     * @param file name in the folder
     * @return the new name
     * @throws IOException if the disk fails
     */
    public static String setAside(Disk disk, Path folder, String file) throws IOException {
        final NavigableSet<Long> before = NumberedFiles.list(disk, folder, COPY + file);
        final String name = NumberedFiles.name(COPY + file, before.isEmpty() ? 0 : before.last() + 1);
        disk.rename(folder.resolve(file), folder.resolve(name));
        return name;
    }

    private static void write(Disk disk, Path path, ByteBuffer bytes) throws IOException {
        try (DiskFile file = disk.create(path, 0)) {
            file.write(bytes, 0);
            LogFailure.force(file);
        }
    }
}
