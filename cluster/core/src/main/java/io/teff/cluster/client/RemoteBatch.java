package io.teff.cluster.client;

import io.teff.cluster.ClusterStore;
import io.teff.cluster.WriteLevel;
import io.teff.cluster.operation.BatchAnswer;
import io.teff.cluster.operation.OperationAnswer;
import io.teff.cluster.operation.OperationFormat;
import io.teff.cluster.operation.OperationType;
import io.teff.cluster.operation.RequestBytes;
import io.teff.engine.BatchOperations;
import io.teff.engine.Cid;
import io.teff.engine.error.Status;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/** Operations on many chunks: all owners receive their parts at the same time. Thread-safe. */
final class RemoteBatch implements BatchOperations {
    /** Longest contents expected in a short answer. */
    private static final int SHORT_CONTENT_MAX = OperationFormat.SHORT_BYTES_MAX / 3;

    private final RemoteStore store;
    private final ClusterClient client;
    private final WriteLevel level;
    private final BatchCreates creates;
    /** Mean length of the chunks of the last batch read: decides whether the next batch is a short request. */
    private volatile int meanLength;

    RemoteBatch(RemoteStore store, ClusterClient client, ZonePicker zones, WriteLevel level) {
        this.store = store;
        this.client = client;
        this.level = level;
        creates = new BatchCreates(client, zones, level);
    }

    // ---- create ----

    @Override
    public int create(long length, long[] cids, int from, int count, boolean consecutive) {
        checkLength(length);
        Objects.checkFromIndexSize(from, count, cids.length);
        return creates.create(null, null, (int) length, cids, from, count, consecutive);
    }

    @Override
    public int create(@Nullable MemorySegment source, int[] lengths, long[] cids, int from, boolean consecutive) {
        Objects.checkFromIndexSize(from, lengths.length, cids.length);
        final long total = checkedSum(lengths);
        if (source != null) {
            Objects.checkFromIndexSize(0L, total, source.byteSize());
        }
        return creates.create(source, lengths, 0, cids, from, lengths.length, consecutive);
    }

    private static void checkLength(long length) {
        if (length < 0 || length > ClusterStore.CHUNK_BYTES_MAX) {
            throw new IllegalArgumentException("length=" + length + " is not in 0 to " + ClusterStore.CHUNK_BYTES_MAX
                + ": chunks of a cluster are of at most 1 MiB");
        }
    }

    private static long checkedSum(int[] lengths) {
        long total = 0;
        for (int length : lengths) {
            checkLength(length);
            total += length;
        }
        return total;
    }

    // ---- get ----

    @Override
    public long get(long[] cids, int from, int count, MemorySegment target, long offset, int[] lengths) {
        Objects.checkFromIndexSize(from, count, cids.length);
        Objects.checkFromIndexSize(0, count, lengths.length);
        Objects.checkFromIndexSize(offset, 0, target.byteSize());
        final byte[][] sources = new byte[count][];
        final int[] sourceAt = new int[count];
        final long room = target.byteSize() - offset;
        final BatchCall batch = get(cids, from, count, room, sources, sourceAt);
        long at = offset;
        for (int i = 0; i < count; i++) {
            lengths[i] = fitted(batch.results[i], target.byteSize() - at);
            if (lengths[i] > 0) {
                BatchAnswer.copyContent(sources[i], sourceAt[i], lengths[i], target, at);
                at += lengths[i];
            }
        }
        return at - offset;
    }

    @Override
    public int get(long[] cids, int from, int count, byte[] target, int offset, int[] lengths) {
        Objects.checkFromIndexSize(from, count, cids.length);
        Objects.checkFromIndexSize(0, count, lengths.length);
        Objects.checkFromIndexSize(offset, 0, target.length);
        final byte[][] sources = new byte[count][];
        final int[] sourceAt = new int[count];
        final BatchCall batch = get(cids, from, count, target.length - offset, sources, sourceAt);
        int at = offset;
        for (int i = 0; i < count; i++) {
            lengths[i] = fitted(batch.results[i], target.length - at);
            if (lengths[i] > 0) {
                System.arraycopy(sources[i], sourceAt[i], target, at, lengths[i]);
                at += lengths[i];
            }
        }
        return at - offset;
    }

    /** Returns the length of a chunk, or a status; TOO_SMALL if the chunk does not fit into the rest of the target. */
    private static int fitted(long result, long room) {
        return result > room ? Status.TOO_SMALL : (int) result;
    }

    private BatchCall get(long[] cids, int from, int count, long room, byte[][] sources, int[] sourceAt) {
        try (Call call = client.call(OperationType.BATCH_GET, count)) {
            final BatchCall batch = new BatchCall(client, call, OperationType.BATCH_GET, count);
            if ((long) meanLength * count > SHORT_CONTENT_MAX) {
                batch.sendLong();
            }
            batch.run(cids, from, _ -> 0, (bytes, entries) ->
                putCids(bytes.begin(OperationType.BATCH_GET, level, 0, 0, entries.length, room), cids, from, entries),
                new ContentReader(sources, sourceAt));
            final RemoteStore parts = store.within(call);
            singly(call, batch, entry -> {
                final OperationAnswer answer = parts.get(cids[from + entry], room);
                sources[entry] = answer.bytes();
                sourceAt[entry] = OperationFormat.HEAD_BYTES;
                return answer.result();
            });
            long sum = 0;
            for (long result : batch.results) {
                sum += Math.max(result, 0);
            }
            final int mean = count == 0 ? 0 : (int) (sum / count);
            if (mean != meanLength) {
                meanLength = mean;
            }
            return batch;
        }
    }

    /**
     * Does the operation one by one for locked chunks. Locks of other threads are waited for. A lock of the calling
     * thread needs its token, which a batch does not present. All operations together have the time of the batch.
     */
    private static void singly(Call call, BatchCall batch, IntToLongFunction operation) {
        for (int i = 0; i < batch.results.length; i++) {
            if (batch.results[i] == Status.LOCKED && !call.isTooLate()) {
                batch.results[i] = operation.applyAsLong(i);
            }
        }
    }

    /** Notes where the contents of the entries are: side by side behind the results. */
    private static final class ContentReader implements BatchCall.Reader {
        private final byte[][] sources;
        private final int[] sourceAt;
        private @Nullable BatchAnswer current;
        private int next;
        private int at;

        ContentReader(byte[][] sources, int[] sourceAt) {
            this.sources = sources;
            this.sourceAt = sourceAt;
        }

        @Override
        public void read(int entry, BatchAnswer answer, int index) {
            if (answer != current) {
                current = answer;
                next = 0;
                at = answer.firstContent();
            }
            for (; next < index; next++) {                      // entries outside of the counted sections
                at += (int) Math.max(answer.result(next), 0);
            }
            sources[entry] = answer.bytes();
            sourceAt[entry] = at;
        }
    }

    private static void putCids(RequestBytes bytes, long[] cids, int from, int[] entries) {
        for (int entry : entries) {
            bytes.putLong(cids[from + entry]);
        }
    }

    @Override
    public void getLong(long[] cids, int from, int count, long fieldOffset, long ifAbsent, long[] values) {
        Objects.checkFromIndexSize(from, count, cids.length);
        Objects.checkFromIndexSize(0, count, values.length);
        try (Call call = client.call(OperationType.BATCH_GET_LONG, count)) {
            final BatchCall batch = new BatchCall(client, call, OperationType.BATCH_GET_LONG, count);
            batch.run(cids, from, _ -> 0, (bytes, entries) -> putCids(
                bytes.begin(OperationType.BATCH_GET_LONG, level, 0, 0, entries.length, fieldOffset), cids, from,
                entries), (entry, answer, index) -> values[entry] = answer.value(index));
            final RemoteStore parts = store.within(call);
            singly(call, batch, entry -> {
                values[entry] = parts.fields().getLong(cids[from + entry], fieldOffset, ifAbsent);
                return Status.OK;
            });
            for (int i = 0; i < count; i++) {
                if (batch.results[i] == Status.OUT_OF_RANGE) {
                    throw new IndexOutOfBoundsException("a field at " + fieldOffset + " is outside chunk "
                        + Cid.toString(cids[from + i]));
                }
                if (batch.results[i] == Status.ABSENT) {
                    values[i] = ifAbsent;
                }
            }
        }
    }

    // ---- put, remove, resize, size, exists ----

    @Override
    public int put(long[] cids, int from, MemorySegment source, int[] lengths, int[] statuses) {
        final int count = lengths.length;
        Objects.checkFromIndexSize(from, count, cids.length);
        Objects.checkFromIndexSize(0, count, statuses.length);
        Objects.checkFromIndexSize(0L, checkedSum(lengths), source.byteSize());
        final long[] starts = starts(lengths);
        try (Call call = client.call(OperationType.BATCH_PUT, count)) {
            final BatchCall batch = new BatchCall(client, call, OperationType.BATCH_PUT, count);
            try {
                batch.run(cids, from, entry -> lengths[entry], (bytes, entries) -> {
                    putCids(bytes.begin(OperationType.BATCH_PUT, level, 0, 0, entries.length, 0), cids, from, entries);
                    putLengths(bytes, entries, entry -> lengths[entry]);
                    putContents(bytes, source, starts, lengths, entries);
                }, BatchCall.Reader.NONE);
                singly(call, batch, entry -> store.within(call).put(cids[from + entry], source, starts[entry],
                    lengths[entry]));
            } finally {
                takeStatuses(batch, statuses);
            }
            return countOk(statuses, count);
        }
    }

    /** Returns the first byte of each content in the source. */
    static long[] starts(int[] lengths) {
        final long[] starts = new long[lengths.length];
        for (int i = 1; i < lengths.length; i++) {
            starts[i] = starts[i - 1] + lengths[i - 1];
        }
        return starts;
    }

    static void putLengths(RequestBytes bytes, int[] entries, IntToLongFunction lengths) {
        for (int entry : entries) {
            bytes.putInt((int) lengths.applyAsLong(entry));
        }
    }

    static void putContents(RequestBytes bytes, MemorySegment source, long[] starts, int[] lengths, int[] entries) {
        for (int entry : entries) {
            bytes.putBytes(source, starts[entry], lengths[entry]);
        }
    }

    private static void takeStatuses(BatchCall batch, int[] statuses) {
        for (int i = 0; i < batch.results.length; i++) {
            if (batch.results[i] != OperationFormat.NOT_DONE) {
                statuses[i] = (int) batch.results[i];
            }
        }
    }

    private static int countOk(int[] statuses, int count) {
        int ok = 0;
        for (int i = 0; i < count; i++) {
            ok += statuses[i] == Status.OK ? 1 : 0;
        }
        return ok;
    }

    @Override
    public int resize(long[] cids, int from, long[] lengths, int[] statuses) {
        final int count = lengths.length;
        Objects.checkFromIndexSize(from, count, cids.length);
        Objects.checkFromIndexSize(0, count, statuses.length);
        for (long length : lengths) {
            checkLength(length);
        }
        try (Call call = client.call(OperationType.BATCH_RESIZE, count)) {
            final BatchCall batch = new BatchCall(client, call, OperationType.BATCH_RESIZE, count);
            try {
                batch.run(cids, from, _ -> 0, (bytes, entries) -> {
                    putCids(bytes.begin(OperationType.BATCH_RESIZE, level, 0, 0, entries.length, 0), cids, from,
                        entries);
                    putLengths(bytes, entries, entry -> lengths[entry]);
                }, BatchCall.Reader.NONE);
                singly(call, batch, entry -> store.within(call).resize(cids[from + entry], lengths[entry]));
            } finally {
                takeStatuses(batch, statuses);
            }
            return countOk(statuses, count);
        }
    }

    /** Runs an operation with CIDs only, and stores each result; after a failure, the results received so far. */
    private int run(OperationType type, long[] cids, int from, int count, long[] results) {
        Objects.checkFromIndexSize(from, count, cids.length);
        Objects.checkFromIndexSize(0, count, results.length);
        try (Call call = client.call(type, count)) {
            final BatchCall batch = new BatchCall(client, call, type, count);
            try {
                batch.run(cids, from, _ -> 0, (bytes, entries) ->
                    putCids(bytes.begin(type, level, 0, 0, entries.length, 0), cids, from, entries),
                    BatchCall.Reader.NONE);
                singly(call, batch, entry -> store.within(call).remove(cids[from + entry]));
            } finally {
                for (int i = 0; i < count; i++) {
                    results[i] = batch.results[i] == OperationFormat.NOT_DONE ? results[i] : batch.results[i];
                }
            }
            return batch.done();
        }
    }

    @Override
    public int remove(long[] cids, int from, int count, long[] results) {
        return run(OperationType.BATCH_REMOVE, cids, from, count, results);
    }

    @Override
    public int size(long[] cids, int from, int count, long[] sizes) {
        return run(OperationType.BATCH_SIZE, cids, from, count, sizes);
    }

    @Override
    public int exists(long[] cids, int from, int count, boolean[] exist) {
        Objects.checkFromIndexSize(0, count, exist.length);
        final long[] sizes = new long[count];
        final int found = size(cids, from, count, sizes);
        for (int i = 0; i < count; i++) {
            exist[i] = sizes[i] >= 0;
        }
        return found;
    }
}
