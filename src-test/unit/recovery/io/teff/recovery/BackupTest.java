package io.teff.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.Store;
import io.teff.engine.collect.ChunkMap;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.error.StoreClosedException;
import io.teff.engine.error.StoreException;
import io.teff.engine.error.StoreException.Category;
import io.teff.engine.report.Progress;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: a backup of a store in use opens as the store of one moment. Method: writers count up, each in its own places,
 * and note what was acknowledged; a backup has all that was acknowledged before its call, and of the rest a first part.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class BackupTest {
    private static final int WRITERS = 3;
    private static final int PLACES = 400;
    private static final int CHUNK_BYTES = 300;

    @TempDir
    private Path temporary;

    private static DurableConfig config() {
        return DurableConfig.builder().store(StoreConfig.builder().nid(3).memoryLimitBytes(256 << 20).build())
            .writeBufferBytes(1 << 23).segmentBytes(1 << 21).syncIntervalNs(5_000_000).build();
    }

    private DurableStore open(String name) {
        return DurableStore.open(temporary.resolve(name), config());
    }

    private List<String> names() {
        try (Stream<Path> paths = Files.list(temporary)) {
            return paths.map(path -> path.getFileName().toString()).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void backup_whileThreadsWriteAndTheLogIsCleaned_hasEachWritersFirstChanges() throws Exception {
        List<long[]> before = new ArrayList<>();
        try (DurableStore durable = open("data"); ExecutorService pool = Executors.newFixedThreadPool(WRITERS)) {
            Counters counters = new Counters(durable.store());
            AtomicBoolean isOver = new AtomicBoolean();
            List<Future<?>> writers = new ArrayList<>();
            for (int writer = 0; writer < WRITERS; writer++) {
                int number = writer;
                writers.add(pool.submit(() -> counters.count(number, isOver)));
            }
            int backups = 0;
            while (backups < 4 || durable.stats().cleanings() == 0) {
                long[] acknowledged = counters.acknowledged();
                Path target = temporary.resolve("backup-" + backups);
                BackupReport report = durable.backup(target);
                assertEquals(target, report.folder());
                assertTrue(report.segments() > 0 && report.linkedBytes() <= report.bytes(), report::toString);
                if (backups < 4) {
                    before.add(acknowledged);
                } else {
                    delete(target);
                }
                backups++;
            }
            isOver.set(true);
            for (Future<?> writer : writers) {
                writer.get();
            }
            durable.audit();
        }
        for (int number = 0; number < before.size(); number++) {
            for (int round = 0; round < 2; round++) {
                try (DurableStore backup = open("backup-" + number)) {
                    Counters counters = new Counters(backup.store());
                    counters.check(before.get(number));
                    backup.audit();
                    backup.store().create(new byte[9]);         // a store like any other
                }
            }
        }
        try (DurableStore durable = open("data")) {
            durable.audit();
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> paths = Files.walk(folder)) {
            for (Path path : paths.sorted((one, other) -> other.compareTo(one)).toList()) {
                Files.delete(path);
            }
        }
    }

    /** Counters that writers raise, each in one place after another of its own. */
    private static final class Counters {
        private final Store store;
        private final ChunkMap<Long, byte[]> map;
        private final AtomicLongArray acknowledged = new AtomicLongArray(WRITERS);

        Counters(Store store) {
            this.store = store;
            this.map = store.map("counters", Long.class, byte[].class);
        }

        private static byte[] value(long count) {
            byte[] bytes = new byte[CHUNK_BYTES];
            for (int i = 0; i < Long.BYTES; i++) {
                bytes[i] = (byte) (count >>> i * Byte.SIZE);
            }
            return bytes;
        }

        private static long count(byte[] bytes) {
            long count = 0;
            for (int i = 0; i < Long.BYTES; i++) {
                count |= (bytes[i] & 0xFFL) << i * Byte.SIZE;
            }
            return count;
        }

        void count(int writer, AtomicBoolean isOver) {
            for (long count = 1; !isOver.get(); count++) {
                map.put(key(writer, count), value(count));
                acknowledged.set(writer, count);
            }
        }

        private static long key(int writer, long count) {
            return (long) writer * PLACES + count % PLACES;
        }

        long[] acknowledged() {
            long[] counts = new long[WRITERS];
            for (int i = 0; i < counts.length; i++) {
                counts[i] = acknowledged.get(i);
            }
            return counts;
        }

        /** Checks that each writer's last count is at least this, and that the ones before are in their places. */
        void check(long[] least) {
            for (int writer = 0; writer < WRITERS; writer++) {
                long last = 0;
                for (long place = 0; place < PLACES; place++) {
                    byte[] bytes = map.get(key(writer, place));
                    last = bytes == null ? last : Math.max(last, count(bytes));
                }
                assertTrue(last >= least[writer], last + " of " + least[writer]);
                for (long count = Math.max(1, last - PLACES + 1); count <= last; count++) {
                    byte[] bytes = map.get(key(writer, count));
                    assertEquals(count, bytes == null ? 0 : count(bytes), "last " + last);
                }
            }
            store.audit();
        }
    }

    @Test
    void backup_sharesFilesWhereItCan_andIsIndependent() {
        long cid;
        try (DurableStore durable = open("data")) {
            cid = durable.store().create(new byte[] {1});
            assertEquals(durable.backup(temporary.resolve("backup")).bytes(),
                durable.backup(temporary.resolve("again")).linkedBytes(), "the file system of this test makes links");
            durable.store().put(cid, new byte[] {2});
        }
        try (DurableStore backup = open("backup")) {
            byte[] bytes = new byte[1];
            assertEquals(1, backup.store().get(cid, bytes));
            assertEquals(1, bytes[0]);
            backup.store().put(cid, new byte[] {3});
        }
        try (DurableStore durable = open("data"); DurableStore again = open("again")) {
            byte[] bytes = new byte[1];
            durable.store().get(cid, bytes);
            assertEquals(2, bytes[0]);
            again.store().get(cid, bytes);
            assertEquals(1, bytes[0]);
        }
    }

    @Test
    void backup_badTarget_isRefused() throws IOException {
        Files.createSymbolicLink(temporary.resolve("link"), temporary.resolve("data"));
        Files.writeString(temporary.resolve("file"), "mine");
        try (DurableStore durable = open("data")) {
            durable.store().create(new byte[9]);
            for (String target : List.of("data", "data/backup", "link/backup", "link", "file", "missing/backup")) {
                assertThrows(IllegalArgumentException.class, () -> durable.backup(temporary.resolve(target)), target);
            }
            StoreException e = assertThrows(StoreException.class, () ->
                durable.backup(temporary.resolve("file").resolve("backup")));
            assertEquals(Category.RETRY, e.category());
        }
        assertEquals(List.of("data", "file", "link"), names());
        assertEquals("mine", Files.readString(temporary.resolve("file")));
    }

    @Test
    void backup_progressThatThrows_leavesNothing() {
        try (DurableStore durable = open("data")) {
            durable.store().create(new byte[9]);
            List<Long> done = new ArrayList<>();
            assertThrows(UnsupportedOperationException.class, () -> durable.backup(temporary.resolve("backup"),
                (bytes, total) -> {
                    done.add(bytes);
                    durable.store().create(new byte[9]);        // permitted
                    if (bytes == total) {
                        throw new UnsupportedOperationException();
                    }
                }));
            assertTrue(done.size() > 2 && done.getFirst() == 0, done::toString);
            assertEquals(List.of("data"), names());
            durable.backup(temporary.resolve("backup"), Progress.NONE);
        }
        assertEquals(List.of("backup", "data"), names());
    }

    @Test
    void backup_ofAClosedStore_isRefused() {
        DurableStore durable = open("data");
        durable.close();
        assertThrows(StoreClosedException.class, () -> durable.backup(temporary.resolve("backup")));
        assertFalse(names().contains("backup"));
    }

    @Test
    void backup_damagedSegment_isFatalAndNamesIt() throws IOException {
        try (DurableStore durable = open("data")) {
            durable.store().create(new byte[5000]);
            durable.checkpoint();
            Path segments = temporary.resolve("data").resolve("segments");
            Path segment;
            try (Stream<Path> paths = Files.list(segments)) {
                segment = paths.findFirst().orElseThrow();
            }
            byte[] bytes = Files.readAllBytes(segment);
            bytes[5000] ^= 1;
            Files.write(segment, bytes);
            StoreException e = assertThrows(StoreException.class, () ->
                durable.backup(temporary.resolve("backup")));
            assertEquals(Category.FATAL, e.category());
            assertTrue(e.getMessage().contains(segment.getFileName().toString()), e::getMessage);
            bytes[5000] ^= 1;
            Files.write(segment, bytes);
            durable.backup(temporary.resolve("backup"));
        }
    }
}
