package io.teff.cluster.client;

import io.teff.cluster.WriteLevel;
import io.teff.cluster.collect.MapName;
import io.teff.cluster.operation.BatchAnswer;
import io.teff.cluster.operation.MapMode;
import io.teff.cluster.operation.OperationFormat;
import io.teff.cluster.operation.OperationType;
import io.teff.cluster.operation.RequestBytes;
import io.teff.engine.Cid;
import io.teff.engine.codec.Output;
import io.teff.engine.error.Status;
import io.teff.engine.error.StoreException;
import io.teff.engine.error.StoreException.Category;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Operations on many entries of a map: each owner receives the entries of all of its partitions in one request, all
 * owners at the same time. The changes of a partition have one ticket. Thread-safe.
 *
 * <p>A batch has at most {@link #ENTRIES_MAX} entries and about {@link #BYTES_MAX} bytes, so that the requests under
 * way are bounded, and the changes of a zone are one section, which the owner makes in their order.
 */
final class MapBatches {
    /** Most entries of one batch. */
    static final int ENTRIES_MAX = EntryGroups.ENTRIES_MAX;
    /** Bytes of keys and values behind which a batch ends. */
    static final int BYTES_MAX = 1 << 20;
    /** More entries are work for the owners' threads of long requests. */
    private static final int SHORT_ENTRIES_MAX = 128;
    private static final int PAGE_BYTES = 32 << 10;
    /** Bytes of events of one map behind which an answer ends. */
    private static final int EVENT_BYTES = 16 << 10;
    private static final byte[] NONE = new byte[0];

    private final ClusterClient client;
    private final WriteLevel level;
    private final long token;

    /**
     * Makes the operations.
     *
     * @param token of a holder that the changes present, or 0
     */
    MapBatches(ClusterClient client, WriteLevel level, long token) {
        this.client = client;
        this.level = level;
        this.token = token;
    }

    /** Takes the content of an entry from the answer. */
    private interface Contents {
        Contents NONE = (_, _, _, _) -> { };

        void take(int entry, byte[] bytes, int from, int length);
    }

    /**
     * Sends a batch until each entry has a result.
     *
     * @param argument of the batch
     * @param cids roots of maps, or zones
     * @param contents content of each entry; null if entries have none
     * @param results receive the results, also those before an exception
     */
    private void run(OperationType type, long argument, long[] cids, byte @Nullable [][] contents, boolean isLong,
                     long[] results, Contents taken) {
        try (Call call = client.call(type, cids.length)) {
            final BatchCall batch = new BatchCall(client, call, type, cids.length);
            if (isLong || cids.length > SHORT_ENTRIES_MAX) {
                batch.sendLong();
            }
            try {
                batch.run(cids, 0, entry -> contents == null ? 0 : contents[entry].length, (bytes, entries) ->
                    write(bytes.token(type.isFenced() ? token : 0).begin(type, level, 0, 0, entries.length, argument),
                        cids, contents, entries),
                    new ContentReader(taken));
            } finally {
                System.arraycopy(batch.results, 0, results, 0, results.length);
            }
        }
    }

    private static void write(RequestBytes bytes, long[] cids, byte @Nullable [][] contents, int[] entries) {
        for (int entry : entries) {
            bytes.putLong(cids[entry]);
        }
        if (contents != null) {
            for (int entry : entries) {
                bytes.putInt(contents[entry].length);
            }
            for (int entry : entries) {
                bytes.putBytes(contents[entry], 0, contents[entry].length);
            }
        }
    }

    /** Finds the contents of an answer, which are side by side. */
    private static final class ContentReader implements BatchCall.Reader {
        private final Contents taken;
        private @Nullable BatchAnswer current;
        private int next;
        private int at;

        ContentReader(Contents taken) {
            this.taken = taken;
        }

        @Override
        public void read(int entry, BatchAnswer answer, int index) {
            if (taken.equals(Contents.NONE)) {
                return;
            }
            if (answer != current) {
                current = answer;
                next = 0;
                at = answer.firstContent();
            }
            for (; next < index; next++) {                      // entries outside of the counted sections
                at += (int) Math.max(answer.result(next), 0);
            }
            final long result = answer.result(index);
            if (result >= 0) {
                taken.take(entry, answer.bytes(), at, (int) result);
            }
        }
    }

    // ---- operations ----

    /** Opens or makes maps in zones; returns their roots. */
    long[] open(int[] zones, List<MapName> names) {
        final long[] roots = new long[zones.length];
        run(OperationType.MAPS_OPEN, 0, places(zones), contents(names), true, roots, Contents.NONE);
        for (int i = 0; i < zones.length; i++) {
            if (roots[i] == Status.ABSENT) {
                throw new StoreException(Category.DEGRADED, "zone " + zones[i] + " does not exist, and has a part of "
                    + "the collection " + names.get(i).name());
            }
        }
        return roots;
    }

    /** Drops maps in zones, if there are such maps. */
    void drop(int[] zones, List<MapName> names) {
        run(OperationType.MAPS_DROP, 0, places(zones), contents(names), true, new long[zones.length], Contents.NONE);
    }

    private static long[] places(int[] zones) {
        return Arrays.stream(zones).mapToLong(zone -> Cid.of(zone, 0)).toArray();
    }

    private static byte[][] contents(List<MapName> names) {
        final byte[][] contents = new byte[names.size()][];
        for (int i = 0; i < contents.length; i++) {
            final Output out = Output.growing(256);
            out.putValue(MapName.CODEC, names.get(i));
            contents[i] = out.toByteArray();
        }
        return contents;
    }

    /** Takes the value of an entry that was found. */
    interface Found {
        /**
         * Takes a value.
         *
         * @param key index of its key
         * @param value its bytes
         */
        void take(int key, byte[] value);
    }

    /** Reads the values of keys. */
    void get(long[] roots, byte[][] keys, Found found) {
        run(OperationType.MAPS_GET, 0, roots, keys, false, new long[keys.length],
            (entry, bytes, from, length) -> found.take(entry, Arrays.copyOfRange(bytes, from, from + length)));
    }

    /** Returns an entry of a batch of changes. */
    static byte[] entry(byte[] key, byte @Nullable [] expected, byte @Nullable [] value) {
        final byte[] wanted = expected == null ? NONE : expected;
        final byte[] next = value == null ? NONE : value;
        MapCalls.checkEntry(key, next);
        final Output out = Output.over(new byte[OperationFormat.ENTRY_HEAD_BYTES + key.length + wanted.length
            + next.length], 0, OperationFormat.ENTRY_HEAD_BYTES + key.length + wanted.length + next.length);
        out.putInt(key.length);
        out.putInt(wanted.length);
        out.putBytes(key, 0, key.length);
        out.putBytes(wanted, 0, wanted.length);
        out.putBytes(next, 0, next.length);
        return out.array();
    }

    /**
     * Changes entries, each once.
     *
     * @param mode of all changes
     * @param entries from {@link #entry}
     * @param results receive OK for a change that was made, else ABSENT or EXISTS, or {@link
     *     OperationFormat#NOT_DONE} if it is not known; also before an exception
     */
    void change(MapMode mode, long[] roots, byte[][] entries, long[] results) {
        Arrays.fill(results, OperationFormat.NOT_DONE);
        run(OperationType.MAPS_CHANGE, mode.number(), roots, entries, false, results, Contents.NONE);
    }

    /** Returns the sum of a number of maps. */
    long sum(int which, long[] roots) {
        final long[] numbers = new long[roots.length];
        run(OperationType.MAPS_SIZE, which, roots, null, which == OperationFormat.MAP_AUDIT, numbers, Contents.NONE);
        return Arrays.stream(numbers).sum();
    }

    /**
     * Asks for the changes of several maps.
     *
     * @param questions a question for each map; see {@link io.teff.cluster.collect.ChangeEvent}
     * @param isFirst whether the maps may have to become watched maps
     */
    byte[][] changes(long[] roots, byte[][] questions, boolean isFirst) {
        final byte[][] answers = new byte[roots.length][];
        run(OperationType.MAPS_WATCH, EVENT_BYTES, roots, questions, isFirst, new long[roots.length],
            (entry, bytes, from, length) -> answers[entry] = Arrays.copyOfRange(bytes, from, from + length));
        return answers;
    }

    /** Raises the fences of collections to the token of these operations, unless there is none. */
    void raise(long[] roots) {
        if (token != 0) {
            final long[] last = new long[roots.length];
            run(OperationType.MAPS_FENCE, token, roots, null, true, last, Contents.NONE);
            if (Arrays.stream(last).anyMatch(each -> each != token)) {
                throw LaterHolder.exception();
            }
        }
    }

    /**
     * Reads a page of each of several maps: the place of the next page (8), and entries.
     *
     * @param places where each page begins
     * @param hasValues whether the pages have values
     */
    byte[][] pages(long[] roots, long[] places, boolean hasValues) {
        final byte[][] contents = new byte[roots.length][];
        for (int i = 0; i < roots.length; i++) {
            final Output out = Output.over(new byte[Long.BYTES], 0, Long.BYTES);
            out.putLong(places[i]);
            contents[i] = out.array();
        }
        final byte[][] pages = new byte[roots.length][];
        run(OperationType.MAPS_PAGE, PAGE_BYTES | (hasValues ? 0 : OperationFormat.KEYS_ONLY), roots, contents,
            roots.length > 1, new long[roots.length],
            (entry, bytes, from, length) -> pages[entry] = Arrays.copyOfRange(bytes, from, from + length));
        return pages;
    }
}
