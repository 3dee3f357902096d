package io.teff.test.bench.disk;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** A new folder on a real disk, which is deleted with its content when it is closed. */
public final class RealFolder implements AutoCloseable {
    private static final List<String> IN_MEMORY = List.of("tmpfs", "ramfs", "devtmpfs", "hugetlbfs");
    private static final double GIBIBYTE = 1L << 30;

    private final Path path;

    private RealFolder(Path path) {
        this.path = path;
    }

    /**
     * Creates a folder.
     *
     * @param parent its parent; is created if it does not exist
     * @param bytes the space needed
     * @return the folder
     * @throws IOException if it cannot be created, or is in memory, or has too little room, with that reason
     */
    public static RealFolder make(Path parent, long bytes) throws IOException {
        Files.createDirectories(parent);
        FileStore store = Files.getFileStore(parent);
        if (isInMemory(store.type())) {
            throw new IOException(parent + " is in memory (" + store.type() + "), not on a disk");
        }
        if (store.getUsableSpace() < bytes) {
            throw new IOException("%s has room for %.1f GiB, but %.1f are needed".formatted(parent,
                store.getUsableSpace() / GIBIBYTE, bytes / GIBIBYTE));
        }
        return new RealFolder(Files.createTempDirectory(parent.toAbsolutePath(), "teff-bench"));
    }

    /**
     * Creates a folder for a command, or refuses its command line.
     *
     * @param spec the command
     * @param parent value of its option {@code --folder}
     * @param bytes the space needed
     * @return the folder
     */
    public static RealFolder make(CommandSpec spec, Path parent, long bytes) {
        try {
            return make(parent, bytes);
        } catch (IOException e) {
            throw new ParameterException(spec.commandLine(), "--folder=" + parent + ": " + e.getMessage(), e);
        }
    }

    static boolean isInMemory(String type) {
        return IN_MEMORY.contains(type);
    }

    /** {@return the folder, absolute} */
    public Path path() {
        return path;
    }

    /** {@return the kind of file system, as in {@code ext4}} */
    public String type() throws IOException {
        return Files.getFileStore(path).type();
    }

    /**
     * Deletes a folder with its content.
     *
     * @param folder the folder
     */
    public static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    @Override
    public void close() throws IOException {
        delete(path);
    }
}
