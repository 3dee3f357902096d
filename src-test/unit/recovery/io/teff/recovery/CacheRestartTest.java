package io.teff.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.cache.CacheMap;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.config.StoreConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Caches in a durable store: deadlines survive restarts and go on while the store is closed. */
final class CacheRestartTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final int ENTRIES = 2_000;

    @TempDir
    private Path folder;

    private final AtomicLong nowMs = new AtomicLong(Instant.parse("2026-01-01T00:00:00Z").toEpochMilli());
    private final InstantSource time = () -> Instant.ofEpochMilli(nowMs.get());
    private final List<String> expired = new ArrayList<>();

    private DurableStore open() {
        return DurableStore.open(folder.resolve("data"), DurableConfig.builder()
            .store(StoreConfig.builder().memoryLimitBytes(64 << 20).build()).writeBufferBytes(1 << 23)
            .segmentBytes(1 << 21).level(Level.LOGGED).build());
    }

    private CacheMap<Long, String> open(DurableStore store) {
        return CacheMap.builder(Codecs.LONG, Codecs.STRING).expireAfterAccess(MINUTE).clock(time).limitEntries(ENTRIES)
            .listener((_, value, cause) -> expired.add(value + ' ' + cause)).open(store.store(), "cache");
    }

    @Test
    void deadlines_surviveARestart_andGoOnMeanwhile() {
        try (DurableStore store = open(); CacheMap<Long, String> cache = open(store)) {
            cache.put(1L, "read late");
            cache.put(2L, "not read");
            cache.put(3L, "forever", Duration.ofDays(10_000));
            cache.put(4L, "for a day", Duration.ofDays(1));
            nowMs.addAndGet(MINUTE.toMillis() / 2);
            assertEquals("read late", cache.get(1L));
        }
        nowMs.addAndGet(MINUTE.toMillis() * 2 / 3);
        try (DurableStore store = open(); CacheMap<Long, String> cache = open(store)) {
            assertEquals("read late", cache.get(1L));
            assertNull(cache.get(2L));
            assertEquals(List.of("not read EXPIRED"), expired);
            assertEquals(3, cache.longSize());
        }
        nowMs.addAndGet(Duration.ofHours(1).toMillis());
        try (DurableStore store = open(); CacheMap<Long, String> cache = open(store)) {
            assertEquals(List.of(3L, 4L), cache.keySet().stream().sorted().toList());
            cache.cleanUp();
            assertEquals(2, cache.longSize());
            assertEquals(List.of("not read EXPIRED", "read late EXPIRED"), expired);
        }
    }

    @Test
    void limit_isKeptOverRestarts() {
        for (int session = 0; session < 3; session++) {
            try (DurableStore store = open(); CacheMap<Long, String> cache = open(store)) {
                assertEquals(session == 0 ? 0 : ENTRIES, cache.longSize());
                for (long key = 0; key < 2 * ENTRIES; key++) {
                    cache.set(key + session * 3L * ENTRIES, "value");
                }
                assertTrue(cache.longSize() <= ENTRIES);
                cache.audit();
                store.store().audit();
            }
        }
    }
}
