package io.teff.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.Cid;
import io.teff.engine.Store;
import io.teff.engine.collect.ChunkList;
import io.teff.engine.collect.ChunkMap;
import io.teff.engine.collect.ChunkQueue;
import io.teff.engine.collect.ChunkSortedMap;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.error.StoreException;
import io.teff.engine.os.DiskFile;
import io.teff.engine.os.Platform;
import io.teff.recovery.disk.Choices;
import io.teff.recovery.disk.FaultDisk;
import io.teff.recovery.tool.LogReport;
import io.teff.recovery.tool.LogTool;
import io.teff.test.kit.Form;
import io.teff.test.kit.tier.FullTier;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: a change of a few bytes logs a few bytes, and a store is restored from such entries as from whole chunks.
 *
 * <p>Method: the entries in a log are counted after it was closed. On a disk in memory, a store is killed, loses its
 * power, or has wrong bytes in its files; each chunk must have a content that it has had.
 */
@Timeout(300)
final class BytesOfChunksTest {
    /** Bytes of an entry in a segment besides its payload. */
    private static final int ENTRY_BYTES = 12;
    /** Limit of the entries of bytes behind a whole chunk. */
    private static final int ENTRIES_OF_BYTES_MAX = 64;
    private static final int KEYS = Form.size(5000, 20_000, 20_000);
    private static final int CHANGES = Form.size(5000, 20_000, 20_000);

    private static final int STEPS = Form.size(400, 3000, 3000);
    private static final int IMAGES = Form.size(3, 20, 20);
    /** Bytes between two wrong ones. */
    private static final int DAMAGE_STEP = Form.size(797, 61, 61);
    /** Bytes of the head of a segment's block, behind which damage hits a single entry. */
    private static final int BLOCK_HEAD_BYTES = 32;
    private static final Path FOLDER = FaultDisk.ROOT.resolve("data");

    @TempDir
    private Path temporary;

    private final List<String> figures = new ArrayList<>();
    /** Entries of whole chunks per change, of the changes counted last. */
    private double wholeChunks;

    private DurableStore open() {
        return DurableStore.open(temporary.resolve("data"), DurableConfig.builder().store(StoreConfig.builder()
            .memoryLimitBytes(256L << 20).build()).writeBufferBytes(1 << 23).segmentBytes(1 << 21).cleanPercent(0)
            .reserve(false).build());
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
        figures.add(String.format(Locale.ROOT, "%s: %.0f B, %.2f whole chunks, %.2f of bytes", name, bytes,
            (second.puts() - first.puts()) / (double) count, (second.changes() - first.changes()) / (double) count));
        wholeChunks = (second.puts() - first.puts()) / (double) count;
        return bytes;
    }

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
        assertTrue(puts <= 200, figures::toString);
    }

    @Test
    @FullTier("3 s. putsOfAMap has a map, and JournalCollectionsTest the entries of all collections.")
    void otherCollections() {
        SplittableRandom random = new SplittableRandom(1);
        Consumer<Store> fill = store -> {
            ChunkSortedMap<Long, byte[]> map = store.sortedMap("s", Long.class, byte[].class);
            for (long key = 0; key < KEYS; key++) {
                map.put(key * 77777 % KEYS, random(random, 32));
            }
        };
        logged("sorted inserts", _ -> { }, KEYS, fill);
        double sorted = logged("sorted puts", _ -> { }, CHANGES, store -> {
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
        double sets = logged("list sets", _ -> { }, CHANGES, store -> {
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
        double merges = logged("map merges", _ -> { }, CHANGES, store -> {
            ChunkMap<Long, Long> map = store.map("m", Long.class, Long.class);
            for (long i = 0; i < CHANGES; i++) {
                map.merge(KEYS / 2 + random.nextLong(KEYS / 2), 1L, Long::sum);
            }
        });
        assertTrue(sorted <= 200 && sets <= 200 && merges <= 100, figures::toString);
    }

    @Test
    void changesOfAChunk() {
        long[] cid = new long[1];
        double fields = logged("fields", store -> cid[0] = store.create(new byte[3300]), CHANGES, store -> {
            for (int i = 0; i < CHANGES; i++) {
                store.fields().putLong(cid[0], i % 400 * 8, i);
            }
        });
        assertTrue(wholeChunks * (ENTRIES_OF_BYTES_MAX + 1) >= 1, "too many entries of bytes behind a whole chunk");
        double adds = logged("adds", _ -> { }, CHANGES, store -> {
            for (int i = 0; i < CHANGES; i++) {
                store.fields().getAndAddLong(cid[0], 16, i);
            }
        });
        double edits = logged("edits", _ -> { }, CHANGES, store -> {
            for (int i = 0; i < CHANGES; i++) {
                final int at = i % 400 * 8;
                store.views().edit(cid[0], editor -> editor.putLong(at, 77 + editor.getLong(at)));
            }
        });
        assertTrue(fields <= 100 && adds <= 100 && edits <= 100, figures::toString);
    }

    // ---- what is restored ----

    private static DurableStore open(FaultDisk disk, boolean acceptsDamage) {
        return DurableStore.open(FOLDER, DurableConfig.builder().store(StoreConfig.builder()
            .memoryLimitBytes(64L << 20).build()).writeBufferBytes(1 << 23).segmentBytes(1 << 21)
            .acceptDamage(acceptsDamage).platform(Platform.SYSTEM.withDisk(disk)).build());
    }

    /** A chunk, and each content that it has had. */
    private static final class History {
        private long cid;
        private byte[] content = new byte[0];
        private final List<byte[]> all = new ArrayList<>();
        /** Place of the newest content known to be on the disk; -1 as long as the chunk itself may be lost. */
        private int synced = -1;

        void add(byte[] next) {
            content = next;
            all.add(next);
        }

        /**
         * Returns the place of the content of a store.
         *
         * @return -1 if the store has no such chunk; -2 if the chunk has never had this content
         */
        int find(Store store) {
            byte[] found = store.chunks().get(cid).orElse(null);
            if (found == null) {
                return -1;
            }
            for (int i = all.size() - 1; i >= 0; i--) {
                if (Arrays.equals(all.get(i), found)) {
                    return i;
                }
            }
            return -2;
        }
    }

    /** Changes a chunk in one of the ways that log bytes, or as a whole. */
    private static void change(Store store, History history, SplittableRandom random) {
        byte[] next = history.content.clone();
        int at = random.nextInt(next.length / Long.BYTES) * Long.BYTES;
        ByteBuffer view = ByteBuffer.wrap(next).order(ByteOrder.LITTLE_ENDIAN);
        long value = random.nextLong();
        switch (random.nextInt(8)) {
            case 0 -> {
                next = random(random, random.nextInt(200, 600));
                store.put(history.cid, next);
            }
            case 1 -> {
                next = Arrays.copyOf(next, random.nextInt(200, 600));
                store.resize(history.cid, next.length);
            }
            case 2 -> {
                byte[] part = random(random, Math.min(30, next.length - at));
                System.arraycopy(part, 0, next, at, part.length);
                store.putBytes(history.cid, at, part, 0, part.length);
            }
            case 3, 4 -> {
                view.putLong(at, value);
                store.views().edit(history.cid, editor -> editor.putLong(at, value));
            }
            case 5 -> {
                view.putLong(at, view.getLong(at) + value);
                store.fields().getAndAddLong(history.cid, at, value);
            }
            default -> {
                view.putLong(at, value);
                store.fields().putLong(history.cid, at, value);
            }
        }
        history.add(next);
    }

    private static History create(Store store, SplittableRandom random) {
        History history = new History();
        history.add(random(random, 400));
        history.cid = store.create(history.content);
        return history;
    }

    @Test
    void afterAKill_eachChunkHasItsLastContent_afterAPowerCutASyncedOne() {
        FaultDisk disk = new FaultDisk();
        SplittableRandom random = new SplittableRandom(7);
        List<History> histories = new ArrayList<>();
        for (int session = 0; session < 3; session++) {
            try (DurableStore durable = open(disk, false)) {
                Store store = durable.store();
                if (session == 0) {
                    for (int i = 0; i < 4; i++) {
                        histories.add(create(store, random));
                    }
                }
                for (int i = 0; i < STEPS / 3; i++) {
                    change(store, histories.get(random.nextInt(histories.size())), random);
                    if (i % (STEPS / IMAGES) == 0) {
                        check(disk, durable, histories);
                    }
                }
            }
        }
    }

    private static void check(FaultDisk disk, DurableStore durable, List<History> histories) {
        int[] last = histories.stream().mapToInt(it -> it.all.size() - 1).toArray();
        // first, before a background thread has synced the last changes
        try (DurableStore cut = open(disk.powerCut(Choices.drop()), false)) {
            histories.forEach(it -> assertTrue(it.find(cut.store()) >= it.synced, "lost, or never a content"));
        }
        try (DurableStore killed = open(disk.killed(), false)) {
            for (int i = 0; i < last.length; i++) {
                assertEquals(last[i], histories.get(i).find(killed.store()));
            }
        }
        durable.sync();
        for (int i = 0; i < last.length; i++) {
            histories.get(i).synced = last[i];
        }
        try (DurableStore cut = open(disk.powerCut(Choices.drop()), false)) {
            for (int i = 0; i < last.length; i++) {
                assertEquals(last[i], histories.get(i).find(cut.store()));
            }
        }
    }

    /** Wrong bytes anywhere in a segment are reported, and each chunk has a content that it has had. */
    @Test
    void damage_isReported_andNoBytesAreOnAnotherState() throws IOException {
        FaultDisk disk = new FaultDisk();
        SplittableRandom random = new SplittableRandom(8);
        List<History> histories = new ArrayList<>();
        try (DurableStore durable = open(disk, false)) {
            for (int i = 0; i < 3; i++) {
                histories.add(create(durable.store(), random));
            }
            for (int i = 0; i < 60; i++) {
                change(durable.store(), histories.get(random.nextInt(3)), random);
            }
        }
        Path segments = FOLDER.resolve("segments");
        Path file = segments.resolve(disk.list(segments).getFirst());
        int earlier = 0;
        for (long at = 4096; at < 4096 + 12_000; at += DAMAGE_STEP) {
            FaultDisk image = disk.killed();
            try (DiskFile opened = image.open(file)) {
                if (at >= opened.size()) {
                    break;
                }
            }
            flip(image, file, at);
            try (DurableStore damaged = open(image, true)) {
                for (History it : histories) {
                    int found = it.find(damaged.store());
                    assertTrue(found >= -1, "a content that never was");
                    if (found < it.all.size() - 1) {
                        assertTrue(!damaged.damage().isEmpty(), "lost, and not reported");
                        earlier++;
                    }
                }
            }
            try (DurableStore again = open(image, false)) {
                assertEquals(List.of(), again.damage());
            }
        }
        assertTrue(earlier > 0, "no damage has hit an entry that counts");
    }

    /** Damage refuses the store and names the chunk whose later changes count for nothing: at most 64. */
    @Test
    void damage_refusesTheStore_andNamesTheChunkThatLosesChangesBehindIt() throws IOException {
        FaultDisk disk = new FaultDisk();
        History history = new History();
        try (DurableStore durable = open(disk, false)) {
            history.add(new byte[3000]);
            history.cid = durable.store().create(history.content);
            durable.store().create(new byte[200]);
            for (int i = 0; i < 100; i++) {
                byte[] next = history.content.clone();
                int at = i * Long.BYTES;
                ByteBuffer.wrap(next).order(ByteOrder.LITTLE_ENDIAN).putLong(at, i + 1);
                durable.store().fields().putLong(history.cid, at, i + 1);
                history.add(next);
            }
        }
        Path segments = FOLDER.resolve("segments");
        Path file = segments.resolve(disk.list(segments).getFirst());
        int named = 0;
        for (long at = 4096 + BLOCK_HEAD_BYTES; at < 13_200; at += at < 9000 ? 997 : 67) {
            FaultDisk image = disk.killed();
            flip(image, file, at);
            final List<Long> outdated;
            final int found;
            final boolean isFollowed;
            try (ReadOnlyStore read = DurableStore.openReadOnly(FOLDER,
                DurableConfig.builder().platform(Platform.SYSTEM.withDisk(image)).build())) {
                outdated = read.outdatedChunks();
                found = history.find(read.store());
                assertEquals(1, read.damage().size(), "at " + at);
                isFollowed = read.damage().getFirst().why().equals("entries with wrong checksums");
            }
            StoreException refused = assertThrows(StoreException.class, () -> open(image, false));
            assertEquals(StoreException.Category.FATAL, refused.category());
            assertTrue(refused.getMessage().contains(file.getFileName().toString()), refused::getMessage);
            assertEquals(!outdated.isEmpty(), refused.getMessage().contains(Cid.toString(history.cid)),
                refused::getMessage);
            int lost = history.all.size() - 1 - found;
            assertEquals(isFollowed && lost > 0 ? List.of(history.cid) : List.of(), outdated, lost + " at " + at);
            assertTrue(!isFollowed || lost <= ENTRIES_OF_BYTES_MAX + 1, lost + " at " + at);
            named += outdated.size();
            try (DurableStore accepted = open(image, true)) {
                assertEquals(outdated, accepted.outdatedChunks());
                assertEquals(found, history.find(accepted.store()));
            }
            try (DurableStore again = open(image, false)) {
                assertEquals(List.of(), again.outdatedChunks());
                assertEquals(found, history.find(again.store()));
            }
        }
        assertTrue(named > 10, "damage has hit few entries that count: " + named);
    }

    private static void flip(FaultDisk image, Path file, long at) throws IOException {
        try (DiskFile opened = image.open(file)) {
            ByteBuffer one = ByteBuffer.allocateDirect(1);
            opened.read(one, at);
            opened.write(ByteBuffer.allocateDirect(1).put(0, (byte) ~one.get(0)), at);
        }
    }
}
