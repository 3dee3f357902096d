package io.teff.recovery;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.Store;
import io.teff.engine.collect.ChunkList;
import io.teff.engine.collect.ChunkMap;
import io.teff.engine.collect.ChunkQueue;
import io.teff.engine.collect.ChunkSortedMap;
import io.teff.engine.config.StoreConfig;
import io.teff.recovery.tool.LogReport;
import io.teff.recovery.tool.LogTool;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: a change of a few bytes logs a few bytes, and a store is restored from such entries as from whole chunks.
 *
 * <p>Method: a disk in memory, on which a store is killed, loses its power or is closed; the entries in its log are
 * counted after it.
 */
@Timeout(300)
final class BytesOfChunksTest {
    /** A segment counts as long as the cleaning is off; bytes of an entry besides its payload. */
    private static final int ENTRY_BYTES = 12;
    private static final int KEYS = 20_000;
    private static final int CHANGES = 20_000;

    @TempDir
    private Path temporary;

    private DurableStore open() {
        return DurableStore.open(temporary.resolve("data"), DurableConfig.builder().store(StoreConfig.builder()
            .memoryLimitBytes(256L << 20).build()).cleanPercent(0).build());
    }

    /** Returns the bytes that each of some changes adds to the log. */
    private double logged(String name, Consumer<Store> before, int count, Consumer<Store> changes) {
        try (DurableStore durable = open()) {
            before.accept(durable.store());
        }
        LogReport.Entries first = entries();
        try (DurableStore durable = open()) {
            changes.accept(durable.store());
        }
        LogReport.Entries second = entries();
        double bytes = (second.payloadBytes() - first.payloadBytes()
            + ENTRY_BYTES * (second.count() - first.count())) / (double) count;
        TMP(String.format("%s: %.0f B, %.2f wholes, %.2f bytes%n", name, bytes,
            (second.puts() - first.puts()) / (double) count, (second.changes() - first.changes()) / (double) count));
        return bytes;
    }

    private static void TMP(String t) { try { java.nio.file.Files.writeString(Path.of("/tmp/w/bytes-fig.log"), t, java.nio.file.StandardOpenOption.CREATE, java.nio.file.StandardOpenOption.APPEND); } catch (IOException e) { throw new UncheckedIOException(e); } }

    private LogReport.Entries entries() {
        try {
            return LogTool.read(temporary.resolve("data"), "a test", (_, _) -> { }).entries();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] random(SplittableRandom random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    @Test
    void putsOfAMap() {
        SplittableRandom random = new SplittableRandom(1);
        Consumer<Store> fill = store -> {
            ChunkMap<Long, byte[]> map = store.map("m", Long.class, byte[].class);
            for (long key = 0; key < KEYS; key++) {
                map.put(key, random(random, 32));
            }
        };
        logged("inserts", _ -> { }, KEYS, fill);
        double puts = logged("puts", _ -> { }, CHANGES, store -> {
            ChunkMap<Long, byte[]> map = store.map("m", Long.class, byte[].class);
            for (int i = 0; i < CHANGES; i++) {
                map.put(random.nextLong(KEYS), random(random, 32));
            }
        });
        assertTrue(puts <= 200, () -> puts + " bytes");
    }

    @Test
    void others() {
        SplittableRandom random = new SplittableRandom(1);
        Consumer<Store> fill = store -> {
            ChunkSortedMap<Long, byte[]> map = store.sortedMap("s", Long.class, byte[].class);
            for (long key = 0; key < KEYS; key++) {
                map.put(key * 77777 % KEYS, random(random, 32));
            }
        };
        logged("sorted inserts", _ -> { }, KEYS, fill);
        logged("sorted puts", _ -> { }, CHANGES, store -> {
            ChunkSortedMap<Long, byte[]> map = store.sortedMap("s", Long.class, byte[].class);
            for (int i = 0; i < CHANGES; i++) {
                map.put(random.nextLong(KEYS), random(random, 32));
            }
        });
        logged("list adds", _ -> { }, KEYS, store -> {
            ChunkList<byte[]> list = store.list("l", byte[].class);
            for (int i = 0; i < KEYS; i++) {
                list.add(random(random, 32));
            }
        });
        logged("list sets", _ -> { }, CHANGES, store -> {
            ChunkList<byte[]> list = store.list("l", byte[].class);
            for (int i = 0; i < CHANGES; i++) {
                list.set(random.nextInt(KEYS), random(random, 32));
            }
        });
        logged("queue", _ -> { }, CHANGES, store -> {
            ChunkQueue<byte[]> queue = store.queue("q", byte[].class);
            for (int i = 0; i < CHANGES; i++) {
                queue.add(random(random, 32));
                if (i > 100) {
                    queue.poll();
                }
            }
        });
        logged("map removes", store -> {
            ChunkMap<Long, Long> map = store.map("m", Long.class, Long.class);
            for (long key = 0; key < KEYS; key++) {
                map.put(key, key);
            }
        }, KEYS / 2, store -> {
            ChunkMap<Long, Long> map = store.map("m", Long.class, Long.class);
            for (long key = 0; key < KEYS / 2; key++) {
                map.remove(key);
            }
        });
        logged("map merges", _ -> { }, CHANGES, store -> {
            ChunkMap<Long, Long> map = store.map("m", Long.class, Long.class);
            for (long i = 0; i < CHANGES; i++) {
                map.merge(KEYS / 2 + random.nextLong(KEYS / 2), 1L, Long::sum);
            }
        });
    }

    @Test
    void changesOfAChunk() {
        long[] cid = new long[1];
        double puts = logged("fields", store -> cid[0] = store.create(new byte[3300]), CHANGES, store -> {
            for (int i = 0; i < CHANGES; i++) {
                store.fields().putLong(cid[0], i % 400 * 8, i);
            }
        });
        logged("adds", _ -> { }, CHANGES, store -> {
            for (int i = 0; i < CHANGES; i++) {
                store.fields().getAndAddLong(cid[0], 16, i);
            }
        });
        logged("edits", _ -> { }, CHANGES, store -> {
            for (int i = 0; i < CHANGES; i++) {
                final int at = i % 400 * 8;
                store.views().edit(cid[0], editor -> editor.putLong(at, 77 + editor.getLong(at)));
            }
        });
        assertTrue(puts <= 200, () -> puts + " bytes");
    }
}
