package io.teff.engine.os;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The seam for folders and files, used by snapshots and the log. Implementations are thread-safe. */
public interface Disk {
    /** Result of {@link #birthNs} where the file system does not tell. */
    long NO_BIRTH = 0;

    /** The file systems of this machine. */
    Disk SYSTEM = new SystemDisk();

    /**
     * Creates a file.
     *
     * @param path of the file
     * @param bytes of zeros written to it, so that the device has reserved room for them; neither the zeros nor the
     *     name are synced
     * @return the file, to read and write
     * @throws DiskFullException if there is no room; then no file is left
     * @throws IOException if the file exists or cannot be created
     */
    DiskFile create(Path path, long bytes) throws IOException;

    /**
     * Creates a file with room reserved on the device, like {@link #create}, but without a write if the system permits.
     * A first write to a block of such a file may cost more than a write to a written block.
     *
     * @param path of the file
     * @param bytes its length; it reads as zeros
     * @return the file, to read and write
     * @throws DiskFullException if there is no room; then no file is left
     * @throws IOException if the file exists or cannot be created
     */
    default DiskFile reserve(Path path, long bytes) throws IOException {
        return create(path, bytes);
    }

    /**
     * Opens a file to read and write.
     *
     * @param path of the file
     * @return the file
     * @throws IOException if it does not exist or cannot be opened
     */
    DiskFile open(Path path) throws IOException;

    /**
     * Opens a file to read. The process needs no permission to write it.
     *
     * @param path of the file
     * @return the file
     * @throws IOException if it does not exist or cannot be opened
     */
    DiskFile openToRead(Path path) throws IOException;

    /**
     * Creates a folder and all missing folders above it.
     *
     * @param folder the path
     * @throws IOException if that fails
     */
    void createFolders(Path folder) throws IOException;

    /**
     * Creates a folder and all missing folders above it, and waits until their names are on the device. The name of the
     * lowest folder that exists is synced, too, if its parent can be read: the process that has created this folder may
     * have ended before its sync.
     *
     * @param folder the path
     * @throws IOException if that fails
     */
    default void createSyncedFolders(Path folder) throws IOException {
        final List<Path> unsynced = new ArrayList<>();
        boolean isThere = false;
        for (Path each = folder.toAbsolutePath(); each != null && !isThere; each = each.getParent()) {
            isThere = isThere(each);
            unsynced.add(each);
        }
        for (Path each : unsynced.reversed()) {                 // one after the other: the process may end in between
            createFolders(each);
            if (each.getParent() != null) {
                syncName(each.getParent(), isThere);
            }
            isThere = false;
        }
    }

    private void syncName(Path parent, boolean isOld) throws IOException {
        try {
            forceFolder(parent);
        } catch (AccessDeniedException e) {
            if (!isOld) {
                throw e;
            }
        }
    }

    private boolean isThere(Path path) throws IOException {
        try {
            real(path);
            return true;
        } catch (NoSuchFileException _) {
            return false;
        }
    }

    /**
     * Lists a folder.
     *
     * @param folder the path
     * @return names of its files and folders, sorted
     * @throws IOException if it cannot be read
     */
    List<String> list(Path folder) throws IOException;

    /**
     * Deletes a file or an empty folder.
     *
     * @param path of the file or folder
     * @throws IOException if it does not exist or cannot be deleted
     */
    void delete(Path path) throws IOException;

    /**
     * Renames a file or folder within its folder, atomically: at any time either the old or the new name exists.
     *
     * @param source the old name
     * @param target the new name; an existing file of this name is replaced by a file
     * @throws IOException if that fails; then nothing has changed
     */
    void rename(Path source, Path target) throws IOException;

    /**
     * Gives a file a second name, so that both names lead to the same bytes.
     *
     * @param existing the file
     * @param link the second name, which must not exist
     * @return false if the file system cannot do that for these names; then nothing has changed
     * @throws IOException if the file does not exist, or the second name does
     */
    default boolean link(Path existing, Path link) throws IOException {
        return false;
    }

    /**
     * Returns the path of a file or folder without symbolic links.
     *
     * @param path of a file or folder
     * @return an absolute path
     * @throws IOException if it does not exist
     */
    default Path real(Path path) throws IOException {
        return path.toAbsolutePath().normalize();
    }

    /**
     * Returns the time of a file's birth. Writes and renames keep the birth; a copy of the file has another birth.
     *
     * @param path of the file
     * @return nanoseconds since 1970 as the file system counts them, or {@link #NO_BIRTH}
     * @throws IOException if it does not exist
     */
    default long birthNs(Path path) throws IOException {
        return NO_BIRTH;
    }

    /**
     * Returns when a file came into being that the caller made itself. The time of the file's last write may be changed
     * where the birth cannot be told from it otherwise.
     *
     * @param path of the file, which nobody else writes
     * @return as {@link #birthNs}
     * @throws IOException if it does not exist, or its times cannot be set
     */
    default long ownBirthNs(Path path) throws IOException {
        return birthNs(path);
    }

    /**
     * Waits until the names in a folder are on the device: files created, renamed and deleted there before.
     *
     * @param folder the path
     * @throws IOException if the device failed
     */
    void forceFolder(Path folder) throws IOException;

    /**
     * Locks a file exclusively, against this process and all others, until the lock is closed or the process ends. The
     * holder must check the lock before it relies on it ({@link DiskLock#check}).
     *
     * @param path of the file; created if missing, and never deleted
     * @param holder names the owner of the lock, for others to read
     * @return the lock; closing it unlocks
     * @throws LockedException if another owner has the lock
     * @throws IOException if it cannot be locked
     */
    DiskLock lock(Path path, String holder) throws IOException;

    /**
     * Locks a file for reading: any number of readers share the lock, and {@link #lock} fails meanwhile. The process
     * needs no permission to write: then an existing file is not changed, and if there is no file, nothing is locked.
     *
     * @param path of the file
     * @param holder names the owner of the lock, for others in this process
     * @return the lock; closing it unlocks, and throws a {@link LockedException} if there was no file and there is one
     *     now
     * @throws LockedException if another owner has the exclusive lock
     * @throws IOException if it cannot be locked
     */
    Closeable lockShared(Path path, String holder) throws IOException;

    /**
     * Returns an id of the current boot of the machine.
     *
     * @return an id unique to this boot, or null if the system provides no id
     */
    @Nullable UUID boot();

    /**
     * Returns the free room of a file system.
     *
     * @param folder on that file system
     * @return about how many bytes can be written
     * @throws IOException if it cannot be read
     */
    long usableBytes(Path folder) throws IOException;
}
