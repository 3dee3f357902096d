package io.teff.cluster.client;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a key, with their hash. Immutable. Keys have an order, so that many keys of one hash do not make the
 * look for a copy slow.
 */
final class NearKey implements Comparable<NearKey> {
    private final byte[] bytes;
    private final int hash;

    NearKey(byte[] bytes, int hash) {
        this.bytes = bytes;
        this.hash = hash;
    }

    byte[] bytes() {
        return bytes;
    }

    int hash() {
        return hash;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof NearKey key && hash == key.hash && Arrays.equals(bytes, key.bytes);
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public int compareTo(NearKey other) {
        return Arrays.compare(bytes, other.bytes);
    }
}
