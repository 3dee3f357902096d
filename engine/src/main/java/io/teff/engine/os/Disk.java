package io.teff.engine.os;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** The seam for files: whole files written from front to end, read from front to end. */
public interface Disk {
    /** The file systems of this machine. */
    Disk SYSTEM = new Disk() {
        @Override
        public Writer create(Path path) throws IOException {
            return new ChannelFile(FileChannel.open(path, StandardOpenOption.CREATE_NEW,
                StandardOpenOption.WRITE));
        }

        @Override
        public Reader open(Path path) throws IOException {
            return new ChannelFile(FileChannel.open(path, StandardOpenOption.READ));
        }

        @Override
        public void replace(Path source, Path target) throws IOException {
            Files.move(source, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            Path folder = target.toAbsolutePath().getParent();
            try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
                channel.force(true);                            // the new name must survive a power cut
            }
        }

        @Override
        public void delete(Path path) throws IOException {
            Files.deleteIfExists(path);
        }
    };

    /**
     * Creates a file.
     *
     * @param path where
     * @return the file, empty
     * @throws IOException if it is there already, or cannot be created
     */
    Writer create(Path path) throws IOException;

    /**
     * Opens a file.
     *
     * @param path where
     * @return the file, at its first byte
     * @throws IOException if it cannot be read
     */
    Reader open(Path path) throws IOException;

    /**
     * Gives a file another's name, atomically and durably.
     *
     * @param source the file
     * @param target its new name; a file of that name is replaced
     * @throws IOException if that fails; then the target is as it was
     */
    void replace(Path source, Path target) throws IOException;

    /**
     * Deletes a file if it exists.
     *
     * @param path where
     * @throws IOException if it exists and stays
     */
    void delete(Path path) throws IOException;

    /** A file that is written. */
    interface Writer extends Closeable {
        /**
         * Appends all remaining bytes.
         *
         * @param bytes what to write
         * @throws IOException if not all could be written
         */
        void append(ByteBuffer bytes) throws IOException;

        /**
         * Waits until everything is on the device; never tried again after a failure.
         *
         * @throws IOException if the device failed
         */
        void force() throws IOException;
    }

    /** A file that is read. */
    interface Reader extends Closeable {
        /**
         * Reads until the buffer is full or the file ends.
         *
         * @param target where to
         * @return bytes read, less than asked for only at the end
         * @throws IOException if the device failed
         */
        int read(ByteBuffer target) throws IOException;

        /**
         * The file's size.
         *
         * @return bytes
         * @throws IOException if it cannot be told
         */
        long size() throws IOException;
    }
}
