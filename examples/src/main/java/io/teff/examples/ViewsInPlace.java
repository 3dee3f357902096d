package io.teff.examples;

import io.teff.engine.Store;
import io.teff.engine.error.Status;

/**
 * Views: access to a whole chunk in place, without a copy and without an object per chunk.
 *
 * <p>{@code edit} holds the chunk for writing and {@code read} for reading while the scope runs; other threads see all
 * changes of an edit or none. {@code peek} holds nothing and is the fastest, but its scope may run more than once: it
 * must have no effect except on values that the next run overwrites.
 * <pre>
 *  0         8         16      20      24
 * +---------+---------+-------+-------+
 * | price   | time    | size  | side  |     one trade
 * +---------+---------+-------+-------+
 * </pre>
 */
public final class ViewsInPlace {
    private static final int PRICE = 0;
    private static final int TIME_NS = 8;
    private static final int SIZE = 16;
    private static final int SIDE = 20;
    private static final int BYTES = 24;

    private ViewsInPlace() {}

    static void main() {
        try (Store store = Store.open()) {
            long trade = store.create(BYTES);
            store.views().edit(trade, chunk -> {
                chunk.putDouble(PRICE, 101.25);
                chunk.putLong(TIME_NS, 1_700_000_000L);
                chunk.putInt(SIZE, 300);
                chunk.putInt(SIDE, 1);
            });

            store.views().read(trade, chunk ->
                IO.println(chunk.getInt(SIZE) + " at " + chunk.getDouble(PRICE)));

            double[] turnover = new double[1];
            store.views().peek(trade, chunk -> turnover[0] = chunk.getDouble(PRICE) * chunk.getInt(SIZE));
            IO.println("turnover: " + turnover[0]);

            // Inside of a scope the chunk is pinned: it keeps its place and its length.
            store.views().edit(trade, chunk -> {
                int status = store.resize(trade, 2L * BYTES);
                IO.println("resize inside of an edit: " + Status.name(status));
                chunk.putInt(SIZE, chunk.getInt(SIZE) - 100);
            });
            store.views().read(trade, chunk -> IO.println("left: " + chunk.getInt(SIZE)));

            long result = store.views().read(trade + 1, _ -> IO.println("never printed"));
            IO.println("view of a chunk that does not exist: " + Status.name(result));
        }
    }
}
