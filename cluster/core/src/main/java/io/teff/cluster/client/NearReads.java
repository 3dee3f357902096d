package io.teff.cluster.client;

import io.teff.cluster.NearCacheConfig;
import io.teff.cluster.WriteLevel;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The copies of a sorted map, as one object with the map uses them: all operations on entries pass through this class,
 * which tells the {@link NearCopies} of the collection; {@link RemotePartitions} does so for hash maps. Thread-safe.
 */
final class NearReads {
    private final NearCopies copies;
    /** How old a read may be; 0 if each read goes to the owner. */
    private final long boundNs;
    /** Whether a failure may take back what a read shows: such values are not kept. */
    private final boolean isTakenBack;
    private final Runnable check;

    NearReads(ClusterClient client, String name, CollectionRow row, WriteLevel level, @Nullable NearCacheConfig near) {
        copies = client.nearCaches().of(name, row);
        isTakenBack = level == WriteLevel.OWNER;
        boundNs = near == null || isTakenBack ? 0 : near.bound().toNanos();
        check = client::checkOpen;
        if (near != null && boundNs > 0) {
            copies.keep(near);
        }
    }

    // ---- reads ----

    /** Reads a value at its owner. */
    byte @Nullable [] get(byte[] key, Supplier<byte @Nullable []> owner) {
        final NearCopies.Read read = begin(key);
        final byte[] value = run(owner);
        copies.ended(key, read, value);
        return value;
    }

    /** Returns a value, perhaps from a copy. */
    byte @Nullable [] getNear(byte[] key, Supplier<byte @Nullable []> owner) {
        final NearCopies.Copy copy = boundNs == 0 ? null : copies.find(key, boundNs);
        if (copy == null) {
            return get(key, owner);
        }
        check.run();
        return copy.value();
    }

    private NearCopies.@Nullable Read begin(byte[] key) {
        return isTakenBack ? null : copies.begin(key);
    }

    /** Notes that values are to be read. */
    List<NearCopies.@Nullable Read> begin(List<byte[]> keys) {
        final List<NearCopies.@Nullable Read> reads = new ArrayList<>();
        keys.forEach(key -> reads.add(begin(key)));
        return reads;
    }

    /** Notes the value of a key that was read. */
    void ended(byte[] key, NearCopies.@Nullable Read read, byte @Nullable [] value) {
        copies.ended(key, read, value);
    }

    /** Reads which keys exist, and perhaps their values: all copies end. */
    <T> T walk(Supplier<T> read) {
        try {
            return read.get();
        } finally {
            copies.clear();
        }
    }

    // ---- changes ----

    /** Changes an entry. The copy ends whatever the outcome is: a change without an answer may have been made. */
    <T> T change(byte[] key, Supplier<T> change) {
        try {
            return run(change);
        } finally {
            copies.changed(key);
        }
    }

    /** Changes entries. */
    <T> T change(List<byte[]> keys, Supplier<T> change) {
        try {
            return run(change);
        } finally {
            keys.forEach(copies::changed);
        }
    }

    /** Runs an operation; a collection that was dropped has no copies. */
    private <T> T run(Supplier<T> operation) {
        try {
            return operation.get();
        } catch (IllegalStateException e) {
            copies.clear();
            throw e;
        }
    }
}
