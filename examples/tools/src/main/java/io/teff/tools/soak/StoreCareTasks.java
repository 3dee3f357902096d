package io.teff.tools.soak;

import io.teff.engine.Cid;
import io.teff.engine.Store;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.error.Status;
import io.teff.engine.error.StoreClosedException;
import io.teff.tools.load.LoadFailure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.Consumer;

/** Operations on the whole store, and on side stores; on the conductor's thread. */
final class StoreCareTasks {
    private static final int SIDE_CHUNKS = 1_000;
    private static final int SIDE_BYTES = 100;
    private static final long SIDE_LIMIT_BYTES = 32 << 20;

    private final Store store;
    private final Path folder;
    private long defragmentations;
    private long movedChunks;
    private long audits;
    private long sideStores;
    private long snapshots;

    /** Creates the tasks of one store; {@code folder} receives snapshots and must exist. */
    StoreCareTasks(Store store, Path folder) {
        this.store = store;
        this.folder = folder;
    }

    void defragment() {
        movedChunks += store.defragment().movedChunks();
        defragmentations++;
    }

    void audit() {
        store.audit();
        audits++;
    }

    void trim() {
        store.trim();
    }

    /** Opens a side store, uses it and closes it; checks that it is closed. */
    void sideStore() {
        byte[] content = new byte[SIDE_BYTES];
        byte[] read = new byte[SIDE_BYTES];
        Store side = Store.open(StoreConfig.builder().name("side").memoryLimitBytes(SIDE_LIMIT_BYTES).build());
        long last = Cid.NONE;
        try (side) {
            for (int i = 0; i < SIDE_CHUNKS; i++) {
                Arrays.fill(content, (byte) i);
                last = side.create(content);
            }
            check(!Status.isStatus(last) && side.get(last, read) == SIDE_BYTES && Arrays.equals(content, read),
                "a side store lost its last chunk");
            check(side.stats().chunks() == SIDE_CHUNKS, "a side store has " + side.stats().chunks() + " chunks");
        }
        try {
            int length = side.get(last, read);
            throw new LoadFailure("a get of a closed store returned " + length);
        } catch (StoreClosedException e) {
            sideStores++;                                       // expected
        }
    }

    /** Writes a snapshot, restores it, and passes the restored store to a comparison. */
    void snapshot(Consumer<Store> comparison) {
        Path file = folder.resolve("teff-soak-" + ProcessHandle.current().pid() + "-" + snapshots + ".snapshot");
        try {
            try {
                store.snapshot(file);
                StoreConfig config = store.config().toBuilder().name("restored").build();
                try (Store restored = Store.restore(file, config)) {
                    comparison.accept(restored);
                    restored.audit();
                }
            } finally {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        snapshots++;
    }

    private static void check(boolean good, String message) {
        if (!good) {
            throw new LoadFailure(message);
        }
    }

    // ---- counts, for the report ----

    long defragmentations() {
        return defragmentations;
    }

    long movedChunks() {
        return movedChunks;
    }

    long audits() {
        return audits;
    }

    long sideStores() {
        return sideStores;
    }

    long snapshots() {
        return snapshots;
    }
}
