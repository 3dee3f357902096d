package io.teff.examples;

import io.teff.engine.Store;
import io.teff.engine.collect.ChunkMap;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.report.SnapshotInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Snapshots: the whole store in one file, and a store from such a file.
 *
 * <p>A restored store has the same chunks at the same CIDs, and the same collections under the same names. The file is
 * checked by checksums when it is read. {@code ./teff heap FILE} reports what fills the store.
 */
public final class SnapshotAndRestore {
    private SnapshotAndRestore() {}

    static void main() throws IOException {
        Path file = Files.createTempFile("teff-example", ".snapshot");
        try {
            long cid = write(file);
            read(file, cid);
        } finally {
            Files.delete(file);
        }
    }

    private static long write(Path file) throws IOException {
        try (Store store = Store.open()) {
            ChunkMap<String, String> capitals = store.map("capitals", String.class, String.class);
            capitals.put("Kenya", "Nairobi");
            capitals.put("Peru", "Lima");
            capitals.put("Nepal", "Kathmandu");
            long cid = store.create(new byte[] {1, 2, 3});

            SnapshotInfo info = store.snapshot(file);
            IO.println("snapshot written, and complete: " + (info.fileBytes() == Files.size(file)));

            capitals.put("Peru", "changed after the snapshot");
            return cid;
        }
    }

    private static void read(Path file, long cid) {
        try (Store store = Store.restore(file, StoreConfig.defaults())) {
            ChunkMap<String, String> capitals = store.map("capitals", String.class, String.class);
            IO.println("capital of Peru: " + capitals.get("Peru"));
            IO.println("the chunk has " + store.size(cid) + " bytes at the same CID");
            store.audit();                                      // recomputes every invariant
        }
    }
}
