package io.teff.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.config.StoreConfig;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Goal: durable stores and their configurations say what they are. */
final class TextsOfStoresTest {
    @TempDir
    private Path folder;

    @Test
    void storeAndItsConfiguration_haveTexts() {
        final DurableConfig config = DurableConfig.builder()
            .store(StoreConfig.builder().name("texts").memoryLimitBytes(64L << 20).build()).build();
        final String text = config.toString();
        assertTrue(text.startsWith("DurableConfig[StoreConfig[texts,") && text.contains("write buffer 32 MiB")
            && text.endsWith("synced each 100 ms, cleaned below 60 %]"), text);
        final DurableStore store = DurableStore.open(folder, config);
        final String open = store.toString();
        assertTrue(open.startsWith("DurableStore[" + folder + ", WRITABLE, Store[texts,"), open);
        store.close();
        assertEquals("DurableStore[" + folder + ", CLOSED, Store[closed]]", store.toString());
    }
}
