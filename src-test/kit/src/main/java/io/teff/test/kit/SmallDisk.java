package io.teff.test.kit;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** A small file system in memory, which can be filled to the last byte. Only root may mount one. */
public final class SmallDisk implements AutoCloseable {
    private static final int PIECE = 1 << 16;

    private final Path folder;

    private SmallDisk(Path folder) {
        this.folder = folder;
    }

    /** Mounts a disk at a folder, which is made; returns nothing where the user has not the right to do that. */
    public static Optional<SmallDisk> mount(Path folder, int mebibytes) throws IOException {
        Files.createDirectory(folder);
        return run("mount", "-t", "tmpfs", "-o", "size=" + mebibytes + "m", "teff-test", folder.toString())
            ? Optional.of(new SmallDisk(folder)) : Optional.empty();
    }

    /** Returns the bytes that the file system has given to a file: less than its size if it has holes. */
    public static long roomOf(Path file) throws IOException {
        Process process = new ProcessBuilder("stat", "--format=%b", file.toString()).start();
        try (var reader = process.inputReader()) {
            String blocks = reader.readLine();
            if (blocks == null) {
                throw new IOException("stat does not know " + file);
            }
            return Long.parseLong(blocks) * 512;
        }
    }

    /** {@return where it is} */
    public Path folder() {
        return folder;
    }

    /** Fills the disk with one file, until there is no room for a byte. */
    public void fill() throws IOException {
        try (OutputStream out = Files.newOutputStream(ballast())) {
            for (int bytes = PIECE; bytes > 0; bytes >>= 1) {
                fill(out, new byte[bytes]);
            }
        }
    }

    private static void fill(OutputStream out, byte[] piece) {
        try {
            while (true) {
                out.write(piece);
            }
        } catch (IOException _) {
            // there is no room for another piece
        }
    }

    /** Removes the file that fills the disk. */
    public void free() throws IOException {
        Files.delete(ballast());
    }

    private Path ballast() {
        return folder.resolve("ballast");
    }

    /** Takes the disk away, also if files on it are open. */
    @Override
    public void close() throws IOException {
        run("umount", "-l", folder.toString());
    }

    private static boolean run(String... command) throws IOException {
        return new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start().onExit().join().exitValue() == 0;
    }
}
