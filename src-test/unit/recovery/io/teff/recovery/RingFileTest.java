package io.teff.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.teff.engine.config.StoreConfig;
import io.teff.engine.error.StoreException;
import io.teff.engine.error.StoreException.Category;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: a store to the write buffer finds room on the device, or fails with a reason. Method: its file is replaced by a
 * sparse one while the store is closed, and cut while it is open.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class RingFileTest {
    private static final int BUFFER_BYTES = 1 << 23;
    private static final int PAGE = 4096;

    @TempDir
    private Path temporary;

    private Path folder() {
        return temporary.resolve("data");
    }

    private Path buffer() {
        return folder().resolve("buffer");
    }

    private DurableStore open(boolean acceptsDamage) {
        return DurableStore.open(folder(), DurableConfig.builder().writeBufferBytes(BUFFER_BYTES)
            .segmentBytes(1 << 22).acceptDamage(acceptsDamage)
            .store(StoreConfig.builder().memoryLimitBytes(128 << 20).build()).build());
    }

    private @Nullable Object key() throws IOException {
        return Files.readAttributes(buffer(), BasicFileAttributes.class).fileKey();
    }

    private FileTime birth() throws IOException {
        return Files.readAttributes(buffer(), BasicFileAttributes.class).creationTime();
    }

    /** A copy may be sparse, or share its bytes, so it is not stored to; the log's own file is used again. */
    @Test
    void open_aCopyOfTheBuffer_isMadeAnew() throws IOException {
        long cid;
        try (DurableStore durable = open(false)) {
            cid = durable.store().create(new byte[100]);
        }
        Object own = key();
        assumeTrue(own != null, "the file system has no keys of files");
        open(false).close();
        assertEquals(own, key());
        Path old = temporary.resolve("old");
        Files.move(buffer(), old);
        byte[] head = new byte[PAGE];
        try (RandomAccessFile from = new RandomAccessFile(old.toFile(), "r");
             RandomAccessFile sparse = new RandomAccessFile(buffer().toFile(), "rw")) {
            from.readFully(head);
            sparse.write(head);
            sparse.setLength(from.length());
        }
        FileTime copied = birth();
        try (DurableStore durable = open(false)) {
            assertNotEquals(copied, birth());
            assertEquals(100, durable.store().size(cid));
            assertEquals(PAGE + BUFFER_BYTES, Files.size(buffer()));
            durable.store().create(new byte[1_000_000]);
        }
    }

    @Test
    void open_aCutBuffer_isMadeAnew() throws IOException {
        for (int size : new int[] {0, 100, PAGE, PAGE + BUFFER_BYTES / 2}) {
            open(false).close();
            try (FileChannel file = FileChannel.open(buffer(), StandardOpenOption.WRITE)) {
                file.truncate(size);
            }
            try (DurableStore durable = open(false)) {
                durable.store().create(new byte[1_000_000]);
                assertEquals(PAGE + BUFFER_BYTES, Files.size(buffer()));
            }
        }
    }

    /** The log is closed with the reason, reads go on, the folder is unlocked, and the loss is named. */
    @Test
    void changes_afterTheBufferWasCut_areFatalWithAReason() throws IOException {
        long synced;
        try (Closing closing = new Closing(open(false))) {
            DurableStore durable = closing.durable;
            synced = durable.store().create(new byte[100]);
            durable.sync();
            try (FileChannel file = FileChannel.open(buffer(), StandardOpenOption.WRITE)) {
                file.truncate(PAGE);
            }
            StoreException e = assertThrows(StoreException.class, () -> {
                while (true) {
                    durable.store().create(new byte[1000]);
                }
            });
            assertEquals(Category.FATAL, e.category());
            assertTrue(e.getMessage().contains("the file of the write buffer was cut"), e::getMessage);
            assertEquals(DurableHealth.State.FAILED, durable.health().state());
            assertEquals(100, durable.store().size(synced));
        }
        StoreException e = assertThrows(StoreException.class, () -> open(false));
        assertTrue(e.category() == Category.FATAL && e.getMessage().contains("buffer"), e::getMessage);
        try (DurableStore durable = open(true)) {
            assertEquals(100, durable.store().size(synced));
            durable.store().create(new byte[1000]);
        }
        try (Stream<Path> files = Files.list(folder())) {
            assertTrue(files.anyMatch(buffer()::equals));
        }
    }

    /** Closes a store whose log has failed, which says so. */
    private record Closing(DurableStore durable) implements AutoCloseable {
        @Override
        public void close() {
            StoreException e = assertThrows(StoreException.class, durable::close);
            assertTrue(e.getMessage().contains("the file of the write buffer was cut"), e::getMessage);
        }
    }
}
