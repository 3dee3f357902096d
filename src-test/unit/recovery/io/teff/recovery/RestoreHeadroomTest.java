package io.teff.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.Cid;
import io.teff.engine.Store;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.error.StoreException;
import io.teff.engine.journal.ChunkRestorer;
import io.teff.engine.journal.JournaledStores;
import io.teff.engine.os.Platform;
import io.teff.recovery.format.EntryKind;
import io.teff.recovery.format.ZoneId;
import io.teff.recovery.log.clean.ZoneVisitor;
import io.teff.recovery.log.file.FileDamage;
import io.teff.recovery.restore.Restore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Goal: content that needs a little more than the memory limit is restored, and the limit counts again afterwards. */
final class RestoreHeadroomTest {
    private static final int NID = 3;
    private static final long LIMIT_BYTES = 32 << 20;
    private static final int CHUNK_BYTES = 60_000;
    /** Their bytes are beyond the limit, by less than an eighth. */
    private static final int CHUNKS = (int) (LIMIT_BYTES / CHUNK_BYTES) + 20;

    /** A zone of many chunks. */
    private static final class Chunks implements Restore.Source {
        private final int count;

        Chunks(int count) {
            this.count = count;
        }

        @Override
        public List<ZoneId> zones() {
            return List.of(new ZoneId(NID, 0));
        }

        @Override
        public long bytes() {
            return (long) count * CHUNK_BYTES;
        }

        @Override
        public List<FileDamage> read(ZoneId zone, ZoneVisitor visitor) {
            final MemorySegment bytes = MemorySegment.ofArray(new byte[CHUNK_BYTES]);
            for (int i = 1; i <= count; i++) {
                visitor.entry(Cid.of(NID, i), 8L * i, NID, 0, EntryKind.PUT, bytes, 0, CHUNK_BYTES);
            }
            return List.of();
        }
    }

    private static void restore(int count, ChunkRestorer restorer) {
        try {
            assertEquals(List.of(), new Restore(new Chunks(count), Platform.SYSTEM, 1, RestoreProgress.NONE::at)
                .run(restorer));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Store open(int count) {
        return JournaledStores.open(Store.class, StoreConfig.builder().nid(NID).memoryLimitBytes(LIMIT_BYTES).build(),
            new ReadOnlyJournal(), restorer -> restore(count, restorer));
    }

    @Test
    void contentBeyondTheLimit_isRestoredIntoTheHeadroom() {
        try (Store store = open(CHUNKS)) {
            assertEquals(CHUNKS, store.stats().chunks());
            assertTrue(store.stats().usedBytes() > LIMIT_BYTES, () -> store.stats().toString());
            assertTrue(store.stats().committedBytes() <= LIMIT_BYTES + LIMIT_BYTES / 8, () -> store.stats().toString());
            store.audit();
        }
    }

    @Test
    void contentFarBeyondTheLimit_isRefused() {
        StoreException e = assertThrows(StoreException.class, () -> open(2 * CHUNKS));
        assertTrue(e.getMessage().contains("limit of " + LIMIT_BYTES + " bytes is too small"), e::getMessage);
    }

    @Test
    void headroom_isUsedOnce() {
        StoreConfig config = StoreConfig.builder().nid(NID).memoryLimitBytes(LIMIT_BYTES).build();
        try (Store store = JournaledStores.open(Store.class, config, new ReadOnlyJournal(), restorer -> {
            assertTrue(restorer.useHeadroom());
            assertFalse(restorer.useHeadroom(), "twice");
        })) {
            assertEquals(0, store.stats().chunks());
        }
    }
}
