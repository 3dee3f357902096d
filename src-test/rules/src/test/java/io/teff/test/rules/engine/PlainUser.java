package io.teff.test.rules.engine;

import io.teff.engine.Store;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.error.Status;
import java.nio.file.Files;
import java.nio.file.Path;

/** A user's program: uses most of the engine, prints one line. Run in a JVM of its own. */
public final class PlainUser {
    private static final int CHUNKS = 200_000;

    private PlainUser() {}

    /**
     * Uses a store.
     *
     * @param args a folder to write to
     * @throws java.io.IOException if that fails
     */
    public static void main(String[] args) throws java.io.IOException {
        Path file = Files.createTempFile(Path.of(args[0]), "plain", ".teff");
        byte[] buffer = new byte[256];
        long found = 0;
        boolean reserved;
        try (Store store = Store.open()) {
            for (int i = 0; i < CHUNKS; i++) {
                long cid = store.create(new byte[1 + i % 200]);
                store.fields().putByte(cid, 0, (byte) i);
                if (i % 3 == 0) {
                    store.remove(cid);
                }
            }
            store.trim();
            store.snapshot(file);
            reserved = store.stats().reserved();
        }
        try (Store store = Store.restore(file, StoreConfig.defaults())) {
            var cursor = store.ids().cursor();
            for (long cid = cursor.next(); cid != 0; cid = cursor.next()) {
                found += Status.isStatus(store.get(cid, buffer)) ? 0 : 1;
            }
            store.audit();
        }
        Files.delete(file);
        System.out.println("found " + found + " reserved " + reserved);
    }
}
