package io.teff.recovery.disk;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Folders and files, as far as the log needs them. For many threads. */
public interface Disk {
    /** The file systems of this machine. */
    Disk SYSTEM = new SystemDisk();

    /**
     * Makes a file.
     *
     * @param path where
     * @param bytes of zeros that it gets, so that they have their place on the device; neither they nor the name are
     *     synced
     * @return the file
     * @throws DiskFullException if there is no room; then there is no file
     * @throws IOException if it is there already or cannot be made
     */
    DiskFile create(Path path, long bytes) throws IOException;

    /**
     * Opens a file.
     *
     * @param path where
     * @return the file, to read and write
     * @throws IOException if there is none or it cannot be opened
     */
    DiskFile open(Path path) throws IOException;

    /**
     * Opens a file that is not to be changed; this user need not be allowed to.
     *
     * @param path where
     * @return the file, to read
     * @throws IOException if there is none or it cannot be opened
     */
    DiskFile openToRead(Path path) throws IOException;

    /**
     * Makes a folder and those around it, as far as they are missing.
     *
     * @param folder where
     * @throws IOException if that fails
     */
    void createFolders(Path folder) throws IOException;

    /**
     * Names what is in a folder.
     *
     * @param folder where
     * @return names of files and folders, sorted
     * @throws IOException if it cannot be told
     */
    List<String> list(Path folder) throws IOException;

    /**
     * Deletes a file.
     *
     * @param path where
     * @throws IOException if there is none or it stays
     */
    void delete(Path path) throws IOException;

    /**
     * Gives a file another name in its folder, at once: one name or the other is there at any time.
     *
     * @param source its name
     * @param target its new name; a file of that name is gone then
     * @throws IOException if that fails; then nothing has changed
     */
    void rename(Path source, Path target) throws IOException;

    /**
     * Waits until the names in a folder are on the device: files that were made, renamed and deleted there.
     *
     * @param folder where
     * @throws IOException if the device failed
     */
    void forceFolder(Path folder) throws IOException;

    /**
     * Locks a file against all others, in this process and in other ones, until it is closed or the process ends.
     *
     * @param path where; the file is made if there is none, and stays
     * @param holder who has it now, for others to read
     * @return to give it back
     * @throws LockedException if somebody has it
     * @throws IOException if it cannot be locked
     */
    Closeable lock(Path path, String holder) throws IOException;

    /**
     * Locks a file against those who {@link #lock} it, together with all others who do the same. This user need not be
     * allowed to write there: then a file that is there stays as it is, and if there is none, nobody is kept away.
     *
     * @param path where
     * @param holder who has it now, for others in this process to know
     * @return to give it back; throws a {@link LockedException} if there was no file, and there is one now
     * @throws LockedException if somebody has it for himself
     * @throws IOException if it cannot be locked
     */
    Closeable lockShared(Path path, String holder) throws IOException;

    /**
     * Tells which boot of the machine this is.
     *
     * @return an id that no other boot has, or null if it cannot be told
     */
    @Nullable UUID boot();

    /**
     * Tells how much room there is.
     *
     * @param folder where
     * @return bytes that can be written about there
     * @throws IOException if it cannot be told
     */
    long usableBytes(Path folder) throws IOException;
}
