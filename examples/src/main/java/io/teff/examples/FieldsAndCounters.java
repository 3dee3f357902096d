package io.teff.examples;

import io.teff.engine.Fields;
import io.teff.engine.Store;
import java.util.stream.IntStream;

/**
 * Fields: single values inside a chunk, read and changed in place.
 *
 * <p>A field is an offset in bytes and a width. Every change of a field is atomic, at any offset, so threads share
 * counters and flags in a chunk without a lock of their own.
 * <pre>
 *  0          8          12        16
 * +----------+----------+---------+
 * | visits   | longest  | flags   |     a page of a web site, and how it was visited
 * +----------+----------+---------+
 * </pre>
 */
public final class FieldsAndCounters {
    private static final int VISITS = 0;
    private static final int LONGEST_MS = 8;
    private static final int FLAGS = 12;
    private static final int BYTES = 16;

    private static final int THREADS = 4;
    private static final int VISITS_PER_THREAD = 10_000;
    private static final long ABSENT = -1;

    private FieldsAndCounters() {}

    static void main() {
        try (Store store = Store.open()) {
            Fields fields = store.fields();
            long page = store.create(BYTES);                    // zeros

            IntStream.range(0, THREADS).parallel().forEach(thread -> {
                for (int visit = 0; visit < VISITS_PER_THREAD; visit++) {
                    fields.getAndAddLong(page, VISITS, 1);
                    raise(fields, page, (visit * 7 + thread) % 500);
                }
            });
            fields.putInt(page, FLAGS, 1);

            IO.println("visits: " + fields.getLong(page, VISITS, ABSENT));
            IO.println("longest: " + fields.getInt(page, LONGEST_MS, -1) + " ms");
            IO.println("flags: " + fields.getInt(page, FLAGS, -1));

            store.remove(page);
            IO.println("after remove: " + fields.getLong(page, VISITS, ABSENT));
        }
    }

    /** Stores a duration if it is longer than the longest so far. */
    private static void raise(Fields fields, long page, int milliseconds) {
        int longest = fields.getInt(page, LONGEST_MS, -1);
        while (milliseconds > longest
            && fields.compareAndSetInt(page, LONGEST_MS, longest, milliseconds) == 0) {
            longest = fields.getInt(page, LONGEST_MS, -1);      // another thread was faster
        }
    }
}
