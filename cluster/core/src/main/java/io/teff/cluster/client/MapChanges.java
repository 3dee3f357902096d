package io.teff.cluster.client;

import io.teff.cluster.operation.MapMode;
import io.teff.cluster.operation.OperationFormat;
import io.teff.engine.error.Status;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Changes of entries of a map that are collected, and sent in batches. For one thread.
 *
 * <p>A batch that fails leaves the changes without a result here, in their order.
 */
final class MapChanges {
    private final RemotePartitions partitions;
    private final MapMode mode;
    private final Outcomes outcomes;
    private List<byte[]> keys = new ArrayList<>();
    private List<byte[]> entries = new ArrayList<>();
    private long bytes;

    /** Takes the outcomes of changes that were sent. */
    interface Outcomes {
        /** Takes nothing. */
        Outcomes NONE = (_, _) -> { };

        /**
         * Takes the result of a change: OK, ABSENT, EXISTS; of a function also OUT_OF_RANGE, and TOO_SMALL if the value
         * has another form.
         */
        void take(byte[] key, long result);
    }

    /** Begins without changes. */
    MapChanges(RemotePartitions partitions, MapMode mode, Outcomes outcomes) {
        this.partitions = partitions;
        this.mode = mode;
        this.outcomes = outcomes;
    }

    /** Adds a change, and sends the changes if there are enough. */
    void add(byte[] key, byte @Nullable [] expected, byte @Nullable [] value) {
        final byte[] entry = MapBatches.entry(key, expected, value);
        keys.add(key);
        entries.add(entry);
        bytes += entry.length;
        if (keys.size() >= MapBatches.ENTRIES_MAX || bytes >= MapBatches.BYTES_MAX) {
            flush();
        }
    }

    /** Sends the changes. */
    void flush() {
        if (keys.isEmpty()) {
            return;
        }
        final long[] results = new long[keys.size()];
        Arrays.fill(results, OperationFormat.NOT_DONE);
        try {
            partitions.change(mode, keys, entries.toArray(byte[][]::new), results);
        } finally {
            end(results);
        }
    }

    private void end(long[] results) {
        final List<byte[]> sentKeys = keys;
        final List<byte[]> sentEntries = entries;
        keys = new ArrayList<>();
        entries = new ArrayList<>();
        bytes = 0;
        for (int i = 0; i < results.length; i++) {
            if (results[i] == OperationFormat.NOT_DONE) {
                keys.add(sentKeys.get(i));
                entries.add(sentEntries.get(i));
                bytes += sentEntries.get(i).length;
            }
        }
        for (int i = 0; i < results.length; i++) {
            if (results[i] != OperationFormat.NOT_DONE) {
                outcomes.take(sentKeys.get(i), results[i]);
            }
        }
    }

    /** Notes whether one of several changes was made. */
    static final class AnyDone implements Outcomes {
        private boolean isDone;

        @Override
        public void take(byte[] key, long result) {
            isDone |= result == Status.OK;
        }

        boolean isDone() {
            return isDone;
        }
    }
}
