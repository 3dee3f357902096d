package io.teff.test.bench.disk;

import io.teff.test.bench.load.Crew;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/** The performance of the disk in plain loops, as a reference for stores. Every file created is deleted. */
public final class RawDisk {
    private static final double SECOND_NS = TimeUnit.SECONDS.toNanos(1);
    private static final int BLOCK_READ = 1 << 20;

    private RawDisk() {}

    /**
     * Writes sequentially to a file with allocated blocks, and syncs each write.
     *
     * @param folder where the file is made
     * @param bytes of each write
     * @param ns duration
     * @return writes per second
     */
    public static double syncsPerSecond(Path folder, int bytes, long ns) throws IOException {
        Path file = folder.resolve("raw");
        DiskTrial.make(file, Content.BYTES);
        try (Access access = new ChannelAccess(file, false, 1)) {
            long start = System.nanoTime();
            long count = 0;
            long at = 0;
            long now;
            do {
                access.writeSynced(at, bytes);
                at = at + 2L * bytes > Content.BYTES ? 0 : at + bytes;
                count++;
                now = System.nanoTime();
            } while (now - start < ns);
            return count * SECOND_NS / (now - start);
        } finally {
            Files.delete(file);
        }
    }

    /**
     * Writes a new file block by block, and syncs it at the end.
     *
     * @param folder where the file is made
     * @param bytes its length; rounded up to blocks
     * @param block bytes, 8 MiB at most
     * @return MB/s
     */
    public static double writeMbPerSecond(Path folder, long bytes, int block) throws IOException {
        Path file = folder.resolve("raw");
        Files.createFile(file);
        try (Access access = new ChannelAccess(file, false, 1)) {
            long start = System.nanoTime();
            access.writeAll(bytes, block);
            return (bytes + block - 1) / block * block * 1e3 / (System.nanoTime() - start);
        } finally {
            Files.delete(file);
        }
    }

    /**
     * Reads all files of a folder, and computes their checksums, by some threads.
     *
     * @param folder the folder
     * @param threads number of threads
     * @return seconds
     */
    public static double readChecked(Path folder, int threads) throws IOException, InterruptedException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(folder)) {
            files = all.filter(Files::isRegularFile).toList();
        }
        AtomicInteger next = new AtomicInteger();
        long start = System.nanoTime();
        Crew.run(threads, thread -> {
            ByteBuffer buffer = Content.page(BLOCK_READ);
            CRC32C crc = new CRC32C();
            for (int i = next.getAndIncrement(); i < files.size(); i = next.getAndIncrement()) {
                readChecked(files.get(i), buffer, crc);
            }
        });
        return (System.nanoTime() - start) / SECOND_NS;
    }

    /**
     * Returns the allocated disk space, which may be less or more than the file lengths.
     *
     * @param folder a folder
     * @return bytes of its content
     */
    public static long usedBytes(Path folder) throws IOException {
        Process process = new ProcessBuilder("du", "-s", "-B1", folder.toString())
            .redirectError(ProcessBuilder.Redirect.DISCARD).start();
        String line = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return Long.parseLong(line.substring(0, line.indexOf('\t')));
    }

    private static void readChecked(Path file, ByteBuffer buffer, CRC32C crc) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            while (channel.read(buffer.clear()) >= 0) {
                crc.update(buffer.flip());
            }
        }
    }
}
