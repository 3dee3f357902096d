package io.teff.test.bench.durable;

import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;

/** Replaces values of chosen keys, in batches. For one thread. */
final class Updates {
    private final Keeper keeper;
    private final LongUnaryOperator namesOfKeys;
    private final LongSupplier keys;
    private final long[] names = new long[Filling.GROUP];
    private final byte[] values = new byte[Filling.GROUP * Values.BYTES];
    private long version;

    /** Takes the names of keys, and the generator of keys. */
    Updates(Keeper keeper, LongUnaryOperator namesOfKeys, LongSupplier keys) {
        this.keeper = keeper;
        this.namesOfKeys = namesOfKeys;
        this.keys = keys;
    }

    /** Replaces values for some time, and returns millions per second. */
    double rate(long ns) {
        long start = System.nanoTime();
        long count = 0;
        long now;
        do {
            batch();
            count += Filling.GROUP;
            now = System.nanoTime();
        } while (now - start < ns);
        return count * 1e3 / (now - start);
    }

    void batch() {
        version++;
        for (int i = 0; i < Filling.GROUP; i++) {
            long key = keys.getAsLong();
            names[i] = namesOfKeys.applyAsLong(key);
            Values.write(values, i * Values.BYTES, Values.BYTES, key, version);
        }
        keeper.putAll(names, values);
    }
}
