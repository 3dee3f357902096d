package io.teff.examples;

import io.teff.engine.Cid;
import io.teff.engine.Store;
import io.teff.engine.error.Status;
import java.nio.charset.StandardCharsets;

/**
 * The first store: creates a chunk, reads it, changes it, and removes it.
 *
 * <p>A chunk is a sequence of bytes outside the Java heap. The store names each chunk by a CID, a {@code long} that is
 * never issued twice. The methods of {@link Store} itself return lengths and statuses, and allocate nothing; those of
 * {@link Store#chunks()} work with arrays, {@code Optional} and exceptions.
 */
public final class FirstStore {
    private FirstStore() {}

    static void main() {
        try (Store store = Store.open()) {
            long cid = store.create(bytes("hello"));
            byte[] buffer = new byte[64];
            int length = store.get(cid, buffer);
            IO.println(Cid.toString(cid) + " holds " + text(buffer, length));

            store.put(cid, bytes("a longer text"));             // any length; a reader sees the old text or the new one
            IO.println("after put: " + store.size(cid) + " bytes");

            store.chunks().put(cid, bytes("convenient"));       // throws instead of returning a status
            IO.println(store.chunks().get(cid).map(content -> text(content, content.length)).orElse("absent"));

            store.remove(cid);
            int status = store.get(cid, buffer);                // a CID stays absent permanently
            IO.println("after remove: " + Status.name(status) + ", chunks: " + store.stats().chunks());
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte[] bytes, int length) {
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }
}
