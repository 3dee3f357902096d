package io.teff.test.bench.disk;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.Stream;

/** What the kernel keeps of files in memory. */
public final class PageCache {
    private PageCache() {}

    /**
     * Syncs files, and takes them out of the page cache, so that the next reader needs the device. What is mapped by a
     * process stays.
     *
     * @param path a file, or a folder with all that is in it
     */
    public static void drop(Path path) throws IOException {
        LinuxCalls calls = new LinuxCalls();
        try (Stream<Path> files = Files.walk(path)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                    channel.force(false);
                }
                int number = calls.open(file, LinuxCalls.READ_ONLY);
                calls.drop(number);
                calls.close(number);
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }
}
