package io.teff.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.error.StoreException;
import io.teff.recovery.log.file.LogClosedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: a durable store that refuses something says what, where and why.
 *
 * <p>Method: failures of the system whose own messages have no reason, and values out of their ranges.
 */
final class FailureTextsTest {
    @TempDir
    private Path folder;

    @Test
    void opening_byAnInterruptedThread_saysSo() {
        Thread.currentThread().interrupt();
        try {
            assertOpeningFails(folder.resolve("data"), "the thread was interrupted");
        } finally {
            assertTrue(Thread.interrupted());
        }
    }

    @Test
    void opening_whereNoFolderCanBe_saysWhy() throws IOException {
        final Path file = Files.writeString(folder.resolve("file"), "text");
        assertOpeningFails(file.resolve("data"), file + ".*: (it is not a folder|Not a directory|it exists already)");
    }

    private static void assertOpeningFails(Path path, String reason) {
        final String text = assertThrows(StoreException.class, () -> DurableStore.open(path).close()).getMessage();
        assertTrue(text.matches("the store in \\Q" + path + "\\E cannot be opened: .*" + reason), text);
    }

    @Test
    void closedLog_namesItsFirstFailure() {
        assertEquals("the log is closed because it has failed: segment: there is no such file or folder",
            new LogClosedException(new NoSuchFileException("segment")).getMessage());
    }

    @Test
    void configuration_namesValueRangeAndUnit() {
        final List<Consumer<DurableConfig.Builder>> all = List.of(
            it -> it.writeBufferBytes(1 << 22), it -> it.writeBufferBytes(3 << 23), it -> it.skipBytes(-1),
            it -> it.syncIntervalNs(0), it -> it.restoreThreads(0), it -> it.cleanPercent(91),
            it -> it.segmentBytes(5).build());
        for (Consumer<DurableConfig.Builder> wrong : all) {
            final String text = assertThrows(IllegalArgumentException.class,
                () -> wrong.accept(DurableConfig.builder())).getMessage();
            assertTrue(text.matches("\\w+=-?\\d+ is not .*(\\d|two).*"), text);
        }
    }
}
