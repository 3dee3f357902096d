package io.teff.engine.hash;

import io.teff.engine.codec.Output;
import io.teff.engine.map.EntryIndexes;
import io.teff.engine.map.EntryPart;
import org.jspecify.annotations.Nullable;

/**
 * Puts and removes entries under their writer locks, together with their places in the indexes of the map, if the map
 * has indexes. Thread-safe.
 */
final class EntryWriter {
    private final LinearHash table;
    private final BucketWriter writer;

    EntryWriter(LinearHash table) {
        this.table = table;
        this.writer = table.writer();
    }

    /** Puts the operation's entry at the index that {@link BucketWriter#find} has returned. */
    void put(HashOperation operation, int index) {
        final EntryIndexes indexes = table.indexes;
        if (indexes == null) {
            writer.put(operation, index);
            return;
        }
        final Output entry = operation.out();
        indexes.change(key(operation), before(operation, index), new EntryPart(entry.array(), operation.keyLength,
            entry.size() - operation.keyLength), () -> writer.put(operation, index));
    }

    /** Removes the entry at the index that {@link BucketWriter#find} has returned. */
    void remove(HashOperation operation, int index) {
        final EntryIndexes indexes = table.indexes;
        if (indexes == null) {
            writer.remove(operation, index);
            return;
        }
        indexes.change(key(operation), before(operation, index), null, () -> writer.remove(operation, index));
    }

    private @Nullable EntryPart before(HashOperation operation, int index) {
        return index < 0 ? null : value(operation);
    }

    /** Returns the bytes of the value that the operation's entry has, or null without such an entry. */
    @Nullable EntryPart value(HashOperation operation) {
        final int length = table.get(operation);
        return length < 0 ? null : new EntryPart(operation.bytes(), 0, length);
    }

    /** Returns the bytes of the operation's key, as the codec of the keys writes them. */
    EntryPart key(HashOperation operation) {
        final byte[] key = operation.key;
        if (key == null) {
            return new EntryPart(operation.numberBytes(), 0, Long.BYTES);
        }
        final int from = table.keys.contentFrom(key, 0);
        return new EntryPart(key, from, operation.keyLength - from);
    }
}
