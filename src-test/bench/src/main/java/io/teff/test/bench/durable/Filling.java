package io.teff.test.bench.durable;

/** Fills stores with values of consecutive keys. */
final class Filling {
    /** Entries of a batch. */
    static final int GROUP = 64;

    private final Keeper keeper;
    private final boolean inBatches;
    private final long deadline;
    /** Names of the first and of the last entry of the range from key 0; set by the thread that creates it. */
    private long first;
    private long last;

    /** Fills in batches or not, and ends early after some time. */
    Filling(Keeper keeper, boolean inBatches, long nsMax) {
        this.keeper = keeper;
        this.inBatches = inBatches;
        deadline = System.nanoTime() + nsMax;
    }

    /** Fills the whole store by one thread, and returns the name of its first entry, which all others follow. */
    static long all(Keeper keeper, int entries) {
        Filling filling = new Filling(keeper, true, Long.MAX_VALUE >> 1);
        int made = filling.range(0, entries);
        DurableTrial.check(filling.last == filling.first + made - 1, "name", filling.last);
        return filling.first;
    }

    /** Fills a range of keys, whose number is rounded down to batches, and returns the number of entries created. */
    int range(long from, long to) {
        byte[] values = new byte[GROUP * Values.BYTES];
        byte[] value = new byte[Values.BYTES];
        long[] names = new long[GROUP];
        int made = 0;
        for (long key = from; key + GROUP <= to && System.nanoTime() < deadline; key += GROUP) {
            if (inBatches) {
                for (int i = 0; i < GROUP; i++) {
                    Values.write(values, i * Values.BYTES, Values.BYTES, key + i, 0);
                }
                keeper.createAll(key, values, names);
            } else {
                for (int i = 0; i < GROUP; i++) {
                    Values.write(value, 0, Values.BYTES, key + i, 0);
                    names[i] = keeper.create(key + i, value);
                }
            }
            if (key == 0) {
                first = names[0];
            }
            made += GROUP;
        }
        if (from == 0) {
            last = names[GROUP - 1];
        }
        return made;
    }
}
