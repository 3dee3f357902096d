package io.teff.test.bench.disk;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.Stream;

/** The kernel's page cache. */
public final class PageCache {
    private PageCache() {}

    /**
     * Syncs files and drops them from the page cache, so that the next reader needs the device. Pages mapped by a
     * process stay.
     *
     * @param path a file, or a folder with its content
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
