package io.teff.test.bench.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.HdrHistogram.Histogram;

/** All measurements of one method, in this JVM. */
final class DiskTrial {
    /** Bytes of a log record with a chunk of 64 bytes. */
    static final int RECORD_BYTES = 88;
    static final int PIECES = 64;
    /** Small writes cycle through an area of this size, as in the write buffer of the log. */
    private static final int AREA_BYTES = Content.BYTES;

    private static final int LOOP = 256;
    private static final int BLOCK_SMALL = 128 << 10;
    private static final int BLOCK_READ = 1 << 20;
    private static final double MICROSECOND_NS = TimeUnit.MICROSECONDS.toNanos(1);
    private static final int DIGITS = 3;
    private static final double PERCENTILE = 99;

    private final DiskMethod kind;
    private final Path file;
    private final long fileBytes;
    private final long measureNs;
    private final Map<String, Object> figures = new LinkedHashMap<>();

    DiskTrial(DiskPlan plan) throws IOException {
        kind = plan.kind();
        file = plan.file();
        fileBytes = Files.size(file);
        measureNs = TimeUnit.MILLISECONDS.toNanos(plan.measureMs());
    }

    /** Creates a file with all blocks allocated, so that writes need no allocation. */
    static void make(Path file, long bytes) throws IOException {
        ByteBuffer content = Content.direct();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            for (long at = 0; at < bytes; at += Content.BYTES) {
                channel.write(content.clear(), at);
            }
            channel.force(true);
        }
    }

    /** One step of a measurement. */
    @FunctionalInterface
    private interface Step {
        void step(long at) throws IOException;
    }

    /** Returns figures by name; measurements that this method does not support are left out. */
    Map<String, Object> run() throws IOException {
        try (Access access = kind.open(file)) {
            if (kind.isForPieces()) {
                pieces(access);
                return figures;
            }
            if (access.unitBytes() == 1) {
                figures.put("88 B ns", stepNs(RECORD_BYTES, at -> access.write(at, RECORD_BYTES)));
            }
            pieces(access);
            access.sync();
            synced(access);
            access.writeAll(Math.min(fileBytes, Content.BYTES), BLOCK_SMALL);
            bandwidth("128 KiB MB/s", () -> access.writeAll(fileBytes, BLOCK_SMALL));
            bandwidth("8 MiB MB/s", () -> access.writeAll(fileBytes, Content.BYTES));
        }
        read("read MB/s", (at, bytes) -> touch(bytes));
        readChecked();
        return figures;
    }

    // ---- writing ----

    private void pieces(Access access) throws IOException {
        int bytes = (RECORD_BYTES * PIECES + access.unitBytes() - 1) / access.unitBytes() * access.unitBytes();
        figures.put("64 x 88 B ns", stepNs(bytes, at -> access.writePieces(at, PIECES, RECORD_BYTES)) / PIECES);
    }

    /** Returns the nanoseconds of a step, warmed up for the time of the measurement. */
    private double stepNs(int bytes, Step step) throws IOException {
        steps(bytes, step, measureNs);
        return steps(bytes, step, measureNs);
    }

    private static double steps(int bytes, Step step, long ns) throws IOException {
        long start = System.nanoTime();
        long count = 0;
        long at = 0;
        long now;
        do {
            for (int i = 0; i < LOOP; i++) {
                step.step(at);
                at += bytes;
                if (at > AREA_BYTES - bytes) {
                    at = 0;
                }
            }
            count += LOOP;
            now = System.nanoTime();
        } while (now - start < ns);
        return (double) (now - start) / count;
    }

    /** Writes consecutive pages, each on the device before the next one. */
    private void synced(Access access) throws IOException {
        synced(access, measureNs);
        Histogram histogram = synced(access, measureNs);
        figures.put("4 KiB sync p50 us", histogram.getValueAtPercentile(50) / MICROSECOND_NS);
        figures.put("4 KiB sync p99 us", histogram.getValueAtPercentile(PERCENTILE) / MICROSECOND_NS);
    }

    private static Histogram synced(Access access, long ns) throws IOException {
        Histogram histogram = new Histogram(TimeUnit.MINUTES.toNanos(1), DIGITS);
        long start = System.nanoTime();
        long before = start;
        long at = 0;
        do {
            access.writeSynced(at, Content.PAGE_BYTES);
            at = (at + Content.PAGE_BYTES) % AREA_BYTES;
            long now = System.nanoTime();
            histogram.recordValue(Math.min(now - before, histogram.getHighestTrackableValue()));
            before = now;
        } while (before - start < ns);
        return histogram;
    }

    // ---- the whole file ----

    @FunctionalInterface
    private interface Whole {
        void run() throws IOException;
    }

    private void bandwidth(String name, Whole whole) throws IOException {
        long start = System.nanoTime();
        whole.run();
        figures.put(name, fileBytes * 1e3 / (System.nanoTime() - start));
    }

    /** Reads the file from the device with an access of its own: mapped pages would stay in memory. */
    private void read(String name, Access.Look look) throws IOException {
        PageCache.drop(file);
        try (Access access = kind.open(file)) {
            bandwidth(name, () -> access.readAll(fileBytes, BLOCK_READ, look));
        }
    }

    /** Reads one byte of each page, so that a mapped file is read, too. */
    private static void touch(ByteBuffer bytes) {
        byte all = 0;
        for (int at = 0; at < bytes.limit(); at += Content.PAGE_BYTES) {
            all |= bytes.get(at);
        }
        if (all == 0) {
            throw new IllegalStateException("zeros were read");
        }
    }

    private void readChecked() throws IOException {
        int[] expected = new int[Content.BYTES / BLOCK_READ];
        ByteBuffer content = Content.direct();
        for (int i = 0; i < expected.length; i++) {
            expected[i] = crc(new CRC32C(), content.slice(i * BLOCK_READ, BLOCK_READ));
        }
        CRC32C crc = new CRC32C();
        read("read+CRC MB/s", (at, bytes) -> {
            if (crc(crc, bytes) != expected[(int) (at / BLOCK_READ % expected.length)]) {
                throw new IllegalStateException("other bytes were read at " + at + " than were written");
            }
        });
    }

    private static int crc(CRC32C crc, ByteBuffer bytes) {
        crc.reset();
        crc.update(bytes);
        return (int) crc.getValue();
    }
}
