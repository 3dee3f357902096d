package io.teff.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.codec.schema.Schema;
import io.teff.engine.config.StoreConfig;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Goal: the objects that a user prints say what they are, and values that are refused are named with their range. */
final class TextsOfObjectsTest {
    private static final StoreConfig CONFIG = StoreConfig.builder().name("texts").nid(3).memoryLimitBytes(64L << 20)
        .lockTimeoutNs(2_500_000_000L).build();

    private record Point(int x, int y) {}

    @Test
    void storeAndItsConfiguration_haveTexts() {
        assertEquals("StoreConfig[texts, nid 3, memory limit 64 MiB, lock timeout 2.5 s, debug level OFF,"
            + " defragmentation 25 %]", CONFIG.toString());
        final Store store = Store.open(CONFIG);
        store.create(new byte[10]);
        assertTrue(store.toString().matches("Store\\[texts, nid 3, 1 chunks, [\\d.]+ [KM]iB of 64 MiB]"),
            store::toString);
        store.close();
        assertEquals("Store[closed]", store.toString());
    }

    @Test
    void schema_namesItsType() {
        assertEquals("Schema of " + Point.class.getName(), Schema.of(Point.class).toString());
    }

    @Test
    void configuration_namesValueRangeAndUnit() {
        final List<Consumer<StoreConfig.Builder>> all = List.of(it -> it.nid(-1), it -> it.nid(65_535),
            it -> it.memoryLimitBytes(1), it -> it.lockTimeoutNs(-1), it -> it.defragCpuPercent(101));
        for (Consumer<StoreConfig.Builder> wrong : all) {
            final String text = assertThrows(IllegalArgumentException.class,
                () -> wrong.accept(StoreConfig.builder())).getMessage();
            assertTrue(text.matches("\\w+=-?\\d+ is not in \\d+ to \\d+( \\w+)?"), text);
        }
    }
}
