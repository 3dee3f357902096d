package io.teff.bridge.ycsb;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.Vector;
import org.jspecify.annotations.Nullable;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;

/**
 * A binding whose records are the values of a map, by their keys. An exception of the map is the status ERROR, which
 * YCSB counts.
 */
public abstract class MapDb extends DB {
    /** For subclasses. */
    protected MapDb() {
        super();
    }

    /**
     * Reads a record.
     *
     * @param key of the record
     * @return its bytes, or null
     */
    protected abstract byte @Nullable [] get(String key);

    /**
     * Puts a record, whether there is one or not.
     *
     * @param key of the record
     * @param record its bytes
     */
    protected abstract void put(String key, byte[] record);

    /**
     * Replaces fields of a record, as one operation.
     *
     * @param key of the record
     * @param fields the new fields
     * @return whether there is such a record
     */
    protected abstract boolean change(String key, Map<String, byte[]> fields);

    /**
     * Removes a record.
     *
     * @param key of the record
     */
    protected abstract void remove(String key);

    /**
     * Reads records in the order of their keys.
     *
     * @param first the first key
     * @param count most records
     * @return the records; null if the map has no order
     */
    protected abstract @Nullable Iterable<byte[]> from(String first, int count);

    /** An operation of a map. */
    @FunctionalInterface
    private interface Operation {
        Status run();
    }

    private static Status status(Operation operation) {
        try {
            return operation.run();
        } catch (RuntimeException e) {
            System.err.println("ycsb: " + e);
            return Status.ERROR;
        }
    }

    @Override
    public Status read(String table, String key, @Nullable Set<String> fields, Map<String, ByteIterator> result) {
        return status(() -> {
            final byte[] record = get(key);
            if (record == null) {
                return Status.NOT_FOUND;
            }
            Records.to(record, fields, result);
            return Status.OK;
        });
    }

    @Override
    public Status scan(String table, String first, int count, @Nullable Set<String> fields,
                       Vector<HashMap<String, ByteIterator>> result) {
        return status(() -> {
            final Iterable<byte[]> records = from(first, count);
            if (records == null) {
                return Status.NOT_IMPLEMENTED;
            }
            for (byte[] record : records) {
                final HashMap<String, ByteIterator> row = new HashMap<>();
                Records.to(record, fields, row);
                result.add(row);
            }
            return Status.OK;
        });
    }

    @Override
    public Status update(String table, String key, Map<String, ByteIterator> values) {
        final Map<String, byte[]> fields = Records.bytes(values);
        return status(() -> change(key, fields) ? Status.OK : Status.NOT_FOUND);
    }

    @Override
    public Status insert(String table, String key, Map<String, ByteIterator> values) {
        final byte[] record = Records.with(null, Records.bytes(values));
        return status(() -> {
            put(key, record);
            return Status.OK;
        });
    }

    @Override
    public Status delete(String table, String key) {
        return status(() -> {
            remove(key);
            return Status.OK;
        });
    }
}
